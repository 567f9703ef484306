//! Plans what is written for a stub.

use super::model::{Answer, Count, Item, Kind, Part, Stub, Variable};
use super::names::{self, camel, snake, Names};
use super::nouns::{self, row_type, singular};
use super::plan::{rust_type, Body, Field, Plan, Reply, Row, Scope, Slot, Step, Times, Word};
use super::usage;

/// Where a variable's value is.
#[derive(Debug, Clone)]
enum Place {
    Field(String, Kind),
    InRow(String, Option<String>, Kind),
}

/// Plans a stub.
pub(super) fn plan(stub: &Stub, players: usize) -> Plan {
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
        let counts = usage::counts(self.stub, &variable.name);
        let mut name = snake(&variable.name);
        // The list that it counts has the plural.
        if counts && nouns::counted(&name).is_some() && !nouns::is_count(&name) {
            name = format!("{}_count", singular(&name));
        }
        Slot {
            field: names.field(&name),
            said: variable.name.clone(),
            kind: variable.kind,
            comment: self.stub.comments.get(&variable.name).cloned(),
            // A grid's width is as small as a count.
            counts: counts || usage::measures(self.stub, &variable.name),
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
            wanted.extend(nouns::counted(count).or_else(|| nouns::counted_in(comment?)));
        }
        if let [only] = said[..] {
            wanted.push(nouns::values(only));
            return wanted;
        }
        if is_grid && counts.iter().all(|count| matches!(count, Count::Name(_))) {
            wanted.push("cells".to_owned());
        }
        wanted.extend(nouns::common_prefix(&said));
        if matches!(counts, [Count::Number(number)] if *number == self.players as i64 && *number > 1) {
            wanted.push("players".to_owned());
        }
        wanted.push("rows".to_owned());
        wanted
    }

    /// A loop that reads: a field with a list.
    fn list(&mut self, item: &Item, scope: &mut Scope, names: &mut Names, places: &mut Places) {
        let (variables, counts) = usage::innermost(item);
        let field = names.field_of(&self.list_names(variables, &counts));
        let body = self.body(item, &field, places);
        if let Body::Row(row) = body.element() {
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
        let slots = match body.element() {
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
        let comment = match (slots, body.element()) {
            (None, Body::Value(slot)) => match &slot.comment {
                Some(comment) if !comment.is_empty() => Some(comment.clone()),
                _ if nouns::values(&slot.said) != field => Some(format!("The {} of each.", slot.said)),
                _ => None,
            },
            _ => None,
        };
        // Lists in lists have no single value that an answer could name.
        if body.depth() > 1 {
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
            |row: &Row| values(&row.slots) == values(slots) && nouns::common_end(&row.what, what).is_some();
        let at = self.rows.iter().position(is_same)?;
        let row = &mut self.rows[at];
        let end = nouns::common_end(&row.what, what)?;
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
        let name = names::constant(said);
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
