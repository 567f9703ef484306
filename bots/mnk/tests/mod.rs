//! The rules and the heuristic, the field, forced wins, and what our search proves.

mod field;
mod hunt;
mod original;
mod rules;
mod solver;
