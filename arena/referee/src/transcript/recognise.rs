//! Recognises the contest of a transcript.

use std::fmt;

use contest::Contest;

use super::parts::Transcript;
use super::rebuild::{rebuild, variant, Rebuilt, Refusal};

/// Why no contest could be chosen for a transcript.
#[derive(Debug, Clone, PartialEq)]
pub enum Unrecognised {
    /// More than one fits.
    Ambiguous(Vec<String>),
    /// None fits; the reasons, that of the contest which came farthest first.
    None(Vec<Refusal>),
    /// The file has no answer.
    Empty,
}

impl fmt::Display for Unrecognised {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ambiguous(names) => {
                write!(f, "it can be a game of {}: say which with --contest", names.join(" or of "))
            }
            Self::Empty => f.write_str("it contains no answers: name the contest with --contest"),
            Self::None(refusals) => {
                let names: Vec<&str> = refusals.iter().map(|refusal| refusal.contest.as_str()).collect();
                write!(f, "not a game of {}, whose rules are known here", names.join(", "))?;
                match refusals.first() {
                    Some(best) if best.until.accepted > 0 => write!(
                        f,
                        "; the best fit is {}, which accepts {} answers: {best}",
                        best.contest, best.until.accepted
                    ),
                    Some(best) => write!(
                        f,
                        "; {best}; say with --contest what it is, with its variant if it has some (mnk:3,3,3)"
                    ),
                    None => Ok(()),
                }
            }
        }
    }
}

/// The contest that a transcript is a game of, among `contests`: the one whose rules accept all of it, to the
/// game's end; else the one in which only the last answer is wrong.
///
/// # Errors
/// If none or several fit.
pub fn recognise<'a>(
    transcript: &Transcript,
    contests: &[&'a dyn Contest],
) -> Result<(&'a dyn Contest, Rebuilt), Unrecognised> {
    if transcript.answers.is_empty() {
        return Err(Unrecognised::Empty);
    }
    let (mut fits, mut fits_with_a_fault, mut refusals) = (Vec::new(), Vec::new(), Vec::new());
    for &contest in contests {
        let replayed = variant(transcript, contest)
            .and_then(|contest| rebuild(transcript, contest).map(|rebuilt| (contest, rebuilt)));
        match replayed {
            Ok((contest, rebuilt)) if rebuilt.faults.is_empty() => fits.push((contest, rebuilt)),
            Ok((contest, rebuilt)) if rebuilt.accepted > 0 => fits_with_a_fault.push((contest, rebuilt)),
            Ok((contest, rebuilt)) => refusals.push(no_answer_fits(contest, transcript, rebuilt)),
            Err(refusal) => refusals.push(refusal),
        }
    }
    let mut chosen = if fits.is_empty() { fits_with_a_fault } else { fits };
    match (chosen.pop(), chosen.is_empty()) {
        (Some(only), true) => Ok(only),
        (Some(last), false) => {
            let all = chosen.iter().chain([&last]);
            Err(Unrecognised::Ambiguous(all.map(|(contest, _)| contest.name().to_owned()).collect()))
        }
        (None, _) => {
            refusals.sort_by_key(|refusal| std::cmp::Reverse(refusal.until.accepted));
            Err(Unrecognised::None(refusals))
        }
    }
}

/// A game that is over with its first answer tells nothing of the contest.
fn no_answer_fits(contest: &dyn Contest, transcript: &Transcript, until: Rebuilt) -> Refusal {
    let fault = until.faults.first();
    Refusal {
        contest: contest.name().to_owned(),
        place: transcript.answers.first().map_or_else(String::new, |answer| answer.place.clone()),
        expected: fault.map_or_else(String::new, |fault| fault.expected.clone()),
        found: fault.map_or_else(String::new, |fault| fault.received.clone()),
        until: Box::new(until),
        is_cut: false,
    }
}
