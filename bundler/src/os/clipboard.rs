//! Puts a text into the system's clipboard, by the program that the system has for it.

use std::borrow::Cow;
use std::io::Write;
use std::process::{Command, Stdio};

/// The programs, with their arguments, in the order in which they are tried.
const PROGRAMS: [&[&str]; 5] = [
    &["wl-copy"],
    &["xclip", "-selection", "clipboard"],
    &["xsel", "--clipboard", "--input"],
    &["pbcopy"],
    &[WINDOWS],
];

/// The program that takes UTF-16, or else text of the console's code page.
const WINDOWS: &str = "clip";

/// The first of the programs that the system has.
///
/// # Errors
/// If no program takes the text: the reason as a sentence.
pub fn program() -> Result<&'static str, String> {
    let names = PROGRAMS.map(|words| words[0]);
    let found = names.into_iter().find(|name| is_there(name));
    found.ok_or_else(|| format!("no clipboard program on the PATH ({})", names.join(", ")))
}

/// Copies a text; the name of the program that took it.
///
/// # Errors
/// If there is no such program, or each that is there fails: the reason as a sentence.
pub fn copy(text: &[u8]) -> Result<&'static str, String> {
    program()?;
    let mut reason = String::new();
    for words in PROGRAMS.iter().filter(|words| is_there(words[0])) {
        match piped(Command::new(words[0]).args(&words[1..]), &encoded(text, words[0])) {
            Ok(()) => return Ok(words[0]),
            Err(error) => reason = format!("{} failed: {error}", words[0]),
        }
    }
    Err(reason)
}

/// A text as a program reads it. Without a byte order mark, which would be copied too.
fn encoded<'t>(text: &'t [u8], program: &str) -> Cow<'t, [u8]> {
    match program == WINDOWS && !text.is_ascii() {
        true => String::from_utf8_lossy(text).encode_utf16().flat_map(u16::to_le_bytes).collect(),
        false => text.into(),
    }
}

fn is_there(name: &str) -> bool {
    let file = format!("{name}{}", std::env::consts::EXE_SUFFIX);
    std::env::var_os("PATH")
        .is_some_and(|path| std::env::split_paths(&path).any(|folder| folder.join(&file).is_file()))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_reads_utf_16() {
        assert_eq!(*encoded("aé".as_bytes(), WINDOWS), [b'a', 0, 0xe9, 0]);
        assert_eq!(*encoded(b"ae", WINDOWS), *b"ae");
        assert_eq!(*encoded("aé".as_bytes(), "xclip"), *"aé".as_bytes());
    }
}
