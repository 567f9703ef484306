//! The report of a tuning run: the values, each parameter's influence, and the command that verifies the result.

use std::fmt;
use std::io::Write;

use serde::Serialize;

use crate::failure::Failure;
use crate::tune::log::MethodName;
use crate::tune::search::Search;
use coppice_referee::process::noise::MachineNoise;
use coppice_referee::text::column_width;
use coppice_stats::repeats::Samples;
use coppice_stats::tuning::fit::{Difference, Fit, MOST_TOGETHER};
use coppice_stats::tuning::space::{Kind, Parameter};
use coppice_stats::{Estimate, Grouping};

use super::setup::Setup;

/// The distance from the answer in the table of sensitivities, as a share of the range; at least a step of a whole number.
const LOOK: f64 = 0.25;

/// Closer to the edge of the range than this, that side is left out.
const LEAST_LOOK: f64 = 0.02;

/// A result.
#[derive(Debug, Serialize)]
pub(super) struct Report {
    pub(super) contest: String,
    pub(super) bot: String,
    pub(super) method: MethodName,
    /// The method's finished games, and planned games.
    pub(super) games: u32,
    pub(super) planned: u32,
    pub(super) parameters: Vec<Row>,
    /// The fitted gain of the answer over the start.
    pub(super) gain: Elo,
    /// The gain in games between the two; `None` if there are none.
    pub(super) played: Option<Played>,
    /// Pairs of parameters with an interaction, the strongest first.
    pub(super) together: Vec<Together>,
    /// Whether interactions were estimated.
    pub(super) asked_together: bool,
    pub(super) log: String,
    /// A cluster's machines, with their delays.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) machines: Vec<MachineNoise>,
    /// The command that tests the answer: see [`Report::proof`].
    proof: String,
    /// Advice that makes games differ.
    #[serde(skip)]
    vary: String,
}

/// One parameter.
#[derive(Debug, Serialize)]
pub(super) struct Row {
    pub(super) name: String,
    pub(super) kind: Kind,
    pub(super) start: f64,
    pub(super) tuned: f64,
    pub(super) min: f64,
    pub(super) max: f64,
    /// The last distance of trials from the answer.
    pub(super) step: f64,
    /// The estimated effects of a smaller and a larger value.
    pub(super) smaller: Option<Look>,
    pub(super) greater: Option<Look>,
    pub(super) verdict: Verdict,
}

/// Another value of one parameter.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Look {
    pub(super) value: f64,
    #[serde(flatten)]
    pub(super) elo: Elo,
}

/// A difference in Elo with its 95 % interval.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub(super) struct Elo {
    pub(super) elo: f64,
    /// Half the width of the interval.
    pub(super) error: f64,
    /// Whether the games determine it much better than the prior.
    pub(super) told: bool,
}

/// The gain of the answer over the start in games between them.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub(super) struct Played {
    pub(super) games: u32,
    /// Pairs of deterministic bots that repeat earlier ones move by move, and don't count.
    pub(super) repeats: u64,
    /// In Elo, with its 95 % interval.
    pub(super) elo: Estimate,
    /// Whether it differs from the fitted gain by more than both errors together.
    pub(super) contradicts_fit: bool,
}

/// Two parameters.
#[derive(Debug, Serialize)]
pub(super) struct Together {
    pub(super) names: [String; 2],
    /// The gain of moving both up by a quarter of their ranges beyond the sum of moving each.
    #[serde(flatten)]
    pub(super) elo: Elo,
}

/// The conclusion on a parameter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Verdict {
    /// Other values are worse.
    Matters,
    /// At least one other value looks better.
    BetterElsewhere,
    /// No difference is significant.
    NoEffect,
    /// Too few games.
    NotTold,
}

impl Verdict {
    fn of(looks: &[Elo]) -> Self {
        let seen = |sign: f64| looks.iter().any(|look| sign * look.elo > look.error);
        match looks {
            _ if seen(1.0) => Self::BetterElsewhere,
            _ if seen(-1.0) => Self::Matters,
            [] => Self::NotTold,
            _ if looks.iter().any(|look| !look.told) => Self::NotTold,
            _ => Self::NoEffect,
        }
    }

    pub(super) fn words(self) -> &'static str {
        match self {
            Self::Matters => "matters",
            Self::BetterElsewhere => "may be better there: not settled",
            Self::NoEffect => "no effect seen",
            Self::NotTold => "unclear: too few games",
        }
    }
}

impl From<Difference> for Elo {
    fn from(difference: Difference) -> Self {
        Self { elo: difference.elo, error: difference.error(), told: difference.is_told() }
    }
}

impl Played {
    /// The gain in the games so far, whose fitted gain is `fit`.
    fn of(search: &Search, fit: Elo) -> Option<Self> {
        // Of several seats, and of leads, a pair's score may be any number from 0 to 1.
        let mut samples = Samples::new(Grouping { alone: true, ..Grouping::PAIRS });
        for pair in search.checks() {
            let moves = pair.moves.as_ref().map(|[opening, games @ ..]| (*opening, games.as_slice()));
            samples.push(pair.scores.iter().sum::<f64>() / 2.0, moves);
        }
        let elo = samples.evidence().elo();
        let distance = (elo.mean - fit.elo).abs();
        let error = if elo.mean > fit.elo { elo.mean - elo.low } else { elo.high - elo.mean };
        let contradicts_fit = distance > error.hypot(fit.error);
        let (games, repeats) =
            (2 * samples.all().len() as u32, if samples.are_alike() { samples.repeats() } else { 0 });
        (games > 0).then_some(Self { games, repeats, elo, contradicts_fit })
    }
}

impl fmt::Display for Played {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "in {} games of their own: Elo {:+}", self.games, self.elo)
    }
}

impl Report {
    /// The report on the games so far.
    pub(super) fn new(setup: &Setup<'_>, search: &Search, machines: &[MachineNoise]) -> Self {
        let (space, answer, fit) = (search.space(), search.answer(), search.fit());
        let point = space.point(&answer);
        let rows = space.0.iter().enumerate().zip(search.reach());
        let row = |((i, parameter), step): ((usize, &Parameter), f64)| {
            let look = |step| look(&fit, parameter, &point, i, step);
            let step_looked = LOOK.max(parameter.least_step());
            let (smaller, greater) = (look(-step_looked), look(step_looked));
            let looks: Vec<Elo> = smaller.iter().chain(&greater).map(|look| look.elo).collect();
            let Parameter { name, kind, start, min, max } = parameter.clone();
            let verdict = Verdict::of(&looks);
            Row { name, kind, start, tuned: answer[i], min, max, step, smaller, greater, verdict }
        };
        let gain = fit.difference(&space.start(), &point).into();
        Self {
            contest: setup.plan.contest.clone(),
            bot: setup.plan.bot.clone(),
            method: setup.plan.method,
            games: search.games(),
            planned: setup.plan.games,
            parameters: rows.map(row).collect(),
            gain,
            played: Played::of(search, gain),
            together: together(&fit, &space.0),
            asked_together: space.0.len() <= MOST_TOGETHER,
            log: setup.log.display().to_string(),
            machines: machines.to_vec(),
            proof: setup.proof(&answer),
            vary: setup.series(&[answer, space.values(&space.start())]).advice_against_repeats(),
        }
    }

    /// Prints it, unless no game was played.
    ///
    /// # Errors
    /// If `out` can't be written.
    pub(super) fn print(&self, json: bool, out: &mut dyn Write) -> Result<(), Failure> {
        if self.games == 0 {
            return Ok(());
        }
        if json {
            writeln!(out, "{}", serde_json::to_string(self).map_err(std::io::Error::from)?)?;
        } else {
            self.print_values(out)?;
            self.print_sensitivities(out)?;
            self.print_end(out)?;
        }
        Ok(out.flush()?)
    }

    fn print_values(&self, out: &mut dyn Write) -> Result<(), Failure> {
        let Self { contest, bot, games, planned, .. } = self;
        let method = match self.method {
            MethodName::Spsa => "SPSA, mean of the later iterates",
            MethodName::De => "differential evolution, mean of the population",
        };
        let of = if games < planned { format!(" of {planned}") } else { String::new() };
        writeln!(out, "{contest}, `{bot}`, {games}{of} games, {method}\n")?;
        let header = ["parameter", "start", "tuned", "range", "step"].map(str::to_owned);
        let rows = self.parameters.iter().map(|row| {
            let range = format!("{} to {}", row.min, row.max);
            let step =
                format!("{:.*}", if row.kind == Kind::Int { 1 } else { digits(row.max - row.min) }, row.step);
            [row.name.clone(), row.start.to_string(), row.tuned.to_string(), range, step]
        });
        print_table(std::iter::once(header).chain(rows).collect(), out)
    }

    fn print_sensitivities(&self, out: &mut dyn Write) -> Result<(), Failure> {
        writeln!(out, "\nwhat other values would be worth, in Elo (quadratic fit of all games, 95 %)")?;
        let header = ["parameter", "smaller", "", "greater", "", ""].map(str::to_owned);
        let rows = self.parameters.iter().map(|row| {
            let at =
                |look: &Option<Look>| look.as_ref().map_or("-".to_owned(), |look| look.value.to_string());
            let elo = |look: &Option<Look>| look.as_ref().map_or(String::new(), |look| shown(look.elo));
            let [smaller, greater] = [&row.smaller, &row.greater];
            let verdict = row.verdict.words().to_owned();
            [row.name.clone(), at(smaller), elo(smaller), at(greater), elo(greater), verdict]
        });
        print_table(std::iter::once(header).chain(rows).collect(), out)
    }

    /// The measured and the fitted gain over the start, then advice: a sentence each.
    pub(super) fn against_start(&self) -> Vec<String> {
        let fit = shown(self.gain);
        let Some(played) = &self.played else { return vec![format!("by the fit: {fit} Elo")] };
        let Played { games, repeats, contradicts_fit, .. } = *played;
        let repeated = format!(
            "{repeats} of these {} pairs repeat others move by move, and don't count: {}",
            games / 2,
            self.vary
        );
        let start = "the start plays better: keep it, or tune again with narrower ranges (--range NAME=MIN..MAX) or more games";
        let advice = [
            (repeats > 0, repeated.as_str()),
            (contradicts_fit, "the games contradict the fit, whose table misleads"),
            (self.is_worse(), start),
        ];
        let advice = advice.into_iter().filter(|(is_due, _)| *is_due).map(|(_, text)| text.to_owned());
        std::iter::once(format!("{played}; by the fit {fit}")).chain(advice).collect()
    }

    /// The command that tests the answer; `None` where its games say that it is worse than the start.
    pub(super) fn proof(&self) -> Option<&str> {
        (!self.is_worse()).then_some(&self.proof)
    }

    fn is_worse(&self) -> bool {
        self.played.is_some_and(|played| played.elo.high < 0.0)
    }

    fn print_end(&self, out: &mut dyn Write) -> Result<(), Failure> {
        self.machines.iter().try_for_each(|machine| writeln!(out, "{machine}"))?;
        for Together { names: [first, second], elo } in &self.together {
            writeln!(
                out,
                "{first} and {second} act together: both greater by a quarter of the range, {} beyond each alone",
                shown(*elo)
            )?;
        }
        if !self.asked_together {
            writeln!(out, "with more than {MOST_TOGETHER} parameters, how they act together isn't asked")?;
        }
        if self.parameters.iter().all(|row| row.tuned == row.start) {
            writeln!(out, "\nthe start is still the answer")?;
            return Ok(());
        }
        writeln!(out, "\ntuned against start, {}", self.against_start().join("\n"))?;
        if let Some(proof) = self.proof() {
            writeln!(out, "to prove it:\n  {proof}")?;
        }
        Ok(())
    }
}

/// The effect of another value of one parameter, a share of the range away or at its edge.
fn look(fit: &Fit, parameter: &Parameter, point: &[f64], i: usize, step: f64) -> Option<Look> {
    let value = parameter.value((point[i] + step).clamp(0.0, 1.0));
    let mut other = point.to_vec();
    other[i] = parameter.place(value);
    let is_there = (other[i] - point[i]).abs() >= LEAST_LOOK;
    is_there.then(|| Look { value, elo: fit.difference(point, &other).into() })
}

/// The pairs of parameters whose interaction exceeds its error, the strongest three.
fn together(fit: &Fit, parameters: &[Parameter]) -> Vec<Together> {
    let pairs = (0..parameters.len()).flat_map(|i| (i + 1..parameters.len()).map(move |j| (i, j)));
    let asked = pairs.filter_map(|(i, j)| {
        let names = [i, j].map(|k| parameters[k].name.clone());
        Some(Together { names, elo: fit.together(i, j, LOOK)?.into() })
    });
    let mut found: Vec<Together> = asked.filter(|pair| pair.elo.elo.abs() > pair.elo.error).collect();
    found.sort_by(|a, b| b.elo.elo.abs().total_cmp(&a.elo.elo.abs()));
    found.truncate(3);
    found
}

pub(super) fn shown(elo: Elo) -> String {
    format!("{:+.1} ± {:.1}", elo.elo, elo.error)
}

/// The decimals that distinguish a thousandth of the range.
pub(super) fn digits(range: f64) -> usize {
    (3.0 - range.log10().floor()).clamp(0.0, 12.0) as usize
}

/// Aligns columns, the first to the left, the others to the right; a last column of text to the left.
fn print_table<const N: usize>(rows: Vec<[String; N]>, out: &mut dyn Write) -> Result<(), Failure> {
    let width = |column: usize| column_width(rows.iter().map(|row| row[column].as_ref()));
    for row in &rows {
        let cell = |(column, text): (usize, &String)| {
            let width = width(column);
            match column {
                0 => format!("{text:<width$}"),
                5 => text.clone(),
                _ => format!("{text:>width$}"),
            }
        };
        let line = row.iter().enumerate().map(cell).collect::<Vec<_>>().join("  ");
        writeln!(out, "{}", line.trim_end())?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tune::log::{PairRecord, Plan, RULES};
    use crate::tune::search::Pairing;
    use coppice_stats::elo::score_of;

    /// Tunes a parameter from 0 to 1, whose values are worth `elo`; returns the fitted gain, and that of the games between
    /// answer and start.
    fn tuned(start: f64, elo: impl Fn(f64) -> f64) -> (Elo, Played) {
        tuned_with(start, elo, |_| None)
    }

    /// As [`tuned`], with the moves of each pair by its number.
    fn tuned_with(
        start: f64,
        elo: impl Fn(f64) -> f64,
        moves: impl Fn(u64) -> Option<[u64; 3]>,
    ) -> (Elo, Played) {
        let plan = Plan {
            rules: RULES,
            contest: "toy".to_owned(),
            referee: None,
            bot: "./bot".to_owned(),
            hash: None,
            parameters: vec![Parameter::parse(&format!("x, float, {start}, 0, 1")).unwrap()],
            method: MethodName::Spsa,
            instances: None,
            games: 2000,
            at_once: 1,
            seed: 5,
            seeds: None,
            openings: 4,
            first_ms: 0.0,
            later_ms: 0.0,
        };
        let mut search = Search::new(&plan);
        let (mut rng, mut count) = (coppice::Rng::new(9), 0);
        while let Some(pairing) = search.pairings().first().cloned() {
            let Pairing { trial, pair, values, seed } = pairing;
            let expected = score_of(elo(values[0][0]) - elo(values[1][0]));
            let mut game =
                || f64::from(u8::from(f64::from(rng.below(1 << 30)) < expected * f64::from(1 << 30)));
            let scores = [game(), game()];
            let (faults, moves) = (Vec::new(), moves(count));
            search.take(PairRecord { trial, pair, values, seed, scores, faults, moves }).unwrap();
            count += 1;
        }
        let gain = search.fit().difference(&search.space().start(), &search.space().point(&search.answer()));
        (gain.into(), Played::of(&search, gain.into()).unwrap())
    }

    #[test]
    fn games_tell_of_a_start_on_a_peak_that_no_trial_meets() {
        let (fit, played) = tuned(0.1, |x| 300.0 - 6000.0 * (x - 0.1).abs().min(0.05) + 100.0 * x);
        assert!(fit.elo > fit.error, "the fit sees the slope: {fit:?}");
        assert!(played.elo.high < 0.0 && played.contradicts_fit, "{played:?}");
        assert_eq!(played.games, 200);
    }

    #[test]
    fn pairs_that_repeat_others_do_not_count() {
        let worth = |x: f64| -800.0 * (x - 0.7).powi(2);
        let (_, free) = tuned(0.2, worth);
        assert_eq!((free.games, free.repeats), (200, 0));
        // Deterministic bots from five openings: five pairs, again and again.
        let (_, alike) = tuned_with(0.2, worth, |pair| Some([pair % 5, pair % 5, pair % 5]));
        assert_eq!((alike.games, alike.repeats), (200, 95));
        let width = |played: Played| played.elo.high - played.elo.low;
        assert!(width(alike) > 3.0 * width(free), "{alike:?} {free:?}");
        // Bots that vary may repeat a short game by chance.
        let (_, varied) = tuned_with(0.2, worth, |pair| Some([pair % 5, pair / 2, pair / 3]));
        assert_eq!((varied.repeats, width(varied)), (0, width(free)));
    }

    #[test]
    fn games_agree_with_the_fit_of_a_parabola() {
        let (fit, played) = tuned(0.2, |x| -800.0 * (x - 0.7).powi(2));
        assert!(fit.elo > fit.error && played.elo.low > 0.0 && !played.contradicts_fit, "{fit:?} {played:?}");
    }
}
