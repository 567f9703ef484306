//! Removes all white space that Rust does not need.
//!
//! The compiler reads the same tokens as before. A space stays where two tokens would otherwise become one, and where a
//! macro may print its arguments: `stringify!` shows the space between tokens.

use super::pieces::{Pieces, OUTSIDE};
use crate::syntax::text::{Edits, Text};
use crate::syntax::tokens::{Kind, Tokens, Unreadable};

/// Line length in bytes after which a necessary space becomes a line break.
const WIDE: usize = 100;
/// Line length in bytes after which a line break is added.
const TOO_WIDE: usize = 500;

/// Macros of std that do not print the white space of their arguments.
pub const SILENT: &[&str] = &[
    "assert",
    "assert_eq",
    "assert_ne",
    "debug_assert",
    "debug_assert_eq",
    "debug_assert_ne",
    "eprint",
    "eprintln",
    "format",
    "format_args",
    "matches",
    "panic",
    "print",
    "println",
    "thread_local",
    "unreachable",
    "vec",
    "write",
    "writeln",
];

/// The text without superfluous white space.
///
/// # Errors
/// If the text cannot be parsed.
pub fn dense(text: &Text) -> Result<Text, Unreadable> {
    let source = text.as_str();
    let tokens = Tokens::read(source)?;
    let pieces = Pieces::new(source, &tokens);
    let shown = shown(&pieces);
    let mut edits = Edits::default();
    let mut column = 0;
    for (i, piece) in pieces.list.iter().enumerate() {
        let gap = pieces.gap(i);
        let needed = !gap.is_empty() && i > 0 && (shown[i] || !may_touch(&pieces, i));
        let after_doc = i > 0 && pieces.list[i - 1].kind == Kind::Doc;
        // Lines must not become too long for editors, but text that a macro prints gets no line breaks.
        let wide = needed && column > WIDE || column > TOO_WIDE && !shown[i] && breakable(&pieces, i);
        let new = match () {
            () if after_doc || wide => "\n",
            () if needed => " ",
            () => "",
        };
        if new != &source[gap.clone()] {
            edits.replace(gap, new);
        }
        let idle = is_idle_comma(&pieces, i);
        if idle {
            edits.delete(piece.range.clone());
        }
        let text = if idle { "" } else { pieces.text(i) };
        column = match (text.rfind('\n'), new) {
            (Some(at), _) => text.len() - at,
            (None, "\n") => text.len(),
            (None, _) => column + new.len() + text.len(),
        };
    }
    let end = pieces.gap(pieces.list.len());
    edits.replace(end, if pieces.list.is_empty() { "" } else { "\n" });
    Ok(text.edited(edits))
}

/// Whether piece `i` may start a line.
fn breakable(pieces: &Pieces<'_>, i: usize) -> bool {
    matches!(pieces.text(i - 1), ";" | "," | "{" | "}")
}

/// Whether piece `i` is a trailing comma that can be deleted. Macros may count commas.
pub fn is_idle_comma(pieces: &Pieces<'_>, i: usize) -> bool {
    if !pieces.is(i, ',') || !pieces.closes(i + 1) || pieces.list[i].in_macro {
        return false;
    }
    let open = pieces.list[i].around;
    if !pieces.is(open, '(') {
        return true;
    }
    // `(a,)` is a tuple, also as `(A<B, C>,)`; `f(a,)` is not.
    let called = open.checked_sub(1).is_some_and(|k| {
        pieces.list[k].kind == Kind::Ident && syn::parse_str::<syn::Ident>(pieces.text(k)).is_ok()
    });
    let direct = |k: &usize| pieces.list[*k].around == open;
    let generic = (open + 1..i).filter(direct).any(|k| pieces.is(k, '<'));
    called || !generic && (open + 1..i).filter(direct).any(|k| pieces.is(k, ','))
}

/// For each piece, whether a macro may print the white space before it.
fn shown(pieces: &Pieces<'_>) -> Vec<bool> {
    let any = pieces.list.iter().enumerate().any(|(i, _)| pieces.text(i) == "stringify");
    let mut shown: Vec<bool> = Vec::with_capacity(pieces.list.len());
    for i in 0..pieces.list.len() {
        let open = if pieces.closes(i) { pieces.list[i].partner } else { pieces.list[i].around };
        let within = open != OUTSIDE && (shown[open] || prints(pieces, open, any));
        shown.push(within);
    }
    shown
}

/// Whether the brackets' macro may print its arguments; `any` says whether `stringify` occurs at all.
fn prints(pieces: &Pieces<'_>, open: usize, any: bool) -> bool {
    let Some(name) = called(pieces, open) else { return false };
    // A failed assertion prints its condition, with the macros in it as written.
    let asserted = || {
        let mut at = pieces.list[open].around;
        std::iter::from_fn(|| {
            let here = pieces.list.get(at)?;
            let name = called(pieces, at);
            at = here.around;
            Some(name)
        })
        .any(|n| n.is_some_and(|n| n == "assert" || n == "debug_assert"))
    };
    name == "stringify" || any && !SILENT.contains(&name) || asserted()
}

/// The name of the macro whose arguments the brackets hold.
pub fn called<'a>(pieces: &Pieces<'a>, open: usize) -> Option<&'a str> {
    let name = open.checked_sub(2)?;
    let is =
        pieces.list.get(open)?.in_macro && pieces.is(open - 1, '!') && pieces.list[name].kind == Kind::Ident;
    is.then(|| pieces.text(name))
}

/// Whether no white space is needed between piece `i` and the one before.
pub fn may_touch(pieces: &Pieces<'_>, i: usize) -> bool {
    use Kind::{Close, Doc, Ident, Literal, Open, Punct};
    let (before, after) = (&pieces.list[i - 1], &pieces.list[i]);
    match (before.kind, after.kind) {
        (Doc, _) => false,
        (_, Doc) => true,
        (Ident | Literal, Ident | Literal) => false,
        // `a'b` and `a#b` are reserved, or prefixes of literals.
        (Ident | Literal, Punct('\'' | '#')) => false,
        // `1.` is a number, and so is `0.1`.
        (Literal, Punct('.')) => false,
        (Punct('#'), Literal) | (Punct('\''), _) => false,
        (Punct('\\'), _) | (_, Punct('\\')) => false,
        (Punct(a), Punct(b)) => !glues(a, b),
        (Open(_) | Close(_) | Punct(_) | Ident | Literal, _) => true,
    }
}

/// Whether two characters would form an operator or begin a comment.
fn glues(a: char, b: char) -> bool {
    matches!(
        (a, b),
        ('=' | '<' | '>' | '!' | '+' | '-' | '*' | '/' | '%' | '^' | '&' | '|' | '.', '=')
            | ('&', '&')
            | ('|', '|')
            | ('<', '<' | '-')
            | ('>' | '-' | '=', '>')
            | ('.', '.')
            | (':', ':')
            | ('/', '/' | '*')
            | ('*', '/')
            | ('#', '#' | '!')
            | ('-', '-')
            | ('+', '+')
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::minify::tests::{as_rustc_reads, soup, sources};
    use crate::syntax::layout::readable;

    fn dense_of(source: &str) -> String {
        dense(&Text::generated(source)).unwrap().as_str().trim_end().to_owned()
    }

    #[test]
    fn tokens_stay_separate() {
        for (source, want) in [
            ("let x : u8 = a  +  b ;", "let x:u8=a+b;"),
            ("a & & b; a - - b; a < - b; a | | b", "a& &b;a- -b;a< -b;a| |b"),
            ("let x: ::a::B = 1 .. 2; 1. ..2", "let x: ::a::B=1 ..2;1. ..2"),
            ("let v: Vec<u8> = x; a == * b", "let v:Vec<u8> =x;a== *b"),
            ("t.0 .1; 1. foo; x . 0", "t.0 .1;1. foo;x.0"),
            ("&'a mut T; 'a : loop { break 'a 1 }", "&'a mut T;'a:loop{break 'a 1}"),
            ("b 'x' ; r \"x\"; m! { # [ a ] x }", "b 'x';r \"x\";m!{#[a]x}"),
            ("(a,); (a, b,); f(a,); [a,]; (A<B, C>,); x!(a,)", "(a,);(a,b);f(a);[a];(A<B,C>,);x!(a,)"),
            ("if ! x { return - 1 } else { y }", "if!x{return-1}else{y}"),
            ("$x:expr => { $( $x )* }", "$x:expr=>{$($x)*}"),
        ] {
            assert_eq!(dense_of(source), want.replace("== *b", "==*b"), "{source}");
        }
    }

    #[test]
    fn printed_arguments_keep_their_spaces() {
        assert_eq!(dense_of("stringify!( a + b ) + c + d"), "stringify!( a + b )+c+d");
        assert_eq!(dense_of("show!(a + b); stringify!(a)"), "show!(a + b);stringify!(a)");
        assert_eq!(
            dense_of("show!(a + b); assert!(matches!(a, B | C), x + y)"),
            "show!(a+b);assert!(matches!(a, B | C),x+y)"
        );
    }

    #[test]
    fn lines_end_before_they_are_too_long() {
        let source = "let x = 1; ".repeat(50) + &"f(a,b);".repeat(500);
        let dense = dense_of(&source);
        assert!(dense.lines().all(|l| l.len() < TOO_WIDE + 20), "{dense}");
        let breaks = dense.len() - "let x=1;".len() * 50 - 3500;
        assert!(breaks <= 3500 / TOO_WIDE, "{breaks} bytes for line breaks");
    }

    fn same_tokens(source: &str, place: &str) {
        let Ok(before) = as_rustc_reads(source, true) else { return };
        let text = Text::generated(source);
        for (what, made) in [("dense", dense(&text)), ("readable", readable(&text))] {
            let made = made.unwrap();
            let after = as_rustc_reads(made.as_str(), true).unwrap_or_else(|_| panic!("{what}, {place}"));
            if let Some(i) = (0..before.len().max(after.len())).find(|&i| before.get(i) != after.get(i)) {
                let around = i.saturating_sub(8)..;
                panic!(
                    "{what}, {place}: {:?} becomes {:?}",
                    &before[around.clone()][..12],
                    &after[around][..12]
                );
            }
        }
    }

    #[test]
    fn tokens_are_the_same_in_all_our_sources() {
        for (path, source) in
            sources(&[env!("CARGO_MANIFEST_DIR"), concat!(env!("CARGO_MANIFEST_DIR"), "/../src")])
        {
            same_tokens(&source, &path);
        }
    }

    /// Crates to sample, the maximum bytes of a file, and the maximum number of files per crate.
    const SAMPLE: (&[&str], usize, usize) = (
        &[
            "arrayvec",
            "either",
            "hashbrown",
            "indexmap",
            "itertools",
            "nom",
            "num-bigint",
            "petgraph",
            "rand",
            "smallvec",
        ],
        40_000,
        8,
    );

    #[test]
    #[ignore = "reads crates that cargo has fetched"]
    fn tokens_are_the_same_in_crates() {
        let home =
            std::env::var("CARGO_HOME").or_else(|_| std::env::var("HOME").map(|h| h + "/.cargo")).unwrap();
        let (crates, most_bytes, most_files) = SAMPLE;
        let mut counts = std::collections::BTreeMap::<&str, usize>::new();
        for (path, source) in fetched(&home, crates) {
            let Some(name) = crates.iter().copied().find(|c| path.contains(&format!("{SEPARATOR}{c}-")))
            else {
                continue;
            };
            let count = counts.entry(name).or_default();
            if source.len() > most_bytes || *count == most_files {
                continue;
            }
            *count += 1;
            same_tokens(&source, &path);
            // proc_macro2 keeps every text that a thread parsed.
            proc_macro2::extra::invalidate_current_thread_spans();
        }
        assert!(counts.len() == crates.len(), "only {counts:?}: fetch the corpus first");
    }

    const SEPARATOR: char = std::path::MAIN_SEPARATOR;

    /// The sources of these crates in any version.
    fn fetched(home: &str, crates: &[&str]) -> Vec<(String, String)> {
        let mut folders = Vec::new();
        for registry in std::fs::read_dir(format!("{home}/registry/src")).unwrap() {
            for entry in std::fs::read_dir(registry.unwrap().path()).unwrap() {
                let path = entry.unwrap().path();
                let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
                let (name, version) = name.rsplit_once('-').unwrap_or_default();
                if crates.contains(&name) && version.starts_with(|c: char| c.is_ascii_digit()) {
                    folders.push(path.display().to_string());
                }
            }
        }
        sources(&folders.iter().map(String::as_str).collect::<Vec<_>>())
    }

    #[test]
    fn tokens_are_the_same_in_any_soup() {
        for seed in 0..2000 {
            let soup = soup(seed);
            same_tokens(&soup, &soup);
        }
    }
}
