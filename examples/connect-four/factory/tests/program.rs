//! Runs the whole program in small.

mod all_steps;

#[test]
fn all_steps_make_weights_that_beat_none_and_the_same_again() {
    let program = env!("CARGO_BIN_EXE_connect-four-factory");
    all_steps::make_weights_that_beat_none_and_the_same_again(program, "6");
}
