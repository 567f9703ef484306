//! What is written for a stub: its variables with Rust names, types and places.

use super::model::{Answer, Count, Item, Kind, Part, Stub, Variable};
use super::names::{self, camel, row_type, singular, snake, Names};

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

impl Plan {
    /// Whether anything is read before the first turn.
    pub fn has_start(&self) -> bool {
        !self.start.fields.is_empty()
    }

    /// Whether the bot answers before the first turn.
    pub fn answers_first(&self) -> bool {
        self.turn.is_some() && !self.start.answers.is_empty()
    }

    /// Whether there is a struct `Start`.
    pub fn has_start_type(&self) -> bool {
        self.has_start() || !self.start.answers.is_empty() || self.turn.is_none()
    }
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
    /// What it is, in snake case.
    pub what: String,
    /// The lists that hold it, such as `Turn::trees`.
    pub lists: Vec<String>,
    /// The names of their counts, with the stub's comments.
    pub counts: Vec<(String, String)>,
    /// Its values.
    pub slots: Vec<Slot>,
}

impl Row {
    /// What stands for the name of a row's type until all rows have names.
    pub fn type_mark(number: usize) -> String {
        format!("\u{1}T{number}\u{1}")
    }

    /// What stands for the name of the function that makes up a row.
    pub fn made_mark(number: usize) -> String {
        format!("\u{1}F{number}\u{1}")
    }
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
    /// The length of a text, where the stub names a variable or a number for it.
    pub length: Option<Times>,
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
pub fn plan(stub: &Stub, players: usize) -> Plan {
    let mut planner = Planner {
        stub,
        players,
        scope: "Start",
        rows: Vec::new(),
        types: Names::default(),
        constants: Vec::new(),
        outer: Vec::new(),
    };
    let (start, places) = planner.scope(&stub.start);
    planner.outer = places;
    planner.scope = "Turn";
    let turn = stub.turn.as_ref().map(|items| planner.scope(items).0);
    Plan { start, turn, rows: planner.rows, constants: planner.constants }
}

type Places = Vec<(String, Place)>;

struct Planner<'a> {
    stub: &'a Stub,
    /// The contest's number of players.
    players: usize,
    /// The struct that is planned.
    scope: &'static str,
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
                        variables.iter().map(|variable| self.slot(variable, &mut names, &places)).collect();
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

    fn slot(&self, variable: &Variable, names: &mut Names, places: &Places) -> Slot {
        let counts = counts(&self.stub.start, &variable.name)
            || self.stub.turn.as_ref().is_some_and(|turn| counts(turn, &variable.name));
        let mut name = snake(&variable.name);
        // The list that it counts has the plural.
        if counts && names::counted(&name).is_some() && !names::is_count(&name) {
            name = format!("{}_count", singular(&name));
        }
        Slot {
            field: names.field(&name),
            said: variable.name.clone(),
            kind: variable.kind,
            comment: self.stub.comments.get(&variable.name).cloned(),
            // A grid's width is as small as a count.
            counts: counts
                || measures(&self.stub.start, &variable.name)
                || self.stub.turn.as_ref().is_some_and(|turn| measures(turn, &variable.name)),
            length: variable.length.as_ref().and_then(|length| match length.parse() {
                Ok(number) => Some(Times::Number(number)),
                Err(_) => match self.find(length, places) {
                    Some((of_start, Place::Field(name, kind @ (Kind::Int | Kind::Long)))) => {
                        Some(Times::Field { of_start, name, kind })
                    }
                    _ => None,
                },
            }),
        }
    }

    /// Names for a list, the best first.
    fn list_names(&self, variables: &[Variable], counts: &[&Count]) -> Vec<String> {
        let said: Vec<&str> = variables.iter().map(|variable| variable.name.as_str()).collect();
        let mut wanted = Vec::new();
        let is_grid = counts.len() > 1;
        if let Some(Count::Name(count)) = counts.last() {
            let comment = self.stub.comments.get(count).filter(|_| !is_grid);
            wanted.extend(names::counted(count).or_else(|| names::counted_in(comment?)));
        }
        if let [only] = said[..] {
            wanted.push(names::values(only));
            return wanted;
        }
        if is_grid && counts.iter().all(|count| matches!(count, Count::Name(_))) {
            wanted.push("cells".to_owned());
        }
        wanted.extend(names::common_prefix(&said));
        if matches!(counts, [Count::Number(number)] if *number == self.players as i64 && *number > 1) {
            wanted.push("players".to_owned());
        }
        wanted.push("rows".to_owned());
        wanted
    }

    /// A loop that reads: a field with a list.
    fn list(&mut self, item: &Item, scope: &mut Scope, names: &mut Names, places: &mut Places) {
        let (variables, counts) = innermost(item);
        let field = names.field_of(&self.list_names(variables, &counts));
        let body = self.body(item, &field, places);
        if let Body::Row(row) = element(&body) {
            let counts: Vec<(String, String)> = counts
                .iter()
                .filter_map(|count| match count {
                    Count::Name(name) => Some((name.clone(), self.stub.comments.get(name)?.clone())),
                    Count::Number(_) => None,
                })
                .filter(|(_, comment)| !comment.is_empty())
                .collect();
            let row = &mut self.rows[*row];
            row.lists.push(format!("{}::{field}", self.scope));
            row.counts.extend(counts);
            row.counts.dedup();
        }
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
            (None, Body::Value(slot)) => match &slot.comment {
                Some(comment) if !comment.is_empty() => Some(comment.clone()),
                _ if names::values(&slot.said) != field => Some(format!("The {} of each.", slot.said)),
                _ => None,
            },
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
                Body::Inline(self.times(count, places), Box::new(self.of_line(variables, field, places)))
            }
            Item::Read(variables) => self.of_line(variables, field, places),
            Item::Write(_) => unreachable!("a loop that writes is an answer"),
        }
    }

    fn of_line(&mut self, variables: &[Variable], field: &str, places: &Places) -> Body {
        let mut names = Names::default();
        let mut slots: Vec<Slot> =
            variables.iter().map(|variable| self.slot(variable, &mut names, places)).collect();
        if slots.len() == 1 {
            return Body::Value(slots.remove(0));
        }
        let what = singular(field);
        if let Some(same) = self.same_row(&slots, &what) {
            return Body::Row(same);
        }
        let name = self.types.of_type(&row_type(field));
        self.rows.push(Row { name, what, lists: Vec::new(), counts: Vec::new(), slots });
        Body::Row(self.rows.len() - 1)
    }

    /// The row with the same values and a name with the same end, which becomes the name of both.
    fn same_row(&mut self, slots: &[Slot], what: &str) -> Option<usize> {
        let values = |slots: &[Slot]| -> Vec<(String, Kind)> {
            slots.iter().map(|slot| (slot.said.clone(), slot.kind)).collect()
        };
        let is_same =
            |row: &Row| values(&row.slots) == values(slots) && names::common_end(&row.what, what).is_some();
        let at = self.rows.iter().position(is_same)?;
        let row = &mut self.rows[at];
        let end = names::common_end(&row.what, what)?;
        if end != row.what {
            self.types.forget(&row.name);
            row.name = self.types.of_type(&camel(&end));
            row.what = end;
        }
        Some(at)
    }

    fn type_of(&self, body: &Body) -> String {
        match body {
            Body::Value(slot) => rust_type(slot.kind).to_owned(),
            Body::Row(row) => Row::type_mark(*row),
            Body::Times(_, inner) | Body::Inline(_, inner) => format!("Vec<{}>", self.type_of(inner)),
        }
    }

    fn times(&mut self, count: &Count, places: &Places) -> Times {
        let name = match count {
            Count::Number(number) => return Times::Number(number.unsigned_abs()),
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

    /// The latest variable with this name, of the scope or of the start; one that is read once comes before one of a
    /// list.
    fn find(&self, name: &str, places: &Places) -> Option<(bool, Place)> {
        let latest = |places: &Places| {
            let mut all = places.iter().rev().filter(|(said, _)| said == name).map(|(_, place)| place);
            let last = all.next()?;
            let field = [last].into_iter().chain(all).find(|place| matches!(place, Place::Field(..)));
            Some(field.unwrap_or(last).clone())
        };
        let (own, outer) = (latest(places), latest(&self.outer));
        match (own, outer) {
            (Some(Place::InRow(..)), Some(field @ Place::Field(..))) => Some((true, field)),
            (Some(own), _) => Some((false, own)),
            (None, outer) => outer.map(|place| (true, place)),
        }
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

/// Whether a variable is the length of a text.
fn measures(items: &[Item], name: &str) -> bool {
    items.iter().any(|item| match item {
        Item::Loop(_, inner) => measures(std::slice::from_ref(inner), name),
        Item::Read(variables) | Item::LoopLine(_, variables) => {
            variables.iter().any(|variable| variable.length.as_deref() == Some(name))
        }
        Item::Write(_) => false,
    })
}

/// The variables that a loop reads, and its counts from the outside in.
fn innermost(item: &Item) -> (&[Variable], Vec<&Count>) {
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
