//! Tests the rules, the heuristic, the field, the threat search, the main search and the solver.

mod field;
mod hunt;
mod original;
mod rules;
mod solver;
