use fixedbitset::FixedBitSet;

fn main() {
    let mut sieve = FixedBitSet::with_capacity(100);
    sieve.insert_range(2..100);
    for i in 2..10 {
        if sieve.contains(i) {
            (i * i..100).step_by(i).for_each(|j| sieve.set(j, false));
        }
    }
    println!("{:?}", sieve.ones().collect::<Vec<_>>());
    let mut odd = FixedBitSet::with_capacity(100);
    (1..100).step_by(2).for_each(|i| odd.insert(i));
    let mut both = sieve.clone();
    both.intersect_with(&odd);
    println!("{} {} {:?}", both.count_ones(..), sieve.is_disjoint(&odd), sieve.difference(&odd).collect::<Vec<_>>());
    println!("{}", &sieve | &odd);
}
