//! Charts of the quantities that a contest names.

use contest::quantity::Quantity;

use super::{Chart, Charts, Line};
use crate::svg::ink::Ink;
use crate::svg::timeline::Timeline;
use crate::svg::Scale;
use crate::view::numbers::shown;

/// Charts of quantities that are shown at once.
const OPEN: usize = 2;

impl Charts<'_> {
    /// A chart for each quantity, with a line for each seat or one for all.
    pub(super) fn quantities(&self) -> Vec<Chart> {
        let of_turns = self.game.turns.iter().map(|turn| &turn.quantities);
        let all = of_turns.chain([&self.game.end_quantities]).collect::<Vec<_>>();
        let named = all.iter().find(|quantities| !quantities.is_empty());
        let charts = named.into_iter().flat_map(|named| named.iter().enumerate());
        charts.map(|(at, named)| self.quantity(at, named, &all)).collect()
    }

    /// A chart of the quantity in place `at` of all turns and the end.
    fn quantity(&self, at: usize, named: &Quantity, all: &[&Vec<Quantity>]) -> Chart {
        let Quantity { name, unit, .. } = *named;
        let is_one = named.values.len() == 1;
        let seats = if is_one { vec![0] } else { self.seats() };
        let title = |number: usize, value: f64| match self.has_titles() {
            true => {
                format!("{}: {name} {} {unit}", self.game.label(number), shown(value)).trim_end().to_owned()
            }
            false => String::new(),
        };
        // Seats that are asked together have one position.
        let is_repeated = |at: usize| {
            let round = |at: usize| self.game.turns.get(at).map_or(0, |turn| turn.round);
            at > 0 && round(at) > 0 && round(at) == round(at - 1)
        };
        let line = |&seat: &usize| {
            let turns = all.iter().enumerate().filter(|(turn, _)| !is_repeated(*turn));
            let points = turns.filter_map(|(turn, quantities)| {
                let value = quantities.get(at)?.of(seat)?;
                Some((turn + 1, value, title(turn + 1, value)))
            });
            let ink = if is_one && self.game.bots.len() > 1 { Ink::Text } else { self.ink(seat) };
            Line { points: points.collect(), ink, is_dashed: false }
        };
        let lines = seats.iter().map(line).collect::<Vec<_>>();
        let values = || lines.iter().flat_map(|line| line.points.iter().map(|point| point.1));
        let y = Scale::round(values().fold(0.0, f64::min), values().fold(0.0, f64::max), 4);
        let text = |seat: usize| if is_one { String::new() } else { self.game.name(seat) };
        let keys = lines.iter().zip(&seats).map(|(line, &seat)| super::Key {
            mark: "line",
            colour: line.ink.name(),
            text: text(seat),
        });
        let keys = keys.filter(|key| !key.text.is_empty()).collect();
        let heading = if unit.is_empty() { name.to_owned() } else { format!("{name} ({unit})") };
        self.chart(&heading, "", Timeline { y, lines, ..Timeline::default() }, keys, at < OPEN)
    }
}
