//! The Sudoku contest: one player, one puzzle, one answer.

use std::borrow::Cow;
use std::time::{Duration, Instant};

use coppice::rng::mix;
use coppice::search::{solutions, Minimax, MinimaxOptions};
use coppice::{Budget, Ended, Game, List, Player, Search};

use super::{pairs, puzzle};
use crate::sudoku::bands::{self, Solved};
use crate::sudoku::grid::{read_digits, Fill};
use crate::sudoku::protocol::{digits, rows};
use crate::sudoku::{Filled, Grid};
use contest::drawing::{Drawing, Paint, Shape};
use contest::notation::Notation;
use contest::perft::{GamePerft, Perft};
use contest::quantity::Quantity;
use contest::session::{SearchInfo, Searches, SessionError, SessionSettings};
use contest::sheet::{Layout, Sheet};
use contest::single_player::{Run, SinglePlayer};
use contest::{
    BenchResult, Contest, Fault, FaultKind, IllegalMove, Limits, Referee, Seat, Sequential, Setup, Unreadable,
};

/// Time limit for the answer.
const LIMIT: Duration = Duration::from_millis(1000);

/// Default memory of MiniFrame's minimax, in bytes.
const MINIMAX_BYTES: usize = 10_000_000;

/// Guesses after which a puzzle given on the command line is rejected.
const MOST_GUESSES: u64 = 10_000_000;

/// Sudoku with 1000 ms for the answer. Without a variant the game's seed generates the puzzle.
#[derive(Debug, Clone)]
pub struct SudokuContest {
    name: Cow<'static, str>,
    clues: Option<[u8; 81]>,
    searches: Option<MakeSudokuSearches>,
}

/// Makes the contest's searches, for these clues or, without, for the puzzle of a game's seed.
pub type MakeSudokuSearches = fn(Option<[u8; 81]>) -> Box<dyn Searches>;

/// The contest with generated puzzles.
pub static SUDOKU: SudokuContest = SudokuContest::new(None);

impl SudokuContest {
    const fn new(searches: Option<MakeSudokuSearches>) -> SudokuContest {
        SudokuContest { name: Cow::Borrowed("sudoku"), clues: None, searches }
    }

    /// The contest in its usual variant, with searches.
    pub const fn with_searches(searches: MakeSudokuSearches) -> SudokuContest {
        SudokuContest::new(Some(searches))
    }

    /// The contest of these clues.
    fn of(&self, name: Cow<'static, str>, clues: [u8; 81]) -> SudokuContest {
        SudokuContest { name, clues: Some(clues), searches: self.searches }
    }

    fn clues(&self, seed: u64) -> [u8; 81] {
        self.clues.unwrap_or_else(|| puzzle::minimal(seed))
    }

    /// The position for perft: the given puzzle, or the one of seed 1.
    fn start(&self) -> Grid {
        Grid::from(&self.clues(1))
    }
}

impl Contest for SudokuContest {
    fn name(&self) -> &str {
        &self.name
    }

    fn variants(&self) -> Option<&'static str> {
        Some("PUZZLE")
    }

    fn variant(&self, words: &str) -> Result<Box<dyn Contest>, Unreadable> {
        let clues = read_digits(words).map_err(|error| format!("`{words}`: {error}"))?;
        match bands::solve(&clues, 1, MOST_GUESSES) {
            Solved { count: 0, is_complete: true, .. } => Err(format!("`{words}` has no solution").into()),
            Solved { count: 0, .. } => Err(format!("`{words}` is too hard to be refereed").into()),
            _ => Ok(Box::new(self.of(Cow::Owned(format!("sudoku:{words}")), clues))),
        }
    }

    fn recorded(&self, dialogues: &[Vec<&str>]) -> Option<Box<dyn Contest>> {
        let lines = dialogues.first()?;
        let clues = read_digits(&lines.get(..9)?.concat()).ok()?;
        Some(Box::new(self.of(self.name.clone(), clues)))
    }

    fn seats(&self) -> usize {
        1
    }

    fn limits(&self) -> Limits {
        Limits { first: LIMIT, later: LIMIT }
    }

    fn new_game(&self, setup: Setup) -> Box<dyn Referee> {
        Box::new(SudokuGame { clues: self.clues(setup.seed), answer: None, is_over: false })
    }

    fn perft(&self) -> Option<Box<dyn Perft + '_>> {
        Some(Box::new(GamePerft { start: self.start(), ended: Ended::Dropped }))
    }

    fn bench(&self) -> Vec<BenchResult> {
        let (mut by_bands, mut by_engine) = ((0, 0), (0, 0));
        for seed in 0..20 {
            let clues = puzzle::minimal(seed);
            let found = bands::solve(&clues, 2, MOST_GUESSES);
            let cells = found.first.unwrap_or([0; 81]);
            by_bands = (
                by_bands.0 + found.guesses,
                cells.iter().fold(by_bands.1, |hash, &d| mix(hash ^ u64::from(d))),
            );
            let found = solutions(&Grid::from(&clues), 2, Budget::nodes(1_000_000));
            by_engine = (by_engine.0 + found.nodes, mix(by_engine.1 ^ found.count ^ found.nodes << 8));
        }
        vec![
            BenchResult { search: "bands, 20 puzzles", nodes: by_bands.0, digest: by_bands.1 },
            BenchResult { search: "solutions, 20 puzzles", nodes: by_engine.0, digest: by_engine.1 },
        ]
    }

    fn searches(&self) -> Option<Box<dyn Searches>> {
        self.searches.map(|searches| searches(self.clues))
    }

    fn single_player(&self) -> Option<&dyn SinglePlayer> {
        Some(self)
    }
}

impl SinglePlayer for SudokuContest {
    fn players(&self) -> Vec<SearchInfo> {
        let player = |(name, about)| SearchInfo { name, about, tunables: Vec::new() };
        PLAYERS.map(player).to_vec()
    }

    /// Solves within one turn. Fails if there are several solutions.
    fn run(
        &self,
        player: &str,
        settings: &SessionSettings,
        seed: u64,
        budget: &dyn Fn() -> Budget,
    ) -> Result<Run, SessionError> {
        let clues = self.clues(seed);
        let start = Instant::now();
        let solution = match player {
            "bands" => by_bands(&clues, budget()).0.solution(),
            "engine" => by_engine(&clues, budget()).0.solution(),
            "minimax" => by_minimax(&clues, settings, budget()),
            "minimax-pairs" => pairs::solve(&clues, settings.bytes_or(MINIMAX_BYTES), budget()).0,
            _ => return Err(SessionError::unknown("player", player, PLAYERS.map(|(name, _)| name))),
        };
        let slowest_turn = start.elapsed();
        let mut game = SudokuGame { clues, answer: None, is_over: false };
        let completed = solution.is_some_and(|grid| game.answer(0, &rows(&grid)).is_ok());
        let moves = if completed { game.moves() } else { String::new() };
        Ok(Run { completed, score: i64::from(completed), slowest_turn, moves })
    }
}

/// The players of [`SinglePlayer::run`].
const PLAYERS: [(&str, &str); 4] = [
    (
        "bands",
        "the submitted solver, by bands of candidates; proves that the solution is unique; limited by nodes, not time",
    ),
    ("engine", "the engine's single-player search; proves that the solution is unique"),
    ("minimax", "MiniFrame's minimax with the whole tree kept, in ten megabytes"),
    ("minimax-pairs", "the same over all pairs of cell and digit where no cell has one digit left: as published"),
];

/// The result of a solver.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Found {
    /// The only solution.
    One([u8; 81]),
    /// There is proof that no solution exists.
    Impossible,
    /// There are several solutions, or the budget was too small.
    Open,
}

impl Found {
    fn new(first: Option<[u8; 81]>, count: u64, is_complete: bool) -> Found {
        match first {
            _ if !is_complete || count > 1 => Found::Open,
            Some(digits) => Found::One(digits),
            None => Found::Impossible,
        }
    }

    /// The solution, if it is the only one.
    pub fn solution(self) -> Option<[u8; 81]> {
        match self {
            Found::One(digits) => Some(digits),
            Found::Impossible | Found::Open => None,
        }
    }
}

/// By bands, and the guesses that it took.
pub fn by_bands(clues: &[u8; 81], budget: Budget) -> (Found, u64) {
    let found = bands::solve(clues, 2, budget.max_nodes());
    (Found::new(found.first, found.count, found.is_complete), found.guesses)
}

/// By the engine's search, and the nodes that it took.
pub fn by_engine(clues: &[u8; 81], budget: Budget) -> (Found, u64) {
    let found = solutions(&Grid::from(clues), 2, budget);
    (Found::new(found.first.map(|grid| grid.digits()), found.count, found.is_complete), found.nodes)
}

/// Solves a puzzle by playing the minimax search's moves.
fn by_minimax(clues: &[u8; 81], settings: &SessionSettings, budget: Budget) -> Option<[u8; 81]> {
    let mut grid = Grid::from(clues);
    let mut minimax = minimax(settings);
    while !grid.is_solved() {
        let fill = minimax.search(&grid, budget).best?;
        grid.play(fill);
    }
    Some(grid.digits())
}

/// MiniFrame's search: a tree that is kept whole.
pub fn minimax(settings: &SessionSettings) -> Minimax<Grid, Filled> {
    let memory = settings.bytes_or(MINIMAX_BYTES);
    let options = MinimaxOptions { memory, quickest_win: false, ..MinimaxOptions::default() };
    Minimax::new(Filled, options)
}

/// By MiniFrame's minimax over pairs, and the nodes that it took. It proves nothing.
pub fn by_pairs(clues: &[u8; 81], budget: Budget) -> (Found, u64) {
    let (solution, nodes) = pairs::solve(clues, MINIMAX_BYTES, budget);
    (solution.map_or(Found::Open, Found::One), nodes)
}

impl Notation for Grid {
    type Kind = Sequential;

    /// Row, column and digit, from 1: `r1c2=5`.
    fn name(&self, _: Player, m: Fill) -> String {
        format!("r{}c{}={}", m.cell / 9 + 1, m.cell % 9 + 1, m.digit)
    }

    /// All other digits of all cells that fit: a search needs no more than one cell, a person chooses.
    fn unlisted(&self, _: Player) -> Vec<Fill> {
        if self.is_over() {
            return Vec::new();
        }
        let mut listed = List::default();
        self.moves(&mut listed);
        let fits = |m: &Fill| self.fitting(usize::from(m.cell)) & 1 << (m.digit - 1) != 0;
        let all = (0..81).flat_map(|cell| (1..=9).map(move |digit| Fill { cell, digit }));
        all.filter(|m| fits(m) && !listed.contains(m)).collect()
    }

    fn draw(&self, last: Option<Fill>) -> Drawing {
        let digits = self.digits();
        let mut given = digits;
        last.into_iter().for_each(|m| given[usize::from(m.cell)] = 0);
        draw(&digits, &given)
    }

    /// The digit in its cell; where others fit too, in its own ninth of the cell.
    fn mark(&self, _: Player, m: Fill) -> Vec<Shape> {
        let [x, y] = Drawing::cell(usize::from(m.cell / 9), usize::from(m.cell % 9));
        let is_alone = self.fitting(usize::from(m.cell)).count_ones() < 2;
        let third = |at: u8| 0.32 * (f32::from(at) - 1.0);
        let ([x, y], side) = match is_alone {
            true => ([x, y], 0.96),
            false => ([x + third((m.digit - 1) % 3), y + third((m.digit - 1) / 3)], 0.32),
        };
        let digit = Shape::Text([x, y], if is_alone { 0.6 } else { 0.3 }, m.digit.to_string(), Paint::Text);
        vec![Shape::Rect([x - 0.5 * side, y - 0.5 * side, side, side], Paint::Last), digit]
    }
}

/// Draws a grid; `given` are the clues.
fn draw(shown: &[u8; 81], given: &[u8; 81]) -> Drawing {
    let name = |at: usize| (at + 1).to_string();
    let mut drawing = Drawing::board(9, 9, name, name);
    for (at, (&digit, &clue)) in shown.iter().zip(given).enumerate() {
        let (row, column) = (at / 9, at % 9);
        if clue > 0 {
            drawing.fill(row, column, Paint::Shade);
        }
        if digit > 0 {
            let paint = if clue > 0 { Paint::Text } else { Paint::Player(Player::FIRST) };
            drawing.text(Drawing::cell(row, column), 0.6, digit.to_string(), paint);
        }
    }
    let [left, top] = Drawing::cell(0, 0).map(|at| at - 0.5);
    for at in [3.0, 6.0] {
        drawing.line(&[[left + at, top], [left + at, top + 9.0]], 0.08, Paint::Text);
        drawing.line(&[[left, top + at], [left + 9.0, top + at]], 0.08, Paint::Text);
    }
    drawing
}

/// A puzzle in play. The only move is the full grid, as 81 digits.
#[derive(Debug, Clone)]
pub struct SudokuGame {
    clues: [u8; 81],
    answer: Option<[u8; 81]>,
    is_over: bool,
}

impl SudokuGame {
    fn judge(&self, text: &str) -> Result<[u8; 81], Fault> {
        let fault = |kind, expected: &str| Fault { kind, expected: expected.to_owned() };
        let has_rows = text.lines().count() == 9 && text.lines().all(|line| line.trim().len() == 9);
        let grid = read_digits(text).ok().filter(|grid| has_rows && !grid.contains(&0));
        let grid = grid.ok_or_else(|| fault(FaultKind::Protocol, "nine rows of nine digits from 1 to 9"))?;
        match grid.iter().zip(&self.clues).position(|(&digit, &clue)| clue > 0 && digit != clue) {
            Some(cell) => {
                let (row, column, clue) = (cell / 9 + 1, cell % 9 + 1, self.clues[cell]);
                let expected = format!("the given {clue} in row {row}, column {column}");
                Err(Fault { kind: FaultKind::Illegal, expected })
            }
            None if !Grid::from(&grid).is_solved() => {
                Err(fault(FaultKind::Illegal, "each digit once in each row, column and box"))
            }
            None => Ok(grid),
        }
    }

    /// Makes a move written as 81 digits.
    fn fill(&mut self, text: &str) -> Result<(), IllegalMove> {
        let grid = read_digits(text).map_err(|error| error.to_string())?;
        self.answer = Some(self.judge(&rows(&grid))?);
        Ok(())
    }
}

impl Referee for SudokuGame {
    fn init(&self, _seat: Seat) -> String {
        String::new()
    }

    fn asked(&self) -> Vec<Seat> {
        if self.answer.is_some() || self.is_over {
            Vec::new()
        } else {
            vec![0]
        }
    }

    fn turn(&self, _seat: Seat) -> String {
        rows(&self.clues) + "\n"
    }

    fn answer_lines(&self, _seat: Seat) -> usize {
        9
    }

    fn answer(&mut self, _seat: Seat, text: &str) -> Result<(), Fault> {
        self.answer = Some(self.judge(text)?);
        Ok(())
    }

    fn move_of(&self, _seat: Seat, text: &str) -> Result<String, Fault> {
        self.judge(text).map(|grid| digits(&grid))
    }

    fn open(&mut self, text: &str) -> Result<(), IllegalMove> {
        match self.asked()[..] {
            [] => Err(format!("\"{text}\" can't be played: the puzzle is solved").into()),
            _ => self.fill(text),
        }
    }

    fn forfeit(&mut self, _seat: Seat) {
        self.is_over = true;
    }

    /// 1 if the puzzle is solved, else 0.
    fn scores(&self) -> Vec<i64> {
        vec![i64::from(self.answer.is_some() && !self.is_over)]
    }

    fn moves(&self) -> String {
        self.answer.as_ref().map_or_else(String::new, digits)
    }

    fn show(&self) -> String {
        rows(self.answer.as_ref().unwrap_or(&self.clues)).replace('0', ".")
    }

    fn sheet(&self, _seat: Option<Seat>) -> Sheet {
        let at = std::array::from_fn::<_, 9, _>(|at| at);
        Sheet::new(self.show(), &Layout::board(&at, &at), &self.draw())
    }

    fn draw(&self) -> Drawing {
        let mut drawing = draw(self.answer.as_ref().unwrap_or(&self.clues), &self.clues);
        drawing.key(Paint::Shade, "given");
        drawing.key(Paint::Player(Player::FIRST), "answered");
        drawing
    }

    fn quantities(&self) -> Vec<Quantity> {
        let shown = self.answer.as_ref().unwrap_or(&self.clues);
        vec![Quantity::new("cells filled", [shown.iter().filter(|digit| **digit > 0).count() as u32])]
    }

    /// The first solution only; a puzzle with several also accepts the others.
    fn legal_moves(&self, _seat: Seat) -> Vec<String> {
        bands::solve(&self.clues, 1, MOST_GUESSES).first.iter().map(digits).collect()
    }

    fn lists_moves(&self) -> bool {
        false
    }

    fn answer_of(&self, _seat: Seat, text: &str) -> String {
        read_digits(text).map_or_else(|_| text.to_owned(), |grid| rows(&grid))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(clues: [u8; 81]) -> SudokuGame {
        SudokuGame { clues, answer: None, is_over: false }
    }

    #[test]
    fn an_answer_is_a_full_grid_with_the_clues() {
        let clues = puzzle::minimal(3);
        let solution = bands::solve(&clues, 2, u64::MAX).first.expect("a solution");
        let mut solved = game(clues);
        assert_eq!(solved.turn(0).lines().count(), 9);
        let expected = |text: &str| game(clues).check(0, text).expect_err("refused").to_string();
        let [short, long] = [&rows(&solution)[1..], &format!("{}1", rows(&solution))];
        assert!(expected(short).contains("nine rows of nine digits") && expected(long).contains("nine rows"));
        let clue = clues.iter().position(|&clue| clue > 0).expect("a clue");
        let mut other = solution;
        other[clue] = other[clue] % 9 + 1;
        assert!(expected(&rows(&other)).contains(&format!(
            "the given {} in row {}",
            clues[clue],
            clue / 9 + 1
        )));
        let mut twice = solution;
        let empty = clues.iter().position(|&clue| clue == 0).expect("an empty cell");
        twice[empty] = twice[empty] % 9 + 1;
        assert!(expected(&rows(&twice)).contains("each digit once"));
        solved.answer(0, &rows(&solution)).expect("the solution");
        assert_eq!((solved.scores(), solved.asked()), (vec![1], vec![]));
        assert_eq!(solved.moves(), digits(&solution));
    }

    #[test]
    fn every_player_solves_puzzles_with_one_solution() {
        let many = SUDOKU.variant(&".".repeat(81)).expect("a variant");
        // Minimax over pairs solves easy puzzles.
        for info in SUDOKU.players().into_iter().filter(|info| info.name != "minimax-pairs") {
            let settings = SessionSettings::default();
            for seed in 1..4 {
                let run = SUDOKU.run(info.name, &settings, seed, &|| Budget::nodes(100_000));
                assert_eq!(run.map(|run| (run.completed, run.score)), Ok((true, 1)), "{}", info.name);
            }
            let many = many.single_player().expect("players");
            let run = many.run(info.name, &settings, 1, &|| Budget::nodes(100_000)).expect("a run");
            assert_eq!(run.completed, info.name == "minimax");
        }
        assert!(SUDOKU.run("magic", &SessionSettings::default(), 1, &|| Budget::nodes(1)).is_err());
    }

    #[test]
    fn variants_are_puzzles() {
        let said = |words: &str| SUDOKU.variant(words).err().expect("refused").to_string();
        assert!(said("12").contains("a grid has 81 cells, not 2"));
        assert!(said(&("11".to_owned() + &"0".repeat(79))).contains("has no solution"));
        assert!(SUDOKU.variant(&".".repeat(81)).is_ok(), "many solutions are for whoever wants them");
        let first = rows(&puzzle::minimal(1));
        let recorded = SUDOKU.recorded(&[first.lines().collect()]).expect("a puzzle");
        let setup = Setup { seed: 9, opening_plies: 0, limits: SUDOKU.limits() };
        assert_eq!(recorded.new_game(setup).turn(0), first + "\n");
    }
}
