//! temporary
use factory::data::generation::Generation;
use factory::data::manifest::Manifest;
use factory::learn::{error, learn, sets, Recipe};
use factory::model::Model;
use factory::subject::{reversi::Reversi, Subject};
fn main() -> anyhow::Result<()> {
    let args: Vec<String> = std::env::args().collect();
    let data = std::path::Path::new(&args[1]);
    if args[2] == "learn" {
        let f = |i: usize, d: f32| args.get(i).map_or(d, |x| x.parse().unwrap());
        let recipe = Recipe {
            epochs: f(3, 8.) as u32,
            batch: f(7, 2048.) as u32,
            rate: f(4, 0.05),
            share: f(5, 0.7),
            scale: None,
            widest: f(6, 64.),
            generations: 1,
            seed: 1,
        };
        let t = std::time::Instant::now();
        let (model, course) = learn(&Reversi, data, recipe, 2)?;
        eprintln!("{:?} {:?}", t.elapsed(), course.points);
        let packed = model.pack();
        let back = model.unpacked(&packed)?;
        let (sets, _) = sets::<Reversi>(data, &recipe)?;
        let inputs = model.inputs(&sets.apart.positions, 2);
        eprintln!(
            "apart {:.4}, packed {:.4}, {} bytes",
            error(&model, &inputs, &sets.apart, recipe.loss()),
            error(&back, &inputs, &sets.apart, recipe.loss()),
            packed.len()
        );
        std::fs::write(data.join("weights.bin"), packed)?;
        return Ok(());
    }
    let m = Manifest::new("reversi", 1, Reversi.settings(), Reversi.weights(), 64);
    let g = Generation::latest_or_new(data, m)?;
    g.generate(&Reversi, args[2].parse()?, args[3].parse()?)
}
