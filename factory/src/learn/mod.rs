//! Learning: passes over the positions, each in another order, with a rate that falls.
//!
//! After each pass the state is written, so that a run that is interrupted goes on after the last whole pass, and
//! ends as if it had not been. The outcome follows from the games and the [`Recipe`], whatever the number of threads.

pub mod picture;
#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};

use anyhow::{bail, Context, Result};
use coppice::rng::mix;
use coppice::Rng;
use serde::{Deserialize, Serialize};

use crate::data::generation::Generation;
use crate::data::set::{Set, Sets};
use crate::file;
use crate::loss::Loss;
use crate::model::Model;
use crate::origin::{self, LEARNT};
use crate::progress::Progress;
use crate::recipe::{shuffle, Recipe, Stage};
use crate::subject::Subject;

/// The losses after a pass, per position.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Point {
    /// On the positions that were learnt from, during the pass.
    pub learnt: f64,
    /// On those kept apart, after it.
    pub apart: f64,
}

/// Mean losses on the positions kept apart, before and after the weights are rounded.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Rounding {
    /// As learnt.
    pub learnt: f64,
    /// Packed.
    pub packed: f64,
}

/// The progress of a run of learning.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Course {
    /// The game; older files don't have it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub game: Option<String>,
    /// The digest of games and recipe.
    pub digest: String,
    /// How it learns.
    pub recipe: Recipe,
    /// The games learnt from.
    pub games: u64,
    /// The positions learnt from.
    pub positions: usize,
    /// The positions kept apart.
    pub apart: usize,
    /// The losses after each pass.
    pub points: Vec<Point>,
    /// Set after the last pass of the last stage.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rounding: Option<Rounding>,
}

/// The files of a run of learning.
#[derive(Debug, Clone)]
pub struct Files {
    folder: PathBuf,
}

impl Files {
    /// The files in a game's folder.
    ///
    /// # Errors
    /// If the folder can't be created.
    pub fn new(data: &Path) -> Result<Files> {
        let folder = data.join(LEARNT);
        std::fs::create_dir_all(&folder)
            .with_context(|| format!("{}: cannot be created", folder.display()))?;
        Ok(Files { folder })
    }

    /// The packed weights that a course has learnt, by its digest: rounds play with them.
    pub fn weights(&self, digest: &str) -> PathBuf {
        self.folder.join(format!("weights-{digest:.16}.bin"))
    }

    /// The curves, as a picture.
    pub fn picture(&self) -> PathBuf {
        self.folder.join("losses.svg")
    }

    /// Writes course and state in one file, so that they belong together whatever happens.
    fn write(&self, course: &Course, state: &[u8]) -> Result<()> {
        let mut bytes = serde_json::to_vec(course).context("a course has a form in JSON")?;
        bytes.push(b'\n');
        bytes.extend(state);
        file::write(&self.folder.join("state.bin"), &bytes)?;
        file::write(&self.picture(), picture::draw(course).as_bytes())
    }

    /// The last course of `game` and its state; `None` if nothing has been learnt.
    ///
    /// # Errors
    /// If the file can't be read, has another form or is of another game.
    pub fn read(&self, game: &str) -> Result<Option<(Course, Vec<u8>)>> {
        let path = self.folder.join("state.bin");
        let bytes = match std::fs::read(&path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error).with_context(|| format!("{}: cannot be read", path.display())),
        };
        let expected =
            || format!("{}: expected a line of JSON and a model's state; remove the file", path.display());
        let end = bytes.iter().position(|&byte| byte == b'\n').with_context(expected)?;
        let course = serde_json::from_slice::<Course>(&bytes[..end]).with_context(expected)?;
        if let Some(other) = course.game.as_ref().filter(|&other| other != game) {
            bail!("{}: expected what was learnt for {game}, found a course of {other}", path.display());
        }
        Ok(Some((course, bytes[end + 1..].to_vec())))
    }
}

/// The packed weights to begin with.
fn first<S: Subject>(recipe: &Recipe) -> Result<Option<Vec<u8>>> {
    recipe.from.as_ref().map(|path| origin::read(path, S::NAME)).transpose()
}

/// The generations that a recipe learns from, the oldest first.
fn generations<S: Subject>(data: &Path, recipe: &Recipe) -> Result<Vec<Generation>> {
    let mut generations = Generation::all(data, S::NAME)?;
    generations.truncate(recipe.latest.map_or(usize::MAX, |latest| latest as usize));
    let first = generations.len().saturating_sub(recipe.generations as usize);
    generations.drain(..first);
    Ok(generations)
}

/// Names what a course learns: the digest of its games, its recipe and the weights that it begins with.
///
/// # Errors
/// If files can't be read.
pub fn digest<S: Subject>(data: &Path, recipe: &Recipe) -> Result<String> {
    digest_of(&generations::<S>(data, recipe)?, recipe, first::<S>(recipe)?.as_deref())
}

fn digest_of(generations: &[Generation], recipe: &Recipe, first: Option<&[u8]>) -> Result<String> {
    // Where the first weights are doesn't matter, nor which generations may follow.
    let named = Recipe { from: None, latest: None, ..recipe.clone() };
    let mut text = serde_json::to_string(&named).context("a recipe has a form in JSON")?;
    first.into_iter().for_each(|bytes| text += &file::digest(bytes));
    for generation in generations {
        text += &format!("\n{:?} {:?}", generation.manifest, generation.shards()?);
    }
    Ok(file::digest(text.as_bytes()))
}

/// The positions that a recipe learns from.
///
/// # Errors
/// If no position is found, or shards can't be read.
pub fn sets<S: Subject>(data: &Path, recipe: &Recipe) -> Result<(Sets<S::Position>, Vec<Generation>)> {
    let generations = generations::<S>(data, recipe)?;
    let sets = Sets::read::<S>(&generations)?;
    if sets.learnt.is_empty() || sets.apart.is_empty() {
        bail!(
            "{}: expected games to learn from, found {} positions and {} to keep apart, in \
             files of their own; play more by the step `generate`, at least two files (--games-per-shard)",
            data.display(),
            sets.learnt.len(),
            sets.apart.len()
        );
    }
    Ok((sets, generations))
}

/// Learns, from the last whole pass of the same course on, and returns the model.
///
/// # Errors
/// If files can't be read or written.
pub fn learn<S: Subject>(
    subject: &S,
    data: &Path,
    recipe: &Recipe,
    threads: usize,
) -> Result<(S::Model, Course)> {
    learn_until(subject, data, recipe, threads, |_| false)
}

/// Learns until a condition on the course so far is met.
fn learn_until<S: Subject>(
    subject: &S,
    data: &Path,
    recipe: &Recipe,
    threads: usize,
    is_enough: impl Fn(&Course) -> bool,
) -> Result<(S::Model, Course)> {
    let files = Files::new(data)?;
    let (sets, generations) = sets::<S>(data, recipe)?;
    let first = first::<S>(recipe)?;
    let mut course = begin::<S>(&sets, &generations, recipe, first.as_deref())?;
    let mut model = subject.model(recipe.seed);
    let inputs = model.inputs(&sets.learnt.positions, threads);
    let apart = Apart::new(&model, &sets.apart, recipe, threads);
    model.survey(&inputs);
    let loss = recipe.loss();
    match files.read(S::NAME)? {
        Some((before, state)) if before.digest == course.digest => {
            model.restore(&state)?;
            course = before;
        }
        _ => {
            if let (Some(bytes), Some(path)) = (&first, &recipe.from) {
                model = model.unpacked(bytes).with_context(|| path.display().to_string())?;
                model.survey(&inputs);
            } else {
                let share = recipe.stages.first().map_or(0.0, |stage| stage.share);
                model.prepare(&inputs, &sets.learnt.targets(share, recipe.widest), loss, threads);
            }
        }
    }
    eprintln!("{} positions of {} games, {} kept apart", course.positions, course.games, course.apart);
    let mut before = 0;
    for (number, stage) in recipe.stages.iter().enumerate() {
        let first = before;
        before += stage.epochs;
        let done = (course.points.len() as u32).saturating_sub(first).min(stage.epochs);
        if done == stage.epochs {
            continue;
        }
        let chosen = sets.learnt.chosen(stage.aside);
        let targets = sets.learnt.targets(stage.share, recipe.widest);
        let count = chosen.len();
        let total = u64::from(stage.epochs) * count as u64;
        let progress = Progress::new("positions", total, u64::from(done) * count as u64);
        if recipe.stages.len() > 1 {
            progress.say(format!("stage {} of {}: {count} positions", number + 1, recipe.stages.len()));
        }
        for epoch in done..stage.epochs {
            let mut order = chosen.clone();
            shuffle(&mut order, &mut Rng::new(mix(recipe.seed ^ mix((first + epoch).into()))));
            let mut sum = 0.0;
            for (i, batch) in order.chunks(stage.batch.max(1) as usize).enumerate() {
                let done = (epoch as usize * count + i * stage.batch as usize) as f32 / total as f32;
                let targets: Vec<f32> = batch.iter().map(|&at| targets[at as usize]).collect();
                sum += model.step(&inputs, batch, &targets, loss, stage.rate_after(done), threads);
                progress.advance(batch.len() as u64);
            }
            model.finish();
            let point = Point { learnt: sum / count as f64, apart: apart.error(&model, stage, loss) };
            course.points.push(point);
            progress.say(format!("loss {:.4}, apart {:.4}", point.learnt, point.apart));
            files.write(&course, &model.state())?;
            if is_enough(&course) {
                progress.end();
                return Ok((model, course));
            }
        }
        progress.end();
    }
    if course.rounding.is_none() {
        // Here the positions are in memory: whoever checks or packs doesn't read them again.
        let stage = recipe.stages.last().context("expected a recipe with a stage")?;
        let packed = model.unpacked(&model.pack())?;
        let error = |model: &S::Model| apart.error(model, stage, loss);
        course.rounding = Some(Rounding { learnt: error(&model), packed: error(&packed) });
        files.write(&course, &model.state())?;
    }
    Ok((model, course))
}

/// The positions kept apart, to measure a model by.
#[derive(Debug)]
pub struct Apart<'a, M: Model> {
    set: &'a Set<M::Position>,
    inputs: M::Inputs,
    widest: f32,
}

impl<'a, M: Model> Apart<'a, M> {
    /// The positions kept apart, with a recipe's targets.
    pub fn new(model: &M, set: &'a Set<M::Position>, recipe: &Recipe, threads: usize) -> Apart<'a, M> {
        Apart { set, inputs: model.inputs(&set.positions, threads), widest: recipe.widest }
    }

    /// The mean loss of a model's estimates, over the positions and targets of a stage.
    pub fn error(&self, model: &M, stage: &Stage, loss: Loss) -> f64 {
        let (chosen, targets) = (self.set.chosen(stage.aside), self.set.targets(stage.share, self.widest));
        let cost =
            |&i: &u32| f64::from(loss.cost(model.estimate(&self.inputs, i as usize), targets[i as usize]));
        chosen.iter().map(cost).sum::<f64>() / chosen.len().max(1) as f64
    }
}

/// A course before its first pass.
fn begin<S: Subject>(
    sets: &Sets<S::Position>,
    generations: &[Generation],
    recipe: &Recipe,
    first: Option<&[u8]>,
) -> Result<Course> {
    let mut games = 0;
    for generation in generations {
        games += generation.shards()?.len() as u64 * generation.manifest.games_per_shard;
    }
    let digest = digest_of(generations, recipe, first)?;
    let (positions, apart) = (sets.learnt.len(), sets.apart.len());
    Ok(Course {
        game: Some(S::NAME.to_owned()),
        digest,
        recipe: recipe.clone(),
        games,
        positions,
        apart,
        points: Vec::new(),
        rounding: None,
    })
}
