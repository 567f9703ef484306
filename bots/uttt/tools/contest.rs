//! The ultimate tic-tac-toe contest: move notation, the searches on offer, and the positions that check their
//! behaviour.

use coppice::rng::mix;
use coppice::{Budget, Game, Player, Rng, Search};

use super::drawing;
use crate::shared::grid::contest::GridContest;
use crate::uttt::board::Board;
use crate::uttt::cell::Cell;
use crate::uttt::monte_carlo;
use crate::uttt::strategy;
use contest::drawing::Drawing;
use contest::notation::Notation;
use contest::quantity::Quantity;
use contest::sheet::Layout;
use contest::{BenchResult, Sequential};

/// Ultimate tic-tac-toe on the platform.
pub static UTTT: GridContest<Board> = GridContest::new(bench);

impl Notation for Board {
    type Kind = Sequential;

    fn name(&self, _: Player, cell: Cell) -> String {
        format!("{},{}", cell.row(), cell.column())
    }

    /// 10 for a line, otherwise the number of small boards won.
    fn points(&self, player: Player) -> i64 {
        match self.payoff(player).0 {
            10 => 10,
            _ => i64::from(self.won(player).count_ones()),
        }
    }

    fn draw(&self, last: Option<Cell>) -> Drawing {
        drawing::draw(self, last)
    }

    fn quantities(&self) -> Vec<Quantity> {
        vec![Quantity::new(
            "boards won",
            [Player::FIRST, Player::SECOND].map(|player| self.won(player).count_ones()),
        )]
    }

    fn layout(&self) -> Layout {
        // A space between small boards.
        let at = std::array::from_fn::<_, 9, _>(|at| at + at / 3);
        Layout::board(&at, &at)
    }
}

/// Searches positions of random games after 0 to 45 plies with both bots.
pub fn bench() -> Vec<BenchResult> {
    let mut bot = strategy::search(&strategy::Numbers::default(), 8 << 20);
    let mut playouts = monte_carlo::search(&monte_carlo::Numbers::default(), 8 << 20, 1);
    vec![searched("best-first, 5000 nodes", &mut bot), searched("mcts, 5000 iterations", &mut playouts)]
}

fn searched(name: &'static str, search: &mut impl Search<Board>) -> BenchResult {
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
    BenchResult { search: name, nodes, digest }
}
