//! The table `[board]`: what the lines are that bots of an external referee are sent.

use std::path::Path;

use clap::Command;
use coppice_pages::view::template::Template;
use toml::de::{DeTable, DeValue};
use toml::Spanned;

use super::read::{parsed, unknown, Reader};
use super::{path, ProjectError};

/// The table's name.
pub(super) const BOARD: &str = "board";

/// The keys of the table.
const KEYS: [&str; 4] = ["first", "turn", "paint", "size"];

/// The template of the project's file; `None` without a project or without such a table.
///
/// # Errors
/// If the file can't be read, or the table makes no sense.
pub(crate) fn template() -> Result<Option<Template>, ProjectError> {
    path().map_or(Ok(None), |path| of_file(&path))
}

fn of_file(path: &Path) -> Result<Option<Template>, ProjectError> {
    let read = |reader: &Reader<'_>, table: &DeTable<'_>| {
        table.get(BOARD).map(|value| board(reader, reader.table(value)?)).transpose()
    };
    parsed(path, &Command::default(), &[], read)
}

/// Reads the table.
///
/// # Errors
/// The line and the key of the first mistake.
pub(super) fn board(reader: &Reader<'_>, table: &DeTable<'_>) -> Result<Template, ProjectError> {
    if let Some((key, _)) = table.iter().find(|(key, _)| !KEYS.contains(&key.get_ref().as_ref())) {
        return Err(reader.wrong(&key.span(), unknown("key of board", key.get_ref(), KEYS.into_iter())));
    }
    let wrong = |value: &Spanned<DeValue<'_>>, key: &str, reason: &str| {
        reader.wrong(&value.span(), format!("board.{key}: {reason}"))
    };
    let entries = |key: &str| match table.get(key) {
        None => Ok(Vec::new()),
        Some(value) => {
            let list = value.get_ref().as_array();
            let list = list
                .ok_or_else(|| wrong(value, key, "expected a list of lines, such as [\"n\", \"n * x y\"]"))?;
            list.iter()
                .map(|line| Ok((line.span(), reader.string(line)?)))
                .collect::<Result<Vec<_>, ProjectError>>()
        }
    };
    let (first, turn) = (entries("first")?, entries("turn")?);
    let paint = match table.get("paint") {
        None => Vec::new(),
        Some(value) => {
            let pairs = reader.table(value)?.iter();
            let pair = |(key, look): (&Spanned<_>, &Spanned<DeValue<'_>>)| {
                let key: &std::borrow::Cow<'_, str> = key.get_ref();
                Ok((look.span(), (key.to_string(), reader.string(look)?)))
            };
            pairs.map(pair).collect::<Result<Vec<_>, ProjectError>>()?
        }
    };
    let side = |value: &Spanned<DeValue<'_>>| {
        reader.scalar(value).ok()?.parse().ok().filter(|&side: &usize| side > 0)
    };
    let size = table.get("size").map(|value| {
        let sides = value.get_ref().as_array().map(|list| list.iter().map(side).collect::<Option<Vec<_>>>());
        match sides.flatten().as_deref() {
            Some(&[columns, rows]) => Ok([columns, rows]),
            _ => Err(wrong(value, "size", "expected the numbers of columns and rows, such as [19, 10]")),
        }
    });
    let texts = |list: &[(_, String)]| list.iter().map(|(_, text)| text.clone()).collect::<Vec<_>>();
    let pairs = paint.iter().map(|(_, pair)| pair.clone()).collect::<Vec<_>>();
    Template::new(&texts(&first), &texts(&turn), &pairs, size.transpose()?).map_err(|error| {
        let span = match error.key {
            "first" => &first[error.entry].0,
            "turn" => &turn[error.entry].0,
            _ => &paint[error.entry].0,
        };
        reader.wrong(span, format!("board.{}: {error}", error.key))
    })
}
