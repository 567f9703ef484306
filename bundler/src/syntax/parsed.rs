//! A text parsed once, as tokens and as items, for all who need either.

use crate::syntax::text::Text;
use crate::syntax::tokens::{Read, Tokens, Unreadable};

/// A text with its tokens and items.
pub struct Parsed {
    text: Text,
    read: Read,
    /// The items.
    pub file: syn::File,
}

impl Parsed {
    /// Parses a text.
    ///
    /// # Errors
    /// The place and the reason, if it cannot be parsed.
    pub fn of(text: Text) -> Result<Parsed, Unreadable> {
        let (tokens, file) = Tokens::with_items(text.as_str())?;
        let read = tokens.read_part();
        Ok(Parsed { text, read, file })
    }

    /// The text.
    pub fn text(&self) -> &Text {
        &self.text
    }

    /// The characters.
    pub fn source(&self) -> &str {
        self.text.as_str()
    }

    /// The tokens.
    pub fn tokens(&self) -> Tokens<'_> {
        Tokens::again(self.read.clone(), self.source())
    }
}
