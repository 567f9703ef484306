//! `arena.toml`: command lines that leave out what it says, and the way of a bot to the site.

use std::fs;
use std::path::Path;
#[cfg(unix)]
use std::{os::unix::fs::PermissionsExt, process::Stdio, thread, time::Duration};

use crate::outside::arena;
#[cfg(unix)]
use crate::outside::command;

const FILE: &str = "contest = 'tictactoe'
[bots]
strong = 'in:alpha-beta --nodes 1000'
weak = 'in:random'
[match]
games = 20
openings = 0
";

fn run(folder: &Path, status: i32, words: &[&str]) -> (String, String) {
    let output = arena(folder, words);
    assert_eq!(output.status.code(), Some(status), "{words:?}: {output:?}");
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    (text(&output.stdout), text(&output.stderr))
}

#[test]
fn bots_are_named_in_the_file_and_in_what_is_printed() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let (_, error) = run(folder, 2, &["config"]);
    assert!(error.contains("there is no arena.toml in this folder or one above it"), "{error}");
    fs::write(folder.join("arena.toml"), FILE).unwrap();
    let (config, _) = run(folder, 0, &["config"]);
    assert!(
        config.contains("bot strong") && config.contains("[match]") && config.contains("line 6"),
        "{config}"
    );
    let (table, _) = run(folder, 0, &["match", "strong", "weak"]);
    assert!(table.starts_with("strong: won ") && table.contains("seat 0: scored"), "{table}");
    assert!(table.contains("(strong ") && table.contains(", weak "), "{table}");
    // From a folder below, and what a run's folder is for: its games, read by another command.
    let (again, _) = run(folder, 0, &["stats", "last"]);
    assert_eq!(again.lines().next(), table.lines().next());
    let below = folder.join("src");
    fs::create_dir(&below).unwrap();
    let (page, _) = run(&below, 0, &["view", "last", "--game", "1", "-o", "page.html"]);
    assert_eq!(page.trim(), "page.html");
    let (_, error) = run(&below, 2, &["match", "strng", "weak"]);
    assert!(
        error.replace('\\', "/").contains("`strng` is no bot of ../arena.toml (strong, weak, site)"),
        "{error}"
    );
    let (_, error) = run(folder, 2, &["sprt", "strong", "site"]);
    assert!(error.contains("nothing has been submitted yet"), "{error}");
    fs::write(folder.join("arena.toml"), "[match]\ngmes = 20\n").unwrap();
    let (_, error) = run(folder, 2, &["match", "strong", "weak"]);
    assert_eq!(
        error.trim(),
        "error: arena.toml, line 2: unknown option of match `gmes`; did you mean `games`?"
    );
}

/// A bot for the site whose text is made by a program that prints it, in place of the bundler.
#[cfg(unix)]
#[test]
fn a_bot_goes_to_the_site_and_is_compared_with_what_is_there() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let bot = |choice: &str| {
        let text = format!(
            "fn main() {{
    let line = || {{ let mut s = String::new(); std::io::stdin().read_line(&mut s).unwrap(); s }};
    loop {{
        if line().is_empty() {{ return; }}
        let count: usize = line().trim().parse().unwrap();
        let cells: Vec<String> = (0..count).map(|_| line()).collect();
        print!(\"{{}}\", cells.{choice}().unwrap());
    }}
}}
"
        );
        fs::write(folder.join("bot.rs"), text).unwrap();
    };
    bot("first");
    let (said, _) = run(folder, 0, &["init", "tictactoe", "--bundle", "bot.rs"]);
    assert!(said.contains("arena doctor"), "{said}");
    let (_, error) = run(folder, 2, &["init", "tictactoe", "--bundle", "bot.rs"]);
    assert!(error.contains("arena.toml is there already"), "{error}");
    let file = fs::read_to_string(folder.join("arena.toml")).unwrap();
    fs::write(folder.join("arena.toml"), format!("bundler = 'cat'\n{file}")).unwrap();

    let (text, report) = run(folder, 0, &["submit", "v1", "--stdout"]);
    assert_eq!(text, fs::read_to_string(folder.join("bot.rs")).unwrap());
    assert!(report.contains("check      15 points") && report.contains("pool       v1 in pool"), "{report}");
    // An unchanged text makes the bot that is on the site: all pairs are equal.
    let (table, _) = run(folder, 3, &["sprt", "-n", "4"]);
    assert!(table.starts_with("new: won 2, drawn 0, lost 2"), "{table}");
    bot("last");
    let (table, _) = run(folder, 0, &["match", "-n", "4"]);
    assert!(table.starts_with("new: won "), "{table}");
    let (_, report) = run(folder, 0, &["submit", "v2", "--stdout"]);
    assert!(report.contains("since v1: bytes ") && report.contains("since v1: games 4, won "), "{report}");
    let (_, error) = run(folder, 2, &["submit", "v2", "--stdout"]);
    assert!(error.contains("the pool has a bot v2 already"), "{error}");
    // A bot that doesn't answer is not submitted.
    fs::write(folder.join("bot.rs"), "fn main() {}\n").unwrap();
    let (_, error) = run(folder, 1, &["submit", "v3", "--stdout"]);
    assert!(error.contains("nothing was submitted"), "{error}");
    let (list, _) = run(folder, 0, &["pool", "list"]);
    assert!(list.contains("on the site: v2"), "{list}");
    // Tables show what arena.toml says, not where the bundle was compiled.
    let (table, _) = run(folder, 0, &["pool", "table"]);
    for text in [list, table] {
        assert!(text.contains("bundle of bot.rs") && !text.contains("builds"), "{text}");
    }
    // Arguments are for games here alone: this bot plays without any, and fails with one.
    let asserts = "fn main() { assert!(std::env::args().count() == 1, \"{:?}\", std::env::args());";
    bot("first");
    let text = fs::read_to_string(folder.join("bot.rs")).unwrap().replace("fn main() {", asserts);
    fs::write(folder.join("bot.rs"), text).unwrap();
    let file = fs::read_to_string(folder.join("arena.toml")).unwrap();
    let more = "[bots]\nargs = { bundle = 'bot.rs', args = '--nodes 5' }\n";
    fs::write(folder.join("arena.toml"), file.replace("[bots]\n", more)).unwrap();
    let (said, _) = run(folder, 1, &["check", "args"]);
    assert!(said.contains("--nodes\", \"5\""), "{said}");
    let (_, report) = run(folder, 0, &["submit", "v4", "--bot", "args", "--stdout"]);
    assert!(report.contains("kept without `--nodes 5`"), "{report}");
    // One that doesn't compile is named, with what the compiler says.
    fs::write(folder.join("bot.rs"), "fn main() { x }\n").unwrap();
    let (_, error) = run(folder, 1, &["check"]);
    assert!(
        error.contains("bot new: `rustc --edition 2021 -O ") && error.contains("cannot find value"),
        "{error}"
    );
}

/// A bot in any language, whose text is a file; the clipboard is a program that writes to another.
#[cfg(unix)]
#[test]
fn a_bot_of_any_language_goes_to_the_site() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let script = |name: &str, text: &str| {
        fs::write(folder.join(name), format!("#!/bin/sh\n{text}\n")).unwrap();
        fs::set_permissions(folder.join(name), fs::Permissions::from_mode(0o755)).unwrap();
        fs::read_to_string(folder.join(name)).unwrap()
    };
    script("wl-copy", &format!("cat > '{}'", folder.join("pasted").display()));
    let last = "while read opponent && read count; do
    while [ $count -gt 0 ]; do read cell; count=$((count - 1)); done
    echo $cell
done";
    let first = script("draft", last);
    let file = "contest = 'tictactoe'\n[bots]\nany = { command = './bot', build = 'cp draft bot', source = 'draft' }\n";
    fs::write(folder.join("arena.toml"), file).unwrap();
    let path = std::env::var_os("PATH").unwrap_or_default();
    let path = [folder.to_owned()].into_iter().chain(std::env::split_paths(&path));
    let path = std::env::join_paths(path).unwrap();
    let submit = |name: &str, text: &str| {
        let output = command(folder, &["submit", name, "--bot", "any"]).env("PATH", &path).output().unwrap();
        assert!(output.status.success(), "{output:?}");
        let said = String::from_utf8(output.stdout).unwrap();
        assert!(said.contains(&format!("copied     {} bytes, by wl-copy", text.len())), "{said}");
        assert_eq!(fs::read_to_string(folder.join("pasted")).unwrap(), text);
        said
    };
    submit("v1", &first);
    let second = script("draft", &format!("# Better.\n{last}"));
    let said = submit("v2", &second);
    assert!(said.contains(&format!("since v1: bytes {} -> {} (+10)", first.len(), second.len())), "{said}");
    let (list, _) = run(folder, 0, &["pool", "list"]);
    assert!(list.contains("on the site: v2") && list.contains("v2/draft"), "{list}");
    let (points, _) = run(folder, 0, &["doctor"]);
    assert!(points.contains(&format!("source draft: {} bytes, 0.", second.len())), "{points}");
    fs::write(folder.join("arena.toml"), file.replace("source = 'draft'", "source = 'drat'")).unwrap();
    let (_, error) = run(folder, 2, &["check", "any"]);
    assert!(error.contains("bot any: there is no file drat; correct the bot's `source`"), "{error}");
}

/// An interrupt ends what makes the bots, with the status of interrupts.
#[cfg(unix)]
#[test]
fn an_interrupt_ends_what_makes_a_bot() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let file = "contest = 'tictactoe'\nbundler = \"sh -c 'echo $$ > pid; exec sleep 600'\"\n[bots]\nnew = { bundle = 'x' }\n";
    fs::write(folder.join("arena.toml"), file).unwrap();
    let mut arena = command(folder, &["check"]);
    let arena = arena.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let pid = loop {
        let text = fs::read_to_string(folder.join("pid")).unwrap_or_default();
        match text.trim().parse::<i32>() {
            Ok(pid) => break pid,
            Err(_) => thread::sleep(Duration::from_millis(5)),
        }
    };
    let of = |pid: i32| rustix::process::Pid::from_raw(pid).unwrap();
    rustix::process::kill_process(of(arena.id() as i32), rustix::process::Signal::INT).unwrap();
    let output = arena.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{output:?}");
    assert!(rustix::process::test_kill_process(of(pid)).is_err(), "the bundler has ended");
}
