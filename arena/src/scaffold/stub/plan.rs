//! What is written for a stub: its variables with Rust names, types and places.

use super::model::{Answer, Count, Item, Kind, Part, Stub, Variable};
use super::names::{row_type, rows, snake, Names};

/// The files' contents, before they are written.
#[derive(Debug, Clone)]
pub struct Plan {
    /// What is read once; empty if nothing is.
    pub start: Scope,
    /// What is read in a turn; `None` if the stub has no game loop.
    pub turn: Option<Scope>,
    /// The types of rows.
    pub rows: Vec<Row>,
    /// Counts that no variable has: constants to fill in, with the stub's name.
    pub constants: Vec<(String, String)>,
}

/// A struct that is read line by line.
#[derive(Debug, Clone, Default)]
pub struct Scope {
    /// Its fields, in the order in which they are read.
    pub fields: Vec<Field>,
    /// The lines that are read.
    pub steps: Vec<Step>,
    /// The answers.
    pub answers: Vec<Reply>,
}

/// A field.
#[derive(Debug, Clone)]
pub struct Field {
    /// Its name.
    pub name: String,
    /// Its Rust type.
    pub type_name: String,
    /// Its comment.
    pub comment: Option<String>,
}

/// A row's type.
#[derive(Debug, Clone)]
pub struct Row {
    /// Its name.
    pub name: String,
    /// Its values.
    pub slots: Vec<Slot>,
}

/// A value of a line.
#[derive(Debug, Clone)]
pub struct Slot {
    /// The field.
    pub field: String,
    /// The variable's name in the stub.
    pub said: String,
    /// Its type.
    pub kind: Kind,
    /// Its comment.
    pub comment: Option<String>,
    /// Whether it counts something, so that made-up values must be small.
    pub counts: bool,
}

/// A step of reading.
#[derive(Debug, Clone)]
pub enum Step {
    /// A line with values.
    Line(Vec<Slot>),
    /// A field that holds a list.
    List(String, Body),
}

/// How a list's element is read.
#[derive(Debug, Clone)]
pub enum Body {
    /// One line with one value.
    Value(Slot),
    /// One line with a row: its type.
    Row(usize),
    /// That many elements, each on lines of its own.
    Times(Times, Box<Body>),
    /// One line with that many values or rows.
    Inline(Times, Box<Body>),
}

/// A count in Rust.
#[derive(Debug, Clone)]
pub enum Times {
    /// A number.
    Number(u64),
    /// A field of the scope, or of the start.
    Field {
        /// Whether it is a field of the start, seen from a turn.
        of_start: bool,
        /// Its name.
        name: String,
        /// Its type.
        kind: Kind,
    },
    /// A constant to fill in.
    Constant(String),
}

/// An answer.
#[derive(Debug, Clone)]
pub enum Reply {
    /// A line.
    Line(Vec<Word>),
    /// Several times.
    Times(Times, Box<Reply>),
}

/// A part of an answer's line, joined by blanks.
#[derive(Debug, Clone)]
pub enum Word {
    /// A text.
    Literal(String),
    /// A field of the scope or of the start.
    Field {
        /// Whether it is a field of the start, seen from a turn.
        of_start: bool,
        /// Its name.
        name: String,
        /// Its type.
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
        /// Its type.
        kind: Kind,
    },
}

/// Where a variable's value is.
#[derive(Debug, Clone)]
enum Place {
    Field(String, Kind),
    InRow(String, Option<String>, Kind),
}

/// Plans a stub.
pub fn plan(stub: &Stub) -> Plan {
    let mut planner =
        Planner { stub, rows: Vec::new(), types: Names::default(), constants: Vec::new(), outer: Vec::new() };
    let (start, places) = planner.scope(&stub.start);
    planner.outer = places;
    let turn = stub.turn.as_ref().map(|items| planner.scope(items).0);
    Plan { start, turn, rows: planner.rows, constants: planner.constants }
}

type Places = Vec<(String, Place)>;

struct Planner<'a> {
    stub: &'a Stub,
    rows: Vec<Row>,
    types: Names,
    constants: Vec<(String, String)>,
    /// The variables of the start, seen from a turn.
    outer: Places,
}

impl Planner<'_> {
    fn scope(&mut self, items: &[Item]) -> (Scope, Places) {
        let mut scope = Scope::default();
        let (mut names, mut places) = (Names::default(), Places::new());
        for item in items {
            match item {
                Item::Read(variables) => {
                    let slots: Vec<Slot> =
                        variables.iter().map(|variable| self.slot(variable, &mut names)).collect();
                    for slot in &slots {
                        places.push((slot.said.clone(), Place::Field(slot.field.clone(), slot.kind)));
                        scope.fields.push(Field {
                            name: slot.field.clone(),
                            type_name: rust_type(slot.kind).to_owned(),
                            comment: slot.comment.clone(),
                        });
                    }
                    scope.steps.push(Step::Line(slots));
                }
                Item::Loop(..) | Item::LoopLine(..) => match self.reply(item, &places) {
                    Some(reply) => scope.answers.push(reply),
                    None => self.list(item, &mut scope, &mut names, &mut places),
                },
                Item::Write(answer) => scope.answers.extend(self.lines(answer, &places)),
            }
        }
        (scope, places)
    }

    fn slot(&self, variable: &Variable, names: &mut Names) -> Slot {
        Slot {
            field: names.field(&snake(&variable.name)),
            said: variable.name.clone(),
            kind: variable.kind,
            comment: self.stub.comments.get(&variable.name).cloned(),
            counts: counts(&self.stub.start, &variable.name)
                || self.stub.turn.as_ref().is_some_and(|turn| counts(turn, &variable.name)),
        }
    }

    /// A loop that reads: a field with a list.
    fn list(&mut self, item: &Item, scope: &mut Scope, names: &mut Names, places: &mut Places) {
        let (variables, count) = innermost(item);
        let field = match variables {
            // A list of one variable has its name.
            [only] => names.field(&snake(&only.name)),
            _ => names.field(&rows(count)),
        };
        let body = self.body(item, &field, places);
        let slots = match element(&body) {
            Body::Value(slot) => {
                places.push((slot.said.clone(), Place::InRow(field.clone(), None, slot.kind)));
                None
            }
            Body::Row(row) => {
                for slot in &self.rows[*row].slots {
                    let place = Place::InRow(field.clone(), Some(slot.field.clone()), slot.kind);
                    places.push((slot.said.clone(), place));
                }
                Some(*row)
            }
            _ => None,
        };
        let comment = match (slots, element(&body)) {
            (None, Body::Value(slot)) => slot.comment.clone(),
            _ => None,
        };
        // Lists in lists have no single value that an answer could name.
        if depth(&body) > 1 {
            places.retain(|(_, place)| !matches!(place, Place::InRow(list, ..) if *list == field));
        }
        scope.fields.push(Field { name: field.clone(), type_name: self.type_of(&body), comment });
        scope.steps.push(Step::List(field, body));
    }

    fn body(&mut self, item: &Item, field: &str, places: &Places) -> Body {
        match item {
            Item::Loop(count, inner) => {
                Body::Times(self.times(count, places), Box::new(self.body(inner, field, places)))
            }
            Item::LoopLine(count, variables) => {
                Body::Inline(self.times(count, places), Box::new(self.of_line(variables, field)))
            }
            Item::Read(variables) => self.of_line(variables, field),
            Item::Write(_) => unreachable!("a loop that writes is an answer"),
        }
    }

    fn of_line(&mut self, variables: &[Variable], field: &str) -> Body {
        let mut names = Names::default();
        let mut slots: Vec<Slot> = variables.iter().map(|variable| self.slot(variable, &mut names)).collect();
        match slots.len() {
            1 => Body::Value(slots.remove(0)),
            _ => {
                let name = self.types.of_type(&row_type(field));
                self.rows.push(Row { name, slots });
                Body::Row(self.rows.len() - 1)
            }
        }
    }

    fn type_of(&self, body: &Body) -> String {
        match body {
            Body::Value(slot) => rust_type(slot.kind).to_owned(),
            Body::Row(row) => self.rows[*row].name.clone(),
            Body::Times(_, inner) | Body::Inline(_, inner) => format!("Vec<{}>", self.type_of(inner)),
        }
    }

    fn times(&mut self, count: &Count, places: &Places) -> Times {
        let name = match count {
            Count::Number(number) => return Times::Number((*number).max(0) as u64),
            Count::Name(name) => name,
        };
        match self.find(name, places) {
            Some((of_start, Place::Field(name, kind))) => Times::Field { of_start, name, kind },
            _ => Times::Constant(self.constant(name)),
        }
    }

    fn constant(&mut self, said: &str) -> String {
        let name = snake(said).to_ascii_uppercase();
        if !self.constants.iter().any(|(known, _)| *known == name) {
            self.constants.push((name.clone(), said.to_owned()));
        }
        name
    }

    /// The latest variable with this name, of the scope or of the start.
    fn find(&self, name: &str, places: &Places) -> Option<(bool, Place)> {
        let latest = |places: &Places| {
            places.iter().rev().find(|(said, _)| said == name).map(|(_, place)| place.clone())
        };
        latest(places).map(|place| (false, place)).or_else(|| latest(&self.outer).map(|place| (true, place)))
    }

    /// A loop that writes.
    fn reply(&mut self, item: &Item, places: &Places) -> Option<Reply> {
        match item {
            Item::Loop(count, inner) => {
                let count = self.times(count, places);
                let inner = match &**inner {
                    Item::Write(answer) => {
                        let mut lines = self.lines(answer, places);
                        match lines.len() {
                            1 => lines.remove(0),
                            // Several lines a time: a loop of one time each can't hold them.
                            _ => return Some(Reply::Times(count, Box::new(joined(lines)))),
                        }
                    }
                    Item::Loop(..) => self.reply(inner, places)?,
                    _ => return None,
                };
                Some(Reply::Times(count, Box::new(inner)))
            }
            _ => None,
        }
    }

    fn lines(&mut self, answer: &Answer, places: &Places) -> Vec<Reply> {
        match answer {
            Answer::Lines(lines) => {
                lines.iter().map(|line| Reply::Line(vec![Word::Literal(line.clone())])).collect()
            }
            Answer::Join(parts) => {
                vec![Reply::Line(parts.iter().map(|part| self.word(part, places)).collect())]
            }
        }
    }

    fn word(&self, part: &Part, places: &Places) -> Word {
        match part {
            Part::Literal(text) => Word::Literal(text.clone()),
            Part::Name(said) => match self.find(said, places) {
                Some((of_start, Place::Field(name, kind))) => Word::Field { of_start, name, kind },
                Some((of_start, Place::InRow(list, field, kind))) => {
                    Word::InRow { of_start, list, field, kind }
                }
                None => Word::Literal(said.clone()),
            },
        }
    }
}

/// Lines as one, with line ends.
fn joined(lines: Vec<Reply>) -> Reply {
    let words = lines.into_iter().enumerate().flat_map(|(at, line)| {
        let Reply::Line(words) = line else { return Vec::new() };
        let text = words.into_iter().map(|word| match word {
            Word::Literal(text) if at > 0 => Word::Literal(format!("\n{text}")),
            word => word,
        });
        text.collect()
    });
    Reply::Line(words.collect())
}

/// Whether a variable counts a loop.
fn counts(items: &[Item], name: &str) -> bool {
    let is = |count: &Count| matches!(count, Count::Name(said) if said == name);
    items.iter().any(|item| match item {
        Item::Loop(count, inner) => is(count) || counts(std::slice::from_ref(inner), name),
        Item::LoopLine(count, _) => is(count),
        _ => false,
    })
}

/// The variables that a loop reads, and the name of its innermost count.
fn innermost(item: &Item) -> (&[Variable], Option<&str>) {
    fn name(count: &Count) -> Option<&str> {
        match count {
            Count::Name(name) => Some(name),
            Count::Number(_) => None,
        }
    }
    match item {
        Item::Loop(count, inner) => match &**inner {
            Item::Read(variables) => (variables, name(count)),
            inner => innermost(inner),
        },
        Item::LoopLine(count, variables) => (variables, name(count)),
        Item::Read(variables) => (variables, None),
        Item::Write(_) => (&[], None),
    }
}

fn element(body: &Body) -> &Body {
    match body {
        Body::Times(_, inner) | Body::Inline(_, inner) => element(inner),
        body => body,
    }
}

fn depth(body: &Body) -> usize {
    match body {
        Body::Times(_, inner) | Body::Inline(_, inner) => 1 + depth(inner),
        _ => 0,
    }
}

/// The type of a variable.
pub fn rust_type(kind: Kind) -> &'static str {
    match kind {
        Kind::Int => "i32",
        Kind::Long => "i64",
        Kind::Float => "f64",
        Kind::Bool => "bool",
        Kind::Word | Kind::Text => "String",
    }
}
