//! A bot's score by the value of what it or its referee reported about a game.

use coppice_referee::bot::data::BotData;
use coppice_referee::record::GameRecord;
use coppice_referee::report::ranges::{ranges, Range};
use coppice_stats::Estimate;

/// The score of one bot by the value of one number.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Attribute {
    /// The bot.
    pub bot: String,
    /// The number's name.
    pub name: String,
    /// The values or ranges, ascending.
    pub values: Vec<Value>,
}

/// The games with a value or in a range.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Value {
    /// The value or the range, as text.
    pub text: String,
    /// The number of games.
    pub games: usize,
    /// The bot's score in them, the games taken as independent.
    pub score: Estimate,
}

/// All attributes of these bots that differ between games. Of a number that is reported each turn, a game's value is the
/// mean.
pub(super) fn attributes<'a>(
    bots: &[String],
    games: impl Iterator<Item = &'a GameRecord> + Clone,
    score: impl Fn(&GameRecord, &str) -> Option<f64>,
) -> Vec<Attribute> {
    let mut all = Vec::new();
    for bot in bots {
        let mut seen: Vec<(f64, &BotData)> = Vec::new();
        for record in games.clone() {
            let seat = record.bots.iter().position(|other| other.name == *bot);
            let data = seat.and_then(|seat| record.data.get(seat));
            if let (Some(data), Some(score)) = (data, score(record, bot)) {
                seen.push((score, data));
            }
        }
        let mut names = seen.iter().flat_map(|(_, data)| names(data)).collect::<Vec<_>>();
        names.sort();
        names.dedup();
        for name in names {
            let pairs = seen.iter().filter_map(|(score, data)| Some((value(data, &name)?, *score)));
            let values = grouped(pairs.collect());
            if values.len() > 1 {
                all.push(Attribute { bot: bot.clone(), name, values });
            }
        }
    }
    all
}

fn names(data: &BotData) -> Vec<String> {
    data.pdata.keys().chain(data.tdata.keys()).cloned().collect()
}

fn value(data: &BotData, name: &str) -> Option<f64> {
    data.pdata.get(name).copied().or_else(|| data.tdata.get(name).map(|spread| spread.mean))
}

/// Values with scores, by value or by ranges.
fn grouped(pairs: Vec<(f64, f64)>) -> Vec<Value> {
    let value = |Range { ends: [low, high], items }: Range<f64>| {
        let text = if low == high { number(low) } else { format!("{} to {}", number(low), number(high)) };
        Value { text, games: items.len(), score: Estimate::of(&items) }
    };
    ranges(pairs).into_iter().map(value).collect()
}

fn number(value: f64) -> String {
    let rounded = (value * 1000.0).round() / 1000.0;
    if rounded.is_finite() {
        rounded.to_string()
    } else {
        value.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use coppice_referee::record::example;
    use coppice_referee::report::ranges::MOST_VALUES;

    fn game(number: u32, value: f64, won: bool) -> GameRecord {
        let mut data = vec![BotData::default(); 2];
        let seat = usize::from(number.is_multiple_of(2));
        data[seat].add_game("size", value);
        let mut scores = vec![i64::from(!won); 2];
        scores[seat] = i64::from(won);
        GameRecord { data, scores, ..example(number) }
    }

    fn of(games: &[GameRecord]) -> Vec<Attribute> {
        attributes(&["A".to_owned(), "B".to_owned()], games.iter(), |record, name| {
            let seat = record.bots.iter().position(|bot| bot.name == name)?;
            Some(record.scores[seat] as f64)
        })
    }

    #[test]
    fn scores_are_told_by_value() {
        let games = [game(1, 5.0, true), game(2, 9.0, false), game(3, 5.0, true), game(4, 9.0, false)];
        let all = of(&games);
        assert_eq!(all.len(), 1, "B reported nothing");
        let told = all[0].values.iter().map(|v| (v.text.as_str(), v.games, v.score.mean)).collect::<Vec<_>>();
        assert_eq!((all[0].name.as_str(), told), ("size", vec![("5", 2, 1.0), ("9", 2, 0.0)]));
    }

    #[test]
    fn many_values_become_ranges() {
        let games = (1..=60).map(|n| game(n, f64::from(n) / 2.0, n > 30)).collect::<Vec<_>>();
        let all = of(&games);
        assert_eq!(all[0].values.len(), MOST_VALUES);
        assert_eq!(all[0].values[0].text, "0.5 to 5");
        assert!(of(&games[..1]).is_empty(), "one value says nothing");
    }
}
