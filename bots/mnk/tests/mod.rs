//! Tests the rules, the heuristic, the field, the threat search, the main search and the solver.

mod field;
mod original;
mod rules;
mod solver;
mod threat_search;
