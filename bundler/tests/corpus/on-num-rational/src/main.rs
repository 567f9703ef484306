use num_rational::Ratio;

fn main() {
    let harmonic: Ratio<i64> = (1..=12).map(|n| Ratio::new(1, n)).sum();
    println!("{harmonic} {} {}", harmonic.floor(), harmonic.fract());
    let half = Ratio::new(3, -6);
    println!("{half} {:?} {}", half.cmp(&Ratio::from_integer(0)), (half * 7 + Ratio::new(5, 3)).recip());
}
