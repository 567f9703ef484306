//! Games between the two searches, and a report of them.

use crate::alpha_beta::AlphaBeta;
use crate::board::{BadMove, Board, Move};
use crate::book::Book;
use crate::dice::Dice;
use crate::mcts::Tree;
use smallvec::SmallVec;
use std::fmt::Write;

/// Positions that each search may visit per move.
const POSITIONS: u64 = 4_000;
const GAMES: u32 = 250;

/// Who won.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Winner {
    AlphaBeta,
    Tree,
}

/// A finished game.
struct Game {
    winner: Winner,
    moves: SmallVec<[Move; 64]>,
    last: Board,
    nodes: u64,
    tree: usize,
}

/// Plays some games and reports the results.
pub fn tournament(dice: &mut impl Dice, games: usize) -> String {
    match told(dice, games) {
        Ok(text) => text,
        Err(why) => format!("the book is wrong: {why}\n"),
    }
}

fn told(dice: &mut impl Dice, games: usize) -> Result<String, BadMove> {
    let book = Book::read()?;
    let mut out = format!("{} positions in the book\n", book.len());
    let mut won = [0; 2];
    for number in 0..games {
        let game = play(&book, dice, number % 2 == 0);
        won[usize::from(game.winner == Winner::Tree)] += 1;
        // Writing into a string does not fail.
        let _ = writeln!(
            out,
            "game {}: {:?} wins after {} moves, {} positions, {} in trees",
            number + 1,
            game.winner,
            game.moves.len(),
            game.nodes,
            game.tree
        );
        let words: Vec<String> = game.moves.iter().map(Move::to_string).collect();
        for line in words.chunks(12) {
            let _ = writeln!(out, "  {}", line.join(" "));
        }
        let _ = write!(out, "{}", game.last);
    }
    let _ = writeln!(out, "alpha-beta {}, tree {}", won[0], won[1]);
    Ok(out)
}

fn play(book: &Book, dice: &mut impl Dice, alpha_beta_first: bool) -> Game {
    let mut search = AlphaBeta::default();
    let mut board = Board::default();
    let mut moves = SmallVec::new();
    let (mut nodes, mut tree) = (0, 0);
    loop {
        let deep = board.turned != alpha_beta_first;
        let m = match book.reply(&board, dice) {
            Some(m) => m,
            None if deep => {
                let found = search.search(&board, POSITIONS);
                nodes += found.nodes;
                match found.line.first() {
                    Some(m) => *m,
                    None => board.moves()[0],
                }
            }
            None => {
                let mut games = Tree::new(&board, &mut *dice);
                let best = games.search(GAMES);
                tree += games.len();
                best.map_or_else(|| board.moves()[0], |(m, _)| m)
            }
        };
        moves.push(board.spoken(m));
        board = board.after(m);
        if board.is_lost() {
            let winner = if deep { Winner::AlphaBeta } else { Winner::Tree };
            return Game { winner, moves, last: board, nodes, tree };
        }
    }
}
