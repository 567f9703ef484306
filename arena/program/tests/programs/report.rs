//! `--report`: the results of a run as a page, whole, interrupted, resumed, and through an external referee.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::outside::arena;

fn report(folder: &Path, arguments: &[&str]) -> String {
    let output = arena(folder, &[arguments, &["--report", "report.html", "--dir", "run"]].concat());
    assert!(matches!(output.status.code(), Some(0 | 3)), "{arguments:?}: {output:?}");
    fs::read_to_string(folder.join("report.html")).expect("the report")
}

#[test]
fn a_match_has_a_page_with_its_games_beside_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let bots = ["match", "tictactoe", "in:random", "in:alpha-beta --nodes 50"];
    let page = report(folder.path(), &[&bots[..], &["-n", "6", "--openings", "1"]].concat());
    for text in [
        "tictactoe: A against B",
        "<p class=\"state\">6 games</p>",
        "Score of A",
        "Endings",
        "Answer times of B",
    ] {
        assert!(page.contains(text), "{text}: {page}");
    }
    assert!(!page.contains("<script"), "it needs none");
    let lost = page.find(">lost</td>").expect("random play loses");
    assert!(page.find(">won</td>").is_none_or(|won| lost < won), "losses come first");
    assert!(
        fs::read_to_string(folder.path().join("report-games/1.json")).expect("a record").contains("depth "),
        "what the searches said is kept for the page"
    );
    assert!(!fs::read_to_string(folder.path().join("run/games.jsonl")).expect("games").contains("reports"));
    for game in 1..=6 {
        assert!(page.contains(&format!("href=\"report-games&#x2f;{game}.html\"")), "game {game}: {page}");
        let game =
            fs::read_to_string(folder.path().join(format!("report-games/{game}.html"))).expect("a page");
        assert!(game.contains("href=\"..&#x2f;report.html\"") && game.contains("id=\"turn=1\""));
    }
    // Repeating the command resumes the run: of more games, whose first are there.
    let more = [&bots[..], &["-n", "8", "--openings", "1", "--report-pages", "2"]].concat();
    let page = report(folder.path(), &more);
    assert!(page.contains("<p class=\"state\">8 games</p>"));
    assert_eq!(page.matches(".html\">game ").count(), 2, "{page}");
}

#[test]
fn logs_of_another_run_are_not_shown() {
    let folder = tempfile::tempdir().expect("a folder");
    let bots = ["match", "tictactoe", "in:random", "in:alpha-beta --nodes 50", "-n", "2", "--openings", "1"];
    report(folder.path(), &bots);
    let record = folder.path().join("report-games/1.json");
    let other = fs::read_to_string(&record).expect("a record").replace("in:random", "in:nobody");
    fs::write(&record, other).expect("a record");
    report(folder.path(), &bots);
    let page = fs::read_to_string(folder.path().join("report-games/1.html")).expect("a page");
    assert!(page.contains("in:random") && !page.contains("in:nobody"));
}

#[test]
fn a_test_shows_its_ratio_and_a_league_its_table() {
    let folder = tempfile::tempdir().expect("a folder");
    let page = report(
        folder.path(),
        &[
            "sprt",
            "tictactoe",
            "in:alpha-beta --nodes 50",
            "in:random",
            "-n",
            "40",
            "--elo1",
            "200",
            "--openings",
            "1",
        ],
    );
    for text in ["Log-likelihood ratio", "class=\"verdict\"", ">H1</text>", "Pairs"] {
        assert!(page.contains(text), "{text}");
    }
    let folder = tempfile::tempdir().expect("a folder");
    let rate =
        ["rate", "tictactoe", "in:alpha-beta --nodes 50", "in:random", "in:mcts --nodes 50", "-n", "4"];
    let page = report(folder.path(), &[&rate[..], &["--openings", "1"]].concat());
    for text in ["Ratings", "Meetings", "12 games", "in:mcts --nodes 50"] {
        assert!(page.contains(text), "{text}");
    }
}

#[test]
fn lost_games_have_their_losing_turn() {
    let folder = tempfile::tempdir().expect("a folder");
    let arguments =
        ["match", "tictactoe", "in:random", "in:alpha-beta --nodes 50", "-n", "6", "--openings", "1"];
    let compared = ["--report-compare", "in:alpha-beta --nodes 60"];
    let page = report(folder.path(), &[&arguments[..], &compared].concat());
    assert!(page.contains(">losing turn</th>"), "{page}");
    let links = page.matches(".html#turn=").count();
    assert!((1..=6).contains(&links), "{links} games were clearly lost");
    assert!(page.contains("the losses of A first, the shortest first"));
    // Each leads to where the game's page opens.
    for link in
        page.split("report-games&#x2f;").skip(1).filter(|link| link.starts_with(|c: char| c.is_ascii_digit()))
    {
        let Some((game, rest)) = link.split_once(".html#turn=") else { continue };
        let turn = rest.split('"').next().expect("a turn");
        let game = game.split('.').next().expect("a number");
        let text =
            fs::read_to_string(folder.path().join(format!("report-games/{game}.html"))).expect("a page");
        assert!(text.contains(&format!("\"opens\":{turn},")), "game {game}, turn {turn}");
    }
    let output = arena(
        folder.path(),
        &[&arguments[..], &["--report", "x.html", "--report-compare", "./bot"]].concat(),
    );
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success() && errors.contains("--report-compare expects a search"), "{errors}");
    assert!(!folder.path().join("x.html").exists(), "known before the first game");
}

#[test]
fn a_report_that_cannot_be_written_is_known_before_the_first_game() {
    let folder = tempfile::tempdir().expect("a folder");
    let output = arena(
        folder.path(),
        &[
            "match",
            "tictactoe",
            "in:random",
            "in:random",
            "-n",
            "2",
            "--report",
            "nowhere/report.html",
            "--dir",
            "run",
        ],
    );
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success() && errors.contains("nowhere/report.html"), "{errors}");
    assert!(!folder.path().join("run/games.jsonl").exists());
}

#[test]
fn a_folder_for_logs_of_games_that_were_played_has_their_records() {
    let folder = tempfile::tempdir().expect("a folder");
    let bots = ["match", "tictactoe", "in:random", "in:alpha-beta --nodes 50", "-n", "2", "--openings", "1"];
    let run = |more: &[&str]| arena(folder.path(), &[&bots[..], &["--dir", "run"], more].concat());
    assert!(run(&[]).status.success());
    let output = run(&["--log-dir", "logs"]);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(
        errors.contains("2 of them were played without a folder for logs: logs gets their records"),
        "{errors}"
    );
    assert!(folder.path().join("logs/2.json").is_file());
    let output = run(&["--report", "report.html"]);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(errors.contains("the report is report.html"), "{errors}");
}

/// A referee that prints JSON with a number of the game.
#[cfg(unix)]
#[test]
fn games_through_a_referee_are_told_by_the_values_of_its_attributes() {
    let folder = tempfile::tempdir().expect("a folder");
    let script =
        "seed=${5#seed=}; size=$((seed & 1)); echo \"{\\\"scores\\\": [$size, 1], \\\"errors\\\": [0, 0], \
        \\\"test_data\\\": {\\\"size\\\": $size}}\"";
    let referee = folder.path().join("referee.sh");
    fs::write(&referee, script).expect("a referee");
    let referee = format!("sh {} {{P1}} {{P2}} x y seed={{SEED}}", referee.display());
    let arguments = ["match", "-r", &referee, "cat", "cat", "-n", "20"];
    let output =
        arena(folder.path(), &[&arguments[..], &["--report", "report.html", "--dir", "run"]].concat());
    let page = fs::read_to_string(folder.path().join("report.html")).unwrap_or_else(|_| panic!("{output:?}"));
    for text in ["Score of A by size", "Score of B by size", "Reported numbers"] {
        assert!(page.contains(text), "{text}: {page}");
    }
}

#[test]
fn a_tuning_run_has_a_page_of_its_values() {
    let folder = tempfile::tempdir().expect("a folder");
    let tune = ["tune", "uttt", "in:playouts", "--nodes", "20", "--games", "8", "--report", "tune.html"];
    let output = arena(folder.path(), &tune);
    assert!(output.status.success(), "{output:?}");
    let page = fs::read_to_string(folder.path().join("tune.html")).expect("the report");
    for text in
        ["8 games", "exploration", "Estimated worth of other values", "arena sprt uttt", "in the trials"]
    {
        assert!(page.contains(text), "{text}");
    }
}

/// Waits until a run has finished games, interrupts it, and waits for its end.
#[cfg(unix)]
#[test]
fn an_interrupted_run_has_its_page() {
    use rustix::process::{kill_process, Pid, Signal};
    let folder = tempfile::tempdir().expect("a folder");
    let bots = ["match", "tictactoe", "in:mcts --ms 5", "in:random", "-n", "100000", "--openings", "1"];
    let mut run = Command::new(env!("CARGO_BIN_EXE_arena"))
        .args([&bots[..], &["--report", "report.html", "--report-pages", "3", "--dir", "run"]].concat())
        .current_dir(folder.path())
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::null())
        .spawn()
        .expect("the arena runs");
    let games = folder.path().join("run/games.jsonl");
    while fs::metadata(&games).map_or(0, |file| file.len()) == 0 {
        assert!(run.try_wait().expect("a process").is_none(), "it ended by itself");
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    kill_process(Pid::from_child(&run), Signal::INT).expect("a signal");
    assert_eq!(run.wait().expect("a process").code(), Some(130));
    let page = fs::read_to_string(folder.path().join("report.html")).expect("the report");
    assert!(page.contains("of 100000 games; the run isn&#x27;t finished"), "{page}");
}
