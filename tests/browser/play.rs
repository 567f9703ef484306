//! `arena serve --web` in a browser: a person plays on the board, with a hint and undo.

use coppice_browser::{Browser, LiveRun, VIEWS};
use fantoccini::Locator;

/// Contests, and whether a search plays against the person.
const CONTESTS: [(&str, bool); 5] =
    [("mancala", true), ("reversi", true), ("sudoku", false), ("boop", true), ("uttt", true)];

/// The number of moves so far.
const PLAYED: &str = "(document.querySelector('code')?.textContent ?? '').split(' ').filter(Boolean).length";

/// Clicks, and waits for the page that follows.
async fn click(browser: &Browser, what: Locator<'_>) {
    browser.value("window.isOld = true").await;
    browser.client.find(what).await.expect("a link").click().await.expect("a click");
    for _ in 0..500 {
        if browser.value("!window.isOld && document.readyState === 'complete'").await == true {
            return;
        }
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    panic!("no page follows a click");
}

#[tokio::test]
#[ignore = "needs chromium"]
async fn a_person_plays_on_the_board_in_four_views() {
    for (suffix, size, is_dark) in VIEWS {
        let browser = Browser::start(size, is_dark).await;
        for (contest, has_opponent) in CONTESTS {
            let place = format!("{contest}{suffix}");
            let server = LiveRun::serve(&[contest, "--nodes", "200"]);
            browser.client.goto(&server.address).await.unwrap();
            let wider = "document.documentElement.scrollWidth - document.documentElement.clientWidth";
            assert_eq!(browser.number(wider).await, 0.0, "{place}");
            let bottom = "Math.round(document.querySelector('svg').getBoundingClientRect().bottom)";
            assert!(browser.number(bottom).await <= f64::from(size[1]), "{place}: the board is cut off");
            let small = "[...document.querySelectorAll('.do')].filter(e => e.getBoundingClientRect().height < 30).length";
            assert_eq!(browser.number(small).await, 0.0, "{place}: links too small for a finger");
            // Both ways to a move: on the board, and in the list.
            click(&browser, Locator::Css("svg a")).await;
            let after = browser.number(PLAYED).await;
            assert!(if has_opponent { after >= 2.0 } else { after == 1.0 }, "{place}: {after} moves");
            click(&browser, Locator::Css("li a")).await;
            let later = browser.number(PLAYED).await;
            assert!(later > after, "{place}");
            click(&browser, Locator::LinkText("hint")).await;
            let said = browser.value("document.querySelector('.said').textContent").await;
            assert!(said.as_str().unwrap().contains(" would play "), "{place}: {said}");
            assert_eq!(browser.number(PLAYED).await, later, "{place}: a hint plays nothing");
            click(&browser, Locator::LinkText("undo")).await;
            assert_eq!(browser.number(PLAYED).await, after, "{place}");
            if has_opponent {
                click(&browser, Locator::LinkText("new game, you on seat 1")).await;
                assert!(browser.number(PLAYED).await >= 1.0, "{place}: the search begins");
            }
            let complaints = browser.complaints().await;
            assert!(complaints.iter().all(|text| text.contains("favicon")), "{place}: {complaints:?}");
        }
    }
}

/// A person fills in any cell, not only the one that a search would look at.
#[tokio::test]
#[ignore = "needs chromium"]
async fn a_person_solves_a_sudoku_in_any_order() {
    const PUZZLE: &str = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
    const SOLVED: &str = "534678912672195348198342567859761423426853791713924856961537284287419635345286179";
    let server = LiveRun::serve(&[&format!("sudoku:{PUZZLE}")]);
    let browser = Browser::start(VIEWS[0].1, VIEWS[0].2).await;
    browser.client.goto(&server.address).await.unwrap();
    let cells = PUZZLE
        .bytes()
        .zip(SOLVED.bytes())
        .enumerate()
        .filter(|(_, (clue, _))| *clue == b'.')
        .collect::<Vec<_>>();
    for (at, (_, digit)) in cells.iter().rev() {
        let name = format!("r{}c{}={}", at / 9 + 1, at % 9 + 1, char::from(*digit));
        click(&browser, Locator::LinkText(&name)).await;
    }
    let state = browser.value("document.querySelector('.state').textContent").await;
    assert_eq!(state, "the game is over: you 1");
    assert_eq!(browser.number("document.querySelectorAll('li').length").await, 0.0);
}
