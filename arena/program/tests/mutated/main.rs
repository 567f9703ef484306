//! Mutated files: each command that reads a file accepts or refuses any content of it, with a message, without a panic and
//! in finite time.
//!
//! ```sh
//! cargo test -p arena --test mutated -- --ignored                                    # 1,000 of each kind
//! COPPICE_MUTATIONS=100000 cargo test -p arena --test mutated -- --ignored games     # more
//! COPPICE_MUTATION=17 cargo test -p arena --test mutated -- --ignored games          # repeats one
//! ```
//!
//! This program is its own child process, with `--child KIND FOLDER FROM TO`.

mod bots;
mod child;
mod cluster;
mod kinds;
#[path = "../../../../tests/fuzz/mutation.rs"]
mod mutation;
#[path = "../outside/mod.rs"]
mod outside;
mod parent;
mod whole;

use std::env;
use std::path::Path;
use std::process::ExitCode;

use libtest_mimic::{Arguments, Trial};

use kinds::{Kind, KINDS};

fn main() -> ExitCode {
    let arguments = env::args().skip(1).collect::<Vec<_>>();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["--child", name, folder, from, to] => {
            let kind = KINDS.iter().find(|kind| kind.name == name).expect("a kind");
            let [from, to] = [from, to].map(|number| number.parse::<u64>().expect("a number"));
            child::play(kind, Path::new(folder), from..to);
            return ExitCode::SUCCESS;
        }
        // The idle bot of a match: this one ends at once.
        ["echo"] => return ExitCode::SUCCESS,
        _ => {}
    }
    let mut arguments = Arguments::from_args();
    arguments.test_threads = Some(1);
    libtest_mimic::run(&arguments, trials()).exit_code()
}

fn trials() -> Vec<Trial> {
    let is_quick = |kind: &&Kind| ["logs", "replays", "stubs", "records"].contains(&kind.name);
    let few = KINDS.iter().filter(is_quick).map(|kind| {
        Trial::test(format!("a_few_mutated_{}", kind.name), || {
            parent::test(kind, 1..1 + FEW).map_err(Into::into)
        })
    });
    let many = KINDS.iter().map(|kind| {
        let test = move || parent::test(kind, parent::numbers()).map_err(Into::into);
        Trial::test(format!("a_thousand_mutated_{}", kind.name), test).with_ignored_flag(true)
    });
    let whole = Trial::test("whole_programs_on_mutated_files", || whole::test().map_err(Into::into));
    let bots = Trial::test("bots_fed_with_a_thousand_mutated_logs", || bots::test().map_err(Into::into));
    let cluster = Trial::test("a_thousand_mutated_clusters", || cluster::test().map_err(Into::into));
    let mut all = few.chain(many).collect::<Vec<_>>();
    all.extend([whole, bots, cluster].map(|test| test.with_ignored_flag(true)));
    all
}

/// Mutations in a plain test.
const FEW: u64 = 5;
