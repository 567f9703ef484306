use num_bigint::{BigInt, BigUint};

fn main() {
    let factorial: BigUint = (1u32..=30).map(BigUint::from).product();
    let (mut a, mut b) = (BigInt::from(0), BigInt::from(1));
    for _ in 0..150 {
        let next = &a + &b;
        a = std::mem::replace(&mut b, next);
    }
    println!("{factorial} {a} {}", &factorial % 1_000_000_007u32);
    println!("{} {:?}", BigInt::from(-7).pow(31), "123456789012345678901234567890".parse::<BigUint>().map(|n| n.bits()));
    println!("{}", BigUint::from(3u8).modpow(&BigUint::from(1000u32), &BigUint::from(1_000_003u32)));
}
