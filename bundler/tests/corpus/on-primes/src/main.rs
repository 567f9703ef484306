use gcd::Gcd;
use modinverse::modinverse;
use primes::{PrimeSet, Sieve};

fn main() {
    let mut sieve = Sieve::new();
    for (a, b) in [(12u64, 18u64), (7, 26), (97, 100)] {
        println!("{} {:?} {:?}", a.gcd(b), modinverse(a as i64, b as i64), sieve.prime_factors(a));
    }
    println!("{}", sieve.is_prime(1_000_003));
}
