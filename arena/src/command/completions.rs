//! `arena completions`: a script by which a shell completes subcommands and options.

use std::io::Write;

use clap_complete::Shell;

use crate::failure::Failure;

/// The arguments of `arena completions`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The shell
    shell: Shell,
}

/// Prints the script.
///
/// # Errors
/// If `out` can't be written.
pub(crate) fn run(args: &Args, mut commands: clap::Command, out: &mut dyn Write) -> Result<(), Failure> {
    let mut script = Vec::new();
    let name = commands.get_name().to_owned();
    clap_complete::generate(args.shell, &mut commands, name, &mut script);
    out.write_all(&script)?;
    Ok(out.flush()?)
}
