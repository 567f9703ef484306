//! The charts of a report: the result over the run, pairs, answer times.

use super::{Figure, Run};
use crate::svg::columns::{Column, Columns};
use crate::svg::ink::Ink;
use crate::svg::lines::Lines;
use crate::svg::Scale;
use coppice_referee::record::GameRecord;
use coppice_stats::repeats::nearer_to_zero;
use coppice_stats::Sprt;

/// Points of a line: each takes a pass over the samples before it.
const POINTS: usize = 200;

/// Columns of a distribution.
const BINS: usize = 24;

/// Characters of a line's name.
const MOST_KEY: usize = 24;

/// A line by turn ends where fewer than one of this many games goes on.
const LEAST_SHARE: usize = 10;

/// All charts that the run has data for.
pub(super) fn all(run: &Run<'_>) -> Vec<Figure> {
    let mut figures = Vec::new();
    if run.samples.len() > 1 {
        figures.extend(run.test.as_ref().map(|(test, _)| ratio(run, test)));
        figures.extend(score(run));
        figures.extend(pairs(run));
    }
    figures.extend(run.courses.figures(run));
    figures.extend(times_by_turn(run));
    figures.extend(times(run));
    figures
}

/// Numbers of samples after which a line is drawn.
fn stops(samples: usize) -> Vec<usize> {
    let mut stops = (1..=POINTS.min(samples)).map(|i| i * samples / POINTS.min(samples)).collect::<Vec<_>>();
    stops.dedup();
    stops
}

fn sample_word(run: &Run<'_>) -> &'static str {
    if run.grouping.alone {
        "seeds"
    } else if run.grouping.size == 2 {
        "pairs of games"
    } else {
        "groups of games"
    }
}

fn ratio(run: &Run<'_>, test: &Sprt) -> Figure {
    let llr = |samples: &[f64]| test.llr(&run.grouping.outcomes(samples)).ok();
    let ratio_after = |count: usize| {
        let both = run.samples[..count].iter().zip(&run.is_evidence);
        let new =
            both.filter(|&(_, &is_evidence)| is_evidence).map(|(&sample, _)| sample).collect::<Vec<_>>();
        let all = llr(&run.samples[..count])?;
        if new.len() == count {
            Some(all)
        } else {
            Some(nearer_to_zero(all, llr(&new)?))
        }
    };
    let point = |count: usize| Some((count as f64, ratio_after(count)?));
    let points = stops(run.samples.len()).into_iter().filter_map(point).collect::<Vec<_>>();
    let (lower, upper) = test.bounds();
    let most = points.iter().map(|(_, llr)| llr.abs()).fold(upper.max(-lower), f64::max);
    let word = sample_word(run);
    let last = points.last().map_or(0.0, |(_, llr)| *llr);
    let chart = Lines {
        label: format!(
            "Log-likelihood ratio after each of {} {word}: {last:.2} at the end, bounds {lower:.2} and {upper:.2}",
            run.samples.len()
        ),
        x: Scale { high: run.samples.len() as f64, ..Scale::round(0.0, run.samples.len() as f64, 4) },
        x_name: word.to_owned(),
        y: Scale::round(-most, most, 4),
        y_name: "LLR".to_owned(),
        series: vec![(points, Ink::Player(0))],
        levels: vec![(upper, "H1".to_owned(), Ink::Good), (lower, "H0".to_owned(), Ink::Bad)],
        ..Lines::default()
    };
    Figure { title: "Log-likelihood ratio".to_owned(), svg: chart.draw(), remark: format!("over {word}") }
}

fn score(run: &Run<'_>) -> Option<Figure> {
    if run.grouping.has_leads() {
        return None;
    }
    let estimate = |count: usize| run.grouping.outcomes(&run.samples[..count]).score();
    let all = stops(run.samples.len());
    let all = all.into_iter().map(|count| (count as f64, estimate(count))).collect::<Vec<_>>();
    let (low, high) = all
        .iter()
        .skip(all.len() / 10)
        .fold((0.5f64, 0.5f64), |(low, high), (_, e)| (low.min(e.low), high.max(e.high)));
    let last = all.last()?.1;
    let percent = |share: f64| 100.0 * share;
    let name = run.name_of(0);
    let chart = Lines {
        label: format!("Score of {name} over the run, at the end {:.1} %", percent(last.mean)),
        x: Scale { high: run.samples.len() as f64, ..Scale::round(0.0, run.samples.len() as f64, 4) },
        x_name: sample_word(run).to_owned(),
        y: Scale::round(percent(low), percent(high), 4),
        y_name: "%".to_owned(),
        bands: vec![(
            all.iter().map(|(at, e)| (*at, percent(e.low), percent(e.high))).collect(),
            Ink::Player(0),
        )],
        series: vec![(all.iter().map(|(at, e)| (*at, percent(e.mean))).collect(), Ink::Player(0))],
        levels: vec![(50.0, String::new(), Ink::Faint)],
        ..Lines::default()
    };
    let remark = format!("per cent, with its 95 % interval, over {}", sample_word(run));
    Some(Figure { title: format!("Score of {name}"), svg: chart.draw(), remark })
}

fn pairs(run: &Run<'_>) -> Option<Figure> {
    let comparison = run.summary.comparison.as_ref()?;
    if run.grouping.has_leads() || comparison.cells.len() > 12 {
        return None;
    }
    let per = f64::from(comparison.games_per_sample);
    let column = |score: f64, count: u64| Column {
        name: match per * score {
            whole if whole.fract() == 0.0 => format!("{whole}"),
            points => format!("{points:.1}"),
        },
        count,
        is_counted: true,
        ink: match score {
            score if score > 0.5 => Ink::Good,
            score if score < 0.5 => Ink::Bad,
            _ => Ink::Faint,
        },
    };
    let columns = comparison.cells.iter().map(|cell| column(cell.score, cell.count)).collect::<Vec<_>>();
    let told = columns.iter().map(|column| format!("{} with {}", column.count, column.name));
    let word = sample_word(run);
    let (first, second) = (run.name_of(0), run.name_of(1));
    let label = format!("{first}'s points in {word}: {}", told.collect::<Vec<_>>().join(", "));
    let x_name = format!("points of {first}");
    let chart = Columns { label, height: 170.0, columns, x_name, ticks: Vec::new(), mark: None };
    // Alone, both play each seed by themselves; else both play each side of an opening.
    let (title, remark) = match run.games.first().is_some_and(|record| record.bots.len() == 1) {
        true => (
            "Seeds",
            format!("{word} by {first}'s points against {second}: 1 is a seed on which {first} was better"),
        ),
        false => (
            "Pairs",
            format!("{word} by {first}'s points: openings that both sides win alike are in the middle"),
        ),
    };
    Some(Figure { title: title.to_owned(), svg: chart.draw(), remark })
}

/// The mean time of each bot's Nth answer, over the games that have one.
fn times_by_turn(run: &Run<'_>) -> Option<Figure> {
    let mean_of = |name: &str| {
        let mut sums: Vec<(f64, usize)> = Vec::new();
        for (turn, ms) in run.games.iter().flat_map(|record| answers(record, name).iter().enumerate()) {
            sums.resize(sums.len().max(turn + 1), (0.0, 0));
            sums[turn] = (sums[turn].0 + ms, sums[turn].1 + 1);
        }
        // The mean of a few long games would jump.
        let games = sums.first().map_or(0, |(_, count)| *count);
        let whole = sums.into_iter().take_while(|(_, count)| count * LEAST_SHARE >= games);
        whole.zip(1..).map(|((sum, count), turn)| (f64::from(turn), sum / count as f64)).collect::<Vec<_>>()
    };
    let lines = run.summary.bots.iter().map(|bot| (bot.name.as_str(), mean_of(&bot.name)));
    let lines = lines.filter(|(_, points)| points.len() > 1).collect::<Vec<_>>();
    let points = || lines.iter().flat_map(|(_, points)| points);
    let turns = points().map(|(turn, _)| *turn).reduce(f64::max)?;
    let most = points().map(|(_, ms)| *ms).fold(0.01, f64::max);
    let told = lines.iter().map(|(name, points)| format!("{name} {} turns", points.len()));
    let chart = Lines {
        label: format!("Mean answer time by turn: {}", told.collect::<Vec<_>>().join(", ")),
        x: Scale { high: turns, ..Scale::round(0.0, turns, 4) },
        x_name: "the bot's turn".to_owned(),
        y: Scale::round(0.0, most, 4),
        y_name: "ms".to_owned(),
        series: lines.iter().map(|(name, points)| (points.clone(), run.ink(name))).collect(),
        keys: lines.iter().map(|(name, _)| (name.chars().take(MOST_KEY).collect(), run.ink(name))).collect(),
        ..Lines::default()
    };
    let remark = "mean over the games, in milliseconds, by the bot's turn".to_owned();
    Some(Figure { title: "Answer time by turn".to_owned(), svg: chart.draw(), remark })
}

/// A distribution of answer times for each bot, all on one scale.
fn times(run: &Run<'_>) -> Vec<Figure> {
    let of_bot = |name: &str| {
        let times = run.games.iter().flat_map(|record| later(record, name)).collect::<Vec<_>>();
        (name.to_owned(), times)
    };
    let all = run.summary.bots.iter().map(|bot| of_bot(&bot.name)).filter(|(_, times)| !times.is_empty());
    let all = all.collect::<Vec<_>>();
    let limit = run.games.first().map(|record| record.run.later_ms).filter(|limit| *limit > 0.0);
    // Below a hundredth of a millisecond is the clock's own time.
    let ends = all.iter().flat_map(|(_, times)| times).map(|ms| ms.max(0.01));
    let (low, high) = ends.fold((f64::MAX, 0.01f64), |(low, high), ms| (low.min(ms), high.max(ms)));
    let high = limit.map_or(high, |limit| high.max(limit)) * 1.0001;
    let place = |ms: f64| BINS as f64 * ((ms.max(0.01) / low).ln() / (high / low).ln()).clamp(0.0, 1.0);
    let ticks = Scale::round_logarithms(low, high).into_iter().map(|ms| (place(ms), ms.to_string()));
    let ticks = ticks.collect::<Vec<_>>();
    all.iter()
        .map(|(name, times)| {
            let mut counts = [0; BINS];
            times.iter().for_each(|&ms| counts[(place(ms) as usize).min(BINS - 1)] += 1);
            let columns = counts.iter().map(|&count| Column {
                name: String::new(),
                count,
                is_counted: false,
                ink: run.ink(name),
            });
            let slowest = times.iter().copied().fold(0.0, f64::max);
            let chart = Columns {
                label: format!("Answer times of {name}: {} answers, at most {slowest:.1} ms", times.len()),
                height: 170.0,
                columns: columns.collect(),
                ticks: ticks.clone(),
                x_name: "ms".to_owned(),
                mark: limit.map(|limit| (place(limit), format!("limit {limit} ms"))),
            };
            let remark = format!("{} answers but the first of a game, in milliseconds", times.len());
            Figure { title: format!("Answer times of {name}"), svg: chart.draw(), remark }
        })
        .collect()
}

/// The times of a bot's answers.
fn answers<'a>(record: &'a GameRecord, name: &str) -> &'a [f64] {
    let seat = record.bots.iter().position(|bot| bot.name == name);
    seat.and_then(|seat| record.times_ms.get(seat)).map_or(&[][..], Vec::as_slice)
}

/// The times of a bot's answers but the first.
fn later<'a>(record: &'a GameRecord, name: &str) -> impl Iterator<Item = f64> + 'a {
    answers(record, name).iter().skip(1).copied()
}
