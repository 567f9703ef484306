//! Game searches in a static node pool.

pub mod bits;
pub mod clock;
pub mod cpu;
pub mod game;
pub mod input;
pub mod list;
pub mod math;
pub mod perft;
pub mod pool;
pub mod rng;
pub mod score;
pub mod search;
pub mod table;

pub use clock::{Budget, Clock};
pub use game::{Game, Payoff, Player};
pub use list::{List, Moves};
pub use perft::{perft, Ended};
pub use rng::Rng;
pub use score::{Evaluation, Score};
pub use search::{Report, Search};
