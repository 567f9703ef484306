//! The smallest form of a program that is proved to be the same.

use crate::api::bundle::Asset;
use crate::api::error::Error;
use crate::merge::ladder::Ladder;
use crate::merge::program::Program;
use crate::minify::{self, Minifier, Trimmed};
use crate::prove::proof::{self, Standard};
use crate::prune::Trimmer;
use crate::report::finish::{whole, Findings};
use crate::rustc::both;
use crate::rustc::compilers::Compilers;
use crate::rustc::session::Session;
use crate::rustc::Flags;
use crate::syntax::text::Text;

/// Removes what the program does not use, proves that it is still the same, and minifies it. With `functions`, statics that
/// hold a file are functions in it.
///
/// # Errors
/// The errors of the compilers, and if no form of the program compiles.
pub fn smallest(
    session: &Session<'_>,
    program: Program<'_>,
    flags: &Flags,
    ladder: Ladder,
    assets: Vec<Asset>,
    functions: bool,
) -> Result<Findings, Error> {
    let compilers = &Compilers::new(session, flags, program.files)?;
    let trimmer = &Trimmer::new(session, &compilers.own, program.plan, program.files, functions);
    let whole = |body: &Text| whole(session, program, flags.edition, body);
    let with_comments = |text: &Text| program.with_comments(text);
    let with_marks = |text: &Text| program.with_comments_and_marks(text);
    let minifier =
        &Minifier { compilers, whole: &whole, with_comments: &with_comments, with_marks: &with_marks };
    let untrimmed = ladder.clone();
    let standard = || Standard::of(&untrimmed, &compilers.own);
    let (standard, trimmed) = both(standard, || minify::trimmed(ladder, trimmer, minifier));
    let (standard, Trimmed { ladder, means, at_once }) = (standard?, trimmed?);

    session.progress.say("proving that it is the same program");
    if let Some(shrunk) = at_once {
        if let Some(proofs) = proof::proved_at_once(&shrunk.text, &standard, compilers)? {
            trimmer.last_time.keep();
            return Ok(Findings { ladder, shrunk, assets, proofs });
        }
    }
    let proved = proof::smallest_proved(ladder, means, &standard, compilers, trimmer)?;
    trimmer.last_time.keep();
    let shrunk = minifier.shrink(proved.text)?;
    Ok(Findings { ladder: proved.ladder, shrunk, assets, proofs: proved.proofs })
}
