//! Tests of the page.

use super::*;
use crate::view::{Other, ViewedBot};
use contest::drawing::{Drawing, Shape};

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

fn page_of(game: Viewed) -> String {
    let heading = Heading { title: "Games".to_owned(), compared: "in:bot".to_owned(), ..Heading::default() };
    let command = |_: usize, number: usize| {
        vec![Command { label: "Look", text: format!("arena debug --ply {number}") }]
    };
    page(&[game], &heading, &command).unwrap()
}

#[test]
fn what_bots_write_is_text() {
    let page = page_of(game(3, "</script><script>alert(1)</script>\n@txt red 1 1 9 </script><b>"));
    assert_eq!(page.matches("<script").count(), 2, "its own data and its own script");
    assert_eq!(page.matches("</script>").count(), 2);
    assert!(page.contains("&lt;/script>&lt;script>alert(1)"), "shown as it was written");
    assert!(page.contains("a &lt;game&gt;"));
    assert!(!page.contains("http://") || page.contains("www.w3.org"), "nothing is loaded");
}

#[test]
fn colours_are_left_out_and_what_turns_the_direction_is_named() {
    let page = page_of(game(3, "\u{1b}[1;31mvérité\u{1b}[0m\n@txt red 1 1 9 a\u{202e}b\na\u{202e}b"));
    assert!(
        page.contains("vérité\n") && !page.contains('\u{1b}') && !page.contains("[1;31m"),
        "the text is kept"
    );
    assert!(page.contains("a[U+202E]b") && !page.contains('\u{202e}'));
}

#[test]
fn three_hundred_turns_can_be_mailed() {
    let said: String = ["depth 9, score 34, 20000 nodes </a> \"&\"\n"].repeat(26).concat();
    let mut viewed = game(300, &said);
    // With numbers, both moves on the board, and a comparison that would play something else in every turn.
    for (at, turn) in viewed.turns.iter_mut().enumerate() {
        turn.numbers
            .extend([("depth", 9.0), ("nodes", 20_000.0)].map(|(name, value)| (name.to_owned(), value)));
        turn.marks = vec![Shape::Rect([0.62, 0.62, 0.96, 0.96], Paint::Last)];
        turn.moves_before = Some(at + 8);
        let (answer, marks) = ("d3".to_owned(), turn.marks.clone());
        turn.other = Some(Other { answer, score: -391.0, worth: Some(-1832.0), marks, ..Other::default() });
    }
    let page = page_of(viewed);
    assert!(said.len() > 1_000 && page.len() < 1_000_000, "{} bytes", page.len());
    assert!(page.contains("id=\"turn=301\"") && page.contains("href=\"#turn=37\""));
    assert!(page.contains("<details class=\"position\">"), "a long list is folded");
    let mut viewed = game(300, "");
    viewed.turns.iter_mut().for_each(|turn| turn.text = "........\n".repeat(100));
    let page = page_of(viewed);
    let quiet = "<p class=\"facts\">a long game: its positions are drawn, and left out as text</p>";
    assert!(page.contains(quiet) && page.len() < 1_000_000, "{} bytes", page.len());
}

#[test]
fn long_texts_are_cut_and_it_is_said() {
    let page = page_of(game(2, &"é".repeat(10_000)));
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
    let page = page_of(viewed);
    assert_eq!(page.matches("<p class=\"other\">").count(), 1);
    let words = "<p class=\"other\">The search would play d3 (-391) instead of e6 (-1832).</p>";
    assert!(page.contains(words) && page.contains("The search is <code>in:bot</code>"), "{page}");
}

#[test]
fn charts_legends_and_failures_need_no_script() {
    let mut viewed = game(6, "depth 9, score 34, 20000 nodes");
    viewed.turns[5].failure =
        Some("time-out on a later turn: expected one line within 100 ms; received nothing".to_owned());
    viewed.colours = vec![1, 0];
    let page = page_of(viewed);
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

#[test]
fn a_legend_explains_the_board_and_a_line_says_where_the_game_was_lost() {
    let mut viewed = game(4, "");
    for drawing in viewed.turns.iter_mut().filter_map(|turn| turn.position.as_mut()) {
        drawing.key(Paint::Hint, "legal moves");
        drawing.word("5 in a row win");
    }
    viewed.scores = vec![0, 1];
    let page = page_of(viewed);
    assert_eq!(page.matches("style=\"--c:var(--hint)\"></i>legal moves</li>").count(), 1);
    assert_eq!(page.matches("<li>5 in a row win</li>").count(), 1);
    assert!(page.contains("<b>A may have lost the game here:</b> <a href=\"#turn=3\">turn 3</a>"), "{page}");
    assert!(page.contains("<a class=\"s0 lost\" href=\"#turn=3\">3 e6</a>"), "{page}");
    assert!(
        page.contains("<dialog class=\"guide\"") && page.contains("“May have lost”: an estimate"),
        "{page}"
    );
    assert!(page.contains("<a href=\"#turn=5\">end</a>"), "the final position is in the list");
}

#[test]
fn the_command_of_a_hint_stands_alone() {
    let hint = Hint { text: "Which turn lost it?".to_owned(), command: "arena view <x>".to_owned() };
    let heading = Heading { hint: Some(hint), ..Heading::default() };
    let page = page(&[game(2, "")], &heading, &|_, _| Vec::new()).unwrap();
    assert!(
        page.contains(
            "<p class=\"hint command\"><span>Which turn lost it?</span><code>arena view &lt;x&gt;</code></p>"
        ),
        "{page}"
    );
}

#[test]
fn games_of_many_turns_show_less_of_each() {
    let mut viewed = game(800, &"x".repeat(1_000));
    viewed.turns.iter_mut().for_each(|turn| turn.sent = "1234 5678\n".repeat(400));
    let page = page_of(viewed);
    assert!(page.len() <= MAILED, "{} bytes", page.len());
    let cuts = |text: &str| page.matches(text).count();
    assert_eq!(cuts("[3750 bytes more are not shown]"), 800, "of the input");
    assert!(cuts("bytes more are not shown]") == 1600 && page.contains("xxxxxxxx"), "of standard error");
}
