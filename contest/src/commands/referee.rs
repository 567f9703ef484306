//! The referee's side of the command protocol, and the contests that use it.

use std::fmt;
use std::time::Duration;

use coppice::{Ended, Player};

use super::{start, write_end, Commands};
use crate::bench::{self, BenchResult};
use crate::contest::{Allowance, Contest, Limits, Setup};
use crate::history::{History, RecordedMove};
use crate::notation::{placed, GameNotation, Unreadable};
use crate::perft::{GamePerft, Perft};
use crate::protocol::{GameReferee, Protocol};
use crate::referee::{Fault, Referee, Seat};
use crate::session::{MakeSearches, Searches};

/// Minimum limit of a first answer, which includes starting the process and allocating its memory.
const FIRST: Duration = Duration::from_secs(1);

/// A contest in one variant, played by the command protocol.
///
/// # Example
/// The game is the one from the example of [`Contest`].
///
/// ```
/// use std::fmt;
/// use std::time::Duration;
///
/// use contest::commands::referee::CommandContest;
/// use contest::commands::Commands;
/// use contest::notation::Notation;
/// use contest::{Contest, Sequential, Setup};
/// use coppice::{Game, List, Moves, Payoff, Player};
///
/// # /// The players take 1 to 3 from a pile in turn; taking the last one wins.
/// # #[derive(Clone, PartialEq)]
/// # struct Nim {
/// #     pile: u8,
/// #     mover: Player,
/// # }
/// #
/// # impl Game for Nim {
/// #     type Move = u8;
/// #     type Moves = List<u8, 3>;
/// #
/// #     fn to_move(&self) -> Player {
/// #         self.mover
/// #     }
/// #     fn moves(&self, list: &mut List<u8, 3>) {
/// #         (1..=self.pile.min(3)).for_each(|count| list.push(count));
/// #     }
/// #     fn play(&mut self, count: u8) {
/// #         *self = Nim { pile: self.pile - count, mover: self.mover.other() };
/// #     }
/// #     fn payoff(&self, player: Player) -> Payoff {
/// #         Payoff(if player == self.mover { -1 } else { 1 })
/// #     }
/// #     fn hash(&self) -> u64 {
/// #         coppice::rng::mix(u64::from(self.pile) << 1 | self.mover.index() as u64)
/// #     }
/// #     fn move_index(count: u8) -> u16 {
/// #         count.into()
/// #     }
/// # }
/// #
/// # impl fmt::Display for Nim {
/// #     fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
/// #         write!(f, "{} left", self.pile)
/// #     }
/// # }
/// #
/// # impl Notation for Nim {
/// #     type Kind = Sequential;
/// #
/// #     fn name(&self, _: Player, count: u8) -> String {
/// #         count.to_string()
/// #     }
/// # }
/// #
/// impl Commands for Nim {
///     const NAME: &'static str = "nim";
///     const VARIANT: &'static str = "PILE";
///     const USUAL: &'static str = "10";
///
///     fn start(words: &[&str]) -> Result<Nim, String> {
///         let pile = words[0].parse().map_err(|_| "expected a number up to 255")?;
///         Ok(Nim { pile, mover: Player::FIRST })
///     }
///     fn read_move(&self, text: &str) -> Option<u8> {
///         text.parse().ok()
///     }
///     fn write_move(&self, count: u8) -> String {
///         count.to_string()
///     }
/// }
///
/// let nim = CommandContest::<Nim>::new(Duration::from_millis(100)).variant("3").unwrap();
/// let mut game = nim.new_game(Setup { seed: 1, opening_plies: 0, limits: nim.limits() });
/// assert_eq!((nim.name(), game.init(0) + &game.turn(0)), ("nim:3", "init 3 1 100\ngo\n".to_owned()));
/// game.answer(0, "ok\nmove 3").unwrap();
/// assert_eq!((game.asked(), game.scores()), (vec![], vec![1, 0]));
/// ```
pub struct CommandContest<G> {
    name: String,
    variant: String,
    start: G,
    limit: Duration,
    allowance: Allowance,
    bench: Option<fn() -> Vec<BenchResult>>,
    searches: Option<MakeSearches<G>>,
}

impl<G: Commands> CommandContest<G> {
    /// The default variant, with a time limit per answer.
    ///
    /// # Panics
    /// If [`Commands::start`] rejects [`Commands::USUAL`].
    pub fn new(limit: Duration) -> CommandContest<G> {
        let start = start::<G>(G::USUAL).expect("the default variant is valid");
        let (name, variant) = (G::NAME.to_owned(), G::USUAL.to_owned());
        let allowance = Allowance::default();
        CommandContest { name, variant, start, limit, allowance, bench: None, searches: None }
    }

    /// Sets the limits for a whole game.
    pub fn with_allowance(self, allowance: Allowance) -> CommandContest<G> {
        CommandContest { allowance, ..self }
    }

    /// Sets the function behind [`Contest::bench`].
    pub fn with_bench(self, bench: fn() -> Vec<BenchResult>) -> CommandContest<G> {
        CommandContest { bench: Some(bench), ..self }
    }

    /// Sets the function behind [`Contest::searches`].
    pub fn with_searches(self, searches: MakeSearches<G>) -> CommandContest<G> {
        CommandContest { searches: Some(searches), ..self }
    }
}

impl<G: Commands> fmt::Debug for CommandContest<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("CommandContest").field(&self.name).finish()
    }
}

impl<G: Commands + GameNotation> Contest for CommandContest<G> {
    fn name(&self) -> &str {
        &self.name
    }

    fn seats(&self) -> usize {
        2
    }

    fn limits(&self) -> Limits {
        Limits { first: self.limit.max(FIRST), later: self.limit }
    }

    fn new_game(&self, setup: Setup) -> Box<dyn Referee> {
        Box::new(CommandGame::new(self.start.clone(), CommandProtocol::new(&self.variant, setup), setup))
    }

    fn opening_plies(&self) -> u32 {
        4
    }

    fn allowance(&self) -> Allowance {
        self.allowance
    }

    fn variants(&self) -> Option<&'static str> {
        (!G::VARIANT.is_empty()).then_some(G::VARIANT)
    }

    fn variant(&self, words: &str) -> Result<Box<dyn Contest>, Unreadable> {
        let variant = words.replace(',', " ");
        let name = format!("{}:{words}", G::NAME);
        let start = start::<G>(&variant)?;
        let CommandContest { limit, allowance, bench, searches, .. } = *self;
        Ok(Box::new(CommandContest { name, variant, start, limit, allowance, bench, searches }))
    }

    fn at_position(&self, text: &str) -> Result<Box<dyn Contest>, Unreadable> {
        let (name, start) = placed(&self.name, &self.start, text)?;
        let CommandContest { limit, allowance, bench, searches, .. } = *self;
        let variant = self.variant.clone();
        Ok(Box::new(CommandContest { name, variant, start, limit, allowance, bench, searches }))
    }

    /// The contest at the position that a dialogue tells.
    fn recorded(&self, dialogues: &[Vec<&str>]) -> Option<Box<dyn Contest>> {
        let text = dialogues.iter().flatten().find_map(|line| line.strip_prefix("position "))?;
        self.at_position(text).ok()
    }

    fn perft(&self) -> Option<Box<dyn Perft + '_>> {
        Some(Box::new(GamePerft { start: self.start.clone(), ended: Ended::Dropped }))
    }

    fn bench(&self) -> Vec<BenchResult> {
        match self.bench {
            Some(bench) => bench(),
            None => self.searches().map_or_else(Vec::new, |searches| bench::of_searches(&*searches)),
        }
    }

    fn searches(&self) -> Option<Box<dyn Searches>> {
        self.searches.map(|searches| searches(&self.start))
    }
}

/// A game played by the command protocol.
pub type CommandGame<G> = GameReferee<G, CommandProtocol>;

/// The referee's side of the command protocol.
#[derive(Debug, Clone)]
pub struct CommandProtocol {
    variant: String,
    limit: Duration,
    /// Number of moves each seat has been sent or has made; `None` before its `init`.
    known: [Option<usize>; 2],
}

impl CommandProtocol {
    /// The protocol of a game in this variant.
    pub fn new(variant: &str, setup: Setup) -> CommandProtocol {
        CommandProtocol { variant: variant.to_owned(), limit: setup.limits.later, known: [None; 2] }
    }

    /// The moves to send to a seat: made since its last turn, by others.
    fn news<'a, G: GameNotation>(
        &self,
        history: &'a History<G>,
        seat: Seat,
    ) -> impl Iterator<Item = &'a str> {
        let new = history.moves().skip(self.known[seat].unwrap_or(0));
        let is_own = move |made: &RecordedMove<G::Move>| made.is_answer && made.seat == seat;
        new.filter(move |made| !is_own(made)).map(|made| made.written.as_str())
    }
}

/// The text of a start that isn't the variant's own.
fn told_start<G: Commands + GameNotation>(variant: &str, game: &G) -> Option<String> {
    let is_usual = start::<G>(variant).is_ok_and(|usual| usual == *game);
    game.position().filter(|_| !is_usual)
}

impl<G: Commands + GameNotation> Protocol<G> for CommandProtocol {
    fn init(&self, history: &History<G>, seat: Seat) -> String {
        let (variant, side) = (&self.variant, G::SIDES[seat]);
        let gap = if variant.is_empty() { "" } else { " " };
        let init = format!("init {variant}{gap}{side} {}\n", self.limit.as_millis());
        match told_start(variant, history.start()) {
            Some(text) => format!("{init}position {text}\n"),
            None => init,
        }
    }

    fn turn(&self, history: &History<G>, seat: Seat) -> String {
        self.news(history, seat).map(|text| format!("play {text}\n")).collect::<String>() + "go\n"
    }

    fn answer_lines(&self, history: &History<G>, seat: Seat) -> usize {
        let begun = match self.known[seat] {
            None => 1 + usize::from(told_start(&self.variant, history.start()).is_some()),
            Some(_) => 0,
        };
        begun + self.news(history, seat).count() + 1
    }

    fn read(&self, game: &G, _: Player, answer: &str) -> Result<G::Move, Fault> {
        let replies: Vec<&str> = answer.lines().map(str::trim_end).collect();
        let (last, others) = replies.split_last().ok_or("a reply")?;
        if others.iter().any(|&reply| reply != "ok") {
            return Err("ok for init, position and play".into());
        }
        let m = last.strip_prefix("move ").and_then(|text| game.read_move(text));
        m.ok_or_else(|| "move and a move".into())
    }

    fn write(&self, game: &G, _: Player, m: G::Move) -> String {
        game.write_move(m)
    }

    fn may_follow(&self, after: &G, line: &str) -> bool {
        write_end(after) == Some(line)
    }

    fn answer_of(&self, history: &History<G>, seat: Seat, text: &str) -> String {
        "ok\n".repeat(self.answer_lines(history, seat) - 1) + "move " + &self.write_named(history, seat, text)
    }

    fn answered(&mut self, history: &History<G>, seat: Seat, _answer: &str) {
        self.known[seat] = Some(history.turns().len());
    }
}
