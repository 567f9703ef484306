//! A contest of one's own: rules, evaluation, protocol, bot, arena and tests.
//!
//! A [`Shape`] has a game, whose four files are plain sources. Bot, arena and README are the same for all shapes but for a
//! few lines. The package for two players in turn is `examples/template`, which `cargo test` compiles and runs.

use minijinja::{context, Value};

use crate::dependency::Dependency;
use crate::name::PackageName;
use crate::new_file::{common_files, filled, NewFile};

/// The name that the games' sources have instead of the package's.
const TEMPLATE: &str = "template";

/// How a contest is played.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// One player makes a plan of moves.
    Solo,
    /// This many players move in turn, from 2 to 8.
    InTurn(u8),
    /// This many players move at the same time, from 1 to 8, and chance may take part.
    AtOnce(u8),
}

impl Shape {
    /// The number of players.
    pub fn players(self) -> u8 {
        match self {
            Self::Solo => 1,
            Self::InTurn(players) | Self::AtOnce(players) => players,
        }
    }

    /// The game that is written.
    fn game(self) -> Game {
        macro_rules! sources {
            ($folder:literal, $extension:literal, $tests:literal) => {
                [
                    ("src/game.rs", include_str!(concat!($folder, "game.rs", $extension))),
                    ("src/eval.rs", include_str!(concat!($folder, "eval.rs", $extension))),
                    ("src/protocol.rs", include_str!(concat!($folder, "protocol.rs", $extension))),
                    ("tests/rules.rs", include_str!(concat!($folder, $tests, "rules.rs", $extension))),
                ]
            };
        }
        match self {
            Self::Solo => Game { title: "peg solitaire", sources: sources!("solo/", ".txt", "") },
            Self::AtOnce(_) => Game { title: "Diamant", sources: sources!("joint/", ".txt", "") },
            Self::InTurn(_) => Game {
                title: "dots and boxes",
                sources: sources!("../../../../examples/template/src/", "", "../tests/"),
            },
        }
    }
}

/// The game of a shape.
struct Game {
    title: &'static str,
    /// Paths and texts.
    sources: [(&'static str, &'static str); 4],
}

/// The package's files.
pub fn files(name: &PackageName, shape: Shape, coppice: &Dependency) -> Vec<NewFile> {
    let game = shape.game();
    let players = format!("PLAYERS: usize = {};", shape.players());
    let source = |(path, text): (&str, &str)| {
        let text = text
            .replace(&format!("\"{TEMPLATE}\""), &format!("\"{name}\""))
            .replace(&format!("use {TEMPLATE}::"), &format!("use {}::", name.in_source()))
            .replace("PLAYERS: usize = 2;", &players);
        NewFile::new(path, text)
    };
    let values = values(name, shape, game.title);
    let file = |path: &str, template: &str| NewFile::new(path, filled(template, &values));
    let mut files: Vec<NewFile> = game.sources.into_iter().map(source).collect();
    files.extend([
        file("src/lib.rs", include_str!("lib.rs.txt")),
        file("src/main.rs", include_str!("main.rs.txt")),
        file(&format!("src/bin/{name}-arena.rs"), include_str!("arena.rs.txt")),
    ]);
    let readme = filled(include_str!("readme.md"), &values);
    files.push(NewFile::new("README.md", readme.replace("{name}", name.as_str())));
    files.extend(common_files(name, coppice, &["contest", "coppice", "coppice-arena"]));
    files
}

/// Values for the templates.
fn values(name: &PackageName, shape: Shape, title: &str) -> Value {
    let players = shape.players();
    // A node of a tree has a value for each player, or one value for one or two.
    let (offers, values) = match shape {
        Shape::Solo => ("offers_for_several", "::<_, _, 1>"),
        Shape::InTurn(2) => ("offers", ""),
        Shape::InTurn(_) => ("offers_for_several", "::<_, _, PLAYERS>"),
        Shape::AtOnce(_) => ("joint_offers", ""),
    };
    let (solo, joint) = (shape == Shape::Solo, matches!(shape, Shape::AtOnce(_)));
    context! {
        name => name.as_str(),
        package => name.in_source(),
        title => title,
        players => players,
        solo => solo,
        joint => joint,
        game => if values.contains("PLAYERS") { "{State, PLAYERS}" } else { "State" },
        player => if joint { "joint_player" } else { "player" },
        bot => if solo { "bot" } else { "{bot, BYTES}" },
        offers => offers,
        values => values,
        others => format!(" 'target/release/{name} --nodes 100'").repeat(usize::from(players) - 1),
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    fn texts(name: &str, shape: Shape) -> Vec<NewFile> {
        files(&PackageName::new(name).unwrap(), shape, &Dependency::new(None).unwrap())
    }

    fn text<'a>(files: &'a [NewFile], path: &str) -> &'a str {
        &files.iter().find(|file| file.path == path).expect(path).text
    }

    #[test]
    fn every_shape_has_the_name_and_the_players() {
        for shape in [Shape::Solo, Shape::InTurn(2), Shape::InTurn(5), Shape::AtOnce(1), Shape::AtOnce(8)] {
            let files = texts("rock-garden", shape);
            assert!(text(&files, "src/bin/rock-garden-arena.rs").contains("use rock_garden::eval::Eval;"));
            assert!(text(&files, "src/protocol.rs").contains("NAME: &'static str = \"rock-garden\""));
            assert!(text(&files, "Cargo.toml").contains("default-run = \"rock-garden\""));
            let players = format!("PLAYERS: usize = {};", shape.players());
            assert!(text(&files, "src/game.rs").contains(&players), "{shape:?}");
            for file in files.iter().filter(|file| file.path != "Cargo.lock") {
                assert!(!file.text.contains(TEMPLATE) && !file.text.contains("{name"), "{}", file.path);
            }
        }
    }

    /// `cargo test` compiles and runs what is written for two players in turn.
    #[test]
    fn the_example_is_what_is_written() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/template");
        for file in texts(TEMPLATE, Shape::InTurn(2)).iter().filter(|file| file.path.ends_with(".rs")) {
            let path = folder.join(&file.path);
            if std::env::var_os("COPPICE_RENEW").is_some() {
                std::fs::write(&path, &file.text).unwrap();
            }
            let example = std::fs::read_to_string(&path).unwrap_or_default();
            assert!(
                example == file.text,
                "{} differs from the template in arena/scaffold/src/own_contest: to write it again, set \
                 COPPICE_RENEW=1 and repeat this test",
                path.display()
            );
        }
    }
}
