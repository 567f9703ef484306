//! Learning of the network of small boards.

use super::network::{squash, Network, Sums, BLOCK, CHUNK, TABLES};
use super::position::Boards;
use crate::loss::Loss;
use crate::model::Model;
use crate::parallel;
use crate::vectors::{add_to, fast};
use anyhow::bail;
use bots::uttt::pattern::network::{BOARDS, ENDED, FEATURES, OUT, PARTS, START, TURN, UNITS, WEIGHTS};

impl Model for Network {
    type Position = Boards;
    type Inputs = Vec<Boards>;

    fn inputs(&self, positions: &[Boards], _threads: usize) -> Vec<Boards> {
        positions.to_vec()
    }

    fn finish(&mut self) {
        self.touch_every_code();
    }

    fn estimate(&self, inputs: &Vec<Boards>, i: usize) -> f32 {
        squash(self.forward(&inputs[i]).1)
    }

    /// Slopes are those at the weights as the bot will have them, rounded; the steps add up in the exact ones. So the
    /// weights learn to be rounded (the straight-through estimator: Bengio, Léonard and Courville 2013).
    fn step(
        &mut self,
        inputs: &Vec<Boards>,
        batch: &[u32],
        targets: &[f32],
        loss: Loss,
        rate: f32,
        threads: usize,
    ) -> f64 {
        let exact = self.weights.clone();
        round(&mut self.weights);
        self.refresh();
        self.touch_all(inputs, batch, threads);
        let mut lanes = vec![[[0.0; UNITS]; 8]; batch.len()];
        let mut sums: Vec<Option<Sums>> = vec![None; batch.len().div_ceil(CHUNK)];
        let chunks = batch.chunks(CHUNK).zip(targets.chunks(CHUNK)).zip(lanes.chunks_mut(CHUNK));
        let jobs = chunks.zip(&mut sums).collect();
        parallel::each(jobs, threads, |(((batch, targets), lanes), sums)| {
            *sums = Some(fast(|| self.chunk(inputs, batch, targets, loss, lanes)));
        });
        let mut tables = std::mem::take(&mut self.tables);
        parallel::each(tables.iter_mut().enumerate().collect(), threads, |(t, table)| {
            fast(|| self.collect(t, table, inputs, batch, &lanes));
        });
        self.tables = tables;
        let mut across = vec![0.0; TABLES * BLOCK];
        for (t, across) in across.chunks_exact_mut(BLOCK).enumerate() {
            let block = &self.weights[BOARDS.range().start + t * BLOCK..][..BLOCK];
            (0..BLOCK).for_each(|i| across[i % UNITS * FEATURES + i / UNITS] = block[i]);
        }
        let mut below: Vec<Vec<f32>> = vec![Vec::new(); self.open.len().div_ceil(CHUNK)];
        parallel::each(self.open.chunks(CHUNK).zip(&mut below).collect(), threads, |(open, below)| {
            *below = fast(|| self.below(open, &across));
        });
        let mut slopes = vec![0.0; WEIGHTS];
        let mut cost = 0.0;
        for sums in sums.iter().flatten() {
            cost += sums.cost;
            add_to(&mut slopes[START.range()], sums.start.as_flattened());
            add_to(&mut slopes[OUT.range()], sums.out.as_flattened());
            add_to(&mut slopes[TURN.range()], &sums.turn);
        }
        below.iter().for_each(|below| add_to(&mut slopes[..below.len()], below));
        for (t, table) in self.tables.iter_mut().enumerate() {
            add_to(&mut slopes[BOARDS.range().start + t * BLOCK..][..BLOCK], &table.block);
            if t < 9 {
                add_to(&mut slopes[ENDED.range()][3 * t * UNITS..][..3 * UNITS], table.ended.as_flattened());
            }
            table.touched.iter().for_each(|&code| table.slopes[usize::from(code)] = [0.0; UNITS]);
        }
        slopes.iter_mut().for_each(|slope| *slope /= batch.len() as f32);
        self.weights = exact;
        self.descend(&slopes, rate);
        cost
    }

    fn state(&self) -> Vec<u8> {
        self.adam.write(&self.weights)
    }

    fn restore(&mut self, state: &[u8]) -> anyhow::Result<()> {
        self.adam.read(&mut self.weights, state)?;
        self.finish();
        Ok(())
    }

    fn pack(&self) -> Vec<u8> {
        self.weights.iter().zip(ones()).map(|(weight, one)| (weight * one).round() as i8 as u8).collect()
    }

    fn unpacked(&self, bytes: &[u8]) -> anyhow::Result<Network> {
        if bytes.len() != WEIGHTS {
            bail!("expected {WEIGHTS} bytes, one a weight, found {}", bytes.len());
        }
        let mut model = self.clone();
        for (weight, (&byte, one)) in model.weights.iter_mut().zip(bytes.iter().zip(ones())) {
            *weight = f32::from(byte as i8) / one;
        }
        model.finish();
        Ok(model)
    }
}

/// By weight: what stands for 1 in the packed form.
fn ones() -> impl Iterator<Item = f32> {
    PARTS.iter().flat_map(|part| part.range().map(|_| part.one as f32))
}

/// Rounds weights as their packed form does.
fn round(weights: &mut [f32]) {
    weights.iter_mut().zip(ones()).for_each(|(weight, one)| *weight = (*weight * one).round() / one);
}

#[cfg(test)]
mod tests {
    use bots::uttt::pattern::tables::{Tables, SCALE};
    use bots::uttt::Board;
    use coppice::{Evaluation, Game, Rng};

    use super::*;
    use crate::model::adam::DECAY;

    fn positions(games: u64) -> Vec<Board> {
        let mut boards = Vec::new();
        for game in 0..games {
            let (mut rng, mut board) = (Rng::new(game), Board::START);
            while let Some(cell) = board.random_move(&mut rng).filter(|_| !board.is_over()) {
                boards.push(board);
                board.play(cell);
            }
        }
        boards
    }

    #[test]
    fn the_bot_estimates_as_the_model_that_it_was_packed_from() {
        let model = Network::new(7);
        let packed = model.pack();
        let model = model.unpacked(&packed).unwrap();
        let tables = Tables::expand(&packed);
        let boards = positions(2);
        let inputs = boards.iter().map(Boards::new).collect();
        let mut largest = 0.0f32;
        for (i, board) in boards.iter().enumerate() {
            let estimate = tables.evaluate(board).value() as f32 / SCALE;
            let error = (squash(estimate) - model.estimate(&inputs, i)).abs();
            // Ten rows are rounded to 1/64 each, in 128 lanes.
            assert!(error < 0.1, "{error} in {board}");
            largest = largest.max(model.estimate(&inputs, i).abs());
        }
        assert!(largest > 0.05, "{largest}");
    }

    #[test]
    fn slopes_are_those_of_the_cost() {
        let boards: Vec<Boards> = positions(1).iter().map(Boards::new).collect();
        let batch: Vec<u32> = (0..boards.len() as u32).collect();
        let targets: Vec<f32> = batch.iter().map(|i| (i % 7) as f32 / 4.0 - 0.8).collect();
        let cost = |model: &mut Network| {
            model.refresh();
            model.touch_all(&boards, &batch, 1);
            let cost = |i: u32| {
                f64::from(Loss::Squared.cost(model.estimate(&boards, i as usize), targets[i as usize]))
            };
            batch.iter().map(|&i| cost(i)).sum::<f64>() / batch.len() as f64
        };
        let mut before = Network::new(3);
        round(&mut before.weights);
        let mut stepped = before.clone();
        let first = stepped.step(&boards, &batch, &targets, Loss::Squared, 0.0, 2) / batch.len() as f64;
        assert!((first - cost(&mut before.clone())).abs() < 1e-6);
        for part in PARTS {
            for at in [part.range().start, part.range().start + part.range().len() / 2, part.range().end - 1]
            {
                // Adam's mean after one step is a tenth of the slope.
                let slope = f64::from(stepped.adam.mean[at] / (1.0 - DECAY[0]));
                let d = 1e-2;
                let [up, down] = [d, -d].map(|d| {
                    let mut model = before.clone();
                    model.weights[at] += d;
                    cost(&mut model)
                });
                let rise = (up - down) / f64::from(2.0 * d);
                assert!((rise - slope).abs() < 2e-3 + 0.05 * rise.abs(), "weight {at}: {rise} and {slope}");
            }
        }
    }

    #[test]
    fn learning_lowers_the_cost_and_does_not_depend_on_threads() {
        let boards: Vec<Boards> = positions(4).iter().map(Boards::new).collect();
        let batch: Vec<u32> = (0..boards.len() as u32).collect();
        let targets: Vec<f32> = batch.iter().map(|i| if i % 2 == 0 { 0.5 } else { -0.5 }).collect();
        let mut outcomes = [1, 3].map(|threads| {
            let mut model = Network::new(3);
            let costs: Vec<f64> = (0..40)
                .map(|_| model.step(&boards, &batch, &targets, Loss::Squared, 0.01, threads))
                .collect();
            assert!(costs[39] < 0.5 * costs[0], "{costs:?}");
            model
        });
        assert_eq!(outcomes[0].state(), outcomes[1].state());
        let state = outcomes[0].state();
        let mut restored = Network::new(1);
        restored.restore(&state).unwrap();
        let next = restored.step(&boards, &batch, &targets, Loss::Squared, 0.01, 1);
        assert_eq!(next, outcomes[1].step(&boards, &batch, &targets, Loss::Squared, 0.01, 2));
        assert!(restored.restore(&state[1..]).is_err());
    }
}
