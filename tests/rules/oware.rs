//! Tests the rules of Oware.

use std::collections::HashSet;

use bots::oware::board::MAX_PLIES;
use bots::oware::{Board, GrandSlam};
use contest::laws::cases;
use coppice::{Game, Player, Rng};

use super::assert_perft;

/// A slow implementation of the rules on a plain array, one seed at a time.
#[derive(Clone)]
struct Slow {
    rule: GrandSlam,
    /// The first player's holes, then the second's.
    holes: [u32; 12],
    captured: [u32; 2],
    to_move: usize,
    plies: u32,
    is_over: bool,
    /// Holes and mover since the last capture.
    seen: HashSet<([u32; 12], usize)>,
}

impl Slow {
    fn new(rule: GrandSlam) -> Slow {
        let holes = [4; 12];
        let seen = HashSet::from([(holes, 0)]);
        Slow { rule, holes, captured: [0; 2], to_move: 0, plies: 0, is_over: false, seen }
    }

    fn row(&self, player: usize) -> u32 {
        self.holes[6 * player..6 * player + 6].iter().sum()
    }

    /// The holes after sowing and capturing, the seeds captured, and whether that was or would be a grand slam.
    fn sow(&self, hole: usize) -> ([u32; 12], u32, bool) {
        let mut holes = self.holes;
        let from = 6 * self.to_move + hole;
        let mut place = from;
        for _ in 0..std::mem::take(&mut holes[from]) {
            place = (place + 1) % 12;
            if place == from {
                place = (place + 1) % 12;
            }
            holes[place] += 1;
        }
        let sown = holes;
        let other = 6 * (1 - self.to_move);
        let mut captured = 0;
        while (other..other + 6).contains(&place) && (2..=3).contains(&holes[place]) {
            captured += std::mem::take(&mut holes[place]);
            place = (place + 11) % 12;
        }
        let is_slam = captured > 0 && holes[other..other + 6].iter().all(|&seeds| seeds == 0);
        match self.rule {
            GrandSlam::CapturesNothing if is_slam => (sown, 0, true),
            _ => (holes, captured, is_slam),
        }
    }

    fn moves(&self) -> Vec<u8> {
        let is_legal = |hole: &usize| {
            let (_, _, is_slam) = self.sow(*hole);
            // By sowing, whatever is captured then: from hole 5 one seed is enough, from hole 0 it takes six.
            let seeds = self.holes[6 * self.to_move + hole] as usize;
            let feeds = self.row(1 - self.to_move) > 0 || *hole + seeds >= 6;
            seeds > 0 && feeds && !(self.rule == GrandSlam::Forbidden && is_slam)
        };
        (0..6).filter(|hole| !self.is_over && is_legal(hole)).map(|hole| hole as u8).collect()
    }

    fn play(&mut self, hole: usize) {
        let (holes, captured, _) = self.sow(hole);
        self.holes = holes;
        self.captured[self.to_move] += captured;
        if captured > 0 {
            self.seen.clear();
        }
        let has_won = self.captured[self.to_move] >= 25;
        self.to_move = 1 - self.to_move;
        self.plies += 1;
        let comes_round = !self.seen.insert((self.holes, self.to_move));
        if has_won {
            self.is_over = true;
        } else if self.plies == u32::from(MAX_PLIES) || comes_round || self.moves().is_empty() {
            for player in 0..2 {
                self.captured[player] += self.row(player);
            }
            self.holes = [0; 12];
            self.is_over = true;
        }
    }
}

fn shown(board: &Board) -> ([u32; 12], [u32; 2]) {
    let players = [Player::FIRST, Player::SECOND];
    let holes = std::array::from_fn(|i| board.seeds(players[i / 6], (i % 6) as u32));
    (holes, players.map(|player| board.captured(player)))
}

fn listed(board: &Board) -> Vec<u8> {
    let mut list = coppice::List::default();
    board.moves(&mut list);
    list.to_vec()
}

const RULES: [GrandSlam; 3] = [GrandSlam::CapturesNothing, GrandSlam::Forbidden, GrandSlam::Captures];

#[test]
fn games_match_the_reference_rules() {
    let mut rng = Rng::new(5);
    let (mut slams, mut repeated, mut starved) = (0, 0, 0);
    for game in 0..cases(6_000) {
        let rule = RULES[game % 3];
        let (mut board, mut slow) = (Board::new(rule), Slow::new(rule));
        // Every second game avoids captures, so that positions come round.
        let is_quiet = game % 2 == 0;
        loop {
            let moves = slow.moves();
            assert_eq!((listed(&board), board.is_over()), (moves.clone(), slow.is_over), "{board:?}");
            assert_eq!((board.count_moves(), shown(&board)), (moves.len(), (slow.holes, slow.captured)));
            if moves.is_empty() {
                break;
            }
            let quiet: Vec<u8> = moves.iter().copied().filter(|&m| slow.sow(m.into()).1 == 0).collect();
            let pool = if is_quiet && !quiet.is_empty() { &quiet } else { &moves };
            let hole = pool[rng.below(pool.len() as u32) as usize];
            slams += u32::from(slow.sow(hole.into()).2);
            board.play(hole);
            slow.play(hole.into());
        }
        assert_eq!(board.payoff(Player::FIRST).0, slow.captured[0] as i32 - slow.captured[1] as i32);
        let is_swept = slow.captured.iter().sum::<u32>() == 48;
        repeated +=
            u32::from(is_swept && board.plies() < MAX_PLIES && slow.seen.len() < usize::from(board.plies()));
        starved += u32::from(is_swept);
    }
    assert!(slams > 10 && repeated > 10 && starved > 10, "{slams} {repeated} {starved}");
}

/// Counted by the slow rules.
fn count(game: &Slow, depth: u32) -> u64 {
    let moves = game.moves();
    if depth == 1 {
        return moves.len() as u64;
    }
    let after = |&hole: &u8| {
        let mut next = game.clone();
        next.play(hole.into());
        count(&next, depth - 1)
    };
    moves.iter().map(after).sum()
}

#[test]
fn perft_agrees_with_the_reference_rules() {
    for rule in RULES {
        let counts: Vec<u64> = (1..=6).map(|depth| count(&Slow::new(rule), depth)).collect();
        assert_perft(&Board::new(rule), &counts);
    }
}

/// Depths 1 to 10. Up to depth 6 the reference rules count the same.
const PERFT: [u64; 10] = [6, 36, 190, 1_014, 5_219, 27_332, 139_157, 711_414, 3_592_872, 18_137_964];

#[test]
fn perft() {
    assert_perft(&Board::new(GrandSlam::CapturesNothing), &PERFT[..8]);
}

#[test]
#[ignore = "deep"]
fn perft_is_deep() {
    assert_perft(&Board::new(GrandSlam::CapturesNothing), &PERFT);
}
