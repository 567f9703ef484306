//! Writes `src/protocol.rs`: the structs, how they are read, the default answers.

use std::fmt::Write;

use super::model::Kind;
use super::model::Stub;
use super::plan::{Body, Field, Plan, Reply, Row, Scope, Slot, Step, Times, Word};

/// Most lines that a loop of answers writes: its count may be damaged.
const MOST_ANSWERS: usize = 1_000;

/// Most lines that a loop reads.
const MOST_ROWS: usize = 100_000;

/// The text of the file.
pub(super) fn protocol(stub: &Stub, plan: &Plan) -> String {
    let mut body = String::new();
    for (name, said) in &plan.constants {
        let _ = writeln!(
            body,
            "/// `{said}`, which the stub counts by and never reads: set it.\npub const {name}: i64 = 1;\n"
        );
    }
    for row in &plan.rows {
        let fields: Vec<Field> = row.slots.iter().map(field).collect();
        structure(&mut body, &row.name, &about(row), &fields);
        let reads =
            row.slots.iter().map(|slot| format!("{}: {}", slot.field, in_row(slot))).collect::<Vec<_>>();
        let _ = writeln!(
            body,
            "impl {name} {{\nfn read<R: BufRead>(words: &mut Words<'_, R>) -> Result<{name}, InputError> {{\nOk({name} {{ {} }})\n}}\n}}\n",
            reads.join(", "),
            name = row.name
        );
    }
    let has_start = !plan.start.fields.is_empty();
    let start_answers = !plan.start.answers.is_empty();
    if has_start || start_answers || plan.turn.is_none() {
        scope(
            &mut body,
            "Start",
            "The input before the first turn.",
            &plan.start,
            false,
            // Where there are turns, the block describes their answer.
            if plan.turn.is_none() { &stub.output } else { &[] },
            if plan.turn.is_none() { "The stub's answer" } else { "The stub's answer before the first turn" },
        );
    }
    if let Some(turn) = &plan.turn {
        scope(
            &mut body,
            "Turn",
            "The input of a turn.",
            turn,
            has_start,
            &stub.output,
            "The stub's answer to the turn",
        );
    }
    if body.contains("times(input") {
        body += &format!(
            "/// A count in the input; a negative one is 0.\n\
             fn times<R: BufRead>(input: &Input<R>, count: i64) -> Result<usize, InputError> {{\n\
             match usize::try_from(count) {{\nErr(_) => Ok(0),\nOk(count) if count <= MOST_ROWS => Ok(count),\n\
             Ok(_) => Err(input.malformed(\"a count of at most {MOST_ROWS}\")),\n}}\n}}\n"
        );
    }
    let words = if body.contains("Words<") { ", Words" } else { "" };
    let mut most = String::new();
    if body.contains("MOST_ANSWERS") {
        most +=
            &format!("/// Most lines of a loop of answers.\nconst MOST_ANSWERS: usize = {MOST_ANSWERS};\n\n");
    }
    if body.contains("MOST_ROWS") {
        most += &format!("/// Most lines of a loop that reads: more is damaged input.\nconst MOST_ROWS: usize = {MOST_ROWS};\n\n");
    }
    format!(
        "//! The bot's input and answers, generated from the contest's stub (`arena new --stub`).\n{}\nuse std::io::BufRead;\n\n\
         use coppice::input::{{Input, InputError{words}}};\n\n{most}{body}",
        fenced("//!", &stub.statement)
    )
}

/// Lines of a comment as they stand, whatever they hold.
fn fenced(mark: &str, lines: &[String]) -> String {
    if lines.is_empty() {
        return String::new();
    }
    let line = |line: &String| format!("{mark} {}", line.replace("```", "'''")).trim_end().to_owned() + "\n";
    format!("{mark}\n{mark} ```text\n{}{mark} ```\n", lines.iter().map(line).collect::<String>())
}

/// Describes a row.
fn about(row: &Row) -> String {
    let what = row.what.replace('_', " ");
    let is_vowel =
        what.starts_with(['a', 'e', 'i', 'o', 'u']) && !what.starts_with("uni") && !what.starts_with("use");
    let article = if is_vowel { "An" } else { "A" };
    let lists: Vec<String> = row.lists.iter().map(|list| format!("`{list}`")).collect();
    let counts: String = row
        .counts
        .iter()
        .map(|(count, comment)| format!("\n///\n/// {}: {}", escaped(count), escaped(comment)))
        .collect();
    format!("{article} {what}, an element of {}.{counts}", lists.join(" and "))
}

fn field(slot: &Slot) -> Field {
    Field {
        name: slot.field.clone(),
        type_name: super::plan::rust_type(slot.kind).to_owned(),
        comment: slot.comment.clone(),
    }
}

fn structure(body: &mut String, name: &str, about: &str, fields: &[Field]) {
    let _ = writeln!(body, "/// {about}\n#[derive(Debug, Clone, Default, PartialEq)]\npub struct {name} {{");
    for Field { name, type_name, comment } in fields {
        if let Some(comment) = comment.as_ref().filter(|comment| !comment.is_empty()) {
            let _ = writeln!(body, "/// {}", escaped(comment));
        }
        let _ = writeln!(body, "pub {name}: {type_name},");
    }
    body.push_str("}\n\n");
}

/// A comment without markup.
fn escaped(comment: &str) -> String {
    comment.chars().flat_map(|c| "\\[]<>*_`".contains(c).then_some('\\').into_iter().chain([c])).collect()
}

/// A struct with its reader and its answers.
fn scope(
    body: &mut String,
    name: &str,
    about: &str,
    scope: &Scope,
    sees_start: bool,
    output: &[String],
    answer: &str,
) {
    structure(body, name, about, &scope.fields);
    let reads: String = scope.steps.iter().map(step).collect();
    let fields: Vec<&str> = scope.fields.iter().map(|field| field.name.as_str()).collect();
    let start = |used: bool| match (sees_start, used) {
        (false, _) => "",
        (true, true) => ", start: &Start",
        (true, false) => ", _start: &Start",
    };
    let input = if reads.is_empty() { "_input" } else { "input" };
    let _ = writeln!(
        body,
        "impl {name} {{\n/// Reads it.\n///\n/// # Errors\n/// If the input ends or is malformed.\n\
         pub fn read<R: BufRead>({input}: &mut Input<R>{}) -> Result<{name}, InputError> {{\n{reads}Ok({name} {{ {} }})\n}}\n",
        start(reads.contains("start.")),
        fields.join(", ")
    );
    // Before the first turn there is only one answer to change.
    let units = scope.units().filter(|_| name == "Turn");
    body.push_str(&units.map_or_else(String::new, |units| methods_of_units(units, start)));
    let (lines, used) = match (units, sees_start) {
        (Some(_), true) => {
            ("(0..self.units(start)).map(|unit| self.order(unit, start)).collect()\n".to_owned(), true)
        }
        (Some(_), false) => ("(0..self.units()).map(|unit| self.order(unit)).collect()\n".to_owned(), false),
        (None, _) => answers(scope),
    };
    let _ = writeln!(
        body,
        "/// {answer}, line by line.\n{}pub fn answer(&self{}) -> Vec<String> {{\n{lines}}}\n}}\n",
        fenced("///", output),
        start(used)
    );
}

fn step(step: &Step) -> String {
    let typed = |slot: &Slot, value: String| {
        format!("let {}: {} = {value};\n", slot.field, super::plan::rust_type(slot.kind))
    };
    match step {
        Step::Line(slots) if slots.len() == 1 => typed(&slots[0], of_words("input.words()?", &slots[0])),
        Step::Line(slots) => {
            let lets = slots.iter().map(|slot| typed(slot, of_words("words", slot)));
            format!("let mut words = input.words()?;\n{}", lets.collect::<String>())
        }
        Step::List(field, body) => format!("let {field} = {}?;\n", list(body)),
    }
}

/// An expression with a result that holds the element.
fn list(body: &Body) -> String {
    match body {
        Body::Value(slot) => match slot.kind {
            Kind::Text => "input.words().map(|mut words| words.rest())".to_owned(),
            _ => of_words("input.words()?", slot).trim_end_matches('?').to_owned(),
        },
        Body::Row(row) => format!("{}::read(&mut input.words()?)", Row::type_mark(*row)),
        Body::Times(count, inner) => format!(
            "(0..{}).map(|_| {}).collect::<Result<Vec<_>, InputError>>()",
            read_times(count),
            list(inner)
        ),
        Body::Inline(count, inner) => {
            let one = match &**inner {
                Body::Value(slot) => of_words("words", slot).trim_end_matches('?').to_owned(),
                Body::Row(row) => format!("{}::read(&mut words)", Row::type_mark(*row)),
                _ => unreachable!("a loopline holds values or rows"),
            };
            format!(
                "{{ {}let mut words = input.words()?; (0..{}).map(|_| {one}).collect::<Result<Vec<_>, InputError>>() }}",
                match read_times(count) {
                    number if number.parse::<u64>().is_ok() => String::new(),
                    count => format!("let count = {count}; "),
                },
                match count {
                    Times::Number(number) => number.to_string(),
                    _ => "count".to_owned(),
                }
            )
        }
    }
}

fn in_row(slot: &Slot) -> String {
    of_words("words", slot)
}

/// The next value of a line's words.
fn of_words(words: &str, slot: &Slot) -> String {
    let Slot { said, kind, .. } = slot;
    match kind {
        Kind::Int | Kind::Long => format!("{words}.next(\"{said}, a whole number\")?"),
        Kind::Float => format!("{words}.next(\"{said}, a number\")?"),
        Kind::Bool => format!("{words}.flag(\"{said}, 0 or 1\")?"),
        Kind::Word => format!("{words}.next(\"{said}, a word\")?"),
        Kind::Text => format!("{words}.rest()"),
    }
}

/// A count that is checked.
fn read_times(count: &Times) -> String {
    match times(count, "") {
        checked if checked.starts_with("times(") => format!("times(input, {}?", &checked["times(".len()..]),
        plain => plain,
    }
}

/// A count; `own` stands before a field of the scope.
pub(super) fn times(count: &Times, own: &str) -> String {
    match count {
        Times::Number(number) => number.to_string(),
        Times::Constant(name) => format!("times({name})"),
        Times::Field { of_start, name, kind } => {
            let value = format!("{}{name}", if *of_start { "start." } else { own });
            match kind {
                Kind::Int => format!("times({value}.into())"),
                Kind::Long => format!("times({value})"),
                Kind::Float => format!("times({value} as i64)"),
                Kind::Bool => format!("usize::from({value})"),
                Kind::Word | Kind::Text => format!("times({value}.trim().parse::<i64>().unwrap_or(0))"),
            }
        }
    }
}

/// The statements that return the lines, and whether the start is used.
fn answers(scope: &Scope) -> (String, bool) {
    let lines: Vec<String> = scope.answers.iter().map(|reply| reply_lines(reply, 0)).collect();
    let is_plain = scope.answers.iter().all(|reply| matches!(reply, Reply::Line(_)));
    let text = match &lines[..] {
        [] => "// The stub writes nothing here: put your answer in its place.\nVec::new()\n".to_owned(),
        _ if is_plain => format!("vec![{}]\n", lines.join(", ")),
        _ => {
            let extend = |(line, reply): (&String, &Reply)| match reply {
                Reply::Line(_) => format!("lines.push({line});\n"),
                Reply::Times(..) => format!("lines.extend({line});\n"),
            };
            let all: String = lines.iter().zip(&scope.answers).map(extend).collect();
            // A list that is made and filled at once reads as a list.
            match &lines[..] {
                [only] => format!("{only}.collect()\n"),
                _ => {
                    format!("let mut lines: Vec<String> = Vec::with_capacity({});\n{all}lines\n", lines.len())
                }
            }
        }
    };
    let used = text.contains("start.");
    (text, used)
}

/// An expression: a line, or an iterator over lines.
fn reply_lines(reply: &Reply, depth: usize) -> String {
    match reply {
        Reply::Line(words) => line(words, depth),
        Reply::Times(count, inner) => {
            let inner_lines = reply_lines(inner, depth + 1);
            let index = format!("i{}", depth + 1);
            let index = if inner_lines.contains(&format!("get({index})")) { index.as_str() } else { "_" };
            let method = if matches!(**inner, Reply::Line(_)) { "map" } else { "flat_map" };
            let moved = if method == "flat_map" { "move " } else { "" };
            let count = count_of_answers(count);
            format!("(0..{count}).{method}({moved}|{index}| {inner_lines})")
        }
    }
}

/// How often a loop of answers writes.
fn count_of_answers(count: &Times) -> String {
    match times(count, "self.") {
        number if number.parse::<u64>().is_ok() => number,
        count => match count.strip_prefix("times(").and_then(|count| count.strip_suffix(')')) {
            Some(count) => {
                let count = count.trim_end_matches(".into()");
                format!("usize::try_from({count}).unwrap_or(0).min(MOST_ANSWERS)")
            }
            None => format!("{count}.min(MOST_ANSWERS)"),
        },
    }
}

/// The methods of a turn with an answer for each unit; `start` is the last parameter, if it is used or not.
fn methods_of_units((count, words): (&Times, &[Word]), start: impl Fn(bool) -> &'static str) -> String {
    let count = count_of_answers(count);
    let line = line(words, 1).replace("get(i1)", "get(unit)");
    let unit = if line.contains("get(unit)") { "unit" } else { "_unit" };
    format!(
        "/// The number of units, which are answered in order.\n\
         pub fn units(&self{}) -> usize {{\n{count}\n}}\n\n\
         /// The stub's answer for a unit, counted from 0.\n\
         pub fn order(&self, {unit}: usize{}) -> String {{\n{line}\n}}\n\n",
        start(count.contains("start.")),
        start(line.contains("start."))
    )
}

/// A line: its words joined by blanks.
fn line(words: &[Word], depth: usize) -> String {
    let (mut form, mut values) = (String::new(), Vec::new());
    for word in words {
        if !form.is_empty() {
            form.push(' ');
        }
        match word {
            Word::Literal(text) => form.push_str(&text.replace('{', "{{").replace('}', "}}")),
            word => {
                form.push_str("{}");
                values.push(value(word, depth));
            }
        }
    }
    // A line end inside is one of an answer of several lines.
    let form = form.replace(" \n", "\n");
    if values.is_empty() {
        return format!("{:?}.to_owned()", form.replace("{{", "{").replace("}}", "}"));
    }
    format!("format!({form:?}, {})", values.join(", "))
}

fn value(word: &Word, depth: usize) -> String {
    let owner = |of_start: &bool| if *of_start { "start" } else { "self" };
    match word {
        Word::Literal(_) => unreachable!("a literal is part of the form"),
        Word::Field { of_start, name, kind: Kind::Bool } => format!("i32::from({}.{name})", owner(of_start)),
        Word::Field { of_start, name, .. } => format!("{}.{name}", owner(of_start)),
        Word::InRow { of_start, list, field, kind } => {
            let row = if depth > 0 { format!("get(i{depth})") } else { "first()".to_owned() };
            let value = match (field, kind) {
                (Some(field), Kind::Bool) => format!("|row| i32::from(row.{field}).to_string()"),
                (Some(field), _) => format!("|row| row.{field}.to_string()"),
                (None, Kind::Bool) => "|&value| i32::from(value).to_string()".to_owned(),
                (None, _) => "ToString::to_string".to_owned(),
            };
            format!("{}.{list}.{row}.map({value}).unwrap_or_default()", owner(of_start))
        }
    }
}
