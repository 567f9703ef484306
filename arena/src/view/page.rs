//! The page: one HTML file with its style, its script and its data.
//!
//! The script is written by hand: it draws shapes and moves between turns, 300 lines that a reader can check, where a
//! compiled one would be larger than all that it shows. What bots have written reaches the page through the template
//! library's escapes or as JSON without `<`, never as markup.

use contest::drawing::Drawing;
use minijinja::value::Serde;
use minijinja::{context, Environment};
use serde::Serialize;
use serde_json::{json, Value};

use super::look::{looks, shown_move};
use super::overlay::Overlay;
use super::{numbers, shapes, Viewed, ViewedTurn};
use crate::svg::ink;

/// Bytes of standard error that are shown for all turns together; each turn has at least [`LEAST_SAID`].
const ALL_SAID: usize = 300_000;

/// Bytes of a turn's standard error that are always shown.
const LEAST_SAID: usize = 1_024;

/// Bytes of a turn's standard error that are shown at most.
const MOST_SAID: usize = 8_192;

/// Bytes of a turn's input that are shown at most.
const MOST_SENT: usize = 4_096;

/// Why there is no page.
#[derive(Debug, thiserror::Error)]
#[error("the page can't be written: {0}")]
pub struct PageError(#[from] minijinja::Error);

/// What a page needs besides the games.
#[derive(Debug, Clone, Default)]
pub struct Heading {
    /// The title.
    pub title: String,
    /// The address of the report that the page belongs to; may be empty.
    pub report: String,
    /// The search or bot that the games were compared with.
    pub compared: String,
}

/// The commands that put a position elsewhere, by the game's place on the page and the number of the turn, from 1.
pub type Commands<'a> = &'a dyn Fn(usize, usize) -> Vec<String>;

#[derive(Serialize)]
struct Game {
    name: String,
    contest: String,
    bots: Vec<Bot>,
    result: String,
    ending: String,
    notes: Vec<String>,
    looks: Vec<(usize, String)>,
    turns: Vec<Turn>,
    end: String,
}

#[derive(Serialize)]
struct Bot {
    name: String,
    command: String,
    score: Option<i64>,
}

#[derive(Serialize)]
struct Turn {
    seat: usize,
    bot: String,
    answer: String,
    facts: String,
    other: Option<String>,
    others_score: String,
    text: String,
    said: String,
    sent: String,
    commands: Vec<String>,
}

/// The style that all pages share: colours, text, tables of code, focus.
pub fn base_css() -> String {
    ink::css() + include_str!("base.css")
}

/// The page of these games.
///
/// # Errors
/// If the template can't be filled in, which no game should cause.
pub fn page(games: &[Viewed], heading: &Heading, commands: Commands<'_>) -> Result<String, PageError> {
    let mut environment = Environment::new();
    environment.add_template("page.html", include_str!("page.html"))?;
    let data: Vec<Value> = games.iter().map(data).collect();
    // Inside a script element only `<` could end it.
    let data = Value::Array(data).to_string().replace('<', "\\u003c");
    let shown: Vec<Game> = games
        .iter()
        .enumerate()
        .map(|(place, game)| shown(game, &heading.compared, &|number| commands(place, number)))
        .collect();
    let page = environment.get_template("page.html")?.render(context! {
        title => heading.title.as_str(),
        report => heading.report.as_str(),
        compared => heading.compared.as_str(),
        games => minijinja::Value::from(Serde(&shown)),
        data => data,
        css => format!("{}{}", base_css(), include_str!("page.css")),
        js => include_str!("page.js"),
    })?;
    Ok(page)
}

fn shown(game: &Viewed, compared: &str, commands: &dyn Fn(usize) -> Vec<String>) -> Game {
    let most_said = (ALL_SAID / game.turns.len().max(1)).clamp(LEAST_SAID, MOST_SAID);
    let name =
        |seat: usize| game.bots.get(seat).map_or_else(|| format!("seat {seat}"), |bot| bot.name.clone());
    let turn = |(number, turn): (usize, &ViewedTurn)| Turn {
        seat: turn.seat,
        bot: name(turn.seat),
        answer: shown_move(turn),
        facts: facts(game, turn),
        other: turn.other.as_ref().filter(|_| turn.differs()).map(|other| other.answer.clone()),
        others_score: turn.other.as_ref().map(|other| numbers::shown(other.score)).unwrap_or_default(),
        text: turn.text.clone(),
        said: cut(&turn.said, most_said),
        sent: cut(&turn.sent, MOST_SENT),
        commands: commands(number + 1),
    };
    Game {
        name: game.name.clone(),
        contest: game.contest.clone(),
        bots: (0..game.bots.len())
            .map(|seat| Bot {
                name: name(seat),
                command: game.bots[seat].command.clone(),
                score: game.scores.get(seat).copied(),
            })
            .collect(),
        result: result(game),
        ending: game.ending.clone(),
        notes: game.notes.clone(),
        looks: looks(game, compared).into_iter().map(|look| (look.turn, look.why)).collect(),
        turns: game.turns.iter().enumerate().map(turn).collect(),
        end: game.end.as_ref().map(|(_, text)| text.clone()).unwrap_or_default(),
    }
}

/// The title of a page with one game.
pub fn title(game: &Viewed) -> String {
    format!("{}: {}", game.name, result(game))
}

/// The scores beside the names.
pub fn result(game: &Viewed) -> String {
    let of_bot = |(seat, bot): (usize, &super::ViewedBot)| match game.scores.get(seat) {
        Some(score) => format!("{} {score}", bot.name),
        None => bot.name.clone(),
    };
    game.bots.iter().enumerate().map(of_bot).collect::<Vec<_>>().join(", ")
}

fn facts(game: &Viewed, turn: &ViewedTurn) -> String {
    let mut facts = Vec::new();
    if let Some(ms) = turn.ms {
        let ms = if ms < 1.0 { format!("{ms:.3} ms") } else { format!("{ms:.1} ms") };
        facts.push(match limit(game, turn) {
            Some(limit) => format!("{ms} of {limit:.0}"),
            None => ms,
        });
    }
    facts.extend(turn.numbers.iter().map(|(name, &value)| format!("{name} {}", numbers::shown(value))));
    facts.join(", ")
}

/// The limit of a turn in milliseconds: the first of a seat has its own.
fn limit(game: &Viewed, turn: &ViewedTurn) -> Option<f64> {
    let [first, later] = game.limits_ms?;
    let is_first = game
        .turns
        .iter()
        .find(|other| other.seat == turn.seat)
        .is_some_and(|other| std::ptr::eq(other, turn));
    Some(if is_first { first } else { later })
}

/// A text, cut at a character's end; a last line marks the cut.
fn cut(text: &str, most: usize) -> String {
    if text.len() <= most {
        return text.to_owned();
    }
    let end = (0..=most).rev().find(|&end| text.is_char_boundary(end)).unwrap_or(0);
    format!("{}\n[{} bytes more are not shown]", &text[..end], text.len() - end)
}

/// What the script needs: positions as shapes, numbers, what bots drew.
fn data(game: &Viewed) -> Value {
    let mut positions: Vec<Option<Vec<Value>>> =
        game.turns.iter().map(|turn| turn.position.as_ref().map(shapes::shapes)).collect();
    positions.push(game.end.as_ref().map(|(drawing, _)| shapes::shapes(drawing)));
    let base = common(&positions);
    for shapes in positions.iter_mut().flatten() {
        shapes.drain(..base.len());
    }
    let drawings = game.turns.iter().filter_map(|turn| turn.position.as_ref());
    let drawings = drawings.chain(game.end.as_ref().map(|(drawing, _)| drawing));
    let size = drawings.fold((0.0f32, 0.0f32), |size, drawing: &Drawing| {
        (size.0.max(drawing.width), size.1.max(drawing.height))
    });
    let mut overlays: Vec<Overlay> = game.bots.iter().map(|_| Overlay::default()).collect();
    let drawn: Vec<Vec<Value>> = game
        .turns
        .iter()
        .map(|turn| overlays.get_mut(turn.seat).map(|overlay| overlay.turn(&turn.said)).unwrap_or_default())
        .collect();
    let turn = |turn: &ViewedTurn| {
        let share = turn.ms.map(|ms| limit(game, turn).map_or(ms, |limit| ms / limit));
        json!([turn.seat, share, turn.numbers, i32::from(turn.differs())])
    };
    json!({
        "bots": game.bots.iter().map(|bot| &bot.name).collect::<Vec<_>>(),
        "turns": game.turns.iter().map(turn).collect::<Vec<_>>(),
        "limits": game.limits_ms,
        "size": [shapes::short(size.0), shapes::short(size.1)],
        "base": base,
        "positions": positions,
        "overlays": drawn,
        "viewport": overlays.iter().find_map(Overlay::viewport),
    })
}

/// The shapes with which all positions begin: the board. They are written once.
fn common(positions: &[Option<Vec<Value>>]) -> Vec<Value> {
    let mut all = positions.iter().flatten();
    let Some(first) = all.next() else { return Vec::new() };
    let length = all.fold(first.len(), |length, shapes| {
        first.iter().zip(shapes).take(length).take_while(|(a, b)| a == b).count()
    });
    first[..length].to_vec()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view::{Other, ViewedBot};
    use contest::drawing::Paint;

    fn game(turns: usize, said: &str) -> Viewed {
        let board = |at: usize| {
            let mut drawing = Drawing::board(8, 8, |row| row.to_string(), |column| column.to_string());
            drawing.fill(at % 8, at / 8 % 8, Paint::Last);
            drawing
        };
        let turn = |at: usize| ViewedTurn {
            seat: at % 2,
            position: Some(board(at)),
            text: "........\n".repeat(8),
            sent: "........\n".repeat(10),
            answer: "e6".to_owned(),
            played: Some("e6".to_owned()),
            said: said.to_owned(),
            ms: Some(93.0),
            numbers: [("score".to_owned(), at as f64)].into(),
            ..ViewedTurn::default()
        };
        Viewed {
            name: "a <game>".to_owned(),
            bots: ["A", "B"]
                .map(|name| ViewedBot { name: name.to_owned(), command: "./bot".to_owned() })
                .to_vec(),
            scores: vec![1, 0],
            turns: (0..turns).map(turn).collect(),
            end: Some((board(turns), "end".to_owned())),
            limits_ms: Some([1000.0, 100.0]),
            ..Viewed::default()
        }
    }

    fn written(game: Viewed) -> String {
        let heading =
            Heading { title: "Games".to_owned(), compared: "in:bot".to_owned(), ..Heading::default() };
        let command = |_: usize, number: usize| vec![format!("arena debug --turn {number}")];
        page(&[game], &heading, &command).unwrap()
    }

    #[test]
    fn what_bots_write_is_text() {
        let page = written(game(3, "</script><script>alert(1)</script>\n@txt red 1 1 9 </script><b>"));
        assert_eq!(page.matches("<script").count(), 2, "its own data and its own script");
        assert_eq!(page.matches("</script>").count(), 2);
        assert!(page.contains("&lt;&#x2f;script&gt;&lt;script&gt;alert(1)"), "shown as it was written");
        assert!(page.contains("a &lt;game&gt;"));
        assert!(!page.contains("http://") || page.contains("www.w3.org"), "nothing is loaded");
    }

    #[test]
    fn three_hundred_turns_can_be_mailed() {
        let said: String = ["depth 9, score 34, 20000 nodes <&>\n"].repeat(30).concat();
        let page = written(game(300, &said));
        assert!(said.len() > 1_000 && page.len() < 1_000_000, "{} bytes", page.len());
        assert!(page.contains("id=\"turn=301\"") && page.contains("href=\"#turn=37\""));
    }

    #[test]
    fn long_texts_are_cut_and_it_is_said() {
        let page = written(game(2, &"é".repeat(10_000)));
        assert!(page.contains("[11808 bytes more are not shown]"));
        assert_eq!(cut("abc", 3), "abc");
        assert_eq!(cut("aé", 2), "a\n[2 bytes more are not shown]");
    }

    #[test]
    fn the_board_is_written_once() {
        let viewed = game(4, "");
        let data = data(&viewed);
        assert_eq!(data["base"].as_array().unwrap().len(), 1 + 9 + 9 + 8 + 8);
        assert_eq!(data["positions"][0], json!([["r", 0.62, 0.62, 0.96, 0.96, "last"]]));
        assert_eq!(data["positions"].as_array().unwrap().len(), 5);
    }

    #[test]
    fn disagreements_are_marked() {
        let other = |answer: &str| Other { answer: answer.to_owned(), score: 0.0 };
        let mut viewed = game(2, "");
        viewed.turns[0].other = Some(other("e6"));
        viewed.turns[1].other = Some(other("d3"));
        let data = data(&viewed);
        assert_eq!((&data["turns"][0][3], &data["turns"][1][3]), (&json!(0), &json!(1)));
        assert!(written(viewed).contains("in:bot would play <b>d3</b>"));
    }
}
