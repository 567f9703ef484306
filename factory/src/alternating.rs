//! A search of a game in turns as a search of the same game with joint moves.

use coppice::search::{JointReport, JointSearch, Strategy};
use coppice::{Budget, Game, Joint, Moves, Player, Report, Score, Search, Turns};

/// A game in turns of which [`Turns`] makes a [`Joint`]: any whose lists of moves are those of the engine.
pub trait GameInTurns: Game<Moves: Moves<Self::Move, Ranks: AsRef<[i32]> + Clone>> {}

impl<G: Game<Moves: Moves<G::Move, Ranks: AsRef<[i32]> + Clone>>> GameInTurns for G {}

/// A search of a game in turns, as a search of [`Turns`]. The report's value is the score, cut to the points of [`Turns`]; the player
/// who isn't to move has no move, and 0 for a value.
#[derive(Debug, Clone)]
pub struct Alternating<S>(pub S);

impl<G: GameInTurns, S: Search<G>> JointSearch<Turns<G>> for Alternating<S> {
    fn search(&mut self, game: &Turns<G>, player: Player, budget: Budget) -> JointReport<Turns<G>> {
        let Turns(position) = game;
        let report = if player == position.to_move() {
            self.0.search(position, budget)
        } else {
            Report { solved: false, ..Report::ended(Score::DRAW) }
        };
        let most = <Turns<G> as Joint>::MAX_POINTS;
        JointReport {
            best: report.best,
            strategy: Strategy::new(report.best.as_slice(), |_| 1.0),
            value: report.score.value().clamp(-most, most).into(),
            nodes: report.nodes,
            depth: report.depth,
            exact: report.solved,
            kept: 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use bots::tictactoe::Board;
    use coppice::search::{AlphaBeta, AlphaBetaOptions};
    use coppice::Evaluation;

    use super::*;

    struct Nothing;

    impl Evaluation<Board> for Nothing {
        fn evaluate(&self, _: &Board) -> Score {
            Score::DRAW
        }
    }

    #[test]
    fn who_is_to_move_gets_the_answer_of_the_search_and_the_other_player_none() {
        let search =
            || AlphaBeta::new(Nothing, AlphaBetaOptions { memory: 1 << 16, ..AlphaBetaOptions::default() });
        let (mut inner, mut outer) = (search(), Alternating(search()));
        let mut game: Turns<Board> = Turns(Board::START);
        while !game.0.is_over() {
            let player = game.0.to_move();
            let expected = inner.search(&game.0, Budget::nodes(1_000));
            let report = outer.search(&game, player, Budget::nodes(1_000));
            assert_eq!(
                (report.best, report.nodes, report.exact),
                (expected.best, expected.nodes, expected.solved)
            );
            assert_eq!(report.strategy.mode(), report.best);
            let other = outer.search(&game, player.other(), Budget::nodes(1_000));
            assert_eq!((other.best, other.nodes, other.strategy.mode()), (None, 0, None));
            report.best.into_iter().for_each(|m| game.0.play(m));
        }
    }
}
