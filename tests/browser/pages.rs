//! `arena view` and `--report` in a browser: keys, slider, links, charts, copying, dark and light, a phone's width, and that
//! what bots write stays text.

use std::fs;
use std::path::{Path, PathBuf};

use coppice_browser::{arena, Browser, LiveRun};
use fantoccini::key::Key;
use fantoccini::Locator;

const WIDE: [u32; 2] = [1280, 900];
const PHONE: [u32; 2] = [360, 740];

/// A page's game: tic-tac-toe, of which both sides wrote what a page must not run.
fn page(folder: &Path) -> PathBuf {
    const EVIL: &str =
        "</script><script>document.title='run'</script> <img src=x onerror=\"document.title='run'\">";
    arena(
        folder,
        &["play", "tictactoe", "in:alpha-beta --nodes 50", "in:random", "--games", "1", "--log-dir", "games"],
    );
    let record = folder.join("games/1.json");
    let mut game: serde_json::Value = serde_json::from_str(&fs::read_to_string(&record).unwrap()).unwrap();
    game["bots"][0]["name"] = format!("A{EVIL}").into();
    game["bots"][1]["command"] = EVIL.into();
    fs::write(&record, game.to_string()).unwrap();
    // Searches keep no logs: these are rebuilt from the record, with what bots could have said.
    let moves = game["moves"].as_str().unwrap().split(' ').collect::<Vec<_>>();
    let cells = (0..9).map(|cell| format!("{},{}", cell / 3, cell % 3)).collect::<Vec<_>>();
    for seat in 0..2 {
        let mut log = String::new();
        for (turn, made) in moves.iter().enumerate().filter(|(turn, _)| turn % 2 == seat) {
            let before = if turn == 0 { "-1 -1".to_owned() } else { moves[turn - 1].replace(',', " ") };
            let free =
                cells.iter().filter(|cell| !moves[..turn].contains(&cell.as_str())).collect::<Vec<_>>();
            log += &format!("> {before}\n> {}\n", free.len());
            free.iter().for_each(|cell| log += &format!("> {}\n", cell.replace(',', " ")));
            log += &format!(
                "< {}\n! depth 3, score {}, 90 nodes\n! {EVIL}\n",
                made.replace(',', " "),
                50 - 30 * turn as i32
            );
            log += &format!("! @txt red 1 1 9 {EVIL}\n! [TDATA] <b>{turn} = 4\n");
        }
        fs::write(folder.join(format!("games/1.p{seat}.log")), log).unwrap();
    }
    arena(folder, &["view", "games/1.p0.log", "--compare", "in:alpha-beta --nodes 60", "-o", "page.html"]);
    folder.join("page.html")
}

/// The number of the turn that is shown. After a click on a link the page follows its address a moment later.
async fn shown(browser: &Browser) -> f64 {
    let turn = "document.querySelector('.game.now .controls input').valueAsNumber";
    let is_settled = format!("!location.hash || location.hash.endsWith('turn=' + {turn})");
    for _ in 0..100 {
        if browser.value(&is_settled).await == true {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    browser.number(turn).await
}

async fn assert_quiet(browser: &Browser) {
    let complaints = browser.complaints().await;
    assert!(complaints.is_empty(), "{complaints:?}");
}

/// Whether the page can only be scrolled up and down.
async fn assert_fits(browser: &Browser) {
    let more =
        browser.number("document.documentElement.scrollWidth - document.documentElement.clientWidth").await;
    assert_eq!(more, 0.0, "the page is wider than its window");
}

/// A picture of the window has many bytes: one colour would compress to a few hundred.
async fn assert_drawn(browser: &Browser) {
    let picture = browser.client.screenshot().await.expect("a screenshot");
    assert!(picture.len() > 10_000, "{} bytes", picture.len());
}

/// Whether the page without a turn in its address shows the first one that it says is worth a look.
async fn assert_opens_where_to_look(browser: &Browser) {
    let first = browser.value("document.querySelector('.game.now .look a')?.hash || '#turn=1'").await;
    assert_eq!(format!("#turn={}", shown(browser).await), first.as_str().unwrap());
}

#[tokio::test]
#[ignore = "needs chromium"]
async fn turns_are_reached_by_keys_slider_links_and_charts() {
    let folder = tempfile::tempdir().unwrap();
    let page = page(folder.path());
    let browser = Browser::start(WIDE, false).await;
    browser.open(&page, "#turn=3").await;
    assert_eq!(shown(&browser).await, 3.0, "the address says the turn");
    let body = browser.client.find(Locator::Css("body")).await.unwrap();
    let press = |key: Key| body.send_keys(Box::leak(String::from(char::from(key)).into_boxed_str()));
    press(Key::Right).await.unwrap();
    assert_eq!(shown(&browser).await, 4.0);
    press(Key::Left).await.unwrap();
    press(Key::Left).await.unwrap();
    assert_eq!(shown(&browser).await, 2.0);
    assert_eq!(browser.value("location.hash").await, "#turn=2");
    press(Key::Home).await.unwrap();
    assert_eq!(shown(&browser).await, 1.0);
    press(Key::End).await.unwrap();
    let last = browser.number("document.querySelectorAll('.game.now .turn').length").await;
    assert_eq!(shown(&browser).await, last);
    assert_eq!(
        browser
            .number("[...document.querySelectorAll('.turn')].filter(t => t.offsetHeight > 0).length")
            .await,
        1.0
    );
    // The slider.
    let slider = browser.client.find(Locator::Css(".controls input")).await.unwrap();
    let right = String::from(char::from(Key::Left));
    slider.send_keys(&right).await.unwrap();
    assert_eq!(shown(&browser).await, last - 1.0);
    // A link to a turn.
    browser.client.find(Locator::Css(".look a")).await.expect("where to look").click().await.unwrap();
    let linked = browser.value("document.querySelector('.look a').hash").await;
    assert_eq!(browser.value("location.hash").await, linked);
    assert_eq!(format!("#turn={}", shown(&browser).await), linked.as_str().unwrap());
    // The middle of a chart is the middle of the game.
    browser.client.find(Locator::Css(".chart svg")).await.expect("a chart").click().await.unwrap();
    assert!((shown(&browser).await - last / 2.0).abs() <= 1.0, "of {last}");
    // Play, by its button, which the keyboard reaches.
    browser.client.find(Locator::Css("[data-go=first]")).await.unwrap().click().await.unwrap();
    browser.client.find(Locator::Css("[data-go=play]")).await.unwrap().click().await.unwrap();
    assert_eq!(browser.value("document.querySelector('[data-go=play]').ariaPressed").await, "true");
    tokio::time::sleep(std::time::Duration::from_millis(1_600)).await;
    assert!(shown(&browser).await >= 2.0);
    assert_quiet(&browser).await;
}

#[tokio::test]
#[ignore = "needs chromium"]
async fn what_bots_write_is_text() {
    let folder = tempfile::tempdir().unwrap();
    let page = page(folder.path());
    let browser = Browser::start(WIDE, false).await;
    browser.open(&page, "#turn=1").await;
    let title = browser.value("document.title").await;
    assert!(title.as_str().unwrap().contains("</script><script>"), "{title}");
    assert_eq!(browser.number("document.querySelectorAll('img').length").await, 0.0);
    assert_eq!(browser.number("document.scripts.length").await, 2.0);
    let said = browser.value("document.querySelector('.turn.now .said').textContent").await;
    assert!(
        said.as_str().unwrap().contains("</script><script>document.title='run'</script> <img src=x"),
        "{said}"
    );
    let drawn = browser.value("document.querySelector('svg.drawn').textContent").await;
    assert!(drawn.as_str().unwrap().contains("</script>"), "{drawn}");
    assert_quiet(&browser).await;
}

#[tokio::test]
#[ignore = "needs chromium"]
async fn input_and_commands_are_copied() {
    let folder = tempfile::tempdir().unwrap();
    let page = page(folder.path());
    let browser = Browser::start(WIDE, false).await;
    browser.open(&page, "#turn=2").await;
    // What the clipboard would get; a headless browser has none that can be read.
    let spy = "(window.copied = [], navigator.clipboard.writeText = async (text) => { window.copied.push(text); }, 1)";
    assert_eq!(browser.number(spy).await, 1.0);
    for button in browser.client.find_all(Locator::Css(".turn.now button")).await.unwrap() {
        button.click().await.unwrap();
    }
    let copied = browser.value("window.copied").await;
    assert!(
        copied[0].as_str().unwrap().ends_with("\n") && copied[0].as_str().unwrap().contains("\n8\n"),
        "{copied}"
    );
    // Files are named so that a command works from any folder.
    let file = |name: &str| folder.path().join(name).display().to_string();
    let record = file("games/1.json");
    let debug = format!("| arena debug tictactoe --search alpha-beta --pool-mb 8 --replay {record} --ply 2");
    assert!(copied[1].as_str().unwrap().ends_with(&debug), "{copied}");
    assert!(copied[2].as_str().unwrap().starts_with(&format!("arena replay {record}")), "{copied}");
    // Of a long game the script puts commands together.
    let long =
        ["play", "tron:4", "in:area", "in:area", "in:area", "in:area", "--games", "1", "--log-dir", "long"];
    arena(folder.path(), &long);
    arena(folder.path(), &["view", "long/1.json", "-o", "long.html"]);
    browser.open(&folder.path().join("long.html"), "#turn=151").await;
    // The script of a page of a megabyte takes a moment.
    browser.client.wait().for_element(Locator::Css(".turn.now code")).await.unwrap();
    let commands =
        browser.value("[...document.querySelectorAll('.turn.now code')].map(c => c.textContent)").await;
    let record = file("long/1.json");
    let replay = format!("arena replay {record} --contest tron:4 --turn 151 --seat 2 --bot ./mine");
    assert_eq!(commands[1], replay, "{commands}");
    assert!(commands[0].as_str().unwrap().ends_with(&format!("--replay {record} --ply 151")), "{commands}");
    assert_quiet(&browser).await;
}

#[tokio::test]
#[ignore = "needs chromium"]
async fn without_a_comparison_its_command_is_copied_and_the_end_is_shown() {
    let folder = tempfile::tempdir().unwrap();
    page(folder.path());
    arena(folder.path(), &["view", "games/1.p0.log", "-o", "plain.html"]);
    let browser = Browser::start(WIDE, false).await;
    browser.open(&folder.path().join("plain.html"), "").await;
    let spy = "(window.copied = [], navigator.clipboard.writeText = async (text) => { window.copied.push(text); }, 1)";
    assert_eq!(browser.number(spy).await, 1.0);
    browser.client.find(Locator::Css(".top > .command button")).await.unwrap().click().await.unwrap();
    let copied = browser.value("window.copied[0]").await;
    assert!(copied.as_str().unwrap().contains("games/1.json --compare 'in:"), "{copied}");
    // The final position, by the list of moves.
    let end = browser.client.find(Locator::Css(".moves li:last-child a")).await.unwrap();
    assert_eq!(end.text().await.unwrap(), "end");
    end.click().await.unwrap();
    shown(&browser).await;
    let lines = "document.querySelectorAll('svg.board polyline, svg.board circle').length";
    assert!(browser.number(lines).await >= 5.0, "the board after the last move");
    let told = browser.value("document.querySelector('.controls output').value").await;
    assert_eq!(told, "final position");
    assert_quiet(&browser).await;
}

#[tokio::test]
#[ignore = "needs chromium"]
async fn pages_look_well_in_dark_and_light_and_on_a_phone() {
    let folder = tempfile::tempdir().unwrap();
    let page = page(folder.path());
    let arguments =
        ["match", "tictactoe", "in:alpha-beta --nodes 50", "in:random", "-n", "20", "--openings", "1"];
    arena(folder.path(), &[&arguments[..], &["--report", "report.html", "--dir", "run"]].concat());
    let report = folder.path().join("report.html");
    for (is_dark, ground) in [(false, "rgb(255, 255, 255)"), (true, "rgb(20, 23, 28)")] {
        for size in [WIDE, PHONE] {
            let browser = Browser::start(size, is_dark).await;
            for file in [&page, &report] {
                browser.open(file, "").await;
                assert_eq!(browser.number("innerWidth").await, f64::from(size[0]));
                assert_eq!(browser.value("getComputedStyle(document.body).backgroundColor").await, ground);
                assert_fits(&browser).await;
                assert_drawn(&browser).await;
                let without_name = "[...document.querySelectorAll('button, input, select, svg:not([hidden]), a')]\
                    .filter(e => !(e.textContent.trim() || e.getAttribute('aria-label') || e.labels?.length)).length";
                assert_eq!(browser.number(without_name).await, 0.0, "everything has a name");
                assert_quiet(&browser).await;
            }
        }
    }
}

#[tokio::test]
#[ignore = "needs chromium"]
async fn a_report_leads_to_its_games_and_back() {
    let folder = tempfile::tempdir().unwrap();
    let arguments =
        ["match", "tictactoe", "A=in:random", "B=in:alpha-beta --nodes 50", "-n", "6", "--openings", "1"];
    let report =
        ["--report", "my report.html", "--dir", "run", "--report-compare", "in:alpha-beta --nodes 60"];
    arena(folder.path(), &[&arguments[..], &report].concat());
    let browser = Browser::start(WIDE, false).await;
    browser.open(&folder.path().join("my%20report.html"), "").await;
    assert_eq!(browser.number("document.querySelectorAll('.games td:first-child a').length").await, 6.0);
    assert_eq!(
        browser.value("document.querySelector('.games tbody td:nth-child(2)').textContent").await,
        "lost"
    );
    // A page opens where to look first; the losing turn is a link to it.
    let losing =
        browser.client.find(Locator::Css(".games tbody a[href*='#turn=']")).await.expect("a losing turn");
    let turn = losing.attr("href").await.unwrap().unwrap();
    let turn: f64 = turn.rsplit('=').next().unwrap().parse().unwrap();
    losing.click().await.unwrap();
    assert_eq!(shown(&browser).await, turn);
    browser.client.find(Locator::Css(".back a")).await.unwrap().click().await.unwrap();
    browser.client.find(Locator::Css(".games tbody a")).await.unwrap().click().await.unwrap();
    assert_opens_where_to_look(&browser).await;
    // A's colour is the same whatever its seat.
    let colour =
        "getComputedStyle([...document.querySelectorAll('.bots b')].find(b => b.textContent === 'A')).color";
    let mine = browser.value(colour).await;
    browser.client.find(Locator::Css(".back a")).await.unwrap().click().await.unwrap();
    browser.client.find(Locator::Css(".games tbody tr:nth-child(2) a")).await.unwrap().click().await.unwrap();
    assert_eq!(browser.value(colour).await, mine);
    browser.client.find(Locator::Css(".back a")).await.unwrap().click().await.unwrap();
    assert!(browser.number("document.querySelectorAll('.games').length").await == 1.0);
    assert_quiet(&browser).await;
}

#[tokio::test]
#[ignore = "needs chromium"]
async fn games_of_a_report_are_sorted_and_filtered() {
    let folder = tempfile::tempdir().unwrap();
    let bots = ["A=in:random", "B=in:alpha-beta --nodes 50", "C=in:mcts --nodes 20"];
    let rate = [&["rate", "tictactoe"], &bots[..], &["-n", "6", "--openings", "1", "--dir", "run"]].concat();
    arena(folder.path(), &rate);
    arena(folder.path(), &["report", "run"]);
    let browser = Browser::start(WIDE, false).await;
    browser.open(&folder.path().join("run/report.html"), "").await;
    let games = "[...document.querySelectorAll('.games tbody tr')].filter(row => !row.hidden)";
    let count = format!("{games}.length");
    assert_eq!(browser.number(&count).await, 18.0);
    let choose = |name: &str, option: &str| {
        format!(
            "(() => {{ const list = document.querySelector('[name={name}]'); \
             list.value = [...list.options].find(option => option.text === '{option}').value; \
             list.dispatchEvent(new Event('input', {{ bubbles: true }})); return 1; }})()"
        )
    };
    browser.number(&choose("bot", "B")).await;
    assert_eq!(browser.number(&count).await, 12.0, "B has met two others six times");
    browser.number(&choose("opponent", "C")).await;
    assert_eq!(browser.number(&count).await, 6.0);
    assert_eq!(browser.value("document.querySelector('.filter output').textContent").await, "6 of 18 games");
    assert_eq!(browser.value("document.querySelector('.games th:nth-child(2)').textContent").await, "B");
    let points = format!(
        "{games}.every(row => {{ const [b, c] = ['B', 'C'].map(name => \
         Number(row.cells[2].textContent.match(name + ' (-?\\\\d+)')[1])); \
         return row.cells[1].textContent === (b > c ? 'won' : b < c ? 'lost' : 'drawn'); }})"
    );
    assert_eq!(browser.value(&points).await, true, "results are B's");
    browser.number(&choose("opponent", "all")).await;
    browser.number(&choose("bot", "all")).await;
    // Sorted up, down, and as at the beginning.
    let numbers = format!("{games}.map(row => Number(row.cells[0].textContent.split(' ')[1])).join()");
    let before = browser.value(&numbers).await;
    let up = (1..=18).map(|game| game.to_string()).collect::<Vec<_>>();
    let down = up.iter().rev().cloned().collect::<Vec<_>>().join(",");
    for expected in [up.join(","), down, before.as_str().unwrap().to_owned()] {
        browser.client.find(Locator::Css(".games th button")).await.unwrap().click().await.unwrap();
        assert_eq!(browser.value(&numbers).await, expected);
    }
    assert_fits(&browser).await;
    assert_quiet(&browser).await;
}

#[tokio::test]
#[ignore = "needs chromium"]
async fn the_page_of_a_run_is_renewed_while_it_is_played() {
    let folder = tempfile::tempdir().unwrap();
    let bots = ["A=in:random", "B=in:mcts --nodes 2000"];
    let words =
        [&["match", "tictactoe"], &bots[..], &["-n", "100000", "--openings", "2", "-j", "1"]].concat();
    let run = LiveRun::start(folder.path(), &words);
    let browser = Browser::start(WIDE, false).await;
    browser.client.goto(&run.address).await.expect("the page loads");
    let games = "(document.querySelector('.state')?.textContent.match(/\\d+/) ?? [0]).map(Number)[0]";
    let mut seen = Vec::new();
    // Pages come a second apart; ten times that on a busy machine.
    for _ in 0..600 {
        let count = browser.number(games).await;
        if count > *seen.last().unwrap_or(&0.0) {
            seen.push(count);
        }
        if seen.len() == 3 {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(100)).await;
    }
    assert_eq!(seen.len(), 3, "three pages of ever more games: {seen:?}");
    assert_eq!(browser.value("document.body.textContent.includes('Score of A')").await, true);
    assert_quiet(&browser).await;
    drop(run);
    // The page stays when the run is gone.
    assert!(browser.number(games).await >= seen[2]);
}

#[tokio::test]
#[ignore = "needs chromium"]
async fn a_page_opens_where_to_look_and_shows_both_moves() {
    let folder = tempfile::tempdir().unwrap();
    let page = page(folder.path());
    let browser = Browser::start(WIDE, false).await;
    browser.open(&page, "").await;
    assert_opens_where_to_look(&browser).await;
    browser.open(&page, "#turn=1").await;
    assert_eq!(shown(&browser).await, 1.0, "unless the address says another turn");
    // A turn in which the search would play something else: both moves on the board, both in the legend and the text.
    let differs =
        browser.client.find(Locator::Css(".moves a.costly, .moves a.differs")).await.expect("a disagreement");
    differs.click().await.unwrap();
    shown(&browser).await;
    let outlines = |name: &str| format!("document.querySelectorAll('svg.board .{name}').length");
    assert_eq!(browser.number(&outlines("played")).await, 1.0);
    assert_eq!(browser.number(&outlines("preferred")).await, 1.0);
    let dashes = "getComputedStyle(document.querySelector('svg.board .preferred')).strokeDasharray";
    assert_ne!(browser.value(dashes).await, "none");
    let text = "document.querySelector('.stage .legend').innerText + document.querySelector('.turn.now .other').innerText";
    let text = browser.value(text).await;
    let text = text.as_str().unwrap();
    let words = ["played: ", "the search would play: ", "The search would play"];
    assert!(words.iter().all(|words| text.contains(words)), "{text}");
    assert_quiet(&browser).await;
}

#[tokio::test]
#[ignore = "needs chromium"]
async fn without_scripts_charts_legends_and_all_turns_are_there() {
    let folder = tempfile::tempdir().unwrap();
    let page = page(folder.path());
    let text = fs::read_to_string(&page).unwrap();
    let parts = text.split("<script").map(|part| part.split_once("</script>").map_or(part, |(_, rest)| rest));
    let plain = folder.path().join("plain.html");
    fs::write(&plain, parts.collect::<String>()).unwrap();
    for size in [WIDE, PHONE] {
        let browser = Browser::start(size, true).await;
        browser.open(&plain, "").await;
        assert_eq!(browser.number("document.scripts.length").await, 0.0);
        let seen = |what: &str| {
            format!("[...document.querySelectorAll('{what}')].filter(e => e.getBoundingClientRect().height > 20).length")
        };
        let turns = browser.number("document.querySelectorAll('.turn').length").await;
        assert_eq!(browser.number(&seen(".turn")).await, turns, "a list of all turns");
        assert!(browser.number(&seen("svg[data-step]")).await >= 1.0, "charts");
        let legend = browser.value("document.querySelector('.chart .legend').innerText").await;
        assert!(legend.as_str().unwrap().contains("the search"), "{legend}");
        let numbers = browser
            .value("[...document.querySelectorAll('svg[data-step] text')].map(t => t.textContent)")
            .await;
        let has_number =
            |text: &serde_json::Value| text.as_str().is_some_and(|text| text.parse::<f64>().is_ok());
        assert!(numbers.as_array().unwrap().iter().any(has_number), "{numbers}");
        assert_fits(&browser).await;
        assert_quiet(&browser).await;
    }
}

#[tokio::test]
#[ignore = "needs chromium"]
async fn a_failed_turn_is_a_turn_with_a_red_bar() {
    let folder = tempfile::tempdir().unwrap();
    let bot = "read a; read n; for i in $(seq $n); do read x; last=$x; done; echo $last; read a; echo 9 9";
    fs::write(folder.path().join("bot.sh"), bot).unwrap();
    let arguments = ["play", "tictactoe", "sh bot.sh", "sh bot.sh", "--games", "1", "--log-dir", "games"];
    arena(folder.path(), &arguments);
    arena(folder.path(), &["view", "games/1.p0.log", "-o", "page.html"]);
    let browser = Browser::start(WIDE, false).await;
    browser.open(&folder.path().join("page.html"), "").await;
    assert_eq!(shown(&browser).await, 3.0, "it opens there");
    let text = browser.value("document.querySelector('.turn.now').innerText").await;
    let text = text.as_str().unwrap();
    assert!(text.contains("turn 3") && text.contains("expected") && text.contains("\"9 9\""), "{text}");
    let bars = "document.querySelectorAll('svg[data-step] rect[fill=\"var(--bad)\"]').length";
    assert!(browser.number(bars).await >= 1.0);
    let colour = "getComputedStyle(document.querySelector('svg[data-step] rect[fill=\"var(--bad)\"]')).fill";
    assert_eq!(browser.value(colour).await, "rgb(180, 35, 24)");
    let title = browser.value("document.title").await;
    assert!(title.as_str().unwrap().starts_with("A lost to B, 0 to 1 ("), "{title}");
    assert_quiet(&browser).await;
}

#[tokio::test]
#[ignore = "needs chromium"]
async fn of_four_bots_each_loser_can_be_chosen() {
    let folder = tempfile::tempdir().unwrap();
    let bots = ["in:random", "in:area --nodes 50", "in:area --nodes 100", "in:area --nodes 50"];
    arena(folder.path(), &[&["play", "tron:4"], &bots[..], &["--log-dir", "games"]].concat());
    arena(folder.path(), &["view", "games/1.json", "--compare", "in:area --nodes 50", "-o", "page.html"]);
    let browser = Browser::start(WIDE, false).await;
    browser.open(&folder.path().join("page.html"), "").await;
    assert_opens_where_to_look(&browser).await;
    let open = "[...document.querySelectorAll('.look details')].filter(d => d.open).length";
    assert_eq!(browser.number("document.querySelectorAll('.look details').length").await, 3.0, "the losers");
    assert_eq!(browser.number(open).await, 1.0);
    // Another one: its turn is shown, the first one's are folded away, and its lines stand out.
    let last = ".look details:last-of-type summary";
    browser.client.find(Locator::Css(last)).await.expect("another bot").click().await.unwrap();
    let turn = browser.value("document.querySelector('.look details:last-of-type a').hash").await;
    assert_eq!(format!("#turn={}", shown(&browser).await), turn.as_str().unwrap());
    assert_eq!(browser.number(open).await, 1.0);
    let faded = "new Set([...document.querySelectorAll('.chart .faded')].map(g => g.dataset.bot))";
    let chosen = browser.value("document.querySelector('.look details[open]').dataset.bot").await;
    let is_faded = format!("{faded}.has('{}')", chosen.as_str().unwrap());
    assert_eq!(browser.value(&is_faded).await, false);
    assert!(browser.number(&format!("{faded}.size")).await >= 2.0, "the others' are faint");
    // By the keyboard too.
    let first = browser.client.find(Locator::Css(".look summary")).await.unwrap();
    first.send_keys(&String::from(char::from(Key::Enter))).await.unwrap();
    assert_opens_where_to_look(&browser).await;
    let marks =
        "document.querySelector('svg[data-step]').querySelectorAll('polyline[fill^=\"var(--p\"]').length";
    assert!((1.0..=12.0).contains(&browser.number(marks).await), "few marks");
    // A mark of the chart leads to its turn.
    let mark = "svg[data-step] a polyline[fill^='var(--p']";
    browser.client.find(Locator::Css(mark)).await.expect("a mark").click().await.unwrap();
    let linked = format!("document.querySelector(\"{mark}\").closest('a').getAttribute('href')");
    let linked = browser.value(&linked).await;
    assert_eq!(format!("#turn={}", shown(&browser).await), linked.as_str().unwrap());
    assert_quiet(&browser).await;
}
