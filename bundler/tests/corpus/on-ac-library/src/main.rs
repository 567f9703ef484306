use ac_library::{convolution, z_algorithm, Additive, Dsu, FenwickTree, Max, MfGraph, ModInt998244353, Segtree, TwoSat};
use ac_library::{floor_sum, suffix_array, LazySegtree, MapMonoid, SccGraph};

struct AddMax;

impl MapMonoid for AddMax {
    type M = Max<i32>;
    type F = i32;
    fn identity_map() -> i32 {
        0
    }
    fn mapping(f: &i32, x: &i32) -> i32 {
        x.saturating_add(*f)
    }
    fn composition(f: &i32, g: &i32) -> i32 {
        f + g
    }
}

fn main() {
    let mut dsu = Dsu::new(6);
    dsu.merge(0, 3);
    dsu.merge(3, 5);
    let mut fenwick = FenwickTree::new(8, 0i64);
    (0..8).for_each(|i| fenwick.add(i, (i * i) as i64));
    println!("{:?} {} {}", dsu.groups(), fenwick.sum(2..6), floor_sum(4, 10, 6, 3));
    let mut tree = Segtree::<Max<i32>>::from(vec![3, 1, 4, 1, 5, 9, 2, 6]);
    tree.set(5, 0);
    println!("{} {}", tree.prod(2..7), tree.max_right(0, |m| *m < 5));
    let mut lazy = LazySegtree::<AddMax>::from(vec![1, 5, 2, 4]);
    lazy.apply_range(0..3, 10);
    println!("{} {}", lazy.prod(1..4), lazy.all_prod());
    let mut flow = MfGraph::new(4);
    for (from, to, cap) in [(0, 1, 3), (0, 2, 2), (1, 2, 1), (1, 3, 2), (2, 3, 3)] {
        flow.add_edge(from, to, cap);
    }
    let mut scc = SccGraph::new(4);
    [(0, 1), (1, 0), (1, 2), (2, 3)].iter().for_each(|&(a, b)| scc.add_edge(a, b));
    let mut sat = TwoSat::new(2);
    sat.add_clause(0, true, 1, true);
    sat.add_clause(0, false, 1, true);
    println!("{} {:?} {} {:?}", flow.flow(0, 3), scc.scc(), sat.satisfiable(), sat.answer());
    let poly: Vec<ModInt998244353> = [1, 2, 3].map(ModInt998244353::new).to_vec();
    let product: Vec<u32> = convolution(&poly, &poly).iter().map(|m| m.val()).collect();
    println!("{product:?} {} {:?}", Additive::<i32>::default_name(), z_algorithm("abacaba"));
    println!("{:?} {}", suffix_array("mississippi"), ModInt998244353::new(2).pow(1000).inv());
}

trait Named {
    fn default_name() -> &'static str;
}

impl<T> Named for Additive<T> {
    fn default_name() -> &'static str {
        "sum"
    }
}
