//! What the edition guides of 2018, 2021 and 2024 say has changed: each difference is translated, or refused with its
//! line.

mod common;

use common::{crates, original, run_alone, Run};
use std::process::Command;

/// A difference: the editions of the binary and of a library `lib`, and their sources.
struct Difference {
    name: &'static str,
    editions: (&'static str, &'static str),
    main: &'static str,
    lib: &'static str,
}

/// The header line of a bundle of edition 2024.
const NEW: &str = "rustc -O --edition 2024\n";

/// Bundles for a site; the bundle must print what the original prints. Returns the bundler's run.
fn bundled(of: &Difference, platform: &[&str]) -> Run {
    let folder = crates(of.editions.0, of.main, &[("lib", of.editions.1, of.lib)]);
    let run = Run::bundler(folder.path(), &[&["bot"], platform].concat());
    if run.status != 0 {
        assert!(!run.stderr.contains("bug in the bundler"), "{}: {}", of.name, run.stderr);
        return run;
    }
    let expected = original(folder.path(), "bot");
    let got =
        if run.stdout.contains(NEW) { run_in_2024(&run.stdout) } else { run_alone(&run.stdout, of.name) };
    assert_eq!(got, expected, "{}:\n{}", of.name, run.stdout);
    run
}

fn run_in_2024(bundle: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("submit.rs"), bundle).unwrap();
    let rustc = std::env::var("RUSTC").unwrap_or_else(|_| "rustc".into());
    let compiled = Command::new(rustc)
        .args(["--edition", "2024", "-O", "-D", "warnings", "submit.rs"])
        .current_dir(folder.path())
        .output()
        .unwrap();
    assert!(compiled.status.success(), "{}\n{bundle}", String::from_utf8_lossy(&compiled.stderr));
    Run::of(Command::new(folder.path().join("submit")).output().unwrap()).stdout
}

const EMPTY: &str = "";

/// Differences that are translated: the bundle is of edition 2021.
const TRANSLATED: &[Difference] = &[
    Difference {
        name: "names that are keywords since 2018",
        editions: ("2021", "2015"),
        main: "fn main() { println!(\"{} {}\", lib::r#async(1), lib::r#await::r#try(2)); }",
        lib: "pub fn async(dyn: u8) -> u8 { let try = dyn; try } pub mod await { pub fn try(x: u8) -> u8 { x } }",
    },
    Difference {
        name: "paths of 2015, types without a name, objects without `dyn`, ranges with three dots",
        editions: ("2021", "2015"),
        main: "fn main() { println!(\"{} {}\", lib::a::f(&5u8), lib::a::g(7)); }",
        lib: "pub mod b { pub trait T { fn t(&self, u8) -> u8; } impl T for u8 { fn t(&self, x: u8) -> u8 { *self + x } } }
            pub mod a { use b::T; pub fn f(x: &T) -> u8 { x.t(1) + ::b::T::t(&1u8, 2) }
            pub fn g(x: u8) -> bool { match x { 0...7 => true, _ => false } } }",
    },
    Difference {
        name: "arrays iterated by reference before 2021, new names of the prelude, panics without a format",
        editions: ("2021", "2018"),
        main: "fn main() { println!(\"{} {:?}\", lib::sum(), lib::said()); }",
        lib: "trait TryFrom { fn of(x: u8) -> Self; } impl TryFrom for u16 { fn of(x: u8) -> u16 { x as u16 } }
            pub fn sum() -> u16 { let mut sum = 0; for x in [1u8, 2].into_iter() { let y: &u8 = x; sum += <u16 as TryFrom>::of(*y); } sum }
            pub fn said() -> Option<String> { std::panic::set_hook(Box::new(|_| {}));
            let said = std::panic::catch_unwind(|| panic!(\"{x}\")).unwrap_err(); said.downcast_ref::<&str>().map(|s| s.to_string()) }",
    },
    Difference {
        name: "closures capture whole variables before 2021",
        editions: ("2021", "2018"),
        main: "fn main() { lib::f(); }",
        lib: "struct Loud(u8); impl Drop for Loud { fn drop(&mut self) { println!(\"dropped {}\", self.0); } }
            pub fn f() { let pair = (Loud(1), Loud(2)); { let c = move || { let _x = &pair.0; }; c(); } println!(\"end\"); }",
    },
    Difference {
        name: "patterns of macros with alternatives, and prefixes, since 2021",
        editions: ("2021", "2018"),
        main: "fn main() { println!(\"{} {} {}\", lib::either(), lib::parts!(1 | 2), lib::prefix()); }",
        lib: "#[macro_export] macro_rules! parts { ($p:pat) => { 1 }; ($a:pat | $b:pat) => { 2 } }
            macro_rules! two { ($a:ident $b:literal) => { concat!(stringify!($a), $b) }; ($a:ident # $b:ident) => { \"hash\" } }
            pub fn either() -> u8 { parts!(3 | 4) } pub fn prefix() -> String { format!(\"{} {} {}\", two!(z\"hey\"), two!(k'c'), two!(a#b)) }",
    },
    Difference {
        name: "an older crate's expressions in macros, and its guarded strings, beside 2024",
        editions: ("2024", "2021"),
        main: "fn main() { println!(\"{} {} {}\", lib::k!(_), lib::k!(const { 1 }), lib::tokens()); }",
        lib: "#[macro_export] macro_rules! k { ($e:expr) => { 1 }; (_) => { 2 }; (const $b:block) => { 3 } }
            macro_rules! n { ($($t:tt)*) => { 0 $(+ { let _ = stringify!($t); 1 })* } } pub fn tokens() -> u8 { n!(#\"a\"# ##) }",
    },
    Difference {
        name: "what 2024 only makes stricter, and captures that it makes shorter to write",
        editions: ("2024", "2024"),
        main: "use lib::numbers; fn main() { println!(\"{:?} {}\", numbers(&[1, 2]).collect::<Vec<_>>(), unsafe { lib::raw(&3) }); }",
        lib: "pub fn numbers(x: &[u8]) -> impl Iterator<Item = u8> + use<'_> { x.iter().copied() }
            /// # Safety\n/// The pointer is valid.\npub unsafe fn raw(x: *const u8) -> u8 { unsafe { *x } }
            unsafe extern \"C\" { pub safe fn abs(x: i32) -> i32; }",
    },
];

/// Differences that only edition 2024 can express: with the place that a refusal names, and a word of it.
const NEW_ONLY: &[(Difference, &str, &str)] = &[
    (
        Difference {
            name: "expressions in macros",
            editions: ("2024", "2024"),
            main: "fn main() {\n    println!(\"{}\", lib::k!(_));\n    macro_rules! k2 { ($e:expr) => { 1 }; (const $b:block) => { 2 } }\n    println!(\"{}\", k2!(const { 3 }));\n}",
            lib: "#[macro_export] macro_rules! k { ($e:expr) => { 1 }; (_) => { 2 } }",
        },
        "src/main.rs:1:",
        "the code of `main` is another one",
    ),
    (
        Difference {
            name: "the fallback of the never type",
            editions: ("2024", "2024"),
            main: "fn size<T>(_: impl FnOnce() -> T) -> usize { std::mem::size_of::<Option<T>>() }\n\
                fn main() { println!(\"{}\", size(|| panic!())); }",
            lib: EMPTY,
        },
        "src/main.rs:1:",
        "the code of `size` is another one",
    ),
    (
        Difference {
            name: "temporaries of a tail expression",
            editions: ("2024", "2024"),
            main: "struct Loud(u8); impl Drop for Loud { fn drop(&mut self) { println!(\"dropped {}\", self.0); } }\n\
                impl Loud { fn n(&self) -> u8 { self.0 } }\n\
                fn f() -> u8 { let _held = Loud(1);\n    Loud(2).n() }\nfn main() { println!(\"{}\", f()); }",
            lib: EMPTY,
        },
        "src/main.rs:4:",
        "dropped at another time",
    ),
    (
        Difference {
            name: "temporaries of `if let`",
            editions: ("2024", "2024"),
            main: "struct Loud(u8); impl Drop for Loud { fn drop(&mut self) { println!(\"dropped {}\", self.0); } }\n\
                impl Loud { fn n(&self) -> Option<u8> { None } }\n\
                fn main() { if let Some(x) = Loud(3).n() { println!(\"{x}\"); } else { println!(\"none\"); } }",
            lib: EMPTY,
        },
        "src/main.rs:3:",
        "dropped at another time",
    ),
    (
        Difference {
            name: "boxed slices iterated by value",
            editions: ("2024", "2024"),
            main: "use std::rc::Rc;\nfn main() { let a = Rc::new(1); let b: Box<[Rc<i32>]> = vec![a.clone(), a.clone()].into_boxed_slice();\n\
                let v: Vec<Rc<i32>> = b.into_iter().map(|x| x.clone()).collect(); println!(\"{} {}\", v.len(), Rc::strong_count(&a)); }",
            lib: EMPTY,
        },
        "src/main.rs:3:",
        "`into_iter` of a boxed slice",
    ),
    (
        Difference {
            name: "chains of `let`",
            editions: ("2024", "2024"),
            main: "fn main() { let x = Some(1);\n    if let Some(y) = x && y > 0 { println!(\"{y}\"); } }",
            lib: EMPTY,
        },
        "src/main.rs:2:",
        "edition 2021",
    ),
    (
        Difference {
            name: "what `impl Trait` captures",
            editions: ("2024", "2024"),
            main: "fn items(list: &[u8], n: &u8) -> impl Iterator<Item = u8> {\n    let n = *n; list.iter().map(move |x| x + n) }\n\
                fn main() { println!(\"{:?}\", items(&[1, 2], &3).collect::<Vec<_>>()); }",
            lib: EMPTY,
        },
        "src/main.rs:2:",
        "edition 2021",
    ),
];

#[test]
fn an_expression_that_only_a_newer_macro_takes() {
    let (of, place, what) = &NEW_ONLY[0];
    needs_2024(of, place, what);
}

#[test]
fn a_newer_library_s_macro_in_an_older_binary() {
    let of = Difference {
        name: "a macro of 2024 in a binary of 2021",
        editions: ("2021", "2024"),
        main: "fn main() { println!(\"{}\", lib::k!(_)); }",
        lib: "#[macro_export] macro_rules! k { ($e:expr) => { 1 }; (_) => { 2 } }",
    };
    let run = bundled(&of, &[]);
    assert_eq!(run.status, 1, "{}", run.stdout);
    let said = run.stderr;
    assert!(
        said.contains("src/main.rs:1:1: the code of `main`") && said.contains("edition = \"2024\""),
        "{said}"
    );
}

/// The bundle is of edition 2024 for a site that takes it, and refused for one that is not known to.
fn needs_2024(of: &Difference, place: &str, what: &str) {
    let run = bundled(of, &["--platform", "atcoder"]);
    assert_eq!(run.status, 0, "{}: {}", of.name, run.stderr);
    assert!(run.stdout.contains(NEW), "{}", of.name);
    for site in ["codingame", "codeforces"] {
        let run = bundled(of, &["--platform", site]);
        assert_eq!((run.status, run.stdout.as_str()), (1, ""), "{}", of.name);
        assert!(run.stderr.contains(place) && run.stderr.contains(what), "{}: {}", of.name, run.stderr);
    }
}

mod slow {
    use super::*;

    #[test]
    #[ignore = "slow: .ci/run runs it"]
    fn differences_are_translated() {
        for of in TRANSLATED {
            let run = bundled(of, &["--platform", "codingame"]);
            assert_eq!(run.status, 0, "{}: {}", of.name, run.stderr);
        }
    }

    #[test]
    #[ignore = "slow: .ci/run runs it"]
    fn other_differences_need_edition_2024() {
        for (of, place, what) in NEW_ONLY {
            needs_2024(of, place, what);
        }
    }
}
