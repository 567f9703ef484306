//! A minimal Othello bot: plays the first legal move it is sent. With the argument `grid` it uses the
//! protocol of tic-tac-toe.
//!
//! Other arguments make it misbehave, for tests: `zz` answers `zz`, `grid-twice` answers each turn of tic-tac-toe with two
//! lines, `grid-crash` exits with 7 in its second turn, `stays` keeps running when its input
//! ends, `late` stops answering after two turns, `bye` prints a line when its input ends,
//! `sleep-in-game-3 FILE` counts its games in FILE.games, writes its process id to FILE in the third and stops
//! answering, `spin-in-two FILE` appends its process id and that of a child to FILE and is busy for ever, as is the child, and
//! `dies-in-game-10 FILE` counts its games in FILE and exits with 3 in the tenth.

use std::fs::OpenOptions;
use std::io::{self, BufRead, Write};
use std::path::Path;
use std::process::Command;

fn main() -> io::Result<()> {
    let arguments = std::env::args().skip(1).collect::<Vec<_>>();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["zz"] => play(|_| "zz".to_owned()),
        ["stays"] => {
            play(first)?;
            forever()
        }
        ["late"] => {
            let mut turns = 0;
            play(move |moves| {
                turns += 1;
                if turns > 2 {
                    forever()
                }
                first(moves)
            })
        }
        ["bye"] => {
            play(first)?;
            writeln!(io::stdout(), "bye")
        }
        ["sleep-in-game-3", file] => {
            let file = Path::new(file);
            if count_game(&file.with_extension("games"))? == 3 {
                sleep(file)?;
            }
            play(first)
        }
        ["spin-in-two", file] => {
            Command::new(std::env::current_exe()?).args(["spin", file]).spawn()?;
            spin(file)
        }
        ["spin", file] => spin(file),
        ["dies-in-game-10", file] => {
            if count_game(Path::new(file))? == 10 {
                eprintln!("no idea what to do in the tenth game");
                std::process::exit(3);
            }
            play(first)
        }
        ["grid"] => play_grid(first),
        ["grid-twice"] => {
            play_grid(|moves| format!("{}\n{}", first(moves), moves.last().map_or("", String::as_str)))
        }
        ["grid-crash"] => {
            let mut turns = 0;
            play_grid(move |moves| {
                turns += 1;
                match turns {
                    1 => first(moves),
                    _ => {
                        eprintln!("index out of bounds");
                        std::process::exit(7)
                    }
                }
            })
        }
        _ => play(first),
    }
}

/// A turn holds the opponent's row and column, the number of legal moves, and the moves.
fn play_grid(mut choose: impl FnMut(&[String]) -> String) -> io::Result<()> {
    let mut lines = io::stdin().lock().lines();
    while lines.next().transpose()?.is_some() {
        let count = lines.next().transpose()?.and_then(|line| line.parse().ok()).unwrap_or(0);
        let moves = lines.by_ref().take(count).collect::<io::Result<Vec<_>>>()?;
        // In one write.
        io::stdout().write_all(format!("{}\n", choose(&moves)).as_bytes())?;
    }
    Ok(())
}

fn play(mut choose: impl FnMut(&[String]) -> String) -> io::Result<()> {
    let mut lines = io::stdin().lock().lines();
    let mut next = || lines.next().transpose();
    let (_id, _size) = (next()?, next()?);
    loop {
        for _ in 0..8 {
            if next()?.is_none() {
                return Ok(());
            }
        }
        let count = next()?.and_then(|line| line.parse().ok()).unwrap_or(0);
        let moves = (0..count).map_while(|_| next().transpose()).collect::<io::Result<Vec<_>>>()?;
        writeln!(io::stdout(), "{}", choose(&moves))?;
    }
}

fn first(moves: &[String]) -> String {
    moves.first().cloned().unwrap_or_default()
}

/// Counts a game in a file; returns its number, from 1.
fn count_game(file: &Path) -> io::Result<u64> {
    let mut games = OpenOptions::new().create(true).append(true).open(file)?;
    games.write_all(b".")?;
    Ok(games.metadata()?.len())
}

fn sleep(file: &Path) -> io::Result<()> {
    let half_written = file.with_extension("tmp");
    std::fs::write(&half_written, std::process::id().to_string())?;
    std::fs::rename(&half_written, file)?;
    forever()
}

fn spin(file: &str) -> io::Result<()> {
    let line = format!("{}\n", std::process::id());
    OpenOptions::new().create(true).append(true).open(file)?.write_all(line.as_bytes())?;
    loop {
        std::hint::spin_loop();
    }
}

fn forever() -> ! {
    loop {
        std::thread::park();
    }
}
