//! Writes `tests/reader.rs`: made-up games of the stub's shape.

use super::model::Kind;
use super::plan::{Body, Plan, Scope, Slot, Step};
use super::reader::times;

/// The text of the file.
pub fn test(plan: &Plan, package: &str) -> String {
    let mut functions = String::new();
    for row in &plan.rows {
        let lets: String = row
            .slots
            .iter()
            .map(|slot| format!("let {}: {} = {};\n", slot.field, type_of(slot), value(slot)))
            .collect();
        let fields: Vec<&str> = row.slots.iter().map(|slot| slot.field.as_str()).collect();
        functions += &format!(
            "fn made_row_{}(rng: &mut Rng, words: &mut Vec<String>) -> {name} {{\n{lets}words.extend({});\n{name} {{ {} }}\n}}\n\n",
            super::names::snake(&row.name),
            texts(&row.slots),
            fields.join(", "),
            name = row.name
        );
    }
    let has_start = !plan.start.fields.is_empty();
    let start_type = has_start || !plan.start.answers.is_empty() || plan.turn.is_none();
    if start_type {
        functions += &scope("Start", &plan.start, false);
    }
    if let Some(turn) = &plan.turn {
        functions += &scope("Turn", turn, has_start);
    }
    // A turn of loops alone could have no line, and nothing would tell the bot of it.
    let has_line = |step: &Step| matches!(step, Step::Line(_) | Step::List(_, Body::Inline(..)));
    if plan.turn.as_ref().is_some_and(|turn| !turn.steps.iter().any(has_line)) {
        functions = functions.replace("rng.below(5)", "(1 + rng.below(4))");
    }
    let mut names: Vec<&str> = plan.rows.iter().map(|row| row.name.as_str()).collect();
    names.extend(start_type.then_some("Start"));
    names.extend(plan.turn.is_some().then_some("Turn"));
    names.extend(plan.constants.iter().map(|(name, _)| name.as_str()));
    let reads_turns = plan.turn.as_ref().is_some_and(|turn| !turn.steps.is_empty());
    let turn_start = if has_start { ", &start" } else { "" };
    let read_start = |check: &str| match start_type {
        true => format!(
            "let start = made_start(rng, &mut text);\n{}",
            if check.is_empty() { String::new() } else { format!("{check}\n") }
        ),
        false => String::new(),
    };
    let read_back = |name: &str, start: &str| {
        format!(
            "let mut input = Input::new(text.as_bytes());\nlet read = {name}::read(&mut input{start}).expect(\"what was written\");\n\
             assert!(input.reader().is_empty(), \"all of {{text:?}} is read\");\n"
        )
    };
    let mut whole = String::new();
    if start_type {
        whole += &format!("{}{}assert_eq!(read, start);\n", read_start(""), read_back("Start", ""));
    }
    if plan.turn.is_some() {
        whole += &format!(
            "for _ in 0..3 {{\nlet mut text = String::new();\nlet turn = made_turn(rng, &mut text{turn_start});\n{}assert_eq!(read, turn);\n}}\n",
            read_back("Turn", turn_start)
        );
    }
    let mut game = read_start("lines += lines_of(&start.answer());");
    if plan.turn.is_some() {
        game += &format!(
            "for _ in 0..TURNS {{\nlet turn = made_turn(rng, &mut text{turn_start});\nlines += lines_of(&turn.answer({}));\n}}\n",
            if has_start { "&start" } else { "" }
        );
    }
    include_str!("reader_test.rs.txt")
        .replace("{package}", package)
        .replace("{names}", &names.join(", "))
        .replace("{functions}", functions.trim_end())
        .replace("{whole}", &whole)
        .replace("{game}", &game)
        .replace("{mutable}", if start_type { "mut " } else { "" })
        .replace("{ends}", if plan.turn.is_some() { "true" } else { "false" })
        .replace("{reads_turns}", if reads_turns || plan.turn.is_none() { "true" } else { "false" })
}

fn function(type_name: &str) -> String {
    format!("made_{}", super::names::snake(type_name))
}

fn scope(name: &str, scope: &Scope, sees_start: bool) -> String {
    let steps: String = scope.steps.iter().map(step).collect();
    let fields: Vec<&str> = scope.fields.iter().map(|field| field.name.as_str()).collect();
    let start = match (sees_start, steps.contains("start.")) {
        (false, _) => "",
        (true, true) => ", start: &Start",
        (true, false) => ", _start: &Start",
    };
    let (rng, text) = if steps.is_empty() { ("_rng", "_made_text") } else { ("rng", "made_text") };
    format!(
        "fn {}({rng}: &mut Rng, {text}: &mut String{start}) -> {name} {{\n{steps}{name} {{ {} }}\n}}\n\n",
        function(name),
        fields.join(", ")
    )
}

fn step(step: &Step) -> String {
    match step {
        Step::Line(slots) => {
            let lets: String = slots
                .iter()
                .map(|slot| format!("let {}: {} = {};\n", slot.field, type_of(slot), value(slot)))
                .collect();
            format!("{lets}put_line(made_text, &{});\n", texts(slots))
        }
        Step::List(field, body) => format!("let {field} = {};\n", made(body)),
    }
}

/// An expression for an element that is written to `text`.
fn made(body: &Body) -> String {
    match body {
        Body::Value(slot) => format!(
            "{{ let {field}: {} = {}; put_line(made_text, &[{}]); {field} }}",
            type_of(slot),
            value(slot),
            text(slot),
            field = slot.field
        ),
        Body::Row(row) => format!(
            "{{ let mut words = Vec::new(); let row = @{row}@(rng, &mut words); put_line(made_text, &words); row }}"
        ),
        Body::Times(count, inner) => {
            format!("(0..{}).map(|_| {}).collect::<Vec<_>>()", times(count, ""), made(inner))
        }
        Body::Inline(count, inner) => {
            let one = match &**inner {
                Body::Value(slot) => format!(
                    "{{ let {field}: {} = {}; words.push({}); {field} }}",
                    type_of(slot),
                    value(slot),
                    text(slot),
                    field = slot.field
                ),
                Body::Row(row) => format!("@{row}@(rng, &mut words)"),
                _ => unreachable!("a loopline holds values or rows"),
            };
            format!(
                "{{ let mut words = Vec::new(); let all = (0..{}).map(|_| {one}).collect::<Vec<_>>(); put_line(made_text, &words); all }}",
                times(count, "")
            )
        }
    }
}

fn type_of(slot: &Slot) -> &'static str {
    super::plan::rust_type(slot.kind)
}

/// A made-up value; counts are small.
fn value(slot: &Slot) -> &'static str {
    match (slot.kind, slot.counts) {
        (Kind::Int, true) => "rng.below(5) as i32",
        (Kind::Long, true) => "i64::from(rng.below(5))",
        (Kind::Float, true) => "f64::from(rng.below(5))",
        (Kind::Word | Kind::Text, true) => "rng.below(5).to_string()",
        (Kind::Int, false) => "any_int(rng)",
        (Kind::Long, false) => "any_long(rng)",
        (Kind::Float, false) => "any_float(rng)",
        (Kind::Bool, _) => "rng.below(2) == 1",
        (Kind::Word, false) => "any_word(rng)",
        (Kind::Text, false) => "any_text(rng)",
    }
}

/// A value as a word of a line.
fn text(slot: &Slot) -> String {
    match slot.kind {
        Kind::Bool => format!("i32::from({}).to_string()", slot.field),
        _ => format!("{}.to_string()", slot.field),
    }
}

/// Values as the words of a line.
fn texts(slots: &[Slot]) -> String {
    format!("[{}]", slots.iter().map(text).collect::<Vec<_>>().join(", "))
}
