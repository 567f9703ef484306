fn main() {
    println!("{} {}", itoa::Buffer::new().format(-1234), ryu::Buffer::new().format(0.1f64 + 0.2));
}
