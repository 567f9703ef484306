//! Tests the whole way from games to packed weights on a small subject.

use std::path::Path;

use bots::tictactoe::Board;
use coppice::search::{AlphaBeta, AlphaBetaOptions, JointSearch};
use coppice::{Evaluation, Game, Rng, Score, Turns};
use coppice_arena::{Sprt, SprtModel};
use tempfile::TempDir;

use super::{learn, learn_until, sets, Apart, Files, Rounding};
use crate::alternating::Alternating;
use crate::data::generation::Generation;
use crate::data::manifest::Manifest;
use crate::model::generated::{Generated, Generating};
use crate::model::sparse::{Sparse, Views};
use crate::model::tables::{Layout, Tabled, Tables};
use crate::model::Model;
use crate::proof::{compare, Conditions};
use crate::recipe::{Recipe, Stage};
use crate::sample::{Record, Sample};
use crate::self_play::random_turns;
use crate::subject::{Players, Subject, Weights};

/// The marks of the player to move and of the opponent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Marks([u16; 2]);

impl Record for Marks {
    const BYTES: usize = 4;

    fn write(&self, bytes: &mut Vec<u8>) {
        self.0.iter().for_each(|marks| bytes.extend(marks.to_le_bytes()));
    }

    fn read(bytes: &[u8]) -> Option<Marks> {
        let &[a, b, c, d] = bytes else { return None };
        let marks = [u16::from_le_bytes([a, b]), u16::from_le_bytes([c, d])];
        (marks[0] & marks[1] == 0 && marks[0] | marks[1] < 512).then_some(Marks(marks))
    }

    /// Mirrored from left to right, or not.
    fn canonical(&self) -> Marks {
        let mirror = |marks: u16| (marks & 0o111) << 2 | marks & 0o222 | (marks & 0o444) >> 2;
        let mirrored = Marks(self.0.map(mirror));
        if mirrored.0 < self.0 {
            mirrored
        } else {
            *self
        }
    }
}

/// The rows of three cells as one table, columns and diagonals as another.
#[derive(Debug, Clone, Copy, Default)]
struct Lines;

const LINES: [u16; 8] = [0o7, 0o70, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];

impl Tabled for Lines {
    type Position = Marks;

    fn layout() -> Layout {
        Layout {
            // Each row has a weight of its own.
            weights: (0..54).collect(),
            places: vec![0, 0, 0, 27, 27, 27, 27, 27],
            numbers: 1,
            phases: (0..10).map(|phase| (0, phase as f32 / 9.0)).collect(),
            knots: 2,
        }
    }

    fn rows(&self, position: &Marks, rows: &mut [u16]) {
        for (row, line) in rows.iter_mut().zip(LINES) {
            let cells = (0..9).filter(|cell| line >> cell & 1 == 1);
            let digit = |cell: u16| position.0[0] >> cell & 1 | (position.0[1] >> cell & 1) << 1;
            *row = cells.fold(0, |row, cell| 3 * row + digit(cell));
        }
    }

    fn numbers(&self, _: &Marks, numbers: &mut [f32]) {
        numbers[0] = 1.0;
    }

    fn phase(&self, position: &Marks) -> u8 {
        (position.0[0] | position.0[1]).count_ones() as u8
    }
}

impl Generating for Lines {
    fn digits() -> Vec<usize> {
        vec![3, 3]
    }

    fn widths() -> Vec<usize> {
        vec![8, 6]
    }

    const UNITS: [f32; 6] = [1.0 / 64.0; 6];
}

/// Tic-tac-toe at random.
struct Subjects<M> {
    settings: &'static str,
    /// Value of a win, in points.
    win: f32,
    model: fn(u64) -> M,
}

/// A model as an evaluation.
struct Estimates<M>(M);

impl<M: Model<Position = Marks>> Evaluation<Board> for &Estimates<M> {
    fn evaluate(&self, board: &Board) -> Score {
        let inputs = self.0.inputs(&[marks(board)], 1);
        Score::estimate((100.0 * self.0.estimate(&inputs, 0)) as i32)
    }
}

fn marks(board: &Board) -> Marks {
    Marks([board.own(), board.other()])
}

impl<M: Model<Position = Marks> + 'static> Subject for Subjects<M> {
    type Game = Turns<Board>;
    type Position = Marks;
    type Player = ();
    type Evaluation = &'static Estimates<M>;
    type Model = M;

    const NAME: &'static str = "tictactoe";
    const WEIGHTS: &'static str = "none";

    fn settings(&self) -> String {
        self.settings.to_owned()
    }

    fn weights(&self) -> &'static [u8] {
        &[]
    }

    fn player(&self, _: Players<'_>) -> anyhow::Result<()> {
        Ok(())
    }

    fn play(&self, (): &mut (), rng: &mut Rng, samples: &mut Vec<Sample<Marks>>) {
        let (mut board, first) = (Board::START, samples.len());
        let mut movers = Vec::new();
        while let Some(cell) = board.random_move(rng) {
            samples.push(Sample { position: marks(&board), score: 0.0, result: None, exact: false });
            movers.push(board.to_move());
            board.play(cell);
        }
        for (sample, mover) in samples[first..].iter_mut().zip(movers) {
            sample.result = Some(self.win * board.payoff(mover).sign() as f32);
        }
    }

    fn recipe(&self) -> Recipe {
        recipe(0.05, None)
    }

    fn model(&self, seed: u64) -> M {
        (self.model)(seed)
    }

    fn evaluation(&self, weights: Weights<'_, M>) -> anyhow::Result<&'static Estimates<M>> {
        let model = match weights {
            Weights::Learnt(model) => model.clone(),
            Weights::Packed(bytes) => self.model(1).unpacked(bytes)?,
        };
        Ok(Box::leak(Box::new(Estimates(model))))
    }

    fn search(&self, evaluation: &&'static Estimates<M>, _: u64) -> Box<dyn JointSearch<Turns<Board>>> {
        let options = AlphaBetaOptions { memory: 1 << 12, max_depth: 1, ..AlphaBetaOptions::default() };
        Box::new(Alternating(AlphaBeta::new(*evaluation, options)))
    }

    fn opening(&self, rng: &mut Rng) -> Turns<Board> {
        random_turns(Turns(Board::START), 1, rng)
    }
}

/// Two stages: all positions, then those of the games, which are all of them here.
fn recipe(rate: f32, scale: Option<f32>) -> Recipe {
    let stage = Stage { epochs: 4, batch: 64, rate, share: 1.0, aside: 1 };
    let stages = vec![stage, Stage { epochs: 2, aside: 0, ..stage }];
    Recipe { from: None, stages, scale, widest: 10.0, generations: 1, latest: None, seed: 1 }
}

fn tables() -> Subjects<Tables<Lines>> {
    Subjects { settings: "random", win: 10.0, model: |_| Tables::new(Lines) }
}

fn nets() -> Subjects<Generated<Lines, 8, 2>> {
    Subjects { settings: "random", win: 10.0, model: |seed| Generated::new(Lines, seed) }
}

const PLAYERS: Players<'_> = Players { weights: &[], rival: None };

fn generation<S: Subject>(subject: &S, data: &Path) -> Generation {
    Generation::found_or_new(data, Manifest::new(subject, 5, PLAYERS, 10)).unwrap()
}

/// A folder with `games` games.
fn games<S: Subject>(subject: &S, games: u64, threads: usize) -> TempDir {
    let data = tempfile::tempdir().unwrap();
    generation(subject, data.path()).generate(subject, PLAYERS, games, threads).unwrap();
    data
}

fn contents(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut files: Vec<_> = std::fs::read_dir(folder.join("generation-01"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "bin"))
        .map(|path| (path.file_name().unwrap().to_string_lossy().into_owned(), std::fs::read(&path).unwrap()))
        .collect();
    files.sort();
    files
}

#[test]
fn games_after_an_interruption_are_those_of_one_run() {
    let subject = tables();
    let whole = games(&subject, 95, 1);
    // The first run reached 40 games; of another shard only a part was written.
    let parts = games(&subject, 40, 3);
    std::fs::write(parts.path().join("generation-01/.shard-00005.bin.7.tmp"), "half").unwrap();
    generation(&subject, parts.path()).generate(&subject, PLAYERS, 95, 2).unwrap();
    assert_eq!(contents(whole.path()).len(), 10);
    assert_eq!(contents(whole.path()), contents(parts.path()));
}

#[test]
fn other_settings_are_another_generation_with_other_games() {
    let data = games(&tables(), 10, 1);
    let other = Subjects { settings: "otherwise", ..tables() };
    generation(&other, data.path()).generate(&other, PLAYERS, 10, 1).unwrap();
    let all = Generation::all(data.path(), "tictactoe").unwrap();
    assert_eq!(all.len(), 2);
    let samples = |generation: &Generation| generation.read::<Subjects<Tables<Lines>>>(0).unwrap();
    assert_ne!(samples(&all[0]), samples(&all[1]));
    // Each goes on where its settings say so.
    assert_eq!(generation(&other, data.path()).folder, all[1].folder);
    assert_eq!(generation(&tables(), data.path()).number, 1);
}

#[test]
fn no_position_is_learnt_twice_and_none_is_learnt_that_is_kept_apart() {
    let data = games(&tables(), 400, 2);
    let (sets, _) = sets::<Subjects<Tables<Lines>>>(data.path(), &recipe(0.05, None)).unwrap();
    let mut seen = std::collections::HashSet::new();
    for position in sets.learnt.positions.iter().chain(&sets.apart.positions) {
        assert_eq!(position.canonical(), *position);
        assert!(seen.insert(*position), "{position:?} twice");
    }
    assert!(sets.read > 2 * seen.len(), "{} positions, {} different", sets.read, seen.len());
    // The start is worth the mean of its results: the first player wins more often.
    let start = sets.learnt.positions.iter().position(|position| *position == Marks([0, 0])).unwrap();
    let target = sets.learnt.targets(1.0, 10.0)[start];
    assert!((1.0..5.0).contains(&target), "{target}");
    // Half of the result; a smaller limit.
    assert_eq!(sets.learnt.targets(0.5, 10.0)[start], target / 2.0);
    assert!(sets.learnt.targets(1.0, 0.5).iter().all(|target| target.abs() <= 0.5));
    let all: Vec<u32> = (0..sets.learnt.len() as u32).collect();
    assert_eq!([1, 7, 0].map(|aside| sets.learnt.chosen(aside)), [&all, &all, &all].map(Vec::clone));
}

/// The loss falls, packed weights are the learnt ones, and neither threads nor interruptions show.
fn learns<M: Model<Position = Marks> + 'static>(subject: &Subjects<M>, recipe: &Recipe, rounding: f64) {
    let data = games(subject, 600, 2);
    let (model, course) = learn(subject, data.path(), recipe, 2).unwrap();
    let (first, last) = (course.points.first().unwrap(), course.points.last().unwrap());
    assert!(last.learnt < 0.95 * first.learnt, "{:?}", course.points);
    assert!(std::fs::read_to_string(Files::new(data.path()).unwrap().picture()).unwrap().contains("</svg>"));

    let packed = model.pack();
    let unpacked = model.unpacked(&packed).unwrap();
    assert_eq!(unpacked.pack(), packed);
    let (sets, _) = sets::<Subjects<M>>(data.path(), recipe).unwrap();
    let apart = Apart::new(&model, &sets.apart, recipe, 1);
    let [learnt, rounded] =
        [&model, &unpacked].map(|model| apart.error(model, &recipe.stages[1], recipe.loss()));
    assert!((learnt - rounded).abs() < rounding * learnt, "{learnt} {rounded}");
    assert_eq!(course.rounding, Some(Rounding { learnt, packed: rounded }));

    // The same games in another folder, on other numbers of threads. Three interruptions: after pass two, before the last pass
    // and after it.
    let parts = games(subject, 600, 1);
    for passes in [2, recipe.epochs() as usize - 1, recipe.epochs() as usize] {
        let _ =
            learn_until(subject, parts.path(), recipe, 1, |course| course.points.len() == passes).unwrap();
    }
    let (again, resumed) = learn(subject, parts.path(), recipe, 3).unwrap();
    assert!(again.state() == model.state(), "an interruption or threads changed what was learnt");
    assert_eq!(resumed, course);

    // The learnt model beats an untrained one.
    let [new, old] = [Weights::Learnt(&model), Weights::Learnt(&subject.model(1))];
    let [new, old] = [new, old].map(|weights| subject.evaluation(weights).unwrap());
    let test = Sprt::new(0.0, 50.0, 0.05, 0.05, SprtModel::Normalised).unwrap();
    let conditions = |threads| Conditions { nodes: 100, test, most: 400, seed: 1, threads };
    let proof = compare(subject, &new, &old, &conditions(2)).unwrap();
    assert!(proof.score - proof.error > 0.5, "{proof:?}");
    // The nine openings are soon all played: the pairs after that repeat and prove no more.
    assert!(
        proof.pairs - proof.repeats <= 9 && proof.verdict == coppice_arena::Verdict::Undecided,
        "{proof:?}"
    );
    assert_eq!(compare(subject, &new, &old, &conditions(1)).unwrap(), proof);
}

#[test]
fn tables_learn() {
    learns(&tables(), &recipe(0.05, None), 0.01);
    learns(&tables(), &recipe(0.05, Some(5.0)), 0.02);
}

#[test]
fn nets_learn() {
    learns(&nets(), &recipe(0.01, None), 0.02);
}

/// Marks, and again for each player the lines without the other's marks.
#[derive(Debug, Clone, Copy)]
struct Sight;

impl Views<2> for Sight {
    type Position = Marks;

    fn views(position: &Marks) -> [[u64; 2]; 2] {
        let [own, other] = position.0;
        let view = |own: u16, other: u16| {
            let open = (0..8).map(|i| u64::from(LINES[i] & other == 0) << i).sum();
            [u64::from(own) | u64::from(other) << 32, open]
        };
        [view(own, other), view(other, own)]
    }
}

/// A network's estimates are between -1 and 1.
fn sparse<const SECOND: usize, const THIRD: usize>() -> Subjects<Sparse<Sight, 2, 8, SECOND, THIRD>> {
    Subjects { settings: "random", win: 1.0, model: |seed| Sparse::new(seed) }
}

#[test]
fn sparse_networks_of_one_to_three_layers_learn() {
    let mut recipe = Recipe { widest: 1.0, ..recipe(0.02, None) };
    recipe.stages.iter_mut().for_each(|stage| (stage.epochs, stage.batch) = (4 * stage.epochs, 16));
    learns(&sparse::<0, 0>(), &recipe, 0.02);
    learns(&sparse::<8, 0>(), &recipe, 0.02);
    learns(&sparse::<8, 4>(), &recipe, 0.02);
}

/// A course that changes nothing ends with the weights that it began with.
#[test]
fn packed_weights_are_a_beginning() {
    let subject = tables();
    let data = games(&subject, 60, 1);
    let (model, _) = learn(&subject, data.path(), &recipe(0.05, None), 1).unwrap();
    let path = data.path().join("first.bin");
    std::fs::write(&path, model.pack()).unwrap();
    let still = Recipe { from: Some(path.clone()), ..recipe(0.0, None) };
    let (kept, course) = learn(&subject, data.path(), &still, 1).unwrap();
    assert_eq!(kept.pack(), model.pack());
    std::fs::write(&path, b"other weights").unwrap();
    let (other, again) = learn(&subject, data.path(), &still, 1).unwrap();
    assert_ne!(again.digest, course.digest, "other weights are another course");
    assert_ne!(other.pack(), kept.pack());
    std::fs::remove_file(&path).unwrap();
    let error = format!("{:#}", learn(&subject, data.path(), &still, 1).map(|_| ()).unwrap_err());
    assert!(error.contains("first.bin: cannot be read"), "{error}");
}

#[test]
fn damaged_files_are_named() {
    let subject = tables();
    let data = games(&subject, 20, 1);
    let shard = data.path().join("generation-01/shard-00001.bin");
    for (content, expected) in
        [("too short", "expected samples of 13 bytes, found 9 bytes"), ("0123456789abc", "at byte 0")]
    {
        std::fs::write(&shard, content).unwrap();
        let error = learn(&subject, data.path(), &recipe(0.05, None), 1).map(|_| ()).unwrap_err();
        let text = format!("{error:#}");
        assert!(text.contains("shard-00001.bin") && text.contains(expected), "{text}");
    }
    std::fs::write(data.path().join("generation-01/manifest.json"), "{}").unwrap();
    let error = format!("{:#}", Generation::all(data.path(), "tictactoe").unwrap_err());
    assert!(error.contains("manifest.json: expected a manifest of games"), "{error}");
    let empty = tempfile::tempdir().unwrap();
    let error =
        format!("{:#}", learn(&subject, empty.path(), &recipe(0.05, None), 1).map(|_| ()).unwrap_err());
    assert!(error.contains("the step `generate`"), "{error}");
}

#[test]
fn two_processes_do_not_generate_in_one_folder() {
    let subject = tables();
    let data = games(&subject, 10, 1);
    let lock = std::fs::File::create(data.path().join("generation-01/lock")).unwrap();
    lock.lock().unwrap();
    let error = generation(&subject, data.path()).generate(&subject, PLAYERS, 30, 1).unwrap_err().to_string();
    assert!(error.contains("another process"), "{error}");
}
