//! Games as comma-separated values, a line each.

use std::collections::BTreeSet;

use coppice_referee::game::fault::Ending;
use coppice_referee::record::GameRecord;
use coppice_referee::text::{csv, millis};

/// The columns of a seat; its number follows.
const OF_SEAT: [&str; 9] =
    ["bot", "score", "result", "ending", "answers", "first_ms", "slowest_ms", "cpu_ms", "memory_bytes"];

/// A head and a line for each game. Seats have their columns one after the other, then come the numbers that the bots
/// reported and the game's own attributes. What isn't known is empty.
pub(crate) fn games_csv(games: &[&GameRecord]) -> String {
    let seats = games.iter().map(|record| record.bots.len()).max().unwrap_or(0);
    let attributes = games.iter().flat_map(|record| record.attributes.keys()).collect::<BTreeSet<_>>();
    let reported = games.iter().flat_map(|record| &record.data);
    let reported = reported.flat_map(|data| data.pdata.keys().chain(data.tdata.keys()));
    let reported = reported.collect::<BTreeSet<_>>();
    let mut head =
        ["game", "group", "contest", "seed", "opening", "turns", "ending"].map(str::to_owned).to_vec();
    for seat in 0..seats {
        head.extend(
            OF_SEAT
                .map(str::to_owned)
                .iter()
                .chain(reported.iter().copied())
                .map(|name| format!("{name}_{seat}")),
        );
    }
    head.extend(attributes.iter().map(|&name| name.clone()));
    let line = |record: &GameRecord| {
        let mut cells = vec![
            record.game.to_string(),
            record.group.to_string(),
            record.contest.clone(),
            record.seed_text.clone().unwrap_or_else(|| record.seed.to_string()),
            record.opening.clone(),
            record.move_count().to_string(),
            word(record.ending),
        ];
        for seat in 0..seats {
            cells.extend(of_seat(record, seat));
            let data = record.data.get(seat);
            let value = |name: &String| {
                let data = data?;
                data.pdata.get(name).copied().or_else(|| data.tdata.get(name).map(|spread| spread.mean))
            };
            cells.extend(reported.iter().map(|&name| value(name).map_or(String::new(), |n| n.to_string())));
        }
        cells.extend(attributes.iter().map(|&name| record.attributes.get(name).cloned().unwrap_or_default()));
        csv(cells)
    };
    csv(&head) + &games.iter().map(|&record| line(record)).collect::<String>()
}

fn of_seat(record: &GameRecord, seat: usize) -> [String; OF_SEAT.len()] {
    let Some(bot) = record.bots.get(seat) else { return Default::default() };
    let points = record.points();
    let others = points.iter().enumerate().filter(|(other, _)| *other != seat).map(|(_, points)| points);
    let result = match (points.get(seat), others.max()) {
        (Some(mine), Some(best)) if mine < best => "lost",
        (Some(mine), Some(best)) if mine == best => "drawn",
        (Some(_), Some(_)) => "won",
        _ => "",
    };
    let fault = record.faults.iter().find(|fault| fault.seat == seat);
    let times = record.times_ms.get(seat).map_or(&[][..], Vec::as_slice);
    let usage = record.usage.get(seat).copied().unwrap_or_default();
    let shown = |number: Option<f64>| number.map_or(String::new(), |number| number.to_string());
    [
        bot.name.clone(),
        record.scores.get(seat).map_or(String::new(), i64::to_string),
        result.to_owned(),
        word(fault.map_or(Ending::Normal, |fault| fault.ending)),
        times.len().to_string(),
        shown(times.first().copied()),
        shown(times.iter().skip(1).copied().reduce(f64::max)),
        shown(usage.cpu.map(millis)),
        usage.peak_memory_bytes.map_or(String::new(), |bytes| bytes.to_string()),
    ]
}

/// An ending as in `games.jsonl`.
fn word(ending: Ending) -> String {
    serde_json::to_value(ending).ok().and_then(|word| Some(word.as_str()?.to_owned())).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use coppice_referee::bot::data::BotData;
    use coppice_referee::record::example;

    #[test]
    fn a_game_is_a_line_with_its_seats_side_by_side() {
        let mut data = vec![BotData::default(); 2];
        data[1].add_game("depth", 7.5);
        let mut second = GameRecord { opening: "a1, b2".to_owned(), data, ..example(2) };
        second.attributes.insert("map".to_owned(), "small".to_owned());
        let text = games_csv(&[&example(1), &second]);
        let lines = text.lines().collect::<Vec<_>>();
        assert_eq!(lines.len(), 3);
        assert!(
            lines[0].starts_with("game,group,contest,seed,opening,turns,ending,bot_0,score_0,"),
            "{text}"
        );
        assert!(lines[0].contains(",memory_bytes_0,depth_0,bot_1,") && lines[0].ends_with(",depth_1,map"));
        assert_eq!(
            lines[1],
            "1,0,toy,1,,2,normal,A,1,won,normal,3,9,2,3,1048576,,B,0,lost,normal,0,,,3,1048576,,"
        );
        assert!(
            lines[2].starts_with("2,0,toy,1,\"a1, b2\",2,normal,B,1,won,")
                && lines[2].ends_with(",7.5,small")
        );
    }
}
