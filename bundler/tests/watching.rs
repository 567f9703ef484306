//! `--watch`: which changes lead to a new bundle, and when the output is written.

mod common;

use common::{bundler, manifest, workspace};
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::time::{Duration, Instant, SystemTime};

/// A running `bundler --watch`, killed when the test ends.
struct Watching {
    child: Child,
    folder: PathBuf,
}

impl Drop for Watching {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Watching {
    fn start(folder: &Path) -> Watching {
        // A file as young as the first run may have changed during it, and is read again.
        std::thread::sleep(Duration::from_millis(50));
        let said = std::fs::File::create(folder.join("said.txt")).unwrap();
        let child = bundler(folder)
            .args(["--watch", "-o", "submit.rs", "--offline"])
            .stderr(said)
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        Watching { child, folder: folder.to_path_buf() }
    }

    fn read(&self, file: &str) -> String {
        std::fs::read_to_string(self.folder.join(file)).unwrap_or_default()
    }

    fn write(&self, file: &str, content: &str) {
        std::fs::write(self.folder.join(file), content).unwrap();
    }

    fn lines(&self) -> usize {
        self.read("said.txt").lines().count()
    }

    /// Waits until a file contains a text.
    fn until(&self, file: &str, holds: &str) {
        self.wait(&|| self.read(file).contains(holds), holds);
    }

    /// Waits until a condition holds, for at most four minutes.
    fn wait(&self, so: &dyn Fn() -> bool, what: &str) {
        let started = Instant::now();
        while !so() {
            assert!(started.elapsed() < Duration::from_secs(240), "no {what:?}: {}", self.read("said.txt"));
            std::thread::sleep(Duration::from_millis(25));
        }
    }

    fn time(&self) -> SystemTime {
        std::fs::metadata(self.folder.join("submit.rs")).unwrap().modified().unwrap()
    }
}

#[test]
fn changes_are_bundled() {
    let main = |rest: &str| {
        format!("mod part;\nfn main() {{ println!(\"{{}} {{}}\", part::f(), include_str!(\"../data.txt\")) }}\n{rest}")
    };
    let folder = workspace(&[
        ("Cargo.toml", &manifest("bot", "")),
        ("src/main.rs", &main("")),
        ("src/part.rs", "pub fn f() -> &'static str { \"first\" }\n"),
        ("data.txt", "data one"),
    ]);
    let watching = Watching::start(folder.path());
    watching.until("submit.rs", "first");
    watching.until("said.txt", "wrote submit.rs: ");
    // One run for each change, and none without one.
    for (runs, word) in [(2, "next"), (3, "second")] {
        watching.write("src/part.rs", &format!("pub fn f() -> &'static str {{ \"{word}\" }}\n"));
        watching.until("submit.rs", word);
        watching.wait(&|| watching.lines() >= runs, "a line for each run");
        assert_eq!(watching.lines(), runs, "{}", watching.read("said.txt"));
    }

    let time = watching.time();
    watching.write("src/part.rs", "// a comment\npub fn f() -> &'static str { \"second\" }\n");
    watching.until("said.txt", "no change to submit.rs: ");
    assert_eq!(watching.time(), time, "an unchanged bundle was written again");

    watching.write("data.txt", "data two");
    watching.until("submit.rs", "data two");
    watching.write("Cargo.toml", &manifest("bot", "").replace("1.2.3", "1.2.4"));
    watching.until("submit.rs", "bot 1.2.4");

    // An error neither ends it nor touches the output; the missing file is noticed when it appears.
    watching.write("src/main.rs", &main("mod more;\n#[allow(dead_code)] static M: fn() = more::g;\n"));
    watching.until("said.txt", "error: ");
    assert!(watching.read("submit.rs").contains("second"));
    std::fs::create_dir(folder.path().join("src/more")).unwrap();
    watching.write("src/more/mod.rs", "pub fn g() {}\n");
    let lines = watching.lines();
    watching.wait(&|| watching.lines() > lines, "a run with the new file");
    watching.write(
        "src/main.rs",
        &main("mod more;\n").replace("part::f()", "{ more::g(); \"third\" }").replace("mod part;", ""),
    );
    watching.until("submit.rs", "third");
}

#[test]
fn it_requires_an_output_file() {
    let folder = workspace(&[("Cargo.toml", &manifest("bot", "")), ("src/main.rs", "fn main() {}\n")]);
    let run = common::Run::bundler(folder.path(), &["--watch"]);
    assert_eq!((run.status, run.stdout.as_str()), (2, ""));
    assert!(run.stderr.contains("--output"), "{}", run.stderr);
}
