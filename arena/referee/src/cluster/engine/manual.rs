//! Workers that the user starts: over SSH, with GNU parallel, in a scheduler that isn't known here.

use super::{Engine, Launch};
use crate::cluster::ClusterError;
use crate::text::note;

/// Says how workers are started.
pub(super) struct Manual {
    launch: Launch,
}

impl Manual {
    /// Nothing is said yet.
    pub(super) fn new(launch: Launch) -> Self {
        Self { launch }
    }
}

impl Engine for Manual {
    fn start(&mut self) -> Result<(), ClusterError> {
        let folder = std::env::current_dir().unwrap_or_else(|_| ".".into());
        note(format_args!(
            "start workers in {}, each with a name of its own:\n  {}",
            folder.display(),
            self.launch.command("NAME")
        ));
        Ok(())
    }
}
