//! The page: one HTML file with its style, its script and its data.
//!
//! The script is written by hand: it draws shapes and moves between turns, so that a reader can check it, where a compiled one
//! would be larger than all that it shows. Bots' text reaches the page through the template library's
//! escapes or as JSON without `<`, never as markup.

mod looks;

use contest::drawing::Paint;
use minijinja::context;
use minijinja::value::Serde;
use serde::Serialize;
use serde_json::Value;

use super::bot_colours;
use super::charts::{charts, costliest, Chart};
use super::data::{data, opens};
use super::lines::{Line, Share};
use super::look::{self, looks};
use super::losing::would_play;
use super::outcome::{points, rank_word, result, title};
use super::shared::{shared, whole, Part, Template};
use super::{numbers, Viewed, ViewedTurn};
use crate::html;
use coppice_referee::text::without_commands;
use looks::{by_bot, lost, Looks};

/// Bytes of standard error that are shown for all turns together; each turn has at least [`LEAST_SAID`].
const ALL_SAID: usize = 300_000;

/// Bytes of a turn's standard error that are always shown in games of up to [`MANY`] turns.
const LEAST_SAID: usize = 1_024;

/// Turns up to which that much fits into a page that can be mailed.
const MANY: usize = 300;

/// Bytes of a page that can be mailed.
const MAILED: usize = 2_000_000;

/// The shares of standard error with which a page of a game of more than [`MANY`] turns is written, until it can be mailed.
const SHARES: [f64; 4] = [1.0, 0.7, 0.4, 0.1];

/// Bytes of a turn's standard error that are shown at most.
const MOST_SAID: usize = 8_192;

/// Bytes of a turn's input that are shown at most.
const MOST_SENT: usize = 4_096;

/// Bytes of a turn's input that are always shown.
const LEAST_SENT: usize = 128;

/// Bytes of input that are shown for all turns together.
const ALL_SENT: usize = 200_000;

/// Bytes of positions as text that are written for all turns together, where the page draws them too.
const ALL_TEXT: usize = 100_000;

/// Bytes of an answer that are shown.
const MOST_ANSWER: usize = 400;

/// Turns from which a list of them is long.
const LONG: usize = 40;

/// Turns up to which each has its commands in full.
const WHOLE_COMMANDS: usize = 150;

/// The page's template can't be filled in.
#[derive(Debug, thiserror::Error)]
#[error("the page can't be written: {0}")]
pub struct PageError(#[from] minijinja::Error);

/// The part of a page that isn't its games.
#[derive(Debug, Clone, Default)]
pub struct Heading {
    /// The title.
    pub title: String,
    /// The address of the report that the page belongs to; may be empty.
    pub report: String,
    /// The addresses of the previous and the next game of the report; empty for none.
    pub neighbours: [String; 2],
    /// The search or bot that the games were compared with.
    pub compared: String,
    /// A further step to find the losing turn.
    pub hint: Option<Hint>,
}

/// A question, and the command that answers it.
#[derive(Debug, Clone, Serialize)]
pub struct Hint {
    /// The question.
    pub text: String,
    /// The command.
    pub command: String,
}

/// A command that puts a position elsewhere.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Command {
    /// Label of the command.
    pub label: &'static str,
    /// The command.
    pub text: String,
}

/// The commands that put a position elsewhere, by the game's place on the page and the number of the turn, from 1.
pub type Commands<'a> = &'a dyn Fn(usize, usize) -> Vec<Command>;

#[derive(Serialize)]
struct Game {
    name: String,
    title: String,
    /// Contest, file, seed, opening, limits, ending.
    about: Vec<String>,
    /// The bot that the page is about.
    about_bot: String,
    /// The time that asking another bot took; may be empty.
    asked: String,
    /// Whether a turn is marked in the list of moves.
    has_mistakes: bool,
    /// Whether a turn has a line that can be stepped through.
    has_lines: bool,
    /// The colours of its seats, as a style.
    colours: String,
    prefix: String,
    opens: usize,
    bots: Vec<Bot>,
    result: String,
    /// A picture's address, which holds the picture; may be empty.
    picture: String,
    /// Explains a second numbering of the turns; may be empty.
    numbering: &'static str,
    notes: Vec<String>,
    /// Notes on what is left out, and on what isn't a mistake.
    asides: Vec<String>,
    looks: Vec<Looks>,
    keys: Vec<Key>,
    charts: Vec<Chart>,
    has_marks: bool,
    /// Whether a turn is named that lost the game.
    has_lost: bool,
    /// Whether another bot was asked about its turns.
    is_compared: bool,
    /// Whether the board's own legend says what the colour of the last move means.
    tells_last: bool,
    /// Whether the game is long: its positions are then folded away.
    is_long: bool,
    turns: Vec<Turn>,
    /// The common parts of the commands of a long game's turns.
    templates: Vec<Template>,
    end: String,
}

/// An entry of the board's legend.
#[derive(Serialize)]
struct Key {
    /// A colour of the style sheet; empty for a word.
    colour: String,
    text: String,
}

#[derive(Serialize)]
struct Bot {
    seat: usize,
    /// The number of its seat, unless it is the only one.
    number: Option<usize>,
    name: String,
    command: String,
    /// Place among more than two; else empty.
    place: String,
    score: Option<String>,
}

#[derive(Serialize)]
struct Turn {
    seat: usize,
    bot: String,
    label: String,
    answer: String,
    /// The answer as the bot gave it, where that differs; else empty.
    raw: String,
    failure: Option<String>,
    /// Which bot lost the game in this turn, in words; may be empty.
    lost: String,
    facts: String,
    /// Whether the other bot would have played something else: `costly` where the chart marks it, `differs`, or nothing.
    mark: &'static str,
    /// The other bot's opinion; may be empty.
    other: String,
    lines: Vec<ShownLine>,
    /// The shares of moves, in words; may be empty.
    shares: String,
    text: String,
    said: String,
    sent: String,
    commands: Vec<TurnCommand>,
}

#[derive(Serialize)]
struct ShownLine {
    title: String,
    /// The moves, each with the colour of the bot that makes it.
    moves: Vec<(usize, String)>,
    /// Whether each move has its position.
    is_drawn: bool,
    end: String,
}

#[derive(Serialize)]
struct TurnCommand {
    label: &'static str,
    #[serde(flatten)]
    part: Part,
}

/// The page of these games.
///
/// # Errors
/// If the template can't be filled in, which no game should cause.
pub fn page(games: &[Viewed], heading: &Heading, commands: Commands<'_>) -> Result<String, PageError> {
    let is_long = matches!(games, [only] if only.turns.len() > MANY);
    let mut page = String::new();
    for share in SHARES {
        page = written(games, heading, commands, share)?;
        if !is_long || page.len() <= MAILED {
            break;
        }
    }
    Ok(page)
}

/// The page with this share of the standard error that it could show.
fn written(
    games: &[Viewed],
    heading: &Heading,
    commands: Commands<'_>,
    share: f64,
) -> Result<String, PageError> {
    let looks = games.iter().map(looks).collect::<Vec<_>>();
    let data: Vec<Value> = games.iter().zip(&looks).map(|(game, looks)| data(game, looks)).collect();
    // Inside a script element only `<` could end it.
    let data = Value::Array(data).to_string().replace('<', "\\u003c");
    let shown: Vec<Game> = games
        .iter()
        .zip(&looks)
        .enumerate()
        .map(|(place, (game, looks))| {
            let prefix =
                if games.len() > 1 { format!("game={}&turn=", place + 1) } else { "turn=".to_owned() };
            shown((game, looks), prefix, share, &|number| commands(place, number))
        })
        .collect();
    let page = html::render(
        include_str!("page.html"),
        include_str!("page.css"),
        context! {
            title => heading.title.as_str(),
            report => heading.report.as_str(),
            neighbours => &heading.neighbours,
            compared => heading.compared.as_str(),
            hint => minijinja::Value::from(Serde(&heading.hint)),
            games => minijinja::Value::from(Serde(&shown)),
            data => data,
            js => include_str!("page.js"),
        },
    )?;
    Ok(page)
}

/// A text of a bot or a referee without colours and other commands to a terminal.
fn plain(text: &str) -> String {
    String::from_utf8_lossy(&without_commands(text.as_bytes())).into_owned()
}

fn shown(
    (game, looks): (&Viewed, &[look::Look]),
    prefix: String,
    share: f64,
    commands: &dyn Fn(usize) -> Vec<Command>,
) -> Game {
    let count = game.turns.len().max(1);
    let least = LEAST_SAID.min(MANY * LEAST_SAID / count);
    let most_said = ((ALL_SAID / count).clamp(least, MOST_SAID) as f64 * share) as usize;
    let sent = game.turns.iter().map(|turn| turn.sent.len()).sum::<usize>();
    let most_sent = if sent > ALL_SENT { (ALL_SENT / count).clamp(LEAST_SENT, MOST_SENT) } else { MOST_SENT };
    // Seats that are asked together have one position.
    let is_repeated = |at: usize| {
        let before = at.checked_sub(1).map(|before| &game.turns[before]);
        before.is_some_and(|before| before.round > 0 && before.round == game.turns[at].round)
    };
    let is_drawn = game.turns.iter().all(|turn| turn.position.is_some());
    let texts = (0..game.turns.len()).filter(|&at| !is_repeated(at)).map(|at| game.turns[at].text.len());
    let has_texts = !is_drawn || texts.sum::<usize>() <= ALL_TEXT;
    let mut asides = Vec::new();
    if !has_texts {
        asides.push("a long game: its positions are drawn, and left out as text".to_owned());
    }
    let (keys, costliest) = (keys(game), costliest(game));
    let lost_in = |turn: usize| {
        let losing = looks.iter().find(|look| look.turn == turn && look.lost_by.is_some());
        losing.map_or_else(String::new, |look| lost(game, look))
    };
    let all = (1..=game.turns.len()).map(commands).collect::<Vec<_>>();
    let texts = all.iter().map(|turn| turn.iter().map(|command| command.text.clone()).collect());
    let texts = texts.collect::<Vec<_>>();
    let (templates, parts) = match game.turns.len() > WHOLE_COMMANDS {
        true => shared(&texts),
        false => (Vec::new(), whole(&texts)),
    };
    let of_turn = |(commands, parts): (&Vec<Command>, Vec<Part>)| {
        let pairs = commands.iter().zip(parts);
        pairs.map(|(command, part)| TurnCommand { label: command.label, part }).collect::<Vec<_>>()
    };
    let mut commands = all.iter().zip(parts).map(of_turn).collect::<Vec<_>>();
    let mut turn = |(at, turn): (usize, &ViewedTurn)| Turn {
        seat: turn.seat % bot_colours::COUNT,
        bot: game.name(turn.seat),
        label: game.label(at + 1),
        answer: plain(&turn.shown_move()),
        raw: raw(turn),
        failure: turn.failure.as_deref().map(plain),
        lost: lost_in(at + 1),
        facts: facts(game, turn),
        mark: match turn.differs() {
            true if costliest.contains(&(at + 1)) => "costly",
            true => "differs",
            false => "",
        },
        other: match turn.differs() || turn.other.as_ref().is_some_and(|other| other.checked.is_some()) {
            true => would_play(turn),
            false => String::new(),
        },
        lines: turn.lines.iter().map(shown_line).collect(),
        shares: shares(turn),
        text: if has_texts && !is_repeated(at) { plain(&turn.text) } else { String::new() },
        said: cut(&plain(&turn.said), most_said),
        sent: cut(&turn.sent, most_sent),
        commands: std::mem::take(&mut commands[at]),
    };
    Game {
        picture: game.picture.as_deref().map_or_else(String::new, data_address),
        name: game.name.clone(),
        title: title(game),
        about: about(game),
        about_bot: game.name(game.viewpoint),
        asked: game.asked.map_or_else(String::new, |time| format!("{:.1} s", time.as_secs_f64())),
        has_mistakes: !costliest.is_empty()
            || looks.iter().any(|look| look.lost_by.is_some())
            || game.turns.iter().any(|turn| turn.failure.is_some()),
        has_lines: game.turns.iter().any(|turn| turn.lines.iter().any(|line| !line.positions.is_empty())),
        colours: bot_colours::variables(&game.colours),
        opens: opens(game, looks),
        charts: charts(game, &prefix, looks),
        prefix,
        bots: (0..game.bots.len())
            .map(|seat| Bot {
                seat: seat % bot_colours::COUNT,
                number: (game.bots.len() > 1).then_some(seat),
                name: game.name(seat),
                command: game.bots[seat].command.clone(),
                place: rank_word(game, seat),
                score: game.scores.get(seat).map(|&count| points(count)),
            })
            .collect(),
        result: result(game),
        numbering: match (game.has_rounds(), game.has_plies()) {
            (true, _) => "A round has a turn of each bot; --ply in a command counts moves.",
            (false, true) => {
                "In a command, --ply counts all moves of the game: the opening's and forced ones too."
            }
            (false, false) => "",
        },
        has_lost: looks.iter().any(|look| look.lost_by.is_some()),
        notes: game.notes.clone(),
        asides,
        tells_last: keys.iter().any(|key| key.colour == Paint::Last.name()),
        keys,
        is_compared: game.turns.iter().any(|turn| turn.other.is_some()),
        has_marks: game.turns.iter().any(|turn| !turn.marks.is_empty()),
        is_long: game.turns.len() > LONG,
        turns: game.turns.iter().enumerate().map(&mut turn).collect(),
        templates,
        end: game.end.as_ref().map(|(_, text)| text.clone()).unwrap_or_default(),
        looks: by_bot(game, looks),
    }
}

/// The legend of the contest's drawings: the first position's, with additions of later ones.
fn keys(game: &Viewed) -> Vec<Key> {
    let drawings = game.turns.iter().filter_map(|turn| turn.position.as_ref());
    let drawings = drawings.chain(game.end.as_ref().map(|(drawing, _)| drawing));
    let mut all: Vec<&contest::drawing::Key> = Vec::new();
    for key in drawings.flat_map(|drawing| &drawing.keys) {
        if !all.contains(&key) {
            all.push(key);
        }
    }
    let key = |key: &contest::drawing::Key| Key {
        colour: key.paint.map(Paint::name).unwrap_or_default(),
        text: key.text.clone(),
    };
    all.into_iter().map(key).collect()
}

/// Contest, file, seed, opening, limits and ending, as far as they are known.
fn about(game: &Viewed) -> Vec<String> {
    let limits = game.limits_ms.map(|[first, later]| match first == later {
        true => format!("{later} ms a turn"),
        false => format!("{later} ms a turn, {first} the first"),
    });
    let known = |is_known: bool, text: String| is_known.then_some(text);
    let facts = [
        known(!game.contest.is_empty(), game.contest.clone()),
        known(true, game.name.clone()),
        known(!game.date.is_empty(), game.date.clone()),
        known(game.seed > 0, format!("seed {}", game.seed)),
        known(!game.opening.is_empty(), format!("opening {}", game.opening)),
        limits,
        known(!["", "normal"].contains(&game.ending.as_str()), format!("ending: {}", game.ending)),
    ];
    facts.into_iter().flatten().collect()
}

/// A turn's answer as the bot gave it, if the page shows it in other words.
fn raw(turn: &ViewedTurn) -> String {
    let is_other = turn.failure.is_none() && turn.answer != turn.shown_move();
    if is_other {
        cut(&plain(&turn.answer), MOST_ANSWER)
    } else {
        String::new()
    }
}

fn shown_line(line: &Line) -> ShownLine {
    let is_drawn = line.positions.len() == line.moves.len();
    let moves = line.moves.iter().map(|(seat, words)| (seat % bot_colours::COUNT, words.clone()));
    ShownLine { title: line.title.clone(), moves: moves.collect(), is_drawn, end: line.end.clone() }
}

/// An address that holds a picture. As an image it can run no script and load nothing.
fn data_address(svg: &str) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b" -_.,:;/()=".contains(&byte);
    let text = svg.bytes().map(|byte| match is_plain(byte) {
        true => char::from(byte).to_string(),
        false => format!("%{byte:02X}"),
    });
    format!("data:image/svg+xml,{}", text.collect::<String>())
}

/// The shares of a turn's moves, the largest first.
fn shares(turn: &ViewedTurn) -> String {
    let share = |share: &Share| format!("{} {:.0} %", share.played, 100.0 * share.part);
    turn.shares.iter().map(share).collect::<Vec<_>>().join(", ")
}

/// The time of a turn's answer and the numbers that its bot reported.
pub fn facts(game: &Viewed, turn: &ViewedTurn) -> String {
    let mut facts = Vec::new();
    if let Some(ms) = turn.ms {
        let ms = if ms < 1.0 { format!("{ms:.3} ms") } else { format!("{ms:.1} ms") };
        facts.push(match game.limit(turn) {
            Some(limit) => format!("{ms} of {limit:.0}"),
            None => ms,
        });
    }
    facts.extend(turn.numbers.iter().map(|(name, &value)| format!("{name} {}", numbers::shown(value))));
    facts.join(", ")
}

/// A text, cut at a character's end; a last line marks the cut.
fn cut(text: &str, most: usize) -> String {
    if text.len() <= most {
        return text.to_owned();
    }
    let end = (0..=most).rev().find(|&end| text.is_char_boundary(end)).unwrap_or(0);
    format!("{}\n[{} bytes more are not shown]", &text[..end], text.len() - end)
}

#[cfg(test)]
mod tests;
