use rand::prelude::*;

/// Simulated annealing of an order, as heuristic contests have it.
fn main() {
    let mut rng = rand::rng();
    let mut order: Vec<i64> = (0..30).collect();
    order.shuffle(&mut rng);
    let cost = |order: &[i64]| order.windows(2).map(|w| (w[0] - w[1]).abs()).sum::<i64>();
    let mut best = cost(&order);
    for step in 0..200_000 {
        let temperature = 10.0 * (1.0 - f64::from(step) / 200_000.0);
        let (i, j) = (rng.random_range(0..30), rng.random_range(0..30));
        order.swap(i, j);
        let now = cost(&order);
        if now <= best || rng.random_bool((-((now - best) as f64) / temperature.max(1e-9)).exp()) {
            best = now;
        } else {
            order.swap(i, j);
        }
    }
    println!("{}", best < 120);
    let mut fixed = StdRng::seed_from_u64(7);
    println!("{} {:?}", fixed.random_range(0..1_000_000), [3, 1, 4].choose(&mut fixed));
}
