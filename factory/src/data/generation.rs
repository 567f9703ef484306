//! A generation: a folder of shards, all played with the same weights and settings.

use std::fs::File;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use anyhow::{bail, Context, Result};
use coppice::rng::mix;
use coppice::Rng;
use coppice_arena::cluster::{self, ClusterError, Coordinator};

use super::manifest::Manifest;
use super::shared::{Shard, Shards};
use crate::file;
use crate::progress::Progress;
use crate::sample::Sample;
use crate::subject::{Players, Subject};

/// The files of the weights that play, for workers on other machines, and of those that they meet.
const WEIGHTS: &str = "weights.bin";
const RIVAL: &str = "rival.bin";

/// A folder of shards with its manifest.
#[derive(Debug, Clone)]
pub struct Generation {
    /// Number in the game's folder, from 1.
    pub number: u32,
    /// The folder.
    pub folder: PathBuf,
    /// How its games were played.
    pub manifest: Manifest,
}

impl Generation {
    /// All generations in the folder of `game`, the oldest first.
    ///
    /// # Errors
    /// If the folder or a manifest can't be read, or one is of another game.
    pub fn all(data: &Path, game: &str) -> Result<Vec<Generation>> {
        let mut all = Vec::new();
        for number in 1.. {
            let folder = Self::place(data, number);
            let Some(manifest) = Manifest::read(&folder)? else { break };
            if manifest.game != game {
                bail!("{}: expected games of {game}, found games of {}", folder.display(), manifest.game);
            }
            all.push(Generation { number, folder, manifest });
        }
        Ok(all)
    }

    /// The folder of a generation, from 1.
    fn place(data: &Path, number: u32) -> PathBuf {
        data.join(format!("generation-{number:02}"))
    }

    /// The latest generation whose games were played as `manifest` says, else a new one. Each generation has a seed of
    /// its own, the manifest's and one more for each generation before it.
    ///
    /// # Errors
    /// If folders can't be read or written, or are of another game.
    pub fn found_or_new(data: &Path, manifest: Manifest) -> Result<Generation> {
        let mut all = Generation::all(data, &manifest.game)?;
        let after = |before: usize| Manifest { seed: manifest.seed + before as u64, ..manifest.clone() };
        let continues = |i: &usize| all[*i].manifest.continues(&after(*i));
        if let Some(found) = (0..all.len()).rev().find(continues) {
            return Ok(all.swap_remove(found));
        }
        let number = all.len() as u32 + 1;
        let (folder, manifest) = (Self::place(data, number), after(all.len()));
        std::fs::create_dir_all(&folder)
            .with_context(|| format!("{}: cannot be created", folder.display()))?;
        manifest.write(&folder)?;
        Ok(Generation { number, folder, manifest })
    }

    fn shard(&self, number: u64) -> PathBuf {
        self.folder.join(format!("shard-{number:05}.bin"))
    }

    /// The numbers of the shards that are there, in order.
    ///
    /// # Errors
    /// If the folder can't be read.
    pub fn shards(&self) -> Result<Vec<u64>> {
        let entries = std::fs::read_dir(&self.folder);
        let entries = entries.with_context(|| format!("{}: cannot be read", self.folder.display()))?;
        let number =
            |name: &str| -> Option<u64> { name.strip_prefix("shard-")?.strip_suffix(".bin")?.parse().ok() };
        let mut shards = Vec::new();
        for entry in entries {
            let name =
                entry.with_context(|| format!("{}: cannot be read", self.folder.display()))?.file_name();
            shards.extend(name.to_str().and_then(number));
        }
        shards.sort_unstable();
        Ok(shards)
    }

    /// Reads a shard's samples.
    ///
    /// # Errors
    /// If the file is missing or its content has another form.
    pub fn read<S: Subject>(&self, number: u64) -> Result<Vec<Sample<S::Position>>> {
        let path = self.shard(number);
        let bytes = std::fs::read(&path).with_context(|| format!("{}: cannot be read", path.display()))?;
        let size = Sample::<S::Position>::BYTES;
        if bytes.len() % size != 0 {
            bail!(
                "{}: expected samples of {size} bytes, found {} bytes; remove the file and generate it again",
                path.display(),
                bytes.len()
            );
        }
        let read = |(i, bytes): (usize, &[u8])| {
            Sample::read(bytes).with_context(|| {
                format!("{}: expected a position at byte {}, found {bytes:02x?}", path.display(), i * size)
            })
        };
        bytes.chunks_exact(size).enumerate().map(read).collect()
    }

    /// Plays the missing ones of the first shards that hold `games` games, on `threads` threads.
    ///
    /// # Errors
    /// If another process generates here, if the players have no packed weights, or those of the file system.
    pub fn generate<S: Subject>(
        &self,
        subject: &S,
        players: Players<'_>,
        games: u64,
        threads: usize,
    ) -> Result<()> {
        let Missing { shards, progress, lock: _lock } = self.missing(games)?;
        let next = AtomicUsize::new(0);
        let games = Games { seed: self.manifest.seed, each: self.manifest.games_per_shard };
        let work = || -> Result<()> {
            while let Some(&number) = shards.get(next.fetch_add(1, Ordering::Relaxed)) {
                let count = || {
                    progress.advance(1);
                    true
                };
                let bytes = games.play(subject, players, number, count)?.unwrap_or_default();
                file::write(&self.shard(number), &bytes)?;
            }
            Ok(())
        };
        std::thread::scope(|scope| {
            let workers: Vec<_> = (0..threads.max(1)).map(|_| scope.spawn(work)).collect();
            workers.into_iter().try_for_each(|worker| match worker.join() {
                Ok(result) => result,
                Err(panic) => std::panic::resume_unwind(panic),
            })
        })?;
        progress.end();
        Ok(())
    }

    /// Generates by a cluster: workers play the shards, which are taken from their folders.
    ///
    /// # Errors
    /// If another process generates here, no worker is left, or the file system refuses.
    pub fn generate_by_cluster<S: Subject>(
        &self,
        work: &Shards<'_, S>,
        players: Players<'_>,
        games: u64,
        settings: &cluster::Settings,
    ) -> Result<()> {
        let Missing { shards, progress, lock: _lock } = self.missing(games)?;
        if shards.is_empty() {
            return Ok(());
        }
        self.write_players(players)?;
        let of = |&number: &u64| -> Result<Shard> {
            let shard =
                u32::try_from(number).context("too many shards for a cluster: give --games-per-shard")?;
            Ok(Shard { generation: self.number, seed: self.manifest.seed, shard })
        };
        let tasks = shards.iter().map(of).collect::<Result<Vec<_>>>()?;
        let mut take = |done: Shard, folder: &Path| {
            let place = self.shard(done.shard.into());
            std::fs::rename(done.file(folder), &place).map_err(|error| {
                ClusterError::work(format!("{}: cannot be written: {error}", place.display()))
            })?;
            progress.advance(self.manifest.games_per_shard);
            Ok(ControlFlow::Continue(()))
        };
        let mut coordinator = Coordinator::open(work, settings)?;
        let played = coordinator.play(tasks, &mut take);
        let ended = coordinator.close(&mut take);
        progress.end();
        Ok(played.and(ended)?)
    }

    /// Writes the weights that play next to the games, for workers on other machines.
    fn write_players(&self, players: Players<'_>) -> Result<()> {
        file::write(&self.folder.join(WEIGHTS), players.weights)?;
        players.rival.map_or(Ok(()), |rival| file::write(&self.folder.join(RIVAL), rival))
    }

    /// A shard of a generation whose players were written by [`Generation::generate_by_cluster`]. `goes_on` is called
    /// after each game; `None` once it says no.
    ///
    /// # Errors
    /// If the files can't be read, or are those of other games than the subject plays.
    pub fn play<S: Subject>(
        subject: &S,
        data: &Path,
        shard: &Shard,
        goes_on: impl Fn() -> bool,
    ) -> Result<Option<Vec<u8>>> {
        let folder = Self::place(data, shard.generation);
        let manifest = Manifest::read(&folder)?
            .with_context(|| format!("{}: expected a generation of games", folder.display()))?;
        let read = |name: &str| {
            let path = folder.join(name);
            std::fs::read(&path).with_context(|| format!("{}: cannot be read", path.display()))
        };
        let weights = read(WEIGHTS)?;
        let rival = manifest.rival.as_ref().map(|_| read(RIVAL)).transpose()?;
        let players = Players { weights: &weights, rival: rival.as_deref() };
        let each = manifest.games_per_shard;
        if !manifest.continues(&Manifest::new(subject, shard.seed, players, each)) {
            bail!("{}: {WEIGHTS} or {RIVAL} isn't what manifest.json says", folder.display());
        }
        Games { seed: shard.seed, each }.play(subject, players, shard.shard.into(), goes_on)
    }

    /// The missing ones of the first shards that hold `games` games.
    fn missing(&self, games: u64) -> Result<Missing> {
        let lock = File::create(self.folder.join("lock")).context("the generation's lock file")?;
        if lock.try_lock().is_err() {
            bail!("{}: another process generates games here; wait for its end", self.folder.display());
        }
        let each = self.manifest.games_per_shard;
        let planned = games.div_ceil(each);
        let there = self.shards()?;
        let shards: Vec<u64> = (0..planned).filter(|number| there.binary_search(number).is_err()).collect();
        let progress = Progress::new("games", planned * each, (planned - shards.len() as u64) * each);
        Ok(Missing { shards, progress, lock })
    }
}

/// The games left to play.
struct Missing {
    shards: Vec<u64>,
    progress: Progress,
    /// Held as long as games are played.
    lock: File,
}

/// The settings, other than the subject, that a generation's games follow from.
#[derive(Debug, Clone, Copy)]
pub struct Games {
    /// The generation's seed.
    pub seed: u64,
    /// The games in a shard.
    pub each: u64,
}

impl Games {
    /// A shard's content. `goes_on` is called after each game; `None` once it says no.
    ///
    /// # Errors
    /// If the players have no packed weights.
    pub fn play<S: Subject>(
        self,
        subject: &S,
        players: Players<'_>,
        shard: u64,
        goes_on: impl Fn() -> bool,
    ) -> Result<Option<Vec<u8>>> {
        let mut player = subject.player(players)?;
        let mut bytes = Vec::new();
        let mut samples = Vec::new();
        for game in shard * self.each..(shard + 1) * self.each {
            let mut rng = Rng::new(mix(self.seed ^ mix(game)));
            subject.play(&mut player, &mut rng, &mut samples);
            samples.drain(..).for_each(|sample| sample.write(&mut bytes));
            if !goes_on() {
                return Ok(None);
            }
        }
        Ok(Some(bytes))
    }
}
