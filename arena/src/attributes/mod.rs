//! Attributes of games: what distinguishes one game from another, to select games and to compare scores.

mod filter;
mod table;

use std::fmt;

use coppice_referee::record::GameRecord;

pub(crate) use filter::Filter;
pub(crate) use table::Rows;

/// An attribute's value.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Value {
    /// A number.
    Number(f64),
    /// Any other text.
    Text(String),
}

impl Value {
    /// A number, if the text is one.
    pub(crate) fn parse(text: &str) -> Self {
        let number = text.trim().parse::<f64>().ok().filter(|number| number.is_finite());
        number.map_or_else(|| Self::Text(text.trim().to_owned()), Self::Number)
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) if number.fract() == 0.0 => write!(f, "{number}"),
            // Twelve digits: a sum of tenths is not 5.3500000000000005.
            Self::Number(number) => write!(f, "{}", format!("{number:.11e}").parse().unwrap_or(*number)),
            Self::Text(text) => f.write_str(text),
        }
    }
}

/// An attribute of a game, seen from a seat: `seat`, `seed`, `game`, `group`, `opening`, `ending`, `moves` (their
/// number), `opponent`, `score`, or a name that the bot or the referee has reported. `[PDATA]` comes before the mean of
/// `[TDATA]`, and both before text. `None` if the game doesn't have it; without a seat, only what belongs to the game.
pub(crate) fn value_of(record: &GameRecord, seat: Option<usize>, name: &str) -> Option<Value> {
    let number = |number: usize| Some(Value::Number(number as f64));
    match name {
        "seat" => number(seat?),
        "seed" => Some(Value::Number(record.seed as f64)),
        "game" => number(record.game as usize),
        "group" => number(record.group as usize),
        "moves" => number(record.move_count()),
        "opening" => Some(Value::Text(record.opening.clone())),
        "ending" => Some(Value::Text(kebab(record, seat))),
        "score" => Some(Value::Number(*record.scores.get(seat?)? as f64)),
        "opponent" => {
            let seat = seat?;
            let others = record.bots.iter().enumerate().filter(|(other, _)| *other != seat);
            let mut names = others.map(|(_, bot)| bot.name.as_str()).collect::<Vec<_>>();
            names.sort_unstable();
            Some(Value::Text(names.join(" ")))
        }
        name => reported(record, seat, name),
    }
}

fn reported(record: &GameRecord, seat: Option<usize>, name: &str) -> Option<Value> {
    let data = seat.and_then(|seat| record.data.get(seat));
    let number = data.and_then(|data| {
        data.pdata.get(name).copied().or_else(|| data.tdata.get(name).map(|spread| spread.mean))
    });
    // The referee's numbers about the game are in the data of each bot.
    let shared = || {
        let of_first = record.data.first()?.pdata.get(name)?;
        let is_same = |data: &coppice_referee::bot::data::BotData| data.pdata.get(name) == Some(of_first);
        record.data.iter().all(is_same).then_some(*of_first)
    };
    let number = number.or_else(|| if seat.is_none() { shared() } else { None });
    number.map(Value::Number).or_else(|| record.attributes.get(name).map(|text| Value::parse(text)))
}

/// The ending of the game, or of a bot's part in it, as in `games.jsonl`.
fn kebab(record: &GameRecord, seat: Option<usize>) -> String {
    use coppice_referee::game::fault::Ending;
    let own = |seat| {
        let fault = record.faults.iter().find(|fault| fault.seat == seat);
        fault.map_or(if record.faults.is_empty() { record.ending } else { Ending::Normal }, |fault| {
            fault.ending
        })
    };
    let ending = seat.map_or(record.ending, own);
    let value = serde_json::to_value(ending).ok();
    value.and_then(|value| value.as_str().map(str::to_owned)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_shown_as_people_write_them() {
        let shown = |number: f64| Value::Number(number).to_string();
        assert_eq!([5.35 + 5e-16, 0.1 + 0.2, -2.5, 1e-7].map(shown), ["5.35", "0.3", "-2.5", "0.0000001"]);
        assert_eq!([7.0, 1e15].map(shown), ["7", "1000000000000000"]);
    }
}
