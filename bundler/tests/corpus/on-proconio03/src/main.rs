use proconio::source::once::OnceSource;
use proconio::{input, marker::Usize1};

fn main() {
    let source = OnceSource::from("3 2\n10 20 30\n1 2\n2 3\n");
    input! {
        from source,
        n: usize, m: usize,
        costs: [u64; n],
        edges: [(Usize1, Usize1); m],
    }
    println!("{costs:?} {edges:?}");
}
