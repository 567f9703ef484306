//! The steps, each of which prints what it has done.

use std::path::{Path, PathBuf};

use anyhow::{bail, ensure, Context, Result};
use coppice_arena::{cluster, Sprt, SprtModel, Verdict};
use serde::Serialize;

use crate::data::generation::Generation;
use crate::data::manifest::Manifest;
use crate::data::shared::Shards;
use crate::file;
use crate::learn::{self, Course, Files, Rounding};
use crate::model::Model;
use crate::options::{Options, Step};
use crate::origin;
use crate::proof::{compare, Conditions, Proof};
use crate::recipe::{Recipe, Stage};
use crate::subject::{Players, Subject, Weights};

/// By how much of itself the loss may grow by rounding.
const ROUNDING: f64 = 0.005;
/// Error rates of the tests.
const ERRORS: f64 = 0.05;

/// How a step ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// As it should.
    Fine,
    /// A check or a proof failed.
    Refuted,
}

/// Where weights come from: stands beside them in the repository.
#[derive(Debug, Clone, PartialEq, Serialize)]
struct Provenance<'a> {
    game: &'a str,
    command: String,
    commit: String,
    /// SHA-256 digests.
    weights: String,
    before: String,
    games: u64,
    positions: usize,
    recipe: &'a Recipe,
    /// Mean losses of the positions kept apart.
    loss: Rounding,
}

/// The packed weights of a game in a file, or `none`.
fn weights<S: Subject>(path: &Path) -> Result<Vec<u8>> {
    if path.as_os_str() == "none" {
        return Ok(Vec::new());
    }
    origin::read(path, S::NAME)
}

/// A run of the program for one game.
#[derive(Debug)]
pub struct Run<'a, S> {
    subject: &'a S,
    options: &'a Options,
    recipe: Recipe,
    /// How to learn in rounds.
    again: Stage,
    /// The packed weights that play the first games.
    first: Vec<u8>,
    data: PathBuf,
    weights: PathBuf,
    threads: usize,
}

impl<'a, S: Subject> Run<'a, S> {
    /// A run with these options.
    ///
    /// # Errors
    /// If the folder of games can't be created, or isn't there for a step that reads it; if that of the weights isn't there for all
    /// steps.
    pub fn new(subject: &'a S, options: &'a Options) -> Result<Self> {
        let data = options.data.clone().unwrap_or_else(|| PathBuf::from("../coppice-games").join(S::NAME));
        let weights_file = options.weights.clone().unwrap_or_else(|| S::WEIGHTS.into());
        if matches!(options.step, None | Some(Step::Generate)) {
            std::fs::create_dir_all(&data)
                .with_context(|| format!("{}: cannot be created", data.display()))?;
        } else if options.step != Some(Step::Prove) && !data.is_dir() {
            bail!("{}: no such folder of games; the step `generate` makes it (--data)", data.display());
        }
        // Learning may take a day: a folder that isn't there is an error before. A worker writes no weights.
        let folder = weights_file.parent().filter(|folder| !folder.as_os_str().is_empty());
        if let Some(folder) = folder.filter(|_| options.step.is_none() && !options.cluster.is_worker()) {
            let why = "no such folder; run it in the repository's root, or say where (--weights FILE)";
            ensure!(folder.is_dir(), "{}: {why}", weights_file.display());
        }
        let usual = subject.recipe();
        let stage = |usual: Stage| Stage {
            epochs: options.epochs.unwrap_or(usual.epochs),
            batch: options.batch.unwrap_or(usual.batch),
            rate: options.rate.unwrap_or(usual.rate),
            share: options.share.unwrap_or(usual.share),
            aside: options.aside.unwrap_or(usual.aside),
        };
        let stages = if options.from.is_some() { vec![subject.again()] } else { usual.stages };
        let recipe = Recipe {
            from: options.from.clone(),
            stages: stages.into_iter().map(stage).collect(),
            scale: options.scale.or(usual.scale),
            widest: options.widest.unwrap_or(usual.widest),
            generations: options.generations.unwrap_or(usual.generations),
            latest: None,
            seed: options.seed,
        };
        let again = stage(subject.again());
        let first = match &options.with {
            Some(path) => weights::<S>(path)?,
            None => subject.weights().to_vec(),
        };
        let cores = || std::thread::available_parallelism().map_or(1, usize::from);
        Ok(Run {
            subject,
            options,
            recipe,
            again,
            first,
            data,
            weights: weights_file,
            threads: options.threads.unwrap_or_else(cores),
        })
    }

    fn print(&self, text: String, json: impl Serialize) -> Result<()> {
        if self.options.json {
            println!("{}", serde_json::to_string(&json).context("a result has a form in JSON")?);
        } else {
            println!("{text}");
        }
        Ok(())
    }

    /// All steps, one after another. What was learnt plays the games of each later round, which goes on learning from
    /// them.
    ///
    /// # Errors
    /// Those of the steps.
    pub fn all(&self) -> Result<Outcome> {
        let (mut playing, mut rival) = (self.first.clone(), None::<Vec<u8>>);
        let mut recipe = self.recipe.clone();
        let rounds = self.options.rounds.unwrap_or(S::ROUNDS);
        for round in 0..=rounds {
            let games = self.options.games.unwrap_or(if round == 0 { S::GAMES } else { S::ROUND_GAMES });
            let rival_here = rival.as_deref().filter(|_| S::RIVALS > 0);
            let players = Players { weights: &playing, rival: rival_here };
            recipe.latest = Some(self.play(players, games)?.number);
            // What an earlier run has learnt in this round isn't learnt again.
            let learnt = Files::new(&self.data)?.weights(&learn::digest::<S>(&self.data, &recipe)?);
            if round == rounds || !learnt.exists() {
                let packed = self.course(&recipe)?.pack();
                file::write(&learnt, &packed)?;
            }
            rival = Some(std::mem::replace(&mut playing, weights::<S>(&learnt)?));
            recipe = Recipe { from: Some(learnt), stages: vec![self.again], ..recipe };
        }
        for step in [Self::check, Self::pack, Self::prove] {
            if step(self)? == Outcome::Refuted {
                return Ok(Outcome::Refuted);
            }
        }
        Ok(Outcome::Fine)
    }

    /// Plays games.
    ///
    /// # Errors
    /// Those of the files.
    pub fn generate(&self) -> Result<Outcome> {
        self.play(self.players(), self.options.games.unwrap_or(S::GAMES))?;
        Ok(Outcome::Fine)
    }

    fn play(&self, players: Players<'_>, games: u64) -> Result<Generation> {
        let generation = Generation::found_or_new(&self.data, self.manifest(players))?;
        let place = ("--data", self.data.as_path());
        match self.options.cluster.settings(&self.data, place, self.jobs()).map_err(anyhow::Error::msg)? {
            Some(settings) => generation.generate_by_cluster(&self.shards(), players, games, &settings)?,
            None => generation.generate(self.subject, players, games, self.threads)?,
        }
        let games = generation.shards()?.len() as u64 * generation.manifest.games_per_shard;
        let folder = generation.folder.display().to_string();
        self.print(
            format!("generate: {games} games in {folder}"),
            serde_json::json!({"games": games, "folder": folder}),
        )?;
        Ok(generation)
    }

    /// Plays games that the coordinator of a cluster orders.
    ///
    /// # Errors
    /// If its games are others, or those of the files.
    pub fn work(&self) -> Result<Outcome> {
        if let Some(post) = self.options.cluster.post(&self.data, self.jobs()) {
            cluster::work(&self.shards(), &post)?;
        }
        Ok(Outcome::Fine)
    }

    /// The games that are played.
    fn shards(&self) -> Shards<'_, S> {
        let manifest = self.manifest(self.players());
        Shards { subject: self.subject, data: &self.data, manifest }
    }

    /// Who plays the first games.
    fn players(&self) -> Players<'_> {
        Players { weights: &self.first, rival: None }
    }

    fn manifest(&self, players: Players<'_>) -> Manifest {
        Manifest::new(self.subject, self.options.seed, players, self.options.games_per_shard)
    }

    /// The shards that a worker plays at a time.
    fn jobs(&self) -> usize {
        self.options.threads.unwrap_or(1)
    }

    /// Learns from the games.
    ///
    /// # Errors
    /// Those of the files.
    pub fn learn(&self) -> Result<Outcome> {
        self.course(&self.recipe)?;
        Ok(Outcome::Fine)
    }

    fn course(&self, recipe: &Recipe) -> Result<S::Model> {
        let (model, course) = learn::learn(self.subject, &self.data, recipe, self.threads)?;
        let picture = Files::new(&self.data)?.picture();
        let last = course.points.last().context("expected at least one pass (--epochs)")?;
        let text = format!(
            "learn: {} positions of {} games; loss {:.4}, of {} positions kept apart {:.4}; {}",
            course.positions,
            course.games,
            last.learnt,
            course.apart,
            last.apart,
            picture.display()
        );
        self.print(text, &course)?;
        Ok(model)
    }

    /// The last model that was learnt.
    fn learnt(&self) -> Result<(S::Model, Course, Rounding)> {
        let expected =
            || format!("{}: no finished course of learning; run the step `learn`", self.data.display());
        let (course, state) = Files::new(&self.data)?.read(S::NAME)?.with_context(expected)?;
        // An older course doesn't say its game; the games that it was learnt from do.
        Generation::all(&self.data, S::NAME)?;
        let rounding = course.rounding.with_context(expected)?;
        let mut model = self.subject.model(course.recipe.seed);
        model.restore(&state).with_context(expected)?;
        Ok((model, course, rounding))
    }

    /// Compares the learnt weights with the packed ones.
    ///
    /// # Errors
    /// Those of the files.
    pub fn check(&self) -> Result<Outcome> {
        let (model, _, rounding) = self.learnt()?;
        let packed = model.pack();
        let is_fine = rounding.packed <= rounding.learnt * (1.0 + ROUNDING);
        let verdict = match is_fine {
            true => "fine".to_owned(),
            false => format!(
                "rounding costs more than {} %; the step `pack` writes them all the same",
                100.0 * ROUNDING
            ),
        };
        let text = format!(
            "check: loss {:.4} as learnt, {:.4} packed in {} bytes: {verdict}",
            rounding.learnt,
            rounding.packed,
            packed.len()
        );
        self.print(text, rounding)?;
        if !is_fine || !self.options.play {
            return Ok(if is_fine { Outcome::Fine } else { Outcome::Refuted });
        }
        let packed = self.subject.evaluation(Weights::Packed(&packed))?;
        let learnt = self.subject.evaluation(Weights::Learnt(&model))?;
        let proof = compare(self.subject, &packed, &learnt, &self.conditions(-5.0, 0.0)?)?;
        self.say("check", &proof)?;
        Ok(if proof.verdict == Verdict::AcceptH0 { Outcome::Refuted } else { Outcome::Fine })
    }

    /// Writes the packed weights and their provenance.
    ///
    /// # Errors
    /// Those of the files.
    pub fn pack(&self) -> Result<Outcome> {
        let (model, course, loss) = self.learnt()?;
        let packed = model.pack();
        let provenance = Provenance {
            game: S::NAME,
            command: file::command(),
            commit: file::commit(),
            weights: file::digest(&packed),
            before: file::digest(self.subject.weights()),
            games: course.games,
            positions: course.positions,
            recipe: &course.recipe,
            loss,
        };
        let text =
            serde_json::to_string_pretty(&provenance).context("a provenance has a form in JSON")? + "\n";
        file::write(&self.weights, &packed)?;
        file::write(&self.weights.with_extension("json"), text.as_bytes())?;
        self.print(format!("pack: {} bytes in {}", packed.len(), self.weights.display()), &provenance)?;
        Ok(Outcome::Fine)
    }

    /// Plays the file of weights against those that the program was built with, or others.
    ///
    /// # Errors
    /// If the file can't be read.
    pub fn prove(&self) -> Result<Outcome> {
        let path = self.weights.display();
        let bytes = weights::<S>(&self.weights)?;
        let before = match &self.options.against {
            None => self.subject.weights().to_vec(),
            Some(path) => weights::<S>(path)?,
        };
        if bytes == before {
            let text = format!("prove: nothing to prove, {path} has the weights that it would play against");
            self.print(text, serde_json::json!({"verdict": "same"}))?;
            return Ok(Outcome::Fine);
        }
        let new = self.subject.evaluation(Weights::Packed(&bytes))?;
        let old = self.subject.evaluation(Weights::Packed(&before))?;
        let Options { elo0, elo1, .. } = *self.options;
        let proof = compare(self.subject, &new, &old, &self.conditions(elo0, elo1)?)?;
        self.say("prove", &proof)?;
        Ok(if proof.verdict == Verdict::AcceptH1 { Outcome::Fine } else { Outcome::Refuted })
    }

    fn conditions(&self, elo0: f64, elo1: f64) -> Result<Conditions> {
        let test = Sprt::new(elo0, elo1, ERRORS, ERRORS, SprtModel::Normalised)?;
        let Options { nodes, pairs, seed, .. } = *self.options;
        Ok(Conditions { nodes, test, most: pairs, seed, threads: self.threads })
    }

    fn say(&self, step: &str, proof: &Proof) -> Result<()> {
        let verdict = match proof.verdict {
            Verdict::AcceptH1 => "accepted",
            Verdict::AcceptH0 => "refuted",
            Verdict::Undecided => "undecided",
        };
        let repeats = match proof.repeats {
            0 => String::new(),
            repeats => {
                format!("; {repeats} of the pairs repeat earlier ones: the test doesn't count on them")
            }
        };
        let text = format!(
            "{step}: {verdict} after {} pairs of games with {} nodes a move: {:.1} ± {:.1} %, {:+.0} Elo{repeats}",
            proof.pairs,
            self.options.nodes,
            100.0 * proof.score,
            100.0 * proof.error,
            proof.elo
        );
        self.print(text, proof)
    }
}
