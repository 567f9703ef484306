//! An arena of its own with a contest in which both players move at the same time, and its bot: Goofspiel with cards 1
//! to 5. Prizes turn up in random order; each player bids a card, the higher one takes the prize, equal bids discard it.
//!
//! ```text
//! $ cargo run --example simultaneous -- match goofspiel in:regret in:decoupled -n 100
//! $ cargo run --example simultaneous -- play goofspiel 'simultaneous bot' 'simultaneous bot --seed 2'
//! ```
//!
//! With `bot` as the first argument it is the bot; `bot fail` leaves in its second turn, for tests.

use std::fmt;
use std::io::{self, BufRead};
use std::process::ExitCode;

use contest::bot::{self, Settings};
use contest::lines::{joint_player, searches, LineContest, LineGame};
use contest::notation::Notation;
use contest::session::joint_offers;
use contest::Simultaneous;
use coppice::input::{Input, InputError};
use coppice::rng::mix;
use coppice::search::{JointReport, JointSearch, Regret, RegretOptions};
use coppice::{Budget, Choices, Joint, List, Payoff, Player};
use coppice_arena::Program;

/// The number of cards.
const CARDS: u8 = 5;

/// A state. Sets of cards are bits: bit 0 for card 1.
#[derive(Debug, Clone, PartialEq)]
struct Goofspiel {
    hands: [u8; 2],
    /// The prizes that haven't turned up.
    prizes: u8,
    /// The prize that has turned up; 0 for none.
    prize: u8,
    /// The first player's points less the second's.
    lead: i32,
}

fn cards(set: u8) -> impl Iterator<Item = u8> {
    (1..=CARDS).filter(move |card| set >> (card - 1) & 1 == 1)
}

impl Joint for Goofspiel {
    type Move = u8;
    type Moves = List<u8, { CARDS as usize }>;
    type Outcome = u8;
    const MAX_POINTS: i32 = 15;

    fn moves(&self, player: Player, list: &mut Self::Moves) {
        if self.prize > 0 {
            cards(self.hands[player.index()]).for_each(|card| list.push(card));
        }
    }

    fn play(&mut self, choices: &Choices<u8>) {
        let bids = [Player::FIRST, Player::SECOND].map(|player| choices.of(player).unwrap_or(1));
        for (hand, bid) in self.hands.iter_mut().zip(bids) {
            *hand &= !(1 << (bid - 1));
        }
        self.lead += i32::from(bids[0].cmp(&bids[1]) as i8) * i32::from(self.prize);
        self.prize = 0;
    }

    fn payoff(&self, player: Player) -> Payoff {
        Payoff(if player == Player::FIRST { self.lead } else { -self.lead })
    }

    fn hash(&self) -> u64 {
        let sets = [self.hands[0], self.hands[1], self.prizes, self.prize].map(u64::from);
        mix(sets.iter().fold(self.lead as u64, |all, set| all << 8 | set))
    }

    fn outcome(&self, i: usize) -> Option<(u8, u32)> {
        cards(self.prizes).filter(|_| self.prize == 0).nth(i).map(|prize| (prize, 1))
    }

    fn happen(&mut self, prize: u8) {
        self.prizes &= !(1 << (prize - 1));
        self.prize = prize;
    }
}

impl fmt::Display for Goofspiel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let hand = |player: usize| cards(self.hands[player]).map(|card| card.to_string()).collect::<Vec<_>>();
        write!(
            f,
            "prize {}, lead {}\n0: {}\n1: {}",
            self.prize,
            self.lead,
            hand(0).join(" "),
            hand(1).join(" ")
        )
    }
}

impl Notation for Goofspiel {
    type Kind = Simultaneous;

    fn name(&self, _: Player, card: u8) -> String {
        card.to_string()
    }
}

/// - Once: the player's number.
/// - Each turn: the prize, the first player's lead, and three sets of cards as bits: both hands, and prizes to come.
/// - The answer: a card.
impl LineGame<u8, Choices<u8>> for Goofspiel {
    const NAME: &'static str = "goofspiel";
    const ANSWER: &'static str = "a card, 1 to 5";

    fn start(_seed: u64) -> Goofspiel {
        let all = (1 << CARDS) - 1;
        Goofspiel { hands: [all; 2], prizes: all, prize: 0, lead: 0 }
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

    fn write_turn(&self, _: Player, _: &[Choices<u8>]) -> String {
        format!("{} {} {} {} {}\n", self.prize, self.lead, self.hands[0], self.hands[1], self.prizes)
    }

    fn read_turn<R: BufRead>(&mut self, _: Player, input: &mut Input<R>) -> Result<(), InputError> {
        let numbers: Option<Vec<i32>> =
            input.line()?.split_whitespace().map(|word| word.parse().ok()).collect();
        let is_set = |set: &i32| (0..1 << CARDS).contains(set);
        match numbers.as_deref() {
            Some([prize @ 1..=5, lead @ -15..=15, sets @ ..])
                if sets.len() == 3 && sets.iter().all(is_set) =>
            {
                let hands = [sets[0] as u8, sets[1] as u8];
                *self = Goofspiel { hands, prizes: sets[2] as u8, prize: *prize as u8, lead: *lead };
                Ok(())
            }
            _ => Err(input.malformed("prize, lead, two hands and the prizes to come")),
        }
    }

    fn write_answer(&self, _: Player, card: u8) -> String {
        card.to_string()
    }

    fn read_answer(&self, _: Player, line: &str) -> Option<u8> {
        line.parse().ok()
    }
}

/// What is certain so far.
fn lead(game: &Goofspiel, player: Player) -> f64 {
    game.payoff(player).0.into()
}

static GOOFSPIEL: LineContest<Goofspiel> =
    LineContest::new().with_searches(|| searches::<Goofspiel>(joint_offers(|| lead)));

/// The bot's search; it may leave in its second turn.
struct Bot {
    search: Regret<Goofspiel>,
    turns_left: u32,
}

impl JointSearch<Goofspiel> for Bot {
    fn search(&mut self, game: &Goofspiel, player: Player, budget: Budget) -> JointReport<Goofspiel> {
        if self.turns_left == 0 {
            std::process::exit(0);
        }
        self.turns_left -= 1;
        self.search.search(game, player, budget)
    }
}

fn main() -> ExitCode {
    let mut words = std::env::args().skip(1).peekable();
    if words.next_if(|word| word == "bot").is_none() {
        return Program { contests: &[&GOOFSPIEL], ..Program::default() }.main();
    }
    let turns_left = if words.next_if(|word| word == "fail").is_some() { 1 } else { u32::MAX };
    let bot = |settings: &Settings, _: &Goofspiel| Bot {
        search: Regret::new(RegretOptions {
            memory: 1 << 22,
            seed: settings.seed,
            ..RegretOptions::default()
        }),
        turns_left,
    };
    bot::run(words, |settings| joint_player::play_on(io::stdin().lock(), io::stdout().lock(), settings, bot))
}
