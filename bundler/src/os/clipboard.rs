//! Puts a text into the system's clipboard, by the program that the system has for it.

use std::io::Write;
use std::process::{Command, Stdio};

/// The programs, with their arguments, in the order in which they are tried.
const PROGRAMS: [&[&str]; 5] = [
    &["wl-copy"],
    &["xclip", "-selection", "clipboard"],
    &["xsel", "--clipboard", "--input"],
    &["pbcopy"],
    &["clip"],
];

/// The first of the programs that the system has.
pub fn program() -> Option<&'static str> {
    PROGRAMS.iter().map(|words| words[0]).find(|name| which::which(name).is_ok())
}

/// Copies a text; the name of the program that took it.
///
/// # Errors
/// If there is no such program, or each that is there fails: the reason as a sentence.
pub fn copy(text: &[u8]) -> Result<&'static str, String> {
    let mut reason = None;
    for words in PROGRAMS {
        let Ok(path) = which::which(words[0]) else { continue };
        match piped(Command::new(path).args(&words[1..]), text) {
            Ok(()) => return Ok(words[0]),
            Err(error) => reason = Some(format!("{} failed: {error}", words[0])),
        }
    }
    let names = PROGRAMS.map(|words| words[0]).join(", ");
    Err(reason.unwrap_or_else(|| format!("no clipboard program: {names}")))
}

fn piped(command: &mut Command, text: &[u8]) -> std::io::Result<()> {
    // Some go on in the background to serve the text, with the streams that they have got.
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null()).spawn()?;
    let written = child.stdin.take().map_or(Ok(()), |mut pipe| pipe.write_all(text));
    let status = child.wait()?;
    written?;
    match status.success() {
        true => Ok(()),
        false => Err(std::io::Error::other(status.to_string())),
    }
}
