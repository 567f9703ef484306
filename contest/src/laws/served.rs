//! A law of served bots: damaged dialogues don't bring them down.

use std::io::{BufReader, Write};
use std::panic::resume_unwind;
use std::thread;
use std::time::Duration;

use coppice::input::InputError;
use coppice::Rng;

use super::damage::{damaged_text, dialogue};
use crate::contest::Contest;
use crate::serve::{AnswerTime, ServeSettings};
use crate::session::{SessionSettings, STACK_BYTES};

/// Feeds a served bot a damaged dialogue. It answers or ends, and answers an undamaged dialogue to its end. Returns the
/// number of lines answered; 0 for a contest for one, or that can't be served.
///
/// # Panics
/// If the bot does, or refuses the undamaged dialogue.
pub fn survives_garbage(contest: &dyn Contest, seed: u64) -> usize {
    let settings = ServeSettings {
        session: SessionSettings { seed, pool_bytes: Some(1 << 18), ..SessionSettings::default() },
        nodes: Some(1 + seed % 20),
        ponder: false,
        time: AnswerTime::AtMost(Duration::from_secs(60)),
        position: None,
    };
    let searches = contest.search_list();
    if searches.is_empty() || contest.seats() < 2 {
        return 0;
    }
    let search = searches[seed as usize % searches.len()].name;
    let mut rng = Rng::new(seed);
    let whole = dialogue(contest, seed, &mut rng);
    crate::bot::silence();
    // A search may need the stack that a server gives it.
    let play = |text: &[u8]| {
        let serve = || {
            let (mut input, mut output) = (BufReader::new(text), Answers::default());
            let played = contest.serve(search, &settings, &mut input, &mut output);
            (played, output.0.iter().filter(|&&byte| byte == b'\n').count())
        };
        thread::scope(|scope| {
            let thread = thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, serve);
            thread.expect("a thread starts").join().unwrap_or_else(|panic| resume_unwind(panic))
        })
    };
    let (played, lines) = play(whole.as_bytes());
    if let Err(error) = played {
        assert!(matches!(error, InputError::Ended), "{}, {search}: {error}", contest.name());
    }
    let (_, more) = play(&damaged_text(&whole, &mut rng));
    lines + more
}

#[derive(Default)]
struct Answers(Vec<u8>);

impl Write for Answers {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}
