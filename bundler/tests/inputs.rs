//! Odd input and a hostile system: clear errors, the old file kept, no temporary files left.

mod common;

use common::{bundler, fixture, manifest, workspace, Run};
use std::path::Path;

const MAIN: &str = "fn main() { println!(\"hello\") }\n";

fn bot() -> tempfile::TempDir {
    workspace(&[("Cargo.toml", &manifest("bot", "")), ("src/main.rs", MAIN)])
}

fn names(folder: &Path) -> Vec<std::ffi::OsString> {
    let mut names: Vec<_> = std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().file_name()).collect();
    names.sort();
    names
}

fn refused(folder: &Path, arguments: &[&str], status: i32, expected: &[&str]) {
    let run = Run::bundler(folder, arguments);
    assert_eq!((run.status, run.stdout.as_str()), (status, ""), "{arguments:?}: {}", run.stderr);
    for part in expected {
        assert!(run.stderr.contains(part), "{arguments:?}: no {part:?} in {}", run.stderr);
    }
    assert!(!run.stderr.contains("panicked"), "{}", run.stderr);
}

#[test]
fn empty_and_malformed_workspaces() {
    let library = workspace(&[("Cargo.toml", &manifest("lib", "")), ("src/lib.rs", "")]);
    refused(library.path(), &[], 2, &["no binary", "src/main.rs"]);
    let nonsense = workspace(&[("Cargo.toml", "[package\n"), ("src/main.rs", MAIN)]);
    refused(nonsense.path(), &[], 1, &["Cargo.toml", "cargo cannot read the workspace"]);
    let no_source =
        workspace(&[("Cargo.toml", &manifest("bot", "[[bin]]\nname = \"b\"\npath = \"b.rs\"\n"))]);
    refused(no_source.path(), &["--no-check"], 1, &["b.rs"]);
    let bytes = workspace(&[("Cargo.toml", &manifest("bot", "")), ("src/main.rs", MAIN)]);
    std::fs::write(bytes.path().join("src/main.rs"), b"fn main() {}\n// \xff\n").unwrap();
    refused(bytes.path(), &["--no-check"], 1, &["src/main.rs"]);
    refused(bytes.path(), &["--manifest-path", "none/Cargo.toml"], 1, &["none/Cargo.toml"]);
}

#[test]
fn without_the_network() {
    let dependency = "[dependencies]\na-crate-that-nobody-has-made = \"1\"\n";
    let folder = workspace(&[("Cargo.toml", &manifest("bot", dependency)), ("src/main.rs", MAIN)]);
    refused(folder.path(), &["--offline"], 1, &["a-crate-that-nobody-has-made", "cargo fetch"]);
}

#[test]
fn without_tools() {
    let empty = tempfile::tempdir().unwrap();
    let folder = bot();
    let without = |tool: &str, other: (&str, Option<std::ffi::OsString>)| {
        let mut command = bundler(folder.path());
        command.env("PATH", empty.path()).env_remove("CARGO").env_remove("RUSTC");
        if let (name, Some(path)) = other {
            command.env(name, path);
        }
        let run = Run::of(command.output().unwrap());
        assert_eq!((run.status, run.stdout.as_str()), (1, ""), "{}", run.stderr);
        assert!(run.stderr.contains(&format!("`{tool}`")) && run.stderr.contains("PATH"), "{}", run.stderr);
    };
    without("cargo", ("RUSTC", None));
}

#[test]
fn paths_with_spaces_and_other_letters() {
    let folder = tempfile::tempdir().unwrap();
    let within = folder.path().join("my böts/今日は");
    common::copy(bot().path(), &within);
    let plain = Run::bundler(bot().path(), &["--no-check"]).stdout;
    let run =
        Run::bundler(folder.path(), &["--manifest-path", "my böts/今日は/Cargo.toml", "-o", "o u t/ß.rs"]);
    assert_eq!(run.status, 1, "there is no such folder yet");
    std::fs::create_dir(folder.path().join("o u t")).unwrap();
    let run =
        Run::bundler(folder.path(), &["--manifest-path", "my böts/今日は/Cargo.toml", "-o", "o u t/ß.rs"]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    assert_eq!(std::fs::read_to_string(folder.path().join("o u t/ß.rs")).unwrap(), plain);
}

#[test]
fn output_to_a_folder_is_refused() {
    let folder = bot();
    std::fs::create_dir(folder.path().join("out")).unwrap();
    refused(folder.path(), &["--no-check", "-o", "out"], 1, &["cannot write out", "it is a folder"]);
    assert!(names(&folder.path().join("out")).is_empty());
}

#[cfg(unix)]
mod unix {
    use super::*;
    use std::os::unix::ffi::OsStrExt;
    use std::process::Command;

    #[test]
    fn symbolic_links_are_kept() {
        let folder = bot();
        std::fs::create_dir(folder.path().join("else")).unwrap();
        std::fs::write(folder.path().join("else/real.rs"), "old").unwrap();
        std::os::unix::fs::symlink("else/real.rs", folder.path().join("submit.rs")).unwrap();
        let run = Run::bundler(folder.path(), &["--no-check", "-o", "submit.rs"]);
        assert_eq!(run.status, 0, "{}", run.stderr);
        assert!(folder.path().join("submit.rs").is_symlink());
        assert!(std::fs::read_to_string(folder.path().join("else/real.rs")).unwrap().contains("hello"));
        assert_eq!(names(&folder.path().join("else")), ["real.rs"]);
    }

    #[test]
    fn read_only_output_folder() {
        use std::os::unix::fs::PermissionsExt;
        let folder = bot();
        let out = folder.path().join("out");
        std::fs::create_dir(&out).unwrap();
        std::fs::write(out.join("submit.rs"), "old").unwrap();
        std::fs::set_permissions(&out, std::fs::Permissions::from_mode(0o555)).unwrap();
        // A privileged user can write anyway.
        let stopped = std::fs::write(out.join("probe"), "").is_err();
        let run = Run::bundler(folder.path(), &["--no-check", "-o", "out/submit.rs"]);
        let text = std::fs::read_to_string(out.join("submit.rs")).unwrap();
        std::fs::set_permissions(&out, std::fs::Permissions::from_mode(0o755)).unwrap();
        assert_eq!(
            (run.status, text == "old"),
            if stopped { (1, true) } else { (0, false) },
            "{}",
            run.stderr
        );
    }

    #[test]
    fn a_full_disk_keeps_the_old_file() {
        let long = format!("fn main() {{ println!(\"{}\") }}\n", "long ".repeat(2000));
        let folder = workspace(&[("Cargo.toml", &manifest("bot", "")), ("src/main.rs", &long)]);
        let out = folder.path().join("out");
        std::fs::create_dir(&out).unwrap();
        std::fs::write(out.join("submit.rs"), "old").unwrap();
        // With an existing lock file, cargo has nothing to write.
        assert_eq!(Run::bundler(folder.path(), &["--no-check", "-q"]).status, 0);
        let script = format!(
            "ulimit -f 1; trap '' XFSZ; exec '{}' --no-check -o out/submit.rs",
            env!("CARGO_BIN_EXE_bundler")
        );
        let mut command = Command::new("sh");
        command.args(["-c", &script]).current_dir(folder.path()).env("CARGO_NET_OFFLINE", "true");
        let run = Run::of(command.output().unwrap());
        assert_eq!(run.status, 1, "{}", run.stderr);
        assert!(run.stderr.contains("cannot write") && run.stderr.contains("unchanged"), "{}", run.stderr);
        assert_eq!(std::fs::read_to_string(out.join("submit.rs")).unwrap(), "old");
        assert_eq!(names(&out), ["submit.rs"]);
    }

    #[test]
    fn arguments_that_are_not_utf8() {
        let folder = bot();
        let odd = std::ffi::OsStr::from_bytes(b"od\xffd.rs");
        let run = Run::of(bundler(folder.path()).args(["--no-check", "-o"]).arg(odd).output().unwrap());
        assert_eq!(run.status, 0, "{}", run.stderr);
        assert!(std::fs::read_to_string(folder.path().join(odd)).unwrap().contains("hello"));
        let run = Run::of(bundler(folder.path()).arg(odd).output().unwrap());
        assert_eq!((run.status, run.stdout.as_str()), (2, ""), "{}", run.stderr);
        let run = Run::of(bundler(folder.path()).arg("--manifest-path").arg(odd).output().unwrap());
        assert_eq!((run.status, run.stdout.as_str()), (1, ""), "{}", run.stderr);
        assert!(!run.stderr.contains("panicked"), "{}", run.stderr);
    }

    #[test]
    fn unreadable_files() {
        let folder = bot();
        std::fs::remove_file(folder.path().join("src/main.rs")).unwrap();
        std::os::unix::fs::symlink("main.rs", folder.path().join("src/main.rs")).unwrap();
        refused(folder.path(), &["--no-check"], 1, &["main.rs"]);
    }
}

#[test]
fn help_and_version() {
    let help = Run::bundler(&fixture("modules"), &["--help"]);
    assert_eq!((help.status, help.stderr.as_str()), (0, ""));
    for part in ["Examples:", "Platforms:", "codeforces", "Exit status", "130", "--watch", "--features"] {
        assert!(help.stdout.contains(part), "no {part} in {}", help.stdout);
    }
    let version = Run::bundler(&fixture("modules"), &["--version"]);
    assert_eq!(
        (version.status, version.stdout.as_str()),
        (0, concat!("bundler ", env!("CARGO_PKG_VERSION"), "\n"))
    );
}

#[test]
fn platforms_set_the_limit() {
    let folder = bot();
    for (site, limit) in [("codingame", "100,000"), ("atcoder", "524,288"), ("codeforces", "65,536")] {
        let run = Run::bundler(folder.path(), &["--no-check", "--platform", site]);
        assert!(run.stderr.contains(&format!("of the limit of {limit} bytes")), "{}", run.stderr);
        let run = Run::bundler(folder.path(), &["--no-check", "--platform", site, "--limit", "70000chars"]);
        assert!(run.stderr.contains("of the limit of 70,000 characters"), "{}", run.stderr);
    }
    refused(folder.path(), &["--platform", "elsewhere"], 2, &["codingame", "atcoder"]);
    let table = folder.path().join("sites.toml");
    std::fs::write(&table, "[atcoder]\nlimit = 70_000\n\n[mine]\nlimit = 50_000\nunit = \"chars\"\n")
        .unwrap();
    let table = table.to_str().unwrap();
    for (site, limit) in
        [("atcoder", "70,000 bytes"), ("mine", "50,000 characters"), ("codingame", "100,000 bytes")]
    {
        let run = Run::bundler(folder.path(), &["--no-check", "--platform", site, "--platforms", table]);
        assert!(run.stderr.contains(&format!("of the limit of {limit}")), "{}", run.stderr);
    }
    refused(folder.path(), &["--platform", "x", "--platforms", "none.toml"], 2, &["none.toml"]);
}

#[test]
fn cargo_runs_it_as_a_subcommand() {
    let run = |arguments: &[&str], folder: &Path| {
        let program = env!("CARGO_BIN_EXE_cargo-coppice");
        Run::of(std::process::Command::new(program).args(arguments).current_dir(folder).output().unwrap())
    };
    let bot = bot();
    for arguments in [&["coppice", "--no-check"][..], &["--no-check"]] {
        let bundled = run(arguments, bot.path());
        assert_eq!(bundled.status, 0, "{}", bundled.stderr);
        assert!(bundled.stdout.contains("fn main()"), "{}", bundled.stdout);
    }
    let help = run(&["coppice", "--help"], bot.path()).stdout;
    assert!(help.contains("Usage: cargo coppice") && help.contains("\n  cargo coppice reversi"), "{help}");
    let wrong = run(&["coppice", "--nonsense"], bot.path());
    assert_eq!(wrong.status, 2, "{}", wrong.stderr);
}

#[test]
fn files_from_outside_the_workspace_are_noted() {
    let folder = workspace(&[
        ("secret.txt", "text"),
        ("bot/Cargo.toml", &manifest("bot", "[workspace]\n")),
        ("bot/src/inside.txt", "inside"),
        ("bot/src/main.rs", "fn main() { println!(\"{}\", include_str!(\"inside.txt\")) }\n"),
    ]);
    let bot = folder.path().join("bot");
    let run = Run::bundler(&bot, &["--no-check"]);
    assert!(run.status == 0 && !run.stderr.contains("outside"), "{}", run.stderr);
    for path in ["\"../../secret.txt\"", "concat!(env!(\"CARGO_MANIFEST_DIR\"), \"/../secret.txt\")"] {
        let main = format!("fn main() {{ println!(\"{{}}\", include_str!({path})) }}\n");
        std::fs::write(bot.join("src/main.rs"), main).unwrap();
        let run = Run::bundler(&bot, &["--no-check"]);
        assert!(run.status == 0 && run.stderr.contains("outside the workspace: "), "{}", run.stderr);
        assert!(run.stderr.contains("secret.txt"), "{}", run.stderr);
    }
}

#[cfg(unix)]
#[test]
fn crates_are_counted_while_they_compile() {
    use std::os::unix::fs::PermissionsExt;
    let toml = manifest("bot", "[dependencies]\nlib = { path = \"lib\" }\n");
    let folder = workspace(&[
        ("Cargo.toml", &toml),
        ("src/main.rs", "fn main() { println!(\"{}\", lib::f()) }\n"),
        ("lib/Cargo.toml", &manifest("lib", "")),
        ("lib/src/lib.rs", "pub fn f() -> u8 { 7 }\n"),
        ("slow", "#!/bin/sh\ncase \"$*\" in *--crate-name\\ lib*|*--crate-name\\ bot*) sleep 1.3;; esac\nexec \"$@\"\n"),
    ]);
    let slow = folder.path().join("slow");
    std::fs::set_permissions(&slow, std::fs::Permissions::from_mode(0o755)).unwrap();
    let run = Run::of(bundler(folder.path()).env("RUSTC_WRAPPER", &slow).output().unwrap());
    assert_eq!(run.status, 0, "{}", run.stderr);
    assert!(run.stderr.contains("compiling the source (1 of 2)"), "{}", run.stderr);
}

/// Otherwise the build would last for minutes and fail.
#[cfg(unix)]
#[test]
fn a_refusal_does_not_wait_for_cargo() {
    use std::os::unix::fs::PermissionsExt;
    let folder = workspace(&[
        ("Cargo.toml", &manifest("bot", "")),
        ("src/main.rs", "fn main() {\n    println!(\"{}\", file!());\n}\n"),
        ("slow", "#!/bin/sh\ncase \"$*\" in *--crate-name\\ bot*) sleep 600; exit 1;; esac\nexec \"$@\"\n"),
    ]);
    let slow = folder.path().join("slow");
    std::fs::set_permissions(&slow, std::fs::Permissions::from_mode(0o755)).unwrap();
    let run = Run::of(bundler(folder.path()).env("RUSTC_WRAPPER", &slow).output().unwrap());
    assert_eq!((run.status, run.stdout.as_str()), (1, ""), "{}", run.stderr);
    assert!(run.stderr.contains("src/main.rs:2:20: `file!` would give another value"), "{}", run.stderr);
}

/// With a program in place of the clipboard's, which writes to a file, and without any.
#[cfg(unix)]
#[test]
fn the_clipboard() {
    use std::os::unix::fs::PermissionsExt;

    let (folder, programs) = (bot(), tempfile::tempdir().unwrap());
    let (program, pasted) = (programs.path().join("wl-copy"), programs.path().join("pasted"));
    let copied = |path: &str| {
        let path = format!("{}:{path}", programs.path().display());
        let run = Run::of(bundler(folder.path()).arg("--copy").env("PATH", path).output().unwrap());
        assert_eq!(run.stdout, "", "{}", run.stderr);
        run
    };
    let run = copied("");
    let advice = "no clipboard program on the PATH (wl-copy, xclip, xsel, pbcopy, clip)\n  Leave --copy out, and redirect the bundle into a file: > submit.rs";
    assert!(run.status == 1 && run.stderr.contains(advice), "{}", run.stderr);
    std::fs::write(&program, format!("#!/bin/sh\ncat > '{}'\n", pasted.display())).unwrap();
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
    let run = copied(&std::env::var("PATH").unwrap());
    let bundle = Run::bundler(folder.path(), &[]).stdout;
    let said = format!("copied: {} bytes, by wl-copy", bundle.len());
    assert!(run.status == 0 && run.stderr.contains(&said), "{}", run.stderr);
    assert_eq!(std::fs::read_to_string(&pasted).unwrap(), bundle);
}
