//! How a command ends that meets an error.

/// What an error means for the program that meets it: its exit status follows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FailureKind {
    /// The command line is to blame.
    Usage,
    /// The program was interrupted.
    Interrupt,
    /// Anything else.
    Other,
}
