//! The submitted bot, and its protocol.

pub mod exact_state;
pub mod pilot;
pub mod player;
pub mod protocol;
