//! The ultimate tic-tac-toe contest: move notation, the searches on offer, and the positions that check their
//! behaviour.

use coppice::rng::mix;
use coppice::{Budget, Game, Player, Rng, Search};

use super::board::Board;
use super::cell::Cell;
use super::eval::WonBoards;
use super::monte_carlo;
use super::pattern;
use super::uct;
use crate::contest::Behaviour;
use crate::grid::referee::GridContest;
use crate::notation::Notation;
use crate::session::{self, Offer};

/// Ultimate tic-tac-toe on the platform.
pub static UTTT: GridContest<Board> = GridContest::new(behaviour, offers);

impl Notation for Board {
    fn name(&self, cell: Cell) -> String {
        format!("{},{}", cell.row(), cell.column())
    }

    /// 10 for a line, otherwise the number of small boards won.
    fn points(&self, player: Player) -> i64 {
        match self.payoff(player).0 {
            10 => 10,
            _ => i64::from(self.won(player).count_ones()),
        }
    }
}

fn offers() -> Vec<Offer<Board>> {
    let about = "the submitted bot: best-first minimax over tables of patterns, in 256 MB";
    let bot = Offer::tunable("bot", about, |_, settings, numbers| {
        pattern::search(numbers, settings.bytes_or(pattern::BYTES))
    });
    let about = "Monte Carlo tree search with playouts that take winning moves: uttt-mcts";
    let playouts = Offer::tunable("playouts", about, |_, settings, numbers| {
        monte_carlo::search(numbers, settings.bytes_or(monte_carlo::BYTES), settings.seed)
    });
    let uct = Offer::new("uct", "plain UCT, to measure against: uttt-uct", |_, settings| {
        uct::search(settings.bytes_or(monte_carlo::BYTES), settings.seed)
    });
    let mut all = vec![bot, playouts, uct];
    all.extend(session::offers(|| WonBoards));
    all
}

/// Searches positions of random games after 0 to 45 plies with both bots.
fn behaviour() -> Vec<Behaviour> {
    let mut bot = pattern::search(&pattern::Numbers::default(), 8 << 20);
    let mut playouts = monte_carlo::search(&monte_carlo::Numbers::default(), 8 << 20, 1);
    vec![searched("best-first, 5000 nodes", &mut bot), searched("mcts, 5000 iterations", &mut playouts)]
}

fn searched(name: &'static str, search: &mut impl Search<Board>) -> Behaviour {
    let mut rng = Rng::new(1);
    let (mut nodes, mut digest) = (0, 0);
    for plies in (0..=45).step_by(5) {
        let mut board = Board::START;
        for _ in 0..plies {
            board.random_move(&mut rng).into_iter().for_each(|cell| board.play(cell));
        }
        let report = search.search(&board, Budget::nodes(5_000));
        nodes += report.nodes;
        let best = report.best.map_or(u64::MAX, |cell| u64::from(cell.code()));
        digest = mix(digest ^ mix(best) ^ report.score.value() as u64);
    }
    Behaviour { search: name, nodes, digest }
}
