//! The submitted bots: their searches, and whole turns through their protocols.

use std::cell::RefCell;
use std::io::{BufReader, Read, Write};
use std::rc::Rc;

use bots::{
    boop, freckers, lander, mancala, mnk, oware, photosynthesis, podracing, reversi, sudoku, tictactoe, tron,
};
use bots::{shared::grid, uttt, wondev};
use contest::bot::Settings;
use contest::tunable::Tunables;
use contest::{commands, Contest, Referee, Seat, Setup};
use coppice::input::InputError;
use coppice::search::{solutions, AlphaBeta, AlphaBetaOptions, JointSearch};
use coppice::{Budget, Game, Joint, Rng, Search};

use super::{calls_from, calls_with, joint_calls, CALLS};

/// Memory of a search.
const BYTES: usize = 1 << 20;

/// Checks that a bot's search makes no allocator calls in a game against a random opponent.
fn check<G: Game>(name: &str, start: &G, mut bot: impl Search<G>) {
    assert_eq!(calls_from(start, &mut bot), 0, "{name}");
}

/// Checks it for players who move at the same time.
fn check_joint<G: Joint>(name: &str, start: &G, bot: impl JointSearch<G>) {
    assert_eq!(joint_calls(start, bot), 0, "{name}");
}

/// The allocator calls of a function.
fn count<T>(work: impl FnOnce() -> T) -> (u64, T) {
    let before = CALLS.get();
    let result = work();
    (CALLS.get() - before, result)
}

/// Runs a test for each contest. Boards of m,n,k games are large.
fn for_each(work: fn(&dyn Contest)) {
    let all = move || bots::contests().iter().for_each(|contest| work(*contest));
    let thread = std::thread::Builder::new().stack_size(contest::session::STACK_BYTES).spawn(all);
    thread.expect("a thread").join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
}

/// In sudoku the first turn is the only one of a game.
#[test]
fn no_bots_search_allocates_after_its_first_turn() {
    for_each(|contest| search(contest.name()));
}

fn search(name: &str) {
    match name {
        "reversi" => check(name, &reversi::Board::START, reversi::strategy::Strategy::new()),
        "uttt" => check(name, &uttt::Board::START, uttt::strategy::search(&Default::default(), BYTES)),
        "tictactoe" => check(name, &tictactoe::Board::START, tictactoe::perfect::Perfect::new()),
        "mancala" => {
            let options = AlphaBetaOptions { memory: BYTES, ..AlphaBetaOptions::default() };
            check(name, &mancala::Board::new(6, 4, false), AlphaBeta::new(mancala::eval::Holes, options));
        }
        "oware" => {
            let start = oware::Board::new(oware::board::GrandSlam::CapturesNothing);
            check(name, &start, oware::strategy::search(&Default::default(), BYTES));
        }
        "mnk" => {
            let start = mnk::Board::<{ mnk::protocol::CELLS }>::new(7, 7, 5);
            check(name, &start, mnk::strategy::Strategy::new(&start, Default::default(), BYTES));
        }
        "boop" => check(name, &boop::Board::START, boop::strategy::search(&Default::default(), BYTES)),
        "freckers" => {
            check(name, &freckers::Board::START, freckers::strategy::Strategy::with_table(BYTES));
        }
        "tron" => {
            // A search of the rest of a path alone is slow without optimisation.
            check_tron::<2>();
            check_tron::<3>();
            check_tron::<4>();
        }
        "lander" => (0..3).for_each(fly),
        "sudoku" => (0..20).for_each(|seed| {
            let clues = sudoku::tools::puzzle::minimal(seed);
            let (calls, solved) = count(|| sudoku::bands::solve(&clues, 2, u64::MAX));
            let (more, found) = count(|| solutions(&sudoku::Grid::from(&clues), 2, Budget::nodes(u64::MAX)));
            assert_eq!((calls, more, solved.count, found.count), (0, 0, 1, 1), "{name} {seed}");
        }),
        "wondev" => {
            use wondev::{eval::Weights, league::League, strategy, tools::contest::Start, Position};
            let start = Position::new(Start::Random(League::Fog, None).of(3));
            for bytes in [1 << 16, 1 << 22] {
                check(name, &start, strategy::submitted(&Default::default(), &Weights::default(), bytes));
            }
        }
        "photosynthesis" => {
            use photosynthesis::{strategy::Strategy, tools::map};
            for bytes in [1 << 16, 1 << 22] {
                check_joint(name, &map::start(3), Strategy::new(&Default::default(), bytes, 1));
            }
        }
        "podracing" => race(),
        _ => panic!("{name} has no bot here: add its search"),
    }
}

fn tron_bot<const N: usize>() -> tron::strategy::Bot<N> {
    let options = AlphaBetaOptions { memory: BYTES, ..AlphaBetaOptions::default() };
    tron::strategy::Bot::new(&Default::default(), options)
}

fn check_tron<const N: usize>() {
    let calls = calls_with(&tron::Board::<N>::start(), &mut tron_bot(), 50);
    assert_eq!(calls, 0, "tron for {N}");
}

fn fly(seed: u64) {
    use lander::bot::{pilot::Pilot, player::Navigator};
    use lander::tools::cases::{case::Flight, terrain::Terrain};
    let case = Terrain::Hard.case(seed);
    let (mut flight, mut bot) = (Flight::new(&case), Navigator::new(&case.ground, &Default::default(), 1));
    for turn in 0.. {
        let (calls, order) = count(|| bot.order(flight.now(), Budget::nodes(2_000)));
        assert!(turn == 0 || calls == 0, "lander {seed}: {calls} calls in turn {turn}");
        flight.fly(&case.ground, order);
        if flight.fate != lander::physics::ground::Fate::Flying {
            break;
        }
    }
}

fn race() {
    use podracing::player::{Pilot, Planner};
    use podracing::{race::Race, tools::maps};
    let track = maps::track(1);
    let (race, mut bot) = (Race::new(track), Planner::new(&track, &Default::default(), 1));
    for turn in 0..8 {
        let (calls, _) = count(|| bot.choose(&race, Budget::nodes(1_000)));
        assert_eq!(calls, 0, "podracing, turn {turn}");
    }
}

/// A game through the bot's protocol, with random others.
struct Dialogue<'a> {
    contest: &'a dyn Contest,
    referee: Box<dyn Referee>,
    seed: u64,
    rng: Rng,
    /// Text for the bot that it hasn't read.
    unread: Vec<u8>,
    answer: Vec<u8>,
    /// The counter when the last turn was handed over.
    since: u64,
    turns: u32,
    /// The most allocator calls of a turn after the first.
    most: u64,
}

/// The bot's seat.
const MINE: Seat = 0;

impl<'a> Dialogue<'a> {
    fn new(contest: &'a dyn Contest) -> Dialogue<'a> {
        let referee = game(contest, 1);
        let (unread, answer) = (Vec::new(), Vec::with_capacity(1 << 16));
        let mut dialogue = Dialogue {
            contest,
            referee,
            seed: 1,
            rng: Rng::new(7),
            unread,
            answer,
            since: 0,
            turns: 0,
            most: 0,
        };
        dialogue.go_on();
        dialogue
    }

    /// Takes in the bot's answer and plays on to its next turn.
    fn go_on(&mut self) {
        let calls = CALLS.get() - self.since;
        if self.turns > 1 {
            self.most = self.most.max(calls);
        }
        if self.turns > 0 {
            let lines = self.referee.answer_lines(MINE);
            let text = String::from_utf8_lossy(&self.answer);
            let text = text.lines().take(lines).collect::<Vec<_>>().join("\n");
            self.referee.answer(MINE, &text).unwrap_or_else(|fault| panic!("{text}: {fault}"));
            self.answer.clear();
        }
        // A puzzle's game has one turn; its bot reads further puzzles.
        if self.referee.asked().is_empty() && self.contest.name() == "sudoku" && self.seed < 9 {
            self.seed += 1;
            self.referee = game(self.contest, self.seed);
        }
        while let Some(&seat) = self.referee.asked().first().filter(|&&seat| seat != MINE) {
            let legal = self.referee.legal_moves(seat);
            let answer = self.referee.answer_of(seat, &legal[self.rng.below(legal.len() as u32) as usize]);
            self.referee.answer(seat, &answer).expect("a legal move");
        }
        if !self.referee.asked().is_empty() {
            let init = if self.turns == 0 { self.referee.init(MINE) } else { String::new() };
            self.unread = (init + &self.referee.turn(MINE)).into_bytes();
        }
        self.turns += 1;
    }
}

fn game(contest: &dyn Contest, seed: u64) -> Box<dyn Referee> {
    contest.new_game(Setup { seed, opening_plies: 0, limits: contest.limits() })
}

/// The bot's end of a dialogue.
struct End<'a>(Rc<RefCell<Dialogue<'a>>>);

impl Read for End<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let mut dialogue = self.0.borrow_mut();
        if dialogue.unread.is_empty() {
            dialogue.go_on();
        }
        let count = buffer.len().min(dialogue.unread.len());
        buffer[..count].copy_from_slice(&dialogue.unread[..count]);
        dialogue.unread.drain(..count);
        dialogue.since = CALLS.get();
        Ok(count)
    }
}

impl Write for End<'_> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.borrow_mut().answer.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// The most allocator calls of a turn that reads and writes text, and what they are for. Text is read before a search and written
/// after it, in microseconds; buffers that live as long as the game would cost more bytes in the bundles.
fn text_calls(name: &str) -> u64 {
    match name {
        // Lines are read in place, and answers write themselves.
        "reversi" | "wondev" => 0,
        // The list of legal moves, and the answer.
        "uttt" | "tictactoe" => 6,
        // Each line of the commands, and the answer; cells of promoted pieces or of a path are texts of their own.
        "mancala" | "oware" | "mnk" => 16,
        "boop" | "freckers" => 24,
        // The cells of each player, and the answer.
        "tron" => 6,
        // The orders of both pods.
        "podracing" => 10,
        // Each row of the puzzle and of the solution.
        "sudoku" => 28,
        // The numbers of each line: one for each tree.
        "photosynthesis" => 80,
        // The plan on stderr, which viewers draw: a text for each second of the flight.
        "lander" => 800,
        _ => panic!("{name} has no limit here"),
    }
}

#[test]
fn whole_turns_allocate_for_text_alone() {
    for_each(|contest| {
        let name = contest.name();
        let dialogue = Rc::new(RefCell::new(Dialogue::new(contest)));
        let ended = play(name, BufReader::new(End(Rc::clone(&dialogue))), End(Rc::clone(&dialogue)));
        assert!(matches!(ended, Err(InputError::Ended) | Ok(())), "{name}: {ended:?}");
        let Dialogue { turns, most, .. } = *dialogue.borrow();
        assert!(turns > 3, "{name}: {turns} turns");
        assert!(most <= text_calls(name), "{name}: {most} calls in one of {turns} turns");
    });
}

fn settings<T: Tunables>() -> Settings<T> {
    Settings { nodes: Some(300), ..Settings::read(std::iter::empty()).expect("no words are fine") }
}

/// Plays as the bot's `main.rs` does.
fn play(name: &str, input: BufReader<End<'_>>, output: End<'_>) -> Result<(), InputError> {
    contest::bot::silence();
    match name {
        "reversi" => {
            reversi::player::play_on(input, output, &settings::<()>(), |_| reversi::strategy::Strategy::new())
        }
        "uttt" => grid::player::play_on(input, output, &settings::<()>(), |_| {
            uttt::strategy::search(&Default::default(), BYTES)
        }),
        "tictactoe" => {
            grid::player::play_on(input, output, &settings::<()>(), |_| tictactoe::perfect::Perfect::new())
        }
        "mancala" => by_commands(input, output, |_: &mancala::Board| {
            let options = AlphaBetaOptions { memory: BYTES, ..AlphaBetaOptions::default() };
            AlphaBeta::new(mancala::eval::Holes, options)
        }),
        "oware" => {
            by_commands(input, output, |_: &oware::Board| oware::strategy::search(&Default::default(), BYTES))
        }
        "mnk" => by_commands(input, output, |start: &mnk::Board<{ mnk::protocol::CELLS }>| {
            mnk::strategy::Strategy::new(start, Default::default(), BYTES)
        }),
        "boop" => {
            by_commands(input, output, |_: &boop::Board| boop::strategy::search(&Default::default(), BYTES))
        }
        "freckers" => {
            by_commands(input, output, |_: &freckers::Board| freckers::strategy::Strategy::with_table(BYTES))
        }
        "tron" => contest::lines::player::play_on(input, output, &settings::<()>(), |_| tron_bot::<2>()),
        "lander" => lander::bot::pilot::play_on(input, output, &settings::<()>(), |ground, _| {
            Box::new(lander::bot::player::Navigator::new(ground, &Default::default(), 1))
        }),
        "sudoku" => sudoku::player::play_on(input, output, &settings()),
        "wondev" => wondev::player::play_on(input, output, &settings::<()>(), |_| {
            wondev::strategy::submitted(&Default::default(), &Default::default(), BYTES)
        }),
        "photosynthesis" => photosynthesis::player::play_on(input, output, &settings::<()>(), |_, _| {
            photosynthesis::strategy::Strategy::new(&Default::default(), BYTES, 1)
        }),
        "podracing" => podracing::player::play_on(input, output, &settings::<()>(), |track, _| {
            podracing::player::Planner::new(track, &Default::default(), 1)
        }),
        _ => panic!("{name} has no bot here: add its player"),
    }
}

fn by_commands<G: commands::Commands + contest::notation::Notation, S: Search<G>>(
    input: BufReader<End<'_>>,
    output: End<'_>,
    make: impl Fn(&G) -> S,
) -> Result<(), InputError> {
    commands::player::play_on(input, output, &settings::<()>(), |_, start, _| make(start))
}
