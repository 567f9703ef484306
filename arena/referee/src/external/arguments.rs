//! The arguments that a referee gets for a game.

use crate::process::command_line::CommandLine;

use super::{RefereeError, SeedOption};

/// The arguments of cg-brutaltester, in its order.
pub(super) fn numbered(bots: &[String], dialect: SeedOption, seed: &str, file: &str) -> Vec<String> {
    let mut words = Vec::new();
    for (number, bot) in (1..).zip(bots) {
        words.extend([format!("-p{number}"), bot.clone()]);
    }
    match dialect {
        SeedOption::D => words.extend(["-d".to_owned(), format!("seed={seed}")]),
        SeedOption::Seed => words.extend(["-seed".to_owned(), seed.to_owned()]),
        SeedOption::None => {}
    }
    words.extend(["-l".to_owned(), file.to_owned()]);
    words
}

/// A command line with places: `{P1}` to `{P8}` for the bots, `{PLAYERS}` for all of them (a word each), `{SEED}`, and
/// `{LOG}` for a file that the referee may write; also with percent signs, as in `%P1%` and `%ALL_PLAYERS%`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Template {
    words: Vec<String>,
}

/// A place in a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    Bot(usize),
    AllBots,
    Seed,
    File,
}

impl Template {
    /// The places of a command line; `None` if it has no place for a bot.
    ///
    /// # Errors
    /// If it has places for other bots than those of `seats`.
    pub fn of(line: &CommandLine, seats: usize) -> Result<Option<Self>, RefereeError> {
        let words = line.arguments().to_vec();
        let places = words.iter().flat_map(|word| parts(word)).filter_map(Result::ok).collect::<Vec<_>>();
        let bots = places.iter().filter_map(|place| match place {
            Place::Bot(bot) => Some(*bot),
            _ => None,
        });
        let mut bots = bots.collect::<Vec<_>>();
        bots.sort_unstable();
        bots.dedup();
        let has_all = places.contains(&Place::AllBots);
        if bots.is_empty() && !has_all {
            return Ok(None);
        }
        if !has_all && bots != (0..seats).collect::<Vec<_>>() {
            let found = bots.iter().map(|bot| format!("{{P{}}}", bot + 1)).collect::<Vec<_>>().join(" ");
            return Err(RefereeError::Places { found, seats });
        }
        if let Some(word) = words.iter().find(|word| {
            let parts = parts(word);
            parts.contains(&Ok(Place::AllBots)) && parts.len() > 1
        }) {
            return Err(RefereeError::AllBotsInWord { word: word.clone() });
        }
        Ok(Some(Self { words }))
    }

    /// Whether the seed has a place.
    pub fn takes_seed(&self) -> bool {
        self.words.iter().any(|word| parts(word).contains(&Ok(Place::Seed)))
    }

    /// The words with the values in their places.
    pub fn filled(&self, bots: &[String], seed: &str, file: &str) -> Vec<String> {
        let mut out = Vec::new();
        for word in &self.words {
            let parts = parts(word);
            if parts == [Ok(Place::AllBots)] {
                out.extend(bots.iter().cloned());
                continue;
            }
            let value = |part: &Result<Place, &str>| match part {
                Ok(Place::Bot(bot)) => bots.get(*bot).cloned().unwrap_or_default(),
                Ok(Place::AllBots) => bots.join(" "),
                Ok(Place::Seed) => seed.to_owned(),
                Ok(Place::File) => file.to_owned(),
                Err(text) => (*text).to_owned(),
            };
            out.push(parts.iter().map(value).collect());
        }
        out
    }
}

/// A word's places, and the text between them.
fn parts(word: &str) -> Vec<Result<Place, &str>> {
    let mut parts = Vec::new();
    let mut rest = word;
    while !rest.is_empty() {
        let found = rest.char_indices().find_map(|(at, open)| {
            let close = match open {
                '{' => '}',
                '%' => '%',
                _ => return None,
            };
            let name = &rest[at + 1..];
            let end = name.find(close)?;
            Some((at, at + 1 + end + 1, place(&name[..end])?))
        });
        let Some((at, end, place)) = found else {
            parts.push(Err(rest));
            break;
        };
        if at > 0 {
            parts.push(Err(&rest[..at]));
        }
        parts.push(Ok(place));
        rest = &rest[end..];
    }
    parts
}

fn place(name: &str) -> Option<Place> {
    match name {
        "SEED" => Some(Place::Seed),
        "LOG" => Some(Place::File),
        "PLAYERS" | "ALL_PLAYERS" => Some(Place::AllBots),
        _ => {
            let number = name.strip_prefix('P')?.parse::<usize>().ok()?;
            (1..=8).contains(&number).then_some(Place::Bot(number - 1))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bots(count: usize) -> Vec<String> {
        (0..count).map(|bot| format!("./bot{bot} --fast")).collect()
    }

    fn template(text: &str, seats: usize) -> Result<Option<Template>, RefereeError> {
        Template::of(&CommandLine::parse(text).unwrap(), seats)
    }

    #[test]
    fn a_plain_command_line_gets_numbered_bots() {
        let words = |dialect| numbered(&bots(2), dialect, "-7", "x.json").join("|");
        assert_eq!(words(SeedOption::D), "-p1|./bot0 --fast|-p2|./bot1 --fast|-d|seed=-7|-l|x.json");
        assert_eq!(words(SeedOption::Seed), "-p1|./bot0 --fast|-p2|./bot1 --fast|-seed|-7|-l|x.json");
        assert_eq!(words(SeedOption::None), "-p1|./bot0 --fast|-p2|./bot1 --fast|-l|x.json");
        assert_eq!(template("java -jar {referee} %20% {P9} {p1}", 2).unwrap(), None);
    }

    #[test]
    fn places_are_filled_within_words() {
        let filled = |text: &str| template(text, 2).unwrap().unwrap().filled(&bots(2), "5", "f");
        assert_eq!(
            filled("r --bot {P1} --bot={P2} s{SEED}s")[..],
            ["--bot", "./bot0 --fast", "--bot=./bot1 --fast", "s5s"]
        );
        assert_eq!(
            filled("r %ALL_PLAYERS% --seed %SEED%")[..],
            ["./bot0 --fast", "./bot1 --fast", "--seed", "5"]
        );
        let takes_seed = |text: &str| template(text, 2).unwrap().unwrap().takes_seed();
        assert!(takes_seed("r {PLAYERS} -s={SEED}") && !takes_seed("r {PLAYERS} {SEDE}"));
        assert_eq!(
            filled("r {PLAYERS} 100% {LOG} {P}")[..],
            ["./bot0 --fast", "./bot1 --fast", "100%", "f", "{P}"]
        );
    }

    #[test]
    fn places_for_other_bots_are_an_error() {
        assert!(matches!(template("r {P1} {P2}", 3), Err(RefereeError::Places { .. })));
        assert!(matches!(template("r {P2}", 1), Err(RefereeError::Places { .. })));
        assert!(matches!(template("r x{PLAYERS}", 2), Err(RefereeError::AllBotsInWord { .. })));
    }
}
