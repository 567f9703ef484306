//! The result of a contest's searches on fixed positions, and the default for contests that choose none.

use coppice::rng::mix;
use coppice::{Budget, Rng};

use crate::session::{Searches, SessionSettings};

/// The result of one search on a contest's fixed positions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BenchResult {
    /// The search and its settings, in a few words.
    pub search: &'static str,
    /// Nodes visited over all positions.
    pub nodes: u64,
    /// A hash of all moves and scores.
    pub digest: u64,
}

/// Nodes for each position.
const NODES: u64 = 2_000;

/// The searches' memory in bytes.
const MEMORY: usize = 8 << 20;

/// Random plies before a position.
const PLIES: [u32; 6] = [0, 2, 4, 8, 12, 20];

/// Runs each search with 2,000 nodes on positions of random games after 0 to 20 plies. The positions and the searches
/// follow from fixed seeds; a game that is over by then is left out.
pub(crate) fn of_searches(searches: &dyn Searches) -> Vec<BenchResult> {
    let settings = SessionSettings { seed: 1, pool_bytes: Some(MEMORY), ..SessionSettings::default() };
    let result = |search: &'static str| {
        let mut session = searches.session(search, &settings).ok()?;
        let mut rng = Rng::new(1);
        let (mut nodes, mut digest) = (0, 0);
        for plies in PLIES {
            session.take_back_to(0);
            for _ in 0..plies {
                let moves = session.moves();
                if moves.is_empty() {
                    break;
                }
                session.play(&moves[rng.below(moves.len() as u32) as usize]).expect("a listed move is legal");
            }
            if session.to_move().is_none() {
                continue;
            }
            let thought = session.think(Budget::nodes(NODES));
            nodes += thought.nodes;
            let best = thought.best.unwrap_or_default();
            let best = best.bytes().fold(0, |hash, byte| mix(hash ^ u64::from(byte)));
            digest = mix(digest ^ best ^ thought.score.value() as u64);
        }
        Some(BenchResult { search, nodes, digest })
    };
    searches.list().iter().filter_map(|info| result(info.name)).collect()
}
