//! A `panic!` with a literal, in editions before 2021 and from then on.
//!
//! The former calls `core::panicking::panic` (or that of std) with the text, which makes an `Arguments` of it for `panic_fmt`.
//! The latter does so in place, in two calls.

use super::{line, Bodies, Pairs};
use crate::rustc::ir::Piece::{self, Name, Text};
use crate::rustc::ir::Pieces;
use crate::rustc::normal::bare;

/// The text between a panic's message and its source location.
const PLACE: &str = ", ptr align 8 ";

impl<'t> Pairs<'_, 't> {
    /// Whether a line of `one` is such a panic, and one of `two` begins the same panic of a later edition; then the latter's
    /// position is moved behind it. Each side is the line, the function and the position of the next line.
    pub(super) fn is_panic_same(
        &mut self,
        one: (&[Piece<'t>], &[&'t str], usize),
        two: (&[Piece<'t>], &[&'t str], &mut usize),
        bodies: &mut Bodies<'t>,
    ) -> bool {
        let [Text(call), Name(callee), Text(open), Name(message), Text(length), Name(place), rest @ ..] =
            one.0
        else {
            return false;
        };
        let is_old =
            callee.ends_with("4core9panicking5panic") || callee.contains("3std9panicking11begin_panicRe");
        let [_, Name(value), _, Name(maker), Text(open_made), Name(made), Text(length_made), ..] = two.0
        else {
            return false;
        };
        let length_made = length_made.split(')').next();
        let is_made = maker.contains("9Arguments8from_str")
            && (Some(*open), length.strip_suffix(PLACE)) == (Some(*open_made), length_made);
        if !is_old || !is_made || !self.is_name_same(message, made, bodies) {
            return false;
        }
        let mut next = *two.2;
        // Both calls of the later edition clean up as the one call does.
        if let Some([_, unwinds]) = line(one.1, &mut one.2.clone()).and_then(targets) {
            let Some([returns, unwinds_made]) = line(two.1, &mut next).and_then(targets) else {
                return false;
            };
            let Some(&block) = bodies.labels[1].get(bare(returns)) else { return false };
            if !self.is_local_same(unwinds, unwinds_made, bodies) {
                return false;
            }
            next = block;
        }
        let mut pieces = || line(two.1, &mut next).map_or(Vec::new(), |line| Pieces::of(line).collect());
        let (first, second, then) = (pieces(), pieces(), pieces());
        let [Text(call_then), Name(then_callee), Text("(ptr "), Name(a), Text(", ptr "), Name(b), Text(PLACE), Name(place_then), rest_then @ ..] =
            &then[..]
        else {
            return false;
        };
        let is_part = |pieces: &[Piece<'_>], part: &str, number: &str| {
            matches!(pieces, [_, Name(name), Text(" = extractvalue { ptr, ptr } "), Name(of), Text(end)]
                if *name == part && of == value && end.trim_start_matches(", ") == number)
        };
        let is_same = (call, true) == (call_then, then_callee.ends_with("4core9panicking9panic_fmt"))
            && is_part(&first, a, "0")
            && is_part(&second, b, "1")
            && self.is_name_same(place, place_then, bodies)
            && self.are_pieces_same(rest, rest_then, bodies);
        if is_same {
            *two.2 = next;
        }
        is_same
    }
}

/// The blocks after an `invoke`: if it returns, and if it unwinds.
fn targets(line: &str) -> Option<[&str; 2]> {
    let (returns, unwinds) = line.trim().strip_prefix("to label ")?.split_once(" unwind label ")?;
    Some([returns, unwinds])
}
