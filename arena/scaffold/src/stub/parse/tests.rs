//! Tests the parser: what is read, with which notes, and the errors.

use super::*;
use crate::stub::model::Part;

fn read(text: &str) -> Stub {
    parse(text.as_bytes()).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn error(text: &str) -> String {
    parse(text.as_bytes()).unwrap_err().to_string()
}

fn int(name: &str) -> Variable {
    Variable { name: name.to_owned(), kind: Kind::Int, length: None }
}

#[test]
fn commands_and_blocks_in_any_order() {
    let stub =
        read("INPUT\nx : how far: in cells\n\nread x y:long\ngameloop\n  write WAIT\nSTATEMENT\nGo!\n");
    assert_eq!(stub.start.len(), 1);
    assert_eq!(stub.turn, Some(vec![Item::Write(Answer::Lines(vec!["WAIT".to_owned()]))]));
    assert_eq!(stub.comments["x"], "how far: in cells");
    assert_eq!(stub.statement, ["Go!"]);
}

#[test]
fn bodies_of_loops_may_stand_on_the_next_line() {
    let one = read("loop 2 loop n read a:int");
    assert_eq!(one, read("loop 2\n\n   loop n\n\tread a:int"));
    let inner = Item::Loop(Count::Name("n".to_owned()), Box::new(Item::Read(vec![int("a")])));
    assert_eq!(one.start, [Item::Loop(Count::Number(2), Box::new(inner))]);
}

#[test]
fn answers_have_lines_or_parts() {
    let lines = |text: &str| read(text).start;
    let plain = |lines: &[&str]| Item::Write(Answer::Lines(lines.iter().map(|&l| l.to_owned()).collect()));
    assert_eq!(lines("write a b\nc\n\nwrite d"), [plain(&["a b", "c"]), plain(&["d"])]);
    assert_eq!(lines("write a\nwrite b\nOUTPUT\nx"), [plain(&["a"]), plain(&["b"])]);
    assert_eq!(lines("write join()"), [plain(&["join()"])]);
    let parts = |parts: &[Part]| Item::Write(Answer::Join(parts.to_vec()));
    let literal = |text: &str| Part::Literal(text.to_owned());
    let name = |text: &str| Part::Name(text.to_owned());
    assert_eq!(
        lines(r#"write join("MOVE, or (not)", x, 3,"say \"hi\"")"#),
        [parts(&[literal("MOVE, or (not)"), name("x"), literal("3"), literal("say \"hi\"")])]
    );
}

#[test]
fn near_misses_are_read_with_a_note() {
    for (text, right, note) in [
        ("read a:string(9) b:int", "read a:word(9) b:int", "line 1: `a` is a string before others"),
        ("read a : int b: long", "read a:int b:long", "line 1: blanks around a colon"),
        ("GAMELOOP\nread a:INT", "gameloop\nread a:int", "line 2: the type `INT` is read as `int`"),
        ("Read a", "read a", "line 1: `Read` is read as `read`"),
        ("// first\nread a\nwrite b\n// last", "read a\nwrite b", "line 1: a comment"),
        ("read a:double", "read a:float", "line 1: the type `double` is read as `float`"),
        ("read a\nINPUT a: b", "read a\nINPUT\na: b", "line 2: the text behind INPUT"),
        ("write\n\nMOVE x y\n\nWAIT", "write MOVE x y\nWAIT", "line 3: a line after an empty one"),
        (
            "write a\n\nSTATEMENT\nOne.\n\nRead two: they matter.\n\nread x:int",
            "write a\nSTATEMENT\nOne.\nRead two: they matter.\n\nread x:int",
            "line 6: a line after an empty one that isn't a command belongs to the STATEMENT",
        ),
        ("INPUT\n\na: b\n\nread a", "INPUT\na: b\n\nread a", "line 3: a line after an empty one"),
        (
            "gameloop\nwrite a\nread b",
            "gameloop\nwrite a\nread b",
            "line 3: the stub reads after it has written",
        ),
    ] {
        let (stub, right) = (read(text), Stub { notes: Vec::new(), ..read(right) });
        assert!(stub.notes.iter().any(|said| said.starts_with(note)), "{text:?}: {:?}", stub.notes);
        assert_eq!(Stub { notes: Vec::new(), ..stub }, right, "{text:?}");
    }
}

#[test]
fn files_of_other_systems_are_read() {
    assert_eq!(
        read("\u{feff}read a:int\r\ngameloop\r\nwrite x  \r\n"),
        read("read a:int\ngameloop\nwrite x")
    );
    assert_eq!(read("read a:int\rgameloop\rwrite x\r"), read("read a:int\ngameloop\nwrite x"));
    assert_eq!(read("read\u{a0}a:int\u{2003}b"), read("read a:int b"));
}

#[test]
fn sections_of_code_are_skipped() {
    let plain = read("read n:int\ngameloop\nread x:int\nwrite WAIT");
    let with = read(
        "CODE-START-Clojure\n(ns Player\n\n(:gen-class))\nCODE-END-Clojure\nread n:int\ngameloop\nread x:int\nwrite WAIT",
    );
    assert_eq!((with.start, with.turn), (plain.start, plain.turn));
    assert_eq!(with.notes, ["line 1: the section CODE-START-Clojure is skipped"]);
}

#[test]
fn an_unknown_block_is_no_answer() {
    let plain = read("read n:int\ngameloop\nread t:long\nwrite WAIT");
    let block = "CONSTRAINTS\n1<=n<=3\nn is odd";
    for text in [
        format!("read n:int\ngameloop\nread t:long\nwrite WAIT\n\n{block}"),
        format!("{block}\n\nread n:int\ngameloop\nread t:long\nwrite WAIT\n"),
        format!("read n:int\n\n{block}\n\ngameloop\nread t:long\nwrite WAIT"),
    ] {
        let with = read(&text);
        assert_eq!((with.start, with.turn), (plain.start.clone(), plain.turn.clone()), "{text}");
        assert!(
            with.notes.len() == 1 && with.notes[0].ends_with("the block CONSTRAINTS is unknown, and skipped")
        );
    }
    // The answer goes on.
    let two = read("gameloop\nread t:int\nwrite WAIT\nATTACK\nMOVE 1");
    assert!(two.notes.is_empty(), "{:?}", two.notes);
}

#[test]
fn errors_say_where_and_what() {
    for (text, expected) in [
        ("", "the stub is empty"),
        ("// nothing\n\nINPUT\nx: y", "the stub is empty"),
        (
            "read a:int\nreed b",
            "line 2: expected a command (read, write, gameloop, loop, loopline) or a block, found `reed b`",
        ),
        ("read", "line 1: expected variables"),
        ("loop", "line 1: expected a number or a variable's name behind loop, found ``"),
        ("loop 3", "line 1: expected a command in the loop, found the end"),
        ("loop a+1 read x", "line 1: expected a number or a variable's name behind loop, found `a+1`"),
        ("read a:integer", "line 1: expected a type"),
        ("read a:word(3", "line 1: expected a length in brackets"),
        ("read 3:int", "line 1: expected a variable"),
        ("loop 10001 read a", "line 1: expected a count from 0 to 10000, found `10001`"),
        ("loop -1 read a", "line 1: expected a count from 0 to 10000, found `-1`"),
        ("loopline 99999999999999999999 a", "line 1: expected a count from 0 to 10000"),
        (
            "read n\nloop n\n  read k\n  loop k read v",
            "line 4: expected a count that is read once, found `k`, which line 3 reads in a loop",
        ),
        ("read n:int\nCODE-START-Rust\nfn", "line 2: expected its end, CODE-END-Rust, found none"),
        ("write a\n\nreed b:int", "line 3: expected a command"),
        (
            "use std::io;\n\nmacro_rules! parse_input {",
            "line 1: `use std::io;`: this is the code that the site generates",
        ),
        ("// Score points\nimport java.util.*;", "line 2: `import java.util.*;`: this is the code"),
        ("import sys\n\nwhile True:\n", "line 1: `import sys`: this is the code"),
        ("write join(\"a", "line 1: expected a closing quote"),
        ("write join(a, b", "line 1: expected a comma or the closing bracket"),
        ("gameloop\ngameloop", "line 2: expected one gameloop"),
        ("loop 2 gameloop", "line 1: expected gameloop outside of loops"),
        ("read a\0", "line 1: expected text"),
    ] {
        let found = error(text);
        assert!(found.starts_with(expected), "{text:?}: {found}");
    }
    assert!(parse(b"read a\n\xff").unwrap_err().to_string().starts_with("line 2: expected text in UTF-8"));
    let long = "read a\n".repeat(1_000_000);
    assert!(parse(long.as_bytes()).unwrap_err().to_string().contains("a file of 1000000"));
    let deep = "loop 2 ".repeat(20) + "read a";
    assert!(error(&deep).contains("at most 8 loops"));
}
