//! Fuzzing: the laws of [`contest::laws`] on random seeds, each target for a minute.
//!
//! ```sh
//! cargo test --release -p coppice-fuzz -- --ignored
//! COPPICE_FUZZ_SECONDS=1800 cargo test --release -p coppice-fuzz -- --ignored
//! COPPICE_FUZZ_SEED=7 cargo test --release -p coppice-fuzz -- --ignored referee_of::reversi   # repeats a failure
//! ```

use std::panic::{catch_unwind, resume_unwind, AssertUnwindSafe};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use bots::{freckers, mancala, mnk, reversi, tictactoe, uttt};
use contest::laws::{keeps_its_promises, random_game, refuses_garbage, survives_garbage, takes_back};
use coppice::{Game, Rng};
use coppice_tests::games::ConnectFour;

fn variable(name: &str) -> Option<u64> {
    let text = std::env::var(name).ok()?;
    Some(text.parse().unwrap_or_else(|_| panic!("{name}={text}: expected a whole number")))
}

/// Calls `law` with seeds until the time is over, and names the seed of a failure.
fn fuzz(target: &str, law: impl Fn(u64)) {
    let run = |seed: u64| {
        if let Err(panic) = catch_unwind(AssertUnwindSafe(|| law(seed))) {
            eprintln!("{target} failed; repeat it with COPPICE_FUZZ_SEED={seed}");
            resume_unwind(panic);
        }
    };
    if let Some(seed) = variable("COPPICE_FUZZ_SEED") {
        return run(seed);
    }
    let time = Duration::from_secs(variable("COPPICE_FUZZ_SECONDS").unwrap_or(60));
    let first = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_nanos() as u64);
    let (start, mut seeds) = (Instant::now(), Rng::new(first));
    let mut count = 0;
    while start.elapsed() < time {
        run(seeds.next_u64() >> 1);
        count += 1;
    }
    println!("{target}: {count} seeds");
}

fn referee(name: &str) {
    let contest = bots_searches::contest(name).expect("a contest");
    fuzz(name, |seed| {
        random_game(contest, seed);
        refuses_garbage(contest, seed);
        survives_garbage(contest, seed);
    });
}

macro_rules! referees {
    ($([$contest:ident $name:ident $($deref:tt)?])*) => {
        mod referee_of {
            $(
                #[test]
                #[ignore = "runs for a minute or COPPICE_FUZZ_SECONDS"]
                fn $contest() {
                    super::referee(stringify!($contest));
                }
            )*
        }
    };
}

bots::each_contest!(referees);

/// The laws of served bots on a few seeds; those of rules and referees are checked by `tests/rules`.
#[test]
fn every_served_bot_survives_garbage() {
    for contest in bots_searches::contests() {
        let lines: usize = (0..3).map(|seed| survives_garbage(*contest, seed)).sum();
        assert_eq!(lines > 3, contest.seats() > 1, "{}: {lines}", contest.name());
    }
}

#[test]
#[ignore = "runs for a minute or COPPICE_FUZZ_SECONDS"]
fn rules_of_board_games() {
    fuzz("board games", |seed| {
        keeps_its_promises(&reversi::Board::START, |board| (board.own(), board.opponent()), seed, 1);
        keeps_its_promises(&uttt::Board::START, |board| *board, seed, 1);
        keeps_its_promises(&tictactoe::Board::START, |board| *board, seed, 1);
        keeps_its_promises(&ConnectFour::START, |game| *game, seed, 1);
        takes_back(&tictactoe::Board::START, seed, 1);
        let key = |board: &freckers::Board| (board.own(), board.other(), board.pads(), board.actions());
        keeps_its_promises(&freckers::Board::START, key, seed, 1);
    });
}

#[test]
#[ignore = "runs for a minute or COPPICE_FUZZ_SECONDS"]
fn rules_of_games_with_sizes() {
    fuzz("games with sizes", |seed| {
        let mut rng = Rng::new(seed);
        let mut from = |least: u32, most: u32| least + rng.below(most - least + 1);
        let (holes, counters) = (from(1, 6), from(1, 6));
        let start = mancala::Board::new(holes, counters, from(0, 1) == 1);
        let key = |board: &mancala::Board| {
            let me = board.to_move();
            let side = |player| (0..holes).map(|hole| board.counters(player, hole)).collect::<Vec<_>>();
            (side(me), side(me.other()), board.store_difference())
        };
        keeps_its_promises(&start, key, seed, 1);
        let (rows, columns) = (from(3, 5) as usize, from(3, 5) as usize);
        let start = mnk::Board::<25>::new(rows, columns, from(3, 4) as usize);
        let key = |board: &mnk::Board<25>| {
            let cells = (0..rows * columns).map(|i| mnk::Cell::new((i / columns) as u8, (i % columns) as u8));
            cells.map(|cell| board.mark(cell)).collect::<Vec<_>>()
        };
        keeps_its_promises(&start, key, seed, 1);
    });
}
