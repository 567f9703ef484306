use text_io::{scan, try_scan};

fn parsed(line: &str) -> Result<(i32, String), Box<dyn std::error::Error>> {
    let (n, word): (i32, String);
    try_scan!(line.bytes() => "{} {}", n, word);
    Ok((n, word))
}

fn main() {
    let (x, y): (u32, u32);
    scan!("12,34".bytes() => "{},{}", x, y);
    println!("{} {:?} {}", x + y, parsed("7 hexagons").ok(), parsed("x y").is_err());
}
