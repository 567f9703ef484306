//! What people see: lists in columns, the help.

use coppice_referee::text::terminal;

use super::line::WORDS;

/// The width of lists where there is no terminal, in characters.
const WIDTH: usize = 100;

/// Number of moves above which they are listed only when asked for.
pub(super) const MOST_LISTED: usize = 100;

/// Moves in columns, from top to bottom, each behind its number in the list; without numbers where a move is a number itself.
pub(super) fn moves(names: &[String]) -> String {
    let is_number = |name: &String| name.parse::<i64>().is_ok();
    let digits = names.len().to_string().len();
    let entries: Vec<String> = match names.iter().any(is_number) {
        true => names.to_vec(),
        false => (1..).zip(names).map(|(number, name)| format!("{number:>digits$} {name}")).collect(),
    };
    columns(&entries, terminal::width(&std::io::stdout()).unwrap_or(WIDTH))
}

fn columns(entries: &[String], width: usize) -> String {
    let widest = entries.iter().map(|entry| entry.chars().count()).max().unwrap_or(0) + 3;
    let rows = entries.len().div_ceil((width / widest).max(1)).max(1);
    let line = |row: usize| {
        let cells = entries.iter().skip(row).step_by(rows);
        let text: String = cells.map(|entry| format!("{entry:<widest$}")).collect();
        text.trim_end().to_owned()
    };
    (0..rows).map(line).collect::<Vec<_>>().join("\n")
}

/// Names the line of an answer that is expected after `begun` lines.
pub(super) fn awaited(begun: usize, lines: usize) -> String {
    match begun {
        0 => format!("the answer starts again: line 1 of {lines}"),
        _ => format!("line {} of {lines}; `undo` takes line {begun} back", begun + 1),
    }
}

/// The commands.
pub(super) fn help() -> String {
    let line = |word: &super::line::Word| {
        let head = format!("{} {}", word.name, word.argument);
        format!("{head:<9} {}", word.about)
    };
    let commands: Vec<String> = WORDS.iter().map(line).collect();
    format!(
        "type a move by its name, its number (#N where moves are numbers), or as the answer that a bot would give; or\n{}",
        commands.join("\n")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_columns() {
        let names: Vec<String> = (0..30).map(|i| format!("move{i}")).collect();
        let text = moves(&names);
        assert_eq!(text.lines().count(), 4);
        assert!(text.starts_with(" 1 move0     5 move4     9 move8 "), "{text}");
        assert!(text.lines().all(|line| line.len() <= WIDTH));
        assert_eq!(moves(&["2".to_owned(), "5".to_owned()]), "2   5");
    }
}
