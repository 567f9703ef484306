//! The result of a game, in words.

use contest::Seat;

use super::Viewed;

/// The seats with fewer points than the best; all of them, if none has or nothing is known.
pub fn losers(game: &Viewed) -> Vec<Seat> {
    let seats = 0..game.bots.len();
    let losers = seats.clone().filter(|&seat| place(game, seat).is_some_and(|(place, _)| place > 1));
    let losers = losers.collect::<Vec<_>>();
    if losers.is_empty() {
        seats.collect()
    } else {
        losers
    }
}

/// Whether a seat lost to another.
pub fn is_lost(game: &Viewed, seat: Seat) -> bool {
    let losers = losers(game);
    losers.len() < game.bots.len() && losers.contains(&seat)
}

/// A seat's place, from 1, and how many share it; none if that isn't known.
pub fn place(game: &Viewed, seat: Seat) -> Option<(usize, usize)> {
    let mine = game.scores.get(seat)?;
    let is_better = |points: &&i64| if game.is_lower_better { *points < mine } else { *points > mine };
    let better = game.scores.iter().filter(is_better).count();
    Some((better + 1, game.scores.iter().filter(|points| *points == mine).count()))
}

/// The place of a seat of more than two: `2nd`, `shared 2nd`; empty if it isn't known.
pub fn rank_word(game: &Viewed, seat: Seat) -> String {
    match place(game, seat).filter(|_| game.bots.len() > 2) {
        Some((place, 1)) => ordinal(place),
        Some((place, _)) => format!("shared {}", ordinal(place)),
        None => String::new(),
    }
}

/// A number's ordinal, up to 20.
fn ordinal(number: usize) -> String {
    let end = match number {
        1 => "st",
        2 => "nd",
        3 => "rd",
        _ => "th",
    };
    format!("{number}{end}")
}

/// How a game ended for a bot, for sorting: 0 lost, 1 drawn or not known, 2 won, 3 without it.
pub fn rank(game: &Viewed, name: &str) -> u8 {
    let Some(seat) = game.bots.iter().position(|bot| bot.name == name) else { return 3 };
    let losers = losers(game);
    match losers.contains(&seat) {
        _ if losers.len() == game.bots.len() && game.bots.len() > 1 => 1,
        true => 0,
        false => 2,
    }
}

/// The result as the bot of the page sees it: `A lost to B, 12 to 52`; of more than two `A came 3rd of 4, C won`.
pub fn title(game: &Viewed) -> String {
    let seat = game.viewpoint;
    let name = game.name(seat);
    if game.bots.len() < 2 {
        return game
            .scores
            .first()
            .map_or_else(|| name.clone(), |&count| format!("{name}, {}", points(count)));
    }
    let others = (0..game.bots.len()).filter(|&other| other != seat).collect::<Vec<_>>();
    if game.scores.is_empty() {
        return format!("{name} against {}", named(game, &others));
    }
    let told = match others[..] {
        [other] => title_of_two(game, other),
        _ => title_of_many(game, &others),
    };
    match game.ending.as_str() {
        "" | "normal" => told,
        ending => format!("{told} ({ending})"),
    }
}

fn title_of_two(game: &Viewed, other: Seat) -> String {
    let told = match (losers(game).len(), is_lost(game, game.viewpoint)) {
        (2, _) => "drew with",
        (_, true) => "lost to",
        (_, false) => "beat",
    };
    let points = |seat: Seat| game.scores.get(seat).map_or_else(|| "?".to_owned(), i64::to_string);
    let (name, other_name) = (game.name(game.viewpoint), game.name(other));
    format!("{name} {told} {other_name}, {} to {}", points(game.viewpoint), points(other))
}

fn title_of_many(game: &Viewed, others: &[Seat]) -> String {
    let (seat, losers) = (game.viewpoint, losers(game));
    let name = game.name(seat);
    let winners = (0..game.bots.len()).filter(|seat| !losers.contains(seat)).collect::<Vec<_>>();
    match &winners[..] {
        [] => format!("{name} drew with {}", named(game, others)),
        [winner] if *winner == seat => format!("{name} beat {}", named(game, others)),
        all if all.contains(&seat) => {
            let rest = all.iter().copied().filter(|&winner| winner != seat).collect::<Vec<_>>();
            format!("{name} shared the win with {}", named(game, &rest))
        }
        all => {
            let place = place(game, seat).map_or_else(String::new, |(place, _)| ordinal(place));
            let won = if all.len() > 1 { "shared the win" } else { "won" };
            format!("{name} came {place} of {}, {} {won}", game.bots.len(), named(game, all))
        }
    }
}

/// Points with their unit.
pub fn points(count: i64) -> String {
    if count == 1 {
        "1 point".to_owned()
    } else {
        format!("{count} points")
    }
}

/// Names as a list: `B, C and D`.
fn named(game: &Viewed, seats: &[Seat]) -> String {
    let names = seats.iter().map(|&seat| game.name(seat)).collect::<Vec<_>>();
    match &names[..] {
        [rest @ .., last] if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        all => all.join(""),
    }
}

/// The points shown after the names, by seat; with places if there are more than two.
pub fn result(game: &Viewed) -> String {
    let of_bot = |seat: Seat| match (game.scores.get(seat), rank_word(game, seat)) {
        (Some(&count), place) if place.is_empty() => format!("{} {}", game.name(seat), points(count)),
        (Some(&count), place) => format!("{} {place} ({})", game.name(seat), points(count)),
        (None, _) => game.name(seat),
    };
    (0..game.bots.len()).map(of_bot).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view::ViewedBot;

    fn game(scores: &[i64], viewpoint: Seat) -> Viewed {
        let names = ["A", "B", "C", "D"];
        let bots = names[..scores.len().max(2)]
            .iter()
            .map(|&name| ViewedBot { name: name.to_owned(), ..ViewedBot::default() });
        Viewed { bots: bots.collect(), scores: scores.to_vec(), viewpoint, ..Viewed::default() }
    }

    #[test]
    fn a_title_says_who_lost_to_whom() {
        assert_eq!(title(&game(&[12, 52], 0)), "A lost to B, 12 to 52");
        assert_eq!(title(&game(&[12, 52], 1)), "B beat A, 52 to 12");
        assert_eq!(title(&game(&[32, 32], 0)), "A drew with B, 32 to 32");
        assert_eq!(title(&game(&[], 0)), "A against B");
        let failed = Viewed { ending: "illegal move".to_owned(), ..game(&[0, 1], 0) };
        assert_eq!(title(&failed), "A lost to B, 0 to 1 (illegal move)");
        let fewer = Viewed { is_lower_better: true, ..game(&[12, 52], 0) };
        assert_eq!(title(&fewer), "A beat B, 12 to 52");
    }

    #[test]
    fn of_many_a_title_says_the_place() {
        assert_eq!(title(&game(&[1, 2, 0, 3], 0)), "A came 3rd of 4, D won");
        assert_eq!(title(&game(&[1, 5, 5], 0)), "A came 3rd of 3, B and C shared the win");
        assert_eq!(title(&game(&[9, 5, 5, 2], 0)), "A beat B, C and D");
        assert_eq!(title(&game(&[9, 9, 5], 1)), "B shared the win with A");
        assert_eq!(title(&game(&[5, 5, 5], 0)), "A drew with B and C");
        let game = game(&[1, 3, 0, 1], 0);
        assert_eq!([0, 1, 2].map(|seat| rank_word(&game, seat)), ["shared 2nd", "1st", "4th"]);
        let words = "A shared 2nd (1 point), B 1st (3 points), C 4th (0 points), D shared 2nd (1 point)";
        assert_eq!(result(&game), words);
    }

    #[test]
    fn lost_games_come_before_won_ones() {
        let rank = |scores: &[i64], name: &str| rank(&game(scores, 0), name);
        assert_eq!(
            [rank(&[0, 1], "A"), rank(&[1, 1], "A"), rank(&[], "A"), rank(&[2, 1], "A")],
            [0, 1, 1, 2]
        );
        assert_eq!((rank(&[2, 1], "B"), rank(&[2, 1], "C")), (0, 3));
        assert!(is_lost(&game(&[0, 1], 0), 0) && !is_lost(&game(&[1, 1], 0), 0));
    }
}
