use super::*;
use crate::record::{example, GameRecord};

fn bots(count: usize) -> Vec<BotRecord> {
    let bot = |name: char| BotRecord { name: name.to_string(), command: format!("./{name}"), hash: None };
    ('A'..='Z').take(count).map(bot).collect()
}

/// A game between bots with these names and points.
fn game(group: u32, names: &str, scores: &[i64]) -> GameRecord {
    let seated = names.chars().map(|name| bots(26)[name as usize - 'A' as usize].clone());
    GameRecord { group, bots: seated.collect(), scores: scores.to_vec(), ..example(1) }
}

fn standings(count: usize, seats: usize, games: &[GameRecord]) -> Standings {
    let bots = bots(count);
    let table = |record: &GameRecord| {
        let players = record.bots.iter().zip(record.points()).enumerate();
        let played = players.map(|(seat, (player, points))| {
            let bot = bots.iter().position(|bot| bot.name == player.name).unwrap();
            Played { bot, seat, points }
        });
        (record.group, played.collect())
    };
    Standings::of(&bots, &meetings(bots.len(), seats, games.iter().map(table)))
}

/// B beats A beats C, from both seats; B and C draw.
fn three() -> Standings {
    let games = (0..10).flat_map(|round| {
        [
            game(3 * round, "AB", &[1, 2]),
            game(3 * round, "BA", &[2, 1]),
            game(3 * round + 1, "AC", &[5, 0]),
            game(3 * round + 1, "CA", &[0, 5]),
            game(3 * round + 2, "BC", &[1, 1]),
            game(3 * round + 2, "CB", &[1, 1]),
        ]
    });
    standings(3, 2, &games.collect::<Vec<_>>())
}

#[test]
fn rows_go_from_the_strongest_to_the_weakest() {
    let Standings { rows, .. } = three();
    assert_eq!(rows.iter().map(|row| row.name.as_str()).collect::<String>(), "BAC");
    assert_eq!(rows.iter().map(|row| row.score).collect::<Vec<_>>(), [0.75, 0.5, 0.25]);
    assert!(rows.iter().all(|row| row.meetings == 40));
    assert_eq!(rows[0].against[1], Record { wins: 20, draws: 0, losses: 0 });
    assert_eq!(rows[2].against[0], Record { wins: 0, draws: 20, losses: 0 });
    assert!(rows[0].rating.low > rows[2].rating.high);
    assert!(rows[0].los_over_next.unwrap() > 0.95 && rows[2].los_over_next.is_none());
}

#[test]
fn the_table_is_aligned_and_whole() {
    let text = three().to_string();
    let lines = text.lines().collect::<Vec<_>>();
    assert!(lines[0].starts_with("rank  bot    rating"), "{text}");
    assert!(lines[1].starts_with("   1  B   ") && lines[1].ends_with(" %  ./B"), "{text}");
    assert_eq!(lines[4], "won-drawn-lost");
    let cells = lines[5..9].iter().map(|line| line.split_whitespace().collect::<Vec<_>>());
    let expected = [
        vec!["B", "A", "C"],
        vec!["B", "-", "20-0-0", "0-20-0"],
        vec!["A", "0-0-20", "-", "20-0-0"],
        vec!["C", "0-20-0", "0-0-20", "-"],
    ];
    assert_eq!(cells.collect::<Vec<_>>(), expected);
    assert!(lines[5..9].iter().all(|line| line.len() == lines[5].len()), "{text}");
    assert!(lines[9].starts_with("first seat, Elo above the second: +0.0 (95 %: "), "{text}");
}

#[test]
fn a_game_of_three_is_three_meetings() {
    let games = (0..20).map(|group| game(group, "CAB", &[30, 20, 20])).collect::<Vec<_>>();
    let Standings { rows, seats, first_seat_advantage, .. } = standings(3, 3, &games);
    assert_eq!((rows[0].name.as_str(), rows[0].meetings, rows[0].score), ("C", 40, 1.0));
    assert_eq!(rows[1].against[2], Record { wins: 0, draws: 20, losses: 0 });
    // A bot that always had the first seat may be stronger or have had the better seat.
    assert!(seats.len() == 3 && seats[0].mean > seats[1].mean && first_seat_advantage.is_none());
}

#[test]
fn who_plays_alone_meets_those_with_the_same_seed() {
    let games = (0..12).flat_map(|seed| {
        [game(seed, "A", &[10]), game(seed, "B", &[10 + i64::from(seed % 3)]), game(seed, "C", &[9])]
    });
    let Standings { rows, seats, .. } = standings(3, 1, &games.collect::<Vec<_>>());
    assert_eq!(rows.iter().map(|row| row.name.as_str()).collect::<String>(), "BAC");
    assert_eq!(
        rows[0].against,
        [0, 8, 12].map(|wins| Record { wins, draws: 12 * u64::from(wins > 0) - wins, losses: 0 })
    );
    assert!(seats.is_empty());
}

#[test]
fn json_holds_numbers_only() {
    let json = serde_json::to_value(three()).unwrap();
    assert_eq!(json["rows"][0]["against"][1]["wins"], 20);
    assert!(json["rows"][0]["rating"]["low"].is_f64() && json["first_seat_advantage"]["mean"].is_f64());
}
