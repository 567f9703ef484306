//! The searches for puzzles: solvers of the whole, and MiniFrame's.

use std::io::{BufRead, Write};

use bots::sudoku::player::{play_on, Numbers};
use bots::sudoku::tools::contest::{by_bands, by_engine, by_pairs, minimax, Found, SudokuContest};
use bots::sudoku::tools::puzzle;
use bots::sudoku::{Fill, Filled, Grid};
use contest::bot::Settings;
use contest::session::serve::{no_player, ServeSettings};
use contest::session::{GameSearches, Offer, Searches, ServedByName};
use coppice::input::InputError;
use coppice::{Budget, Evaluation, Game, List, Payoff, Report, Score, Search};

/// The contest with its searches.
pub static SUDOKU: SudokuContest = SudokuContest::with_searches(searches);

fn searches(clues: Option<[u8; 81]>) -> Box<dyn Searches> {
    let start = move |seed| Grid::from(&clues.unwrap_or_else(|| puzzle::minimal(seed)));
    let offers = vec![
        Offer::new("bands", "the submitted solver, by bands of candidates", |_, _| Whole(by_bands)),
        Offer::new("engine", "the engine's single-player search", |_, _| Whole(by_engine)),
        Offer::new("minimax", "minimax with the whole tree kept, in ten megabytes", |_, settings| {
            minimax(settings)
        }),
        Offer::new("minimax-pairs", "minimax over all pairs of cell and digit: MiniFrame's", |_, _| {
            Whole(by_pairs)
        }),
    ];
    Box::new(ServedByName::new(GameSearches::starting(start, offers), serve))
}

/// The bot's side of the protocol with a solver of whole puzzles.
fn serve(
    search: &str,
    settings: &ServeSettings,
    input: &mut dyn BufRead,
    output: &mut dyn Write,
) -> Result<(), InputError> {
    let engine = match search {
        "bands" => 0,
        "engine" => 1,
        _ => return Err(no_player(search)),
    };
    let Settings { nodes, seed, reserve, tunables, position, .. } = settings.bot();
    let settings = Settings { nodes, seed, reserve, numbers: Numbers { engine }, tunables, position };
    play_on(input, output, &settings)
}

/// A solver of whole puzzles, with the nodes that it took.
type Solve = fn(&[u8; 81], Budget) -> (Found, u64);

/// A solver of whole puzzles as a search: it fills the next cell as in the solution.
struct Whole(Solve);

impl Search<Grid> for Whole {
    /// Returns the first candidate if no unique solution is found; the score is then an estimate, or a proved loss.
    fn search(&mut self, grid: &Grid, budget: Budget) -> Report<Fill> {
        let mut list = List::default();
        grid.moves(&mut list);
        let Some(&first) = list.first() else { return Report::ended(Filled.ended(grid)) };
        let (found, nodes) = (self.0)(&grid.digits(), budget);
        let is_solution = |m: &Fill| found.solution().is_some_and(|all| all[usize::from(m.cell)] == m.digit);
        let best = list.iter().copied().find(is_solution);
        let left = 81 - grid.filled();
        let (score, depth, solved) = match found {
            Found::One(_) => (Score::ended(Payoff(81)).add_mate_distance(left), left, true),
            Found::Impossible => (Score::ended(Payoff(-1)), 0, true),
            Found::Open => (Filled.evaluate(grid), 0, false),
        };
        Report { best: Some(best.unwrap_or(first)), score, nodes, depth, solved, restarted: false }
    }
}
