//! The page of a lost game of every contest, in light and dark, at a desk and on a phone: one screen, and text that can be
//! read.

use coppice_browser::{games, Browser, VIEWS};
use fantoccini::Locator;

#[tokio::test]
#[ignore = "needs chromium"]
async fn every_contests_page_is_one_screen_and_can_be_read_in_four_views() {
    let folder = tempfile::tempdir().unwrap();
    let wanted = std::env::var("CONTESTS").unwrap_or_default();
    let games = games::all().filter(|game| wanted.is_empty() || wanted.split(',').any(|name| game.is(name)));
    let pages = games.map(|game| (game.name(), game.write(folder.path()))).collect::<Vec<_>>();
    assert!(!pages.is_empty(), "CONTESTS={wanted} names none");
    let mut faults = Vec::new();
    for (suffix, size, is_dark) in VIEWS {
        let browser = Browser::start(size, is_dark).await;
        for (name, page) in &pages {
            browser.open(page, "").await;
            let turns =
                browser.number("JSON.parse(document.getElementById('data').textContent)[0].turns").await;
            let middle = format!("#turn={}", (turns / 2.0).ceil());
            let last = format!("#turn={}", turns + 1.0);
            for place in ["", "#turn=1", &middle, &last] {
                browser.open(page, place).await;
                let found = browser.value(include_str!("checks.js").trim_end()).await;
                let found = found.as_array().expect("a list").iter();
                faults.extend(
                    found.map(|fault| format!("{name}{suffix} {place}: {}", fault.as_str().unwrap_or("?"))),
                );
            }
        }
    }
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
}

/// Presses a key on the page.
async fn press(browser: &Browser, key: &str) {
    browser.client.find(Locator::Css("body")).await.unwrap().send_keys(key).await.unwrap();
}

#[tokio::test]
#[ignore = "needs chromium"]
async fn a_line_is_stepped_through_on_the_board_and_keys_lead_to_what_matters() {
    let folder = tempfile::tempdir().unwrap();
    let page = games::all().find(|game| game.is("reversi")).expect("reversi").write(folder.path());
    let browser = Browser::start(VIEWS[0].1, VIEWS[0].2).await;
    browser.open(&page, "").await;
    let board = "document.querySelector('svg.board').innerHTML";
    let turn = "document.querySelector('.game.now .controls input').valueAsNumber";
    let (opened, losing) = (browser.value(board).await, browser.number(turn).await);
    // Both lines stand at the losing turn, each with the score at its end.
    let lines =
        browser.value("[...document.querySelectorAll('.turn.now .line')].map(p => p.textContent)").await;
    let lines = lines.as_array().unwrap();
    assert!(lines.len() == 2 && lines[0].as_str().unwrap().starts_with("better:"), "{lines:?}");
    assert!(lines.iter().all(|line| line.as_str().unwrap().contains("→ ")), "{lines:?}");
    // Each goes on for some moves, in the colour of the bot that makes them.
    let movers = "[...document.querySelectorAll('.turn.now .line')].map(p => [...p.querySelectorAll('a')].slice(0, 4).map(a => a.className).join(' '))";
    let taking_turns = ["s0 s1 s0 s1"; 2];
    assert_eq!(browser.value(movers).await, serde_json::json!(taking_turns));
    // A click shows the position after that move, arrows step, Esc leads back.
    browser
        .client
        .find(Locator::Css(".turn.now .line a:nth-of-type(2)"))
        .await
        .unwrap()
        .click()
        .await
        .unwrap();
    browser.client.wait().for_element(Locator::Css(".line a.now")).await.unwrap();
    let second = browser.value(board).await;
    press(&browser, "\u{e012}").await;
    let first = browser.value(board).await;
    assert!(first != second && first != opened && second != opened);
    assert_eq!(browser.value("document.querySelectorAll('.line a.now').length").await, 1);
    let discs = "[...document.querySelector('svg.board').textContent.matchAll(/(\\d+) discs/g)].reduce((n, m) => n + +m[1], 0)";
    let after_one = browser.number(discs).await;
    press(&browser, "\u{e00c}").await;
    assert_eq!(browser.value(board).await, opened);
    assert_eq!(browser.number(discs).await + 1.0, after_one, "a move adds a disc");
    // Mistakes, own turns, a board turned by half.
    press(&browser, "n").await;
    let mistake = browser.number(turn).await;
    assert!(mistake != losing);
    let is_marked = format!("document.querySelectorAll('.moves a')[{mistake} - 1].matches('.costly, .lost')");
    assert_eq!(browser.value(&is_marked).await, true);
    press(&browser, "o").await;
    assert!(browser.number(turn).await > mistake);
    assert_eq!(browser.value("document.querySelector('.turn.now .bot').textContent").await, "A");
    let upright = browser.value(board).await;
    press(&browser, "f").await;
    let turned = browser.value(board).await;
    assert_ne!(turned, upright);
    press(&browser, "f").await;
    assert_eq!(browser.value(board).await, upright);
    press(&browser, "?").await;
    assert_eq!(browser.value("document.querySelector('dialog').open").await, true);
    assert!(browser.complaints().await.is_empty());
}

/// A pod may leave its map, and with it the drawing.
#[tokio::test]
#[ignore = "needs chromium"]
async fn a_shape_beyond_the_drawing_covers_no_heading() {
    let folder = tempfile::tempdir().unwrap();
    let page = games::all().find(|game| game.is("podracing")).expect("podracing").write(folder.path());
    let browser = Browser::start(VIEWS[0].1, VIEWS[0].2).await;
    browser.open(&page, "").await;
    // A disc as large as the page.
    let covered = "(() => {
        const svg = document.querySelector('.game.now svg.board');
        svg.innerHTML += '<circle r=\"1000\"/>';
        const isCovered = (e) => {
            const { left, top, width, height } = e.getBoundingClientRect();
            return svg.contains(document.elementFromPoint(left + width / 2, top + height / 2));
        };
        const texts = [...document.querySelectorAll('h1, .bots li, .game.now header .facts, .controls, .top'), svg];
        return texts.filter(isCovered).map((e) => e.getAttribute('class') ?? e.tagName);
    })()";
    assert_eq!(browser.value(covered).await, serde_json::json!(["board"]));
}
