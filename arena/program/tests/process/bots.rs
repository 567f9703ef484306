//! The bots that this program plays, good and bad.

use std::env;
use std::io::{self, BufRead, Read, Write};
use std::net::TcpStream;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

/// Longer than any test: a bot that sleeps this long never answers.
const FOREVER: Duration = Duration::from_secs(300);

/// Runs the bot `name`; some connect to the test at `address`.
pub fn play(name: &str, address: &str) {
    match name {
        "good" => play_nim(),
        "exits" => {}
        "exits-with-3" => {
            eprintln!("no book found");
            std::process::exit(3);
        }
        "aborts" => std::process::abort(),
        "zz" => answer_each("zz\n"),
        "two-lines" => answer_each("1\n1\n"),
        "more-bytes" => {
            for _line in io::stdin().lock().lines().skip(1) {
                say(b"1\n");
                say(b"depth=3");
            }
        }
        "early" => {
            say(b"ready\n");
            eprintln!("said");
            play_nim();
        }
        "slow" => {
            for _line in io::stdin().lock().lines().skip(1) {
                thread::sleep(Duration::from_millis(300));
                say(b"1\n");
            }
        }
        "windows-line-ends" => answer_each("1\r\n"),
        "late" => {
            skip_lines(2);
            say(b"1\n");
            thread::sleep(FOREVER);
        }
        "never-reads" => thread::sleep(FOREVER),
        "floods" => {
            skip_lines(2);
            write_until_closed(&mut io::stdout(), b"x");
        }
        "floods-lines" => {
            skip_lines(2);
            write_until_closed(&mut io::stdout(), b"1\n");
        }
        "binary" => {
            skip_lines(2);
            say(&[0, 159, 146, 150, b'\n']);
            thread::sleep(FOREVER);
        }
        "floods-stderr" => {
            let line = format!("{}\n", "e".repeat(99));
            (0..200_000).for_each(|_| drop(io::stderr().write_all(line.as_bytes())));
            play_nim();
        }
        "says-numbers" => {
            eprintln!("[PDATA] book = 0.5");
            // After the init line, each line is a turn.
            for (turn, _line) in (1..).zip(io::stdin().lock().lines().skip(1)) {
                eprintln!("[TDATA] depth = {turn}\nthinking\n[PDATA] turns = {turn}");
                say(b"1\n");
            }
        }
        "says-in-pieces" => {
            // Before each answer a whole line, written in pieces; after it the beginning of one that ends a turn later.
            for (turn, _line) in (1..).zip(io::stdin().lock().lines().skip(1)) {
                if turn > 1 {
                    eprintln!(" of turn {}", turn - 1);
                }
                ["before ", "answer ", &turn.to_string(), "\n"].iter().for_each(|piece| eprint!("{piece}"));
                say(b"1\n");
                eprint!("after");
            }
        }
        "works-hard" => {
            let memory = touched(64 << 20);
            work(Duration::from_millis(200));
            play_nim();
            drop(memory);
        }
        "works-forever" => work(FOREVER),
        "lets-a-child-work" => {
            let mut command = Command::new(env::current_exe().expect("a path"));
            let status = command.args(["--bot", "works-alone"]).stdin(Stdio::null()).status();
            assert!(status.is_ok_and(|status| status.success()), "the child must succeed");
            play_nim();
        }
        "works-alone" => work(Duration::from_millis(200)),
        "half-a-line" => {
            skip_lines(2);
            say(b"1");
        }
        "ignores-the-end" => {
            let _connection = TcpStream::connect(address);
            play_nim();
            thread::sleep(FOREVER);
        }
        "has-a-child" => {
            start_child(address, false);
            play_nim();
        }
        "leaves-a-child" => start_child(address, false),
        "has-an-escaped-child" => {
            start_child(address, true);
            play_nim();
        }
        "child" => {
            // Holds the connection and the inherited pipes until the other side hangs up.
            let mut connection = TcpStream::connect(address).expect("the test listens");
            eprintln!("connected");
            let _ = connection.read(&mut [0]);
        }
        _ => panic!("no bot called {name}"),
    }
}

/// A buffer of `bytes` bytes with every page written.
fn touched(bytes: usize) -> Vec<u8> {
    let mut memory = vec![0; bytes];
    memory.iter_mut().step_by(1024).for_each(|byte| *byte = 1);
    std::hint::black_box(memory)
}

/// Uses at least this much processor time in this thread.
fn work(at_least: Duration) {
    #[cfg(unix)]
    {
        use rustix::time::{clock_gettime, ClockId};
        let used = || clock_gettime(ClockId::ProcessCPUTime);
        let start = used();
        while Duration::try_from(used() - start).unwrap_or_default() < at_least {
            std::hint::black_box((0..10_000_u64).sum::<u64>());
        }
    }
    #[cfg(not(unix))]
    {
        let start = std::time::Instant::now();
        while start.elapsed() < at_least {
            std::hint::black_box((0..10_000_u64).sum::<u64>());
        }
    }
}

fn skip_lines(count: usize) {
    io::stdin().lines().take(count).for_each(drop);
}

fn say(bytes: &[u8]) {
    let _ = io::stdout().write_all(bytes);
    let _ = io::stdout().flush();
}

/// Takes one each turn; exits when its input is closed.
fn play_nim() {
    answer_each("1\n");
}

fn answer_each(answer: &str) {
    // After the init line, each line is a turn.
    for line in io::stdin().lock().lines().skip(1) {
        if line.is_err() {
            return;
        }
        say(answer.as_bytes());
    }
}

/// Writes 100 MB, or until the pipe is closed.
fn write_until_closed(out: &mut impl Write, pattern: &[u8]) {
    let chunk = pattern.repeat(1 << 16);
    let mut written = 0;
    while written < 100_000_000 && out.write_all(&chunk).is_ok() {
        written += chunk.len();
    }
    thread::sleep(FOREVER);
}

/// Starts a child that inherits this process's input and output, and waits until it has connected to the
/// test.
#[allow(clippy::zombie_processes, reason = "the child is to outlive this process")]
fn start_child(address: &str, escapes: bool) {
    let mut command = Command::new(env::current_exe().expect("a path"));
    command.args(["--bot", "child", address]).stderr(Stdio::piped());
    #[cfg(unix)]
    if escapes {
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
    }
    let _ = escapes;
    let mut child = command.spawn().expect("a child");
    let _ = child.stderr.take().expect("a pipe").read(&mut [0]);
}
