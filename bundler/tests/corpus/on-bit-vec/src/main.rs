use bit_vec::BitVec;

fn main() {
    let mut line = BitVec::from_elem(12, false);
    line.set(3, true);
    line.push(true);
    let other = BitVec::from_fn(13, |i| i % 4 == 3);
    let mut both = line.clone();
    both.and(&other);
    println!("{line:?} {both:?} {} {:?}", other.iter().filter(|b| *b).count(), other.to_bytes());
}
