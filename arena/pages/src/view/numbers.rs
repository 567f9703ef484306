//! Numbers that a bot reports about a turn on its standard error.
//!
//! - `depth 9, score 34, 20000 nodes`, as the bots of this workspace: a score is a number, `win in 5` or `loss in 4`; more
//!   may follow after a comma;
//! - `[TDATA] name = value`, `[PDATA][12] name = value`, as psyleague and cgarena read them.

use std::collections::BTreeMap;

use coppice_referee::bot::data::BotData;

/// The score of a certain win; one that is n plies away is n less.
pub(super) const WIN: f64 = 1e6;

/// Certain wins are at most this far away.
const MOST_PLIES: f64 = 10_000.0;

/// The numbers in these lines; of several with one name the last.
pub(super) fn read(said: &str) -> BTreeMap<String, f64> {
    let mut numbers = BTreeMap::new();
    for line in said.lines() {
        let mut data = BotData::default();
        data.read_line(line.as_bytes());
        numbers.extend(data.tdata.into_iter().map(|(name, spread)| (name, spread.max)));
        numbers.extend(data.pdata);
        numbers.extend(own(line));
    }
    numbers
}

/// The line of the bots of this workspace.
fn own(line: &str) -> Vec<(String, f64)> {
    let parts: Vec<&str> = line.trim().split(", ").collect();
    let [depth, score, nodes, ..] = parts[..] else { return Vec::new() };
    let depth = depth.strip_prefix("depth ").and_then(|text| text.parse().ok());
    let score = score.strip_prefix("score ").and_then(value);
    let nodes = nodes.strip_suffix(" nodes").and_then(|text| text.parse().ok());
    match (depth, score, nodes) {
        (Some(depth), Some(score), Some(nodes)) => [("depth", depth), ("score", score), ("nodes", nodes)]
            .map(|(name, n)| (name.to_owned(), n))
            .to_vec(),
        _ => Vec::new(),
    }
}

/// Whether a score is a certain win or loss.
pub(super) fn is_certain(value: f64) -> bool {
    value.abs() > WIN - MOST_PLIES
}

/// The least size of a value that stands for a place, in games of more than two: a player who is out is worth less than all
/// estimates, which searches hold up to 900,000.
const OUT: f64 = 500_000.0;

/// The largest size of an estimate of this workspace's searches: as good as won or lost.
const LARGEST: f64 = 900_000.0;

/// The size beyond which a value isn't an estimate in a game with `seats` players.
pub(super) fn most_estimate(seats: usize) -> f64 {
    if seats > 2 {
        OUT
    } else {
        WIN - MOST_PLIES
    }
}

/// A number as text; certain wins and losses with their distance.
pub(super) fn shown(value: f64) -> String {
    // Minus nothing is nothing.
    let value = value + 0.0;
    let plies = WIN - value.abs();
    match value.abs() <= WIN && plies < MOST_PLIES {
        true if plies == 0.0 => (if value > 0.0 { "a certain win" } else { "a certain loss" }).to_owned(),
        true if value > 0.0 => format!("win in {plies}"),
        true => format!("loss in {plies}"),
        false if value == LARGEST => format!("{value}, the highest score"),
        false if value == -LARGEST => format!("{value}, the lowest score"),
        false => value.to_string(),
    }
}

fn value(text: &str) -> Option<f64> {
    let plies = |rest: &str| rest.parse::<f64>().ok();
    if let Some(rest) = text.strip_prefix("win in ") {
        return plies(rest).map(|plies| WIN - plies);
    }
    if let Some(rest) = text.strip_prefix("loss in ") {
        return plies(rest).map(|plies| plies - WIN);
    }
    text.parse().ok().filter(|value: &f64| value.is_finite())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_found_between_other_lines() {
        let said = "hello\ndepth 5, score -220, 2000 nodes\n[TDATA] wins = 0.5\n[PDATA][3] size = 9\ndepth x, score 1, 2 nodes";
        let numbers = read(said);
        let expected = [("depth", 5.0), ("nodes", 2000.0), ("score", -220.0), ("size", 9.0), ("wins", 0.5)];
        assert_eq!(numbers.iter().map(|(name, n)| (name.as_str(), *n)).collect::<Vec<_>>(), expected);
        assert_eq!(read("depth 5, score win in 3, 7 nodes, 2 kept")["score"], WIN - 3.0);
        assert_eq!(read("depth 5, score loss in 4, 7 nodes")["score"], 4.0 - WIN);
        assert_eq!([WIN - 3.0, 4.0 - WIN, -2.5].map(shown), ["win in 3", "loss in 4", "-2.5"]);
        assert_eq!(read("depth 5, score nan, 7 nodes"), BTreeMap::new());
        assert_eq!([0.0, -0.0, -LARGEST].map(shown), ["0", "0", "-900000, the lowest score"]);
    }
}
