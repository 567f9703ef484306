//! Unneeded code is removed, in registry crates too; code that is needed without being named stays.

mod common;

use common::{bundled_with, crates, fixture, manifest, plays_the_same, run_alone, workspace, Run};
use std::path::Path;
use std::process::Command;

#[test]
fn unneeded_code_is_removed() {
    let bundle = plays_the_same(&fixture("removal"), "removal");
    for dead in [
        "never in a bundle",
        "marker_of",
        "Mul",
        "u128",
        "#[derive(Hash",
        "narrowest",
        "marker_of_write",
        "7777",
    ] {
        assert!(!bundle.contains(dead), "{dead} is left:\n{bundle}");
    }
    for live in [
        "impl Drop",
        "impl From<std::num::ParseIntError>",
        "impl std::iter::Sum",
        "fmt::Display",
        "asked_by_assertions_only",
        "0x10",
    ] {
        assert!(bundle.contains(live), "{live} is gone:\n{bundle}");
    }
}

/// The size of the crates in a bundle: everything after the start of the first crate, except the bot's own module.
fn of_crates(bundle: &str) -> usize {
    let root = bundle.find("mod arrayvec").unwrap();
    let own = &bundle[bundle.find("mod breakthrough").unwrap()..];
    // The strings of the bot have as many closing braces as opening ones.
    let mut depth = 0usize;
    let end = own.char_indices().find(|(_, c)| {
        depth = depth + usize::from(*c == '{') - usize::from(*c == '}');
        depth == 0 && *c == '}'
    });
    bundle.len() - root - end.unwrap().0
}

#[test]
#[ignore = "compiles five crates many times"]
fn four_crates() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/crates");
    for (bin, most) in [("breakthrough", 40_000), ("breakthrough-rand08", 40_000)] {
        let bundle = plays_the_same(&folder, bin);
        println!("{bin}: the crates add {} bytes", of_crates(&bundle));
        assert!(of_crates(&bundle) <= most, "{bin}: {} bytes of crates", of_crates(&bundle));
    }
}

/// A program with methods that only constants use, so that the compiler folds their code away.
const FOLDED_TO_CONSTANTS: &str = r#"
use std::ops::{Neg, Not};
#[derive(Clone, Copy)]
struct Score(i32);
impl Neg for Score {
    type Output = Score;
    #[inline(always)]
    fn neg(self) -> Score { Score(-self.0) }
}
struct Unknown;
impl PartialEq for Unknown {
    #[inline(always)]
    fn eq(&self, _: &Unknown) -> bool { false }
    #[inline(always)]
    fn ne(&self, _: &Unknown) -> bool { false }
}
impl Not for Score {
    type Output = Score;
    #[inline(always)]
    fn not(self) -> Score { Score(!self.0) }
}
fn main() {
    let worst = -Score(1_000_001);
    println!("{} {} {}", worst.0, Unknown == Unknown, Unknown != Unknown);
}
"#;

#[test]
fn folded_functions_count_as_used() {
    let folder = workspace(&[
        ("Cargo.toml", &manifest("constants", "[workspace]\n")),
        ("src/main.rs", FOLDED_TO_CONSTANTS),
    ]);
    let run = Run::bundler(folder.path(), &[]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    assert!(run.stderr.contains("the same since merging"), "{}", run.stderr);
    assert!(!run.stderr.contains("undid"), "{}", run.stderr);
    assert!(!run.stdout.contains("Not") && !run.stdout.contains("loop"), "{}", run.stdout);
    assert_eq!(run_alone(&run.stdout, "constants"), "-1000001 false false\n");
}

/// Traits as crates of numbers have them: an integer gets its functions and operators through traits without functions
/// that are called, and macros are given the trait that they implement.
const NUMBERS: &str = r#"
use std::ops::{Add, Mul, Rem, Sub};
pub trait Zero: Sized + Add<Self, Output = Self> {
    fn zero() -> Self;
    fn is_zero(&self) -> bool;
}
pub trait One: Sized + Mul<Self, Output = Self> {
    fn one() -> Self;
    fn is_one(&self) -> bool { false }
}
pub trait Operators<R = Self, O = Self>: Sub<R, Output = O> + Rem<R, Output = O> {}
impl<T: Sub<R, Output = O> + Rem<R, Output = O>, R, O> Operators<R, O> for T {}
pub trait Num: PartialEq + Zero + One + Operators {
    fn from_radix(text: &str, radix: u32) -> Option<Self>;
}
pub trait Integer: Sized + Num + PartialOrd + Ord + Eq {
    fn halves(&self) -> Self;
    fn dead_gcd(&self, other: &Self) -> Self;
}
pub trait Signed: Num {
    fn dead_abs(&self) -> Self;
}
macro_rules! identity { ($t:ty) => {
    impl Zero for $t { fn zero() -> $t { 0 } fn is_zero(&self) -> bool { *self == 0 } }
    impl One for $t { fn one() -> $t { 1 } fn is_one(&self) -> bool { *self == 1 } }
} }
identity!(i32); identity!(i64); identity!(u64);
macro_rules! number { ($name:ident for $($t:ty)*) => { $(
    impl $name for $t {
        fn from_radix(text: &str, radix: u32) -> Option<Self> { <$t>::from_str_radix(text.trim(), radix).ok() }
    }
)* } }
number!(Num for i32 i64 u64);
macro_rules! integer { ($t:ty, $tests:ident) => {
    impl Integer for $t {
        fn halves(&self) -> Self { *self / 2 }
        fn dead_gcd(&self, other: &Self) -> Self {
            let (mut a, mut b) = (*self, *other);
            while b != 0 { (a, b) = (b, a % b); }
            if a == 1 { return (1 << a).max(a).dead_more(); }
            a
        }
    }
    #[inline]
    #[cfg(test)]
    fn dead_check() {}
    #[cfg(test)]
    mod $tests { #[test] fn dead_gcd() { assert_eq!(Signed::dead_abs(&-1), 1); } }
} }
pub trait DeadMore { fn dead_more(self) -> Self; }
impl DeadMore for i64 { fn dead_more(self) -> Self { self } }
impl DeadMore for u64 { fn dead_more(self) -> Self { self } }
integer!(i64, of_i64); integer!(u64, of_u64);
impl Signed for i64 { fn dead_abs(&self) -> Self { if *self < 0 { -*self } else { *self } } }
pub fn egcd<T: Copy + Integer>(a: T, b: T) -> (T, T) {
    if a == T::zero() { (b, T::one()) } else { let (g, x) = egcd(b % a, a); (g - T::zero(), x * T::one()) }
}
"#;

/// Whether a parameter has its functions and operators through bounds of bounds makes no difference to what is removed.
#[test]
fn functions_and_operators_come_by_supertraits() {
    let main =
        "fn main() { println!(\"{:?} {}\", numbers::egcd(12i64, 18), numbers::Integer::halves(&9u64)); }";
    let folder = workspace(&[
        ("Cargo.toml", &manifest("tower", "[dependencies]\nnumbers = { path = \"numbers\" }\n[workspace]\n")),
        ("src/main.rs", main),
        ("numbers/Cargo.toml", &manifest("numbers", "")),
        ("numbers/src/lib.rs", NUMBERS),
    ]);
    let bundle = plays_the_same(folder.path(), "tower");
    for dead in
        ["dead_gcd(&self, other: &Self) -> Self { let", "dead_abs", "is_one", "from_str_radix", "trim"]
    {
        assert!(!bundle.contains(dead), "{dead} is left:\n{bundle}");
    }
    assert!(bundle.len() < 1_350, "{} bytes:\n{bundle}", bundle.len());
}

/// Impls of one trait that differ in its arguments, and macros of which only one argument is the type that they are for,
/// as in crates of random numbers. Their errors name the trait and the type of all.
const IMPLS_BY_ARGUMENTS: &str = r#"
pub struct Standard;
pub trait Draw<T> { fn draw(&self) -> T; }
impl Draw<u32> for Standard { fn draw(&self) -> u32 { 4 } }
impl Draw<char> for Standard { fn draw(&self) -> char { dead_char() } }
impl<T> Draw<Option<T>> for Standard where Standard: Draw<T> { fn draw(&self) -> Option<T> { Some(dead_one(self)) } }
fn dead_char() -> char { 'x' }
fn dead_one<T>(of: &Standard) -> T where Standard: Draw<T> { of.draw() }
pub trait Uniform: Sized { const WIDE: u64; fn below(self) -> Self { self } fn dead_more(self) -> Self { self } }
macro_rules! uniform { ($t:ty, $wide:ty) => {
    impl Uniform for $t { const WIDE: u64 = <$wide>::MAX as u64; fn dead_more(self) -> Self { self + 1 } }
} }
uniform! { u8, u32 }
uniform! { u16, u32 }
uniform! { u32, u32 }
pub fn drawn<T: Uniform>() -> u64 where Standard: Draw<T> {
    let Some(0) = Some(T::WIDE) else { Standard.draw(); return T::WIDE };
    #[cfg(any())]
    fn dead_generic<A, B>(_: A, _: B) {}
    0
}
"#;

#[test]
fn impls_are_told_apart_by_arguments() {
    let main = "fn main() { println!(\"{}\", numbers::drawn::<u32>()); }";
    let folder = workspace(&[
        ("Cargo.toml", &manifest("drawn", "[dependencies]\nnumbers = { path = \"numbers\" }\n[workspace]\n")),
        ("src/main.rs", main),
        ("numbers/Cargo.toml", &manifest("numbers", "")),
        ("numbers/src/lib.rs", IMPLS_BY_ARGUMENTS),
    ]);
    let bundle = plays_the_same(folder.path(), "drawn");
    for dead in ["char", "dead", "Option", "u8", "u16"] {
        assert!(!bundle.contains(dead), "{dead} is left:\n{bundle}");
    }
}

#[test]
#[ignore = "compiles hashbrown many times"]
fn a_map_in_one_line() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus/Cargo.lock");
    let main = "fn main() { let m: indexmap::IndexMap<u32, u32> = (0..3).map(|i| (i, i)).collect(); println!(\"{m:?}\"); }";
    let folder = workspace(&[
        ("Cargo.toml", &manifest("map", "[dependencies]\nindexmap = \"2\"\n[workspace]\n")),
        ("Cargo.lock", &std::fs::read_to_string(corpus).unwrap()),
        ("src/main.rs", main),
    ]);
    let (any, known) =
        (Run::bundler(folder.path(), &[]), Run::bundler(folder.path(), &["--platform", "codingame"]));
    for (run, most) in [(any, 40_000), (known, 38_000)] {
        assert_eq!(run.status, 0, "{}", run.stderr);
        assert!(run.stdout.len() <= most, "{} bytes", run.stdout.len());
        assert_eq!(run_alone(&run.stdout, "map"), "{0: 0, 1: 1, 2: 2}\n");
    }
}

/// A bundle compiles on Linux, macOS and Windows on either processor, and only on the site's processor if that is known.
#[test]
#[cfg(target_arch = "x86_64")]
fn code_for_other_processors_depends_on_the_site() {
    let main = "#[cfg(all(target_arch = \"x86_64\", target_feature = \"sse2\"))]
mod imp { pub fn name() -> u8 { 1 } }
#[cfg(all(target_arch = \"aarch64\", target_feature = \"neon\"))]
mod imp { pub fn name() -> u8 { helper() } fn helper() -> u8 { 2 } }
#[cfg(not(any(all(target_arch = \"x86_64\", target_feature = \"sse2\"), all(target_arch = \"aarch64\", target_feature = \"neon\"))))]
mod imp { pub fn name() -> u8 { 3 } }
fn main() { println!(\"{} {}\", imp::name(), cfg!(target_arch = \"aarch64\")); }";
    let folder =
        workspace(&[("Cargo.toml", &manifest("processors", "[workspace]\n")), ("src/main.rs", main)]);
    let bundle = |arguments: &[&str]| {
        let run = Run::bundler(folder.path(), arguments);
        assert_eq!(run.status, 0, "{}", run.stderr);
        assert_eq!(run_alone(&run.stdout, "processors"), "1 false\n");
        run.stdout
    };
    let (any, known) = (bundle(&[]), bundle(&["--platform", "codingame"]));
    assert!(any.contains("helper") && any.contains("cfg!"), "{any}");
    // Other processors than these two have neither of the features, but no bundle is for them.
    assert!(any.contains("#[cfg(target_arch = \"aarch64\")]") && !any.contains("{ 3 }"), "{any}");
    assert!(!known.contains("target_arch") && !known.contains("helper"), "{known}");
    // The processor of Codeforces is not in the table.
    assert!(bundle(&["--platform", "codeforces"]).contains("helper"));
}

/// A program with impls that std uses implicitly, without an error where they are missing: `FusedIterator` and `Eq`.
const USED_IMPLICITLY: &str = r#"
use std::{fmt, iter::FusedIterator, rc::Rc};
struct Countdown(u32);
impl Iterator for Countdown {
    type Item = u32;
    fn next(&mut self) -> Option<u32> {
        self.0 = self.0.checked_sub(1)?;
        Some(self.0)
    }
}
impl FusedIterator for Countdown {}
impl fmt::Display for Countdown {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result { write!(f, "{}", shown_by_nobody(self.0)) }
}
fn shown_by_nobody(n: u32) -> u32 { n }
#[derive(PartialEq, Eq)]
struct Point(i32, i32);
fn main() {
    let mut numbers = Countdown(3).fuse();
    let (a, b) = (Rc::new(Point(1, 2)), Rc::new(Point(1, 2)));
    println!("{:?} {} {}", numbers.next(), a == b, a == a.clone());
}
"#;

#[test]
fn safer_removal_still_removes_the_rest() {
    let folder = workspace(&[
        ("Cargo.toml", &manifest("silently", "[workspace]\n")),
        ("src/main.rs", USED_IMPLICITLY),
    ]);
    let run = Run::bundler(folder.path(), &[]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    assert!(
        run.stderr.contains("undid the removal of code that the program does not contain: "),
        "{}",
        run.stderr
    );
    assert_eq!(run.stderr.matches("undid").count(), 1, "{}", run.stderr);
    assert!(run.stderr.contains("the same since merging"), "{}", run.stderr);
    for live in ["impl FusedIterator", "PartialEq, Eq"] {
        assert!(run.stdout.contains(live), "{live} is gone:\n{}", run.stdout);
    }
    for dead in ["Display", "shown_by_nobody"] {
        assert!(!run.stdout.contains(dead), "{dead} is left:\n{}", run.stdout);
    }
    assert_eq!(run_alone(&run.stdout, "silently"), "Some(2) true true\n");
}

/// After a change the removal of the last run is tried first. It gives what a search would, and where it doesn't fit,
/// a search follows.
#[test]
fn a_changed_program_is_searched_anew_only_where_that_is_needed() {
    let helper = "pub struct Add(pub u32);
pub trait Go { fn go(&self) -> u32; fn extra(&self) -> u32 { self.go() + 1000 } }
impl Go for Add { fn go(&self) -> u32 { self.0 + 1 } }
impl std::ops::Mul<u32> for Add { type Output = u32; fn mul(self, by: u32) -> u32 { self.0 * by } }
";
    let main = "mod helper;
use helper::{Add, Go};
const N: u32 = 3;
fn main() { println!(\"{}\", Add(N).go()); }
";
    let folder =
        workspace(&[("Cargo.toml", &manifest("bot", "")), ("src/main.rs", main), ("src/helper.rs", helper)]);
    let target = tempfile::tempdir().unwrap();
    let run = |cache: &[&str]| {
        let mut command = common::bundler(folder.path());
        Run::of(command.args(cache).env("CARGO_TARGET_DIR", target.path()).output().unwrap())
    };
    let entries = |kind: &str| {
        let all = std::fs::read_dir(target.path().join("bundler")).unwrap();
        all.filter(|e| e.as_ref().unwrap().file_name().to_string_lossy().starts_with(kind)).count()
    };
    let searches = || entries("trimmed-");
    let compilations = || [entries("check-"), entries("code-")];
    let write = |content: &str| std::fs::write(folder.path().join("src/main.rs"), content).unwrap();
    let same = |answer: &str| {
        let (with, without) = (run(&[]), run(&["--no-cache"]));
        assert_eq!((with.status, without.status), (0, 0), "{}{}", with.stderr, without.stderr);
        assert_eq!(with.stdout, without.stdout);
        assert_eq!(run_alone(&with.stdout, "bot"), answer);
        with.stdout
    };
    let first = same("4\n");
    assert!(!first.contains("extra") && !first.contains("Mul"), "{first}");
    assert_eq!(searches(), 1);

    let [checks, codes] = compilations();
    write(&main.replace("= 3", "= 5"));
    same("6\n");
    // The whole program's code; the form without unused code, and the bundle with its code.
    assert_eq!(compilations(), [checks + 2, codes + 2]);
    write(
        &main
            .replace("Add(N).go()", "Add(N).go() + more()")
            .replace("fn main", "fn more() -> u32 { 7 }\nfn main"),
    );
    same("11\n");
    assert_eq!(searches(), 1, "the removal of the first run fits");

    write(&main.replace("go()", "extra()"));
    same("1004\n");
    write(&main.replace("Add(N).go()", "Add(N) * 5"));
    same("15\n");
    assert_eq!(searches(), 3, "what was removed is needed");

    // Only a debug build needs what was removed.
    let debug = "#[cfg(debug_assertions)]\nfn debug() { Add(N).extra(); }\nfn main() {\n#[cfg(debug_assertions)]\ndebug();\n";
    let debugged = main.replace("fn main() { ", debug);
    write(&debugged);
    let with_debug = same("4\n");
    assert!(with_debug.contains("extra") && searches() == 4, "{with_debug}");
    write(&debugged.replace("= 3", "= 5"));
    same("6\n");
    assert_eq!(searches(), 4);

    // Cargo compiled an earlier source, so this error is found by the bundle's own compilation.
    write(&main.replace("= 3", "= \"3\""));
    let wrong = run(&[]);
    assert_ne!(wrong.status, 0);
    assert!(
        wrong.stderr.contains("src/main.rs:3:16") && wrong.stderr.contains("mismatched types"),
        "{}",
        wrong.stderr
    );
    write(main);
    assert_eq!(run(&[]).stdout, first);

    // No file of the program has changed, but one is in its way.
    std::fs::create_dir(folder.path().join("src/helper")).unwrap();
    std::fs::write(folder.path().join("src/helper/mod.rs"), helper).unwrap();
    let two = run(&[]);
    assert!(two.status != 0 && two.stderr.contains("src/helper/mod.rs"), "{}", two.stderr);
}

/// Either build may have the only user of an import that is left, and of what it imports.
#[test]
fn no_build_of_a_bundle_warns_whether_debug_assertions_are_on_or_off() {
    let library = "pub mod far {
    pub fn twice(x: u32) -> u32 { 2 * x }
}
pub mod near {
    use crate::far::twice;
    pub fn used(x: u32) -> u32 {
        #[cfg(CONDITION)]
        if x > 9 { return twice(x); }
        x
    }
    pub fn dead() -> u32 { twice(3) }
}";
    for condition in ["debug_assertions", "not(debug_assertions)"] {
        let main = "fn main() { println!(\"{}\", lib::near::used(std::env::args().count() as u32)); }";
        let folder = crates("2021", main, &[("lib", "2021", &library.replace("CONDITION", condition))]);
        for level in ["none", "names"] {
            let bundle = bundled_with(folder.path(), &["bot", "--minify", level]);
            assert!(bundle.contains("unused_imports"), "{condition}: {bundle}");
            std::fs::write(folder.path().join("submit.rs"), &bundle).unwrap();
            for assertions in ["-Cdebug-assertions=on", "-Cdebug-assertions=off"] {
                let compiled = Command::new("rustc")
                    .args(["--edition", "2021", "-D", "warnings", "--emit=metadata", assertions, "submit.rs"])
                    .current_dir(folder.path())
                    .output()
                    .unwrap();
                let stderr = String::from_utf8_lossy(&compiled.stderr);
                assert!(compiled.status.success(), "{condition}, {assertions}:\n{stderr}\n{bundle}");
            }
        }
    }
}
