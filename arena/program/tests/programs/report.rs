//! `--report` and `arena report`: the results of a run as a page, whole, interrupted, resumed, of a pool, and through an
//! external referee.

use std::fs;
use std::path::Path;
use std::process::Stdio;

use serde_json::Value;

use crate::outside::processes::{interrupt, interruptible};
use crate::outside::{arena, command, err, json, out};

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
        "tictactoe: random against alpha-beta",
        "<p class=\"state\">6 games</p>",
        "Score of random",
        "Endings",
        "Answer times of alpha-beta",
        "the contest names no quantities",
    ] {
        assert!(page.contains(text), "{text}: {page}");
    }
    assert!(!page.contains(" src=") && !page.contains("://"), "nothing comes from elsewhere");
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
    // From the first game of the table each page leads to the next.
    let order = page.split("report-games&#x2f;").skip(1).filter_map(|link| link.split_once(".html\">game"));
    let order = order.map(|(game, _)| game).collect::<Vec<_>>();
    for (at, game) in order.iter().enumerate() {
        let page =
            fs::read_to_string(folder.path().join(format!("report-games/{game}.html"))).expect("a page");
        let address =
            |rel: &str| Some(page.split_once(&format!("rel=\"{rel}\" href=\""))?.1.split_once(".html\"")?.0);
        let neighbours = [at.checked_sub(1), Some(at + 1)].map(|at| order.get(at?).copied());
        assert_eq!(["prev", "next"].map(address), neighbours, "game {game}");
    }
    // Repeating the command resumes the run: of more games, whose first are there.
    let more = [&bots[..], &["-n", "8", "--openings", "1", "--report-pages", "2"]].concat();
    let page = report(folder.path(), &more);
    assert!(page.contains("<p class=\"state\">8 games</p>"));
    assert_eq!(page.matches(".html\">game ").count(), 2, "{page}");
}

#[test]
fn the_contests_quantities_are_told_apart_by_the_result() {
    let folder = tempfile::tempdir().expect("a folder");
    let page = report(folder.path(), &["match", "uttt", "in:random", "in:greedy", "-n", "8"]);
    let count = |end: &str| page.matches(&format!(">{end}</td>")).count();
    let remark = format!("mean by turn of {} games won and {} lost", count("won"), count("lost"));
    assert!(page.contains("<b>boards won of random</b>") && page.contains(&remark), "{remark}: {page}");
    let game = fs::read_to_string(folder.path().join("report-games/1.html")).expect("a page");
    assert!(game.contains("boards won by turn") && game.contains("<title>end: boards won "), "{game}");
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
    assert!(page.contains("the losses of random first, the shortest first"));
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
    for text in [
        "8 games",
        "exploration",
        "Estimated worth of other values",
        "class=\"proof\">arena sprt uttt",
        "in the trials",
    ] {
        assert!(page.contains(text), "{text}");
    }
}

/// Waits until a run has finished games, interrupts it, and waits for its end.
#[test]
fn an_interrupted_run_has_its_page() {
    let folder = tempfile::tempdir().expect("a folder");
    let bots = ["match", "tictactoe", "in:mcts --ms 5", "in:random", "-n", "100000", "--openings", "1"];
    let words = [&bots[..], &["--report", "report.html", "--report-pages", "3", "--dir", "run"]].concat();
    let mut command = command(folder.path(), &words);
    let command = interruptible(&mut command).stdout(Stdio::null()).stderr(Stdio::null());
    let mut run = command.spawn().expect("the arena runs");
    let games = folder.path().join("run/games.jsonl");
    while fs::metadata(&games).map_or(0, |file| file.len()) == 0 {
        assert!(run.try_wait().expect("a process").is_none(), "it ended by itself");
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    out(&arena(folder.path(), &["report", "run", "--pages", "0"]));
    let page = fs::read_to_string(folder.path().join("run/report.html")).expect("the report");
    assert!(page.contains(" of 100000 games so far; the run is going on"), "{page}");
    interrupt(&run);
    assert_eq!(run.wait().expect("a process").code(), Some(130));
    let page = fs::read_to_string(folder.path().join("report.html")).expect("the report");
    assert!(page.contains("of 100000 games; the run isn&#x27;t finished"), "{page}");
    out(&arena(folder.path(), &["report", "run", "--pages", "0"]));
    let page = fs::read_to_string(folder.path().join("run/report.html")).expect("the report");
    assert!(page.contains(" of 100000 games; the run isn&#x27;t finished</p>"), "{page}");
}

const BOTS: [&str; 4] = ["tictactoe", "in:random", "in:alpha-beta --nodes 50", "--openings=1"];

/// The page of a run that has ended.
fn ended(folder: &Path, arguments: &[&str]) -> String {
    let output = arena(folder, &[&["report"], arguments].concat());
    let path = out(&output);
    fs::read_to_string(folder.join(path.trim_end())).expect("the report")
}

#[test]
fn a_run_that_has_ended_has_its_page_without_a_game() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    out(&arena(folder, &[&["match"], &BOTS[..], &["-n", "6", "--seed", "5", "--log-dir", "logs"]].concat()));
    let page = ended(folder, &[]);
    for text in [
        "tictactoe: random against alpha-beta",
        "<p class=\"state\">6 games</p>",
        "<dt>begun</dt>",
        "<dt>duration</dt>",
        "<dt>machine</dt>",
        "<dt>seed</dt><dd>5</dd>",
        "Played by <code>",
        "href=\"report-games&#x2f;6.html\"",
    ] {
        assert!(page.contains(text), "{text}: {page}");
    }
    let place = |text: &str| page.find(text).unwrap_or_else(|| panic!("{text}"));
    assert!(place(">Seats") < place(">Endings") && place(">Endings") < place("<table class=\"games\""));
    let mut runs = fs::read_dir(folder.join("arena-games")).unwrap().map(|entry| entry.unwrap().path());
    let run = runs.find(|path| path.is_dir()).unwrap();
    let game = fs::read_to_string(run.join("report-games/1.html")).expect("a game's page");
    assert!(game.contains("depth "), "the logs of the run are shown");
    let games = fs::read_to_string(run.join("games.jsonl")).unwrap();
    assert_eq!(games.lines().count(), 6, "nothing was played");

    // A run of an earlier version has no run.json.
    fs::remove_file(run.join("run.json")).expect("the notes");
    let page = ended(folder, &[run.to_str().unwrap(), "-o", "old.html"]);
    assert!(page.contains("<dt>last game</dt>") && !page.contains("Played by"), "{page}");
    assert!(!page.contains("class=\"verdict\""));
    let page = ended(folder, &[run.to_str().unwrap(), "-o", "old.html", "--sprt", "--elo1", "200"]);
    assert!(page.contains("class=\"verdict\""), "{page}");
}

#[test]
fn the_test_of_a_run_is_remembered() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let test = ["sprt", "tictactoe", "in:alpha-beta --nodes 50", "in:random", "--openings", "1"];
    let output = arena(folder, &[&test[..], &["-n", "40", "--elo1", "200", "--dir", "run"]].concat());
    let said = out(&output);
    let verdict = said.lines().last().expect("a verdict");
    let report = json(&arena(folder, &["report", "run", "--json"]));
    assert_eq!(report["test"]["verdict"], verdict);
    assert_eq!(report["run"]["purpose"]["sprt"]["elo1"], 200.0);
    assert_eq!(
        report["summary"]["games"],
        report["run"]["games"].as_u64().min(report["summary"]["games"].as_u64()).unwrap()
    );
    let page = ended(folder, &["run"]);
    assert!(page.contains("H1 accepted") && page.contains("Log-likelihood ratio"), "{page}");
    // Repeating the command plays nothing, and no session is noted.
    out(&arena(folder, &[&test[..], &["-n", "40", "--elo1", "200", "--dir", "run"]].concat()));
    let again = json(&arena(folder, &["report", "run", "--json"]));
    assert_eq!(again, report);
}

#[test]
fn games_and_tables_are_written_for_other_programs() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    out(&arena(folder, &[&["rate"], &BOTS[..], &["in:mcts --nodes 9", "-n", "2", "--dir", "run"]].concat()));
    let text = out(&arena(folder, &["report", "run", "--csv"]));
    let cells = |line: &str| {
        let (mut cells, mut is_quoted) = (vec![String::new()], false);
        for c in line.chars() {
            match c {
                '"' => is_quoted = !is_quoted,
                ',' if !is_quoted => cells.push(String::new()),
                c => cells.last_mut().expect("a cell").push(c),
            }
        }
        cells
    };
    let rows = text.lines().map(cells).collect::<Vec<_>>();
    let games = fs::read_to_string(folder.join("run/games.jsonl")).unwrap();
    let games = games.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()).collect::<Vec<_>>();
    assert_eq!((rows.len(), games.len()), (7, 6));
    let column =
        |name: &str| rows[0].iter().position(|head| head == name).unwrap_or_else(|| panic!("{name}"));
    for game in &games {
        let row = rows.iter().find(|row| row[0].parse().ok() == game["game"].as_u64()).expect("its line");
        assert_eq!(row.len(), rows[0].len(), "{text}");
        assert_eq!(row[column("seed")], game["seed"].to_string());
        assert_eq!(row[column("opening")], game["opening"].as_str().unwrap());
        assert_eq!(row[column("ending")], game["ending"].as_str().unwrap());
        for seat in 0..2 {
            let cell = |name: &str| row[column(&format!("{name}_{seat}"))].as_str();
            assert_eq!(cell("bot"), game["bots"][seat]["name"].as_str().unwrap());
            assert_eq!(cell("score"), game["scores"][seat].to_string());
            assert_eq!(cell("answers"), game["times_ms"][seat].as_array().unwrap().len().to_string());
        }
    }
    let text = ended(folder, &["run", "--markdown", "-o", "run.md"]);
    for text_in in [
        "# tictactoe: random, alpha-beta, mcts\n\n6 games\n",
        "\n- seed: 1\n",
        "\n## Meetings (",
        "\n## Seats (",
    ] {
        assert!(text.contains(text_in), "{text_in}: {text}");
    }
    let page = out(&arena(folder, &["report", "run/games.jsonl", "-o", "-"]));
    assert!(
        page.starts_with("<!doctype html>") && page.contains("Ratings") && !page.contains("href=\"-games")
    );
    assert!(!folder.join("run/report.html").exists());
}

#[test]
fn a_pool_has_its_page_without_a_game() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    out(&arena(folder, &["pool", "new", "pool", "tictactoe"]));
    for (name, bot) in [("old", "in:random"), ("new", "in:alpha-beta --nodes 50")] {
        out(&arena(folder, &["pool", "add", name, bot]));
    }
    let output = arena(folder, &["report", "pool"]);
    assert!(err(&output).contains("no games in pool"), "{output:?}");
    out(&arena(folder, &["rate", "--pool", "pool", "-n", "8"]));
    out(&arena(folder, &["pool", "remove", "old"]));
    let page = ended(folder, &["pool"]);
    for text in ["tictactoe: new, old", "8 games", "Ratings", "in:random (removed)", "<dt>machine</dt>"] {
        assert!(page.contains(text), "{text}: {page}");
    }
}

#[test]
fn what_is_no_run_is_named() {
    let folder = tempfile::tempdir().expect("a folder");
    // So deep that a run beside the temporary folder isn't found.
    let folder = &folder.path().join("d/".repeat(31));
    fs::create_dir_all(folder).unwrap();
    let fails = |arguments: &[&str], code: i32, text: &str| {
        let output = arena(folder, &[&["report"], arguments].concat());
        assert_eq!(output.status.code(), Some(code), "{output:?}");
        assert!(err(&output).replace('\\', "/").contains(text), "{text}: {output:?}");
    };
    fails(&[], 2, "no run was played here");
    fails(&["nowhere"], 2, "nowhere isn't there; name the folder of a run");
    let play = |seed: &str, dir: &str| {
        out(&arena(folder, &[&["match"], &BOTS[..], &["-n", "2", "--seed", seed, "--dir", dir]].concat()))
    };
    play("1", "runs/one");
    play("2", "runs/two");
    fails(&["runs"], 2, "runs has no games.jsonl, so it is neither a run nor a pool; there are runs/");
    fails(&["runs/one", "--compare", "./bot"], 2, "expects a search");
    fails(&["runs/one", "--json", "--csv"], 2, "cannot be used with");
    fails(&["runs/one", "-o", "nowhere/x.html"], 1, "nowhere/x.html");
    let file = folder.join("runs/one/games.jsonl");
    let one = fs::read_to_string(&file).unwrap();
    let two =
        fs::read_to_string(folder.join("runs/two/games.jsonl")).unwrap().replace("\"game\":2", "\"game\":3");
    fs::write(&file, format!("{one}{two}")).unwrap();
    fails(&["runs/one"], 1, "games.jsonl: game 3 is of another run than the games before");
    fs::write(&file, one.replacen("\"scores\"", "\"points\"", 1)).unwrap();
    fails(&["runs/one"], 1, "games.jsonl:1: not a whole game of this program");
    // Half a line is that of a run that was killed.
    fs::write(&file, &one[..one.len() - 9]).unwrap();
    let output = arena(folder, &["report", "runs/one"]);
    assert!(err(&output).contains("the last line is cut off and isn't counted"), "{output:?}");
    let page = ended(folder, &["runs/one"]);
    assert!(page.contains("<p class=\"state\">1 game"), "{page}");
    fs::write(folder.join("runs/two/run.json"), "{").unwrap();
    let output = arena(folder, &["report", "runs/two"]);
    assert!(out(&output).contains("report.html") && err(&output).contains("its games aren't affected"));
    fs::write(&file, "").unwrap();
    fails(&["runs/one"], 1, "no games in runs/one/games.jsonl");
}

/// The answer of a server on this machine to a request for `path`, up to the end of the connection.
fn get(address: &str, host: &str, path: &str) -> String {
    use std::io::{Read, Write};
    let mut stream = std::net::TcpStream::connect(address).expect("a server");
    stream.write_all(format!("GET {path} HTTP/1.1\r\nHost: {host}\r\n\r\n").as_bytes()).expect("a request");
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    String::from_utf8(answer).expect("text")
}

#[test]
fn a_run_is_watched_while_it_is_played() {
    use std::io::{BufRead, BufReader};
    let folder = tempfile::tempdir().expect("a folder");
    let bots = ["sprt", "tictactoe", "in:mcts --ms 5", "in:mcts --ms 5", "--openings", "1"];
    let mut command = command(folder.path(), &[&bots[..], &["--live", "--dir", "run"]].concat());
    let command = interruptible(&mut command).stdout(Stdio::null()).stderr(Stdio::piped());
    let mut run = command.spawn().expect("the arena runs");
    let mut said = BufReader::new(run.stderr.take().expect("its errors")).lines().map_while(Result::ok);
    let line = said.find(|line| line.contains("http://")).expect("an address");
    let address = line.split("http://").nth(1).expect("an address").trim_end_matches('/').to_owned();
    assert!(address.starts_with("127.0.0.1:"), "{line}");
    let others = std::thread::spawn(move || said.count());
    while !folder.path().join("run/games.jsonl").metadata().is_ok_and(|file| file.len() > 0) {
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    let events = {
        let address = address.clone();
        std::thread::spawn(move || get(&address, &address, "/events?v=0"))
    };
    let page = get(&address, &address, "/");
    assert!(page.starts_with("HTTP/1.1 200 OK\r\n") && page.contains("<main data-live="), "{page}");
    assert!(get(&address, &address, "/games/1.html").contains("href=\"..&#x2f;\""), "a game's page");
    assert!(get(&address, &address, "/games/9999999.html").starts_with("HTTP/1.1 404 "));
    assert!(get(&address, &address, "/../run/games.jsonl").starts_with("HTTP/1.1 404 "));
    assert_eq!(get(&address, "evil.example", "/"), "", "a page of another site learns nothing");
    interrupt(&run);
    assert_eq!(run.wait().expect("a process").code(), Some(130));
    let events = events.join().expect("events");
    let pages =
        events.split("event: ").filter(|event| event.starts_with("page\ndata: <!doctype html>")).count();
    assert!(pages >= 1 && events.ends_with("event: end\ndata: \n\n"), "{events}");
    let last = events.rsplit("event: page").next().expect("a page");
    let games = fs::read_to_string(folder.path().join("run/games.jsonl")).expect("games").lines().count();
    assert!(
        last.contains(&format!("<p class=\"state\">{games}")),
        "the last game is on the last page: {last}"
    );
    assert!(last.contains("LLR") && last.contains("Log-likelihood ratio"), "{last}");
    assert!(std::net::TcpStream::connect(&address).is_err(), "the server ends with the run");
    others.join().expect("the rest");
}
