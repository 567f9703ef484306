//! Finds a plan: steering laws, annealing, shooting.

pub mod annealing;
pub mod attempt_settings;
pub mod budget_meter;
pub mod detour;
pub mod duration_scan;
pub mod field;
pub mod obstacle;
pub mod plan;
pub mod plan_search;
pub mod planner;
pub mod rounding;
pub mod shooter;
pub mod shooting;
pub mod steering;
