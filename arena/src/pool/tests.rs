use std::path::{Path, PathBuf};

use super::*;

fn addition<'a>(name: &'a str, command: &'a str) -> Addition<'a> {
    Addition { name, command, given: command, note: None, build: None, sources: &[], rustc: "rustc" }
}

/// A folder with a pool and a script; and the script's command line.
fn with_script() -> (tempfile::TempDir, PathBuf, String) {
    let folder = tempfile::tempdir().unwrap();
    let (pool, script) = (folder.path().join("pool"), folder.path().join("my bot.py"));
    fs::write(&script, "print(1)").unwrap();
    Pool::create(&pool, vec!["toy".to_owned()]).unwrap();
    let command = format!("cargo {} --nodes 5", shell_words::quote(script.to_str().unwrap()));
    (folder, pool, command)
}

fn add(pool: &Path, name: &str, command: &str) -> Result<Member, PoolError> {
    Pool::change(pool, |pool| pool.add(addition(name, command)).cloned())
}

#[test]
fn a_bot_is_copied_and_keeps_its_hash_whatever_becomes_of_the_original() {
    let (folder, path, command) = with_script();
    let bot = add(&path, "v1", &command).unwrap();
    assert_eq!(
        (bot.words[1].as_str(), &bot.words[2..]),
        ("{bot}/my bot.py", &["--nodes".to_owned(), "5".to_owned()][..])
    );
    fs::write(folder.path().join("my bot.py"), "print(2)").unwrap();
    let pool = Pool::open(&path).unwrap();
    pool.check_files(&pool.bots()[0]).unwrap();
    assert_eq!(bot.own_source(), Some("my bot.py"));
    let copy = pool.folder_of(&pool.bots()[0]).join("my bot.py");
    assert_eq!(pool.line_of(&pool.bots()[0]).unwrap().arguments()[0], copy.to_str().unwrap());
    fs::write(&copy, "print(3)").unwrap();
    let error = pool.check_files(&pool.bots()[0]).unwrap_err().to_string();
    assert!(
        error.contains("bot v1 has changed since it was added") && error.contains("another name"),
        "{error}"
    );
    fs::remove_file(copy).unwrap();
    assert!(matches!(pool.check_files(&pool.bots()[0]), Err(PoolError::Changed { .. })));
}

#[test]
fn names_are_taken_once_and_fit_any_file_system() {
    let (_folder, path, command) = with_script();
    add(&path, "v1", &command).unwrap();
    Pool::change(&path, |pool| pool.retire("v1")).unwrap();
    assert!(matches!(add(&path, "V1", &command), Err(PoolError::Taken { .. })));
    for name in ["", "a/b", "..", ".v1", "a b", "é", "x.", "-v"] {
        assert!(matches!(add(&path, name, &command), Err(PoolError::Name(_))), "{name}");
    }
    assert!(matches!(add(&path, "v2", "./no/such/bot"), Err(PoolError::NoProgram { .. })));
    assert!(!path.join("bots/v2").exists());
    assert_eq!(Pool::open(&path).unwrap().bots().len(), 1);
}

#[test]
fn the_last_submission_by_date_is_on_the_site() {
    let (_folder, path, command) = with_script();
    for name in ["v1", "v2"] {
        add(&path, name, &command).unwrap();
    }
    let submit = |bot: &str, at: &str| {
        let submission =
            Submission { bot: bot.to_owned(), at: at.to_owned(), rank: Some(57), score: None, note: None };
        Pool::change(&path, |pool| pool.submitted(submission))
    };
    submit("v2", "2025-11-24 18:30:00").unwrap();
    submit("v1", "2025-11-23T09:00:00Z").unwrap();
    let pool = Pool::open(&path).unwrap();
    assert_eq!(pool.on_site().map(|s| (s.bot.as_str(), s.at.as_str())), Some(("v2", "2025-11-24T18:30:00Z")));
    assert!(matches!(submit("v3", "2025-11-24"), Err(PoolError::Unknown { .. })));
    assert!(matches!(submit("v1", "yesterday"), Err(PoolError::Date { .. })));
}

#[test]
fn a_file_that_makes_no_sense_is_named() {
    let (_folder, path, _) = with_script();
    assert!(matches!(Pool::create(&path, Vec::new()), Err(PoolError::Exists { .. })));
    for text in ["", "{}", "[1]", r#"{"version": 9, "plan": [], "bots": []}"#] {
        fs::write(path.join("pool.json"), text).unwrap();
        let error = Pool::open(&path).unwrap_err().to_string();
        assert!(error.contains("pool.json: not the file of a pool"), "{error}");
    }
    assert!(Pool::open(&path.join("nowhere")).unwrap_err().to_string().contains("arena pool new"));
}
