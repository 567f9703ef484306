//! Compares what a command prints with what a document shows, and finds what the document should show.
//!
//! `[...]` stands for omitted text: on a line of its own for any lines, otherwise for any text of a line. Durations (a
//! number before ` s`, ` ms` or ` µs`) depend on the machine, so all of them are equal. Everything else is compared.

/// What stands for omitted text.
const OMITTED: &str = "[...]";
/// The cost of a line or word that is printed and not shown.
const NOT_SHOWN: u32 = 1000;
/// The cost of one that is shown and not printed: more than that of a pair, so that an omission beside it doesn't take
/// what stands there now.
const NOT_PRINTED: u32 = 2000;

/// A step of an alignment; the numbers are indices of what is shown and of what was printed.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Step {
    /// The two stand for each other; they are alike at a cost of 0.
    Pair(usize, usize),
    /// Shown only.
    Shown(usize),
    /// Printed only.
    Printed(usize),
    /// An omission is shown here.
    Omission(usize),
    /// Printed, and omitted by the document.
    Omitted,
}

/// The cheapest alignment of what is shown with what was printed, and its cost.
fn align(
    shown: usize,
    printed: usize,
    is_omission: impl Fn(usize) -> bool,
    cost: impl Fn(usize, usize) -> u32,
) -> (u32, Vec<Step>) {
    // For the first i and j of both: the least cost, and the last step to it.
    let mut best = vec![vec![(0, Step::Omitted); printed + 1]; shown + 1];
    for i in 0..=shown {
        for j in 0..=printed {
            let steps = match i.checked_sub(1) {
                Some(i) if is_omission(i) => {
                    let ends = Some((best[i][j].0, Step::Omission(i)));
                    [ends, j.checked_sub(1).map(|j| (best[i + 1][j].0, Step::Omitted)), None]
                }
                above => [
                    above.zip(j.checked_sub(1)).map(|(i, j)| (best[i][j].0 + cost(i, j), Step::Pair(i, j))),
                    above.map(|i| (best[i][j].0 + NOT_PRINTED, Step::Shown(i))),
                    j.checked_sub(1).map(|j| (best[i][j].0 + NOT_SHOWN, Step::Printed(j))),
                ],
            };
            if let Some(step) = steps.into_iter().flatten().min_by_key(|(cost, _)| *cost) {
                best[i][j] = step;
            }
        }
    }
    let (mut i, mut j) = (shown, printed);
    let mut steps = Vec::new();
    while i > 0 || j > 0 {
        let step = best[i][j].1;
        steps.push(step);
        (i, j) = match step {
            Step::Pair(..) => (i - 1, j - 1),
            Step::Shown(_) | Step::Omission(_) => (i - 1, j),
            Step::Printed(_) | Step::Omitted => (i, j - 1),
        };
    }
    steps.reverse();
    (best[shown][printed].0, steps)
}

/// A line's words, numbers, blanks and signs.
fn words(line: &str) -> Vec<&str> {
    let mut words = Vec::new();
    let mut rest = line;
    while let Some(first) = rest.chars().next() {
        let is_number_at = |(at, c): (usize, char)| {
            let next = rest[at + c.len_utf8()..].chars().next();
            c.is_ascii_digit() || (".,".contains(c) && next.is_some_and(|next| next.is_ascii_digit()))
        };
        let omitted = rest.trim_start_matches(' ').strip_prefix(OMITTED);
        let length = if let Some(behind) = omitted {
            // With the blanks around it: what is omitted may be nothing.
            rest.len() - behind.trim_start_matches(' ').len()
        } else if first.is_ascii_digit() {
            rest.char_indices().find(|at| !is_number_at(*at)).map_or(rest.len(), |(at, _)| at)
        } else if first.is_alphabetic() {
            rest.find(|c: char| !c.is_alphabetic()).unwrap_or(rest.len())
        } else if first == ' ' {
            rest.find(|c: char| c != ' ').unwrap_or(rest.len())
        } else {
            first.len_utf8()
        };
        let (word, others) = rest.split_at(length);
        words.push(word);
        rest = others;
    }
    words
}

fn is_omission(text: &str) -> bool {
    text.trim() == OMITTED
}

fn is_number(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_digit())
}

/// The words as they are compared: a duration is `#`, with one blank before it.
fn masked<'a>(words: &[&'a str]) -> Vec<&'a str> {
    let is_duration = |at: usize| {
        words.get(at).is_some_and(|word| is_number(word))
            && words.get(at + 1) == Some(&" ")
            && words.get(at + 2).is_some_and(|unit| ["s", "ms", "µs"].contains(unit))
    };
    let mask = |at: usize| match words[at] {
        _ if is_duration(at) => "#",
        blanks if blanks.starts_with(' ') && is_duration(at + 1) => " ",
        word => word,
    };
    (0..words.len()).map(mask).collect()
}

/// How different two lines are: 0 if the printed one is as shown, less than [`NOT_PRINTED`]; and the line to show.
fn compare_lines(shown: &str, printed: &str) -> (u32, String) {
    let (shown_words, printed_words) = (words(shown), words(printed));
    let (a, b) = (masked(&shown_words), masked(&printed_words));
    let cost = |i: usize, j: usize| match (a[i], b[j]) {
        (one, other) if one == other => 0,
        (one, other) if is_number(one) && is_number(other) => NOT_SHOWN / 2,
        _ => NOT_PRINTED,
    };
    let (total, steps) = align(a.len(), b.len(), |i| is_omission(a[i]), cost);
    if total == 0 {
        return (0, shown.to_owned());
    }
    let text = |step: Step| match step {
        Step::Pair(_, j) | Step::Printed(j) => printed_words[j],
        Step::Omission(i) => shown_words[i],
        Step::Shown(_) | Step::Omitted => "",
    };
    let length = u32::try_from(a.len() + b.len()).unwrap_or(u32::MAX).max(1);
    (1 + total / (2 * length), steps.into_iter().map(text).collect())
}

/// The first difference between a document and a command's output.
#[derive(Debug, Clone, PartialEq)]
pub struct Difference {
    /// The index of the shown line.
    pub at: usize,
    /// What the document shows there.
    pub expected: Option<String>,
    /// What was printed there.
    pub found: Option<String>,
    /// What the document should show: the output, with its omissions kept.
    pub renewed: Vec<String>,
}

/// Compares printed lines with those shown.
///
/// # Errors
/// The first difference.
pub fn compare(shown: &[String], printed: &[String]) -> Result<(), Difference> {
    let lines = |i: usize, j: usize| compare_lines(&shown[i], &printed[j]);
    let (total, steps) = align(shown.len(), printed.len(), |i| is_omission(&shown[i]), |i, j| lines(i, j).0);
    if total == 0 {
        return Ok(());
    }
    let mut difference = None;
    let mut next = 0;
    let mut renewed = Vec::new();
    for step in steps {
        let (expected, found) = match step {
            Step::Omitted => continue,
            Step::Omission(i) => {
                next = i + 1;
                renewed.push(shown[i].clone());
                continue;
            }
            Step::Pair(i, j) => {
                let (cost, line) = lines(i, j);
                renewed.push(line);
                next = i + 1;
                if cost == 0 {
                    continue;
                }
                (Some(i), Some(j))
            }
            Step::Shown(i) => {
                next = i + 1;
                (Some(i), None)
            }
            Step::Printed(j) => {
                renewed.push(printed[j].clone());
                (None, Some(j))
            }
        };
        difference.get_or_insert((expected.unwrap_or(next), expected, found));
    }
    let (at, expected, found) = difference.expect("a cost comes from a step");
    let (expected, found) = (expected.map(|i| shown[i].clone()), found.map(|j| printed[j].clone()));
    Err(Difference { at, expected, found, renewed })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str) -> Vec<String> {
        text.lines().map(str::to_owned).collect()
    }

    #[track_caller]
    fn check(shown: &str, printed: &str, renewed: Option<&str>) {
        let found = compare(&lines(shown), &lines(printed));
        assert_eq!(found.err().map(|difference| difference.renewed), renewed.map(lines));
    }

    #[test]
    fn lines_are_compared() {
        check("a b", "a b", None);
        check("a b", "a b c", Some("a b c"));
        check("a b\nc", "a b", Some("a b"));
        check("", "a", Some("a"));
        check("a: 1,234 of 5", "a: 1,235 of 5", Some("a: 1,235 of 5"));
    }

    #[test]
    fn omissions_stand_for_any_text() {
        check("a\n  [...]\nc", "a\nb\nb\nc", None);
        check("  [...]", "", None);
        check("depth 1 [...] 7 leaves [...]", "depth 1   7 leaves  0.1 s", None);
        check("v1 [...]\nv2 [...]", "v1   a  b\nv2", None);
        check("depth [...]", "x 7 leaves", Some("x [...]"));
        check("a [...], b 2\n  [...]\nz 1", "a 7, b 3\nq\nz 2", Some("a [...], b 3\n  [...]\nz 2"));
        check(
            "won 181, lost [...]\n  [...]\nend",
            "won 203, lost 7\nx\nend",
            Some("won 203, lost [...]\n  [...]\nend"),
        );
    }

    #[test]
    fn durations_are_equal() {
        check("best 2; 7 nodes, 0.5 s", "best 2; 7 nodes,  12.25 s", None);
        check("in 7.7 ms", "in 11 ms", None);
        check("in 7.7 ms", "in 7.7 m", Some("in 7.7 m"));
        check("7 seats", "8 seats", Some("8 seats"));
    }

    #[test]
    fn the_first_difference_is_named() {
        let difference =
            compare(&lines("a\n  [...]\nb 1\nc"), &lines("a\nx\nb 2\nc")).expect_err("a difference");
        assert_eq!((difference.at, difference.expected.as_deref()), (2, Some("b 1")));
        assert_eq!(difference.found.as_deref(), Some("b 2"));
        let difference = compare(&lines("a"), &lines("a\nb")).expect_err("a difference");
        assert_eq!((difference.at, difference.expected, difference.found.as_deref()), (1, None, Some("b")));
    }
}
