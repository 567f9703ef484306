//! For tools only: cases, the referee, players inside the process, drawings.

pub mod cases;
pub mod contest;
pub mod drawing;
pub mod players;
pub mod watched;
