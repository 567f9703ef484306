//! The reasons why a study's file is refused.

use super::planned::Senseless;

/// The reasons a study's file is refused.
#[derive(Debug, thiserror::Error)]
pub enum PlanError {
    /// It isn't TOML, or has the wrong fields.
    #[error("{file}: {source}")]
    Form {
        /// The file.
        file: String,
        /// The place and the reason.
        source: Box<toml::de::Error>,
    },
    /// A row names an unknown entrant.
    #[error("{file}: a row names the unknown entrant `{name}`; available: {}", .known.join(", "))]
    Entrant {
        /// The file.
        file: String,
        /// The unknown name.
        name: String,
        /// The known names.
        known: Vec<String>,
    },
    /// Two entrants have the same name.
    #[error("{file}: two entrants are called `{name}`")]
    Twice {
        /// The file.
        file: String,
        /// Their name.
        name: String,
    },
    /// A row is invalid.
    #[error("{file}, \"{title}\": {why}")]
    Row {
        /// The file.
        file: String,
        /// The row.
        title: String,
        /// The reason.
        why: Senseless,
    },
    /// It has no rows.
    #[error("{file}: games: a row needs at least one game, in full and in quick runs")]
    Games {
        /// The file.
        file: String,
    },
    /// The budgets that are held equal are invalid.
    #[error("{file}: held: worlds and cpu_ms are ascending lists, one of them not empty; nothing is 0")]
    Held {
        /// The file.
        file: String,
    },
    /// It has nothing to measure.
    #[error("{file}: a study needs at least one [[match]], [[ranking]], [[mirror]], [[nodes]], [[speed]], [[trial]] or [[solve]]")]
    Empty {
        /// The file.
        file: String,
    },
}
