//! Conditions on games.

use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

use super::{value_of, Value};
use coppice_referee::record::GameRecord;

/// `NAME=VALUE`, or with `!=`, `<`, `<=`, `>`, `>=`.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Filter {
    name: String,
    operator: &'static str,
    value: Value,
}

/// Longer ones first, as `<` begins `<=`.
const OPERATORS: [&str; 6] = ["!=", "<=", ">=", "=", "<", ">"];

impl Filter {
    /// Whether it holds for a game, seen from a seat. It doesn't for a game without the attribute, nor does an order
    /// between a number and a text.
    pub(crate) fn holds(&self, record: &GameRecord, seat: Option<usize>) -> bool {
        let Some(value) = value_of(record, seat, &self.name) else { return false };
        let order = match (&value, &self.value) {
            (Value::Number(a), Value::Number(b)) => a.partial_cmp(b),
            (Value::Text(a), Value::Text(b)) => Some(a.cmp(b)),
            // A seed or an opening may look like the other kind.
            (a, b) => (a.to_string() == b.to_string()).then_some(Ordering::Equal),
        };
        match self.operator {
            "=" => order == Some(Ordering::Equal),
            "!=" => order != Some(Ordering::Equal),
            "<" => order == Some(Ordering::Less),
            ">" => order == Some(Ordering::Greater),
            "<=" => matches!(order, Some(Ordering::Less | Ordering::Equal)),
            _ => matches!(order, Some(Ordering::Greater | Ordering::Equal)),
        }
    }
}

/// A text that is no [`Filter`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("expected NAME=VALUE, or != < <= > >= in place of =, such as seat=0, 'seed<100' or map=small")]
pub(crate) struct InvalidFilter;

impl FromStr for Filter {
    type Err = InvalidFilter;

    fn from_str(text: &str) -> Result<Self, InvalidFilter> {
        let found = text.char_indices().find_map(|(at, _)| {
            let operator = OPERATORS.into_iter().find(|operator| text[at..].starts_with(operator))?;
            Some((text[..at].trim(), operator, text[at + operator.len()..].trim()))
        });
        match found {
            Some((name, operator, value)) if !name.is_empty() => {
                Ok(Self { name: name.to_owned(), operator, value: Value::parse(value) })
            }
            _ => Err(InvalidFilter),
        }
    }
}

impl fmt::Display for Filter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}{}", self.name, self.operator, self.value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use coppice_referee::record::example;

    fn holds(text: &str, seat: Option<usize>) -> bool {
        let mut record = example(1);
        record.seed = 42;
        record.attributes.insert("map".to_owned(), "small".to_owned());
        record.attributes.insert("width".to_owned(), "30".to_owned());
        record.data = vec![coppice_referee::bot::data::BotData::default(); 2];
        record.data[0].pdata.insert("gold".to_owned(), 3.5);
        text.parse::<Filter>().unwrap().holds(&record, seat)
    }

    #[test]
    fn numbers_compare_as_numbers_and_text_as_text() {
        for text in [
            "seed=42",
            "seed<100",
            "seed>=42.0",
            "map=small",
            "map!=large",
            "width>9",
            "ending=normal",
            "moves=2",
        ] {
            assert!(holds(text, None), "{text}");
        }
        for text in
            ["seed=43", "seed<42", "map<9", "width<9", "ending=crash", "weather=rain", "weather!=rain"]
        {
            assert!(!holds(text, None), "{text}");
        }
    }

    #[test]
    fn what_belongs_to_a_bot_is_seen_from_its_seat() {
        assert!(holds("seat=0", Some(0)) && !holds("seat=0", Some(1)) && !holds("seat=0", None));
        assert!(holds("gold>3", Some(0)) && !holds("gold>3", Some(1)) && !holds("gold>3", None));
        assert!(holds("opponent=B", Some(0)) && holds("score=1", Some(0)));
    }

    #[test]
    fn what_is_no_condition_is_refused() {
        for text in ["", "seat", "=3", "<3"] {
            assert!(text.parse::<Filter>().is_err(), "{text}");
        }
        assert_eq!("a <= b c".parse::<Filter>().unwrap().to_string(), "a<=b c");
    }
}
