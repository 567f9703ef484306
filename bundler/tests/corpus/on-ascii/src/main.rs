use ascii::AsciiStr;

fn main() {
    let line = AsciiStr::from_ascii("e2e4 e7e5").unwrap();
    let digits = line.chars().filter(|square| square.is_ascii_digit());
    println!("{:?}", digits.map(|digit| digit.as_byte() - b'0').collect::<Vec<_>>());
}
