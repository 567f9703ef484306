//! Which bots have failed in a game: by what the referee says, or by how their processes ended. A negative score alone may
//! be a score, as where ties are broken by losses.

use serde::{Deserialize, Serialize};

use super::remarks::Remarks;

/// The meaning of a negative score.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "kebab-case")]
pub enum NegativeScores {
    /// A failure where the referee or the bot's process says so; otherwise the run stops.
    #[default]
    Ask,
    /// A score.
    Scores,
    /// A failure.
    Failures,
}

/// A seat with a negative score, where nothing else says that its bot has failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Undecided {
    pub seat: usize,
    pub score: i64,
}

/// Words of a referee that tell of a time-out.
const TIME_OUTS: [&str; 9] = [
    "timeout",
    "timed out",
    "time-out",
    "time out",
    "out of time",
    "too slow",
    "not provided",
    "no answer",
    "not answer",
];

/// Words of a referee that tell of another failure.
const FAILURES: [&str; 12] = [
    "invalid",
    "illegal",
    "unknown",
    "unexpected",
    "expected",
    "error",
    "exception",
    "crash",
    "fail",
    "disqualified",
    "deactivated",
    "not allowed",
];

/// A seat is told of a failure in one of the last lines about it, since no more is asked of it after that.
const LAST_LINES: usize = 3;

/// Which bots have failed, given their scores, the referee's own list of failures, the lines that it says about each seat,
/// whether another line tells of a failure, and what was recorded of each bot.
///
/// # Errors
/// The first seat whose bot may have failed or not.
pub(super) fn judge(
    scores: &[i64],
    told: Option<Vec<bool>>,
    (words, tells_of_some): (&[Vec<String>], bool),
    remarks: &[Remarks],
    negative: NegativeScores,
) -> Result<Vec<bool>, Undecided> {
    if let Some(told) = told {
        return Ok(told);
    }
    let is_negative = |seat: usize| scores[seat] < 0;
    let seats = 0..scores.len();
    match negative {
        NegativeScores::Scores => return Ok(vec![false; scores.len()]),
        NegativeScores::Failures => return Ok(seats.map(is_negative).collect()),
        NegativeScores::Ask => {}
    }
    // A line that names no seat is about the only bot with a negative score.
    let is_one = tells_of_some && scores.iter().filter(|&&score| score < 0).count() == 1;
    let says_so = |seat: usize| is_one || words.get(seat).is_some_and(|lines| tells_of_failure(lines));
    let has_ended = |seat: usize| remarks.get(seat).is_some_and(|remarks| remarks.has_ended_early);
    let mut failed =
        seats.clone().map(|seat| is_negative(seat) && (says_so(seat) || has_ended(seat))).collect::<Vec<_>>();
    // Where one has failed, the game may end while others are asked.
    if !failed.contains(&true) {
        let is_silent = |seat: usize| remarks.get(seat).is_some_and(|remarks| remarks.owes_an_answer);
        failed = seats.clone().map(|seat| is_negative(seat) && is_silent(seat)).collect();
    }
    match seats.into_iter().find(|&seat| is_negative(seat) && !failed[seat]) {
        Some(seat) => Err(Undecided { seat, score: scores[seat] }),
        None => Ok(failed),
    }
}

fn tells_of_failure(lines: &[String]) -> bool {
    lines.iter().rev().take(LAST_LINES).any(|line| is_failure(line))
}

/// Whether a line tells of a failure.
pub(super) fn is_failure(line: &str) -> bool {
    is_time_out(line) || has_one_of(line, &FAILURES)
}

/// Whether a referee's words tell of a time-out.
pub fn is_time_out(words: &str) -> bool {
    has_one_of(words, &TIME_OUTS)
}

fn has_one_of(text: &str, words: &[&str]) -> bool {
    let text = text.to_lowercase();
    words.iter().any(|words| text.contains(words))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ask(scores: &[i64], words: &[&[&str]], remarks: &[Remarks]) -> Result<Vec<bool>, usize> {
        let words: Vec<Vec<String>> =
            words.iter().map(|lines| lines.iter().map(|&line| line.to_owned()).collect()).collect();
        judge(scores, None, (&words, false), remarks, NegativeScores::Ask).map_err(|undecided| undecided.seat)
    }

    fn crashed() -> Remarks {
        Remarks {
            end: Some("it crashed (exit status 101)".to_owned()),
            has_ended_early: true,
            ..Remarks::default()
        }
    }

    fn silent() -> Remarks {
        Remarks { owes_an_answer: true, ..Remarks::default() }
    }

    #[test]
    fn the_referees_words_tell() {
        assert_eq!(
            ask(&[-1, 5], &[&["$0 has not provided 1 lines in time"], &[]], &[]),
            Ok(vec![true, false])
        );
        assert_eq!(
            ask(&[3, -1], &[&[], &["$1: Invalid action \"MOVE\"", "$1 is last"]], &[]),
            Ok(vec![false, true])
        );
        // Long ago.
        let earned = "$0 earns a point";
        assert_eq!(
            ask(&[-6, -10], &[&["$0: invalid move, ignored", earned, earned, earned], &[]], &[]),
            Err(0)
        );
        assert_eq!(ask(&[-6, -10], &[&[], &[]], &[]), Err(0));
        assert_eq!(ask(&[0, 0], &[&["$0: error"], &[]], &[]), Ok(vec![false, false]));
        let some = |scores: &[i64]| judge(scores, None, (&[], true), &[], NegativeScores::Ask).ok();
        assert_eq!((some(&[-1, 5]), some(&[-1, -6])), (Some(vec![true, false]), None));
    }

    #[test]
    fn the_bots_processes_tell() {
        let fine = Remarks::default;
        assert_eq!(ask(&[-1, 5], &[], &[crashed(), fine()]), Ok(vec![true, false]));
        assert_eq!(ask(&[5, -1], &[], &[fine(), silent()]), Ok(vec![false, true]));
        // A bot that was asked while another crashed has not failed.
        assert_eq!(ask(&[-1, -3], &[], &[crashed(), silent()]), Err(1));
        assert_eq!(ask(&[-1, -1], &[], &[silent(), silent()]), Ok(vec![true, true]));
    }

    #[test]
    fn an_option_or_a_list_of_errors_decides() {
        let decided = |told: Option<&[bool]>, negative| {
            judge(&[-1, 5], told.map(<[bool]>::to_vec), (&[], false), &[], negative)
        };
        assert_eq!(decided(None, NegativeScores::Scores), Ok(vec![false, false]));
        assert_eq!(decided(None, NegativeScores::Failures), Ok(vec![true, false]));
        assert_eq!(decided(None, NegativeScores::Ask), Err(Undecided { seat: 0, score: -1 }));
        assert_eq!(decided(Some(&[false, true]), NegativeScores::Ask), Ok(vec![false, true]));
    }
}
