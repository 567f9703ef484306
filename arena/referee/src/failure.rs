//! Kinds of failure.

/// The kind of an error, which decides the exit status of the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FailureKind {
    /// The command line is to blame.
    Usage,
    /// The program was interrupted.
    Interrupt,
    /// Anything else.
    Other,
}
