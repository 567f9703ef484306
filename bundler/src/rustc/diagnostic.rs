//! The part of rustc's diagnostics that the bundler reads.

use serde::Deserialize;

/// A diagnostic of rustc.
#[derive(Debug, Deserialize)]
pub struct Diagnostic {
    /// The message.
    pub message: String,
    /// The lint's or error's code.
    pub code: Option<Code>,
    /// `error`, `warning`, …
    pub level: String,
    /// The places.
    pub spans: Vec<Span>,
    /// The rendered form for people.
    pub rendered: Option<String>,
    /// Notes and suggestions.
    #[serde(default)]
    pub children: Vec<Diagnostic>,
}

/// The name of a lint or error.
#[derive(Debug, Deserialize)]
pub struct Code {
    /// A name such as `dead_code`.
    pub code: String,
}

/// A place in the compiled text.
#[derive(Debug, Deserialize)]
pub struct Span {
    /// The first byte.
    pub byte_start: usize,
    /// The byte after the last.
    pub byte_end: usize,
    /// Whether this is the place that the message is about.
    pub is_primary: bool,
    /// The label of the place.
    pub label: Option<String>,
    /// The suggested replacement.
    #[serde(default)]
    pub suggested_replacement: Option<String>,
}

impl Diagnostic {
    /// The lint's name or the error's code.
    pub fn lint(&self) -> Option<&str> {
        self.code.as_ref().map(|c| c.code.as_str())
    }

    /// Whether it is an error.
    pub fn is_error(&self) -> bool {
        self.level.starts_with("error")
    }

    /// The start of the first primary span.
    pub fn at(&self) -> Option<usize> {
        self.spans.iter().find(|s| s.is_primary).map(|s| s.byte_start)
    }
}
