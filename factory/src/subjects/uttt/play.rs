//! Games of ultimate tic-tac-toe of the bot against itself, with labels.

use bots::uttt::ending::{Ending, Solved};
use bots::uttt::pattern::tables::{Tables, SCALE};
use bots::uttt::strategy::{options, Numbers};
use bots::uttt::{Board, Cell};
use coppice::pool::NodeId;
use coppice::search::BestFirst;
use coppice::tree::Tree;
use coppice::{Budget, Game, Player, Rng, Score, Search as _};

use super::position::Boards;
use super::Uttt;
use crate::sample::Sample;
use crate::self_play;
use crate::subject::Subject;

/// Nodes that a move is searched with, on average. A game has from 0.6 to 1.4 times as many, the same for all its moves.
pub const NODES: u64 = 3_000;
/// A node with this many visits or more is labelled, off the game's line too.
pub const VISITS: u64 = 12;
/// Bytes of the tree.
const BYTES: usize = 16 << 20;
/// How many plies of a game have their moves drawn from those that are nearly as good as the best: one of these.
const DRAWN: [u32; 3] = [8, 12, 16];
/// How much worse a move is that is drawn e times less often, for values from -1 to 1: one of these for a game.
const WIDTHS: [f32; 3] = [0.02, 0.05, 0.12];
/// A move is drawn only if it has the best's visits divided by this.
const FEWER: u64 = 25;
/// A drawn move that is worse by more than this has no say in what the positions before it are worth.
const SLIP: f32 = 0.08;
/// After the drawn plies one move in this many is random.
const SLIPS: u32 = 40;

/// Positions with at most this many free cells are solved, if that takes no more than [`SOLVING`] nodes.
const FREE: u32 = 32;
/// The nodes to solve a position.
const SOLVING: u64 = 4_000;
/// Bytes of the solver's table.
const TABLE: usize = 1 << 20;

/// A search that plays.
type Search = BestFirst<Board, Tables>;

/// What plays: a search against itself, in a part of the games against another.
pub struct SelfPlay {
    search: Search,
    rival: Option<Search>,
    ending: Ending,
}

/// An estimate as a value from -1 to 1, as the search averages it.
pub fn value(score: Score) -> f32 {
    self_play::value(score, SCALE)
}

impl SelfPlay {
    /// A player with these tables, and those of the one that it meets in some games.
    pub fn new(tables: Tables, rival: Option<Tables>) -> SelfPlay {
        let search = |tables| BestFirst::new(tables, options(&Numbers::default(), BYTES));
        SelfPlay { search: search(tables), rival: rival.map(search), ending: Ending::new(TABLE) }
    }

    /// Plays one game.
    pub fn game(&mut self, rng: &mut Rng, samples: &mut Vec<Sample<Boards>>) {
        let SelfPlay { search, rival, ending } = self;
        search.clear();
        ending.clear();
        let mut rival = rival.as_mut().filter(|_| rng.below(100) < Uttt::RIVALS);
        let mut seat = None;
        if let Some(rival) = &mut rival {
            rival.clear();
            seat = Some(Player::new(rng.below(2) as u8));
        }
        let mut board = opening(rng);
        let width = WIDTHS[rng.below(3) as usize];
        let drawn = DRAWN[rng.below(3) as usize];
        let nodes = NODES * u64::from(600 + rng.below(801)) / 1000;
        let first = samples.len();
        // Who was to move in each sample that the game went through; `None` for the others.
        let mut movers: Vec<Option<Player>> = Vec::new();
        for ply in 0.. {
            if board.is_over() {
                break;
            }
            let search = match &mut rival {
                Some(rival) if seat == Some(board.to_move()) => &mut **rival,
                _ => &mut *search,
            };
            let solved = match board.count_free() <= FREE {
                true => ending.solve(search.evaluation(), &board, Budget::nodes(SOLVING)).0,
                false => None,
            };
            if let Some(Solved { best, result }) = solved.filter(|solved| solved.result >= 0) {
                samples.push(exact(&board, result));
                movers.push(Some(board.to_move()));
                board.play(best);
                continue;
            }
            let report = search.search(&board, Budget::nodes(nodes));
            samples.push(match solved {
                Some(Solved { result, .. }) => exact(&board, result),
                None => Sample {
                    position: Boards::new(&board),
                    score: value(report.score),
                    result: None,
                    exact: report.solved,
                },
            });
            let Some(best) = report.best else { break };
            let (chosen, is_slip) = match ply < drawn {
                true if report.solved => (best, false),
                true => near(search, best, width, rng),
                false if rng.below(SLIPS) > 0 => (best, false),
                false => {
                    let random = board.random_move(rng).unwrap_or(best);
                    (random, random != best)
                }
            };
            if is_slip {
                movers.fill(None);
                movers.push(None);
            } else {
                movers.push(Some(board.to_move()));
            }
            if let Some(root) = search.root() {
                aside(search, &board, root, Some(chosen), samples);
            }
            movers.resize(samples.len() - first, None);
            board.play(chosen);
        }
        for (sample, mover) in samples[first..].iter_mut().zip(movers) {
            sample.result = mover.map(|mover| board.payoff(mover).sign() as f32);
        }
    }
}

/// The sample of a position with a certain result for the player to move.
fn exact(board: &Board, result: i32) -> Sample<Boards> {
    Sample { position: Boards::new(board), score: result as f32, result: None, exact: true }
}

/// A move drawn from those that are nearly as good as the best, and whether it is a slip.
fn near(search: &Search, best: Cell, width: f32, rng: &mut Rng) -> (Cell, bool) {
    let Some(root) = search.root() else { return (best, false) };
    let children = (0..search.node(root).children).map(|i| search.node(search.child(root, i)));
    let moves: Vec<_> =
        children.filter_map(|node| Some((node.played?, value(node.score), node.visits))).collect();
    let Some(&(_, most, visits)) = moves.iter().find(|&&(cell, ..)| cell == best) else {
        return (best, false);
    };
    let odds = |&(_, value, seen): &(Cell, f32, u64)| {
        if seen * FEWER >= visits {
            ((value - most).min(width) / width).exp()
        } else {
            0.0
        }
    };
    let mut left = moves.iter().map(odds).sum::<f32>() * rng.below(1 << 20) as f32 / (1 << 20) as f32;
    for node in &moves {
        left -= odds(node);
        if left < 0.0 {
            return (node.0, node.1 < most - SLIP);
        }
    }
    (best, false)
}

/// Labels the nodes below one that were visited often, but for what follows `except`: the game goes there, and the
/// next search knows more of it.
fn aside(
    search: &Search,
    board: &Board,
    id: NodeId,
    except: Option<Cell>,
    samples: &mut Vec<Sample<Boards>>,
) {
    for i in 0..search.node(id).children {
        let child = search.child(id, i);
        let node = search.node(child);
        let Some(cell) = node.played.filter(|&cell| Some(cell) != except && node.visits >= VISITS) else {
            continue;
        };
        let next = board.after(cell);
        let score = value(node.score.for_parent(false));
        let exact = score.abs() == 1.0;
        samples.push(Sample { position: Boards::new(&next), score, result: None, exact });
        aside(search, &next, child, None, samples);
    }
}

/// The board after an opening. Half of the games begin at the start. A quarter begins with up to nine plies as the
/// strongest programs play: the first player takes the centre of the centre, and in an empty board always the cell that
/// sends the opponent into the same board. An eighth begins with that centre and up to five random moves, an eighth
/// with six random moves.
fn opening(rng: &mut Rng) -> Board {
    let mut board = Board::START;
    let kind = rng.below(8);
    let plies = match kind {
        0..=3 => 0,
        4 | 5 => 1 + rng.below(9),
        6 => 1 + rng.below(5),
        _ => 6,
    };
    for ply in 0..plies {
        let natural = match kind {
            4..=6 if ply == 0 => Some(Cell::new(4, 4)),
            4 | 5 if board.to_move() == Player::FIRST => send_back(&board),
            _ => None,
        };
        natural.or_else(|| board.random_move(rng)).into_iter().for_each(|cell| board.play(cell));
    }
    board
}

/// The move that sends the opponent into the empty board in which the player has to move.
fn send_back(board: &Board) -> Option<Cell> {
    board.next().filter(|_| board.count_moves() == 9).map(|next| Cell::new(next, next))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_is_labelled_from_both_sides_and_the_last_move_wins_if_it_can() {
        let mut samples = Vec::new();
        let mut player = SelfPlay::new(Tables::trained(), None);
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
    fn a_rival_takes_turns_in_some_games_only() {
        let play = |rival: Option<Tables>| {
            let (mut samples, mut player) = (Vec::new(), SelfPlay::new(Tables::trained(), rival));
            let mut games = Vec::new();
            for seed in 0..6 {
                let first = samples.len();
                player.game(&mut Rng::new(seed), &mut samples);
                games.push(samples[first..].to_vec());
            }
            games
        };
        let [same, other] = [Tables::trained(), Tables::expand(&[])].map(|rival| play(Some(rival)));
        let equal = same.iter().zip(&other).filter(|(a, b)| a == b).count();
        assert!((1..6).contains(&equal), "{equal} of 6 games don't depend on the rival");
    }

    #[test]
    fn openings_send_back() {
        let mut rng = Rng::new(1);
        let mut natural = 0;
        for _ in 0..100 {
            let board = opening(&mut rng);
            assert!(!board.is_over());
            natural += u32::from(board.next().is_some_and(|next| board.count_moves() == 8 && next != 4));
        }
        assert!(natural > 3, "{natural}");
    }
}
