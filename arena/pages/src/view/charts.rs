//! The charts of a game over its turns: evaluations, the contest's quantities, answer times, and every other number that its
//! bots reported.

mod marks;
mod quantities;

use contest::Seat;
use serde::Serialize;

use super::asinh_scale::Bend;
use super::look::Look;
use super::numbers::{most_estimate, shown};
use super::values::evaluation;
use super::{Viewed, ViewedTurn};
use crate::svg::ink::Ink;
use crate::svg::timeline::{Bar, Line, Timeline};
use crate::svg::Scale;

pub(super) use marks::costliest;

/// Evaluations whose middle sizes are further apart than this factor are in different units: each has a chart.
const SAME_UNIT: f64 = 30.0;

/// Charts of what a game's bots report.
const MOST_CHARTS: usize = 12;

/// Turns up to which every number has its dot and its text.
const MOST_TITLES: usize = 150;

/// The share of a limit up to which answer times are enlarged, in per cent.
const SHORT: f64 = 25.0;

/// A chart.
#[derive(Debug, Serialize)]
pub(super) struct Chart {
    /// Heading.
    pub title: String,
    /// One sentence on what is drawn.
    pub remark: String,
    /// The drawing.
    pub svg: String,
    /// Legend.
    pub keys: Vec<Key>,
    /// Whether it is shown at once.
    pub is_open: bool,
    /// Whether it shows evaluations, which stand above a turn's panel.
    pub is_evaluation: bool,
}

/// An entry of a legend.
#[derive(Debug, Serialize)]
pub(super) struct Key {
    /// The mark: `line`, `dash`, `bar` or `mark`, a class of the style sheet.
    pub mark: &'static str,
    /// Colour class in the style sheet.
    pub colour: String,
    /// Meaning of the colour.
    pub text: String,
}

/// One line of a chart.
struct Track {
    /// The bot's name and the quantity shown.
    text: String,
    ink: Ink,
    is_dashed: bool,
    /// The number of the turn, the value as it is drawn, the value as it was reported.
    points: Vec<(usize, f64, f64)>,
}

/// Data that the charts of a game share.
struct Charts<'a> {
    game: &'a Viewed,
    /// Beginning of every turn's address.
    prefix: &'a str,
    /// The turns to look at.
    looks: &'a [Look],
}

/// All charts of a game. `prefix` is what a turn's address begins with, `looks` the turns to look at.
pub(super) fn charts(game: &Viewed, prefix: &str, looks: &[Look]) -> Vec<Chart> {
    let charts = Charts { game, prefix, looks };
    let (mut all, quantities) = (charts.evaluations(), charts.quantities());
    let evaluations = all.len().min(MOST_CHARTS);
    all.extend(charts.times());
    // Marks and failures are shown even if there is nothing else to draw.
    if all.is_empty() && quantities.is_empty() && game.turns.iter().any(|turn| turn.failure.is_some()) {
        all.push(charts.empty());
    }
    all.extend(charts.other_numbers());
    all.truncate(MOST_CHARTS);
    all.splice(evaluations..evaluations, quantities);
    all
}

impl Charts<'_> {
    fn ink(&self, seat: Seat) -> Ink {
        Ink::Player(self.game.colours.get(seat).copied().unwrap_or(seat))
    }

    /// The seats, the one that the page is about first.
    fn seats(&self) -> Vec<Seat> {
        let mut seats = (0..self.game.bots.len()).collect::<Vec<_>>();
        seats.sort_by_key(|&seat| seat != self.game.viewpoint);
        seats
    }

    /// The turns of a seat with a value.
    fn points(
        &self,
        seat: Seat,
        value: impl Fn(&ViewedTurn) -> Option<f64>,
        is_seen: bool,
    ) -> Vec<(usize, f64, f64)> {
        let turns = self.game.turns.iter().enumerate().filter(|(_, turn)| turn.seat == seat);
        let seen = |value: f64| if is_seen { self.game.seen(seat, value) } else { value };
        turns.filter_map(|(at, turn)| value(turn).map(|value| (at + 1, seen(value), value))).collect()
    }

    /// A line for each bot that has a value.
    fn tracks(&self, name: &str, is_seen: bool) -> Vec<Track> {
        let track = |seat: Seat| Track {
            text: self.game.name(seat),
            ink: self.ink(seat),
            is_dashed: false,
            points: self.points(seat, |turn| turn.numbers.get(name).copied(), is_seen),
        };
        self.seats().into_iter().map(track).filter(|track| !track.points.is_empty()).collect()
    }

    /// The other bot's evaluations: one line for two players, else one for each.
    fn compared_tracks(&self) -> Vec<Track> {
        let seats = self.game.bots.len();
        let of_seat = |seat: Seat| self.points(seat, |turn| Some(turn.other.as_ref()?.last().score), true);
        let mut tracks: Vec<Track> = match seats {
            0..=2 => {
                let mut points = (0..seats).flat_map(of_seat).collect::<Vec<_>>();
                points.sort_by_key(|point| point.0);
                vec![Track { text: "the search".to_owned(), ink: Ink::Text, is_dashed: true, points }]
            }
            _ => (0..seats)
                .map(|seat| Track {
                    text: format!("the search for {}", self.game.name(seat)),
                    ink: self.ink(seat),
                    is_dashed: true,
                    points: of_seat(seat),
                })
                .collect(),
        };
        tracks.retain(|track| !track.points.is_empty());
        tracks
    }

    /// The bots' own evaluations and the other bot's, those in one unit together.
    fn evaluations(&self) -> Vec<Chart> {
        let key = evaluation(self.game);
        let mut own = key.map_or_else(Vec::new, |key| self.tracks(key, true));
        // A score that is always 0 says nothing, and has no unit.
        let is_told = |track: &Track| track.points.iter().any(|point| point.1 != 0.0);
        let others = self.compared_tracks();
        if own.iter().chain(&others).any(is_told) {
            own.retain(is_told);
        }
        let mut groups: Vec<(f64, Vec<Track>)> = Vec::new();
        // Of more than two bots each has a line: those of the search have a chart of their own.
        let is_many = self.game.bots.len() > 2 && !others.is_empty();
        for track in own.into_iter().chain(others) {
            let middle = self.bend(track.points.iter().map(|point| point.1)).middle;
            let fits = |(other, tracks): &(f64, Vec<Track>)| {
                let is_alike = !is_many || tracks[0].is_dashed == track.is_dashed;
                is_alike && (middle / other).max(other / middle) <= SAME_UNIT
            };
            match groups.iter_mut().find(|group| fits(group)) {
                Some((_, tracks)) => tracks.push(track),
                None => groups.push((middle, vec![track])),
            }
        }
        // First the chart that has what the other bot thinks of all.
        groups.sort_by_key(|(_, tracks)| !tracks.iter().any(|track| track.is_dashed));
        let name = key.unwrap_or("score");
        let mut remark = String::new();
        if self.game.bots.len() == 2 {
            remark = format!("above 0 {} is ahead", self.game.name(self.game.viewpoint));
        } else if self.game.bots.len() > 2 {
            remark = "a line for each bot: above 0 it is ahead".to_owned();
        }
        let is_split = groups.len() > 1;
        let chart = |(number, (_, tracks)): (usize, (f64, Vec<Track>))| {
            let (mut title, mut remark) = (name.to_owned(), remark.clone());
            if is_split {
                let own = tracks.iter().filter(|track| !track.is_dashed).map(|track| track.text.as_str());
                let search = tracks.iter().any(|track| track.is_dashed).then_some("the search");
                title = format!("{name} of {}", own.chain(search).collect::<Vec<_>>().join(", "));
            }
            if is_many && is_split {
                let is_search = tracks.iter().any(|track| track.is_dashed);
                title = if is_search { format!("{name} by the search") } else { format!("own {title}") };
            }
            if number > usize::from(is_many) {
                remark +=
                    "; in another unit than the scores above: compare when it changes, not how large it is";
            }
            let chart = self.evaluation(name, (&title, &remark), tracks, number == 0);
            Chart { is_open: number == 0 || !is_many, ..chart }
        };
        groups.into_iter().enumerate().map(chart).collect()
    }

    /// A chart of evaluations called `name`, with its title and its remark.
    fn evaluation(
        &self,
        name: &str,
        (title, remark): (&str, &str),
        tracks: Vec<Track>,
        is_first: bool,
    ) -> Chart {
        let values =
            tracks.iter().flat_map(|track| track.points.iter().map(|point| point.1)).collect::<Vec<_>>();
        let bend = self.bend(values.iter().copied());
        let y = bend.axis(&values);
        let mut remark = remark.to_owned();
        if bend.is_bent() {
            let between = if remark.is_empty() { "" } else { "; " };
            remark += &format!("{between}large values are drawn closer together (not linear)");
        }
        let (marks, key) = if is_first { self.disagreements() } else { (Vec::new(), None) };
        let (lines, mut keys) = self.lines(tracks, name, |value| bend.at(value), self.has_titles());
        let (standing_out, of_losing) = if is_first { self.losing_turns() } else { Default::default() };
        keys.extend(key);
        keys.extend(of_losing);
        let timeline = Timeline { y, lines, marks, standing_out, ..Timeline::default() };
        Chart { is_evaluation: true, ..self.chart(title, &remark, timeline, keys, true) }
    }

    /// Whether every number has its dot and its text.
    fn has_titles(&self) -> bool {
        self.game.turns.len() <= MOST_TITLES
    }

    /// The scale of these evaluations.
    fn bend(&self, values: impl Iterator<Item = f64>) -> Bend {
        Bend::of(values, most_estimate(self.game.bots.len()))
    }

    /// Lines with their legend.
    fn lines(
        &self,
        tracks: Vec<Track>,
        name: &str,
        place: impl Fn(f64) -> f64,
        has_titles: bool,
    ) -> (Vec<Line>, Vec<Key>) {
        let key = |track: &Track| Key {
            mark: if track.is_dashed { "dash" } else { "line" },
            colour: track.ink.name(),
            text: track.text.clone(),
        };
        let keys = tracks.iter().map(key).collect();
        let line = |track: Track| {
            let title = |number: usize, value: f64| match track.is_dashed {
                _ if !has_titles => String::new(),
                true => format!("{}: {name} {} by {}", self.turn(number), shown(value), track.text),
                false => format!("{}: {name} {}", self.turn(number), shown(value)),
            };
            let points = track
                .points
                .iter()
                .map(|&(number, drawn, value)| (number, place(drawn), title(number, value)));
            Line { points: points.collect(), ink: track.ink, is_dashed: track.is_dashed }
        };
        (tracks.into_iter().map(line).collect(), keys)
    }

    /// A turn with its bot and its move.
    fn turn(&self, number: usize) -> String {
        let turn = &self.game.turns[number - 1];
        format!("{}, {} {}", self.game.label(number), self.game.name(turn.seat), turn.shown_move())
    }

    /// Answer times: shares of the limit, if that is known.
    fn times(&self) -> Option<Chart> {
        let game = self.game;
        let value = |turn: &ViewedTurn| {
            let ms = turn.ms?;
            Some((ms, game.limit(turn)))
        };
        let times = game.turns.iter().enumerate().filter_map(|(at, turn)| Some((at + 1, turn, value(turn)?)));
        let times = times.collect::<Vec<_>>();
        let height = |(ms, limit): (f64, Option<f64>)| limit.map_or(ms, |limit| 100.0 * ms / limit);
        let longest =
            times.iter().map(|(.., time)| height(*time)).reduce(f64::max).filter(|&longest| longest > 0.0)?;
        let has_limit = game.limits_ms.is_some();
        let is_long = has_limit && longest > SHORT;
        let mut y = Scale::round(0.0, if is_long { longest.max(100.0) } else { longest }, 4);
        let unit = if has_limit { " %" } else { " ms" };
        y.ticks.iter_mut().for_each(|(_, name)| name.push_str(unit));
        let bars =
            times.iter().filter(|(_, turn, _)| turn.failure.is_none()).map(|&(number, turn, (ms, limit))| {
                let of = limit.map_or_else(String::new, |limit| format!(" of {limit:.0}"));
                Bar {
                    turn: number,
                    height: height((ms, limit)),
                    ink: self.ink(turn.seat),
                    title: match self.has_titles() {
                        true => format!("{}: {ms:.1} ms{of}", self.turn(number)),
                        false => String::new(),
                    },
                }
            });
        let levels = if is_long { vec![(100.0, "limit".to_owned(), Ink::Bad)] } else { Vec::new() };
        let timeline = Timeline { y, bars: bars.collect(), levels, ..Timeline::default() };
        let digits = if longest < 10.0 { 2 } else { 0 };
        let remark = if has_limit {
            format!("the longest took {longest:.digits$} % of its limit")
        } else {
            String::new()
        };
        let seats =
            self.seats().into_iter().filter(|&seat| times.iter().any(|(_, turn, _)| turn.seat == seat));
        let keys =
            seats.map(|seat| Key { mark: "bar", colour: self.ink(seat).name(), text: game.name(seat) });
        Some(self.chart("answer time", &remark, timeline, keys.collect(), true))
    }

    fn empty(&self) -> Chart {
        self.chart(
            "turns",
            "",
            Timeline { y: Scale::round(0.0, 1.0, 1), ..Timeline::default() },
            Vec::new(),
            true,
        )
    }

    /// Depth, nodes, and what else bots report.
    fn other_numbers(&self) -> Vec<Chart> {
        let names = self.game.turns.iter().flat_map(|turn| turn.numbers.keys());
        let mut names = names.filter(|name| Some(name.as_str()) != evaluation(self.game)).collect::<Vec<_>>();
        names.sort();
        names.dedup();
        let has_titles = self.has_titles();
        let chart = |name: &String| {
            let tracks = self.tracks(name, false);
            let values = || tracks.iter().flat_map(|track| track.points.iter().map(|point| point.1));
            let y = Scale::round(values().fold(0.0, f64::min), values().fold(0.0, f64::max), 4);
            let (lines, keys) = self.lines(tracks, name, |value| value, has_titles);
            self.chart(name, "", Timeline { y, lines, ..Timeline::default() }, keys, false)
        };
        names.into_iter().map(chart).collect()
    }

    /// A chart of all turns, with a red bar at each failure.
    fn chart(
        &self,
        name: &str,
        remark: &str,
        timeline: Timeline,
        mut keys: Vec<Key>,
        is_open: bool,
    ) -> Chart {
        let failed = self.game.turns.iter().enumerate();
        let failed = failed.filter_map(|(at, turn)| Some((at + 1, turn.seat, turn.failure.as_ref()?)));
        let bars = failed.map(|(number, seat, failure)| Bar {
            turn: number,
            height: timeline.y.high,
            ink: Ink::Bad,
            title: format!("{}, {} failed: {failure}", self.game.label(number), self.game.name(seat)),
        });
        let bars = timeline.bars.iter().cloned().chain(bars).collect::<Vec<_>>();
        if self.game.turns.iter().any(|turn| turn.failure.is_some()) {
            keys.push(Key { mark: "bar", colour: Ink::Bad.name(), text: "failed".to_owned() });
        }
        let turns = self.game.turns.len();
        let label = format!("{name} by turn, {turns} turns");
        let svg = Timeline { label, turns, bars, ..timeline }.draw();
        Chart { title: name.to_owned(), remark: remark.to_owned(), svg, keys, is_open, is_evaluation: false }
    }
}

#[cfg(test)]
mod tests;
