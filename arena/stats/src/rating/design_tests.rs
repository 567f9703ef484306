use coppice::rng::Rng;

use super::design::Design;
use super::{Meeting, Meetings, Outcome, Ratings};

/// A game between two bots whose strengths, in natural units, are known; one in five between equals is drawn.
fn outcome(difference: f64, rng: &mut Rng) -> Outcome {
    let (win, draw, loss) = ((difference / 2.0).exp(), 0.5, (-difference / 2.0).exp());
    let drawn = f64::from(rng.below(1 << 30)) / f64::from(1 << 30) * (win + draw + loss);
    match drawn {
        x if x < win => Outcome::Win,
        x if x < win + draw => Outcome::Draw,
        _ => Outcome::Loss,
    }
}

/// A group: each pair of the line-up meets once in each rotation.
fn play(meetings: &mut Meetings, truth: &[f64], lineup: &[usize], rng: &mut Rng) {
    let size = lineup.len();
    let mut group = Vec::new();
    for order in 0..size {
        for seat in 0..size {
            for other in 0..seat {
                let [a, b] = [seat, other].map(|place| lineup[(place + order) % size]);
                let outcome = outcome(truth[a] - truth[b], rng);
                group.push(Meeting { bots: [a, b], seats: [seat, other], outcome });
            }
        }
    }
    meetings.add_group(group);
}

fn pairs_of(bots: usize) -> Vec<[usize; 2]> {
    (0..bots).flat_map(|a| (a + 1..bots).map(move |b| [a, b])).collect()
}

/// A pool of eight bots that have met often; bot 8 is new.
fn pool(newcomer: f64, rng: &mut Rng) -> (Vec<f64>, Meetings) {
    let truth = [&[-1.5, -1.0, -0.6, -0.2, 0.1, 0.5, 0.9, 1.4][..], &[newcomer]].concat();
    let mut meetings = Meetings::new(9, 2);
    for pair in pairs_of(8).iter().cycle().take(28 * 30) {
        play(&mut meetings, &truth, pair, rng);
    }
    (truth, meetings)
}

/// The games until the newcomer's interval is narrower than `elo` to both sides; groups come from `next`.
fn games_until(
    newcomer: f64,
    error: f64,
    seed: u32,
    mut next: impl FnMut(&Meetings, u32) -> Vec<Vec<usize>>,
) -> u32 {
    let mut rng = Rng::new(seed.into());
    let (truth, mut meetings) = pool(newcomer, &mut rng);
    let mut games = 0;
    for batch in 0.. {
        for lineup in next(&meetings, batch) {
            play(&mut meetings, &truth, &lineup, &mut rng);
            games += 2;
            // Fits are slow in debug builds.
            if games % 8 == 0 && Ratings::of(&meetings).rating(8).error() < error {
                return games;
            }
        }
    }
    games
}

fn adaptive(meetings: &Meetings, _: u32) -> Vec<Vec<usize>> {
    let mut design = Design::new(&Ratings::of(meetings), &(0..9).collect::<Vec<_>>());
    (0..8).filter_map(|_| design.next(2, 2)).collect()
}

#[test]
fn a_newcomer_is_placed_in_fewer_games_than_in_a_round_robin_or_a_gauntlet() {
    let (mut rated, mut robin, mut gauntlet) = (0, 0, 0);
    for (seed, newcomer) in [(2, -0.4), (4, 1.0), (6, 3.0)] {
        rated += games_until(newcomer, 60.0, seed, adaptive);
        robin +=
            games_until(newcomer, 60.0, seed, |_, _| pairs_of(9).iter().map(|pair| pair.to_vec()).collect());
        gauntlet += games_until(newcomer, 60.0, seed, |_, _| (0..8).map(|bot| vec![bot, 8]).collect());
    }
    println!("games until ±60 Elo: {rated} chosen, {robin} round robin, {gauntlet} gauntlet");
    assert!(3 * rated < 2 * robin, "{rated} against {robin}");
    assert!(rated < gauntlet, "{rated} against {gauntlet}");
}

#[test]
fn an_uncertain_bot_plays_one_to_which_it_may_be_equal() {
    let mut rng = Rng::new(7);
    let (truth, mut meetings) = pool(1.4, &mut rng);
    for opponent in [3, 5, 7, 7, 7, 7] {
        (0..4).for_each(|_| play(&mut meetings, &truth, &[opponent, 8], &mut rng));
    }
    let ratings = Ratings::of(&meetings);
    let mut design = Design::new(&ratings, &(0..9).collect::<Vec<_>>());
    let before = design.uncertainty();
    let pair = design.next(2, 2).unwrap();
    assert_eq!(pair[1], 8);
    let nearest = (0..8).min_by(|&a, &b| {
        let distance = |bot: usize| ratings.difference(bot, 8).mean.abs();
        distance(a).total_cmp(&distance(b))
    });
    let distance = |bot: usize| ratings.difference(bot, 8).mean.abs();
    assert!(distance(pair[0]) < distance(nearest.unwrap()) + 100.0, "{pair:?}, nearest {nearest:?}");
    assert!(design.uncertainty() < before);
}

#[test]
fn bots_that_are_left_out_do_not_play_and_equals_take_turns() {
    let mut design = Design::new(&Ratings::of(&Meetings::new(6, 2)), &[0, 2, 3, 5]);
    let chosen = (0..6).map(|_| design.next(2, 2).unwrap()).collect::<Vec<_>>();
    assert_eq!(chosen[..2], [[0, 2], [3, 5]]);
    assert!(chosen.iter().flatten().all(|bot| [0, 2, 3, 5].contains(bot)), "{chosen:?}");
    for bot in [0, 2, 3, 5] {
        assert!(chosen.iter().filter(|pair| pair.contains(&bot)).count() >= 2, "{chosen:?}");
    }
    let four = Design::new(&Ratings::of(&Meetings::new(6, 4)), &[0, 1, 2, 3, 4, 5]).next(4, 4).unwrap();
    assert!(four.len() == 4 && four.windows(2).all(|pair| pair[0] < pair[1]), "{four:?}");
    assert_eq!(Design::new(&Ratings::of(&Meetings::new(3, 4)), &[0, 1, 2]).next(4, 4), None);
}

/// Groups that are planned but not yet played count.
#[test]
fn an_expected_group_is_not_chosen_again_at_once() {
    let ratings = Ratings::of(&Meetings::new(4, 2));
    let mut design = Design::new(&ratings, &[0, 1, 2, 3]);
    design.expect(&[0, 1], 2);
    assert_eq!(design.next(2, 2), Some(vec![2, 3]));
}

#[test]
fn games_of_several_seats_place_a_newcomer_too() {
    let mut rng = Rng::new(3);
    let truth = [-1.0, -0.5, 0.0, 0.5, 1.0, 0.4];
    let mut meetings = Meetings::new(6, 3);
    for lineup in [[0, 1, 2], [2, 3, 4], [0, 2, 4], [1, 3, 4]].iter().cycle().take(80) {
        play(&mut meetings, &truth, lineup, &mut rng);
    }
    let before = Ratings::of(&meetings).rating(5).error();
    let mut design = Design::new(&Ratings::of(&meetings), &[0, 1, 2, 3, 4, 5]);
    let plan = (0..8).map(|_| design.next(3, 3).unwrap()).collect::<Vec<_>>();
    assert!(plan.iter().filter(|lineup| lineup.contains(&5)).count() >= 6, "{plan:?}");
    plan.iter().for_each(|lineup| play(&mut meetings, &truth, lineup, &mut rng));
    assert!(Ratings::of(&meetings).rating(5).error() < before / 3.0);
}
