//! The tables of a run in Markdown.

use super::{tables, Run, Table};

/// The run without charts and games: a heading, the verdict, the circumstances, and a section for each table.
pub fn markdown(run: &Run<'_>) -> String {
    let mut text = format!("# {}\n\n{}\n", plain(&run.title), plain(&run.state));
    if let Some((_, verdict)) = &run.test {
        text += &format!("\n{}\n", plain(verdict));
    }
    let about = run.about.iter().map(|(name, value)| format!("{name}: {value}"));
    let lines = about.chain(tables::facts(run)).map(|line| format!("- {}\n", plain(&line)));
    text += &format!("\n{}", lines.collect::<String>());
    tables::all(run).iter().for_each(|table| text += &section(table));
    text
}

fn section(table: &Table) -> String {
    let title = match table.remark.as_str() {
        "" => plain(&table.title),
        remark => format!("{} ({})", plain(&table.title), plain(remark)),
    };
    // A drawing shows what stands in the cells before it.
    let columns = 0..table.head.len();
    let columns = columns.filter(|&column| table.rows.iter().all(|row| row[column].svg.is_empty()));
    let columns = columns.collect::<Vec<_>>();
    let line = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
    let head = line(columns.iter().map(|&column| plain(&table.head[column])).collect());
    let rule = format!("|{}\n", "---|".repeat(columns.len()));
    let cell = |row: &[super::Cell], column: usize| match row[column].class.as_str() {
        "c" if !row[column].text.is_empty() => format!("`{}`", plain(&row[column].text)),
        _ => plain(&row[column].text),
    };
    let row = |row: &Vec<super::Cell>| line(columns.iter().map(|&column| cell(row, column)).collect());
    format!("\n## {title}\n\n{head}{rule}{}", table.rows.iter().map(row).collect::<String>())
}

/// A text that doesn't end its cell.
fn plain(text: &str) -> String {
    text.replace('|', "\\|").replace(['\n', '\r'], " ")
}
