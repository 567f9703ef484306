//! `bundler probe`: a program that only a site which doesn't count bytes accepts.

mod common;

use common::{run_alone_with, Run};

fn probe(arguments: &[&str]) -> Run {
    let folder = tempfile::tempdir().unwrap();
    Run::bundler(folder.path(), &[&["probe"], arguments].concat())
}

/// The size in UTF-16 units.
fn units(text: &str) -> usize {
    text.encode_utf16().count()
}

#[test]
fn it_is_within_the_limit_in_units_and_over_it_in_bytes() {
    for limit in [3_000, 65_536, 100_000] {
        let run = probe(&["--limit", &limit.to_string()]);
        assert_eq!(run.status, 0, "{}", run.stderr);
        let (units, bytes) = (units(&run.stdout), run.stdout.len());
        assert!(units <= limit && units + 50 + limit / 100 > limit, "{units} units for {limit}");
        assert!(bytes > limit + limit / 2, "{bytes} bytes for {limit}");
    }
    assert_eq!(
        probe(&[]).stdout,
        probe(&["--limit", "100000"]).stdout,
        "the platform's limit is the default"
    );
    let refused = probe(&["--limit", "2999"]);
    assert_eq!((refused.status, refused.stdout.as_str()), (2, ""));
    assert!(refused.stderr.contains("2999 is not in 3000.."), "{}", refused.stderr);
}

#[test]
fn it_says_whether_its_characters_arrived() {
    let program = probe(&[]).stdout;
    let said = |program: &str| run_alone_with(program, "probe", &[]).stderr;
    let all = said(&program);
    assert!(all.starts_with("probe: accepted, and all 97"), "{all}");
    // Lines that end as on Windows are no harm.
    assert_eq!(said(&program.replace('\n', "\r\n")), all);
    let changed = said(&program.replacen('\u{3402}', "?", 1));
    assert_eq!(changed, "probe: accepted, but character 2 arrived as U+003F instead of U+3402\n");
    let (start, rest) = program.split_once("\u{3400}").unwrap();
    let cut = said(&format!("{start}\u{3400}{}", rest.chars().skip(120).collect::<String>()));
    assert!(cut.starts_with("probe: accepted, but character 1 arrived as U+"), "{cut}");
    let end = program.rfind("\";").unwrap() - "\u{3400}\n".len();
    let shorter = said(&format!("{}\n\";\n", &program[..end]));
    assert!(shorter.contains("characters arrived instead of"), "{shorter}");
}

#[test]
fn a_reader_may_stop_early() {
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_bundler"));
    command.arg("probe").stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped());
    let mut child = command.spawn().unwrap();
    drop(child.stdout.take());
    let run = child.wait_with_output().unwrap();
    assert_eq!((run.status.code(), String::from_utf8_lossy(&run.stderr).as_ref()), (Some(0), ""));
}
