use typed_arena::Arena;

fn main() {
    let arena = Arena::new();
    let all: Vec<&mut u32> = (0..10).map(|n| arena.alloc(n * n)).collect();
    println!("{} {:?}", arena.len(), all.iter().map(|n| **n).sum::<u32>());
}
