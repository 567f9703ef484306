//! Mars Lander: land a craft on the flat part of rugged ground with as much fuel left as possible.

pub mod annealing;
#[cfg(not(bundled))]
pub mod case;
#[cfg(not(bundled))]
pub mod cases;
pub mod descent;
pub mod detour;
#[cfg(not(bundled))]
pub mod drawing;
pub mod field;
pub mod flight;
pub mod ground;
#[cfg(not(bundled))]
pub mod landforms;
#[cfg(not(bundled))]
pub mod line_players;
pub mod minimax;
pub mod obstacle;
pub mod patience;
pub mod pilot;
pub mod plan;
pub mod planner;
pub mod player;
#[cfg(not(bundled))]
pub mod players;
pub mod protocol;
#[cfg(not(bundled))]
pub mod referee;
pub mod rounding;
pub mod shooter;
pub mod shooting;
pub mod spent;
pub mod steering;
pub mod survey;
#[cfg(not(bundled))]
pub mod terrain;
pub mod tracked;
pub mod workbench;
