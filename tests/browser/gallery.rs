//! Plays one lost game of each contest, writes its page, and takes its picture: `gallery FOLDER [CONTEST...]` writes
//! `CONTEST.png`, in light at 1280x900. With `--views` first it also keeps the pages and the games, and adds the three other
//! views: `CONTEST-dark.png`, `CONTEST-phone.png` and `CONTEST-phone-dark.png`. `run.png` is the page of a run that goes on.

use std::path::Path;
use std::time::Duration;

use coppice_browser::{games, Browser, LiveRun, VIEWS};

/// The games after which the run's picture is taken.
const GAMES: f64 = 100.0;

/// Takes the picture of a run's page (`--live`) while the run goes on.
async fn take_run(file: &Path) {
    let passing = tempfile::tempdir().expect("a folder");
    let bots = ["new=in:bot --nodes 300", "old=in:bot --nodes 200"];
    let run = LiveRun::start(passing.path(), &[&["sprt", "reversi"], &bots[..], &["-j", "1"]].concat());
    let browser = Browser::start(VIEWS[0].1, false).await;
    browser.client.goto(&run.address).await.expect("the page loads");
    let games = "(document.querySelector('.state')?.textContent.match(/\\d+/) ?? [0]).map(Number)[0]";
    while browser.number(games).await < GAMES {
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
    let picture = browser.client.screenshot().await.expect("a screenshot");
    std::fs::write(file, picture).expect("the picture can be written");
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let mut words = std::env::args().skip(1).peekable();
    let has_views = words.next_if(|word| word == "--views").is_some();
    let folder = words.next().expect("usage: gallery [--views] FOLDER [CONTEST...]");
    std::fs::create_dir_all(&folder).expect("the folder can be made");
    let folder = Path::new(&folder).canonicalize().expect("the folder can be found");
    let wanted = words.collect::<Vec<_>>();
    if wanted.is_empty() || wanted.iter().any(|name| name == "run") {
        take_run(&folder.join("run.png")).await;
    }
    let games = games::all().filter(|game| wanted.is_empty() || wanted.iter().any(|name| game.is(name)));
    let passing = tempfile::tempdir().expect("a folder");
    let kept = if has_views { &folder } else { passing.path() };
    let pages = games.map(|game| game.write(kept)).collect::<Vec<_>>();
    for (suffix, size, is_dark) in VIEWS.into_iter().take(if has_views { VIEWS.len() } else { 1 }) {
        let browser = Browser::start(size, is_dark).await;
        for page in &pages {
            browser.open(page, "").await;
            let picture = browser.client.screenshot().await.expect("a screenshot");
            let name = page.file_stem().expect("a name").to_string_lossy();
            let file = folder.join(format!("{name}{suffix}.png"));
            std::fs::write(&file, picture).expect("the picture can be written");
            let paint = "performance.getEntriesByName('first-contentful-paint')[0].startTime";
            println!("{}: first paint after {:.0} ms", file.display(), browser.number(paint).await);
        }
    }
}
