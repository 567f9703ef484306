//! Prints the bots of a pool.

use std::io::Write;

use serde_json::json;

use crate::failure::Failure;
use crate::pool::{Pool, Submission};
use coppice_referee::text::{self, column_width};

use super::ListArgs;

/// Prints the bots and what is on the site.
///
/// # Errors
/// If `out` can't be written.
pub(super) fn print(
    pool: &Pool,
    ListArgs { json, markdown, csv, .. }: &ListArgs,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let rows = rows(pool);
    if *json {
        let site = pool.on_site();
        let source = site.and_then(|site| source(pool, site));
        let value = json!({
            "plan": pool.plan(),
            "bots": pool.bots(),
            "submissions": pool.submissions(),
            "on_site": site,
            "on_site_source": source,
        });
        writeln!(out, "{value}")?;
        return Ok(());
    }
    let head = ["bot", "added", "commit", "submitted", "command", "note"].map(str::to_owned).to_vec();
    if *csv {
        std::iter::once(&head).chain(&rows).try_for_each(|row| write!(out, "{}", text::csv(row)))?;
        return Ok(());
    }
    if *markdown {
        let line = |cells: &[String]| {
            format!(
                "| {} |",
                cells.iter().map(|cell| cell.replace('|', "\\|")).collect::<Vec<_>>().join(" | ")
            )
        };
        writeln!(out, "{}\n|{}", line(&head), "---|".repeat(head.len()))?;
        rows.iter().try_for_each(|row| writeln!(out, "{}", line(row)))?;
        writeln!(out)?;
    } else {
        let all = std::iter::once(&head).chain(&rows);
        let width = |column: usize| column_width(all.clone().map(|row| row[column].as_str()));
        let widths = (0..head.len()).map(width).collect::<Vec<_>>();
        for row in all.clone() {
            let cells = row.iter().zip(&widths).map(|(cell, &width)| format!("{cell:<width$}"));
            writeln!(out, "{}", cells.collect::<Vec<_>>().join("  ").trim_end())?;
        }
    }
    print_site(pool, out)
}

fn rows(pool: &Pool) -> Vec<Vec<String>> {
    let row = |bot: &crate::pool::Member| {
        let mut submitted = pool.submissions().iter().filter(|submission| submission.bot == bot.name);
        let submitted = submitted.next_back().map_or_else(|| "-".to_owned(), result);
        let notes = bot.parked.iter().chain(&bot.note).map(String::as_str).collect::<Vec<_>>();
        vec![
            format!("{}{}", bot.name, bot.mark()),
            bot.added.clone(),
            bot.commit.as_ref().map_or_else(|| "-".to_owned(), |commit| commit.short()),
            submitted,
            bot.given.clone(),
            notes.join("; "),
        ]
    };
    pool.bots().iter().map(row).collect()
}

fn result(submission: &Submission) -> String {
    let rank = submission.rank.map(|rank| format!(", rank {rank}"));
    let score = submission.score.map(|score| format!(", score {score}"));
    format!("{}{}{}", submission.at, rank.unwrap_or_default(), score.unwrap_or_default())
}

/// Prints which bot is on the site, and where its source is.
///
/// # Errors
/// If `out` can't be written.
pub(super) fn print_site(pool: &Pool, out: &mut dyn Write) -> Result<(), Failure> {
    let Some(site) = pool.on_site() else {
        writeln!(out, "nothing was submitted yet (arena pool submitted NAME)")?;
        return Ok(());
    };
    let note = site.note.as_ref().map_or_else(String::new, |note| format!(" ({note})"));
    let source = source(pool, site).unwrap_or_else(|| "unknown (arena pool add --source)".to_owned());
    writeln!(out, "on the site: {}, {}{note}; source: {source}", site.bot, result(site))?;
    Ok(())
}

/// The path of a submission's source.
fn source(pool: &Pool, site: &Submission) -> Option<String> {
    let bot = pool.bots().iter().find(|bot| bot.name == site.bot)?;
    Some(pool.source_of(bot)?.display().to_string())
}
