//! Recorded input: either a program's whole stdin, or a dialogue whose lines start with `> ` (to the program) or `< `
//! (from it).

/// Recorded input of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Input {
    /// The whole stdin.
    Whole(Vec<u8>),
    /// Turns, each sent after the answers to the one before.
    Turns(Vec<Turn>),
}

/// Lines sent together, and their answers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Turn {
    /// The lines, with line ends.
    pub sent: Vec<u8>,
    /// The line numbers of the answers in the file, from 1.
    pub answers: Vec<usize>,
}

impl Input {
    /// Parses a file's content: a dialogue if every line has a mark.
    pub fn read(content: &[u8]) -> Input {
        let lines = || content.split_inclusive(|&b| b == b'\n');
        let marked = lines().all(|line| mark(line).is_some()) && lines().any(|line| mark(line) == Some(b'>'));
        if !marked {
            return Input::Whole(content.to_vec());
        }
        let mut turns = vec![Turn::default()];
        for (number, line) in (1..).zip(lines()) {
            let answer = mark(line) == Some(b'<');
            if !answer && turns.last().is_some_and(|t| !t.answers.is_empty()) {
                turns.push(Turn::default());
            }
            let Some(turn) = turns.last_mut() else { continue };
            if answer {
                turn.answers.push(number);
            } else {
                turn.sent.extend_from_slice(text(line));
                turn.sent.push(b'\n');
            }
        }
        Input::Turns(turns)
    }
}

fn mark(line: &[u8]) -> Option<u8> {
    match line {
        [mark @ (b'>' | b'<'), b' ' | b'\r' | b'\n', ..] | [mark @ (b'>' | b'<')] => Some(*mark),
        _ => None,
    }
}

/// A line without its mark and line end.
fn text(line: &[u8]) -> &[u8] {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    match line {
        [_, b' ', text @ ..] => text,
        _ => &[],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn turns(content: &[u8]) -> Vec<(String, Vec<usize>)> {
        match Input::read(content) {
            Input::Whole(_) => panic!("no dialogue"),
            Input::Turns(turns) => turns
                .into_iter()
                .map(|t| (String::from_utf8_lossy(&t.sent).into_owned(), t.answers))
                .collect(),
        }
    }

    #[test]
    fn dialogues() {
        let content = b"> 0\r\n>\n> a b\n< x\n< y\n> 2\n< z\n> end";
        let expected = [("0\n\na b\n", vec![4, 5]), ("2\n", vec![7]), ("end\n", vec![])];
        assert_eq!(turns(content), expected.map(|(s, a)| (s.to_owned(), a)));
        assert_eq!(turns(b"< first\n> 1\n"), [(String::new(), vec![1]), ("1\n".into(), vec![])]);
        assert_eq!(turns(b"> \xff\n")[0].0, "\u{fffd}\n");
    }

    #[test]
    fn other_content_is_whole_input() {
        for content in [&b""[..], b"3 4\n", b"> a\nb\n", b"< only answers\n", b">> x\n", b"\n", b"\xff\xfe"] {
            assert_eq!(Input::read(content), Input::Whole(content.to_vec()), "{content:?}");
        }
    }
}
