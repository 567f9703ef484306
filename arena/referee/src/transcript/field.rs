//! A value inside a JSON file together with its path, for error messages.

use std::path::Path;

use serde_json::Value;

use super::error::{TranscriptError, WHOLE};

/// Maximum number of characters of a value in a message.
const SHOWN_CHARS: usize = 60;

/// A value and its path.
pub(super) struct Field<'a> {
    path: &'a Path,
    name: String,
    value: &'a Value,
}

impl<'a> Field<'a> {
    pub(super) fn root(path: &'a Path, value: &'a Value) -> Self {
        Self { path, name: String::new(), value }
    }

    /// The file.
    pub(super) fn path(&self) -> &'a Path {
        self.path
    }

    /// The path.
    pub(super) fn place(&self) -> String {
        if self.name.is_empty() {
            WHOLE.to_owned()
        } else {
            self.name.clone()
        }
    }

    /// A field of an object.
    pub(super) fn get(&self, key: &str) -> Option<Field<'a>> {
        let value = self.value.as_object()?.get(key)?;
        let is_word =
            key.chars().all(char::is_alphanumeric) && !key.starts_with(|c: char| c.is_ascii_digit());
        let name = match (is_word, self.name.is_empty()) {
            (true, true) => key.to_owned(),
            (true, false) => format!("{}.{key}", self.name),
            (false, _) => format!("{}[{key:?}]", self.name),
        };
        Some(Field { path: self.path, name, value })
    }

    /// A field that isn't null.
    pub(super) fn get_some(&self, key: &str) -> Option<Field<'a>> {
        self.get(key).filter(|field| !field.is_null())
    }

    pub(super) fn is_null(&self) -> bool {
        self.value.is_null()
    }

    /// The names of an object's fields.
    pub(super) fn keys(&self) -> Result<Vec<&'a str>, TranscriptError> {
        let object = self.value.as_object().ok_or_else(|| self.wrong("an object"))?;
        Ok(object.keys().map(String::as_str).collect())
    }

    /// The elements of a list.
    pub(super) fn list(&self) -> Result<Vec<Field<'a>>, TranscriptError> {
        let list = self.value.as_array().ok_or_else(|| self.wrong("a list"))?;
        let element = |(i, value)| Field { path: self.path, name: format!("{}[{i}]", self.name), value };
        Ok(list.iter().enumerate().map(element).collect())
    }

    /// Whether it is a list.
    pub(super) fn is_list(&self) -> bool {
        self.value.is_array()
    }

    pub(super) fn text(&self) -> Result<&'a str, TranscriptError> {
        self.value.as_str().ok_or_else(|| self.wrong("a text"))
    }

    pub(super) fn number(&self) -> Result<f64, TranscriptError> {
        self.value.as_f64().ok_or_else(|| self.wrong("a number"))
    }

    /// A whole number that is not negative, if it is one.
    pub(super) fn index(&self) -> Option<u64> {
        self.value.as_u64()
    }

    /// A whole number.
    pub(super) fn whole(&self) -> Result<i64, TranscriptError> {
        self.value.as_i64().ok_or_else(|| self.wrong("a whole number"))
    }

    /// The error for an unexpected value.
    pub(super) fn wrong(&self, expected: impl Into<String>) -> TranscriptError {
        TranscriptError::Field {
            path: self.path.to_owned(),
            field: self.place(),
            expected: expected.into(),
            found: shown(self.value),
        }
    }
}

/// A value, shortened.
fn shown(value: &Value) -> String {
    match value {
        Value::Object(fields) if !fields.is_empty() => {
            let names: Vec<&str> = fields.keys().take(12).map(String::as_str).collect();
            let more = if fields.len() > names.len() { ", …" } else { "" };
            format!("an object with the fields {}{more}", names.join(", "))
        }
        Value::Array(list) if !list.is_empty() => format!("a list of {}", list.len()),
        _ => {
            let text = value.to_string();
            match text.char_indices().nth(SHOWN_CHARS) {
                Some((end, _)) => format!("{}…", &text[..end]),
                None => text,
            }
        }
    }
}
