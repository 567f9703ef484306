//! Each law is broken by a game made for it, and found broken.

use std::fmt;
use std::io::BufRead;
use std::panic::{catch_unwind, AssertUnwindSafe};

use contest::lines::{self, LineContest, LineGame};
use contest::notation::Notation;
use contest::quantity::Quantity;
use contest::session::{self, Searches};
use contest::{laws, Contest, Limits, Referee, Sequential, Setup};
use coppice::input::{Input, InputError};
use coppice::{Evaluation, Game, List, Payoff, Player, Reversible, Rng, Score};

const RIGHT: u8 = 0;
const HASH_FORGETS_THE_MOVER: u8 = 1;
const INDEX_TWICE: u8 = 2;
const MOVE_CHANGES_NOTHING: u8 = 3;
const DRAWS_UNEVENLY: u8 = 4;
const UNDO_LEAVES_A_TRACE: u8 = 5;
const TURN_TELLS_ANOTHER_PILE: u8 = 6;
const LINE_LEFT_UNREAD: u8 = 7;
const ANSWER_READ_OTHERWISE: u8 = 8;
const BOT_PANICS: u8 = 9;
const BOTH_WIN: u8 = 10;
const OPENING_ISNT_TOLD: u8 = 11;
const QUANTITY_WITHOUT_A_SEAT: u8 = 12;
const QUANTITY_COMES_AND_GOES: u8 = 13;

/// Two piles; each player in turn takes 1 to 3 of one, and the one who takes the last wins.
#[derive(Debug, Clone, PartialEq)]
struct Piles<const BROKEN: u8> {
    piles: [u8; 2],
    mover: Player,
}

impl<const BROKEN: u8> Game for Piles<BROKEN> {
    type Move = (u8, u8);
    type Moves = List<(u8, u8), 6>;

    fn to_move(&self) -> Player {
        self.mover
    }
    fn moves(&self, list: &mut List<(u8, u8), 6>) {
        for pile in 0..2 {
            (1..=self.piles[usize::from(pile)].min(3)).for_each(|count| list.push((pile, count)));
        }
    }
    fn play(&mut self, (pile, count): (u8, u8)) {
        if BROKEN == MOVE_CHANGES_NOTHING && count == 3 {
            return;
        }
        self.piles[usize::from(pile)] -= count;
        self.mover = self.mover.other();
    }
    fn payoff(&self, player: Player) -> Payoff {
        Payoff(if player == self.mover && BROKEN != BOTH_WIN { -1 } else { 1 })
    }
    fn hash(&self) -> u64 {
        let mover = if BROKEN == HASH_FORGETS_THE_MOVER { 0 } else { self.mover.index() as u64 };
        coppice::rng::mix(u64::from(self.piles[0]) << 32 | u64::from(self.piles[1]) << 1 | mover)
    }
    fn move_index((pile, count): (u8, u8)) -> u16 {
        if BROKEN == INDEX_TWICE {
            count.into()
        } else {
            u16::from(pile) * 4 + u16::from(count)
        }
    }
    fn random_move(&self, rng: &mut Rng) -> Option<(u8, u8)> {
        let mut list = List::default();
        self.moves(&mut list);
        let count = list.len() as u32;
        (count > 0).then(|| {
            let drawn = rng.below(count);
            list[if BROKEN == DRAWS_UNEVENLY { drawn.min(rng.below(count)) } else { drawn } as usize]
        })
    }
}

impl<const BROKEN: u8> Reversible for Piles<BROKEN> {
    type Undo = ();

    fn make(&mut self, m: (u8, u8)) {
        self.play(m);
    }
    fn unmake(&mut self, (pile, count): (u8, u8), (): ()) {
        self.piles[usize::from(pile)] += count;
        if BROKEN != UNDO_LEAVES_A_TRACE {
            self.mover = self.mover.other();
        }
    }
}

impl<const BROKEN: u8> fmt::Display for Piles<BROKEN> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} and {}", self.piles[0], self.piles[1])
    }
}

impl<const BROKEN: u8> Notation for Piles<BROKEN> {
    type Kind = Sequential;

    fn name(&self, _: Player, (pile, count): (u8, u8)) -> String {
        format!("{pile},{count}")
    }

    fn quantities(&self) -> Vec<Quantity> {
        let piles = match BROKEN {
            QUANTITY_WITHOUT_A_SEAT => vec![1, 2, 3],
            _ => self.piles.to_vec(),
        };
        let all = vec![Quantity::new("piles", piles), Quantity::new("left", [self.piles[0] + self.piles[1]])];
        if BROKEN == QUANTITY_COMES_AND_GOES && self.piles[0] == 0 {
            Vec::new()
        } else {
            all
        }
    }
}

impl<const BROKEN: u8> LineGame<(u8, u8)> for Piles<BROKEN> {
    const NAME: &'static str = "piles";
    const ANSWER: &'static str = "a pile and a number";
    const OPENING_PLIES: u32 = 4;

    fn start(_: u64) -> Self {
        Piles { piles: [7, 5], mover: Player::FIRST }
    }
    fn write_init(&self, player: Player) -> String {
        format!("{}\n", player.index())
    }
    fn read_init<R: BufRead>(&mut self, input: &mut Input<R>) -> Result<Player, InputError> {
        Ok(if input.value::<u8>("a player")? == 0 { Player::FIRST } else { Player::SECOND })
    }
    fn write_turn(&self, _: Player, news: &[(u8, u8)]) -> String {
        if BROKEN == OPENING_ISNT_TOLD {
            let (pile, count) = news.last().copied().unwrap_or((0, 0));
            return format!("{pile}\n{count}\n");
        }
        format!("{}\n{}\n", self.piles[0], self.piles[1] + u8::from(BROKEN == TURN_TELLS_ANOTHER_PILE))
    }
    fn read_turn<R: BufRead>(&mut self, me: Player, input: &mut Input<R>) -> Result<(), InputError> {
        let first = match input.value("a pile") {
            Err(InputError::Malformed { .. }) if BROKEN == BOT_PANICS => panic!("a bot that gives up"),
            read => read?,
        };
        let second = if BROKEN == LINE_LEFT_UNREAD { 5 } else { input.value("a pile")? };
        if BROKEN == OPENING_ISNT_TOLD {
            return if second > 0 { lines::play_read(self, (first, second), input) } else { Ok(()) };
        }
        *self = Piles { piles: [first, second], mover: me };
        Ok(())
    }
    fn write_answer(&self, _: Player, (pile, count): (u8, u8)) -> String {
        format!("{pile} {count}")
    }
    fn read_answer(&self, _: Player, line: &str) -> Option<(u8, u8)> {
        let (pile, count) = line.split_once(' ')?;
        let pile: u8 = pile.parse().ok().filter(|&pile| pile < 2)?;
        Some((pile ^ u8::from(BROKEN == ANSWER_READ_OTHERWISE), count.parse().ok()?))
    }
}

/// The message of the first law that a game breaks.
fn said<const BROKEN: u8>() -> String {
    let check = || {
        laws::check_lines::<Piles<BROKEN>>();
        laws::check_undo(&Piles::<BROKEN>::start(0));
    };
    let panic = catch_unwind(AssertUnwindSafe(check)).expect_err("a law is broken");
    let fixed = || panic.downcast_ref::<&str>().map(|&text| text.to_owned());
    panic.downcast_ref::<String>().cloned().or_else(fixed).expect("a message")
}

#[test]
fn a_right_game_keeps_all_laws() {
    laws::check_lines::<Piles<RIGHT>>();
    laws::check_undo(&Piles::<RIGHT>::start(0));
}

#[test]
fn each_broken_law_is_named() {
    let found = [
        (
            said::<HASH_FORGETS_THE_MOVER>(),
            "broken: different positions have different hashes\n  a position met before: ",
        ),
        (
            said::<INDEX_TWICE>(),
            "broken: `move_index` is another number for each move\n  different values of `move_index`: 3\n",
        ),
        (said::<MOVE_CHANGES_NOTHING>(), "broken: a move changes the position\n  move: "),
        (said::<DRAWS_UNEVENLY>(), "broken: `random_move` draws all moves equally often\n  drawn: ["),
        (
            said::<UNDO_LEAVES_A_TRACE>(),
            "broken: `unmake` leaves no trace in the position\n  after `unmake`: Piles {",
        ),
        (
            said::<TURN_TELLS_ANOTHER_PILE>(),
            "broken: the bot reads the referee's position\n  read by the bot: Piles {",
        ),
        (said::<LINE_LEFT_UNREAD>(), "broken: a bot reads all lines of a turn\n  the text: \""),
        (said::<ANSWER_READ_OTHERWISE>(), "broken: "),
        (
            said::<BOT_PANICS>(),
            "broken: a bot refuses damaged input, and doesn't panic; its own message is above: ",
        ),
        (
            said::<BOTH_WIN>(),
            "broken: payoffs add up to 0\n  of the first player: 1\n  less of the second: -1\n",
        ),
        (
            said::<QUANTITY_WITHOUT_A_SEAT>(),
            "broken: a quantity has a name of its own, and a number for every seat or one for all\n  Quantity {",
        ),
        (
            said::<QUANTITY_COMES_AND_GOES>(),
            "broken: every position has the same quantities\n  here: []\n  at the start: [\"piles\", \"left\"]\n",
        ),
    ];
    for (said, expected) in found {
        assert!(said.starts_with(expected), "expected {expected:?}, found {said}");
    }
}

/// A turn that sends the last move alone: with longer openings the bot can't know the position.
#[test]
fn an_opening_that_the_bot_is_not_told_of_is_named() {
    let said = said::<OPENING_ISNT_TOLD>();
    let expected =
        "\n  it is the seat's first turn, and the game began with 1 random turn (`OPENING_PLIES`), which";
    assert!(said.contains(expected) && said.contains("leave `OPENING_PLIES` at 0"), "{said}");
}

/// A contest with its required methods alone.
struct Plain;

impl Contest for Plain {
    fn name(&self) -> &str {
        "plain"
    }
    fn seats(&self) -> usize {
        2
    }
    fn limits(&self) -> Limits {
        LineContest::<Piles<RIGHT>>::new().limits()
    }
    fn new_game(&self, setup: Setup) -> Box<dyn Referee> {
        LineContest::<Piles<RIGHT>>::new().new_game(setup)
    }
}

#[test]
fn perft_is_counted_through_the_referee_if_the_contest_has_none() {
    let (plain, own) = (Plain, LineContest::<Piles<RIGHT>>::new());
    let [plain, own] = [plain.perft(), own.perft()].map(|perft| perft.expect("counts"));
    for depth in 1..=5 {
        assert_eq!(plain.count(depth), own.count(depth), "depth {depth}");
        assert_eq!(plain.divide(depth), own.divide(depth), "depth {depth}");
    }
    assert_eq!((plain.count(1), plain.count(2), plain.count(13)), (6, 35, 0));
}

struct Sum;

impl Evaluation<Piles<RIGHT>> for Sum {
    fn evaluate(&self, game: &Piles<RIGHT>) -> Score {
        Score::estimate(i32::from(game.piles[0] + game.piles[1]))
    }
}

fn searches() -> Box<dyn Searches> {
    lines::searches::<Piles<RIGHT>>(session::offers(|| Sum))
}

#[test]
fn every_search_is_benched_if_the_contest_chooses_none() {
    let contest = LineContest::<Piles<RIGHT>>::new().with_searches(searches);
    let results = contest.bench();
    assert_eq!(results.len(), (&contest as &dyn Contest).search_list().len());
    assert!(results.iter().all(|result| result.digest != 0), "{results:?}");
    assert!(results.iter().filter(|result| result.nodes > 0).count() > 4, "{results:?}");
    assert_eq!(results, contest.bench(), "the same every time");
    assert_eq!(LineContest::<Piles<RIGHT>>::new().bench(), []);
}
