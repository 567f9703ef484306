use num_traits::{Bounded, CheckedAdd, FromPrimitive, NumCast, One, Pow, PrimInt, Signed, ToPrimitive, Zero};

fn power<T: Clone + One + std::ops::Mul<T, Output = T>>(base: T, n: usize) -> T {
    num_traits::pow(base, n)
}

fn total<T: Zero + CheckedAdd + Bounded + Copy>(values: &[T]) -> T {
    values.iter().fold(T::zero(), |sum, v| sum.checked_add(v).unwrap_or_else(T::max_value))
}

fn bits<T: PrimInt>(x: T) -> u32 {
    x.count_ones() + x.leading_zeros()
}

fn main() {
    println!("{} {} {}", power(3u64, 13), total(&[200u8, 100]), bits(37u16));
    println!("{:?} {:?} {:?}", u8::from_i32(300), (-4.7f64).to_i32(), <i8 as NumCast>::from(12.5f32));
    println!("{} {} {}", (-5i32).signum(), Signed::abs(&-2.5f64), Pow::pow(2i32, 9u8));
}
