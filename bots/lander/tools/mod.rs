//! What only tools need: the referee, players inside the process, drawings.

pub mod drawing;
pub mod line_players;
pub mod players;
pub mod referee;
