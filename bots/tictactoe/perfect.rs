//! Plays perfectly from a table of every position.

use coppice::{Budget, Game, List, Report, Score, Search};
use fxhash::FxHashMap;

use super::board::Board;

/// Looks up its answers. Construction solves all 5,478 positions, each once.
#[derive(Debug, Clone)]
pub struct Perfect {
    /// The value for the player to move, by the marks of both players. Building it takes 0.54 ms with FxHash and 1.35
    /// ms with the standard library's hash. (Packing both into one integer makes a bad key, because FxHash then uses
    /// only its low bits.)
    scores: FxHashMap<(u16, u16), Score>,
}

impl Perfect {
    /// Solves every position.
    pub fn new() -> Perfect {
        let mut perfect = Perfect { scores: FxHashMap::default() };
        perfect.solve(&Board::START);
        perfect
    }

    /// The number of positions in the table.
    pub fn positions(&self) -> usize {
        self.scores.len()
    }

    fn key(board: &Board) -> (u16, u16) {
        (board.own(), board.other())
    }

    fn solve(&mut self, board: &Board) -> Score {
        if let Some(&score) = self.scores.get(&Perfect::key(board)) {
            return score;
        }
        let mut list = List::default();
        board.moves(&mut list);
        let values = list.iter().map(|&cell| -self.solve(&board.after(cell)).add_mate_distance(1));
        let score = values.max().unwrap_or_else(|| Score::ended(board.payoff(board.to_move())));
        self.scores.insert(Perfect::key(board), score);
        score
    }

    /// The value for the player to move. A position that no game reaches counts as a draw: a referee with other rules
    /// may send one.
    pub fn score(&self, board: &Board) -> Score {
        self.scores.get(&Perfect::key(board)).copied().unwrap_or(Score::DRAW)
    }

    /// The number of replies that are not optimal: chances for the opponent to go wrong.
    fn mistakes(&self, board: &Board) -> usize {
        let mut list = List::default();
        board.moves(&mut list);
        let best = self.score(board);
        list.iter().filter(|&&cell| -self.score(&board.after(cell)).add_mate_distance(1) < best).count()
    }
}

impl Default for Perfect {
    fn default() -> Perfect {
        Perfect::new()
    }
}

impl Search<Board> for Perfect {
    /// The best move; among equal moves, the one after which most replies are mistakes.
    fn search(&mut self, board: &Board, _: Budget) -> Report<u8> {
        let mut list = List::default();
        board.moves(&mut list);
        let rank = |&&cell: &&u8| {
            let next = board.after(cell);
            (-self.score(&next).add_mate_distance(1), self.mistakes(&next))
        };
        let (best, score) = (list.iter().max_by_key(rank).copied(), self.score(board));
        Report { best, score, nodes: 0, depth: list.len() as u32, solved: true, restarted: false }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use coppice::search::negamax;
    use coppice::Player;

    use super::super::eval::OpenLines;

    #[test]
    fn every_position_is_known_and_worth_what_negamax_says() {
        let mut perfect = Perfect::new();
        assert_eq!(perfect.positions(), 5478);
        let mut stack = vec![Board::START];
        let mut seen = 0;
        while let Some(board) = stack.pop() {
            let report = perfect.search(&board, Budget::nodes(0));
            let mut list = List::default();
            board.moves(&mut list);
            if list.len() < 7 {
                assert_eq!(report.score, negamax(&board, &OpenLines, 9), "{board:?}");
                seen += 1;
            }
            if let Some(best) = report.best {
                assert_eq!(
                    -perfect.score(&board.after(best)).add_mate_distance(1),
                    report.score,
                    "{best} in {board:?}"
                );
            }
            // On the player's turns follow its answer, on the opponent's every move.
            match list.len() % 2 {
                1 => stack.extend(report.best.map(|cell| board.after(cell))),
                _ => stack.extend(list.iter().map(|&cell| board.after(cell))),
            }
        }
        assert!(seen > 50 && perfect.score(&Board::START) == Score::DRAW);
    }
    /// Every game the opponent can play, from both seats.
    #[test]
    fn it_never_loses() {
        fn games(perfect: &mut Perfect, board: &Board, me: Player, results: &mut [u32; 3]) {
            if board.is_over() {
                results[(board.payoff(me).sign() + 1) as usize] += 1;
                return;
            }
            let mut list = List::default();
            if board.to_move() == me {
                list.push(perfect.search(board, Budget::nodes(0)).best.expect("a move"));
            } else {
                board.moves(&mut list);
            }
            list.iter().for_each(|&cell| games(perfect, &board.after(cell), me, results));
        }
        let mut perfect = Perfect::new();
        for me in [Player::FIRST, Player::SECOND] {
            let mut results = [0; 3];
            games(&mut perfect, &Board::START, me, &mut results);
            let [lost, drawn, won] = results;
            assert!(lost == 0 && drawn > 0 && won > drawn, "{me:?}: {results:?}");
        }
    }
}
