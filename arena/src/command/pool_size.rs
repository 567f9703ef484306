//! The options for the size of a search's memory.

use contest::session::SessionSettings;

/// The size of a search's pool or table.
#[derive(Debug, Clone, Copy, clap::Args)]
pub(crate) struct PoolSize {
    /// Size of the search's node pool or table in megabytes, instead of the default
    #[arg(long, value_name = "MB", value_parser = clap::value_parser!(u32).range(1..=65_536))]
    pool_mb: Option<u32>,
    /// Size of the search's pool in nodes instead, for searches that have one
    #[arg(long, value_name = "N", conflicts_with = "pool_mb", value_parser = clap::value_parser!(u32).range(1..))]
    pool_nodes: Option<u32>,
}

impl PoolSize {
    /// The settings with this size.
    pub(crate) fn of(self, settings: SessionSettings) -> SessionSettings {
        SessionSettings {
            pool_bytes: self.pool_mb.map(|mb| mb as usize * 1_000_000),
            pool_nodes: self.pool_nodes.map(|nodes| nodes as usize),
            ..settings
        }
    }
}
