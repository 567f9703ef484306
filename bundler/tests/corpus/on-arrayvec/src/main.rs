use arrayvec::{ArrayString, ArrayVec};
use std::fmt::Write;

fn main() {
    let mut queue: ArrayVec<(i32, &str), 8> = ArrayVec::new();
    for (i, word) in ["pawn", "rook", "king", "bishop"].into_iter().enumerate() {
        queue.push((i as i32 * 7 % 4, word));
    }
    queue.sort();
    queue.insert(1, (9, "queen"));
    println!("{queue:?} {:?}", queue.pop());
    let full: Result<(), _> = (0..10).try_for_each(|i| queue.try_push((i, "x")).map_err(|e| e.element()));
    println!("{full:?} {} {}", queue.len(), queue.is_full());
    let mut command = ArrayString::<32>::new();
    for (n, word) in queue.drain(..3) {
        let _ = write!(command, "{word}:{n};");
    }
    println!("{command} {:?}", queue.iter().map(|q| q.0).sum::<i32>());
}
