//! temporary
use factory::data::generation::Generation;
use factory::data::manifest::Manifest;
use factory::subject::{reversi::Reversi, Subject};
fn main() -> anyhow::Result<()> {
    let args: Vec<String> = std::env::args().collect();
    let m = Manifest::new("reversi", 1, Reversi.settings(), Reversi.weights(), 64);
    let g = Generation::latest_or_new(std::path::Path::new(&args[1]), m)?;
    g.generate(&Reversi, args[2].parse()?, args[3].parse()?)
}
