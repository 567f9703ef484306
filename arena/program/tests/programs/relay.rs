//! Tests that a bot behind the arena's recording wrapper is as it is without it.

use std::fs;
use std::io::{Read, Write};
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use rustix::process::{kill_process, test_kill_process, Pid, Signal};

use crate::outside::{arena, err, out, outside};

/// A shell script as a bot behind the wrapper.
fn wrapped(folder: &Path, script: &str) -> Child {
    let words = folder.join("words.json");
    // A second start would be recorded beside the first.
    let _ = fs::remove_file(folder.join("rec"));
    fs::write(&words, serde_json::to_string(&["sh", "-c", script]).unwrap()).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_arena"));
    command.arg("run-bot").arg(words).arg("--record").arg(folder.join("rec"));
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

/// The recorded lines, without their times.
fn recorded(folder: &Path) -> Vec<String> {
    let text = fs::read_to_string(folder.join("rec")).unwrap();
    let line = |line: &str| {
        let mut parts = line.splitn(3, ' ');
        let (mark, _, text) = (parts.next().unwrap(), parts.next().unwrap(), parts.next().unwrap());
        format!("{mark} {text}")
    };
    // How the process ended, and what the referee left unread, is tested on its own.
    text.lines().skip(1).filter(|line| !line.starts_with(['.', '?'])).map(line).collect()
}

/// The number that a bot prints first.
fn pid(child: &mut Child) -> Pid {
    let mut text = String::new();
    let output = child.stdout.as_mut().unwrap();
    let mut byte = [0];
    while output.read(&mut byte).unwrap() == 1 && byte != *b"\n" {
        text.push(char::from(byte[0]));
    }
    Pid::from_raw(text.parse().unwrap()).unwrap()
}

fn ends(pid: Pid) -> bool {
    (0..1000).any(|_| {
        std::thread::sleep(Duration::from_millis(10));
        let stat = fs::read_to_string(format!("/proc/{}/stat", pid.as_raw_nonzero()));
        test_kill_process(pid).is_err() || stat.is_ok_and(|text| text.contains(") Z "))
    })
}

#[test]
fn bytes_pass_unchanged_and_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let mut child = wrapped(folder.path(), "exec cat");
    let (mut input, mut output) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
    for sent in [&b"no line"[..], b" end\xff\0\r\n", b"\n\n", &[b'x'; 50_000]] {
        input.write_all(sent).unwrap();
        let mut echoed = vec![0; sent.len()];
        // Waits for ever if the wrapper waited for a line.
        output.read_exact(&mut echoed).unwrap();
        assert!(echoed == sent);
    }
    drop(input);
    assert_eq!(output.read(&mut [0]).unwrap(), 0);
    assert_eq!(child.wait().unwrap().code(), Some(0));
    let lines = recorded(folder.path());
    assert_eq!(lines[0], "> no line end\\xff\\x00");
    assert_eq!(lines.iter().filter(|line| *line == "< ").count(), 2);
}

#[test]
fn a_flood_passes_whole() {
    let folder = tempfile::tempdir().unwrap();
    let child = wrapped(folder.path(), "yes 0123456789 | head -c 2200000; yes err | head -c 400000 >&2");
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.stdout.len(), output.stderr.len()), (2_200_000, 400_000));
    assert!(output.stdout.chunks(11).all(|line| line == b"0123456789\n"));
    assert_eq!(recorded(folder.path()).iter().filter(|line| *line == "< 0123456789").count(), 200_000);
}

#[test]
fn it_ends_as_the_bot_ends() {
    let folder = tempfile::tempdir().unwrap();
    let status = |script: &str| {
        let output = wrapped(folder.path(), script).wait_with_output().unwrap();
        (output.status.code(), output.status.signal())
    };
    assert_eq!(status("exit 7"), (Some(7), None));
    assert_eq!(status("kill -9 $$"), (None, Some(9)));
    assert_eq!(status("kill -TERM $$"), (None, Some(15)));
    // Behind its back something holds the output open.
    assert_eq!(status("sleep 3 & exit 4"), (Some(4), None));
    fs::write(folder.path().join("words.json"), "[\"./no-such-bot\"]").unwrap();
    let words = ["run-bot", "words.json", "--record", "rec"];
    let output = arena(folder.path(), &words);
    assert_ne!(output.status.code(), Some(0));
    assert!(err(&output).contains("can't start ./no-such-bot"), "{output:?}");
}

/// The end of the recording.
fn end(folder: &Path) -> Option<String> {
    let text = fs::read_to_string(folder.join("rec")).unwrap();
    let line = text.lines().find(|line| line.starts_with('.'))?;
    line.splitn(3, ' ').nth(2).map(str::to_owned)
}

#[test]
fn the_end_of_the_bot_is_recorded() {
    let folder = tempfile::tempdir().unwrap();
    // The referee hears of the end when it is recorded.
    for (script, expected) in
        [("exit 101", "code 101"), ("kill -SEGV $$", "signal 11"), ("read line; exit 3", "code 3")]
    {
        let mut child = wrapped(folder.path(), script);
        let mut input = child.stdin.take().unwrap();
        let _ = writeln!(input, "1");
        assert_eq!(child.stdout.as_mut().unwrap().read(&mut [0]).unwrap(), 0);
        assert_eq!(end(folder.path()).as_deref(), Some(expected), "{script}");
        child.wait().unwrap();
    }
    let mut child = wrapped(folder.path(), "cat; exit 5");
    drop(child.stdin.take());
    child.wait().unwrap();
    assert_eq!(end(folder.path()).as_deref(), Some("code 5 closed"));
}

#[test]
fn output_that_stands_when_a_turn_is_sent_is_recorded() {
    let folder = tempfile::tempdir().unwrap();
    let mut child = wrapped(folder.path(), "while read line; do echo a; echo b; done");
    let (mut input, mut output) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
    let is_recorded = || {
        let text = fs::read_to_string(folder.path().join("rec")).unwrap();
        text.lines().any(|line| line.starts_with('?'))
    };
    writeln!(input, "1").unwrap();
    output.read_exact(&mut [0; 4]).unwrap();
    writeln!(input, "2").unwrap();
    output.read_exact(&mut [0; 4]).unwrap();
    assert!(!is_recorded(), "all was read");
    // What isn't read stays, so that some turn finds it.
    let found = (0..1000).any(|_| {
        writeln!(input, "3").unwrap();
        std::thread::sleep(Duration::from_millis(10));
        is_recorded()
    });
    assert!(found || cfg!(not(target_os = "linux")));
    drop((input, output));
    child.wait().unwrap();
}

#[test]
fn a_closed_output_is_closed() {
    let folder = tempfile::tempdir().unwrap();
    let mut child = wrapped(folder.path(), "echo $$; exec >&-; exec sleep 600");
    let bot = pid(&mut child);
    assert_eq!(child.stdout.as_mut().unwrap().read(&mut [0]).unwrap(), 0);
    assert!(child.try_wait().unwrap().is_none(), "the bot still runs");
    child.kill().unwrap();
    child.wait().unwrap();
    if cfg!(target_os = "linux") {
        assert!(ends(bot), "a killed wrapper takes its bot along");
    } else {
        let _ = kill_process(bot, Signal::KILL);
    }
}

#[test]
fn a_bot_that_ignores_the_end_of_its_input_gets_the_signal() {
    let folder = tempfile::tempdir().unwrap();
    let mut child = wrapped(folder.path(), "echo $$; exec sleep 600");
    let bot = pid(&mut child);
    drop(child.stdin.take());
    std::thread::sleep(Duration::from_millis(50));
    assert!(child.try_wait().unwrap().is_none(), "the bot still runs");
    kill_process(Pid::from_child(&child), Signal::TERM).unwrap();
    assert_eq!(child.wait().unwrap().signal(), Some(15));
    assert!(ends(bot));
}

#[test]
fn a_bot_is_told_that_nobody_reads_it() {
    let folder = tempfile::tempdir().unwrap();
    let mut child = wrapped(folder.path(), "exec yes");
    drop(child.stdout.take());
    assert_eq!(child.wait().unwrap().signal(), Some(13));
}

#[test]
fn what_a_bot_says_before_its_answer_is_recorded_before_it() {
    let folder = tempfile::tempdir().unwrap();
    let script = "while read line; do echo \"about $line\" >&2; echo \"$line!\"; done";
    let mut child = wrapped(folder.path(), script);
    let (mut input, mut output) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
    for turn in 10..40 {
        writeln!(input, "{turn}").unwrap();
        output.read_exact(&mut [0; 4]).unwrap();
    }
    drop(input);
    child.wait().unwrap();
    let expected =
        (10..40).flat_map(|turn| [format!("> {turn}"), format!("! about {turn}"), format!("< {turn}!")]);
    assert_eq!(recorded(folder.path()), expected.collect::<Vec<_>>());
}

#[test]
fn games_of_every_referee_can_be_viewed() {
    let folder = tempfile::tempdir().unwrap();
    for mode in ["d", "json --seed {SEED} --bots {PLAYERS}"] {
        let words = [
            "play",
            "-r",
            &outside(mode),
            &outside("bot 7"),
            &outside("bot 3"),
            "--log-dir",
            "games",
            "--games",
            "2",
        ];
        let printed = out(&arena(folder.path(), &words));
        let record = fs::read_to_string(folder.path().join("games/1.json")).unwrap();
        let record = serde_json::from_str::<serde_json::Value>(&record).unwrap();
        let seed = record["seed_text"].as_str().unwrap();
        assert!(printed.contains(&format!("seed {seed},")), "{printed}");
        assert_eq!(record["turns"], serde_json::json!([0, 1]));
        let log = fs::read_to_string(folder.path().join("games/1.p0.log")).unwrap();
        let lines = log.lines().collect::<Vec<_>>();
        assert_eq!(
            (lines[0], lines[1], *lines.last().unwrap()),
            (&*format!("> {seed}"), "! [PDATA] strength = 7", "< 7")
        );
        for file in ["games/1.json", "games/1.p1.log"] {
            let output = arena(folder.path(), &["view", file, "-o", "page.html"]);
            out(&output);
            let page = fs::read_to_string(folder.path().join("page.html")).unwrap();
            assert_eq!(page.matches("<li class=\"turn\" id=\"turn=").count(), 2, "{mode} {file}");
            assert!(page.contains("strength = 3") && page.contains(seed), "{mode} {file}");
            assert!(page.matches("<h2>").count() == 0, "one name is enough");
        }
        let again = arena(folder.path(), &["view", "games/2.json", "-o", "page.html"]);
        assert!(err(&again).contains("page.html was there and is replaced"), "{again:?}");
        let report = [
            "match",
            "-r",
            &outside(mode),
            &outside("bot 7"),
            &outside("bot 3"),
            "-n",
            "2",
            "--report",
            "run.html",
        ];
        out(&arena(folder.path(), &report));
        let page = fs::read_to_string(folder.path().join("run-games/1.html")).unwrap();
        assert!(page.contains("strength = 7"), "{mode}");
        fs::remove_dir_all(folder.path().join("run-games")).unwrap();
    }
}

/// Linux tells the processor time of a process that runs.
#[cfg(target_os = "linux")]
#[test]
fn a_time_out_of_a_bot_that_used_no_processor_time_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let program = shell_words::quote(env!("CARGO_BIN_EXE_arena"));
    let referee = format!("{program} referee tictactoe --first-ms 1000 --later-ms 60000");
    let (bot, sleeper) = (format!("{program} as-bot tictactoe in:random"), "sleep 600");
    let words =
        ["match", "-r", &referee, &bot, sleeper, "-n", "2", "--log-dir", "logs", "--report", "run.html"];
    let output = arena(folder.path(), &words);
    let told = "time-outs in which it used little processor time, so the machine may have caused them: 2\n";
    assert!(out(&output).contains(told), "{output:?}");
    let said = err(&output);
    assert_eq!(
        said.matches(" ms of processor time in its last turn: the machine kept it waiting").count(),
        2,
        "{said}"
    );
    let page = fs::read_to_string(folder.path().join("run.html")).unwrap();
    assert!(page.contains("time-outs with little processor time"));
}
