//! A bot from a contest's stub: a reader for what the site sends, the stub's answer, and a test with made-up games.

mod made_up;
mod model;
mod names;
mod nouns;
mod parse;
mod plan;
mod planner;
mod reader;
mod usage;

pub use parse::StubError;

use contest::utf8;
use minijinja::{context, Value};

use crate::dependency::Dependency;
use crate::name::PackageName;
use crate::new_file::{common_files, filled, NewFile};
use plan::{Plan, Row};

/// A package's files.
#[derive(Debug)]
pub struct StubPackage {
    /// The files.
    pub files: Vec<NewFile>,
    /// Notes for the user: where the stub was read differently from how it is written, what is to be filled in.
    pub notes: Vec<String>,
}

/// The files of a package for a stub.
///
/// # Errors
/// If the text isn't a stub.
pub fn files(
    name: &PackageName,
    coppice: &Dependency,
    stub: &[u8],
    players: usize,
) -> Result<StubPackage, StubError> {
    let text = String::from_utf8_lossy(utf8::without_mark(stub)).into_owned();
    let stub = parse::parse(stub)?;
    let plan = planner::plan(&stub, players);
    let values = values(name, &plan, players);
    let file = |path: &str, template: &str| NewFile::new(path, filled(template, &values));
    let mut files = vec![
        NewFile::new(
            "src/lib.rs",
            "//! The bot, and the contest's protocol.\n\npub mod bot;\npub mod player;\npub mod protocol;\n",
        ),
        file("src/bot.rs", include_str!("bot.rs.txt")),
        NewFile::new("src/protocol.rs", named(&plan, reader::protocol(&stub, &plan))),
        file("src/player.rs", include_str!("player.rs.txt")),
        file("src/main.rs", include_str!("main.rs.txt")),
        file("tests/reader.rs", include_str!("reader_test.rs.txt")),
        NewFile::new("stub.txt", text),
        file("README.md", include_str!("readme.md.txt")),
    ];
    files.extend(common_files(name, coppice, &["contest", "coppice"]));
    let constant = |(name, said): &(String, String)| {
        format!("the stub counts by `{said}` and never reads it before: set `{name}` in src/protocol.rs, which is 1")
    };
    let notes = stub.notes.iter().cloned().chain(plan.constants.iter().map(constant)).collect();
    Ok(StubPackage { files, notes })
}

/// The writers call a row's type by a mark: its name is known when all are planned.
fn named(plan: &Plan, text: String) -> String {
    plan.rows.iter().enumerate().fold(text, |text, (number, row)| {
        text.replace(&Row::type_mark(number), &row.name)
            .replace(&Row::made_mark(number), &format!("made_row_{}", names::snake(&row.name)))
    })
}

/// Values for the templates.
fn values(name: &PackageName, plan: &Plan, players: usize) -> Value {
    let players = players.max(1);
    let imports = match (plan.turn.is_some(), plan.has_start_type()) {
        (true, true) => "{Start, Turn}",
        (true, false) => "Turn",
        (false, _) => "Start",
    };
    // Without a field in it, the bot has no start to keep.
    let bot_imports =
        if plan.turn.is_some() && !plan.has_start() && !plan.answers_first() { "Turn" } else { imports };
    let reads = |scope: &plan::Scope| !scope.steps.is_empty();
    context! {
        name => name.as_str(),
        package => name.in_source(),
        turns => plan.turn.is_some(),
        has_start => plan.has_start(),
        start_type => plan.has_start_type(),
        answers_first => plan.answers_first(),
        units => plan.has_units(),
        waits => plan.turn.as_ref().map_or_else(|| reads(&plan.start), reads),
        imports => bot_imports,
        names => made_up::names(plan),
        least_count => made_up::least_count(plan),
        games => made_up::games(plan),
        functions => named(plan, made_up::functions(plan)),
        constants => plan.constants.clone(),
        solo => players == 1,
        players_option => if players == 2 { String::new() } else { format!(" --players {players}") },
        compare => if players == 1 { " --compare difference" } else { "" },
        bots => vec![format!("target/release/{name}"); players].join(" "),
    }
}
