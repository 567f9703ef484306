//! A bot's resource usage: processor time and memory.

use std::time::Duration;

use serde::{Deserialize, Serialize};

/// A bot's resource usage, as far as the system reports it.
///
/// | system | processor time | peak resident memory | peak of the memory that a limit counts |
/// |---|---|---|---|
/// | Linux | while it runs and after its end | the same; none if a small bot exited before it was dismissed | while it runs |
/// | macOS, other Unix | after its end | after its end | - |
/// | Windows | after its end, of its first process alone | the same | - |
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Usage {
    /// User and system time of the process and of the descendants it has reaped.
    #[serde(rename = "cpu_ms", with = "optional_millis", default)]
    pub cpu: Option<Duration>,
    /// The maximum resident memory of a single process: the bot, or the largest of the
    /// descendants it has reaped.
    #[serde(default)]
    pub peak_memory_bytes: Option<u64>,
    /// The largest private writable memory of a single process, touched or not: what a memory limit counts on Linux
    /// (RLIMIT_DATA). Read at the ends of turns if there is a limit, otherwise at the end of the game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub peak_data_bytes: Option<u64>,
}

impl Usage {
    /// The larger of each.
    pub fn max(self, other: Self) -> Self {
        Self {
            cpu: self.cpu.max(other.cpu),
            peak_memory_bytes: self.peak_memory_bytes.max(other.peak_memory_bytes),
            peak_data_bytes: self.peak_data_bytes.max(other.peak_data_bytes),
        }
    }
}

/// A duration as milliseconds with fractions, to the microsecond; `null` for none.
mod optional_millis {
    use std::time::Duration;

    use serde::{de::Error, Deserialize, Deserializer, Serialize, Serializer};

    use crate::text::millis;

    pub(super) fn serialize<S: Serializer>(
        value: &Option<Duration>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        value.map(millis).serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<Duration>, D::Error> {
        let read = Option::<f64>::deserialize(deserializer)?;
        let duration = |ms: f64| {
            Duration::try_from_secs_f64((ms * 1e3).round() / 1e6)
                .map_err(|_| Error::custom(format!("expected a duration in milliseconds, found {ms}")))
        };
        read.map(duration).transpose()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_is_in_milliseconds_and_reads_back() {
        let usage = Usage {
            cpu: Some(Duration::from_micros(12_345_678)),
            peak_memory_bytes: Some(2_097_152),
            peak_data_bytes: None,
        };
        let text = serde_json::to_string(&usage).unwrap();
        assert_eq!(text, r#"{"cpu_ms":12345.678,"peak_memory_bytes":2097152}"#);
        assert_eq!(serde_json::from_str::<Usage>(&text).unwrap(), usage);
        let none = serde_json::to_string(&Usage::default()).unwrap();
        assert_eq!(none, r#"{"cpu_ms":null,"peak_memory_bytes":null}"#);
        assert_eq!(serde_json::from_str::<Usage>(&none).unwrap(), Usage::default());
        assert_eq!(serde_json::from_str::<Usage>("{}").unwrap(), Usage::default());
    }

    #[test]
    fn json_that_is_no_duration_is_refused() {
        let error = serde_json::from_str::<Usage>(r#"{"cpu_ms":-1}"#).unwrap_err().to_string();
        assert!(error.starts_with("expected a duration in milliseconds, found -1"), "{error}");
    }

    #[test]
    fn what_is_known_is_kept() {
        let known = Usage { cpu: Some(Duration::from_secs(1)), ..Usage::default() };
        let more =
            Usage { cpu: Some(Duration::from_secs(2)), peak_memory_bytes: Some(7), peak_data_bytes: Some(9) };
        assert_eq!(known.max(Usage::default()), known);
        assert_eq!(Usage::default().max(known), known);
        assert_eq!(known.max(more), more);
    }
}
