//! Who won a game, in words.

use contest::Seat;

use super::Viewed;

/// The seats with fewer points than the best; all of them, if none has or nothing is known.
pub fn losers(game: &Viewed) -> Vec<Seat> {
    let seats = 0..game.bots.len();
    let better = |a: i64, b: i64| if game.is_lower_better { a < b } else { a > b };
    let best = game.scores.iter().copied().reduce(|a, b| if better(b, a) { b } else { a });
    let lost = |&seat: &Seat| {
        game.scores.get(seat).is_some_and(|&score| best.is_some_and(|best| better(best, score)))
    };
    let losers = seats.clone().filter(lost).collect::<Vec<_>>();
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

/// The result as the bot of the page sees it: `A lost to B, 12 to 52`.
pub fn title(game: &Viewed) -> String {
    let seat = game.viewpoint;
    let name = game.name(seat);
    if game.bots.len() < 2 {
        return game.scores.first().map_or_else(|| name.clone(), |points| format!("{name}, {points} points"));
    }
    let named =
        |seats: Vec<Seat>| seats.into_iter().map(|seat| game.name(seat)).collect::<Vec<_>>().join(" and ");
    let others = || (0..game.bots.len()).filter(|&other| other != seat).collect::<Vec<_>>();
    let losers = losers(game);
    let told = if game.scores.is_empty() {
        return format!("{name} against {}", named(others()));
    } else if losers.len() == game.bots.len() {
        format!("{name} drew with {}", named(others()))
    } else if losers.contains(&seat) {
        format!(
            "{name} lost to {}",
            named(others().into_iter().filter(|other| !losers.contains(other)).collect())
        )
    } else {
        format!("{name} beat {}", named(losers))
    };
    let points = match game.scores[..] {
        [first, second] if seat == 0 => format!("{first} to {second}"),
        [first, second] => format!("{second} to {first}"),
        _ => result(game),
    };
    let ending = match game.ending.as_str() {
        "" | "normal" => String::new(),
        ending => format!(" ({ending})"),
    };
    format!("{told}, {points}{ending}")
}

/// The scores beside the names.
pub fn result(game: &Viewed) -> String {
    let of_bot = |(seat, bot): (Seat, &super::ViewedBot)| match game.scores.get(seat) {
        Some(score) => format!("{} {score}", bot.name),
        None => bot.name.clone(),
    };
    game.bots.iter().enumerate().map(of_bot).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view::ViewedBot;

    fn game(scores: &[i64], viewpoint: Seat) -> Viewed {
        let names = ["A", "B", "C"];
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
        assert_eq!(title(&game(&[1, 5, 5], 0)), "A lost to B and C, A 1, B 5, C 5");
        assert_eq!(title(&game(&[9, 5, 5], 0)), "A beat B and C, A 9, B 5, C 5");
        let failed = Viewed { ending: "illegal move".to_owned(), ..game(&[0, 1], 0) };
        assert_eq!(title(&failed), "A lost to B, 0 to 1 (illegal move)");
        let fewer = Viewed { is_lower_better: true, ..game(&[12, 52], 0) };
        assert_eq!(title(&fewer), "A beat B, 12 to 52");
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
