//! The code to be written for a stub: variables with Rust names, types and places.

use super::model::Kind;

/// The files' contents, before they are written.
#[derive(Debug, Clone)]
pub(super) struct Plan {
    /// Input that is read once; may be empty.
    pub start: Scope,
    /// Input of a turn; `None` if the stub has no game loop.
    pub turn: Option<Scope>,
    /// The types of rows.
    pub rows: Vec<Row>,
    /// Counts that no variable has: constants to fill in, with the stub's name.
    pub constants: Vec<(String, String)>,
}

impl Plan {
    /// Whether anything is read before the first turn.
    pub(super) fn has_start(&self) -> bool {
        !self.start.fields.is_empty()
    }

    /// Whether the bot answers before the first turn.
    pub(super) fn answers_first(&self) -> bool {
        self.turn.is_some() && !self.start.answers.is_empty()
    }

    /// Whether a turn's answer is a line for each unit.
    pub(super) fn has_units(&self) -> bool {
        self.turn.as_ref().is_some_and(|turn| turn.units().is_some())
    }

    /// Whether there is a struct `Start`.
    pub(super) fn has_start_type(&self) -> bool {
        self.has_start() || !self.start.answers.is_empty() || self.turn.is_none()
    }
}

/// A struct that is read line by line.
#[derive(Debug, Clone, Default)]
pub(super) struct Scope {
    /// Fields, in the order in which they are read.
    pub fields: Vec<Field>,
    /// The lines that are read.
    pub steps: Vec<Step>,
    /// The answers.
    pub answers: Vec<Reply>,
}

impl Scope {
    /// The number of units and the line that each is answered with, where the answer is a line for each unit.
    pub(super) fn units(&self) -> Option<(&Times, &[Word])> {
        match &self.answers[..] {
            [Reply::Times(count, line)] => match &**line {
                Reply::Line(words) => Some((count, words)),
                Reply::Times(..) => None,
            },
            _ => None,
        }
    }
}

/// A field.
#[derive(Debug, Clone)]
pub(super) struct Field {
    /// Name in Rust.
    pub name: String,
    /// Type in Rust.
    pub type_name: String,
    /// Comment from the stub.
    pub comment: Option<String>,
}

/// A row's type.
#[derive(Debug, Clone)]
pub(super) struct Row {
    /// Name in Rust.
    pub name: String,
    /// The stub's name in snake case.
    pub what: String,
    /// The lists that hold it, such as `Turn::trees`.
    pub lists: Vec<String>,
    /// The names of their counts, with the stub's comments.
    pub counts: Vec<(String, String)>,
    /// Values on the line.
    pub slots: Vec<Slot>,
}

impl Row {
    /// Placeholder for the name of a row's type until all rows have names.
    pub(super) fn type_mark(number: usize) -> String {
        format!("\u{1}T{number}\u{1}")
    }

    /// Placeholder for the name of the function that makes up a row.
    pub(super) fn made_mark(number: usize) -> String {
        format!("\u{1}F{number}\u{1}")
    }
}

/// A value of a line.
#[derive(Debug, Clone)]
pub(super) struct Slot {
    /// The field.
    pub field: String,
    /// The variable's name in the stub.
    pub said: String,
    /// Type in the stub.
    pub kind: Kind,
    /// Comment from the stub.
    pub comment: Option<String>,
    /// Whether it counts something, so that made-up values must be small.
    pub counts: bool,
    /// The length of a text, where the stub names a variable or a number for it.
    pub length: Option<Times>,
}

/// A step of reading.
#[derive(Debug, Clone)]
pub(super) enum Step {
    /// A line with values.
    Line(Vec<Slot>),
    /// A field that holds a list.
    List(String, Body),
}

/// How a list's element is read.
#[derive(Debug, Clone)]
pub(super) enum Body {
    /// One line with one value.
    Value(Slot),
    /// One line with a row: its type.
    Row(usize),
    /// That many elements, each on lines of its own.
    Times(Times, Box<Body>),
    /// One line with that many values or rows.
    Inline(Times, Box<Body>),
}

impl Body {
    /// The innermost element: a value or a row.
    pub(super) fn element(&self) -> &Body {
        match self {
            Body::Times(_, inner) | Body::Inline(_, inner) => inner.element(),
            body => body,
        }
    }

    /// The number of elements, where a count that is read is 1.
    pub(super) fn elements(&self) -> u64 {
        match self {
            Body::Times(count, inner) | Body::Inline(count, inner) => match count {
                Times::Number(number) => number.saturating_mul(inner.elements()),
                _ => inner.elements(),
            },
            Body::Value(_) | Body::Row(_) => 1,
        }
    }

    /// The number of lists around the element.
    pub(super) fn depth(&self) -> usize {
        match self {
            Body::Times(_, inner) | Body::Inline(_, inner) => 1 + inner.depth(),
            _ => 0,
        }
    }
}

/// A count in Rust.
#[derive(Debug, Clone)]
pub(super) enum Times {
    /// A number.
    Number(u64),
    /// A field of the scope, or of the start.
    Field {
        /// Whether it is a field of the start, seen from a turn.
        of_start: bool,
        /// Name in Rust.
        name: String,
        /// Type in the stub.
        kind: Kind,
    },
    /// A constant to fill in.
    Constant(String),
}

/// An answer.
#[derive(Debug, Clone)]
pub(super) enum Reply {
    /// A line.
    Line(Vec<Word>),
    /// Several times.
    Times(Times, Box<Reply>),
}

/// A part of an answer's line, joined by blanks.
#[derive(Debug, Clone)]
pub(super) enum Word {
    /// A text.
    Literal(String),
    /// A field of the scope or of the start.
    Field {
        /// Whether it is a field of the start, seen from a turn.
        of_start: bool,
        /// Name in Rust.
        name: String,
        /// Type in the stub.
        kind: Kind,
    },
    /// A value of a row: of the loop's turn, or of the first row.
    InRow {
        /// Whether the list is a field of the start, seen from a turn.
        of_start: bool,
        /// The list.
        list: String,
        /// The row's field; `None` if the list holds values.
        field: Option<String>,
        /// Type in the stub.
        kind: Kind,
    },
}

/// The type of a variable.
pub(super) fn rust_type(kind: Kind) -> &'static str {
    match kind {
        Kind::Int => "i32",
        Kind::Long => "i64",
        Kind::Float => "f64",
        Kind::Bool => "bool",
        Kind::Word | Kind::Text => "String",
    }
}
