//! The proof detects the smallest differences between programs, and recognises the same program under other names, in
//! another order and layout.

mod common;

use bundler::internals::Cache;
use bundler::internals::Normal;
use bundler::internals::{Checker, Flags};
use common::{fixture, Run};

fn code(source: &str) -> Normal {
    let checker = Checker::new(Cache::off(), Flags::default()).unwrap();
    checker.code(source).unwrap().unwrap_or_else(|| panic!("does not compile, or cannot be read:\n{source}"))
}

/// A program with one instance of everything that the tests change.
const PROGRAM: &str = r#"
use std::fmt::Display;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
static FIRST: AtomicU32 = AtomicU32::new(0);
static SECOND: AtomicU32 = AtomicU32::new(0);
const TABLE: [u16; 4] = [7, 11, 13, 17];
struct Point { x: i32, y: i32 }
trait Shape { fn area(&self) -> u64; fn sides(&self) -> u64; }
struct Square(u64);
struct Flat(u64);
impl Shape for Square {
    fn area(&self) -> u64 { self.0 * self.0 }
    fn sides(&self) -> u64 { 4 }
}
impl Shape for Flat {
    fn area(&self) -> u64 { 0 }
    fn sides(&self) -> u64 { self.0 }
}
impl Drop for Flat { fn drop(&mut self) { SECOND.fetch_add(1, Relaxed); } }
#[inline(never)]
fn twice(n: i64) -> i64 { n + n }
#[inline]
fn square(n: i64) -> i64 { n.wrapping_mul(n) }
fn pick(n: usize) -> &'static str {
    match n { 0 => "zero", 1 => "one", 2 => "two", 3 => "three", 4 => "four", _ => "many" }
}
fn shapes() -> Vec<Box<dyn Shape>> { vec![Box::new(Square(3)), Box::new(Flat(2))] }
fn shown<T: Display>(t: T) -> String { format!("<{t}>") }
fn loud() { FIRST.fetch_add(1, Relaxed); println!("loud"); }
fn calm() { FIRST.fetch_sub(1, Relaxed); println!("calm"); }
fn main() {
    let n = std::env::args().count();
    let p = Point { x: n as i32, y: 5 };
    loud();
    calm();
    println!("{} {} {}", twice(3 + n as i64), pick(n), shown(p.x - p.y));
    println!("{:.3}", n as f64 * 0.125);
    let total: u64 = shapes().iter().map(|s| s.area() + s.sides()).sum();
    assert!(total > n as u64, "too small");
    println!("{} {}", TABLE[n % 4], FIRST.load(Relaxed) + SECOND.load(Relaxed));
}
"#;

fn changed(from: &str, to: &str) -> String {
    assert_eq!(PROGRAM.matches(from).count(), 1, "{from}");
    PROGRAM.replace(from, to)
}

#[test]
fn small_differences_are_found() {
    let original = code(PROGRAM);
    assert!(original.functions > 50, "{}", original.functions);
    let pairs = [
        ("a constant", "y: 5", "y: 6", "bundle::main"),
        ("an entry of a table", "[7, 11, 13, 17]", "[7, 11, 15, 17]", ""),
        ("an arm of a jump table", "2 => \"two\", 3", "3 => \"two\", 2", "bundle::pick"),
        ("a callee of the same signature", "twice(3", "square(3", ""),
        ("a string", "\"four\"", "\"fore\"", ""),
        ("a floating-point number", "0.125", "0.126", "bundle::main"),
        (
            "what a vtable leads to",
            "Box::new(Square(3)), Box::new(Flat(2))",
            "Box::new(Flat(3)), Box::new(Flat(2))",
            "",
        ),
        (
            "the order of methods in a vtable",
            "fn area(&self) -> u64; fn sides(&self) -> u64;",
            "fn sides(&self) -> u64; fn area(&self) -> u64;",
            "",
        ),
        ("the order of two calls", "loud();\n    calm();", "calm();\n    loud();", ""),
        ("the variable of two alike", "fn calm() { FIRST", "fn calm() { SECOND", "bundle::calm"),
        ("a type's fields", "x: i32, y: i32", "x: i32, y: i32, _z: i32", ""),
        ("an operator", "p.x - p.y", "p.x + p.y", ""),
        ("a destructor", "SECOND.fetch_add(1, Relaxed); } }", "} }", ""),
        ("a message", "too small", "too short", ""),
        ("an attribute", "#[inline(never)]\n", "", ""),
        ("another attribute", "#[inline]\nfn square", "#[inline]\n#[cold]\nfn square", ""),
        ("an instance", "shown(p.x - p.y)", "shown((p.x - p.y) as u32)", ""),
        ("an ordering", "FIRST.load(Relaxed)", "FIRST.load(std::sync::atomic::Ordering::Acquire)", ""),
    ];
    for (what, from, to, function) in pairs {
        let mut text = changed(from, to);
        if what == "a type's fields" {
            text = text.replace("y: 5 }", "y: 5, _z: 7 }");
        }
        if what == "another attribute" {
            // It is compiled only if something calls it.
            let called = changed("twice(3", "square(3");
            let cold = called.replace(from, to);
            assert!(code(&called).difference(&code(&cold)).is_some(), "{what}");
            continue;
        }
        let difference = original.difference(&code(&text));
        let found = difference.unwrap_or_else(|| panic!("{what}: {from} and {to} are not distinguished"));
        assert!(found.contains(function), "{what} is reported in {found}");
    }
}

#[test]
fn the_same_program_is_recognised() {
    let original = code(PROGRAM);
    let same = |what: &str, text: &str| assert_eq!(original.difference(&code(text)), None, "{what}");
    same("itself", PROGRAM);
    same("lines and comments", &PROGRAM.replace("fn ", "\n\n// here\n\n   fn "));
    let mut renamed = PROGRAM.to_owned();
    for (from, to) in [
        ("Point", "A"),
        ("x", "zzzz"),
        ("y", "yyy"),
        ("Shape", "T"),
        ("area", "zone"),
        ("Square", "Q"),
        ("Flat", "F"),
        ("FIRST", "S"),
        ("SECOND", "R"),
        ("TABLE", "U"),
        ("twice", "b"),
        ("square", "c"),
        ("pick", "d"),
        ("shapes", "e"),
        ("shown", "a"),
        ("loud", "zloud"),
        ("calm", "acalm"),
        ("total", "v"),
        ("p", "k"),
        ("n", "number"),
    ] {
        renamed = word(&renamed, from, to);
    }
    // Strings are output, so the names in them must stay.
    let renamed = renamed.replace("\"zloud\"", "\"loud\"").replace("\"acalm\"", "\"calm\"");
    assert!(renamed.contains("struct A") && renamed.contains("fn zone(&self)"));
    same("names", &renamed);
    let mut reversed = String::new();
    let mut item = String::new();
    for line in PROGRAM.lines() {
        item += line;
        item += "\n";
        if line.ends_with([';', '}']) && !line.starts_with(' ') {
            reversed = std::mem::take(&mut item) + &reversed;
        }
    }
    assert!(reversed.starts_with("fn main") && reversed.len() + 1 >= PROGRAM.len());
    same("order", &reversed);
    let dead = "\nstruct Dead(u8);\nimpl Dead { fn f() -> Vec<u64> { vec![7] } }\nfn dead() { Dead::f(); println!(\"d\"); }\n\
        static LOST: [u8; 9] = [1; 9];\nmod inner { pub fn also_dead() { super::dead() } }\n";
    same("dead code", &format!("{PROGRAM}{dead}"));
    same("dead code first", &format!("#![allow(dead_code)]\n{dead}{PROGRAM}"));
    let wrapped =
        format!("fn main() {{ m::main() }} mod m {{ {} }}", PROGRAM.replace("fn main", "pub fn main"));
    assert!(original.difference(&code(&wrapped)).is_some(), "an additional call is a difference");
}

#[test]
fn names_of_inlined_functions_do_not_count() {
    let program = |first: &str, second: &str, third: &str| {
        format!(
            "#[inline(always)] fn {first}(n: u64) -> u64 {{ let mut a = [n; 4]; a[n as usize & 3] += {second}(n); a[0] }}\n\
            #[inline(always)] fn {second}(n: u64) -> u64 {{ let mut b = [n; 8]; b[n as usize & 7] += {third}(n); b[1] }}\n\
            #[inline(always)] fn {third}(n: u64) -> u64 {{ let mut c = [n; 2]; c[n as usize & 1] += 7; c[1] }}\n\
            fn main() {{ let n = std::env::args().count() as u64; println!(\"{{}}\", {first}(n) + {third}(n) + {second}(n)) }}"
        )
    };
    let original = code(&program("first", "second", "third"));
    assert_eq!(original.difference(&code(&program("m", "zzz", "a"))), None);
}

#[test]
fn names_of_types_compared_at_run_time_do_not_count() {
    let program = |own: &str, other: &str, asked: &str| {
        format!(
            "use std::{{any::{{Any, TypeId}}, error::Error, fmt}};\nstruct {own}(u8); struct {other};\n\
            impl fmt::Debug for {own} {{ fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {{ f.write_str(\"own\") }} }}\n\
            impl fmt::Display for {own} {{ fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {{ f.write_str(\"own\") }} }}\n\
            impl Error for {own} {{}}\nfn failed() -> Box<dyn Error> {{ Box::new({own}(3)) }}\n\
            fn main() {{ let any: Box<dyn Any> = Box::new({other}); let e = failed();\n\
            println!(\"{{}} {{}} {{}}\", any.is::<{asked}>(), e.is::<{own}>(), any.as_ref().type_id() == TypeId::of::<{own}>()) }}"
        )
    };
    let original = code(&program("Own", "Other", "Other"));
    // Rust 1.85 writes type identities as plain numbers.
    let old = Checker::new(Cache::off(), Flags::default()).unwrap().name().contains(" 1.85.");
    assert_eq!(original.difference(&code(&program("Q", "Abc", "Abc"))).is_some(), old);
    assert!(original.difference(&code(&program("Own", "Other", "Own"))).is_some());
}

/// Replaces whole words.
fn word(text: &str, from: &str, to: &str) -> String {
    let whole = |c: char| c.is_alphanumeric() || c == '_';
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(from) {
        let before = rest[..at].chars().next_back().or(out.chars().next_back());
        let after = rest[at + from.len()..].chars().next();
        let is_word = !before.is_some_and(whole) && !after.is_some_and(whole);
        out.push_str(&rest[..at]);
        out.push_str(if is_word { to } else { from });
        rest = &rest[at + from.len()..];
    }
    out + rest
}

#[test]
fn line_numbers_do_not_count_but_messages_do() {
    let program = |lines: &str, message: &str| {
        format!(
            "fn main() {{ let v: Vec<String> = std::env::args().collect();{lines}\n\
            println!(\"{{}}\", v[9]); v.get(9).expect(\"{message}\"); unreachable!(\"{message}\") }}"
        )
    };
    let original = code(&program("", "no"));
    assert_eq!(original.difference(&code(&program("\n\n\n", "no"))), None);
    assert!(original.difference(&code(&program("", "on"))).is_some());
}

#[test]
fn broken_programs_have_no_code() {
    let checker = Checker::new(Cache::off(), Flags::default()).unwrap();
    assert_eq!(checker.code("fn main() { 1 }").unwrap(), None);
    // An error that is found only when code is generated.
    let late = "struct S<const N: usize>; impl<const N: usize> S<N> { const BAD: () = assert!(N > 9); }\n\
        fn main() { let () = S::<3>::BAD; }";
    assert_eq!(checker.code(late).unwrap(), None);
}

#[test]
fn a_text_in_files_has_the_same_code() {
    let folder = tempfile::tempdir().unwrap();
    let checker = Checker::new(Cache::at(folder.path()), Flags::default()).unwrap();
    let modules = "
macro_rules! third { ($list:expr) => { $list[2] } }
mod outer {
    pub(crate) mod inner { pub fn pick(list: &[u8]) -> u8 { third!(list) } }
    pub fn pick(list: &[u8]) -> u8 { list[1] + self::inner::pick(list) }
}
#[cfg(any())] mod outer { fn never() {} }
fn main() { assert!(outer::pick(&std::env::args().map(|a| a.len() as u8).collect::<Vec<_>>()) < 9, \"large\"); }
";
    for moved in ["macro_rules", "list[1]", "fn main"] {
        for text in [modules, &modules.replace(moved, &format!("\n{moved}"))] {
            let again = checker.code_again(text).unwrap().unwrap();
            assert_eq!(again.difference(&code(modules)), None, "{text}");
        }
    }
    let other = checker.code_again(&modules.replace("list[2]", "list[3]")).unwrap().unwrap();
    assert!(other.difference(&code(modules)).unwrap().contains("pick"));
}

/// A compiler that runs a script before `rustc`.
#[cfg(unix)]
fn compiler(folder: &std::path::Path, script: &str) -> String {
    use std::os::unix::fs::PermissionsExt;
    let path = folder.join("other-rustc");
    let rustc = std::env::var("RUSTC").unwrap_or_else(|_| "rustc".into());
    std::fs::write(&path, format!("#!/bin/sh\n{script}\nexec {rustc} \"$@\"\n")).unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    path.to_str().unwrap().to_owned()
}

#[cfg(unix)]
#[test]
fn another_compiler() {
    let folder = tempfile::tempdir().unwrap();
    let run = |script: &str| {
        let other = compiler(folder.path(), script);
        Run::bundler(&fixture("modules"), &["--check-with", &other, "--no-cache"])
    };
    let version = "[ \"$1\" = -vV ] && { echo 'rustc 1.0.7 (x)'; exit; }";
    let takes = run(version);
    assert_eq!(takes.status, 0, "{}", takes.stderr);
    assert!(takes.stderr.contains(" and rustc 1.0.7; "), "{}", takes.stderr);
    assert!(!takes.stdout.contains("quaint"));
    // It warns about a lint that the own compiler does not know, unless it is allowed.
    let warns = run(&format!(
        "{version}\ngrep -q 'allow.*quaint' bundle.rs || echo '{{\"message\":\"m\",\"code\":{{\"code\":\"quaint\"}},\
         \"level\":\"warning\",\"spans\":[]}}' >&2"
    ));
    assert_eq!(warns.status, 0, "{}", warns.stderr);
    assert!(warns.stdout.contains("#![allow(unknown_lints"), "{}", warns.stdout);
    assert!(warns.stdout.contains("quaint)]"), "{}", warns.stdout);
    assert!(warns.stderr.contains(" and rustc 1.0.7; "), "{}", warns.stderr);
    let refuses = run(&format!("{version}\necho 'fn broken(' >> bundle.rs"));
    assert_eq!((refuses.status, refuses.stdout.as_str()), (1, ""), "{}", refuses.stderr);
    assert!(refuses.stderr.contains("rustc 1.0.7 does not"), "{}", refuses.stderr);
    assert!(
        refuses.stderr.contains(".rs:") && refuses.stderr.contains("unclosed delimiter"),
        "{}",
        refuses.stderr
    );
    for none in ["/no/such/rustc", "Cargo.toml", "cargo"] {
        let run = Run::bundler(&fixture("modules"), &["--check-with", none]);
        assert_eq!((run.status, run.stdout.as_str()), (1, ""), "{none}: {}", run.stderr);
        assert!(run.stderr.contains(none) && run.stderr.contains("--check-with"), "{}", run.stderr);
    }
}

#[test]
fn lines_in_messages_are_no_difference() {
    let run = Run::bundler(&fixture("places-in-messages"), &[]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    assert!(run.stderr.contains(" functions, the same since merging"), "{}", run.stderr);
    assert!(!run.stderr.contains("not proved") && !run.stdout.contains("unused"), "{}", run.stderr);
}

#[test]
fn without_a_check_nothing_is_proved() {
    let run = Run::bundler(&fixture("modules"), &["--no-check"]);
    assert!(
        run.stderr.contains("not proved: ") && run.stderr.contains("--no-check was given"),
        "{}",
        run.stderr
    );
    assert!(!run.stderr.contains("\nproved: "), "{}", run.stderr);
    let run = Run::bundler(&fixture("modules"), &["--no-check", "--check-with", "rustc"]);
    assert_eq!(run.status, 2, "{}", run.stderr);
}
