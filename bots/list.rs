//! The list of contests.

use std::sync::LazyLock;

use contest::Contest;

/// Hands the contests, in the order in which tools list them, to the macro `$each`: for each the module, which has the
/// contest's name, and the static in it. A `*` marks a static that is built on first use.
///
/// A contest that is added here has a line in `bots/lib.rs` and in `bots/searches/lib.rs` too; `tests/lists.rs` names what is
/// missing.
#[macro_export]
macro_rules! each_contest {
    ($each:ident) => {
        $each! {
            [reversi REVERSI]
            [uttt UTTT]
            [tictactoe TIC_TAC_TOE]
            [mancala MANCALA *]
            [oware OWARE *]
            [mnk MNK *]
            [boop BOOP *]
            [freckers FRECKERS *]
            [tron TRON]
            [lander LANDER]
            [sudoku SUDOKU]
            [wondev WONDEV]
            [photosynthesis PHOTOSYNTHESIS]
            [podracing POD_RACING]
        }
    };
}

macro_rules! all {
    ($([$module:ident $name:ident $($deref:tt)?])*) => {
        vec![$(& $($deref)? crate::$module::tools::contest::$name as &dyn Contest),*]
    };
}

/// Every contest of this package, without searches.
pub fn contests() -> &'static [&'static dyn Contest] {
    static ALL: LazyLock<Vec<&dyn Contest>> = LazyLock::new(|| each_contest!(all));
    &ALL
}

/// The contest called `name`, in its default variant.
pub fn contest(name: &str) -> Option<&'static dyn Contest> {
    contests().iter().copied().find(|contest| contest.name() == name)
}
