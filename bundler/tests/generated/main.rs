//! Generated programs with modules that macros make, names that shadow the built-in ones, and libraries of all editions: the
//! bundle prints what the original prints.

#[path = "../common/mod.rs"]
mod common;
mod library;

use common::{manifest, plays_the_same, workspace, Random};

/// Macros of the standard library that a program may replace; the compiler's own meaning of each is refused or kept.
const BUILT_IN: &[&str] = &[
    "line",
    "column",
    "file",
    "module_path",
    "stringify",
    "concat",
    "vec",
    "assert",
    "include_str",
    "cfg",
    "env",
];
/// Functions of the standard library whose value depends on the place or the name of code.
const PLACES: &[&str] = &["type_name", "type_name_of_val", "caller", "location", "size_of"];
const NAMES: &[&str] = &["one", "two", "r#match", "line", "core", "inner", "file_", "r#fn"];

/// A module with `pub fn run() -> u32`, and the files it needs.
fn part(rng: &mut Random, n: usize, files: &mut Vec<(String, String)>) -> String {
    let value = 10 + rng.below(90);
    let first = rng.below(NAMES.len());
    let (a, b) = (NAMES[first], NAMES[(first + 1 + rng.below(NAMES.len() - 1)) % NAMES.len()]);
    let body = match rng.below(8) {
        0 => format!(
            "macro_rules! make {{ ($($n:ident = $v:expr),* $(,)?) => {{
                $(pub mod $n {{ pub fn value() -> u32 {{ $v }} pub fn spare() -> u32 {{ $v + 1 }} }})*
                pub fn run() -> u32 {{ 0 $(+ $n::value())* }}
            }} }}
            make! {{ {a} = {value}, {b} = 2 }}"
        ),
        1 => format!(
            "macro_rules! outer {{ ($name:ident, $($n:ident)*) => {{
                macro_rules! $name {{ ($v:expr) => {{ $(pub mod $n {{ pub const V: u32 = $v; }})* }} }}
                $name!({value});
                pub fn run() -> u32 {{ 0 $(+ $n::V)* }}
            }} }}
            outer!(maker_{n}, {a} {b});"
        ),
        2 => {
            let built_in = rng.one_of(BUILT_IN);
            format!(
                "macro_rules! {built_in} {{ ($($t:tt)*) => {{ {value}u32 }} }}
                pub fn run() -> u32 {{ {built_in}!() + {built_in}![any thing] }}"
            )
        }
        3 => {
            let built_in = rng.one_of(BUILT_IN);
            format!(
                "macro_rules! own_{n} {{ ($($t:tt)*) => {{ {value}u32 }} }}
                pub(crate) use own_{n} as {built_in};
                pub mod deeper {{ use super::{built_in}; pub fn get() -> u32 {{ {built_in}!() }} }}
                pub fn run() -> u32 {{ self::{built_in}!() + deeper::get() }}"
            )
        }
        4 => {
            let place = rng.one_of(PLACES);
            format!(
                "pub fn {place}<T: Default + Into<u32>>() -> u32 {{ T::default().into() + {value} }}
                pub struct Location;
                impl Location {{ pub fn caller() -> u32 {{ {place}::<u8>() }} pub fn line(&self) -> u32 {{ 1 }} }}
                pub fn run() -> u32 {{ Location::caller() + Location.line() + self::{place}::<u16>() }}"
            )
        }
        5 => {
            for (name, add) in [("left", 0), ("right", 1)] {
                let text = format!("pub fn value() -> u32 {{ {} }}\n", value + add);
                files.push((format!("src/part_{n}/{name}.rs"), text));
            }
            "macro_rules! files { ($($v:vis mod $n:ident;)*) => { $($v mod $n;)* pub fn run() -> u32 { 0 $(+ $n::value())* } } }
            files! { mod left; pub(crate) mod right; }"
                .into()
        }
        6 => format!(
            "#[macro_use]
            mod helpers {{
                macro_rules! in_module {{ ($n:ident {{ $($t:tt)* }}) => {{ mod $n {{ use super::*; $($t)* }} }} }}
            }}
            fn near() -> u32 {{ {value} }}
            in_module!({a} {{ pub fn far() -> u32 {{ near() + 1 }} }});
            pub fn run() -> u32 {{ {a}::far() }}"
        ),
        _ => format!(
            "trait Display {{ fn to_string(&self) -> u32; fn min(&self, other: u32) -> u32; }}
            impl Display for u32 {{
                fn to_string(&self) -> u32 {{ *self + {value} }}
                fn min(&self, other: u32) -> u32 {{ self * other }}
            }}
            pub fn run() -> u32 {{ Display::to_string(&1) + Display::min(&3, 4) }}"
        ),
    };
    if files.iter().any(|(path, _)| path.starts_with(&format!("src/part_{n}/"))) {
        files.push((format!("src/part_{n}.rs"), body));
        format!("mod part_{n};\n")
    } else {
        format!("mod part_{n} {{\n{body}\n}}\n")
    }
}

/// The files of a random program that consists of `parts` parts.
fn program(seed: u64, parts: usize) -> Vec<(String, String)> {
    let mut rng = Random(seed);
    let mut files = Vec::new();
    let mut main = String::from("#![allow(dead_code, unused_macros, unused_imports)]\n");
    for n in 0..parts {
        main.push_str(&part(&mut rng, n, &mut files));
    }
    main.push_str("fn main() {\n");
    for n in 0..parts {
        main.push_str(&format!("    println!(\"{{}}\", part_{n}::run());\n"));
    }
    main.push_str("}\n");
    files.push(("src/main.rs".into(), main));
    files.push(("Cargo.toml".into(), manifest("bot", "")));
    files
}

fn plays(seed: u64, parts: usize) {
    plays_all(&program(seed, parts));
}

fn plays_all(files: &[(String, String)]) {
    let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    plays_the_same(workspace(&files).path(), "bot");
}

#[test]
fn a_generated_program_plays_the_same() {
    plays(0x9e37_79b9_7f4a_7c15, 12);
}

#[test]
fn a_generated_library_plays_the_same() {
    plays_all(&library::program(0x2545_f491_4f6c_dd1d, 12));
}

mod deep {
    #[test]
    #[ignore = "300 programs: .ci/deep runs it"]
    fn three_hundred_generated_programs_play_the_same() {
        // One folder, so that one target folder serves all.
        let folder = crate::workspace(&[]);
        for seed in 1..=300 {
            for (path, text) in crate::library::program(0x9e37_79b9_7f4a_7c15_u64.wrapping_mul(seed), 8) {
                let file = folder.path().join(path);
                std::fs::create_dir_all(file.parent().unwrap()).unwrap();
                std::fs::write(file, text).unwrap();
            }
            println!("seed {seed}");
            crate::plays_the_same(folder.path(), "bot");
        }
    }
}

mod slow {
    #[test]
    #[ignore = "slow: .ci/run runs it"]
    fn more_generated_programs_play_the_same() {
        for seed in 1..=6 {
            super::plays(0x5851_f42d_4c95_7f2d_u64.wrapping_mul(seed), 40);
        }
    }
}
