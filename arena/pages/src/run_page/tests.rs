//! Tests of the report.

use super::*;
use coppice_referee::record::example;
use coppice_referee::report::summary::Tally;
use coppice_stats::Scoring;

#[test]
fn a_long_run_is_a_page_that_opens_at_once() {
    let games = (1..=4_000).map(example).collect::<Vec<_>>();
    let grouping = Grouping { size: 2, alone: false, scoring: Scoring::default() };
    let mut bots = example(1).bots;
    bots[1].command = "</style><script>alert(1)</script>".to_owned();
    let mut tally = Tally::new("toy", bots, grouping);
    games.iter().for_each(|record| tally.add(record, &[0, 1]));
    let summary = tally.summary();
    let page_of = |game: u32| {
        let losing_turn = (game == 2).then(|| (7, "turn 7".to_owned()));
        (game, GamePage { address: format!("r-games/{game}.html"), losing_turn })
    };
    let run = Run {
        title: "toy <b>".to_owned(),
        state: "4000 games".to_owned(),
        about: vec![("seed".to_owned(), "<7>".to_owned())],
        command: "arena match".to_owned(),
        file: "run/games.jsonl".to_owned(),
        games: games.iter().collect(),
        summary: &summary,
        standings: None,
        grouping,
        is_evidence: vec![true; 2_000],
        samples: (0..2_000).map(|pair| f64::from(pair % 5) / 4.0).collect(),
        test: None,
        pages: (1..=4_000).map(page_of).collect(),
        courses: Courses::default(),
        live: None,
    };
    let page = page(&run).unwrap();
    assert!(page.len() < 500_000, "{} bytes", page.len());
    assert_eq!(page.matches(".html\">game ").count(), MOST_ROWS);
    assert!(page.contains("<a href=\"r-games&#x2f;2.html#turn=7\">turn 7</a>"), "the losing turn");
    assert!(page.contains("the losses of A first, the shortest first"));
    assert!(page.contains("3000 games more are in"), "it says what is left out");
    assert!(
        page.contains("&lt;&#x2f;style&gt;&lt;script&gt;") && page.matches("<script").count() == 1,
        "commands are text"
    );
    assert!(page.contains("toy &lt;b&gt;") && page.contains("<dt>seed</dt><dd>&lt;7&gt;</dd>"));
    assert!(page.contains("script-src 'unsafe-inline'") && !page.contains("connect-src"));
    // The results of a run stand above its games.
    let place = |text: &str| page.find(text).unwrap_or_else(|| panic!("{text}"));
    assert!(place(">Seats") < place(">Endings") && place(">Endings") < place("class=\"games\""));
    // A is on the second seat of even games, and has lost them.
    assert!(page.contains("<tr data-b=\"1 0\" data-r=\"2 0\" data-e=\"0\">"), "what the script filters by");
    let text = markdown(&run);
    assert!(text.starts_with("# toy <b>\n\n4000 games\n\n- seed: <7>\n"), "{text}");
    assert!(text.contains("\n## Endings (4000 of 4000 games ended normally)\n\n|  | A | B |\n|---|---|---|\n| normal | 4000 | 4000 |\n"));
    assert!(!text.contains("<svg") && text.contains("| points a game | command |"));
}

#[test]
fn a_score_is_the_share_of_the_others_that_were_beaten() {
    assert_eq!((score(&example(1), "A"), score(&example(1), "B")), (Some(1.0), Some(0.0)));
    assert_eq!(score(&example(1), "C"), None);
    let three = GameRecord {
        scores: vec![3, 3, 1],
        bots: [example(1).bots, example(1).bots].concat()[..3].to_vec(),
        ..example(1)
    };
    assert_eq!(score(&three, "A"), Some(0.75));
}

#[test]
fn only_a_page_that_is_renewed_asks_its_server() {
    let page = waiting("no game <yet>", 7).unwrap();
    assert!(page.contains("no game &lt;yet&gt;") && page.contains("<main data-live=\"7\">"), "{page}");
    assert!(page.contains("connect-src 'self'") && page.contains("new EventSource"));
    let page = sheet(&Sheet::default()).unwrap();
    assert!(
        !page.contains("<script") && !page.contains("connect-src") && !page.contains("data-live"),
        "{page}"
    );
    let proof = "arena sprt <a>".to_owned();
    let page = sheet(&Sheet { verdict: "The proof is:".to_owned(), proof, ..Sheet::default() }).unwrap();
    assert!(
        page.contains(">arena sprt &lt;a&gt;</code>") && page.contains("<script"),
        "it can be copied: {page}"
    );
}
