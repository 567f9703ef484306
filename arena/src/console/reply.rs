//! The console's replies: text, or one JSON object.

use std::fmt::Write;

use contest::session::{Look, SessionNode, Share, Thought};
use coppice::search::Threshold;
use coppice::tree::{Memory, Status};
use coppice::Score;
use serde_json::{json, Value};

use coppice_referee::text::column_width;
use coppice_referee::text::terminal;

/// A reply to a command.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Reply {
    /// The text, without a final newline; may be empty.
    pub text: String,
    /// The content as JSON.
    pub json: Value,
}

impl Reply {
    /// A reply with this text and JSON.
    pub(crate) fn new(text: impl Into<String>, json: Value) -> Reply {
        Reply { text: text.into(), json }
    }
}

/// A status as a word.
pub(super) fn status(status: Option<Status>) -> &'static str {
    match status {
        None => "not in the tree",
        Some(Status::Leaf) => "leaf",
        Some(Status::Open) => "open",
        Some(Status::Ended) => "ended",
        Some(Status::Closed) => "closed",
        Some(Status::Pruned) => "pruned",
    }
}

/// Formats bounds; an open side is a dash.
fn bounds((least, most): (Score, Score)) -> String {
    // The range of estimates, or an immediate win as the upper bound, tells nothing unless both sides are closed.
    let is_open = |score: Score| {
        score.value().abs() == Score::MAX_ESTIMATE || least != most && score.plies_to_end() == Some(0)
    };
    let shown = |score: Score| if is_open(score) { "-".to_owned() } else { score.to_string() };
    match (is_open(least), is_open(most)) {
        (true, true) => "-".to_owned(),
        _ => format!("{} .. {}", shown(least), shown(most)),
    }
}

fn score_json(score: Score) -> Value {
    json!({ "text": score.to_string(), "value": score.value() })
}

/// The current position.
pub(super) fn show(look: &Look, path: &[String]) -> Reply {
    let mut text = terminal::shown(look.shown.clone(), &look.sheet, Some(&look.drawing));
    let place = match path {
        [] => "at the root".to_owned(),
        _ => format!("{} below the root: {}", path.len(), path.join(" ")),
    };
    let _ = write!(text, "\n{place}");
    match (&look.scores, look.to_move) {
        (Some(scores), _) => {
            let _ = write!(text, "; the game is over, points {}", join(scores, " - "));
        }
        (None, Some(seat)) => {
            let _ = write!(text, "; seat {seat} moves");
        }
        (None, None) => {}
    }
    let json = json!({
        "position": look.shown, "path": path, "to_move": look.to_move, "scores": look.scores,
        "node": node_json(&look.node),
    });
    Reply::new(text, json)
}

/// Numbers separated by spaces.
pub(super) fn join<T: ToString>(items: &[T], between: &str) -> String {
    items.iter().map(T::to_string).collect::<Vec<_>>().join(between)
}

fn node_json(node: &SessionNode) -> Value {
    json!({
        "move": node.played, "seat": node.seat, "score": node.score.map(score_json),
        "bounds": node.bounds.map(|(least, most)| [score_json(least), score_json(most)]),
        "visits": node.visits, "status": status(node.status), "children": node.children,
        "best": node.is_best,
    })
}

/// The moves of the current position: the best first, then by visits, then by score. Numbers are positions in
/// the rules' list, from 1.
pub(super) fn list(look: &Look, path: &[String], most: usize) -> Reply {
    let mut rows: Vec<(usize, &SessionNode)> = (1..).zip(&look.children).collect();
    rows.sort_by_key(|(number, node)| {
        let score = node.score.unwrap_or(-Score::INFINITY);
        (!node.is_best, std::cmp::Reverse((node.visits, score)), *number)
    });
    let left_out = rows.len().saturating_sub(most);
    rows.truncate(most);
    let moves: Vec<Value> = rows
        .iter()
        .map(|&(number, node)| {
            let mut json = node_json(node);
            json["number"] = number.into();
            json
        })
        .collect();
    let json = json!({ "path": path, "moves": moves, "left_out": left_out });
    if rows.is_empty() {
        let why = match look.to_move {
            None => "no moves: the game is over",
            Some(_) => "the moves of this contest can't be listed",
        };
        return Reply::new(why, json);
    }
    let mut text = table(&rows);
    if left_out > 0 {
        let _ = write!(text, "\n{left_out} more");
    }
    Reply::new(text, json)
}

/// A list of moves that only a tree could list, before there is one.
pub(super) fn before_search(list: Reply) -> Reply {
    Reply::new(format!("{} before the search has thought about them: nodes N", list.text), list.json)
}

/// A list of moves of a search that has no tree to look into.
pub(super) fn without_tree(list: Reply, others: &[String]) -> Reply {
    let text = match others {
        [] => format!("{}\nthis search keeps no tree", list.text),
        others => {
            let others = others.join(", ");
            format!(
                "{}\nthis search keeps no tree; --search NAME with one of these does: {others}",
                list.text
            )
        }
    };
    let mut json = list.json;
    json["tree"] = false.into();
    Reply::new(text, json)
}

fn table(rows: &[(usize, &SessionNode)]) -> String {
    let head = ["", "#", "move", "value", "visits", "bounds", "status"].map(str::to_owned);
    let mut cells = vec![head];
    for (number, node) in rows {
        cells.push([
            if node.is_best { "*" } else { "" }.to_owned(),
            number.to_string(),
            node.played.clone().unwrap_or_default(),
            node.score.map_or_else(|| "-".to_owned(), |score| score.to_string()),
            if node.visits == 0 { "-".to_owned() } else { node.visits.to_string() },
            node.bounds.map_or_else(|| "-".to_owned(), bounds),
            status(node.status).to_owned(),
        ]);
    }
    let width = |column: usize| column_width(cells.iter().map(|row| row[column].as_ref()));
    let widths: Vec<usize> = (0..7).map(width).collect();
    let lines = cells.iter().map(|row| {
        let columns = row.iter().zip(&widths).enumerate().map(|(i, (cell, &width))| match i {
            1 | 3 | 4 => format!("{cell:>width$}"),
            _ => format!("{cell:<width$}"),
        });
        columns.collect::<Vec<_>>().join(" ").trim_end().to_owned()
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// The result of a search; `ms` only if it was given a time.
pub(super) fn thought(thought: &Thought, is_stopped: bool, ms: Option<f64>) -> Reply {
    let Thought { best, score, nodes, depth, solved, line, strategy } = thought;
    let mut text = match best {
        None => "the game is over".to_owned(),
        Some(best) => format!("best {best}, score {score}, depth {depth}, {nodes} nodes"),
    };
    text.push_str(&in_time(ms));
    if *solved && best.is_some() {
        text.push_str(", solved");
    }
    text.push_str(interrupted(is_stopped));
    text.push_str(&mixture(strategy));
    let mut json = json!({
        "best": best, "score": score_json(*score), "depth": depth, "nodes": nodes, "solved": solved,
        "line": line, "interrupted": is_stopped, "ms": ms,
    });
    if !strategy.is_empty() {
        let shares =
            strategy.iter().map(|share| json!([share.played, share.probability])).collect::<Vec<_>>();
        json["strategy"] = shares.into();
    }
    Reply::new(text, json)
}

/// Whether hardly a position's moves fit into the pool any more.
pub(super) fn is_full(Memory { live, capacity, .. }: Memory) -> bool {
    capacity - live.min(capacity) <= capacity / 64
}

/// A search's reply, with the reason why it ended before its budget.
pub(super) fn with_full_pool(mut reply: Reply) -> Reply {
    reply.text.push_str("\nthe pool is full, so the search has ended; --pool-mb N makes it larger");
    reply.json["pool_full"] = true.into();
    reply
}

/// The most moves of a mixed strategy that are shown.
const MOST_SHARES: usize = 8;

/// A mixed strategy: its most probable moves; empty if one move has all of it.
fn mixture(strategy: &[Share]) -> String {
    let mut shares: Vec<&Share> = strategy.iter().filter(|share| share.probability >= 0.0005).collect();
    if shares.len() < 2 {
        return String::new();
    }
    shares.sort_by(|a, b| b.probability.total_cmp(&a.probability));
    let left_out = shares.len().saturating_sub(MOST_SHARES);
    let shown = shares.iter().take(MOST_SHARES);
    let shown = shown.map(|share| format!("{} {:.3}", share.played, share.probability)).collect::<Vec<_>>();
    let more = if left_out > 0 { format!(", {left_out} more") } else { String::new() };
    format!("\nstrategy {}{more}", shown.join(", "))
}

/// The progress of an exact search that did not finish: its move and score would be guesses.
pub(super) fn unsolved(thought: &Thought, is_stopped: bool, ms: Option<f64>) -> Reply {
    let Thought { nodes, depth, .. } = thought;
    let text = format!("not solved, depth {depth}, {nodes} nodes{}{}", in_time(ms), interrupted(is_stopped));
    let json = json!({
        "best": null, "score": null, "depth": depth, "nodes": nodes, "solved": false, "line": [],
        "interrupted": is_stopped, "ms": ms,
    });
    Reply::new(text, json)
}

fn in_time(ms: Option<f64>) -> String {
    ms.map_or_else(String::new, |ms| format!(" in {ms:.1} ms"))
}

fn interrupted(is_stopped: bool) -> &'static str {
    if is_stopped {
        " (interrupted)"
    } else {
        ""
    }
}

/// How siblings are pruned from now on.
pub(super) fn set_threshold(threshold: Threshold) -> Reply {
    let (text, json) = pruning(threshold);
    Reply::new(format!("threshold {text}, from the next node on"), json)
}

/// The threshold that the last search ended with, and how the next one prunes if that is something else.
pub(super) fn threshold(last: Option<i32>, next: Option<Threshold>) -> Reply {
    let same = last.map_or(Threshold::OFF, Threshold::Fixed);
    let mut text = format!("threshold {}", pruning(same).0);
    let mut json = json!({ "threshold": last });
    if let Some(next) = next.filter(|&next| next != same) {
        let (words, fields) = pruning(next);
        text.push_str(&format!("; from the next search on {words}"));
        json["next"] = fields;
    }
    Reply::new(text, json)
}

/// A way of pruning, in words and in JSON.
fn pruning(threshold: Threshold) -> (String, Value) {
    match threshold {
        Threshold::OFF => ("off".to_owned(), json!({ "threshold": null })),
        Threshold::Fixed(value) => (value.to_string(), json!({ "threshold": value })),
        Threshold::Contracting { from, to } => {
            (format!("{from} contracting to {to}"), json!({ "threshold": from, "contracting_to": to }))
        }
        Threshold::Expanding { from } => {
            (format!("{from} expanding"), json!({ "threshold": from, "expanding": true }))
        }
    }
}

/// The tree's memory and the pool's.
pub(super) fn memory(memory: Option<Memory>) -> Reply {
    let Some(Memory { live, capacity, node_bytes }) = memory else {
        return Reply::new("this search keeps no tree", json!({ "tree": false }));
    };
    let percent = 100.0 * live as f64 / capacity.max(1) as f64;
    let megabytes = |nodes: usize| nodes as f64 * node_bytes as f64 / 1e6;
    let text = format!(
        "{live} of {capacity} nodes ({percent:.1} %), {node_bytes} bytes each: {:.1} of {:.1} MB",
        megabytes(live),
        megabytes(capacity)
    );
    Reply::new(text, json!({ "tree": true, "live": live, "capacity": capacity, "node_bytes": node_bytes }))
}
