fn main() {
    println!("{:.9} {:.9} {:.9}", libm::sin(1.0), libm::expf(0.5), libm::atan2(1.0, -2.0));
    println!("{:.9} {:.9} {}", libm::pow(2.0, 0.5), libm::log1p(0.1), libm::floor(-2.5));
}
