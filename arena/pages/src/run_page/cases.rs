//! The tables of cases of bots that play alone.

use super::tables::{number, table};
use super::{Run, Table};
use coppice_referee::report::cases::{Case, Cases};

/// Most cases in the table.
const MOST_CASES: usize = 200;

/// The worst cases of the first bot, and all by each of their numbers; none unless bots play alone.
pub(super) fn tables(run: &Run<'_>) -> Vec<Table> {
    let names = run.summary.bots.iter().map(|bot| bot.name.clone()).collect::<Vec<_>>();
    let cases = Cases::of(run.games.iter().copied(), &names).filter(|cases| !cases.rows.is_empty());
    let Some(cases) = cases else { return Vec::new() };
    let numbers = |cells: Vec<String>| cells.into_iter().map(number).collect::<Vec<_>>();
    let row = |case: &Case| {
        let mut row = numbers(cases.cells(case));
        let game = case.bots.first().and_then(Option::as_ref).map(|ran| ran.game);
        let page = game.and_then(|game| run.pages.get(&game));
        row[0].link = page.map_or_else(String::new, |page| page.address.clone());
        row
    };
    let head = cases.head();
    let head = head.iter().map(String::as_str).collect::<Vec<_>>();
    let rows = cases.rows.iter().take(MOST_CASES).map(row).collect::<Vec<_>>();
    let left_out = cases.rows.len() - rows.len();
    let more = if left_out > 0 { format!("; {left_out} more aren't listed") } else { String::new() };
    let remark =
        format!("worst of {} first, failures before them; %: share of the best known score{more}", names[0]);
    let mut tables = vec![table("Cases", &remark, &head, rows)];
    for name in &cases.attributes {
        let groups = cases.by(Some(name));
        // A number that all cases share tells nothing.
        if groups.len() > 2 {
            let head = cases.group_head(name);
            let head = head.iter().map(String::as_str).collect::<Vec<_>>();
            let rows = groups.iter().map(|group| numbers(cases.group_cells(group))).collect();
            tables.push(table(&format!("Cases by {name}"), "", &head, rows));
        }
    }
    tables
}
