//! Tests the bots as processes: whole games, truncated input, impossible states.

mod commands;
mod grid;
mod lander;
mod photosynthesis;
mod piped;
mod podracing;
mod sudoku;
