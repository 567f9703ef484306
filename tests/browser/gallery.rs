//! Plays one lost game of each contest, writes its page, and takes its picture: `gallery FOLDER [CONTEST...]` writes
//! `CONTEST.png`, in light at 1280x900. With `--views` first it also keeps the pages and the games, and adds the three other
//! views: `CONTEST-dark.png`, `CONTEST-phone.png` and `CONTEST-phone-dark.png`.

use std::path::Path;

use coppice_browser::{games, Browser, VIEWS};

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let mut words = std::env::args().skip(1).peekable();
    let has_views = words.next_if(|word| word == "--views").is_some();
    let folder = words.next().expect("usage: gallery [--views] FOLDER [CONTEST...]");
    std::fs::create_dir_all(&folder).expect("the folder can be made");
    let folder = Path::new(&folder).canonicalize().expect("the folder can be found");
    let wanted = words.collect::<Vec<_>>();
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
