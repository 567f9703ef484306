//! Plays one lost game of each contest, writes its page, and takes its picture: `cargo run --bin gallery -- FOLDER
//! [CONTEST...]`. Pages and pictures are named after the contest: in light at 1280x900 as `NAME.png`, in the other three views
//! as `NAME-dark.png`, `NAME-phone.png` and `NAME-phone-dark.png`.

use std::path::Path;

use coppice_browser::{games, Browser, VIEWS};

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let mut words = std::env::args().skip(1);
    let folder = words.next().expect("usage: gallery FOLDER [CONTEST...]");
    let folder = Path::new(&folder);
    std::fs::create_dir_all(folder).expect("the folder can be made");
    let folder = folder.canonicalize().expect("the folder can be found");
    let wanted = words.collect::<Vec<_>>();
    let games = games::all().filter(|game| wanted.is_empty() || wanted.iter().any(|name| game.is(name)));
    let pages = games.map(|game| game.write(&folder)).collect::<Vec<_>>();
    for (suffix, size, is_dark) in VIEWS {
        let browser = Browser::start(size, is_dark).await;
        for page in &pages {
            browser.open(page, "").await;
            let picture = browser.client.screenshot().await.expect("a screenshot");
            let name = page.file_stem().expect("a name").to_string_lossy();
            let file = folder.join(format!("{name}{suffix}.png"));
            std::fs::write(&file, picture).expect("the picture can be written");
            println!("{}", file.display());
        }
    }
}
