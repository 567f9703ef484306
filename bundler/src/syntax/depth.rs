//! Nesting limit and parser stack size.
//!
//! The parser recurses for brackets and operands, so adversarial source could overflow any stack. Source nested deeper
//! than people and generators write is refused.

use crate::syntax::tokens::{Kind, Token, Unreadable};

/// Maximum nesting of brackets.
const MOST_BRACKETS: usize = 400;
/// Maximum number of tokens from the start of a statement or list element to any token in it; those for which the parser
/// recurses count several.
const MOST_STEPS: usize = 40_000;
/// The number of tokens that a bracket counts as.
const BRACKET: usize = 100;
/// The number of tokens that one counts as for which the parser recurses, such as a prefix operator.
const RECURSION: usize = 5;
/// Stack size in bytes, enough for [`MOST_STEPS`]; the system allocates a page only when it is used.
const STACK: usize = 768 << 20;
/// Stack size in bytes if [`STACK`] is not available.
const SMALL_STACK: usize = 64 << 20;

/// Runs `work` on a thread whose stack is large enough for any source that [`check`] accepts.
///
/// When the thread ends, the parser's thread-local record of all parsed texts is freed too.
pub fn on_deep_stack<T: Send>(work: impl Fn() -> T + Sync) -> T {
    let spawned = |size| {
        std::thread::scope(|scope| {
            let thread = std::thread::Builder::new().stack_size(size).spawn_scoped(scope, &work).ok()?;
            Some(thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
        })
    };
    spawned(STACK).or_else(|| spawned(SMALL_STACK)).unwrap_or_else(&work)
}

/// Rejects source that is nested too deep to be parsed.
pub fn check(tokens: &[Token], source: &str) -> Result<(), Unreadable> {
    // For each open bracket, the number of steps at which its current element starts.
    let mut starts = vec![0];
    let mut steps = 0;
    let mut outside = Vec::new();
    for (i, token) in tokens.iter().enumerate() {
        steps += weight(token, i.checked_sub(1).and_then(|before| tokens.get(before)));
        match token.kind {
            Kind::Open(_) => {
                outside.push(steps);
                steps += BRACKET;
                starts.push(steps);
            }
            Kind::Close(c) => {
                starts.pop();
                steps = outside.pop().unwrap_or(0);
                if c == '}' && begins(tokens.get(i + 1), source) {
                    steps = starts.last().copied().unwrap_or(0);
                }
            }
            Kind::Punct(';' | ',') => steps = starts.last().copied().unwrap_or(0),
            _ => {}
        }
        if outside.len() > MOST_BRACKETS || steps > MOST_STEPS {
            let why = format!(
                "nested too deep: at most {MOST_BRACKETS} brackets within each other and {MOST_STEPS} tokens in one \
                 expression"
            );
            return Err(Unreadable { at: token.range.start, why });
        }
    }
    Ok(())
}

/// The number of tokens that a token counts as: one if it continues an expression that is read in a loop, as sums are.
fn weight(token: &Token, before: Option<&Token>) -> usize {
    let follows_operand =
        before.is_some_and(|b| matches!(b.kind, Kind::Ident | Kind::Literal | Kind::Close(_)));
    let is_loop = match token.kind {
        Kind::Punct('<' | '=' | '|') => false,
        Kind::Punct(_) => follows_operand,
        Kind::Ident => !before.is_some_and(|b| b.kind == Kind::Ident),
        Kind::Literal => true,
        _ => false,
    };
    if is_loop {
        1
    } else {
        RECURSION
    }
}

/// Whether a new statement or item begins after a closing brace.
fn begins(next: Option<&Token>, source: &str) -> bool {
    let Some(next) = next else { return true };
    match next.kind {
        Kind::Ident => !matches!(&source[next.range.clone()], "else" | "as"),
        Kind::Punct(c) => c == '#',
        Kind::Doc | Kind::Close(_) => true,
        Kind::Literal | Kind::Open(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use crate::syntax::tokens::Tokens;

    #[test]
    fn deep_source_is_rejected() {
        let nested = |n: usize| format!("const X: () = {}{};", "(".repeat(n), ")".repeat(n));
        assert!(Tokens::read(&nested(300)).is_ok());
        assert!(Tokens::read(&nested(10_000)).is_err());
        assert!(Tokens::read(&nested(200_000)).is_err());
        for deep in ["!", "- ", "return ", "a = ", "A<", "if a {} else ", "|x| "] {
            let source = |n: usize| format!("const X: bool = {}true;", deep.repeat(n));
            assert!(Tokens::read(&source(1_000)).is_ok(), "{deep}");
            assert!(Tokens::read(&source(10_000)).is_err(), "{deep}");
        }
    }

    #[test]
    fn long_source_is_accepted() {
        for part in ["fn f() { g(); h() }\n", "x + 1,", "static X: u8 = 1;", "#[a] mod m { use b::c; }"] {
            assert!(Tokens::read(&part.repeat(50_000)).is_ok(), "{part}");
        }
        let sum = |n: usize| format!("const X: f64 = 0.0{};", " + x * 2.5".repeat(n));
        assert!(Tokens::read(&sum(9_000)).is_ok() && Tokens::read(&sum(20_000)).is_err());
    }
}
