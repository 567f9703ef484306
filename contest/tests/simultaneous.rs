//! The tools over a game with simultaneous moves: referee, laws, perft and sessions.

use std::fmt;
use std::io::BufRead;

use contest::lines::{searches, LineContest, LineGame};
use contest::notation::Notation;
use contest::session::{joint_offers, SessionSettings};
use contest::{laws, Contest, Fault, FaultKind, Referee, Setup, Simultaneous};
use coppice::input::{Input, InputError};
use coppice::{Budget, Choices, Joint, List, Payoff, Player};

/// Two players hold the cards 1 to 3 and play one each at the same time, three times; the higher card takes the round's
/// prize, which is the round's number. With `GOES_ON` the lowest card is played for a bot that has failed.
#[derive(Debug, Clone, Default, PartialEq)]
struct Cards<const GOES_ON: bool = false> {
    played: [[bool; 3]; 2],
    round: i32,
    lead: i32,
}

impl<const GOES_ON: bool> Cards<GOES_ON> {
    fn hand(&self, player: Player) -> impl Iterator<Item = u8> + '_ {
        (1..=3).filter(move |&card| !self.played[player.index()][card as usize - 1])
    }
}

impl<const GOES_ON: bool> Joint for Cards<GOES_ON> {
    type Move = u8;
    type Moves = List<u8, 3>;
    type Outcome = ();
    const MAX_POINTS: i32 = 6;

    fn moves(&self, player: Player, list: &mut List<u8, 3>) {
        self.hand(player).for_each(|card| list.push(card));
    }
    fn play(&mut self, choices: &Choices<u8>) {
        let cards = [Player::FIRST, Player::SECOND].map(|player| choices.of(player).unwrap_or(1));
        for (played, card) in self.played.iter_mut().zip(cards) {
            played[card as usize - 1] = true;
        }
        self.round += 1;
        self.lead += self.round * i32::from(cards[0].cmp(&cards[1]) as i8);
    }
    fn payoff(&self, player: Player) -> Payoff {
        Payoff(if player == Player::FIRST { self.lead } else { -self.lead })
    }
    fn hash(&self) -> u64 {
        let bits = self.played.as_flattened().iter().fold(1, |bits, &played| 2 * bits + u64::from(played));
        coppice::rng::mix(bits << 8 | (self.lead + 99) as u64)
    }
}

impl<const GOES_ON: bool> fmt::Display for Cards<GOES_ON> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "round {}, lead {}, played {:?}", self.round + 1, self.lead, self.played)
    }
}

impl<const GOES_ON: bool> Notation for Cards<GOES_ON> {
    type Kind = Simultaneous;

    fn name(&self, _: Player, card: u8) -> String {
        card.to_string()
    }
}

/// Each turn sends both cards of the last round, or 0 0 before the first.
impl<const GOES_ON: bool> LineGame<u8, Choices<u8>> for Cards<GOES_ON> {
    const NAME: &'static str = "cards";
    const ANSWER: &'static str = "a card, 1 to 3";

    fn start(_: u64) -> Self {
        Cards::default()
    }
    fn forfeit(&self, player: Player) -> Option<u8> {
        self.hand(player).next().filter(|_| GOES_ON)
    }
    fn write_init(&self, player: Player) -> String {
        format!("{}\n", player.index())
    }
    fn read_init<R: BufRead>(&mut self, input: &mut Input<R>) -> Result<Player, InputError> {
        match input.line()?.trim() {
            "0" => Ok(Player::FIRST),
            "1" => Ok(Player::SECOND),
            _ => Err(input.malformed("the player's number, 0 or 1")),
        }
    }
    fn write_turn(&self, _: Player, news: &[Choices<u8>]) -> String {
        let card = |player| news.last().and_then(|choices| choices.of(player)).unwrap_or(0);
        format!("{} {}\n", card(Player::FIRST), card(Player::SECOND))
    }
    fn read_turn<R: BufRead>(&mut self, _: Player, input: &mut Input<R>) -> Result<(), InputError> {
        let cards: Vec<u8> = input.line()?.split_whitespace().filter_map(|word| word.parse().ok()).collect();
        match cards[..] {
            [0, 0] if self.round == 0 => Ok(()),
            [a @ 1..=3, b @ 1..=3] if !self.played[0][a as usize - 1] && !self.played[1][b as usize - 1] => {
                self.play(&Choices::NONE.with(Player::FIRST, a).with(Player::SECOND, b));
                Ok(())
            }
            _ => Err(input.malformed("two cards that have not been played")),
        }
    }
    fn write_answer(&self, _: Player, card: u8) -> String {
        card.to_string()
    }
    fn read_answer(&self, _: Player, line: &str) -> Option<u8> {
        line.parse().ok()
    }
}

fn contest() -> LineContest<Cards> {
    // No estimate of unfinished games.
    LineContest::new().with_searches(|| searches::<Cards>(joint_offers(|| |_: &Cards, _: Player| 0.0)))
}

fn game<const GOES_ON: bool>() -> Box<dyn Referee> {
    let cards = LineContest::<Cards<GOES_ON>>::new();
    cards.new_game(Setup { seed: 1, opening_plies: 0, limits: cards.limits() })
}

#[test]
fn the_laws_hold() {
    laws::check_lines::<Cards>();
    laws::check_contest(&contest());
}

#[test]
fn a_turn_is_played_when_all_have_answered() {
    let mut game = game::<false>();
    assert_eq!((game.init(1), game.asked(), game.turn(1)), ("1\n".into(), vec![0, 1], "0 0\n".into()));
    game.answer(0, "3").expect("legal");
    assert_eq!((game.asked(), game.moves()), (vec![1], String::new()));
    let refused = |answer: Result<(), Fault>| answer.map_err(|fault| fault.kind);
    assert_eq!(refused(game.answer(0, "2")), Err(FaultKind::Illegal), "it has answered");
    game.answer(1, "1").expect("legal");
    assert_eq!((game.turn(1), game.moves()), ("3 1\n".to_owned(), "3+1".to_owned()));
    assert_eq!(refused(game.answer(1, "1")), Err(FaultKind::Illegal), "it was played");
    assert_eq!((game.part_of(1, "2+3"), game.part_of(1, "2")), (Some("3"), None));
    game.open("1+2").expect("legal");
    game.open("2+3").expect("legal");
    assert_eq!((game.asked(), game.scores()), (vec![], vec![-4, 4]));
}

#[test]
fn a_failure_ends_the_game_with_its_turn() {
    let mut first = game::<false>();
    first.forfeit(0);
    assert_eq!(first.asked(), [1], "the other is still judged");
    first.answer(1, "2").expect("legal");
    assert_eq!((first.asked(), first.moves().as_str(), first.scores()), (vec![], "?+2", vec![0, 1]));
    let mut both = game::<false>();
    [0, 1].into_iter().for_each(|seat| both.forfeit(seat));
    assert_eq!((both.asked(), both.scores()), (vec![], vec![0, 0]));
}

#[test]
fn the_others_play_on_if_the_game_says_so() {
    let mut game = game::<true>();
    game.forfeit(0);
    assert_eq!((game.asked(), game.moves().as_str()), (vec![1], ""));
    for card in ["2", "3", "1"] {
        game.answer(1, card).expect("legal");
    }
    assert_eq!((game.asked(), game.moves().as_str(), game.scores()), (vec![], "1+2 2+3 3+1", vec![0, 0]));
}

#[test]
fn turns_are_counted() {
    let (plain, cards) = (contest(), game::<false>());
    let perft = plain.perft().expect("counts");
    assert_eq!([0, 1, 2, 3, 4].map(|depth| perft.count(depth)), [1, 9, 36, 36, 0]);
    let divided = perft.divide(2);
    assert_eq!((divided.len(), divided[1].clone()), (9, ("1+2".to_owned(), 4)));
    assert_eq!(cards.legal_moves(1), ["1", "2", "3"]);
}

#[test]
fn a_session_plays_one_seat_after_the_other() {
    let contest = contest();
    let contest: &dyn Contest = &contest;
    let mut session = contest.session("regret", &SessionSettings::default()).expect("a session");
    session.play("3+1").expect("a turn");
    session.play("1").expect("a move");
    assert_eq!((session.to_move(), session.played().join(" ")), (Some(1), "3+1 1+?".to_owned()));
    let thought = session.think(Budget::nodes(1_000));
    // Two cards are left on each side, and the higher one takes 3 points rather than 2.
    assert_eq!((thought.line.len(), thought.strategy.len()), (1, 2));
    let error = session.play("1").expect_err("it was played").to_string();
    assert_eq!(error, "\"1\" is not a legal move of player 1; expected one of 2, 3");
    let path = ["2".to_owned(), "2+3".to_owned()];
    let look = session.look(&path).expect("legal");
    assert_eq!((look.to_move, look.scores), (None, Some(vec![-4, 4])));
    assert_eq!((look.node.played, look.children.len()), (Some("2+3".to_owned()), 0));
    let look = session.look(&[]).expect("the root");
    assert_eq!(
        look.children.iter().filter_map(|child| child.played.as_deref()).collect::<Vec<_>>(),
        ["2", "3"]
    );
    assert!(look.node.visits > 0 && look.children.iter().any(|child| child.is_best));
    session.take_back_to(1);
    assert_eq!((session.to_move(), session.played()), (Some(0), &["3+1".to_owned()][..]));
}
