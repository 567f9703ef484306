//! Tests the arena as a program: its processes, its pipes, its files. One test program, so that it is linked once.

mod cli;
mod cluster;
mod command_lines;
mod debug;
mod documents;
mod external;
mod game;
mod hardship;
#[cfg(unix)]
mod heuristic;
mod java;
mod kills;
mod matches;
mod mistakes;
mod new;
mod old;
#[path = "../outside/mod.rs"]
mod outside;
mod people;
mod pool;
mod positions;
mod project;
mod rate;
mod referees;
#[cfg(unix)]
mod relay;
mod report;
mod seats;
mod serve;
mod simultaneous;
mod solve;
mod stats;
#[path = "../toy/mod.rs"]
mod toy;
mod tune;
mod view;
mod wrong_rules;
