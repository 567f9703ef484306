//! Colours of bots: a bot has one colour in all games of a run or a page, and two bots of a game have two.

use super::{Viewed, ViewedBot};

/// The number of colours.
pub use contest::paint::PLAYERS as COUNT;

/// The colours of a game's bots, by seat. A bot's colour follows from its place in `known`, or from its letter.
pub fn of_game(bots: &[ViewedBot], known: &[String]) -> Vec<usize> {
    let mut colours: Vec<usize> = Vec::new();
    for bot in bots {
        let place =
            known.iter().position(|name| *name == bot.name).or_else(|| letter(&bot.name)).unwrap_or(0);
        let free = (0..COUNT).map(|more| (place + more) % COUNT).find(|colour| !colours.contains(colour));
        colours.push(free.unwrap_or(place % COUNT));
    }
    colours
}

/// The names of these games' bots in an order that doesn't depend on the games'. None if they are letters, which have
/// their order already.
pub fn known<'a>(games: impl Iterator<Item = &'a Viewed>) -> Vec<String> {
    let mut names: Vec<String> =
        games.flat_map(|game| game.bots.iter().map(|bot| bot.name.clone())).collect();
    if names.iter().all(|name| letter(name).is_some()) {
        return Vec::new();
    }
    names.sort();
    names.dedup();
    names
}

/// The number of a bot named A, B, …, Z, AA, from 0.
fn letter(name: &str) -> Option<usize> {
    let is_letters = (1..=2).contains(&name.len()) && name.bytes().all(|byte| byte.is_ascii_uppercase());
    is_letters.then(|| name.bytes().fold(0, |number, byte| number * 26 + usize::from(byte - b'A') + 1) - 1)
}

/// All colours by seat as a style sheet's variables `--s0` to `--s7`: those of seats without a bot are the others.
pub fn variables(colours: &[usize]) -> String {
    let mut all: Vec<usize> = colours.iter().copied().take(COUNT).collect();
    let rest: Vec<usize> = (0..COUNT).filter(|colour| !all.contains(colour)).collect();
    all.extend(rest);
    all.iter().take(COUNT).enumerate().map(|(seat, colour)| format!("--s{seat}:var(--p{colour});")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bots(names: &[&str]) -> Vec<ViewedBot> {
        names.iter().map(|&name| ViewedBot { name: name.to_owned(), ..ViewedBot::default() }).collect()
    }

    #[test]
    fn a_bot_keeps_its_colour_on_every_seat() {
        assert_eq!(
            (of_game(&bots(&["A", "B"]), &[]), of_game(&bots(&["B", "A"]), &[])),
            (vec![0, 1], vec![1, 0])
        );
        assert_eq!(
            of_game(&bots(&["C", "AA"]), &[]),
            [2, 26 % COUNT + 1],
            "two of one colour in a game are told apart"
        );
        let known = ["new".to_owned(), "old".to_owned()];
        assert_eq!(of_game(&bots(&["old", "new"]), &known), [1, 0]);
        assert_eq!(of_game(&bots(&["me", "me"]), &[]), [0, 1]);
    }

    #[test]
    fn eight_seats_have_eight_colours() {
        let mut colours = of_game(&bots(&["a", "b", "c", "d", "e", "f", "g", "h"]), &[]);
        assert_eq!(variables(&[1, 0]).matches("--s").count(), COUNT);
        assert!(variables(&[1, 0]).starts_with("--s0:var(--p1);--s1:var(--p0);--s2:var(--p2);"));
        colours.sort_unstable();
        assert_eq!(colours, (0..COUNT).collect::<Vec<_>>());
        assert_eq!(of_game(&bots(&["A"; 9]), &[]).len(), 9);
    }
}
