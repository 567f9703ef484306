//! Proves that a bundle is the same program: picks the smallest form whose code equals that of the largest.
//!
//! Two texts are compiled without optimisation, and the code that rustc hands to LLVM is brought to a normal form
//! ([`crate::rustc::normal`]). It depends on every instruction, operand, constant and attribute, on every call and reference,
//! but not on names, order or lines. With equal normal forms, all later compilation gets the same input, so the
//! programs behave the same, optimised or not. Comparing optimised code would prove no more: it depends on the order of
//! functions, and takes four times as long to generate.
//!
//! If `BUNDLER_PROOF` names a folder, every compared text is written there as `1.rs` and so on, and its normal form as
//! `1.code`: `diff` shows how two programs differ, apart from lines that start with `;`.

use crate::api::bundle::{listed, Proofs, Stage};
use crate::api::error::Error;
use crate::merge::ladder::{Form, Ladder};
use crate::prove::layout::lay_out;
use crate::prune::unneeded::Means;
use crate::prune::Trimmer;
use crate::rustc::compilers::Compilers;
use crate::rustc::normal::Normal;
use crate::rustc::{both, Checker};
use crate::syntax::text::Text;
use crate::syntax::visibility::promote;

/// The code that every smaller form must have.
#[derive(Debug)]
pub struct Standard {
    stage: Stage,
    normal: Option<Normal>,
}

impl Standard {
    /// The code of the largest form that compiles.
    pub fn of(ladder: &Ladder, checker: &Checker) -> Result<Standard, Error> {
        for form in ladder.forms.iter().filter(|f| f.stage <= Stage::Reached) {
            if let Some(normal) = checker.code_again(form.text.as_str())? {
                return Ok(Standard { stage: form.stage, normal: Some(normal) });
            }
        }
        Ok(Standard { stage: Stage::Reached, normal: None })
    }

    fn compare(&self, text: &Text, checker: &Checker) -> Result<Verdict, Error> {
        let Some(normal) = &self.normal else { return Ok(Verdict::Unknown) };
        Ok(match checker.code(text.as_str())? {
            None => Verdict::Unknown,
            Some(other) => match normal.difference(&other) {
                None => Verdict::Same(other.functions),
                Some(function) => Verdict::Differs(function),
            },
        })
    }
}

/// The proofs of a text that is ready for submission; `None` unless it has the standard's code and no compiler warns.
///
/// # Errors
/// If the compiler cannot be run.
pub fn proved_at_once(
    text: &Text,
    standard: &Standard,
    compilers: &Compilers<'_>,
) -> Result<Option<Proofs>, Error> {
    if standard.stage > Stage::Inlined || !compilers.all_silent(text)? {
        return Ok(None);
    }
    let Verdict::Same(functions) = standard.compare(text, &compilers.own)? else { return Ok(None) };
    let mut proofs = Proofs { same_functions: Some(functions), ..Proofs::default() };
    accepted(&mut proofs, text, compilers)?;
    Ok(Some(proofs))
}

/// Adds which compilers accept a text without a warning.
fn accepted(proofs: &mut Proofs, text: &Text, compilers: &Compilers<'_>) -> Result<(), Error> {
    let (asked, unasked) = compilers.names();
    if compilers.all_silent(text)? {
        proofs.compilers = asked;
    } else {
        proofs.open.push(format!("that {} compile it without a warning", listed(&asked)));
    }
    let of = |name| format!("that {name} compiles it: the external crates are compiled for another compiler");
    proofs.open.extend(unasked.into_iter().map(of));
    Ok(())
}

/// The smallest form of a program that is proved to be the same.
pub struct Proved {
    /// All its forms.
    pub ladder: Ladder,
    /// The text.
    pub text: Text,
    /// The proofs, and the open points.
    pub proofs: Proofs,
}

enum Verdict {
    Same(usize),
    Differs(String),
    Unknown,
}

/// The smallest form that compiles without a warning and has the same code as the standard.
///
/// If the removal of unused code, which was made by `means`, fails, it is repeated on the ladder with safer means.
///
/// # Errors
/// The errors of the compilers and of `trimmer`, and if no form compiles.
pub fn smallest_proved(
    mut ladder: Ladder,
    mut means: Means,
    standard: &Standard,
    compilers: &Compilers<'_>,
    trimmer: &Trimmer<'_>,
) -> Result<Proved, Error> {
    let session = compilers.session;
    let mut proofs = Proofs::default();
    let mut i = ladder.forms.len();
    while i > 0 {
        i -= 1;
        let form = ladder.forms[i].clone();
        let tried = match presentable(&form.text, compilers)? {
            None => Err("it does not compile".to_owned()),
            Some(text) => match standard.compare(&text, &compilers.own)? {
                Verdict::Differs(function) if form.stage > standard.stage => {
                    Err(format!("it changed the code of {function}"))
                }
                verdict => Ok((text, verdict)),
            },
        };
        let (text, verdict) = match tried {
            Ok(tried) => tried,
            Err(why) if form.stage == Stage::Trimmed => {
                // The search follows, whose result is what counts.
                if means != Means::LastTime {
                    session.note(format!("undid the removal of {}: {why}", means.said()));
                }
                while let Some(safer) = means.safer() {
                    means = safer;
                    let (text, mut said) = session.apart(|| trimmer.trim(&ladder, means));
                    // Notes of the first attempt are not repeated.
                    said.retain(|note| !session.notes().contains(note));
                    session.note_all(said);
                    if let Some(text) = text?.filter(|t| t.as_str() != form.text.as_str()) {
                        ladder.forms.insert(i, Form { stage: Stage::Trimmed, text });
                        i += 1;
                        break;
                    }
                }
                continue;
            }
            Err(why) => {
                session.note(format!("undid {}: {why}", step(form.stage)));
                continue;
            }
        };
        match verdict {
            Verdict::Same(functions) => proofs.same_functions = Some(functions),
            Verdict::Differs(function) => {
                proofs.open.push(format!("the same since merging: {function} differs"))
            }
            Verdict::Unknown => {
                proofs
                    .open
                    .push("the same since merging: this compiler's LLVM code has an unknown form".into());
            }
        }
        if standard.stage > Stage::Inlined && proofs.same_functions.is_some() {
            let why = "the text before removal does not compile, so there is nothing to compare with";
            proofs.open.push(format!("{}: {why}", step(standard.stage)));
        }
        accepted(&mut proofs, &text, compilers)?;
        return Ok(Proved { ladder, text, proofs });
    }
    Err(Error::Bundle("No form of the bundle compiled.".into()))
}

/// The smaller text if it has the same code and causes no new warnings, else the other one.
pub fn smaller_if_same(text: Text, smaller: Text, compilers: &Compilers<'_>) -> Result<Text, Error> {
    if smaller.as_str() == text.as_str() {
        return Ok(text);
    }
    let checker = &compilers.own;
    let (before, after) = both(
        || checker.code(text.as_str()),
        || {
            checker.check_and_code(smaller.as_str())?;
            Ok::<_, Error>((compilers.all_silent(&smaller)?, checker.code(smaller.as_str())?))
        },
    );
    let (quiet, code) = after?;
    let codes = (before?, code);
    let why = match codes {
        (Some(_), None) => Some("it does not compile".to_owned()),
        (Some(a), Some(b)) => a.difference(&b).map(|f| format!("it changed the code of {f}")),
        // Without code to compare, it must at least compile.
        (None, _) => (!checker.check(smaller.as_str())?.ok).then(|| "it does not compile".to_owned()),
    };
    let loud = || Ok::<_, Error>(!quiet && compilers.all_silent(&text)?);
    let why = match why {
        None if loud()? => Some("it caused a compiler warning".to_owned()),
        why => why,
    };
    let Some(why) = why else { return Ok(smaller) };
    compilers.session.note(format!("undid {}: {why}", step(Stage::Minified)));
    Ok(text)
}

fn step(stage: Stage) -> &'static str {
    match stage {
        Stage::Inlined => "joining the crates",
        Stage::Reached => "the removal of items that main does not reach by name",
        Stage::Trimmed => "the removal of unused items",
        Stage::Minified => "minifying",
    }
}

/// A form ready for submission, without warnings: with visibilities as written if that compiles, since they are
/// shorter.
pub fn presentable(text: &Text, compilers: &Compilers<'_>) -> Result<Option<Text>, Error> {
    match compilers.silenced(&lay_out(&promote(text)))? {
        Some(text) => Ok(Some(text)),
        None => compilers.silenced(&lay_out(text)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::bundle::Replayed;

    #[test]
    fn proofs_are_printed() {
        let mut proofs = Proofs {
            compilers: ["rustc 1.95.0", "rustc 1.90.0", "rustc 1.85.0"].map(str::to_owned).to_vec(),
            same_functions: Some(1412),
            same_as_built: Some(1411),
            replayed: Some(Replayed { logs: 18, answers: 1023 }),
            open: vec![],
        };
        assert_eq!(
            proofs.to_string(),
            "proved: compiles without a warning on rustc 1.95.0, rustc 1.90.0 and rustc 1.85.0; \
             1,412 functions, the same since merging; \
             1,411 of 1,411 functions the same as in cargo's build; \
             18 logs, 1,023 answer lines identical in binary and bundle"
        );
        proofs.compilers.truncate(1);
        (proofs.same_functions, proofs.same_as_built) = (None, None);
        proofs.replayed = None;
        proofs.open.push("the moon".into());
        assert_eq!(
            proofs.to_string(),
            "proved: compiles without a warning on rustc 1.95.0\nnot proved: the moon"
        );
        assert_eq!(Proofs::default().to_string(), "");
    }
}
