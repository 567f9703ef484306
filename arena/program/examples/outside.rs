//! A referee that is a program of its own, with its bot, for tests: each bot gets the seed and answers a number, which is
//! its score.
//!
//! `outside old` speaks the old protocol, in which the arena runs the bots.
//!
//! `outside bot N` is the bot that answers N; `outside bot N by-seed` adds the seed modulo 3, and `--param x=VALUE` adds
//! a tuned value. `--record FOLDER` makes it write its whole input to `FOLDER/N-SEED`; the folder must exist. Any other first argument tells how the referee takes its arguments and what goes wrong: see `main`.

use std::env;
use std::fs;
use std::io::{self, BufRead, Read, Write};
use std::process::{Command, ExitCode, Stdio};
use std::time::Duration;

/// The seed that is played when none was understood.
const RANDOM_SEED: i64 = 987_654_321;

fn main() -> ExitCode {
    let words = env::args().skip(1).collect::<Vec<_>>();
    if words.first().is_some_and(|word| word == "bot") {
        return bot(&words[1..]);
    }
    // Called `java`, it has no compiler.
    if words.iter().any(|word| word.starts_with("jdk.compiler/")) {
        eprintln!("java.lang.module.FindException: Module jdk.compiler not found");
        return ExitCode::from(1);
    }
    let mode = words.first().map_or("", String::as_str);
    if mode == "old" {
        return old(words.get(1).map_or("", String::as_str));
    }
    if mode == "impatient" {
        return impatient(&words[1..]);
    }
    let option = |name: &str| {
        let at = words.iter().position(|word| word == name)?;
        words.get(at + 1).cloned()
    };
    let seed = match mode {
        // `-d` is an option without a value: what follows it is skipped.
        "seed" => option("-seed").and_then(|seed| seed.parse().ok()).unwrap_or(RANDOM_SEED),
        "strict-seed" if option("-d").is_some() => {
            eprintln!("UnrecognizedOptionException: -d");
            return ExitCode::from(1);
        }
        "strict-seed" => option("-seed").and_then(|seed| seed.parse().ok()).unwrap_or(RANDOM_SEED),
        "deaf" => RANDOM_SEED,
        _ => option("-d").or_else(|| option("--seed")).map_or(RANDOM_SEED, |seed| {
            seed.trim_start_matches("seed=").parse::<i64>().unwrap_or(RANDOM_SEED)
        }),
    };
    let file = option("-l");
    match mode {
        "usage" => {
            println!("usage: java -jar referee.jar\n -p1 <player 1 command line>");
            return ExitCode::SUCCESS;
        }
        "hang" => loop {
            std::thread::sleep(Duration::from_secs(60));
        },
        // More than a pipe takes.
        "loud" => (0..3000).for_each(|line| eprintln!("line {line}: java.lang.IllegalStateException")),
        // Its own arguments, for a message.
        "words" => {
            eprintln!("{}", words.join("|"));
            return ExitCode::from(1);
        }
        // Any text instead of a result.
        "say" => {
            println!("{}", option("--text").unwrap_or_default());
            return ExitCode::SUCCESS;
        }
        "crash" => {
            eprintln!("Exception in thread \"main\" java.lang.NullPointerException");
            return ExitCode::from(1);
        }
        "null" => {
            println!("null\nnull\nseed={seed}\n");
            return ExitCode::SUCCESS;
        }
        "silent" => return ExitCode::SUCCESS,
        // Fails in the first game that finds no file there.
        "once" => {
            let marker = option("--marker").unwrap_or_default();
            if fs::metadata(&marker).is_err() {
                let _ = fs::write(&marker, "");
                return ExitCode::from(1);
            }
        }
        "text" => println!("WARNING: sun.reflect.Reflection.getCallerClass is not supported.\n"),
        "child" => {
            let child = Command::new(env::current_exe().unwrap()).arg("hang").stdin(Stdio::null()).spawn();
            fs::write(option("--pid").unwrap_or_default(), child.unwrap().id().to_string()).unwrap();
        }
        _ => {}
    }
    let numbered = (1..=8).filter_map(|number| option(&format!("-p{number}")));
    let listed = words.iter().skip_while(|word| *word != "--bots").skip(1).cloned();
    let commands = if mode == "json" { listed.collect::<Vec<_>>() } else { numbered.collect() };
    let played = commands.iter().map(|command| play(command, seed)).collect::<Vec<_>>();
    let scores = played.iter().map(|(score, _)| score.unwrap_or(-1));
    if mode == "json" {
        let errors = played.iter().map(|(score, _)| u8::from(score.is_none())).collect::<Vec<_>>();
        println!("{{\"scores\": {:?}, \"errors\": {errors:?}}}", scores.collect::<Vec<_>>());
        return ExitCode::SUCCESS;
    }
    if let Some(file) = file {
        let errors =
            played.iter().enumerate().map(|(seat, (_, said))| format!("\"{seat}\": [null, {said:?}]"));
        let errors = errors.collect::<Vec<_>>().join(", ");
        fs::write(file, format!("{{\"errors\": {{{errors}}}, \"summaries\": [\"\", \"all answered\"]}}"))
            .unwrap();
    }
    scores.for_each(|score| println!("{score}"));
    if mode != "mute" {
        println!("seed={seed}\nsize=3\n");
    }
    ExitCode::SUCCESS
}

/// `impatient N FILE REFEREE ...` is the arena's referee, in the first N games, counted in the file, with limits that no bot
/// keeps.
fn impatient(words: &[String]) -> ExitCode {
    let [games, file, referee @ ..] = words else { return ExitCode::from(2) };
    let played = fs::read(file).map_or(0, |bytes| bytes.len());
    fs::write(file, vec![b'.'; played + 1]).unwrap();
    let limits: &[&str] = match games.parse::<usize>().is_ok_and(|games| played < games) {
        true => &["--first-ms", "1", "--later-ms", "1"],
        false => &["--first-ms", "60000", "--later-ms", "60000"],
    };
    let status = Command::new(&referee[0]).args(&referee[1..]).args(limits).status().unwrap();
    ExitCode::from(status.code().map_or(1, |code| code as u8))
}

/// A referee of the old protocol: it asks for a number from each player. `fault` tells what goes wrong.
fn old(fault: &str) -> ExitCode {
    let mut lines = io::stdin().lock().lines().map_while(Result::ok);
    let (mut seed, mut players) = (RANDOM_SEED, 0);
    for line in lines.by_ref() {
        match line.split_once(' ') {
            Some(("###Seed", number)) => seed = number.parse().unwrap_or(RANDOM_SEED),
            Some(("###Start", number)) => {
                players = number.parse().unwrap_or(0);
                break;
            }
            _ => {}
        }
    }
    println!("a line that belongs to no player");
    let mut places = std::collections::BTreeMap::<i64, String>::new();
    for player in 0..players {
        match fault {
            "unknown" => println!("###Hello"),
            "cut" => return ExitCode::SUCCESS,
            "hang" => std::thread::sleep(Duration::from_secs(600)),
            _ => {}
        }
        println!("###Input {player}\n{seed}\n###Output {player} 1");
        let answer = lines.next().unwrap_or_default();
        let number = answer.trim().parse().unwrap_or_else(|_| {
            println!("###Error {player} {answer:?} isn't a number");
            -1
        });
        places.entry(-number).or_default().push_str(&player.to_string());
    }
    println!("###End {}", places.into_values().collect::<Vec<_>>().join(" "));
    ExitCode::SUCCESS
}

/// A bot's number, if it answers one, and its standard error. Its command line is split at single blanks.
fn play(command: &str, seed: i64) -> (Option<i64>, String) {
    let words = command.split(' ').collect::<Vec<_>>();
    let mut child = Command::new(words[0]);
    child.args(&words[1..]).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let Ok(mut child) = child.spawn() else { return (None, String::new()) };
    let _ = writeln!(child.stdin.take().unwrap(), "{seed}");
    let output = child.wait_with_output().unwrap();
    let answer = String::from_utf8_lossy(&output.stdout).trim().parse().ok();
    (answer, String::from_utf8_lossy(&output.stderr).into_owned())
}

fn bot(words: &[String]) -> ExitCode {
    if words.iter().any(|word| word == "--tunables") {
        println!("x, int, 10, 0, 100");
        return ExitCode::SUCCESS;
    }
    let mut line = String::new();
    let _ = io::stdin().lock().read_line(&mut line);
    let seed = line.trim().parse::<i64>().unwrap_or(0);
    let Some(number) = words.first().and_then(|word| word.parse::<i64>().ok()) else {
        eprintln!("no number in {words:?}");
        return ExitCode::from(3);
    };
    if let Some(folder) = words.iter().skip_while(|word| *word != "--record").nth(1) {
        let _ = io::stdin().lock().read_to_string(&mut line);
        let file = fs::OpenOptions::new().create(true).append(true).open(format!("{folder}/{number}-{seed}"));
        file.unwrap().write_all(line.as_bytes()).unwrap();
    }
    let tuned = words.iter().filter_map(|word| word.strip_prefix("x=")?.parse::<i64>().ok()).sum::<i64>();
    let luck = if words.get(1).is_some_and(|word| word == "by-seed") { seed.rem_euclid(3) } else { 0 };
    eprintln!("[PDATA] strength = {number}\n[TDATA] depth = 4\n[PDATA+] hits = 2\n[PDATA+] hits = 1\n[PDATA][3] width = 7");
    println!("{}", number + luck + tuned);
    ExitCode::SUCCESS
}
