//! The contest Photosynthesis, and the referee's side of its protocol.

use contest::drawing::{Drawing, Shape};
use contest::history::History;
use contest::notation::Notation;
use contest::perft::{GamePerft, Perft};
use contest::protocol::{GameReferee, Protocol};
use contest::quantity::Quantity;
use contest::session::Searches;
use contest::sheet::Layout;
use contest::{Contest, Fault, Limits, Referee, Seat, Setup, Simultaneous};
use coppice::input::Input;
use coppice::{Choices, Ended, Player};

use super::{drawing, map};
use crate::photosynthesis::board::{Action, Board};
use crate::photosynthesis::protocol::{
    self, legal, read_answer, read_init, read_turn, write_answer, write_init, write_turn,
};

/// The score of a bot that was disqualified.
const DISQUALIFIED: i64 = -1;

/// Photosynthesis: 1000 ms for the first answer, then 100 ms. The game's seed decides the map, as on the platform.
#[derive(Debug, Clone)]
pub struct PhotosynthesisContest {
    /// The start of every game, instead of the seed's.
    start: Option<Board>,
    searches: Option<fn() -> Box<dyn Searches>>,
}

/// The contest without searches.
pub static PHOTOSYNTHESIS: PhotosynthesisContest = PhotosynthesisContest { start: None, searches: None };

impl PhotosynthesisContest {
    /// The contest with searches.
    pub const fn with_searches(searches: fn() -> Box<dyn Searches>) -> PhotosynthesisContest {
        PhotosynthesisContest { start: None, searches: Some(searches) }
    }
}

impl Contest for PhotosynthesisContest {
    fn name(&self) -> &str {
        "photosynthesis"
    }

    fn seats(&self) -> usize {
        2
    }

    fn limits(&self) -> Limits {
        protocol::CLOCK.into()
    }

    fn new_game(&self, setup: Setup) -> Box<dyn Referee> {
        let start = self.start.unwrap_or_else(|| map::start(setup.seed));
        Box::new(GameReferee::new(start, Lines, setup))
    }

    /// The start that the lines of a recorded game's first seat show.
    fn recorded(&self, dialogues: &[Vec<&str>]) -> Option<Box<dyn Contest>> {
        let lines = dialogues.first()?;
        let text: String = lines.iter().flat_map(|line| [line, "\n"]).collect();
        let mut input = Input::new(text.as_bytes());
        let holes = read_init(&mut input).ok()?;
        let start = read_turn(holes, &mut input).ok()?;
        Some(Box::new(PhotosynthesisContest { start: Some(start), ..self.clone() }))
    }

    /// From the start of seed 0: pairs of actions.
    fn perft(&self) -> Option<Box<dyn Perft + '_>> {
        let start = self.start.unwrap_or_else(|| map::start(0));
        Some(Box::new(GamePerft { start, ended: Ended::Dropped }))
    }

    fn searches(&self) -> Option<Box<dyn Searches>> {
        self.searches.map(|searches| searches())
    }
}

/// The referee's side of the protocol. A well-formed illegal action puts a player to sleep, as `WAIT` does; a malformed one
/// disqualifies, which ends the game with that turn.
#[derive(Debug, Clone, Copy)]
pub struct Lines;

impl Protocol<Board> for Lines {
    fn init(&self, history: &History<Board>, _: Seat) -> String {
        write_init(history.start())
    }

    fn turn(&self, history: &History<Board>, seat: Seat) -> String {
        write_turn(history.game(), Player::new(seat as u8))
    }

    fn read(&self, board: &Board, player: Player, answer: &str) -> Result<Action, Fault> {
        let action = read_answer(answer).ok_or(protocol::ANSWER)?;
        Ok(if board.is_legal(player, action) { action } else { Action::Wait })
    }

    fn write(&self, _: &Board, _: Player, action: Action) -> String {
        write_answer(action)
    }

    /// The platform shuffles the actions of each kind.
    fn unordered_lines(&self, history: &History<Board>, seat: Seat) -> usize {
        legal(history.game(), Player::new(seat as u8)).len()
    }

    fn reads_as_platform(&self) -> bool {
        true
    }

    /// Where one bot was disqualified, the other's action of that turn still counts, and at once its sun, and each of its
    /// trees: the platform takes a lone player's score for a tie.
    fn scores(&self, history: &History<Board>, failed: &[bool]) -> Vec<i64> {
        let mut board = *history.game();
        if failed.contains(&true) && !history.is_over() {
            board.turn([Player::FIRST, Player::SECOND].map(|player| history.chosen(player)));
        }
        let is_alone = failed.iter().filter(|&&failed| failed).count() == 1;
        let points = |player: Player| match failed[player.index()] {
            true => DISQUALIFIED,
            false if is_alone => i64::from(board.points_alone(player)),
            false => board.points()[player.index()].into(),
        };
        [Player::FIRST, Player::SECOND].map(points).to_vec()
    }
}

impl Notation for Board {
    type Kind = Simultaneous;

    /// An answer with underscores for blanks: `SEED_7_12`.
    fn name(&self, _: Player, action: Action) -> String {
        write_answer(action).replace(' ', "_")
    }

    fn words(&self, _: Player, action: Action) -> String {
        match action {
            Action::Wait => "wait".to_owned(),
            Action::Seed(tree, cell) => format!("seed from {tree} to {cell}"),
            Action::Grow(cell) => format!("grow the tree on {cell}"),
            Action::Complete(cell) => format!("complete {cell}"),
        }
    }

    fn draw(&self, last: Option<Choices<Action>>) -> Drawing {
        drawing::draw(self, last.as_ref())
    }

    fn quantities(&self) -> Vec<Quantity> {
        let both = [Player::FIRST, Player::SECOND];
        let trees = |player: Player| self.owned(player).count_ones();
        vec![
            Quantity::new("points", both.map(|player| self.score(player))),
            Quantity::new("sun", both.map(|player| self.sun(player))),
            Quantity::new("trees", both.map(trees)),
        ]
    }

    fn layout(&self) -> Layout {
        drawing::layout()
    }

    fn mark(&self, _: Player, action: Action) -> Vec<Shape> {
        drawing::mark(action)
    }

    fn points(&self, player: Player) -> i64 {
        Board::points(self)[player.index()].into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use contest::laws::{check_contest, check_joint_rules};

    fn game(seed: u64) -> Box<dyn Referee> {
        PHOTOSYNTHESIS.new_game(Setup { seed, opening_plies: 0, limits: PHOTOSYNTHESIS.limits() })
    }

    #[test]
    fn the_laws_hold() {
        check_joint_rules(map::start);
        check_contest(&PHOTOSYNTHESIS);
    }

    #[test]
    fn pairs_of_actions_are_counted() {
        // Both have two trees of size 1 and 2 sun, so the counts of seed 0 are squares at depth 1.
        let perft = PHOTOSYNTHESIS.perft().expect("counts");
        let own = legal(&map::start(0), Player::FIRST).len() as u64;
        assert_eq!((perft.count(0), perft.count(1)), (1, own * own));
    }

    #[test]
    fn what_is_not_legal_puts_to_sleep() {
        let mut referee = game(1);
        assert_eq!(referee.asked(), [0, 1]);
        assert_eq!(referee.move_of(0, "GROW 30 please").as_deref(), Ok("WAIT"), "the other's tree");
        referee.answer(0, "GROW 30").expect("an answer");
        referee.answer(1, "SEED 35 34 thanks").expect("an answer");
        assert_eq!((referee.asked(), referee.moves().as_str()), (vec![1], "WAIT+SEED_35_34"));
        assert!(referee.turn(1).starts_with("0\n20\n2 0\n2 0 1\n"), "{}", referee.turn(1));
    }

    #[test]
    fn what_is_malformed_disqualifies() {
        let mut referee = game(1);
        assert!(referee.answer(0, "GROW").is_err());
        referee.forfeit(0);
        assert_eq!(referee.asked(), [1]);
        referee.answer(1, "SEED 35 34").expect("an answer");
        // No sun is left over for a point; two trees and the seed are one each.
        assert_eq!((referee.asked(), referee.scores()), (vec![], vec![-1, 3]));
        let mut referee = game(1);
        referee.answer(0, "WAIT").expect("an answer");
        referee.forfeit(1);
        assert_eq!((referee.asked(), referee.scores()), (vec![], vec![2, -1]));
        let mut referee = game(1);
        [0, 1].into_iter().for_each(|seat| referee.forfeit(seat));
        assert_eq!((referee.asked(), referee.scores()), (vec![], vec![-1, -1]));
    }
}
