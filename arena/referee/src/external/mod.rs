//! Referees that are programs of their own: how they are called, what they print, and when they have failed.
//!
//! Two ways of calling are known. A plain command line gets the arguments of cg-brutaltester: `-p1 CMD -p2 CMD ...
//! -d seed=N -l FILE`. One with places such as `{P1}` and `{SEED}` gets the values there, as in cgarena and psyleague.
//! The output may be a score a line, or JSON; see `output.rs`.

mod arguments;
mod compare;
mod dialogue;
mod error;
mod failures;
mod game_file;
mod jvm;
mod kept;
mod old_protocol;
mod output;
mod recordings;
mod referee;
mod remarks;
mod sample;
mod scratch;
mod seed_detection;
mod settings;
mod tester;

pub use arguments::Template;
pub use dialogue::Dialogues;
pub use error::{Reason, RefereeError};
pub use failures::{is_time_out, NegativeScores};
pub use referee::{ExternalReferee, Game, Order};
pub use remarks::Remarks;
pub use settings::{SeedOption, Settings};
pub use tester::{
    takes_seed, unknown_place, BestError, BestKnown, Ledger, NoNumber, Pattern, Tester, BEST_FILE,
    USUAL_PICTURE,
};

/// The program that a bot's command line is wrapped with if the referee can't pass it on: this program with this
/// subcommand and a file of words.
pub const RUN_BOT_COMMAND: &str = "run-bot";
