fn main() {
    let mut a = oorandom::Rand32::new(4);
    let mut b = fastrand::Rng::with_seed(4);
    let mut list: Vec<u8> = (0..6).collect();
    b.shuffle(&mut list);
    println!("{} {:.5} {} {list:?}", a.rand_range(1..7), a.rand_float(), b.u32(..100));
}
