//! The commands of a long game's turns, with what they share written once: the page's script puts them together.

use serde::Serialize;

/// The parts that the commands of one kind share: for a turn's own part there is a place between them.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub(super) struct Template {
    /// Common beginning.
    pub before: String,
    /// Common end.
    pub after: String,
}

/// A turn's command.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(super) struct Part {
    /// The number of its template; none if the text is all of it.
    pub template: Option<usize>,
    /// The part between them.
    pub text: String,
}

/// Pairs of commands from which a template is made: some turns have other commands than most.
const PAIRS: usize = 8;

/// The templates of these commands, each turn's commands by kind, and the commands without what they share.
pub(super) fn shared(commands: &[Vec<String>]) -> (Vec<Template>, Vec<Vec<Part>>) {
    let kinds = commands.iter().map(Vec::len).max().unwrap_or(0);
    let of_kind = |kind: usize| commands.iter().filter_map(move |turn| turn.get(kind)).map(String::as_str);
    let templates = (0..kinds).map(|kind| template(&of_kind(kind).collect::<Vec<_>>())).collect::<Vec<_>>();
    let part = |(kind, command): (usize, &String)| {
        let Template { before, after } = &templates[kind];
        let own = command.strip_prefix(before.as_str()).and_then(|rest| rest.strip_suffix(after.as_str()));
        match own.filter(|_| !before.is_empty()) {
            Some(own) => Part { template: Some(kind), text: own.to_owned() },
            None => Part { template: None, text: command.clone() },
        }
    };
    let parts = commands.iter().map(|turn| turn.iter().enumerate().map(part).collect()).collect();
    (templates, parts)
}

/// All commands in full.
pub(super) fn whole(commands: &[Vec<String>]) -> Vec<Vec<Part>> {
    let part = |command: &String| Part { template: None, text: command.clone() };
    commands.iter().map(|turn| turn.iter().map(part).collect()).collect()
}

/// The longest words that neighbours begin and end with.
fn template(commands: &[&str]) -> Template {
    let pairs = commands.windows(2).take(PAIRS).map(|pair| {
        let (a, b) = (pair[0], pair[1]);
        let same = a.char_indices().zip(b.chars()).take_while(|((_, x), y)| x == y);
        let before = same.last().map_or("", |((at, x), _)| &a[..at + x.len_utf8()]);
        let before = before.rfind(' ').map_or("", |space| &before[..=space]);
        let (rest_a, rest_b) = (&a[before.len()..], &b[before.len()..]);
        let same = rest_a.char_indices().rev().zip(rest_b.chars().rev()).take_while(|((_, x), y)| x == y);
        let after = same.last().map_or("", |((at, _), _)| &rest_a[at..]);
        let after = after.find(' ').map_or("", |space| &after[space..]);
        Template { before: before.to_owned(), after: after.to_owned() }
    });
    pairs.max_by_key(|template| template.before.len() + template.after.len()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_turns_share_is_written_once() {
        let turn = |n: usize, nodes: usize| {
            vec![
                format!("printf 'nodes {nodes}' | debug --turn {n}"),
                format!("replay a.json --turn {n} --seat {} --bot ./é", n % 2),
            ]
        };
        let commands = [turn(1, 80), turn(2, 10), turn(3, 10), turn(12, 10)];
        let (templates, parts) = shared(&commands);
        assert_eq!(
            (templates[0].before.as_str(), templates[0].after.as_str()),
            ("printf 'nodes 10' | debug --turn ", "")
        );
        assert_eq!(templates[1].after, " --bot ./é");
        assert_eq!(parts[0][0], Part { template: None, text: commands[0][0].clone() }, "another budget");
        for (turn, parts) in commands.iter().zip(&parts) {
            for (command, Part { template, text }) in turn.iter().zip(parts) {
                let own = template.map_or_else(Template::default, |kind| templates[kind].clone());
                assert_eq!(*command, own.before + text + &own.after);
            }
        }
        assert_eq!((parts[3][0].text.as_str(), parts[3][1].text.as_str()), ("12", "12 --seat 0"));
        assert_eq!(whole(&commands)[1][1].text, commands[1][1]);
        assert_eq!(shared(&[vec![], vec![]]).0, []);
    }
}
