//! Games of ultimate tic-tac-toe of the bot against itself, with labels.

use bots::uttt::pattern::tables::{Tables, SCALE};
use bots::uttt::pattern::{options, Numbers};
use bots::uttt::{Board, Cell};
use coppice::pool::NodeId;
use coppice::search::BestFirst;
use coppice::tree::Tree;
use coppice::{Budget, Game, Player, Rng, Score, Search};

use super::position::Boards;
use crate::data::Sample;

/// Nodes that a move is searched with.
pub const NODES: u64 = 2_000;
/// A node with this many visits or more is labelled, off the game's line too.
pub const VISITS: u64 = 12;
/// Bytes of the tree.
const BYTES: usize = 8 << 20;
/// In this many plies from the start of a game one move in [`EARLY_SLIPS`] is random, later one in [`SLIPS`].
const EARLY: u32 = 10;
const EARLY_SLIPS: u32 = 6;
const SLIPS: u32 = 24;

/// The search that plays.
pub struct SelfPlay {
    search: BestFirst<Board, Tables>,
}

/// An estimate as a value from -1 to 1, as the search averages it.
pub fn value(score: Score) -> f32 {
    match () {
        () if score.is_win() => 1.0,
        () if score.is_loss() => -1.0,
        () => {
            let x = score.value() as f32 / SCALE;
            x / (1.0 + x.abs())
        }
    }
}

impl SelfPlay {
    /// A player with these tables.
    pub fn new(tables: Tables) -> SelfPlay {
        SelfPlay { search: BestFirst::new(tables, BYTES, options(&Numbers::default())) }
    }

    /// Plays one game.
    pub fn game(&mut self, rng: &mut Rng, samples: &mut Vec<Sample<Boards>>) {
        self.search.clear();
        let (mut board, mut plies) = opening(rng);
        let first = samples.len();
        // Who was to move in each sample that the game went through; `None` for the others.
        let mut movers: Vec<Option<Player>> = Vec::new();
        while !board.is_over() {
            let report = self.search.search(&board, Budget::nodes(NODES));
            let slips = rng.below(if plies < EARLY { EARLY_SLIPS } else { SLIPS }) == 0;
            let chosen = if slips { board.random_move(rng) } else { report.best };
            let score = value(report.score);
            samples.push(Sample { position: Boards::new(&board), score, result: None, exact: report.solved });
            if slips {
                movers.fill(None);
                movers.push(None);
            } else {
                movers.push(Some(board.to_move()));
            }
            if let Some(root) = self.search.root() {
                self.aside(&board, root, chosen, samples);
            }
            movers.resize(samples.len() - first, None);
            let Some(cell) = chosen else { break };
            board.play(cell);
            plies += 1;
        }
        for (sample, mover) in samples[first..].iter_mut().zip(movers) {
            sample.result = mover.map(|mover| board.payoff(mover).sign() as f32);
        }
    }

    /// Labels the nodes below one that were visited often, but for what follows `except`: the game goes there, and the
    /// next search knows more of it.
    fn aside(&self, board: &Board, id: NodeId, except: Option<Cell>, samples: &mut Vec<Sample<Boards>>) {
        for i in 0..self.search.node(id).children {
            let child = self.search.child(id, i);
            let node = self.search.node(child);
            let Some(cell) = node.played.filter(|&cell| Some(cell) != except && node.visits >= VISITS) else {
                continue;
            };
            let next = board.after(cell);
            let score = value(node.score.for_parent(false));
            let exact = score.abs() == 1.0;
            samples.push(Sample { position: Boards::new(&next), score, result: None, exact });
            self.aside(&next, child, None, samples);
        }
    }
}

/// The board after an opening, and its plies. Half of the games begin with random moves. A quarter begins at the
/// start. A quarter begins with a few plies as the strongest programs play: the first player takes the centre of the
/// centre, and in an empty board always the cell that sends the opponent into the same board.
fn opening(rng: &mut Rng) -> (Board, u32) {
    let mut board = Board::START;
    let kind = rng.below(4);
    let plies = match kind {
        0 | 1 => 1 + rng.below(20),
        2 => 0,
        _ => 1 + rng.below(8),
    };
    for _ in 0..plies {
        let sends = (board.to_move() == Player::FIRST && kind == 3).then(|| send_back(&board)).flatten();
        sends.or_else(|| board.random_move(rng)).into_iter().for_each(|cell| board.play(cell));
    }
    (board, plies)
}

/// The move that sends the opponent into the empty board in which the player has to move. The centre at the start.
fn send_back(board: &Board) -> Option<Cell> {
    if board.count_moves() == 81 {
        return Some(Cell::new(4, 4));
    }
    let next = board.next()?;
    (board.count_moves() == 9).then(|| Cell::new(next, next))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_is_labelled_from_both_sides_and_the_last_move_wins_if_it_can() {
        let mut samples = Vec::new();
        let mut player = SelfPlay::new(Tables::trained());
        for seed in 0..3 {
            player.game(&mut Rng::new(seed), &mut samples);
        }
        assert!(samples.len() > 100, "{} samples", samples.len());
        assert!(samples.iter().all(|sample| sample.score.abs() <= 1.0));
        let results: Vec<f32> = samples.iter().filter_map(|sample| sample.result).collect();
        assert!(results.contains(&1.0) && results.contains(&-1.0));
        let agree =
            |sample: &&Sample<Boards>| sample.exact && sample.result.is_some_and(|x| x == sample.score);
        assert!(samples.iter().filter(agree).count() > 5);
        let again = {
            let mut samples = Vec::new();
            (0..3).for_each(|seed| player.game(&mut Rng::new(seed), &mut samples));
            samples
        };
        assert_eq!(again, samples, "games depend on the seed only");
    }

    #[test]
    fn openings_send_back() {
        let mut rng = Rng::new(1);
        let mut natural = 0;
        for _ in 0..100 {
            let (board, plies) = opening(&mut rng);
            assert!(!board.is_over() && plies <= 20);
            natural += u32::from(
                plies > 2 && board.next().is_some_and(|next| board.count_moves() == 8 && next != 4),
            );
        }
        assert!(natural > 3, "{natural}");
    }
}
