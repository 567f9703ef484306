//! A published claim and its verdict over all the budgets at which it was tried.

use std::fmt;

use super::plan::Equal;
use super::published::Published;
use super::row::{published_column, Figure, Row};
use super::verdict::Verdict;

/// The rows of one claim, by budget.
#[derive(Debug, Clone)]
pub(crate) struct Claim<'a> {
    /// At least one, those by positions first.
    pub(crate) rows: Vec<&'a Row>,
}

/// The verdict of several budgets on a claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// It holds wherever the games tell.
    Agrees,
    /// It doesn't hold wherever the games tell.
    Differs,
    /// It holds from this budget on, and not below.
    From(Equal),
    /// It holds up to this budget, and not above.
    UpTo(Equal),
    /// It holds here and there.
    Mixed,
    /// The games don't tell.
    Open,
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Agrees => f.write_str("agrees"),
            Self::Differs => f.write_str("differs"),
            Self::From(equal) => write!(f, "agrees from {equal} on"),
            Self::UpTo(equal) => write!(f, "agrees up to {equal}"),
            Self::Mixed => f.write_str("agrees at some budgets"),
            Self::Open => f.write_str("can't be told"),
        }
    }
}

impl<'a> Claim<'a> {
    /// The claims among the rows that were tried at several budgets, in order.
    pub(crate) fn of(rows: &'a [Row]) -> Vec<Self> {
        let mut claims: Vec<Self> = Vec::new();
        for row in rows.iter().filter(|row| row.equal.is_some()) {
            let is_same = |claim: &&mut Self| {
                let first = claim.rows[0];
                (&first.title, &first.contest) == (&row.title, &row.contest)
            };
            match claims.iter_mut().find(is_same) {
                Some(claim) => claim.rows.push(row),
                None => claims.push(Self { rows: vec![row] }),
            }
        }
        claims
    }

    /// The claim with what was published; `usual` is the study's contest.
    pub(crate) fn words(&self, usual: &str) -> String {
        let title = self.rows[0].title_in(usual);
        match self.rows[0].published {
            Some(Published::Ranked { .. }) => title,
            published => format!("{title}: {}", published_column(published)),
        }
    }

    /// The verdict at equal time, or at equal numbers of positions; `None` without such rows.
    pub(crate) fn outcome(&self, is_time: bool) -> Option<Outcome> {
        let all = self.rows.iter().filter_map(|row| Some((row.equal?, row.verdict)));
        let mut all = all.filter(|(equal, _)| equal.is_time() == is_time).collect::<Vec<_>>();
        all.sort_by_key(|(equal, _)| *equal);
        (!all.is_empty()).then(|| outcome(&all))
    }

    /// The verdict on the claim: neither kind of budget overrules the other.
    pub(crate) fn verdict(&self) -> String {
        match (self.outcome(false), self.outcome(true)) {
            (Some(worlds), Some(time)) if worlds == time => worlds.to_string(),
            (Some(Outcome::Open), Some(one)) | (Some(one), Some(Outcome::Open)) => one.to_string(),
            (Some(_), Some(_)) => "depends on what is held equal".to_owned(),
            (one, other) => one.or(other).map_or_else(String::new, |one| one.to_string()),
        }
    }
}

/// The verdict of budgets in ascending order.
fn outcome(all: &[(Equal, Verdict)]) -> Outcome {
    let at =
        |wanted: Verdict| all.iter().filter(move |(_, verdict)| *verdict == wanted).map(|(equal, _)| *equal);
    let (agrees, differs) = (|| at(Verdict::Agrees), || at(Verdict::Differs));
    match (agrees().next(), agrees().next_back(), differs().next(), differs().next_back()) {
        (None, _, None, _) => Outcome::Open,
        (Some(_), _, None, _) => Outcome::Agrees,
        (None, _, Some(_), _) => Outcome::Differs,
        (Some(first), _, _, Some(last)) if last < first => Outcome::From(first),
        (_, Some(last), Some(first), _) if last < first => Outcome::UpTo(last),
        _ => Outcome::Mixed,
    }
}

/// A claim's figure at one budget, for a narrow column; of an order, the verdict.
pub(crate) fn cell(row: &Row) -> String {
    match &row.figure {
        Figure::Ranking { .. } if row.verdict == Verdict::TooFew => Outcome::Open.to_string(),
        Figure::Ranking { .. } => row.verdict.to_string(),
        Figure::Share { share, .. } => format!("{:.0} ± {:.0} %", 100.0 * share.mean, 100.0 * share.error()),
        figure => figure.columns()[0].clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_claim_may_depend_on_the_budget() {
        use Verdict::{Agrees, Differs, TooFew};
        let said = |verdicts: [Verdict; 3]| {
            let all = [10, 50, 150].map(Equal::CpuMs).into_iter().zip(verdicts).collect::<Vec<_>>();
            outcome(&all).to_string()
        };
        assert_eq!(said([Agrees, TooFew, Agrees]), "agrees");
        assert_eq!(said([TooFew, Differs, Differs]), "differs");
        assert_eq!(said([TooFew; 3]), "can't be told");
        assert_eq!(said([Differs, TooFew, Agrees]), "agrees from 150 ms on");
        assert_eq!(said([Agrees, Agrees, Differs]), "agrees up to 50 ms");
        assert_eq!(said([Agrees, Differs, Agrees]), "agrees at some budgets");
    }
}
