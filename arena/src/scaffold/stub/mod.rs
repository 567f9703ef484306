//! A bot from a contest's stub: a reader for what the site sends, the stub's answer, and a test with made-up games.

mod made_up;
mod model;
mod names;
mod parse;
mod plan;
mod reader;

pub use parse::StubError;

use super::{Dependency, NewFile, PackageName};
use plan::Plan;

/// The files of a package for a stub.
///
/// # Errors
/// If the text isn't a stub.
pub fn files(
    name: &PackageName,
    coppice: &Dependency,
    stub: &[u8],
    players: usize,
) -> Result<Vec<NewFile>, StubError> {
    let text = String::from_utf8_lossy(stub).into_owned();
    let stub = parse::parse(stub)?;
    let plan = plan::plan(&stub);
    // The writers call a row's type `@3@`: its name is known when all are planned.
    let named = |mut text: String| {
        for (number, row) in plan.rows.iter().enumerate() {
            text = text.replace(&format!("@{number}@::"), &format!("{}::", row.name));
            text = text.replace(&format!("@{number}@("), &format!("made_row_{}(", names::snake(&row.name)));
        }
        text
    };
    let package = name.in_source();
    Ok(vec![
        NewFile::new(
            "src/lib.rs",
            "//! The contest's protocol and the bot.\n\npub mod player;\npub mod protocol;\n",
        ),
        NewFile::new("src/protocol.rs", named(reader::protocol(&stub, &plan))),
        NewFile::new("src/player.rs", player(&plan)),
        NewFile::new("src/main.rs", main(&package)),
        NewFile::new("tests/reader.rs", named(made_up::test(&plan, &package))),
        NewFile::new("stub.txt", text),
        NewFile::new("README.md", readme(name, players)),
    ]
    .into_iter()
    .chain(super::common_files(name, coppice, &["contest", "coppice"]))
    .collect())
}

fn main(package: &str) -> String {
    format!(
        "//! The bot for submission.\n\nuse std::io;\nuse std::process::ExitCode;\n\nuse contest::bot;\n\n\
         use {package}::player::play;\n\nfn main() -> ExitCode {{\n    \
         bot::run(|settings| play(io::stdin().lock(), io::stdout().lock(), settings))\n}}\n"
    )
}

/// `src/player.rs`.
fn player(plan: &Plan) -> String {
    let has_start = !plan.start.fields.is_empty();
    let start_type = has_start || !plan.start.answers.is_empty() || plan.turn.is_none();
    let mut body = String::new();
    if start_type {
        body += "    let start = Start::read(&mut input)?;\n";
        if !plan.start.answers.is_empty() || plan.turn.is_none() {
            body +=
                "    start.answer().iter().try_for_each(|line| output.put(line))?;\n    output.flush()?;\n";
        }
    }
    let (pass, parameter) = if has_start { ("&start, ", "start: &Start, ") } else { ("", "") };
    let Some(turn) = &plan.turn else {
        body += "    Ok(())";
        let text = include_str!("player.rs.txt");
        return filled(text, ["", "", "Start", "", "", "_settings", &body]);
    };
    let read_turn = if has_start { "&mut input, &start" } else { "&mut input" };
    let wait = if turn.steps.is_empty() { "std::time::Instant::now()" } else { "input.wait()?" };
    body += &format!(
        "    let mut clock = settings.clock(FIRST, LATER);\n    loop {{\n        let started = {wait};\n        \
         let turn = Turn::read({read_turn})?;\n        let deadline = clock.turn(started);\n        \
         let answer = decide({pass}&turn, deadline);\n        clock.answered(Instant::now());\n        \
         answer.iter().try_for_each(|line| output.put(line))?;\n        output.flush()?;\n    }}"
    );
    let decide = format!(
        "/// Chooses the answer of a turn: the place for your bot. It is the stub's answer so far.\n///\n\
         /// A search that ends at `deadline` answers in time.\n\
         fn decide({parameter}turn: &Turn, _deadline: Instant) -> Vec<String> {{\n    turn.answer({})\n}}\n",
        if has_start { "start" } else { "" }
    );
    let limits = "/// The time limit of the first answer: set your contest's.\n\
         pub const FIRST: Duration = Duration::from_millis(1000);\n\
         /// The time limit of every later answer: set your contest's.\n\
         pub const LATER: Duration = Duration::from_millis(50);\n\n";
    let names = if start_type { "Start, Turn" } else { "Turn" };
    filled(
        include_str!("player.rs.txt"),
        ["use std::time::{Duration, Instant};\n", "", names, limits, &decide, "settings", &body],
    )
}

/// Fills in a template, in the order of its places.
fn filled(text: &str, values: [&str; 7]) -> String {
    let places = ["{times}", "{clock}", "{names}", "{limits}", "{decide}", "{settings}", "{body}"];
    let text =
        places.iter().zip(values).fold(text.to_owned(), |text, (place, value)| text.replace(place, value));
    text.replace("std::time::Instant::now()", "Instant::now()")
        .replace("::{Start};", "::Start;")
        .replace("::{Turn};", "::Turn;")
}

fn readme(name: &PackageName, players: usize) -> String {
    let bots = vec![format!("target/release/{name}"); players.max(1)].join(" ");
    let (many, other) = match players {
        0 | 1 => (" --players 1 --compare difference".to_owned(), String::new()),
        2 => (String::new(), " ./old".to_owned()),
        players => (format!(" --players {players}"), " ./old".repeat(players - 1)),
    };
    let old = if other.is_empty() { " ./old".to_owned() } else { other };
    include_str!("readme.md.txt")
        .replace("{name}", name.as_str())
        .replace("{bots}", &bots)
        .replace("{many}", &many)
        .replace("{old}", &old)
}
