//! Sessions for contests whose moves can't be listed: a bot inside the process plays through the contest's referee.

use std::sync::Arc;

use coppice::tree::Memory;
use coppice::{Budget, Score};

use super::{
    LineTree, Look, SearchInfo, Searches, Session, SessionError, SessionNode, SessionSettings, Thought,
};
use crate::drawing::Shape;
use crate::referee::{IllegalMove, Referee, Seat};
use crate::tunable::{TunableError, Tunables};

/// A bot that gets the text of each turn of its seat and answers in text, inside the calling program.
pub trait LinePlayer: Send {
    /// Answers a turn of its seat. `turn` is what a process would be sent: on the first turn the lines of
    /// [`Referee::init`] come first.
    fn answer(&mut self, turn: &str, budget: Budget) -> LineAnswer;

    /// Sees a turn of its seat in which the caller chose the answer. By default nothing happens, which is right for bots
    /// that keep nothing from turn to turn.
    fn observe(&mut self, _turn: &str) {}

    /// The search's tree, once the first turn was answered or observed; `None` if the bot keeps none, as by default.
    fn tree(&self) -> Option<LineTree> {
        None
    }
}

/// An answer, and what a console shows of it.
#[derive(Debug, Clone, PartialEq)]
pub struct LineAnswer {
    /// The answer as the protocol writes it, without its final newline.
    pub text: String,
    /// The bot's expectation.
    pub score: Score,
    /// Nodes visited.
    pub nodes: u64,
    /// Turns looked ahead.
    pub depth: u32,
}

type NewGame = Arc<dyn Fn(u64) -> Box<dyn Referee + Send> + Send + Sync>;
type NewPlayer = Arc<dyn Fn() -> Box<dyn LinePlayer> + Send + Sync>;

/// A [`Session`] that knows positions only through a referee, and moves only as answers.
///
/// `match`, `sprt`, `rate`, `tune` and `bench` play with it as with any other; `debug` shows and plays positions and lets
/// the bot think. Of a bot with a [tree](LinePlayer::tree) it lists the moves of the turn that was thought about; other moves can't
/// be listed.
///
/// ```
/// use contest::session::{LineAnswer, LinePlayer, Refereed, RefereedOffer, RefereedSearches, Searches, SessionSettings};
/// use contest::{Fault, IllegalMove, Referee, Seat};
/// use coppice::{Budget, Score};
///
/// /// Two players name an angle at the same time, three times; the sum of each one's sines counts.
/// #[derive(Default)]
/// struct Angles {
///     turns: Vec<[f64; 2]>,
///     open: [Option<f64>; 2],
/// }
///
/// impl Referee for Angles {
///     fn init(&self, _: Seat) -> String {
///         String::new()
///     }
///     fn asked(&self) -> Vec<Seat> {
///         (0..2).filter(|&seat| self.turns.len() < 3 && self.open[seat].is_none()).collect()
///     }
///     fn turn(&self, _: Seat) -> String {
///         format!("{}\n", self.turns.len())
///     }
///     fn answer(&mut self, seat: Seat, line: &str) -> Result<(), Fault> {
///         self.move_of(seat, line)?;
///         self.open[seat] = line.parse().ok();
///         if let [Some(a), Some(b)] = self.open {
///             self.turns.push([a, b]);
///             self.open = [None; 2];
///         }
///         Ok(())
///     }
///     fn move_of(&self, _: Seat, line: &str) -> Result<String, Fault> {
///         let angle: Result<f64, _> = line.parse();
///         angle.map(|angle| angle.to_string()).map_err(|_| "an angle".into())
///     }
///     fn open(&mut self, _: &str) -> Result<(), IllegalMove> {
///         Err("there are no openings".into())
///     }
///     fn forfeit(&mut self, _: Seat) {}
///     fn scores(&self) -> Vec<i64> {
///         let sum = |seat: Seat| self.turns.iter().map(|turn| turn[seat].to_radians().sin()).sum::<f64>();
///         [0, 1].map(|seat| (1000.0 * sum(seat)).round() as i64).to_vec()
///     }
///     fn moves(&self) -> String {
///         self.turns.iter().map(|[a, b]| format!("{a}+{b}")).collect::<Vec<_>>().join(" ")
///     }
///     fn show(&self) -> String {
///         self.moves()
///     }
///     fn legal_moves(&self, _: Seat) -> Vec<String> {
///         ["0", "45"].map(String::from).to_vec() // some of them, for tests
///     }
/// }
///
/// struct Up;
///
/// impl LinePlayer for Up {
///     fn answer(&mut self, _turn: &str, _: Budget) -> LineAnswer {
///         LineAnswer { text: "90".into(), score: Score::estimate(1000), nodes: 1, depth: 1 }
///     }
/// }
///
/// // A contest returns these from `Contest::searches`.
/// let bot = RefereedOffer::new("bot", "upwards", |_settings| Up);
/// let searches = RefereedSearches::new(|_seed| Box::new(Angles::default()), vec![bot]);
/// let mut session = searches.session("bot", &SessionSettings::default()).unwrap();
/// session.play("30+60").unwrap();
/// let best = session.think(Budget::nodes(1)).best.unwrap();
/// session.play(&best).unwrap();
/// assert_eq!((session.to_move(), session.played().join(" ")), (Some(1), "30+60 90+?".to_owned()));
/// ```
pub struct Refereed {
    new_game: NewGame,
    new_player: NewPlayer,
    seed: u64,
    game: Box<dyn Referee + Send>,
    seats: Vec<SeatPlayer>,
    words: Vec<String>,
    /// The moves made in this turn, in the order of the seats asked.
    open: Vec<String>,
    /// How many moves this turn has.
    asked: usize,
}

/// The bot on a seat.
struct SeatPlayer {
    bot: Box<dyn LinePlayer>,
    has_begun: bool,
    /// It has seen this turn.
    has_seen: bool,
}

impl Refereed {
    fn new(seed: u64, new_game: NewGame, new_player: NewPlayer) -> Refereed {
        let game = new_game(seed);
        let seats = game.scores().into_iter();
        let seats =
            seats.map(|_| SeatPlayer { bot: new_player(), has_begun: false, has_seen: false }).collect();
        let asked = game.asked().len();
        let mut session =
            Refereed { new_game, new_player, seed, game, seats, words: Vec::new(), open: Vec::new(), asked };
        session.write_words();
        session
    }

    fn write_words(&mut self) {
        self.words = self.game.moves().split_whitespace().map(str::to_owned).collect();
        if !self.open.is_empty() {
            let missing = (self.open.len()..self.asked).map(|_| "?".to_owned());
            self.words.push(self.open.iter().cloned().chain(missing).collect::<Vec<_>>().join("+"));
        }
    }

    /// The lines of a seat's turn; on its first, the init lines come first.
    fn text(&self, seat: Seat) -> String {
        let turn = self.game.turn(seat);
        match self.seats[seat].has_begun {
            true => turn,
            false => self.game.init(seat) + &turn,
        }
    }

    /// The tree of the bot that is to move. Its moves are those of this turn, if the bot has thought about it.
    fn tree(&self) -> Option<LineTree> {
        let seat = self.to_move()?;
        let player = &self.seats[seat];
        if player.has_seen {
            return player.bot.tree();
        }
        let tree = match player.has_begun {
            true => player.bot.tree(),
            // A bot may make its search in its first turn.
            false => {
                let mut bot = (self.new_player)();
                bot.observe(&self.text(seat));
                bot.tree()
            }
        };
        tree.map(|tree| LineTree::empty(tree.memory))
    }

    /// Makes a seat's move.
    fn make(&mut self, seat: Seat, part: &str) -> Result<(), IllegalMove> {
        let answer = self.game.answer_of(seat, part);
        let name = self.game.move_of(seat, &answer).map_err(|fault| format!("\"{part}\": {fault}"))?;
        let text = self.text(seat);
        self.game.answer(seat, &answer).map_err(|fault| format!("\"{part}\": {fault}"))?;
        let player = &mut self.seats[seat];
        if !player.has_seen {
            player.bot.observe(&text);
        }
        (player.has_begun, player.has_seen) = (true, false);
        self.open.push(name);
        if self.open.len() >= self.asked {
            self.open.clear();
            self.asked = self.game.asked().len();
        }
        Ok(())
    }
}

impl Session for Refereed {
    fn show(&self) -> String {
        self.game.show()
    }

    fn to_move(&self) -> Option<Seat> {
        self.game.asked().first().copied()
    }

    /// Empty: [`Referee::legal_moves`] may be only some of them.
    fn moves(&self) -> Vec<String> {
        Vec::new()
    }

    fn play(&mut self, word: &str) -> Result<(), IllegalMove> {
        let asked = self.game.asked();
        let Some(&seat) = asked.first() else {
            return Err(format!("\"{word}\" can't be played: the game is over").into());
        };
        if asked.len() > 1 && self.open.is_empty() && word.contains('+') {
            let parts: Option<Vec<_>> = asked.iter().map(|&seat| self.game.part_of(seat, word)).collect();
            let parts =
                parts.ok_or_else(|| format!("\"{word}\" is not a turn; expected {} moves", asked.len()))?;
            for (&seat, part) in asked.iter().zip(&parts) {
                let checked = self.game.check(seat, &self.game.answer_of(seat, part));
                checked.map_err(|fault| format!("\"{part}\": {fault}"))?;
            }
            for (&seat, part) in asked.iter().zip(parts) {
                self.make(seat, part)?;
            }
        } else {
            self.make(seat, word)?;
        }
        self.write_words();
        Ok(())
    }

    fn played(&self) -> &[String] {
        &self.words
    }

    fn take_back_to(&mut self, count: usize) {
        if count >= self.words.len() {
            return;
        }
        let words = self.words[..count].to_vec();
        *self = Refereed::new(self.seed, Arc::clone(&self.new_game), Arc::clone(&self.new_player));
        // They were played before.
        let _ = words.iter().try_for_each(|word| self.play(word));
    }

    fn think(&mut self, budget: Budget) -> Thought {
        self.think_for(self.to_move().unwrap_or(0), budget)
    }

    fn think_for(&mut self, seat: Seat, budget: Budget) -> Thought {
        let mut thought = Thought {
            best: None,
            score: Score::DRAW,
            nodes: 0,
            depth: 0,
            solved: false,
            line: Vec::new(),
            strategy: Vec::new(),
        };
        if !self.game.asked().contains(&seat) {
            return thought;
        }
        let text = self.text(seat);
        let player = &mut self.seats[seat];
        let LineAnswer { text, score, nodes, depth } = player.bot.answer(&text, budget);
        (player.has_begun, player.has_seen) = (true, true);
        // An answer that the referee refuses is refused again when it is played, with the reason.
        let best = self.game.move_of(seat, &text).unwrap_or(text);
        thought.line.push(best.clone());
        Thought { best: Some(best), score, nodes, depth, ..thought }
    }

    fn scores(&self) -> Vec<i64> {
        self.game.scores()
    }

    fn mark(&self, seat: Seat, text: &str) -> Vec<Shape> {
        self.game.mark(seat, &self.game.answer_of(seat, text))
    }

    fn words(&self, seat: Seat, text: &str) -> String {
        self.game.words(seat, text)
    }

    fn look(&self, path: &[String]) -> Result<Look, IllegalMove> {
        if !path.is_empty() {
            return Err("in this contest only the moves of the present turn can be looked at: only its referee knows what \
                        follows them; play MOVE plays a move"
                .into());
        }
        let to_move = self.to_move();
        let seat = to_move.unwrap_or(0);
        let (root, moves) = match self.tree() {
            Some(LineTree { root, moves, .. }) => (root, moves),
            None => (SessionNode::unknown(seat), Vec::new()),
        };
        let name = |text: String| self.game.move_of(seat, &text).unwrap_or(text);
        let named = |node: SessionNode| SessionNode { seat, played: node.played.map(name), ..node };
        let children: Vec<SessionNode> = moves.into_iter().map(named).collect();
        let best = children.iter().find(|child| child.is_best);
        Ok(Look {
            shown: self.show(),
            sheet: self.game.sheet(None),
            drawing: self.game.draw(),
            words: None,
            text: None,
            to_move,
            scores: to_move.is_none().then(|| self.scores()),
            node: SessionNode { seat, ..root },
            line: best.and_then(|child| child.played.clone()).into_iter().collect(),
            children,
        })
    }

    fn memory(&self) -> Option<Memory> {
        self.tree().map(|tree| tree.memory)
    }
}

/// Makes a bot, or reports an invalid parameter.
type Make = Arc<dyn Fn(&SessionSettings) -> Result<Box<dyn LinePlayer>, TunableError> + Send + Sync>;

/// A bot and its constructor.
pub struct RefereedOffer {
    info: SearchInfo,
    make: Make,
}

impl RefereedOffer {
    /// A named bot without tunable parameters. `make` is called for each seat.
    pub fn new<P: LinePlayer + 'static>(
        name: &'static str,
        about: &'static str,
        make: impl Fn(&SessionSettings) -> P + Send + Sync + 'static,
    ) -> RefereedOffer {
        RefereedOffer::tunable(name, about, move |settings, (): &()| make(settings))
    }

    /// A named bot with tunable parameters.
    pub fn tunable<T: Tunables, P: LinePlayer + 'static>(
        name: &'static str,
        about: &'static str,
        make: impl Fn(&SessionSettings, &T) -> P + Send + Sync + 'static,
    ) -> RefereedOffer {
        let make = move |settings: &SessionSettings| {
            Ok(Box::new(make(settings, &settings.numbers::<T>()?)) as Box<dyn LinePlayer>)
        };
        RefereedOffer {
            info: SearchInfo { name, about, tunables: T::default().list() },
            make: Arc::new(make),
        }
    }
}

/// The bots of a contest that play through its referee.
pub struct RefereedSearches {
    new_game: NewGame,
    offers: Vec<RefereedOffer>,
}

impl RefereedSearches {
    /// Bots in games that `new_game` makes from a seed, the one of [`Setup`](crate::Setup).
    pub fn new(
        new_game: impl Fn(u64) -> Box<dyn Referee + Send> + Send + Sync + 'static,
        offers: Vec<RefereedOffer>,
    ) -> RefereedSearches {
        RefereedSearches { new_game: Arc::new(new_game), offers }
    }
}

impl Searches for RefereedSearches {
    fn list(&self) -> Vec<SearchInfo> {
        self.offers.iter().map(|offer| offer.info.clone()).collect()
    }

    fn session(&self, search: &str, settings: &SessionSettings) -> Result<Box<dyn Session>, SessionError> {
        let Some(offer) = self.offers.iter().find(|offer| offer.info.name == search) else {
            let names = self.offers.iter().map(|offer| offer.info.name);
            return Err(SessionError::unknown("search", search, names));
        };
        if settings.pool_nodes.is_some() {
            return Err(SessionError::no_pool(search));
        }
        // A wrong parameter is an error before the first turn.
        (offer.make)(settings).map_err(|error| SessionError::parameter(search, error))?;
        let (make, settings) = (Arc::clone(&offer.make), settings.clone());
        let seed = settings.game_seed;
        let new_player = Arc::new(move || make(&settings).expect("the same player was made before"));
        Ok(Box::new(Refereed::new(seed, Arc::clone(&self.new_game), new_player)))
    }

    fn can_ponder(&self) -> bool {
        false
    }
}
