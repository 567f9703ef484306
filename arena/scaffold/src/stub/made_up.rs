//! Functions of `tests/reader.rs` that make up input of the stub's shape.

use super::model::Kind;
use super::plan::{Body, Plan, Row, Scope, Slot, Step, Times};
use super::reader::times;

/// Values of a game, for which a thousand made-up games take a debug build a few seconds.
const VALUES: u64 = 2_000;

/// The functions that make up a stub's input.
pub(super) fn functions(plan: &Plan) -> String {
    let mut functions = String::new();
    for (number, row) in plan.rows.iter().enumerate() {
        let lets: String = row
            .slots
            .iter()
            .map(|slot| format!("let {}: {} = {};\n", slot.field, type_of(slot), value(slot, false)))
            .collect();
        let fields: Vec<&str> = row.slots.iter().map(|slot| slot.field.as_str()).collect();
        functions += &format!(
            "fn {}(made: &mut Made, words: &mut Vec<String>) -> {name} {{\n{lets}words.extend({});\n{name} {{ {} }}\n}}\n\n",
            Row::made_mark(number),
            texts(&row.slots),
            fields.join(", "),
            name = Row::type_mark(number)
        );
    }
    if plan.has_start_type() {
        functions += &scope("Start", &plan.start, false);
    }
    if let Some(turn) = &plan.turn {
        functions += &scope("Turn", turn, plan.has_start());
    }
    functions
}

/// The least value of a count: a turn of loops alone could have no line, and nothing would tell the bot of it.
pub(super) fn least_count(plan: &Plan) -> u32 {
    let has_line = |step: &Step| matches!(step, Step::Line(_) | Step::List(_, Body::Inline(..)));
    plan.turn.as_ref().is_some_and(|turn| !turn.steps.iter().any(has_line)).into()
}

/// The number of made-up games: a thousand, or fewer if loops over numbers make a game long.
pub(super) fn games(plan: &Plan) -> u64 {
    let scopes = [Some(&plan.start), plan.turn.as_ref()];
    let values = scopes.into_iter().flatten().flat_map(|scope| &scope.steps).map(values_of);
    let values = values.fold(0_u64, u64::saturating_add);
    (1_000 * VALUES / values.max(1)).clamp(1, 1_000)
}

/// The values of a step, where a variable's count is 1.
fn values_of(step: &Step) -> u64 {
    match step {
        Step::Line(slots) => slots.len() as u64,
        Step::List(_, body) => body.elements(),
    }
}

/// The names that the functions need.
pub(super) fn names(plan: &Plan) -> String {
    let mut names: Vec<&str> = plan.rows.iter().map(|row| row.name.as_str()).collect();
    names.extend(plan.has_start_type().then_some("Start"));
    names.extend(plan.turn.is_some().then_some("Turn"));
    names.extend(plan.constants.iter().map(|(name, _)| name.as_str()));
    names.join(", ")
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
    let (made, text) = if steps.is_empty() { ("_made", "_made_text") } else { ("made", "made_text") };
    format!(
        "fn {}({made}: &mut Made, {text}: &mut String{start}) -> {name} {{\n{steps}{name} {{ {} }}\n}}\n\n",
        function(name),
        fields.join(", ")
    )
}

fn step(step: &Step) -> String {
    match step {
        Step::Line(slots) => {
            let lets: String = slots
                .iter()
                .map(|slot| format!("let {}: {} = {};\n", slot.field, type_of(slot), value(slot, true)))
                .collect();
            format!("{lets}put_line(made_text, &{});\n", texts(slots))
        }
        Step::List(field, body) => format!("let {field} = {};\n", element_expression(body)),
    }
}

/// An expression for an element that is written to `text`.
fn element_expression(body: &Body) -> String {
    match body {
        Body::Value(slot) => format!(
            "{{ let {field}: {} = {}; put_line(made_text, &[{}]); {field} }}",
            type_of(slot),
            value(slot, true),
            text(slot),
            field = slot.field
        ),
        Body::Row(row) => format!(
            "{{ let mut words = Vec::new(); let row = {}(made, &mut words); put_line(made_text, &words); row }}",
            Row::made_mark(*row)
        ),
        Body::Times(count, inner) => {
            format!("(0..{}).map(|_| {}).collect::<Vec<_>>()", times(count, ""), element_expression(inner))
        }
        Body::Inline(count, inner) => {
            let one = match &**inner {
                Body::Value(slot) => format!(
                    "{{ let {field}: {} = {}; words.push({}); {field} }}",
                    type_of(slot),
                    value(slot, true),
                    text(slot),
                    field = slot.field
                ),
                Body::Row(row) => format!("{}(made, &mut words)", Row::made_mark(*row)),
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

/// A made-up value; counts are small. `sees` says that the variables that name lengths are there.
fn value(slot: &Slot, sees: bool) -> String {
    let length = match &slot.length {
        Some(length @ Times::Field { .. }) if sees => format!("Some({})", times(length, "")),
        _ => "None".to_owned(),
    };
    match (slot.kind, slot.counts) {
        (Kind::Int, true) => "made.count() as i32".to_owned(),
        (Kind::Long, true) => "i64::from(made.count())".to_owned(),
        (Kind::Float, true) => "f64::from(made.count())".to_owned(),
        (Kind::Word | Kind::Text, true) => "made.count().to_string()".to_owned(),
        (Kind::Int, false) => "made.int()".to_owned(),
        (Kind::Long, false) => "made.long()".to_owned(),
        (Kind::Float, false) => "made.float()".to_owned(),
        (Kind::Bool, _) => "made.flag()".to_owned(),
        (Kind::Word, false) => format!("made.word({length})"),
        (Kind::Text, false) => format!("made.text({length})"),
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
