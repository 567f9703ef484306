//! A stub: what a contest's bots read and write.

use std::collections::BTreeMap;

/// A stub, as it is written.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Stub {
    /// Input and output before the first turn.
    pub start: Vec<Item>,
    /// Input and output of each turn; `None` if the stub has no game loop.
    pub turn: Option<Vec<Item>>,
    /// The statement's lines.
    pub statement: Vec<String>,
    /// The lines of an answer.
    pub output: Vec<String>,
    /// The comments, by the names of variables.
    pub comments: BTreeMap<String, String>,
    /// Where the stub was read differently from how it is written.
    pub notes: Vec<String>,
}

/// A step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Item {
    /// One line with these variables.
    Read(Vec<Variable>),
    /// One line with a number of groups of these variables.
    LoopLine(Count, Vec<Variable>),
    /// A step several times.
    Loop(Count, Box<Item>),
    /// An answer.
    Write(Answer),
}

impl Item {
    /// Whether it is an answer, or a loop of answers.
    pub(super) fn writes(&self) -> bool {
        match self {
            Self::Write(_) => true,
            Self::Loop(_, inner) => inner.writes(),
            Self::Read(_) | Self::LoopLine(..) => false,
        }
    }
}

/// A variable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Variable {
    /// Name in the stub.
    pub name: String,
    /// Type in the stub.
    pub kind: Kind,
    /// The length in brackets after its type.
    pub length: Option<String>,
}

/// A type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// A whole number of 32 bits.
    Int,
    /// A whole number of 64 bits.
    Long,
    /// A number with a fraction.
    Float,
    /// 1 or 0.
    Bool,
    /// A word.
    Word,
    /// The rest of a line.
    Text,
}

/// A number of repetitions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Count {
    /// A number from 0 on.
    Number(i64),
    /// The value of a variable.
    Name(String),
}

/// The text of an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Answer {
    /// Lines as they stand.
    Lines(Vec<String>),
    /// Parts, joined by blanks.
    Join(Vec<Part>),
}

/// A part of a joined answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Part {
    /// A text.
    Literal(String),
    /// The value of a variable.
    Name(String),
}
