//! Tests that the fitted ratings solve the model's equations.

use coppice::rng::Rng;

use super::*;

/// The derivatives of the posterior's logarithm, from the formulas of the model.
fn derivatives(meetings: &Meetings, x: &DVector<f64>, shape: Shape) -> Vec<f64> {
    let deviations = [(RATING_PRIOR, shape.bots), (SEAT_PRIOR, shape.seats), (DRAWS_PRIOR, 1)];
    let deviations = deviations.iter().flat_map(|&(sd, count)| vec![sd; count]);
    let centre = |at: usize| if at == shape.draws() { DRAWS_CENTRE } else { 0.0 };
    let mut sum: Vec<f64> = deviations.enumerate().map(|(at, sd)| (centre(at) - x[at]) / (sd * sd)).collect();
    for (group, count) in meetings.groups() {
        for &Meeting { bots: [a, b], seats: [s, t], outcome } in group {
            let difference = x[a] - x[b] + x[shape.bots + s] - x[shape.bots + t];
            let (win, draw, loss) =
                ((difference / 2.0).exp(), x[shape.draws()].exp(), (-difference / 2.0).exp());
            let total = win + draw + loss;
            let surprise = count as f64 * (outcome.points() - (win + draw / 2.0) / total);
            sum[a] += surprise;
            sum[b] -= surprise;
            sum[shape.bots + s] += surprise;
            sum[shape.bots + t] -= surprise;
            let drawn = f64::from(u8::from(outcome == Outcome::Draw));
            sum[shape.draws()] += count as f64 * (drawn - draw / total);
        }
    }
    sum
}

/// Groups of these results, on seats in turn, and their counts.
type Groups<'a> = [(&'a [([usize; 2], Outcome)], u64)];

fn meetings(bots: usize, seats: usize, groups: &Groups<'_>) -> Meetings {
    let mut meetings = Meetings::new(bots, seats);
    for &(group, count) in groups {
        let meeting = |(at, &(bots, outcome)): (usize, &([usize; 2], Outcome))| {
            let seats = [at % seats, (at + 1) % seats];
            Meeting { bots, seats, outcome }
        };
        meetings.add_groups(group.iter().enumerate().map(meeting), count);
    }
    meetings
}

/// An accepted fit solves the equation of the maximum, however lopsided and however many the games are.
#[test]
fn ratings_solve_their_equation() {
    use Outcome::{Draw, Loss, Win};
    let mut cases = vec![meetings(1, 1, &[]), meetings(3, 2, &[])];
    for count in [1, 1_000, 1_000_000, 1_000_000_000] {
        cases.extend([
            meetings(2, 2, &[(&[([0, 1], Win)], count)]),
            meetings(2, 2, &[(&[([0, 1], Draw), ([1, 0], Draw)], count)]),
            meetings(
                2,
                2,
                &[(&[([0, 1], Win), ([1, 0], Loss)], count), (&[([0, 1], Draw), ([1, 0], Win)], 1)],
            ),
            // A chain, a pair apart from it, and one without games.
            meetings(
                6,
                2,
                &[
                    (&[([0, 1], Win)], count),
                    (&[([1, 2], Win)], 7),
                    (&[([3, 4], Loss)], count),
                    (&[([4, 3], Draw)], 1),
                ],
            ),
            // A cycle on three seats.
            meetings(3, 3, &[(&[([0, 1], Win), ([1, 2], Win), ([2, 0], Win)], count)]),
        ]);
    }
    let mut rng = Rng::new(6);
    for _ in 0..40 {
        let mut random = Meetings::new(5, 4);
        for _ in 0..rng.below(20) {
            let a = rng.below(4) as usize;
            let bots = [a, a + 1 + rng.below(4 - a as u32) as usize];
            let seats = [0, 1].map(|_| rng.below(4) as usize);
            let outcome = [Win, Draw, Loss][rng.below(3) as usize];
            random.add_groups([Meeting { bots, seats, outcome }], 10u64.pow(rng.below(8)));
        }
        cases.push(random);
    }
    for meetings in &cases {
        let shape = Shape { bots: meetings.bots(), seats: meetings.seats() };
        let found = most_likely(meetings, &shape.prior(), shape);
        let games: u64 = meetings.groups().map(|(group, count)| group.len() as u64 * count).sum();
        for derivative in derivatives(meetings, &found, shape) {
            assert!(derivative.abs() <= 1e-8 + 1e-9 * games as f64, "{derivative} {meetings:?}");
        }
        if meetings.bots() > 1 {
            // With the first two tied, the others are in balance, and the tie holds the rest.
            let Pull { score, variance } = pull(meetings, [0, 1], 0.3);
            assert!(score.is_finite() && variance > 0.0, "{score} {variance} {meetings:?}");
        }
    }
}
