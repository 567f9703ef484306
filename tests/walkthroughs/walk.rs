//! Walks through sections of a document as written: their files are put where it says, their commands run in order, and
//! what they print must be what the document shows.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Mutex, OnceLock, PoisonError};

use coppice_tests::workspace;
use tempfile::TempDir;

use crate::document::{read, sections, with_output, Part, Shown};
use crate::shown::compare;

/// Sections of a document that are walked through in one folder, one after the other.
pub struct Walk {
    /// The document's path in the repository.
    pub document: &'static str,
    /// Their headings; empty for what stands before the first.
    pub headings: &'static [&'static str],
    /// Puts into the folder what the text takes for granted; `false` if this machine can't.
    pub prepare: fn(&Path) -> bool,
}

/// The target folder of the workspace.
fn target() -> &'static Path {
    Path::new(env!("CARGO_TARGET_TMPDIR")).parent().expect("the target folder")
}

/// The target folder of packages that walks write.
fn built() -> &'static Path {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    BUILT.get_or_init(|| {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("walks");
        fs::create_dir_all(&folder).expect("a folder");
        folder
    })
}

/// The folder of this repository's programs, which are built in the profile of this test.
fn programs() -> &'static Path {
    static PROGRAMS: OnceLock<PathBuf> = OnceLock::new();
    PROGRAMS.get_or_init(|| {
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let (flag, folder) =
            if cfg!(debug_assertions) { (None, "debug") } else { (Some("--release"), "release") };
        // All tests, as `cargo test` builds them: a choice of packages would compile them with other features.
        let built = Command::new(cargo)
            .args(["build", "--quiet", "--tests"])
            .args(flag)
            .current_dir(workspace())
            .env("CARGO_TARGET_DIR", target())
            .status();
        assert!(built.expect("cargo").success());
        target().join(folder)
    })
}

/// An empty folder for a walk. In it `coppice` is this repository, and `target/release` has its programs. It stands
/// outside of the repository: `cargo new` makes a new package below a workspace its member.
fn folder() -> TempDir {
    let folder = tempfile::Builder::new().prefix("coppice-walk-").tempdir().expect("an empty folder");
    fs::create_dir(folder.path().join("target")).expect("a folder");
    std::os::unix::fs::symlink(workspace(), folder.path().join("coppice")).expect("a link");
    std::os::unix::fs::symlink(programs(), folder.path().join("target/release")).expect("a link");
    folder
}

/// The text of a file with a function in place of the one of its name, which has the same indent.
fn with_function(file: &str, function: &str) -> String {
    let head = function.split('(').next().expect("a name");
    let indent = &head[..head.len() - head.trim_start().len()];
    let begin = file.find(&format!("\n{head}(")).expect("a function of this name") + 1;
    let close = format!("\n{indent}}}\n");
    let end = begin + file[begin..].find(&close).expect("its end") + close.len();
    format!("{}{function}{}", &file[..begin], &file[end..])
}

/// Writes a file of the document, unless it shows one of this repository.
fn write(folder: &Path, name: &str, content: &str) {
    let path = folder.join(name);
    match fs::read_to_string(&path) {
        Ok(text) if content.trim_start().starts_with("fn ") && content.starts_with(' ') => {
            fs::write(path, with_function(&text, content)).expect("the file");
        }
        Err(_) if fs::read_to_string(workspace().join(name)).is_ok_and(|text| text == content) => {}
        // Code is put into what was generated; anything else may be new.
        Err(_) if name.ends_with(".rs") => panic!("{name} is changed, not new"),
        _ => fs::write(path, content).expect("the file"),
    }
}

/// What stands for `cargo` and for `arena` as an alias: outside of a package, commands about this repository use the
/// programs that the tests were built with.
const PRELUDE: &str = r#"
cargo() {
    if [ -e Cargo.toml ]; then
        # Where it would make its own, so that walks compile packages of the registry once.
        if [ ! -e target ]; then ln -s "$BUILT" target; fi
        command cargo "$@"; return
    fi
    case "$1" in
        build) ;;
        run)
            while [ "$1" != -p ]; do shift; done
            if [ "$2" = bundler ]; then (cd "$WORKSPACE" && shift 3 && bundler "$@"); else "${@:2:1}" "${@:4}"; fi ;;
        test | tree) (cd "$WORKSPACE" && CARGO_TARGET_DIR=$TARGET command cargo "$@") ;;
        install)
            # By its real path a package remembers a folder that stays. It isn't built where the other tests' programs are:
            # those would be replaced while they run.
            local words=() word
            for word in "${@:2}"; do
                if [ -e "$word/Cargo.toml" ]; then word=$(realpath "$word"); fi
                words+=("$word")
            done
            command cargo install --quiet --root installed --target-dir "$BUILT" "${words[@]}" ;;
        *) command cargo "$@" ;;
    esac
}
"#;

/// Runs commands in one shell; returns what each printed and the folder in which the last one ended.
fn run(folder: &Path, root: &Path, aliases: &str, commands: &[Shown]) -> (Vec<String>, PathBuf) {
    const END: &str = "== end of a command ==";
    let script = |shown: &Shown| {
        let command = &shown.command;
        // The bundler's report is on its standard error; what others print there is progress.
        let is_bundler = command.starts_with("bundler ") || command.contains("-p bundler -- ");
        let errors = if is_bundler { "2>&1" } else { "" };
        format!("{{ {command}\n}} < /dev/null {errors}\nstatus=$?; echo; echo '{END}' $status\n")
    };
    let script: String = commands.iter().map(script).collect();
    let path = std::env::var("PATH").expect("a path");
    let mut shell = Command::new("bash")
        .args(["-O", "expand_aliases"])
        .current_dir(folder)
        .env("PATH", format!("{}:{}:{path}", root.join("installed/bin").display(), programs().display()))
        .env("WORKSPACE", workspace())
        .env("TARGET", target())
        .env("BUILT", built())
        .env("CARGO_TARGET_DIR", "target")
        .env_remove("RUSTFLAGS")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::inherit())
        .spawn()
        .expect("bash");
    let mut input = shell.stdin.take().expect("its input");
    writeln!(input, "{PRELUDE}{aliases}{script}pwd").expect("a script");
    drop(input);
    let output = shell.wait_with_output().expect("its output");
    let text = String::from_utf8(output.stdout).expect("text");
    let mut outputs = Vec::new();
    let mut printed = String::new();
    for line in text.lines() {
        match line.strip_prefix(END) {
            Some(status) => {
                let command = &commands[outputs.len()].command;
                // This one's status says whether a bot moves as recorded.
                let is_good = status.trim() == "0" || command.starts_with("arena replay ");
                assert!(is_good, "`{command}` ends with status{status}: {printed}");
                outputs.push(std::mem::take(&mut printed));
            }
            None => printed = printed + line + "\n",
        }
    }
    assert_eq!(outputs.len(), commands.len(), "{text}");
    (outputs, PathBuf::from(printed.trim()))
}

/// Writes into the document what a command prints.
fn renew(document: &str, shown: &Shown, output: &[String]) {
    // Walks through other sections of the document may run now.
    static DOCUMENTS: Mutex<()> = Mutex::new(());
    let _guard = DOCUMENTS.lock().unwrap_or_else(PoisonError::into_inner);
    fs::write(workspace().join(document), with_output(&read(document), shown, output)).expect("the document");
}

/// Walks through a document's sections.
///
/// # Panics
/// If a section is missing or has no console, a command fails, or one prints something else than the document shows.
/// With `COPPICE_RENEW` set, the output is written into the document instead.
pub fn walk(walk: &Walk) {
    let all = sections(&read(walk.document));
    let folder = folder();
    let root = folder.path();
    if !(walk.prepare)(root) {
        return;
    }
    let (mut at, mut aliases) = (root.to_owned(), String::new());
    let mut differences = String::new();
    for heading in walk.headings {
        let section = all.iter().find(|section| section.heading == *heading && section.has_console());
        let section = section.unwrap_or_else(|| panic!("{} has no commands in `{heading}`", walk.document));
        for part in &section.parts {
            let console = match part {
                Part::File(name, content) => {
                    write(&at, name, content);
                    continue;
                }
                Part::Console(console) => console,
            };
            let (outputs, ended) = run(&at, root, &aliases, console);
            at = ended;
            for (shown, output) in console.iter().zip(outputs) {
                if shown.command.starts_with("alias ") {
                    aliases = aliases + &shown.command + "\n";
                }
                let printed: Vec<String> =
                    output.trim_end().lines().map(|line| line.trim_end().to_owned()).collect();
                let Err(difference) = compare(&shown.output, &printed) else { continue };
                if std::env::var_os("COPPICE_RENEW").is_some() {
                    renew(walk.document, shown, &difference.renewed);
                    continue;
                }
                let line = shown.line + 1 + difference.at;
                let text = |line: Option<String>| line.unwrap_or_else(|| "no more lines".to_owned());
                differences += &format!(
                    "{}:{line}: `{}`\n  expected: {}\n  found:    {}\nall that it printed:\n{}\n\n",
                    walk.document,
                    shown.command,
                    text(difference.expected),
                    text(difference.found),
                    printed.join("\n"),
                );
            }
        }
    }
    assert!(
        differences.is_empty(),
        "{differences}To write the output into the document, set COPPICE_RENEW=1 and repeat this test."
    );
}

#[test]
fn a_function_takes_the_place_of_its_namesake() {
    let file = "impl A {\n    fn a() {\n        1\n    }\n\n    fn ab() {\n    }\n}\n";
    let new = with_function(file, "    fn a() {\n        2\n    }\n");
    assert_eq!(new, file.replace('1', "2"));
    assert_eq!(
        with_function(file, "    fn ab() {\n        3\n    }\n").matches("fn a() {\n        1").count(),
        1
    );
}
