//! `arena as-bot`: plays a search of this program on standard input and output.

use std::io::{self, Write};
use std::sync::mpsc::{channel, Sender};
use std::thread;

use contest::Contest;
use coppice::input::InputError;
use coppice::Rng;

use crate::command::game_options::seed;
use crate::failure::Failure;
use crate::probe;
use coppice_referee::game::in_process::{on_large_stack, InProcess, PREFIX};
use coppice_referee::text::words;

/// The arguments of `arena as-bot`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Seed of the game: together with the search's own it decides its random numbers
    #[arg(long, value_name = "S", default_value_t = 0, value_parser = seed)]
    pub game_seed: u64,
    /// Replace the answers from this turn on by ones that may be wrong, as `arena verify` does
    #[arg(long, value_name = "N", hide = true)]
    pub probe_turn: Option<usize>,
    /// The contest's name; `arena contests` lists them
    pub contest: String,
    /// The search and its options, as in a match: in:SEARCH --nodes N (or --ms N), --seed N, --pool-mb N, --param NAME=VALUE
    #[arg(value_name = "SEARCH", required = true, trailing_var_arg = true, allow_hyphen_values = true)]
    pub search: Vec<String>,
}

/// Answers each turn until the input ends.
///
/// # Errors
/// If the search is unknown or can't play by the protocol, or the input is malformed.
pub(crate) fn run(args: &Args, contest: &dyn Contest, out: &mut dyn Write) -> Result<(), Failure> {
    let text = match &args.search[..] {
        [text] => text.clone(),
        words => words::join(words),
    };
    let text = if text.trim_start().starts_with(PREFIX) { text } else { format!("{PREFIX}{text}") };
    let search = InProcess::parse(&text)?
        .ok_or_else(|| Failure::usage(format!("`{text}`: expected {PREFIX}SEARCH and its options")))?;
    search.tunables(contest)?;
    search.check_served(contest)?;
    // Standard output belongs to this thread, and a search needs one with a larger stack.
    let (sender, answers) = channel();
    let played = thread::scope(|scope| {
        let play = move || {
            let mut answers = Answers { sender, unsent: Vec::new() };
            search.serve(contest, args.game_seed, &mut io::stdin().lock(), &mut answers)
        };
        let player = scope.spawn(|| on_large_stack(play));
        let mut earlier = Vec::new();
        for answer in answers {
            let answer = match args.probe_turn {
                Some(turn) => probed(answer, turn, args.game_seed, &mut earlier),
                None => answer,
            };
            // A referee that has closed the pipe wants no more answers.
            if out.write_all(&answer).and_then(|()| out.flush()).is_err() {
                break;
            }
        }
        player.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })?;
    match played {
        Ok(()) | Err(InputError::Ended) => Ok(()),
        Err(error) => Err(Failure::new(error.to_string())),
    }
}

/// The answer, or from the turn of the probe on another one: those that are legal don't end the game.
fn probed(answer: Vec<u8>, turn: usize, seed: u64, earlier: &mut Vec<String>) -> Vec<u8> {
    let Ok(text) = std::str::from_utf8(&answer) else { return answer };
    let text = text.trim_end_matches('\n').to_owned();
    earlier.push(text.clone());
    if earlier.len() < turn {
        return answer;
    }
    let mut rng = Rng::new(seed.wrapping_add(earlier.len() as u64));
    let other = probe::unlike(&text, &earlier[..earlier.len() - 1], &mut rng);
    format!("{other}\n").into_bytes()
}

/// Hands answers to the thread that writes them.
struct Answers {
    sender: Sender<Vec<u8>>,
    unsent: Vec<u8>,
}

impl Write for Answers {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.unsent.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        let answer = std::mem::take(&mut self.unsent);
        self.sender.send(answer).map_err(|_| io::ErrorKind::BrokenPipe.into())
    }
}
