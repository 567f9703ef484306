use num_integer::{binomial, gcd, lcm, ExtendedGcd, Integer, Roots};

fn main() {
    println!("{} {} {}", gcd(84, 36), lcm(21u64, 6), binomial(20u64, 7));
    let ExtendedGcd { gcd, x, y, .. } = 240i64.extended_gcd(&46);
    println!("{gcd} {x} {y} {:?} {}", (-7i32).div_mod_floor(&3), 7.div_ceil(&2));
    println!("{} {} {}", 1_000_000u64.sqrt(), 1000i32.cbrt(), 12.is_even());
}
