//! Readable layout: a tab per level, few lines, limited width.
//!
//! Line breaks of the source stay at the ends of statements; others are removed where the result fits on one line.
//! Bodies of modules are not indented, since everything in a bundle is in modules.

use super::pieces::{Pieces, OUTSIDE};
use super::space::{is_idle_comma, may_touch};
use crate::syntax::text::{Edits, Text};
use crate::syntax::tokens::{Kind, Tokens, Unreadable};

/// Maximum width of a joined line.
const WIDTH: usize = 110;
/// Width of a tab.
const TAB: usize = 4;

/// The white space between two tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Gap {
    Nothing,
    Space,
    Line,
    Blank,
}

impl Gap {
    fn breaks(self) -> bool {
        matches!(self, Gap::Line | Gap::Blank)
    }
}

/// The text in readable layout.
///
/// # Errors
/// If the text cannot be parsed.
pub fn readable(text: &Text) -> Result<Text, Unreadable> {
    let tokens = Tokens::read(text.as_str())?;
    let pieces = Pieces::new(text.as_str(), &tokens);
    let gaps = (0..pieces.list.len()).map(|i| first_gap(&pieces, i)).collect();
    let mut layout = Layout { gaps, deleted: vec![false; pieces.list.len()], pieces };
    layout.join();
    layout.part_items();
    layout.join_attributes();
    Ok(text.edited(layout.edits()))
}

fn first_gap(pieces: &Pieces<'_>, i: usize) -> Gap {
    let gap = &pieces.source[pieces.gap(i)];
    let breaks = gap.bytes().filter(|&b| b == b'\n').count();
    match () {
        () if i == 0 || gap.is_empty() => Gap::Nothing,
        () if breaks == 0 && is_idle_space(pieces, i) => Gap::Nothing,
        () if breaks == 0 => Gap::Space,
        // A body's opening brace stays on the line of its head.
        () if pieces.is(i, '{') && !["{", "}", ";"].contains(&pieces.text(i - 1)) => Gap::Space,
        () if pieces.text(i - 1) == "where" => Gap::Space,
        () if breaks == 1 || pieces.opens(i - 1) || pieces.closes(i) => Gap::Line,
        () => Gap::Blank,
    }
}

/// Whether a space is superfluous, as one that is left after a removal.
fn is_idle_space(pieces: &Pieces<'_>, i: usize) -> bool {
    let derive = |p: usize| p != OUTSIDE && p > 0 && pieces.text(p - 1) == "derive";
    let piece = &pieces.list[i];
    let clear = !piece.in_macro || derive(piece.around) || derive(piece.partner);
    clear && matches!(pieces.text(i), ")" | "]" | "," | ";") && may_touch(pieces, i)
}

struct Layout<'a> {
    pieces: Pieces<'a>,
    /// The gap before each piece.
    gaps: Vec<Gap>,
    /// Whether each piece is a trailing comma to delete, because its closing bracket is on the same line.
    deleted: Vec<bool>,
}

impl Layout<'_> {
    /// Joins lines, innermost brackets first.
    fn join(&mut self) {
        for close in 0..self.pieces.list.len() {
            if self.pieces.closes(close) {
                let open = self.pieces.list[close].partner;
                self.join_statements(open + 1, close);
                self.join_group(open, close);
            }
        }
        self.join_statements(0, self.pieces.list.len());
    }

    /// Joins the lines of each statement directly within these brackets.
    fn join_statements(&mut self, from: usize, to: usize) {
        let mut start = from;
        let mut i = from;
        while i < to {
            let next = if self.pieces.opens(i) { self.pieces.list[i].partner + 1 } else { i + 1 };
            if next >= to || self.ends_statement(next - 1, next) {
                self.join_range(start, next);
                start = next;
            }
            i = next;
        }
    }

    /// Whether a line break between these two pieces ends a statement or list element.
    fn ends_statement(&self, last: usize, next: usize) -> bool {
        let text = self.pieces.text(last);
        matches!(text, ";" | ",") || self.pieces.ends_attribute(last) || text == "}" && self.starts_anew(next)
    }

    /// Whether a new statement follows a closing brace.
    fn starts_anew(&self, next: usize) -> bool {
        self.gaps.get(next).is_some_and(|g| g.breaks())
            && !matches!(self.pieces.text(next), "." | "?" | "else" | ")" | "]" | "," | ";")
    }

    /// Joins the pieces from `start` to before `end` if no bracket within is broken and the line fits.
    fn join_range(&mut self, start: usize, end: usize) {
        let here = self.pieces.list[start].around;
        let broken = |i: usize| self.gaps[i].breaks();
        let inside = (start + 1)..end;
        let mut any = false;
        let mut width = self.indent(start);
        for i in start..end {
            width += self.width_of(i) + 1;
            let breaks = inside.contains(&i) && broken(i);
            if width > 2 * WIDTH || breaks && (self.pieces.list[i].around != here || self.pieces.closes(i)) {
                return;
            }
            any |= breaks;
        }
        if any && self.width_if(start, end) <= WIDTH {
            for i in inside {
                self.gaps[i] = self.joined(i);
            }
        }
    }

    /// Joins a pair of brackets and their content into one line.
    fn join_group(&mut self, open: usize, close: usize) {
        if close <= open + 1 || !(open + 1..=close).any(|i| self.gaps[i].breaks()) {
            return;
        }
        if self.pieces.is_module(open) || !self.is_short(open, close) {
            return;
        }
        let start = (0..=open).rev().find(|&i| self.gaps[i].breaks()).unwrap_or(0);
        let end = (close + 1..self.gaps.len()).find(|&i| self.gaps[i].breaks()).unwrap_or(self.gaps.len());
        if self.width_if(start, end) > WIDTH {
            return;
        }
        for i in open + 1..=close {
            self.gaps[i] = self.joined(i);
        }
        if is_idle_comma(&self.pieces, close - 1) {
            self.deleted[close - 1] = true;
        }
    }

    /// Whether brackets hold little enough for one line: at most one statement in braces, and no match arms.
    fn is_short(&self, open: usize, close: usize) -> bool {
        let brace = self.pieces.is(open, '{');
        let mut width = 0;
        let mut depth = 0;
        for i in open + 1..close {
            width += self.width_of(i);
            let direct = self.pieces.list[i].around == open;
            let breaks = self.gaps[i].breaks();
            if width > WIDTH || breaks && !direct || self.pieces.ends_attribute(i) {
                return false;
            }
            if !brace {
                continue;
            }
            depth = depth.max(self.braces_within(i, open));
            let last = i + 1 == close;
            let arm = self.pieces.is(i, '=') && self.pieces.is(i + 1, '>');
            let ends = self.pieces.is(i, ';') || self.pieces.is(i, '}') && self.starts_anew(i + 1);
            if direct && (arm || ends && !last) || depth > 1 {
                return false;
            }
        }
        // A comma that must stay would end up directly before the bracket.
        brace || !self.pieces.is(close - 1, ',') || is_idle_comma(&self.pieces, close - 1)
    }

    /// The number of braces between piece `i` and the brackets at `open`.
    fn braces_within(&self, i: usize, open: usize) -> usize {
        let mut count = 0;
        let mut at = self.pieces.list[i].around;
        while at != open && at != OUTSIDE {
            count += usize::from(self.pieces.is(at, '{'));
            at = self.pieces.list[at].around;
        }
        count
    }

    fn joined(&self, i: usize) -> Gap {
        let gap = self.gaps[i];
        if !gap.breaks() {
            return gap;
        }
        let tight = self.pieces.is(i, '.')
            || matches!(self.pieces.text(i), ")" | "]" | "?")
            || matches!(self.pieces.text(i - 1), "(" | "[");
        if tight && !self.pieces.list[i].in_macro && may_touch(&self.pieces, i) {
            Gap::Nothing
        } else {
            Gap::Space
        }
    }

    fn width_of(&self, i: usize) -> usize {
        let text = self.pieces.text(i);
        if text.contains('\n') || self.pieces.list[i].kind == Kind::Doc {
            2 * WIDTH
        } else {
            text.chars().count()
        }
    }

    fn indent(&self, i: usize) -> usize {
        let mut at = self.pieces.list[i].around;
        let mut levels = 0;
        while at != OUTSIDE {
            levels += usize::from(!self.pieces.is_module(at));
            at = self.pieces.list[at].around;
        }
        levels * TAB
    }

    /// The width of the line if nothing between `start` and `end` breaks.
    fn width_if(&self, start: usize, end: usize) -> usize {
        let mut width = self.indent(start);
        for i in start..end {
            width += self.width_of(i) + usize::from(i > start && self.joined(i) != Gap::Nothing);
            if width > WIDTH {
                break;
            }
        }
        width
    }

    /// Keeps blank lines only between items of several lines.
    fn part_items(&mut self) {
        let mut long = false;
        for i in 1..self.gaps.len() {
            if !self.gaps[i].breaks() {
                continue;
            }
            long |= self.pieces.closes(i);
            if self.gaps[i] == Gap::Blank {
                if !(long && self.pieces.is(i - 1, '}') && self.holds_items(self.pieces.list[i].around)) {
                    self.gaps[i] = Gap::Line;
                }
                long = false;
            }
        }
    }

    /// Puts attributes on the line of their item, where it is indented.
    fn join_attributes(&mut self) {
        for i in 1..self.gaps.len() {
            if self.gaps[i] != Gap::Line || !self.pieces.ends_attribute(i - 1) || self.indent(i) == 0 {
                continue;
            }
            let start = (0..i).rev().find(|&s| self.gaps[s].breaks()).unwrap_or(0);
            let end = (i + 1..self.gaps.len()).find(|&e| self.gaps[e].breaks()).unwrap_or(self.gaps.len());
            if !self.pieces.list[i].in_macro && self.width_if(start, end) <= WIDTH {
                self.gaps[i] = Gap::Space;
            }
        }
    }

    /// Whether brackets hold items: those of a module, impl or trait.
    fn holds_items(&self, open: usize) -> bool {
        if open == OUTSIDE || self.pieces.is_module(open) {
            return true;
        }
        let here = self.pieces.list[open].around;
        let words = (0..open).rev().take_while(|&i| {
            self.pieces.list[i].around != here || !matches!(self.pieces.text(i), ";" | "{" | "}")
        });
        let mut words = words.map(|i| self.pieces.text(i));
        self.pieces.is(open, '{') && words.any(|w| matches!(w, "impl" | "trait"))
    }

    fn edits(&self) -> Edits {
        let mut edits = Edits::default();
        // The indent of the current line, and for each open bracket that of its line.
        let mut line = 0;
        let mut lines: Vec<usize> = Vec::new();
        for (i, piece) in self.pieces.list.iter().enumerate() {
            let closed = if self.pieces.closes(i) { lines.pop() } else { None };
            let range = self.pieces.gap(i);
            let new = match self.gaps[i] {
                Gap::Nothing => String::new(),
                Gap::Space => " ".into(),
                gap => {
                    line = closed.unwrap_or_else(|| self.level(i, lines.last().copied()));
                    format!("\n{}{}", if gap == Gap::Blank { "\n" } else { "" }, "\t".repeat(line))
                }
            };
            if new != self.pieces.source[range.clone()] {
                edits.replace(range, new);
            }
            if self.deleted[i] {
                edits.delete(piece.range.clone());
            }
            if self.pieces.opens(i) {
                lines.push(line);
            }
        }
        let end = self.pieces.gap(self.pieces.list.len());
        edits.replace(end, if self.pieces.list.is_empty() { "" } else { "\n" });
        edits
    }

    /// The indent of the line that starts with piece `i`, within a bracket on a line of indent `around`.
    fn level(&self, i: usize, around: Option<usize>) -> usize {
        let open = self.pieces.list[i].around;
        let base = match around {
            Some(level) if !self.pieces.is_module(open) => level + 1,
            Some(level) => level,
            None => 0,
        };
        let last = self.pieces.text(i - 1);
        let begins = matches!(last, ";" | "," | "{" | "(" | "[")
            || self.pieces.ends_attribute(i - 1)
            || last == "}" && !self.pieces.is(i, '.');
        base + usize::from(!begins)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lay_out(source: &str) -> String {
        readable(&Text::generated(source)).unwrap().as_str().to_owned()
    }

    #[test]
    fn a_tab_for_each_level() {
        let source = "mod a {\nimpl A {\n    fn f() {\n        g();\n\n        if x {\n            h(\n  1);\n            i();\n        }\n    }\n\n    #[inline]\n    fn j(){}\n}\n}\n";
        let want = "mod a {\nimpl A {\n\tfn f() {\n\t\tg();\n\t\tif x {\n\t\t\th(1);\n\t\t\ti();\n\t\t}\n\t}\n\n\t#[inline] fn j(){}\n}\n}\n";
        assert_eq!(lay_out(source), want);
        assert_eq!(lay_out(want), want);
    }

    #[test]
    fn short_lines_are_joined() {
        assert_eq!(
            lay_out("let x = a\n    .b()\n    .c(\n        d,\n        e,\n    );\nf();"),
            "let x = a.b().c(d, e);\nf();\n"
        );
        assert_eq!(
            lay_out("fn f<T>() -> u8\nwhere\n    T: A,\n{\n    1\n}"),
            "fn f<T>() -> u8 where T: A, { 1 }\n"
        );
        assert_eq!(lay_out("fn f() {\n    a();\n    b()\n}"), "fn f() {\n\ta();\n\tb()\n}\n");
        assert_eq!(lay_out("match a {\n    b => c,\n}"), "match a {\n\tb => c,\n}\n");
        assert_eq!(lay_out("x!(\n    a,\n    b,\n);(\n  a,\n);"), "x!(\n\ta,\n\tb,\n);(\n\ta,\n);\n");
        assert_eq!(lay_out("struct A {\n    a: u8,\n\n    b: u8,\n}"), "struct A { a: u8, b: u8 }\n");
        assert_eq!(lay_out("if a {\n    b\n} else {\n    c\n}"), "if a { b } else { c }\n");
    }

    #[test]
    fn long_lines_and_literals_stay() {
        let long = "y".repeat(60);
        let source = format!("let x = {long}\n    .{long}();\n");
        assert_eq!(lay_out(&source), source.replace("    ", "\t"));
        assert_eq!(lay_out("f(\n    \"a\n    b\",\n    c,\n)"), "f(\n\t\"a\n    b\",\n\tc,\n)\n");
    }
}
