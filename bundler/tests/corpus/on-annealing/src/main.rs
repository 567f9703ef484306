use itertools::Itertools;
use proconio::{input, source::once::OnceSource};
use rand::prelude::*;
use std::time::{Duration, Instant};

struct Input {
    places: Vec<(i32, i32)>,
}

#[derive(Clone)]
struct State {
    order: Vec<usize>,
    cost: f64,
}

fn cost(input: &Input, order: &[usize]) -> f64 {
    let way = |a: usize, b: usize| {
        let ((ax, ay), (bx, by)) = (input.places[a], input.places[b]);
        f64::from((ax - bx).pow(2) + (ay - by).pow(2)).sqrt()
    };
    order.iter().circular_tuple_windows().map(|(&a, &b)| way(a, b)).sum()
}

fn main() {
    let start = Instant::now();
    let source = OnceSource::from("8\n3 1\n4 1\n5 9\n2 6\n5 3\n5 8\n9 7\n9 3\n");
    input! { from source, n: usize, places: [(i32, i32); n] }
    let input = Input { places };
    let mut rng = rand_pcg::Pcg64Mcg::new(890_482);
    let mut order: Vec<usize> = (0..n).collect();
    order.shuffle(&mut rng);
    let mut state = State { cost: cost(&input, &order), order };
    let mut best = state.clone();
    for step in 0..20_000 {
        if step % 256 == 0 && start.elapsed() > Duration::from_secs(100) {
            break;
        }
        let heat = 5.0 * (1.0 - step as f64 / 20_000.0) + 0.01;
        let (a, b) = (rng.gen_range(0..n), rng.gen_range(0..n));
        if a == b {
            continue;
        }
        let mut order = state.order.clone();
        order.swap(a, b);
        let new = cost(&input, &order);
        if new <= state.cost || rng.gen_bool(((state.cost - new) / heat).exp().min(1.0)) {
            state = State { order, cost: new };
            if state.cost < best.cost {
                best = state.clone();
            }
        }
    }
    println!("{:.4} {}", best.cost, best.order.iter().sorted().join(" "));
    // The seed of this one is another in each run.
    let spread = rand::thread_rng().gen::<f64>();
    eprintln!("{spread}");
    assert!((0.0..1.0).contains(&spread));
}
