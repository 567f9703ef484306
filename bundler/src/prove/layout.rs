//! The layout of a bundle.

use crate::read::strip;
use crate::syntax::layout::readable;
use crate::syntax::text::Text;

/// Removes what stripping left, and breaks lines for reading.
pub fn lay_out(text: &Text) -> Text {
    let tidied = strip::tidy(text).unwrap_or_else(|_| text.clone());
    readable(&tidied).unwrap_or(tidied)
}
