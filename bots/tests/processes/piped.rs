//! A bot with pipes.

use std::io::{BufRead, BufReader, Lines, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};

/// A bot that was given a whole input.
#[derive(Debug)]
pub struct Ended {
    /// The lines of its stdout.
    pub answers: Vec<String>,
    /// The text of its stderr.
    pub said: String,
    /// The exit status; `None` if a signal ended it.
    pub status: Option<i32>,
}

/// Runs a bot on an input to its end. The bot may exit before it has read all.
pub fn run(program: &str, arguments: &[&str], input: &[u8]) -> Ended {
    let mut command = Command::new(program);
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the bot starts");
    let _ = child.stdin.take().expect("its input").write_all(input);
    let output = child.wait_with_output().expect("its output");
    let [out, said] = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).expect("text"));
    Ended { answers: out.lines().map(String::from).collect(), said, status: output.status.code() }
}

/// A bot that answers line by line.
pub struct Talking {
    child: Child,
    input: ChildStdin,
    output: Lines<BufReader<ChildStdout>>,
}

impl Talking {
    pub fn start(program: &str, arguments: &[&str]) -> Talking {
        let mut command = Command::new(program);
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().expect("the bot starts");
        let input = child.stdin.take().expect("its input");
        let output = BufReader::new(child.stdout.take().expect("its output")).lines();
        Talking { child, input, output }
    }

    pub fn write(&mut self, text: &str) {
        self.input.write_all(text.as_bytes()).expect("it listens");
    }

    pub fn line(&mut self) -> String {
        self.output.next().expect("an answer").expect("text")
    }

    /// Ends the input, and waits for the bot's end.
    pub fn end(mut self) -> ExitStatus {
        drop(self.input);
        self.child.wait().expect("its end")
    }
}
