//! Runs the whole program in small.

#[path = "../../../connect-four/factory/tests/all_steps/mod.rs"]
mod all_steps;

#[test]
fn all_steps_make_weights_that_beat_none_and_the_same_again() {
    let program = env!("CARGO_BIN_EXE_goofspiel-factory");
    all_steps::make_weights_that_beat_none_and_the_same_again(program, "16");
}
