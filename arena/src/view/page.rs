//! The page: one HTML file with its style, its script and its data.
//!
//! The script is written by hand: it draws shapes and moves between turns, 200 lines that a reader can check, where a
//! compiled one would be larger than all that it shows. What bots have written reaches the page through the template
//! library's escapes or as JSON without `<`, never as markup.

use minijinja::context;
use minijinja::value::Serde;
use serde::Serialize;
use serde_json::Value;

use super::charts::{charts, would_play, Chart};
use super::colours;
use super::data::data;
use super::look::looks;
use super::outcome::{result, title};
use super::{numbers, Viewed, ViewedTurn};
use crate::html;

/// Bytes of standard error that are shown for all turns together; each turn has at least [`LEAST_SAID`].
const ALL_SAID: usize = 300_000;

/// Bytes of a turn's standard error that are always shown.
const LEAST_SAID: usize = 1_024;

/// Bytes of a turn's standard error that are shown at most.
const MOST_SAID: usize = 8_192;

/// Bytes of a turn's input that are shown at most.
const MOST_SENT: usize = 4_096;

/// Bytes of positions as text that are written for all turns together, where the page draws them too.
const ALL_TEXT: usize = 200_000;

/// Turns from which a list of them is long.
const LONG: usize = 40;

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
    /// What else can be done to find the losing turn; may be empty.
    pub hint: String,
}

/// The commands that put a position elsewhere, by the game's place on the page and the number of the turn, from 1.
pub type Commands<'a> = &'a dyn Fn(usize, usize) -> Vec<String>;

#[derive(Serialize)]
struct Game {
    name: String,
    title: String,
    contest: String,
    /// The colours of its seats, as a style.
    colours: String,
    prefix: String,
    opens: usize,
    bots: Vec<Bot>,
    result: String,
    ending: String,
    notes: Vec<String>,
    looks: Vec<(usize, String, String)>,
    charts: Vec<Chart>,
    has_marks: bool,
    /// Whether the game is long: its positions are then folded away.
    is_long: bool,
    turns: Vec<Turn>,
    end: String,
}

#[derive(Serialize)]
struct Bot {
    seat: usize,
    name: String,
    command: String,
    score: Option<i64>,
}

#[derive(Serialize)]
struct Turn {
    seat: usize,
    bot: String,
    label: String,
    answer: String,
    failure: Option<String>,
    facts: String,
    other: Option<String>,
    text: String,
    said: String,
    sent: String,
    commands: Vec<String>,
}

/// The page of these games.
///
/// # Errors
/// If the template can't be filled in, which no game should cause.
pub fn page(games: &[Viewed], heading: &Heading, commands: Commands<'_>) -> Result<String, PageError> {
    let data: Vec<Value> = games.iter().map(|game| data(game, &heading.compared)).collect();
    // Inside a script element only `<` could end it.
    let data = Value::Array(data).to_string().replace('<', "\\u003c");
    let shown: Vec<Game> = games
        .iter()
        .enumerate()
        .map(|(place, game)| {
            let prefix =
                if games.len() > 1 { format!("game={}&turn=", place + 1) } else { "turn=".to_owned() };
            shown(game, &heading.compared, prefix, &|number| commands(place, number))
        })
        .collect();
    let page = html::render(
        include_str!("page.html"),
        include_str!("page.css"),
        context! {
            title => heading.title.as_str(),
            report => heading.report.as_str(),
            compared => heading.compared.as_str(),
            hint => heading.hint.as_str(),
            games => minijinja::Value::from(Serde(&shown)),
            data => data,
            js => include_str!("page.js"),
        },
    )?;
    Ok(page)
}

fn shown(game: &Viewed, compared: &str, prefix: String, commands: &dyn Fn(usize) -> Vec<String>) -> Game {
    let most_said = (ALL_SAID / game.turns.len().max(1)).clamp(LEAST_SAID, MOST_SAID);
    // Seats that are asked together have one position.
    let is_repeated = |at: usize| {
        let before = at.checked_sub(1).map(|before| &game.turns[before]);
        before.is_some_and(|before| before.round > 0 && before.round == game.turns[at].round)
    };
    let is_drawn = game.turns.iter().all(|turn| turn.position.is_some());
    let texts = (0..game.turns.len()).filter(|&at| !is_repeated(at)).map(|at| game.turns[at].text.len());
    let has_texts = !is_drawn || texts.sum::<usize>() <= ALL_TEXT;
    let mut notes = game.notes.clone();
    if !has_texts {
        notes.push("long game: its positions are drawn, and left out as text".to_owned());
    }
    let turn = |(at, turn): (usize, &ViewedTurn)| Turn {
        seat: turn.seat % colours::COUNT,
        bot: game.name(turn.seat),
        label: game.label(at + 1),
        answer: turn.shown_move(),
        failure: turn.failure.clone(),
        facts: facts(game, turn),
        other: turn.differs().then(|| would_play(turn, compared)),
        text: if has_texts && !is_repeated(at) { turn.text.clone() } else { String::new() },
        said: cut(&turn.said, most_said),
        sent: cut(&turn.sent, MOST_SENT),
        commands: commands(at + 1),
    };
    let looks = looks(game, compared);
    Game {
        name: game.name.clone(),
        title: title(game),
        contest: game.contest.clone(),
        colours: colours::variables(&game.colours),
        opens: looks.first().map_or(1, |look| look.turn),
        charts: charts(game, compared, &prefix),
        prefix,
        bots: (0..game.bots.len())
            .map(|seat| Bot {
                seat: seat % colours::COUNT,
                name: game.name(seat),
                command: game.bots[seat].command.clone(),
                score: game.scores.get(seat).copied(),
            })
            .collect(),
        result: result(game),
        ending: game.ending.clone(),
        notes,
        looks: looks.into_iter().map(|look| (look.turn, game.label(look.turn), look.why)).collect(),
        has_marks: game.turns.iter().any(|turn| !turn.marks.is_empty()),
        is_long: game.turns.len() > LONG,
        turns: game.turns.iter().enumerate().map(turn).collect(),
        end: game.end.as_ref().map(|(_, text)| text.clone()).unwrap_or_default(),
    }
}

fn facts(game: &Viewed, turn: &ViewedTurn) -> String {
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
mod tests {
    use super::*;
    use crate::view::{Other, ViewedBot};
    use contest::drawing::{Drawing, Paint, Shape};

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
        let mut viewed = game(300, &said);
        // With numbers, both moves on the board, and a comparison that would play something else in every turn.
        for (at, turn) in viewed.turns.iter_mut().enumerate() {
            turn.numbers
                .extend([("depth", 9.0), ("nodes", 20_000.0)].map(|(name, value)| (name.to_owned(), value)));
            turn.marks = vec![Shape::Rect([0.62, 0.62, 0.96, 0.96], Paint::Last)];
            turn.moves_before = Some(at + 8);
            let (answer, marks) = ("d3".to_owned(), turn.marks.clone());
            turn.other = Some(Other { answer, score: -391.0, worth: Some(-1832.0), marks });
        }
        let page = written(viewed);
        assert!(said.len() > 1_000 && page.len() < 1_000_000, "{} bytes", page.len());
        assert!(page.contains("id=\"turn=301\"") && page.contains("href=\"#turn=37\""));
        assert!(page.contains("<details class=\"position\">"), "a long list is folded");
        let mut viewed = game(300, "");
        viewed.turns.iter_mut().for_each(|turn| turn.text = "........\n".repeat(100));
        let page = written(viewed);
        assert!(page.contains("left out as text") && page.len() < 1_000_000, "{} bytes", page.len());
    }

    #[test]
    fn long_texts_are_cut_and_it_is_said() {
        let page = written(game(2, &"é".repeat(10_000)));
        assert!(page.contains("[11808 bytes more are not shown]"));
        assert_eq!(cut("abc", 3), "abc");
        assert_eq!(cut("aé", 2), "a\n[2 bytes more are not shown]");
    }

    #[test]
    fn disagreements_say_what_both_moves_are_worth() {
        let other = |answer: &str| Other {
            answer: answer.to_owned(),
            score: -391.0,
            worth: Some(-1832.0),
            ..Other::default()
        };
        let mut viewed = game(2, "");
        viewed.turns[0].other = Some(other("e6"));
        viewed.turns[1].other = Some(other("d3"));
        let page = written(viewed);
        assert_eq!(page.matches("<p class=\"other\">").count(), 1);
        assert!(
            page.contains("<p class=\"other\">in:bot would play d3 (-391); e6 is worth -1832</p>"),
            "{page}"
        );
    }

    #[test]
    fn charts_legends_and_failures_need_no_script() {
        let mut viewed = game(6, "depth 9, score 34, 20000 nodes");
        viewed.turns[5].failure =
            Some("time-out on a later turn: expected one line within 100 ms; received nothing".to_owned());
        viewed.colours = vec![1, 0];
        let page = written(viewed);
        let before_script = &page[..page.find("<script").unwrap()];
        assert_eq!(before_script.matches("<svg class=\"chart\"").count(), 2, "scores and times");
        assert!(before_script.contains("<i class=\"line\" style=\"--c:var(--p1)\"></i>A"), "{before_script}");
        assert!(page.contains("style=\"--s0:var(--p1);--s1:var(--p0);"), "one map of colours");
        assert!(page.contains("<p class=\"failure\">time-out on a later turn: expected one line within 100 ms; received nothing</p>"));
        assert!(page.contains(
            ">turn 6</a> <span class=\"bot s1\">B</span> <b class=\"answer\">time-out on a later turn</b>"
        ));
        assert!(page.contains("<a href=\"#turn=6\">turn 6</a> B failed: time-out on a later turn"));
    }
}
