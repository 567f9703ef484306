//! Slopes against differences of costs, and threads.

use coppice::Rng;

use super::*;
use crate::model::adam::DECAY;

/// Three inputs of 128 in each view.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Points([u8; 6]);

impl Record for Points {
    const BYTES: usize = 6;

    fn write(&self, bytes: &mut Vec<u8>) {
        bytes.extend(self.0);
    }

    fn read(bytes: &[u8]) -> Option<Points> {
        bytes.try_into().ok().map(Points)
    }

    fn canonical(&self) -> Points {
        *self
    }
}

#[derive(Debug, Clone, Copy)]
struct AsTheyAre;

impl Views<2> for AsTheyAre {
    type Position = Points;

    fn views(position: &Points) -> [[u64; 2]; 2] {
        let mut views = [[0; 2]; 2];
        for (i, &point) in position.0.iter().enumerate() {
            views[i % 2][usize::from(point / 64 % 2)] |= 1 << (point % 64);
        }
        views
    }
}

fn positions() -> Vec<Points> {
    let mut rng = Rng::new(1);
    (0..60).map(|_| Points([0; 6].map(|_| rng.below(20) as u8 + 55))).collect()
}

fn slopes_are_right<const SECOND: usize, const THIRD: usize>() {
    let before = Sparse::<AsTheyAre, 2, 8, SECOND, THIRD>::new(3);
    let inputs = before.inputs(&positions(), 1);
    let batch: Vec<u32> = (0..60).collect();
    let targets: Vec<f32> = batch.iter().map(|i| (i % 7) as f32 / 4.0 - 0.8).collect();
    let cost = |model: &Sparse<AsTheyAre, 2, 8, SECOND, THIRD>| {
        let cost =
            |i: u32| f64::from(Loss::Squared.cost(model.estimate(&inputs, i as usize), targets[i as usize]));
        batch.iter().map(|&i| cost(i)).sum::<f64>() / 60.0
    };
    let mut stepped = before.clone();
    let first = stepped.step(&inputs, &batch, &targets, Loss::Squared, 0.0, 2) / 60.0;
    assert!((first - cost(&before)).abs() < 1e-6);
    let mut steep = 0;
    // Each third weight of the inputs that occur, and all behind them.
    let start = Sparse::<AsTheyAre, 2, 8, SECOND, THIRD>::START;
    for at in (55 * 8..75 * 8).step_by(3).chain(start..before.weights.len()) {
        // Adam's mean after one step is a tenth of the slope.
        let slope = f64::from(stepped.adam.mean[at] / (1.0 - DECAY[0]));
        let d = 5e-3;
        let [up, down] = [d, -d].map(|d| {
            let mut model = before.clone();
            model.weights[at] += d;
            cost(&model)
        });
        let rise = (up - down) / f64::from(2.0 * d);
        assert!((rise - slope).abs() < 5e-4 + 0.05 * rise.abs(), "weight {at}: {rise} and {slope}");
        steep += usize::from(rise.abs() > 1e-3);
    }
    assert!(steep > 50, "{steep}");
}

#[test]
fn slopes_are_those_of_the_cost_through_one_to_three_layers() {
    slopes_are_right::<0, 0>();
    slopes_are_right::<6, 0>();
    slopes_are_right::<6, 5>();
}

#[test]
fn inputs_that_never_occur_weigh_nothing_and_other_bytes_are_refused() {
    let mut model = Sparse::<AsTheyAre, 2, 8, 0, 0>::new(3);
    model.survey(&model.inputs(&positions(), 1));
    assert!(model.weights[..55 * 8].iter().all(|&weight| weight == 0.0));
    assert!(model.weights[60 * 8..70 * 8].iter().all(|&weight| weight != 0.0));
    let packed = model.pack();
    assert_eq!(model.unpacked(&packed).unwrap().pack(), packed);
    let error = model.unpacked(&packed[1..]).unwrap_err().to_string();
    assert!(error.contains("packed weights, found"), "{error}");
}
