//! Checks how a bot reacts to invalid input and to the end of its input. Neither loses a game, so the worst result is
//! a warning; but a bot that keeps running takes processor time from the next game's bots.

use std::time::Duration;

use contest::Setup;

use coppice_referee::bot::exit::Exit;
use coppice_referee::bot::Reply;
use coppice_referee::process::{self, Process};
use coppice_referee::text::quoted;

use super::game::{Trial, PATIENCE};
use super::plan::{Item, Plan, Status};

/// How long a bot is observed after invalid input.
const LISTEN: Duration = Duration::from_millis(200);

/// All checks of invalid and closed input.
pub(super) fn items(plan: &Plan<'_>, trials: &[Trial]) -> Vec<Item> {
    let mut items = Vec::new();
    // A game that ended with a fault has ended the process too.
    let played: Vec<&Trial> = trials.iter().filter(|trial| trial.fault.is_none()).collect();
    if !played.is_empty() {
        items.push(extra_output(&played));
        items.push(end_of_game(&played));
    }
    let turn = first_turn(plan);
    let half = &turn[..turn.len() / 2];
    for (name, text) in [
        ("closed input, nothing sent", Vec::new()),
        ("closed input in a turn", half.as_bytes().to_vec()),
        ("garbage: words", b"garbage here\n".repeat(100)),
        ("garbage: empty lines", b"\n".repeat(100)),
        ("garbage: bytes", b"\x00\xff\xfe\r\n".repeat(100)),
    ] {
        if process::interrupted() {
            break;
        }
        items.push(ends(plan, name, &text));
    }
    items
}

fn first_turn(plan: &Plan<'_>) -> String {
    let game = plan.contest.new_game(Setup { seed: plan.seed, opening_plies: 0, limits: plan.limits });
    game.asked().first().map_or_else(String::new, |&seat| game.init(seat) + &game.turn(seat))
}

fn extra_output(trials: &[&Trial]) -> Item {
    let name = "output beyond answers";
    match trials.iter().find(|trial| !trial.unread.is_empty()) {
        None => Item::new(name, Status::Ok, "none"),
        Some(trial) => {
            let detail = format!(
                "after its last answer in game {} it wrote {}: during a game that is a protocol fault",
                trial.number + 1,
                quoted(&trial.unread)
            );
            Item::new(name, Status::Warning, detail)
        }
    }
}

fn end_of_game(trials: &[&Trial]) -> Item {
    let name = "end of the game";
    match trials.iter().map(|trial| trial.exit).find(|exit| *exit != Some(Exit::Code(0))) {
        None => Item::new(name, Status::Ok, "its input closed, it exits with code 0"),
        Some(Some(exit)) => Item::new(
            name,
            Status::Warning,
            format!("its input closed, {exit}: 0 would say that all went well"),
        ),
        Some(None) => Item::new(name, Status::Warning, runs_on()),
    }
}

fn runs_on() -> String {
    format!("it still runs {} s after its input was closed; exit at the end of the input", PATIENCE.as_secs())
}

/// Sends `text` and closes the input: the bot must end.
fn ends(plan: &Plan<'_>, name: &str, text: &[u8]) -> Item {
    let mut bot = match Process::start(&plan.bot) {
        Ok(bot) => bot,
        Err(error) => return Item::new(name, Status::Fault, format!("can't start it again: {error}")),
    };
    let reply = (!text.is_empty()).then(|| bot.send(text, LISTEN));
    if let Some(Reply::TooLong { bytes, .. }) = &reply {
        return Item::new(name, Status::Warning, format!("it writes without an end: {}", quoted(bytes)));
    }
    let said = match &reply {
        Some(reply) if !reply.bytes().is_empty() => format!("it answers {}, and ", quoted(reply.bytes())),
        _ => String::new(),
    };
    match bot.leave(PATIENCE) {
        None => Item::new(name, Status::Warning, said + &runs_on()),
        Some(exit @ Exit::Signal(_)) => Item::new(name, Status::Warning, format!("{said}{exit}")),
        Some(exit) => Item::new(name, Status::Ok, format!("{said}{exit}")),
    }
}
