//! What bots lose by their moves in each phase of the game.

use contest::Seat;
use coppice::Score;
use serde::Serialize;

use crate::replay::loss::JudgedMove;
use coppice_stats::{Cluster, ClusteredMean};

/// The share of estimates that are at most as large as a certain win: so it counts as a large lead, and a few that are given
/// away don't hide all else.
const CERTAIN_SHARE: f64 = 0.9;

/// A loss is large from this part of a certain win on.
const LARGE_SHARE: f64 = 0.25;

/// A game whose moves are judged.
#[derive(Debug, Clone, PartialEq)]
pub struct JudgedGame {
    /// The number of moves, with the opening's.
    pub plies: u32,
    /// The number of the opening's moves.
    pub opening: u32,
    /// The first bot's seat.
    pub seat: Seat,
    /// The moves that are judged.
    pub moves: Vec<JudgedMove>,
}

/// The phases of a game, by the number of the move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Phases {
    /// This many equal parts, from the first move after the shortest opening to the last of the longest game.
    Parts(u32),
    /// Bands of this many moves, from the first move of the game.
    Plies(u32),
}

/// Bounds on scores and losses, in the search's points; `None` derives one from the games.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Scale {
    /// The size of a certain win or loss, and the most that any estimate counts.
    pub certain: Option<f64>,
    /// The least size of a large loss.
    pub large: Option<f64>,
}

/// A bot's moves in a phase.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Losses {
    /// The number of moves judged.
    pub moves: u64,
    /// The mean loss a move; games are the clusters.
    pub loss: Option<ClusteredMean>,
    /// The share of moves whose loss is large.
    pub large: Option<f64>,
}

/// A phase of the game.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Phase {
    /// The number of the first move.
    pub first: u32,
    /// The number of the last one.
    pub last: u32,
    /// The two bots.
    pub bots: [Losses; 2],
    /// The mean loss of the first bot less that of the second.
    pub difference: Option<ClusteredMean>,
}

/// The losses of two bots, or of a bot and all its opponents.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Mistakes {
    /// Their names.
    pub bots: [String; 2],
    /// The number of games.
    pub games: usize,
    /// The size of a certain win or loss.
    pub certain: f64,
    /// The least size of a large loss.
    pub large: f64,
    /// The phases, in order.
    pub phases: Vec<Phase>,
    /// All moves.
    pub all: Phase,
}

impl Mistakes {
    /// The losses in games between these two.
    pub fn of(bots: [String; 2], games: &[JudgedGame], phases: Phases, scale: Scale) -> Self {
        let certain = scale.certain.unwrap_or_else(|| usual_certain(games));
        let large = scale.large.unwrap_or_else(|| (certain * LARGE_SHARE).round().max(1.0));
        let phase = |(first, last)| phase(games, (first, last), certain, large);
        let first = games.iter().map(|game| game.opening + 1).min().unwrap_or(1);
        let last = games.iter().map(|game| game.plies).max().unwrap_or(0).max(first);
        Self {
            bots,
            games: games.len(),
            certain,
            large,
            phases: bands(phases, first, last).into_iter().map(phase).collect(),
            all: phase((first, last)),
        }
    }

    /// The table: a head, a row for each phase, and one for all.
    pub fn table(&self) -> Vec<Vec<String>> {
        let [one, other] = &self.bots;
        let head = |bot: &String| ["moves", "loss", "large"].map(|what| format!("{bot} {what}"));
        let head = [vec!["plies".to_owned()], head(one).into(), head(other).into()].concat();
        let digits = if self.certain < 10.0 { 3 } else { 1 };
        let rows = self.phases.iter().map(|phase| phase.cells(&phase.plies(), digits));
        let all = self.all.cells("all", digits);
        let head = [head, vec![format!("{one} - {other}")]].concat();
        [head].into_iter().chain(rows).chain([all]).collect()
    }
}

impl Phase {
    fn plies(&self) -> String {
        match self.first == self.last {
            true => self.first.to_string(),
            false => format!("{} to {}", self.first, self.last),
        }
    }

    fn cells(&self, name: &str, digits: usize) -> Vec<String> {
        let none = || "-".to_owned();
        let error =
            |error: Option<f64>| error.map_or_else(String::new, |error| format!(" ± {error:.digits$}"));
        let mut cells = vec![name.to_owned()];
        for Losses { moves, loss, large } in self.bots {
            cells.push(moves.to_string());
            cells.push(loss.map_or_else(none, |loss| format!("{:.digits$}{}", loss.mean, error(loss.error))));
            cells.push(large.map_or_else(none, |share| format!("{:.1} %", 100.0 * share)));
        }
        let difference = |by: ClusteredMean| format!("{:+.digits$}{}", by.mean, error(by.error));
        cells.push(self.difference.map_or_else(none, difference));
        cells
    }
}

/// The size that [`CERTAIN_SHARE`] of the estimates don't exceed; 1 without estimates, as in games that are always solved.
fn usual_certain(games: &[JudgedGame]) -> f64 {
    let scores = games.iter().flat_map(|game| &game.moves).flat_map(|judged| [judged.best, judged.played]);
    let is_estimate = |score: &Score| !score.is_win() && !score.is_loss() && *score != Score::DRAW;
    let mut sizes = scores.filter(is_estimate).map(|score| score.value().unsigned_abs()).collect::<Vec<_>>();
    sizes.sort_unstable();
    let at = (sizes.len().saturating_sub(1) as f64 * CERTAIN_SHARE) as usize;
    sizes.get(at).map_or(1.0, |&size| f64::from(size))
}

/// The first and last move of each phase.
fn bands(phases: Phases, first: u32, last: u32) -> Vec<(u32, u32)> {
    match phases {
        Phases::Parts(parts) => {
            let (span, parts) = (u64::from(last - first + 1), u64::from(parts.clamp(1, last - first + 1)));
            let begin = |part: u64| first + (span * part / parts) as u32;
            (0..parts).map(|part| (begin(part), begin(part + 1) - 1)).collect()
        }
        Phases::Plies(plies) => {
            let plies = plies.max(1);
            let band = |ply: u32| (ply - 1) / plies;
            (band(first)..=band(last))
                .map(|band| (band * plies + 1, (band + 1).saturating_mul(plies)))
                .collect()
        }
    }
}

fn phase(games: &[JudgedGame], (first, last): (u32, u32), certain: f64, large: f64) -> Phase {
    let mut clusters = [const { Vec::new() }; 2];
    let mut count = [0; 2];
    for game in games {
        let mut sums = [Cluster::default(); 2];
        for judged in game.moves.iter().filter(|judged| (first..=last).contains(&judged.ply)) {
            let bot = usize::from(judged.seat != game.seat);
            let loss = loss(judged, certain);
            sums[bot].add(loss);
            count[bot] += u64::from(loss >= large);
        }
        clusters.iter_mut().zip(sums).for_each(|(clusters, sum)| clusters.push(sum));
    }
    let losses = |bot: usize| {
        let moves = clusters[bot].iter().map(|cluster| cluster.count).sum();
        let large = (moves > 0).then(|| count[bot] as f64 / moves as f64);
        Losses { moves, loss: ClusteredMean::of(&clusters[bot]), large }
    };
    let difference = ClusteredMean::difference(&clusters[0], &clusters[1]);
    Phase { first, last, bots: [0, 1].map(losses), difference }
}

/// A move that turns out better than the search's own choice loses nothing, nor does one that wins more slowly.
fn loss(judged: &JudgedMove, certain: f64) -> f64 {
    let [best, played] =
        [judged.best, judged.played].map(|score| f64::from(score.value()).clamp(-certain, certain));
    (best - played).max(0.0)
}

#[cfg(test)]
mod tests {
    use coppice::Payoff;

    use super::*;

    fn judged(ply: u32, seat: Seat, best: i32, played: i32) -> JudgedMove {
        JudgedMove { ply, seat, best: Score::estimate(best), played: Score::estimate(played) }
    }

    fn game(seat: Seat, plies: u32, moves: Vec<JudgedMove>) -> JudgedGame {
        JudgedGame { plies, opening: 2, seat, moves }
    }

    fn of(games: &[JudgedGame], phases: Phases, scale: Scale) -> Mistakes {
        Mistakes::of(["A".to_owned(), "B".to_owned()], games, phases, scale)
    }

    #[test]
    fn losses_belong_to_a_bot_and_a_phase() {
        // A is first in one game and second in the other.
        let games = [
            game(0, 8, vec![judged(3, 0, 50, 10), judged(4, 1, 9, 9), judged(7, 0, 5, 90)]),
            game(1, 6, vec![judged(3, 0, 20, 10), judged(4, 1, 90, 30)]),
        ];
        let mistakes = of(&games, Phases::Parts(2), Scale { certain: Some(1000.0), large: Some(40.0) });
        let [early, late] = &mistakes.phases[..] else { panic!("{mistakes:?}") };
        assert_eq!((early.first, early.last, late.first, late.last), (3, 5, 6, 8));
        let [a, b] = early.bots;
        assert_eq!((a.moves, b.moves), (2, 2));
        assert_eq!((a.loss.unwrap().mean, b.loss.unwrap().mean), (50.0, 5.0));
        assert_eq!((a.large, b.large), (Some(1.0), Some(0.0)));
        assert_eq!(early.difference.unwrap().mean, 45.0);
        assert_eq!(late.bots[0].loss.unwrap().mean, 0.0, "better than the best is no gain");
        assert_eq!((late.bots[1].moves, late.bots[1].loss, late.difference), (0, None, None));
        assert_eq!(mistakes.all.bots[0].moves, 3);
        let table = mistakes.table();
        assert_eq!(table[0].join("|"), "plies|A moves|A loss|A large|B moves|B loss|B large|A - B");
        assert_eq!(table[2].join("|"), "6 to 8|1|0.0|0.0 %|0|-|-|-");
        assert!(table[1][2].starts_with("50.0 ± ") && table[1][7].starts_with("+45.0 ± "), "{table:?}");
    }

    #[test]
    fn a_certain_result_counts_as_a_large_estimate() {
        let (win, loss) = (Score::ended(Payoff(1)), Score::ended(Payoff(-1)));
        let thrown = JudgedMove { ply: 3, seat: 0, best: win.add_mate_distance(5), played: loss };
        let slow =
            JudgedMove { ply: 5, seat: 0, best: win.add_mate_distance(1), played: win.add_mate_distance(9) };
        let estimates = (1..=10).map(|size| judged(4, 1, size * 10, size * 10)).collect::<Vec<_>>();
        let moves = [vec![thrown, slow], estimates].concat();
        let mistakes = of(&[game(0, 6, moves)], Phases::Plies(1), Scale::default());
        // Nine of ten estimates are at most 90; a large loss is a quarter of it.
        assert_eq!((mistakes.certain, mistakes.large), (90.0, 23.0));
        let mean = |ply: usize| mistakes.phases[ply - 3].bots[0].loss.unwrap().mean;
        assert_eq!((mean(3), mean(5)), (180.0, 0.0));
        let solved = of(&[game(0, 6, vec![thrown])], Phases::Plies(1), Scale::default());
        assert_eq!((solved.certain, solved.large), (1.0, 1.0));
    }

    #[test]
    fn phases_cover_each_ply_once() {
        assert_eq!(bands(Phases::Plies(8), 9, 60).first(), Some(&(9, 16)));
        assert_eq!(bands(Phases::Plies(8), 9, 60).last(), Some(&(57, 64)));
        for (phases, first, last) in
            [(Phases::Parts(5), 9, 60), (Phases::Parts(9), 3, 5), (Phases::Plies(7), 4, 30)]
        {
            let bands = bands(phases, first, last);
            assert!(bands[0].0 <= first && bands[bands.len() - 1].1 >= last, "{bands:?}");
            assert!(bands.windows(2).all(|pair| pair[0].1 + 1 == pair[1].0), "{bands:?}");
        }
        assert_eq!(of(&[], Phases::Parts(4), Scale::default()).all.bots[0].loss, None);
    }
}
