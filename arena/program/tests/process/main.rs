//! Tests games between real processes: this program runs itself as a bot, with `--bot NAME`.

mod bots;
#[path = "../toy/mod.rs"]
mod toy;

use std::env;
use std::io::{self, Read};
use std::net::{TcpListener, TcpStream};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use contest::{Allowance, Contest};
use coppice_arena::{
    CommandLine, Ending, Entrant, FailureKind, Finished, GameRecord, Openings, Series, SeriesError, Spread,
};
use libtest_mimic::{Arguments, Failed, Trial};
use toy::{Nim, NIM};

/// Far above the expected duration, far below the sleep of a bot that never answers.
const SOON: Duration = Duration::from_secs(15);

fn main() -> ExitCode {
    let arguments = env::args().skip(1).collect::<Vec<_>>();
    if let [flag, name, rest @ ..] = arguments.as_slice() {
        if flag == "--bot" {
            bots::play(name, rest.first().map_or("", String::as_str));
            return ExitCode::SUCCESS;
        }
    }
    let mut arguments = Arguments::from_args();
    // One at a time, so that leftovers are detected after each test and no test slows another.
    arguments.test_threads = Some(1);
    libtest_mimic::run(&arguments, trials()).exit_code()
}

fn trials() -> Vec<Trial> {
    let test = |name: &str, run: fn()| {
        Trial::test(name, move || {
            run();
            nothing_is_left_behind()
        })
    };
    vec![
        test("good_bots_end_normally", good_bots_end_normally),
        test("windows_line_ends_are_stripped", windows_line_ends),
        test("an_exit_without_an_answer_is_no_output", exits),
        test("an_exit_code_is_a_crash", exit_code),
        #[cfg(unix)]
        test("a_signal_is_a_crash_with_its_name", signal),
        test("a_malformed_answer_is_reported", zz),
        test("a_second_line_is_a_fault", two_lines),
        test("bytes_after_the_answer_are_a_fault_of_its_turn", more_bytes),
        test("a_line_before_the_first_turn_is_a_fault", early),
        test("binary_is_a_fault", binary),
        test("half_a_line_is_no_answer", half_a_line),
        test("a_late_answer_is_a_time_out_on_a_later_turn", late),
        test("a_bot_that_never_reads_does_not_block_the_referee", never_reads),
        test("a_turn_longer_than_the_pipe_arrives", long_turn),
        test("a_flood_without_line_ends_is_cut_off", floods),
        test("a_flood_of_lines_is_cut_off", floods_lines),
        test("a_flood_on_stderr_is_harmless", floods_stderr),
        test("a_bot_that_ignores_its_closed_input_is_killed", ignores_the_end),
        test("children_are_killed", has_a_child),
        test("children_of_an_exited_bot_are_killed", leaves_a_child),
        #[cfg(unix)]
        test("an_escaped_child_does_not_block_the_referee", escaped_child),
        test("a_command_that_cannot_be_started_is_reported", cannot_be_started),
        test("numbers_on_stderr_are_kept", numbers_on_stderr),
        test("lines_on_stderr_are_whole_and_in_their_turn", said_in_pieces),
        test("time_and_memory_are_counted", usage),
        #[cfg(unix)]
        test("time_of_children_is_counted", usage_of_children),
        #[cfg(unix)]
        test("time_of_a_killed_bot_is_counted", usage_of_the_ended),
        #[cfg(target_os = "linux")]
        test("the_processor_time_limit_is_checked_at_each_answer", cpu_limit),
        #[cfg(target_os = "linux")]
        test("processor_time_of_a_child_counts", cpu_limit_of_child),
        #[cfg(unix)]
        test("the_system_kills_a_bot_that_works_forever", cpu_limit_of_the_system),
        #[cfg(target_os = "linux")]
        test("memory_beyond_the_limit_is_refused_and_reported", memory_limit),
        test("a_bot_within_its_limits_keeps_playing", within_limits),
        test("the_same_seed_gives_the_same_games", same_seed),
    ]
}

/// No thread and no child process of a game outlives it.
#[cfg(target_os = "linux")]
fn nothing_is_left_behind() -> Result<(), Failed> {
    use rustix::process::{waitid, WaitId, WaitIdOptions};
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    if !matches!(waitid(WaitId::All, options), Err(rustix::io::Errno::CHILD)) {
        return Err("a child process is left".into());
    }
    // A joined thread may take a moment to vanish from the list.
    let threads = || std::fs::read_dir("/proc/self/task").map_or(0, Iterator::count);
    let deadline = Instant::now() + SOON;
    while threads() > 1 && Instant::now() < deadline {
        std::thread::sleep(Duration::from_millis(1));
    }
    if threads() > 1 {
        return Err(format!("{} threads are left", threads()).into());
    }
    Ok(())
}

#[cfg(not(target_os = "linux"))]
fn nothing_is_left_behind() -> Result<(), Failed> {
    Ok(())
}

fn bot(arguments: &[&str]) -> CommandLine {
    CommandLine::new(env::current_exe().unwrap(), &[&["--bot"], arguments].concat())
}

fn series<'a>(contest: &'a Nim, bots: [CommandLine; 2]) -> Series<'a> {
    let (limits, grace) = (contest.limits(), Duration::ZERO);
    let bots = bots.map(Entrant::from).into();
    Series { limits, grace, ..Series::new(contest, bots) }
}

fn play(series: &Series) -> GameRecord {
    let start = Instant::now();
    let Finished { record, .. } = series.play(&series.fixture(1)).unwrap();
    assert!(start.elapsed() < SOON, "took {:?}", start.elapsed());
    record
}

/// The named bot on seat 0 against a good one.
fn record_of(name: &str) -> GameRecord {
    play(&series(&NIM, [bot(&[name]), bot(&["good"])]))
}

/// Asserts that the record's only fault is seat 0's, with this ending, turn and start of `received`.
fn assert_fault(record: &GameRecord, ending: Ending, turn: u32, received: &str) {
    assert_eq!(record.faults.len(), 1, "{:?}", record.faults);
    let fault = &record.faults[0];
    assert_eq!((fault.seat, fault.ending, fault.turn), (0, ending, turn), "{fault}");
    assert!(fault.received.starts_with(received), "{fault}");
    assert_eq!(record.scores, [0, 1]);
}

fn good_bots_end_normally() {
    let record = record_of("good");
    assert_eq!((record.ending, record.faults.len()), (Ending::Normal, 0), "{:?}", record.faults);
    assert_eq!((record.moves.as_str(), record.scores), ("1 1 1 1 1 1", vec![0, 1]));
    assert_eq!(record.times_ms.map_lens(), [3, 3]);
    assert!(record.times_ms.iter().flatten().all(|&ms| ms > 0.0), "{:?}", record.times_ms);
}

trait MapLens {
    fn map_lens(&self) -> Vec<usize>;
}

impl MapLens for Vec<Vec<f64>> {
    fn map_lens(&self) -> Vec<usize> {
        self.iter().map(Vec::len).collect()
    }
}

fn windows_line_ends() {
    assert_eq!(record_of("windows-line-ends").ending, Ending::Normal);
}

fn exits() {
    let received = "the end of its output: its process exited with code 0";
    assert_fault(&record_of("exits"), Ending::NoOutput, 1, received);
}

fn exit_code() {
    let record = record_of("exits-with-3");
    assert_fault(&record, Ending::Crash, 1, "the end of its output: its process exited with code 3");
    assert_eq!(record.faults[0].stderr, "no book found");
}

#[cfg(unix)]
fn signal() {
    let received = "the end of its output: its process was ended by SIGABRT";
    assert_fault(&record_of("aborts"), Ending::Crash, 1, received);
}

fn zz() {
    let record = record_of("zz");
    assert_fault(&record, Ending::Protocol, 1, "\"zz\"");
    assert_eq!(record.faults[0].expected, "a number");
}

fn two_lines() {
    let record = record_of("two-lines");
    assert_fault(&record, Ending::Protocol, 1, "\"1\" and after it \"1\"");
    assert_eq!(record.moves, "");
}

fn more_bytes() {
    // No line: only what stands in the pipe when the next turn is to be sent tells.
    let series = series(&NIM, [bot(&["more-bytes"]), bot(&["slow"])]);
    let record = play(&series);
    assert_fault(
        &record,
        Ending::Protocol,
        1,
        "\"depth=3\" after its answer of turn 1; this looks like debugging",
    );
    assert_eq!((record.faults[0].after_answer, record.moves.as_str()), (true, "1 1"));
    assert_eq!(series.contradiction(&record).unwrap(), None, "a run that is resumed accepts it");
}

fn early() {
    let contest = series(&NIM, [bot(&["slow"]), bot(&["early"])]);
    let finished = contest.play(&contest.fixture(1)).unwrap();
    let fault = &finished.record.faults[0];
    assert_eq!((fault.seat, fault.ending, fault.turn), (1, Ending::Protocol, 0), "{fault}");
    assert!(fault.to_string().starts_with("bot B (seat 1), before its first turn: protocol\n"), "{fault}");
    assert_eq!(fault.received, "\"ready\" before its first turn");
    assert_eq!(finished.record.moves, "1");
    let log = finished.dialogues[1].to_string();
    assert!(log.contains("< ready\n") && !log.contains("> "), "{log}");
}

fn binary() {
    assert_fault(&record_of("binary"), Ending::Protocol, 1, r#""\x00\x9f\x92\x96""#);
}

fn half_a_line() {
    assert_fault(&record_of("half-a-line"), Ending::NoOutput, 1, "\"1\", then the end of its output");
}

fn late() {
    let record = record_of("late");
    assert_fault(&record, Ending::TimeOutLater, 2, "nothing");
    assert_eq!(record.faults[0].expected, "one line within 2000 ms");
    assert_eq!(record.times_ms.map_lens(), [1, 1]);
    // It slept: no thinking caused the time-out.
    if cfg!(target_os = "linux") {
        let fault = &record.faults[0];
        assert!(fault.is_idle && fault.received.contains(" ms of processor time in this turn: "), "{fault}");
    }
}

fn never_reads() {
    let contest = Nim { padding: 1 << 20, ..NIM };
    let mut series = series(&contest, [bot(&["never-reads"]), bot(&["good"])]);
    series.limits.first = Duration::from_millis(300);
    assert_fault(&play(&series), Ending::TimeOutFirst, 1, "nothing");
}

fn long_turn() {
    let contest = Nim { padding: 1 << 20, ..NIM };
    let record = play(&series(&contest, [bot(&["good"]), bot(&["good"])]));
    assert_eq!(record.ending, Ending::Normal, "{:?}", record.faults);
}

fn floods() {
    let record = record_of("floods");
    assert_fault(&record, Ending::Protocol, 1, "more: \"xxxxxxxx");
    assert_eq!(record.faults[0].expected, "one line of at most 10000 bytes");
}

fn floods_lines() {
    assert_eq!(record_of("floods-lines").faults[0].ending, Ending::Protocol);
}

fn floods_stderr() {
    let record = record_of("floods-stderr");
    assert_eq!(record.ending, Ending::Normal, "{:?}", record.faults);
}

/// A game of the named bot against a good one; a process of the bot connects to the listener.
fn with_listener(name: &str, limit: Duration) -> (GameRecord, TcpStream) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let mut series = series(&NIM, [bot(&[name, &address]), bot(&["good"])]);
    series.limits.first = limit;
    let record = play(&series);
    (record, listener.accept().unwrap().0)
}

/// Whether the connection closes, since the connected process has ended.
fn is_gone(mut connection: TcpStream, patience: Duration) -> bool {
    connection.set_read_timeout(Some(patience)).unwrap();
    let end = connection.read_to_end(&mut Vec::new()).map_err(|error| error.kind());
    !matches!(end, Err(io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut))
}

fn ignores_the_end() {
    let (record, connection) = with_listener("ignores-the-end", SOON);
    assert_eq!(record.ending, Ending::Normal, "{:?}", record.faults);
    assert!(is_gone(connection, SOON));
}

fn has_a_child() {
    let (record, connection) = with_listener("has-a-child", SOON);
    assert_eq!(record.ending, Ending::Normal, "{:?}", record.faults);
    assert!(is_gone(connection, SOON));
}

fn leaves_a_child() {
    // The child holds the bot's output open, so only the time-out ends the turn.
    let (record, connection) = with_listener("leaves-a-child", Duration::from_secs(3));
    assert_fault(&record, Ending::NoOutput, 1, "the end of its output: its process exited with code 0");
    assert!(is_gone(connection, SOON));
}

#[cfg(unix)]
fn escaped_child() {
    let (record, connection) = with_listener("has-an-escaped-child", SOON);
    assert_eq!(record.ending, Ending::Normal, "{:?}", record.faults);
    // The child is outside the group, and its pipes must not block the referee's threads. Closing the
    // connection ends it.
    assert!(!is_gone(connection, Duration::from_millis(50)));
}

fn cannot_be_started() {
    let missing = series(&NIM, [bot(&["good"]), CommandLine::parse("./no/such bot").unwrap()]);
    let Err(error @ SeriesError::Start(_)) = missing.play(&missing.fixture(1)).map(|_| ()) else {
        panic!("it was started");
    };
    assert!(error.to_string().starts_with("can't start bot B, `./no/such bot`, from "), "{error}");
    assert_eq!(error.kind(), FailureKind::Other);
}

fn numbers_on_stderr() {
    let record = record_of("says-numbers");
    let data = &record.data[0];
    assert_eq!(data.tdata["depth"], Spread { count: 3, mean: 2.0, min: 1.0, max: 3.0 });
    let pdata = data.pdata.iter().map(|(name, &value)| (name.as_str(), value)).collect::<Vec<_>>();
    assert_eq!(pdata, [("book", 0.5), ("turns", 3.0)]);
    assert!(record.data[1].is_empty());
    assert!(record_of("good").data.is_empty());
}

fn said_in_pieces() {
    let contest = series(&NIM, [bot(&["says-in-pieces"]), bot(&["good"])]);
    let finished = contest.play(&contest.fixture(1)).unwrap();
    let turns = finished.dialogues[0].exchanges().collect::<Vec<_>>();
    assert_eq!(turns.len(), 3);
    for (turn, exchange) in (1..).zip(&turns) {
        let said = exchange.said.iter().map(|said| said.text.as_str()).collect::<Vec<_>>();
        // What follows an answer may come when the next turn has been sent, but only as a whole.
        let is_after = |line: &&str| line.starts_with("after");
        let later =
            [format!("after of turn {turn}"), format!("after of turn {}", turn - 1), "after".to_owned()];
        assert!(
            said.iter().filter(|line| is_after(line)).all(|line| later.contains(&(*line).to_owned())),
            "{said:?}"
        );
        // Elsewhere than on Unix, the number of unread bytes isn't known.
        if cfg!(unix) {
            let before = said.iter().filter(|line| !is_after(line)).collect::<Vec<_>>();
            assert_eq!(before, [&format!("before answer {turn}")], "{:?}", finished.dialogues[0]);
        }
    }
}

const WORK: Duration = Duration::from_millis(200);

fn usage() {
    let record = record_of("works-hard");
    let [busy, idle] = record.usage.as_slice() else { panic!("{:?}", record.usage) };
    assert!(busy.cpu.unwrap() >= WORK && idle.cpu.unwrap() < WORK, "{:?}", record.usage);
    let [busy, idle] = [busy, idle].map(|usage| usage.peak_memory_bytes.unwrap());
    assert!((64 << 20..96 << 20).contains(&busy), "{busy}");
    // Not the arena's own usage, which includes all tests of this program.
    assert!((100 << 10..32 << 20).contains(&idle), "{idle}");
}

#[cfg(unix)]
fn usage_of_children() {
    let record = record_of("lets-a-child-work");
    assert!(record.usage[0].cpu.unwrap() >= WORK, "{:?}", record.usage);
}

#[cfg(unix)]
fn usage_of_the_ended() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let series = series(&NIM, [bot(&["works-hard"]), bot(&["ignores-the-end", &address])]);
    let record = play(&series);
    assert!(record.usage[1].cpu.is_some_and(|cpu| cpu > Duration::ZERO), "{:?}", record.usage);
    assert!(record.usage[1].peak_memory_bytes.is_some(), "{:?}", record.usage);
}

fn limited(name: &str, cpu: Duration, megabytes: u64) -> GameRecord {
    let allowance = Allowance { cpu: Some(cpu), memory_bytes: Some(megabytes << 20) };
    play(&Series { allowance, ..series(&NIM, [bot(&[name]), bot(&["good"])]) })
}

#[cfg(target_os = "linux")]
fn cpu_limit() {
    let record = limited("works-hard", WORK / 2, 1 << 10);
    assert_fault(&record, Ending::CpuLimit, 1, "");
    let fault = &record.faults[0];
    assert_eq!(fault.expected, "at most 100 ms of processor time in a game");
    assert!(fault.received.ends_with(" ms"), "{fault}");
    assert_eq!(record.run.cpu_limit_ms, Some(100.0));
}

#[cfg(target_os = "linux")]
fn cpu_limit_of_child() {
    assert_fault(&limited("lets-a-child-work", WORK / 2, 1 << 10), Ending::CpuLimit, 1, "");
}

#[cfg(unix)]
fn cpu_limit_of_the_system() {
    // One second of processor time, which takes much longer on a busy machine.
    assert_fault(&limited("works-forever", Duration::from_millis(900), 1 << 10), Ending::CpuLimit, 1, "");
}

#[cfg(target_os = "linux")]
fn memory_limit() {
    let record = limited("works-hard", SOON, 32);
    let received = "a request for more, which was refused, and a crash";
    assert_fault(&record, Ending::MemoryLimit, 1, received);
    assert_eq!(record.faults[0].expected, "at most 33.6 MB of memory");
}

fn within_limits() {
    let record = limited("works-hard", SOON, 256);
    assert_eq!((record.ending, record.faults.len()), (Ending::Normal, 0), "{:?}", record.faults);
}

fn same_seed() {
    let contest = Nim { pile: 20, padding: 0 };
    let games = || {
        let mut series = series(&contest, [bot(&["good"]), bot(&["good"])]);
        series.openings = Openings::Random { plies: 6 };
        (1..=4).map(|game| series.play(&series.fixture(game)).unwrap().record).collect::<Vec<_>>()
    };
    let (once, again) = (games(), games());
    let moves = |records: &[GameRecord]| records.iter().map(|r| r.moves.clone()).collect::<Vec<_>>();
    assert_eq!(moves(&once), moves(&again));
    assert_eq!(once[0].opening, once[1].opening);
    assert_eq!(once[0].bots[0], once[1].bots[1]);
    assert_ne!(once[0].opening, once[2].opening);
}
