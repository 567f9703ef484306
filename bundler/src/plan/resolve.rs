//! The plan as cargo knows it before the source is read.

use crate::api::error::Error;
use crate::plan::cargo::Built;
use crate::plan::{Compiled, Plan};
use crate::rustc::session::Session;

/// The plan with what an earlier build by cargo says of it. The source is compiled here if it can't be read before that:
/// for external crates, for expanded derives, and for build scripts if it isn't compiled later.
///
/// # Errors
/// If the source does not compile.
pub fn resolved(session: &Session<'_>, plan: Plan) -> Result<Plan, Error> {
    let options = session.options;
    if !options.check && !options.expand_derives && !plan.has_scripts() {
        return Ok(plan.foreseen());
    }
    if let Some(built) = Built::known(&plan, &session.cache).filter(|_| !options.expand_derives) {
        return Ok(plan.corrected(&built, Compiled::Earlier));
    }
    if !options.expand_derives && options.check && plan.externals.is_empty() {
        return Ok(plan);
    }
    session.progress.say("compiling the source");
    let built = Built::checked(&plan, &session.cache)?;
    let plan = plan.corrected(&built, Compiled::Now);
    let plan = if options.expand_derives { plan.with_expanders(&built) } else { plan };
    if options.check {
        plan.with_externals(&built)
    } else {
        Ok(plan)
    }
}
