//! The tables of a report: bots, ratings, meetings, seats, endings, times, attributes, games.

use super::attributes::attributes;
use super::cases;
use super::ranking::{End, Seen};
use super::{groups, score, Cell, GameRow, GamesTable, Run, Table};
use crate::svg::ink::Ink;
use crate::svg::interval;
use coppice_referee::game::fault::Ending;
use coppice_referee::record::{BotRecord, GameRecord};
use coppice_referee::report::standings::{Record, Row, Standings};
use coppice_referee::report::summary::Leading;
use coppice_stats::{Compare, Estimate, Times};

/// The content of a cell without a value.
const NOTHING: &str = "–";

/// All tables but the games.
pub(super) fn all(run: &Run<'_>) -> Vec<Table> {
    let mut tables = match run.standings {
        Some(standings) => vec![ratings(run, standings), meetings(standings)],
        None => vec![bots(run)],
    };
    tables.extend(leads(run));
    tables.extend(cases::tables(run));
    tables.extend([seats(run), endings(run), times(run), reported(run)].into_iter().flatten());
    tables.extend(by_value(run));
    tables
}

/// The comparison of two bots, as sentences.
pub(super) fn facts(run: &Run<'_>) -> Vec<String> {
    let mut facts = Vec::new();
    if let Some(comparison) = run.summary.comparison.as_ref().filter(|comparison| comparison.samples > 0) {
        match comparison.lead {
            // Elo of leads would mean something else.
            Some(lead) => {
                let [first, second] = [0, 1].map(|bot| run.name_of(bot));
                let Estimate { mean, low, high } = lead.mean;
                if lead.compare == Compare::Relative {
                    let [mean, low, high] = [mean, low, high].map(|share| 100.0 * share);
                    let of = "of the best known score, a seed";
                    facts.push(format!(
                        "{first} - {second}: {mean:+.3} % {of} (95 %: {low:+.3} to {high:+.3} %)"
                    ));
                } else {
                    facts.push(format!("{first} against {second} on a seed: {:.4}", lead.mean));
                }
                facts.push(format!("normalised Elo of the differences {}", comparison.normalised_elo));
            }
            None => {
                facts.push(format!("Elo {}", comparison.elo));
                facts.push(format!("normalised Elo {}", comparison.normalised_elo));
            }
        }
        facts.push(format!("likelihood of superiority {:.1} %", 100.0 * comparison.los));
    }
    if let Some(standings) = run.standings {
        if let Some(advantage) = standings.first_seat_advantage {
            facts.push(format!("first seat, Elo above the second: {advantage:+}"));
        }
        facts.push(format!("draws between equals: {:.1} %", 100.0 * standings.draw_share));
    }
    let is_alone = run.grouping.alone;
    facts.extend(Some(run.courses.why().to_owned()).filter(|why| !why.is_empty() && !is_alone));
    facts.extend(run.summary.noise.map(|noise| noise.to_string()));
    facts.extend(run.summary.machines.iter().map(ToString::to_string));
    facts
}

fn text(text: impl Into<String>) -> Cell {
    Cell { text: text.into(), ..Cell::default() }
}

pub(super) fn number(text: impl Into<String>) -> Cell {
    Cell { text: text.into(), class: "n".to_owned(), ..Cell::default() }
}

fn command(text: &str) -> Cell {
    Cell { text: text.to_owned(), class: "c".to_owned(), ..Cell::default() }
}

fn drawn(svg: String) -> Cell {
    Cell { svg, ..Cell::default() }
}

pub(super) fn table(title: &str, remark: &str, head: &[&str], rows: Vec<Vec<Cell>>) -> Table {
    Table {
        title: title.to_owned(),
        remark: remark.to_owned(),
        head: head.iter().map(|&head| head.to_owned()).collect(),
        rows,
    }
}

fn percent(share: f64) -> String {
    format!("{:.1} %", 100.0 * share)
}

/// A score with its interval from 0 to 100 %, as text and as a drawing.
fn shares(score: Estimate, ink: Ink) -> [Cell; 3] {
    let range = format!("{:.1} to {:.1}", 100.0 * score.low, 100.0 * score.high);
    let label = format!("{} of 100, 95 %: {range}", percent(score.mean));
    [number(percent(score.mean)), number(range), drawn(interval(score, [0.0, 1.0], Some(0.5), ink, &label))]
}

fn bots(run: &Run<'_>) -> Table {
    let row = |bot: &coppice_referee::report::summary::BotSummary| {
        let mut row = vec![text(bot.name.clone())];
        match &bot.result {
            Some(result) => {
                row.extend([result.wins, result.draws, result.losses].map(|count| number(count.to_string())));
                // Results against the others are half a lead there: a scale more.
                match run.grouping.has_leads() {
                    true => row.push(number(bot.share.map_or(NOTHING.to_owned(), percent))),
                    false => row.extend(shares(result.score, run.ink(&bot.name))),
                }
            }
            None => row.extend((0..if run.grouping.has_leads() { 4 } else { 6 }).map(|_| number(NOTHING))),
        }
        row.push(number(format!("{:.2}", bot.mean_points)));
        row.push(command(&bot.command));
        row
    };
    let rows = run.summary.bots.iter().map(row).collect();
    if run.grouping.has_leads() {
        let head =
            ["bot", "won", "drawn", "lost", "share of the best known score", "points a case", "command"];
        return table("Score", "", &head, rows);
    }
    let head = ["bot", "won", "drawn", "lost", "score", "95 %", "", "points a game", "command"];
    table("Score", "", &head, rows)
}

fn ratings(run: &Run<'_>, standings: &Standings) -> Table {
    let ends = standings.rows.iter().map(|row| [row.rating.low, row.rating.high]);
    let ends = ends.fold([0.0f64, 0.0f64], |all, [low, high]| [all[0].min(low), all[1].max(high)]);
    let row = |row: &Row| {
        let Row { rank, name, command: line, rating, meetings, score, los_over_next, .. } = row;
        let label = format!("{name}: {rating:+}");
        let ink = run.ink(name);
        vec![
            number(rank.to_string()),
            text(name.clone()),
            number(format!("{:+.1}", rating.mean)),
            number(format!("± {:.1}", rating.error())),
            drawn(interval(*rating, ends, Some(0.0), ink, &label)),
            number(meetings.to_string()),
            number(percent(*score)),
            number(los_over_next.map_or(NOTHING.to_owned(), percent)),
            command(line),
        ]
    };
    let head = ["", "bot", "rating", "95 %", "", "games", "score", "better than the next", "command"];
    table("Ratings", "Elo above the mean of all", &head, standings.rows.iter().map(row).collect())
}

fn meetings(standings: &Standings) -> Table {
    let cell = |record: &Record| match record.count() {
        0 => text(NOTHING),
        count => {
            let share = record.points() / count as f64;
            let class = match share {
                share if share > 0.5 => "n good",
                share if share < 0.5 => "n bad",
                _ => "n",
            };
            let Record { wins, draws, losses } = record;
            Cell { class: class.to_owned(), ..text(format!("{wins}-{draws}-{losses}")) }
        }
    };
    let row =
        |row: &Row| std::iter::once(text(row.name.clone())).chain(row.against.iter().map(cell)).collect();
    let names = standings.rows.iter().map(|row| row.name.as_str());
    let head = std::iter::once("").chain(names).collect::<Vec<_>>();
    table(
        "Meetings",
        "won-drawn-lost of the row against the column",
        &head,
        standings.rows.iter().map(row).collect(),
    )
}

fn leads(run: &Run<'_>) -> Option<Table> {
    let leads = &run.summary.leads;
    let has_shares = leads.first()?.share.is_some();
    let row = |bot: &Leading| {
        std::iter::once(text(bot.name.clone())).chain(bot.cells().into_iter().map(number)).collect()
    };
    let head = ["bot", "share of the best known score", "lead over the next"];
    let head = if has_shares { head.to_vec() } else { vec![head[0], head[2]] };
    Some(table("Leads", "mean over seeds, with 95 % intervals", &head, leads.iter().map(row).collect()))
}

fn seats(run: &Run<'_>) -> Option<Table> {
    let bots = &run.summary.bots;
    let seats = bots.iter().map(|bot| bot.seats.len()).max().filter(|&seats| seats > 1)?;
    let row = |seat: usize| {
        let cells = bots.iter().map(|bot| match bot.seats.get(seat).filter(|score| score.games > 0) {
            Some(score) => {
                number(format!("{} of {}", percent(score.points / f64::from(score.games)), score.games))
            }
            None => number(NOTHING),
        });
        std::iter::once(text(format!("seat {seat}"))).chain(cells).collect()
    };
    let names = bots.iter().map(|bot| bot.name.as_str());
    let head = std::iter::once("").chain(names).collect::<Vec<_>>();
    Some(table("Seats", "score on each seat, and the number of games", &head, (0..seats).map(row).collect()))
}

fn endings(run: &Run<'_>) -> Option<Table> {
    let bots = &run.summary.bots;
    let mut kinds = bots.iter().flat_map(|bot| bot.endings.keys().copied()).collect::<Vec<_>>();
    kinds.sort();
    kinds.dedup();
    let row = |kind: &Ending| {
        let cells = bots.iter().map(|bot| {
            let count = bot.endings.get(kind).copied().unwrap_or(0);
            let class = if *kind != Ending::Normal && count > 0 { "n bad" } else { "n" };
            Cell { class: class.to_owned(), ..text(count.to_string()) }
        });
        std::iter::once(text(kind.to_string())).chain(cells).collect()
    };
    let mut rows = kinds.iter().map(row).collect::<Vec<_>>();
    if bots.iter().any(|bot| bot.idle_time_outs > 0) {
        let name = "of these, time-outs with little processor time: perhaps the machine's";
        let counts = bots.iter().map(|bot| number(bot.idle_time_outs.to_string()));
        rows.push(std::iter::once(text(name)).chain(counts).collect());
    }
    let names = bots.iter().map(|bot| bot.name.as_str());
    let head = std::iter::once("").chain(names).collect::<Vec<_>>();
    let noun = run.grouping.noun();
    let remark = format!("{} of {} {noun} ended normally", run.summary.normal, run.summary.games);
    (!rows.is_empty()).then(|| table("Endings", &remark, &head, rows))
}

fn times(run: &Run<'_>) -> Option<Table> {
    let row = |name: String, times: &Times| {
        let Times { count, p50_ms, p99_ms, max_ms } = times;
        let ms = [p50_ms, p99_ms, max_ms].map(|ms| number(format!("{ms:.2}")));
        [vec![text(name), number(count.to_string())], ms.to_vec()].concat()
    };
    let answering = run.summary.bots.iter().filter(|bot| bot.first.count > 0);
    let rows = answering
        .flat_map(|bot| {
            let times = [("first", &bot.first), ("later", &bot.later)].into_iter();
            times
                .filter(|(_, times)| times.count > 0)
                .map(|(which, times)| row(format!("{}, {which}", bot.name), times))
        })
        .collect::<Vec<_>>();
    let head = ["", "answers", "50 %", "99 %", "slowest"];
    (!rows.is_empty()).then(|| table("Answer times", "in milliseconds", &head, rows))
}

fn reported(run: &Run<'_>) -> Option<Table> {
    let rows = run.summary.bots.iter().flat_map(|bot| {
        let kinds = [("turns", &bot.data.tdata), ("games", &bot.data.pdata)];
        kinds.into_iter().flat_map(move |(unit, spreads)| {
            spreads.iter().map(move |(name, spread)| {
                let values = [spread.mean, spread.min, spread.max].map(|value| number(shown(value)));
                let count = number(format!("{} {unit}", spread.count));
                [vec![text(bot.name.clone()), text(name.clone())], values.to_vec(), vec![count]].concat()
            })
        })
    });
    let rows = rows.collect::<Vec<_>>();
    let head = ["bot", "number", "mean", "least", "most", "in"];
    let remark = "what the bots ([TDATA], [PDATA]) and the referee said";
    (!rows.is_empty()).then(|| table("Reported numbers", remark, &head, rows))
}

fn shown(value: f64) -> String {
    let rounded = (value * 1000.0).round() / 1000.0;
    rounded.to_string()
}

fn by_value(run: &Run<'_>) -> Vec<Table> {
    let names = run.summary.bots.iter().map(|bot| bot.name.clone()).collect::<Vec<_>>();
    let all = attributes(&names, run.games.iter().copied(), score);
    let table = |attribute: super::attributes::Attribute| {
        let ink = run.ink(&attribute.bot);
        let row = |value: &super::attributes::Value| {
            let games = number(value.games.to_string());
            [vec![text(value.text.clone()), games], shares(value.score, ink).to_vec()].concat()
        };
        let title = format!("Score of {} by {}", attribute.bot, attribute.name);
        let head = [attribute.name.as_str(), "games", "score", "95 %", ""];
        table(&title, "", &head, attribute.values.iter().map(row).collect())
    };
    all.into_iter().map(table).collect()
}

/// The games, in this order.
pub(super) fn games(run: &Run<'_>, seen: &[Seen<'_>]) -> GamesTable {
    let losing = |seen: &Seen<'_>| run.pages.get(&seen.record.game)?.losing_turn.clone();
    let has_losing = seen.iter().any(|seen| losing(seen).is_some());
    let cells = |seen: &Seen<'_>| {
        let record = seen.record;
        let link = run.pages.get(&record.game).map(|page| page.address.clone()).unwrap_or_default();
        let class = match seen.end {
            End::Lost => "bad",
            End::Won => "good",
            End::Drawn | End::Absent => "",
        };
        let ending = match seen.failed {
            true => format!("{} (its own fault)", record.ending),
            false => record.ending.to_string(),
        };
        let losing = losing(seen).map_or_else(
            || text(NOTHING),
            |(turn, name)| Cell { link: format!("{link}#turn={turn}"), ..text(name) },
        );
        let mut row = vec![
            Cell { link, ..text(format!("game {}", record.game)) },
            Cell {
                class: class.to_owned(),
                ..text(if seen.end == End::Absent { NOTHING } else { seen.end.word() })
            },
            text(result(record)),
            text(ending),
        ];
        row.extend(has_losing.then_some(losing));
        row.push(number(match record.move_count() {
            0 => NOTHING.to_owned(),
            moves => moves.to_string(),
        }));
        row.push(number(slowest(record).map_or(NOTHING.to_owned(), |ms| format!("{ms:.1}"))));
        row
    };
    let bots = run.summary.bots.iter().map(|bot| bot.name.clone()).collect::<Vec<_>>();
    let mut endings = seen.iter().map(|seen| seen.record.ending).collect::<Vec<_>>();
    endings.sort();
    endings.dedup();
    let groups = groups(&run.games);
    let row = |seen: &Seen<'_>| {
        let record = seen.record;
        let place = |name: &str| bots.iter().position(|bot| bot == name).unwrap_or(bots.len());
        let of = |seat: usize| place(&record.bots[seat].name);
        let end = |bot: &BotRecord| match Seen::of(record, &bot.name, &groups[&record.group]).end {
            End::Lost => 0,
            End::Drawn => 1,
            End::Won | End::Absent => 2,
        };
        let seats = record.faults.iter().map(|fault| fault.seat).filter(|&seat| seat < record.bots.len());
        GameRow {
            cells: cells(seen),
            bots: list((0..record.bots.len()).map(of)),
            ends: list(record.bots.iter().map(end)),
            ending: endings.binary_search(&record.ending).unwrap_or(0),
            failed: list(seats.map(of)),
        }
    };
    let first = run.summary.bots.first().map_or("", |bot| bot.name.as_str());
    let mut head =
        vec!["game", first, "points by seat", "ending", "losing turn", "moves", "slowest answer, ms"];
    head.retain(|&head| has_losing || head != "losing turn");
    GamesTable {
        title: "Games".to_owned(),
        remark: order(first, seen, has_losing),
        head: head.into_iter().map(str::to_owned).collect(),
        rows: seen.iter().map(row).collect(),
        endings: endings.iter().map(Ending::to_string).collect(),
        bots,
    }
}

/// Numbers with blanks between them.
fn list(numbers: impl Iterator<Item = usize>) -> String {
    numbers.map(|number| number.to_string()).collect::<Vec<_>>().join(" ")
}

/// Explains the order of the games and the source of the losing turn.
fn order(first: &str, seen: &[Seen<'_>], has_losing: bool) -> String {
    let mut margins =
        seen.iter().filter(|seen| seen.end == End::Lost && !seen.failed).map(|seen| seen.margin);
    let has_margins = margins.next().is_some_and(|margin| margins.any(|other| other != margin));
    let mut order = match has_margins {
        true => format!("the worst losses of {first} first: by margin, then the shortest"),
        false => format!("the losses of {first} first, the shortest first"),
    };
    if seen.iter().any(|seen| seen.end == End::Lost && seen.failed) {
        order += "; its own faults before them";
    }
    if has_losing {
        order += "; the losing turn is the costliest decision, at which the game's page opens (proved: by a search; \
                  estimate: no other turn comes near; unsure: it may have been another turn)";
    } else if seen.iter().any(|seen| seen.end == End::Lost && seen.record.bots.len() > 1) {
        order += "; the losing turns are known where bots report a score, or with --report-compare IN:SEARCH";
    }
    order
}

/// Bots with their scores, by seat.
pub(super) fn result(record: &GameRecord) -> String {
    let scores = record.bots.iter().zip(&record.scores);
    scores.map(|(bot, score)| format!("{} {score}", bot.name)).collect::<Vec<_>>().join(", ")
}

fn slowest(record: &GameRecord) -> Option<f64> {
    record.times_ms.iter().flat_map(|times| times.iter().skip(1)).copied().reduce(f64::max)
}
