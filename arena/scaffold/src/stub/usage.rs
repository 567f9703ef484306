//! Uses of a stub's variables: as counts of loops, as lengths of texts.

use super::model::{Count, Item, Stub, Variable};

/// Whether a variable counts a loop.
pub(super) fn counts(stub: &Stub, name: &str) -> bool {
    all(stub).any(|item| is_count(item, name))
}

fn is_count(item: &Item, name: &str) -> bool {
    let is = |count: &Count| matches!(count, Count::Name(said) if said == name);
    match item {
        Item::Loop(count, inner) => is(count) || is_count(inner, name),
        Item::LoopLine(count, _) => is(count),
        Item::Read(_) | Item::Write(_) => false,
    }
}

/// Whether a variable is the length of a text.
pub(super) fn measures(stub: &Stub, name: &str) -> bool {
    all(stub).any(|item| is_length(item, name))
}

fn is_length(item: &Item, name: &str) -> bool {
    match item {
        Item::Loop(_, inner) => is_length(inner, name),
        Item::Read(variables) | Item::LoopLine(_, variables) => {
            variables.iter().any(|variable| variable.length.as_deref() == Some(name))
        }
        Item::Write(_) => false,
    }
}

/// The items of the start and of a turn.
fn all(stub: &Stub) -> impl Iterator<Item = &Item> {
    stub.start.iter().chain(stub.turn.iter().flatten())
}

/// The variables that a loop reads, and its counts from the outside in.
pub(super) fn innermost(item: &Item) -> (&[Variable], Vec<&Count>) {
    let (mut item, mut counts) = (item, Vec::new());
    loop {
        match item {
            Item::Loop(count, inner) => {
                counts.push(count);
                item = inner;
            }
            Item::LoopLine(count, variables) => {
                counts.push(count);
                return (variables, counts);
            }
            Item::Read(variables) => return (variables, counts),
            Item::Write(_) => return (&[], counts),
        }
    }
}
