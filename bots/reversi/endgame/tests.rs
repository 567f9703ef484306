//! Holds the solver against plain negamax.

use super::super::eval::{Patterns, Positional};
use super::super::tests::ends;
use super::*;
use coppice::search::negamax;
use coppice::{Game, Score};

/// The disc difference for the oracle, the empty cells counted for the winner.
struct Discs;

impl Evaluation<Board> for Discs {
    fn evaluate(&self, _: &Board) -> Score {
        unreachable!("the oracle looks to the end")
    }

    fn ended(&self, board: &Board) -> Score {
        let difference = board.disc_difference();
        Score::estimate(difference + difference.signum() * board.empty().count_ones() as i32)
    }
}

fn margin(board: &Board) -> i32 {
    negamax(board, &Discs, 99).value()
}

#[test]
fn agrees_with_plain_negamax() {
    let mut solver = Endgame::new(1 << 20);
    let mut solve = |board: &Board, goal| {
        solver.solve(&Positional::new(), board, goal, Budget::nodes(u64::MAX), &mut 0).unwrap()
    };
    for (empties, count) in
        [(1, 50), (2, 50), (3, 50), (4, 50), (5, 50), (6, 40), (7, 40), (8, 30), (9, 10), (10, 3)]
    {
        for board in ends(empties, count) {
            let expected = margin(&board);
            for goal in [Goal::Winner, Goal::Margin] {
                let told = |margin: i32| if goal == Goal::Winner { margin.signum() } else { margin };
                let solved = solve(&board, goal);
                assert_eq!(solved.score, told(expected), "{goal:?} {board:?}");
                let next = board.after(solved.best);
                assert_eq!(-told(margin(&next)), solved.score, "{} on {board:?}", solved.best);
            }
        }
    }
}

#[test]
fn stops_at_its_budget_and_learns_from_it() {
    let board = ends(16, 1)[0];
    let solve = |solver: &mut Endgame, budget| {
        let mut nodes = 0;
        let solved =
            solver.solve(&Positional::new(), &board, Goal::Margin, Budget::nodes(budget), &mut nodes);
        (solved, nodes)
    };
    let (expected, whole) = solve(&mut Endgame::new(1 << 20), u64::MAX);
    let mut solver = Endgame::new(1 << 20);
    let mut tries = 0;
    loop {
        let (solved, nodes) = solve(&mut solver, whole / 4);
        assert!(nodes <= whole / 4);
        tries += 1;
        if solved.is_some() {
            assert_eq!(solved, expected);
            break;
        }
        assert!(tries < 100, "no try got any further");
    }
    assert!(tries > 1, "a quarter of the nodes can't do");
}

/// Positions 40 to 44 of the FFO test suite (French Federation of Othello) with their published scores.
const PUBLISHED: [(&str, i32, &[&str]); 5] = [
    ("O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X-------- X", 38, &["a2"]),
    ("-OOOOO----OOOOX--OOOOOO-XXXXXOO--XXOOX--OOXOXX----OXXO---OOO--O- X", 0, &["h4"]),
    ("--OOO-------XX-OOOOOOXOO-OOOOXOOX-OOOXXO---OOXOO---OOOXO--OOOO-- X", 6, &["g2"]),
    ("--XXXXX---XXXX---OOOXX---OOXXXX--OOXXXO-OOOOXOO----XOX----XXXXX- O", -12, &["c7", "g3"]),
    ("--O-X-O---O-XO-O-OOXXXOOOOOOXXXOOOOOXX--XXOOXO----XXXX-----XXX-- O", -14, &["d2", "b8"]),
];

#[test]
#[ignore = "6 s in a release build, longer in others: .ci/deep runs it"]
fn published_scores_are_found() {
    let mut solver = Endgame::new(256 << 20);
    let evaluation = Patterns::trained();
    for (board, score, best) in PUBLISHED {
        let board: Board = board.parse().unwrap();
        for goal in [Goal::Winner, Goal::Margin] {
            let budget = Budget::nodes(u64::MAX);
            let solved = solver.solve(&evaluation, &board, goal, budget, &mut 0).unwrap();
            match goal {
                Goal::Winner => assert_eq!(solved.score, score.signum(), "{board}"),
                Goal::Margin => {
                    assert_eq!(solved.score, score, "{board}");
                    assert!(best.contains(&solved.best.to_string().as_str()), "{}: {board}", solved.best);
                }
            }
        }
    }
}
