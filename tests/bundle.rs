//! Tests the real bundles as processes: compiled alone, fed recorded games and malformed input.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::OnceLock;
use std::time::Duration;

use bots::reversi::protocol::{read_init, read_turn};
use bots::reversi::strategy::Strategy;
use bots::reversi::Board;
use contest::laws::cases;
use contest::Limits;
use coppice::input::Input;
use coppice::{Budget, Player, Search};
use coppice_arena::{CommandLine, Entrant, Openings, Recording, Series};
use coppice_tests::{bundled, bundled_with, recorded, workspace};

/// The program of the reversi bundle, built once.
fn reversi() -> &'static Path {
    static PROGRAM: OnceLock<PathBuf> = OnceLock::new();
    PROGRAM.get_or_init(|| bundled("reversi", Path::new(env!("CARGO_TARGET_TMPDIR"))).1)
}

/// Runs the reversi bundle on a whole input.
fn run(args: &[&str], input: &[u8]) -> Output {
    run_program(reversi(), args, input)
}

/// Runs a program on a whole input.
fn run_program(program: &Path, args: &[&str], input: &[u8]) -> Output {
    let mut child = Command::new(program)
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the bundle runs");
    let mut stdin = child.stdin.take().expect("its input");
    let input = input.to_vec();
    // Ignored: the bot may stop reading midway.
    let feeder = std::thread::spawn(move || drop(stdin.write_all(&input)));
    let output = child.wait_with_output().expect("its output");
    feeder.join().expect("the feeder");
    output
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("text")
}

/// Under a node budget the bundle answers a dialogue exactly like the workspace's code.
#[test]
fn bundle_and_workspace_give_equal_answers() {
    const NODES: u64 = 20_000;
    for game in recorded("reversi").into_iter().take(3) {
        for path in &game.logs {
            let log = coppice_arena::Log::read(path).unwrap_or_else(|error| panic!("{error}"));
            let sent: Vec<_> =
                log.entries().iter().filter(|e| e.direction == coppice_arena::Direction::ToBot).collect();
            let dialogue: String = sent.iter().map(|entry| entry.text.clone() + "\n").collect();
            let output = run(&["--nodes", &NODES.to_string()], dialogue.as_bytes());
            assert!(output.status.success(), "{output:?}");

            let mut input = Input::new(dialogue.as_bytes());
            let me = read_init(&mut input).expect("init");
            let mut strategy = Strategy::new();
            let (mut answers, mut said) = (Vec::new(), Vec::new());
            while input.wait().is_ok() {
                let turn = read_turn(&mut input, me).expect("a turn");
                // With a single legal move the bot doesn't search.
                let best = match turn.actions[..] {
                    [only] => Some(only),
                    _ => {
                        let report = strategy.search(&turn.board, Budget::nodes(NODES));
                        let (depth, score, nodes) = (report.depth, report.score, report.nodes);
                        said.push(format!("depth {depth}, score {score}, {nodes} nodes"));
                        report.best
                    }
                };
                answers.push(best.expect("a move").to_string());
            }
            assert!(answers.len() > 20);
            assert_eq!(text(&output.stdout).lines().collect::<Vec<_>>(), answers, "{}", path.display());
            // The node counts must match too, not only the moves.
            assert_eq!(text(&output.stderr).lines().collect::<Vec<_>>(), said, "{}", path.display());
        }
    }
}

/// The arena's record of a game between bundles, including the opening, can be replayed.
#[test]
fn a_game_between_bundles_can_be_replayed() {
    let contest = bots::contest("reversi").expect("reversi");
    let bot = || Entrant::from(CommandLine::new(reversi(), &["--nodes", "300"]));
    let series = Series {
        limits: Limits { first: Duration::from_secs(60), later: Duration::from_secs(60) },
        seed: 3,
        openings: Openings::Random { plies: 8 },
        ..Series::new(contest, vec![bot(), bot()])
    };
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("games");
    std::fs::create_dir_all(&folder).expect("a folder");
    for game in 1..=2 {
        let finished = series.play(&series.fixture(game)).unwrap_or_else(|error| panic!("{error}"));
        let record = &finished.record;
        assert_eq!(record.faults, [], "game {game}");
        finished.write(&folder).expect("the logs");
        let logs = [0, 1].map(|seat| folder.join(format!("{game}.p{seat}.log")));
        let recording = Recording::read(logs).unwrap_or_else(|error| panic!("{error}"));
        let replayed = recording.replay(contest, record.seed, 8).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(replayed.scores, record.scores);
    }
}

/// The init lines and the first turn of black.
fn first_turn() -> String {
    let moves = ["d3", "c4", "f5", "e6"].map(|name| name.parse().expect("a cell"));
    bots::reversi::protocol::write_init(Player::FIRST)
        + &bots::reversi::protocol::write_turn(&Board::START, None, &moves)
}

#[test]
fn truncated_input_ends_the_bot_silently() {
    let input = first_turn();
    for end in (0..input.len()).step_by(input.len() / cases(input.len())) {
        let output = run(&["--nodes", "100"], &input.as_bytes()[..end]);
        assert!(output.status.success(), "cut after {end} bytes: {output:?}");
        assert_eq!((text(&output.stdout), text(&output.stderr)), ("", ""), "cut after {end} bytes");
    }
    let output = run(&["--nodes", "100"], input.as_bytes());
    assert!(output.status.success() && text(&output.stdout).lines().count() == 1, "{output:?}");
}

#[test]
fn windows_line_ends_are_accepted() {
    let output = run(&["--nodes", "100"], first_turn().as_bytes());
    let windows = run(&["--nodes", "100"], first_turn().replace('\n', "\r\n").as_bytes());
    assert_eq!(output.stdout, windows.stdout);
    assert!(windows.status.success());
}

#[test]
fn a_malformed_line_is_reported_in_one_line() {
    let good = first_turn();
    for (input, expected) in [
        (good.replacen("0\n", "2\n", 1), "input line 1: expected the player's id, 0 or 1, found \"2\""),
        (good.replacen("8\n", "6\n", 1), "input line 2: expected the board's size, 8, found \"6\""),
        (good.replace("...10...", "...1x..."), "input line 6: expected a row of the board"),
        (good.replace("\n4\n", "\n0\n"), "input line 11: expected the number of moves, 1 to 60, found \"0\""),
        (good.replace("d3", "k9"), "input line 12: expected a move, a1 to h8, found \"k9\""),
        (
            good.replace("d3", "d\u{7f}\u{0}"),
            "input line 12: expected a move, a1 to h8, found \"d\\x7f\\x00\"",
        ),
        ("\n".repeat(10), "input line 1: expected the player's id"),
        ("x".repeat(200_000), "input line 1: expected a line of at most 65536 bytes"),
    ] {
        let output = run(&["--nodes", "100"], input.as_bytes());
        let error = text(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{error}");
        assert!(error.starts_with(&format!("error: {expected}")) && error.lines().count() == 1, "{error:?}");
        assert_eq!(text(&output.stdout), "");
    }
}

/// Every write to `/dev/full` fails.
#[cfg(target_os = "linux")]
#[test]
fn an_answer_that_cannot_be_written_is_status_1() {
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").expect("/dev/full");
    let mut child = Command::new(reversi())
        .args(["--nodes", "100"])
        .stdin(Stdio::piped())
        .stdout(full)
        .stderr(Stdio::piped())
        .spawn()
        .expect("the bundle runs");
    child.stdin.take().expect("its input").write_all(first_turn().as_bytes()).expect("a turn");
    let output = child.wait_with_output().expect("its output");
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("the referee can't be reached"), "{output:?}");
}

#[test]
fn a_wrong_command_line_is_status_2() {
    let output = run(&["--depth", "3"], b"");
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(
        text(&output.stderr),
        "error: unknown option --depth; available: --nodes N, --seed N and --reserve MS\n"
    );
}

mod slow {
    use super::*;

    #[test]
    #[ignore = "slow: .ci/run runs it"]
    fn a_bundle_without_optimisation_answers_recorded_games() {
        without_optimisation(|name| name == "uttt");
    }
}

/// The same source gives the same bundle, independent of earlier bundles and of the folder.
#[test]
#[ignore = "slow: .ci/deep runs it"]
fn bundles_are_reproducible() {
    let options = |manifest: &Path| bundler::Options {
        bin: Some("reversi-greedy".to_owned()),
        manifest_path: Some(manifest.to_owned()),
        ..bundler::Options::default()
    };
    let one = bundler::bundle(&options(&workspace().join("Cargo.toml"))).expect("a bundle");
    let two = bundler::bundle(&options(&workspace().join("bots/Cargo.toml"))).expect("a bundle");
    assert_eq!(one.text, two.text);
}

#[test]
#[ignore = "bundles every contest's bot: .ci/deep runs it"]
fn bundles_without_optimisation_answer_recorded_games() {
    without_optimisation(|_| true);
}

/// A site may compile without optimisation: then overflow is checked and debug assertions run.
fn without_optimisation(is_chosen: impl Fn(&str) -> bool) {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("unoptimised");
    for contest in bots::contests().iter().filter(|contest| is_chosen(contest.name())) {
        let program = bundled_with(contest.name(), &folder, &[]).1;
        let games = recorded(contest.name());
        for path in games.iter().take(3).flat_map(|game| &game.logs) {
            let log = coppice_arena::Log::read(path).unwrap_or_else(|error| panic!("{error}"));
            let sent = log.entries().iter().filter(|e| e.direction == coppice_arena::Direction::ToBot);
            let input: String = sent.map(|entry| entry.text.clone() + "\n").collect();
            let output = run_program(&program, &["--nodes", "300"], input.as_bytes());
            let error = text(&output.stderr);
            assert!(output.status.success() && !error.contains("panicked"), "{}: {error}", path.display());
            assert!(!output.stdout.is_empty(), "{} has no answer", path.display());
        }
    }
}
