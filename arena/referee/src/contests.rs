//! Finds a contest by its name, and what a contest's searches can do.

use contest::notation::AT;
use contest::session::SessionSettings;
use contest::{Contest, Unreadable};

use crate::text::nearest;

/// No contest has this name.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ContestError {
    /// None has this name.
    #[error("unknown contest `{name}`{}; available: {}", meant(.name, .known), .known.join(", "))]
    Unknown {
        /// The requested name.
        name: String,
        /// The available names.
        known: Vec<String>,
    },
    /// The words after a contest's name don't name a variant of it.
    #[error("no such variant of {contest}: {reason}{}", form(.contest, .words))]
    Variant {
        /// The contest.
        contest: String,
        /// The mistake.
        reason: Unreadable,
        /// The form of variants: `NAME:M,N`.
        words: Option<&'static str>,
    },
    /// The text isn't a position of a contest.
    #[error("no position of {contest}: {reason}")]
    Position {
        /// The contest.
        contest: String,
        /// The mistake.
        reason: Unreadable,
    },
}

/// Other names of contests.
const ALIASES: [(&str, &str); 6] = [
    ("othello", "reversi"),
    ("csb", "podracing"),
    ("mpr", "podracing"),
    ("kalah", "mancala"),
    ("utt", "uttt"),
    ("ultimate", "uttt"),
];

/// A question, if a known name is near.
fn meant(name: &str, known: &[String]) -> String {
    let names = known.iter().map(String::as_str).chain(ALIASES.map(|(alias, _)| alias));
    nearest(name, names).map_or_else(String::new, |near| format!("; did you mean `{near}`?"))
}

/// The form of a variant's name.
fn form(contest: &str, words: &Option<&'static str>) -> String {
    words.map_or_else(String::new, |words| {
        format!("; a variant is written {contest}:{}", words.replace(' ', ","))
    })
}

/// The contests' names, and their other names.
pub fn names<'a>(known: &[&'a dyn Contest]) -> impl Iterator<Item = &'a str> {
    let own = known.iter().map(|contest| contest.name()).collect::<Vec<_>>();
    let others = ALIASES.iter().filter(|(_, of)| own.iter().any(|name| name == of)).map(|&(alias, _)| alias);
    let others = others.collect::<Vec<_>>();
    own.into_iter().chain(others)
}

/// Whether a contest has this name, or this other name.
fn has_name(contest: &dyn Contest, name: &str) -> bool {
    let own = |name: &str| contest.name() == name;
    own(name) || ALIASES.iter().any(|&(alias, of)| alias == name && own(of))
}

/// The contest called `name`: `mnk`, or `mnk:3,3,3` for a variant, or one of these in a position,
/// `mnk:3,3,3@.../.x./...`, where `_` stands for a space.
///
/// # Errors
/// If no contest or variant has this name, or the position can't be read.
pub fn find<'a>(known: &[&'a dyn Contest], name: &str) -> Result<&'a dyn Contest, ContestError> {
    let found = find_variant(known, name);
    match name.split_once(AT) {
        // A variant may be the path of a file, with any character.
        Some((base, position)) if found.is_err() => {
            at_position(find_variant(known, base)?, &position.replace('_', " "))
        }
        _ => found,
    }
}

/// The contest whose games begin in the position of a text, in the game's notation.
///
/// # Errors
/// If the text isn't a position.
pub fn at_position<'a>(contest: &dyn Contest, text: &str) -> Result<&'a dyn Contest, ContestError> {
    match contest.at_position(text) {
        // Called a few times per run, so the leak is bounded.
        Ok(placed) => Ok(Box::leak(placed)),
        Err(reason) => Err(ContestError::Position { contest: contest.name().to_owned(), reason }),
    }
}

fn find_variant<'a>(known: &[&'a dyn Contest], name: &str) -> Result<&'a dyn Contest, ContestError> {
    let (base, variant) = name.split_once(':').map_or((name, None), |(base, words)| (base, Some(words)));
    let found = known.iter().copied().find(|contest| has_name(*contest, base));
    let contest = found.ok_or_else(|| ContestError::Unknown {
        name: base.to_owned(),
        known: known.iter().map(|contest| contest.name().to_owned()).collect(),
    })?;
    match variant.map(|words| contest.variant(words)) {
        None => Ok(contest),
        // Called a few times per run, so the leak is bounded.
        Some(Ok(variant)) => Ok(Box::leak(variant)),
        Some(Err(reason)) => {
            Err(ContestError::Variant { contest: base.to_owned(), reason, words: contest.variants() })
        }
    }
}

/// The variant of a contest whose games have this many seats, where a number alone names it.
pub fn with_seats(contest: &dyn Contest, seats: usize) -> Option<Box<dyn Contest>> {
    let is_variant = contest.name().contains([':', AT]);
    let variant = contest.variant(&seats.to_string()).ok().filter(|_| !is_variant)?;
    (variant.seats() == seats).then_some(variant)
}

/// A contest's name as a part of a file's name: without a position.
pub fn file_name(name: &str) -> String {
    name.split(AT).next().unwrap_or_default().replace([':', ',', '/', '\\'], "-")
}

/// Whether a word is a contest's name, with or without a variant.
pub fn is_named(known: &[&dyn Contest], word: &str) -> bool {
    let base = word.split([':', AT]).next().unwrap_or_default();
    known.iter().any(|contest| has_name(*contest, base))
}

/// The searches of a contest that keep a tree, in the order of its list.
pub fn searches_with_trees(contest: &dyn Contest) -> Vec<String> {
    let settings = SessionSettings { pool_bytes: Some(1_000_000), ..SessionSettings::default() };
    let has_tree =
        |name: &&str| contest.session(name, &settings).is_ok_and(|session| session.memory().is_some());
    contest.search_list().iter().map(|search| search.name).filter(has_tree).map(str::to_owned).collect()
}
