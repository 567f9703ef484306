use permutohedron::{Heap, LexicalPermutation};

fn main() {
    let mut data = [1, 2, 3];
    let all: Vec<[i32; 3]> = Heap::new(&mut data).collect();
    let mut word: Vec<char> = "abca".chars().collect();
    word.sort();
    let mut words = vec![word.iter().collect::<String>()];
    while word.next_permutation() {
        words.push(word.iter().collect());
    }
    println!("{all:?} {words:?}");
}
