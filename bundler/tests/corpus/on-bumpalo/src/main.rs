use bumpalo::collections::Vec;
use bumpalo::Bump;

struct Node<'a> {
    value: u32,
    next: Option<&'a Node<'a>>,
}

fn main() {
    let arena = Bump::new();
    let first = arena.alloc(Node { value: 1, next: None });
    let second = arena.alloc(Node { value: 2, next: Some(first) });
    let mut list = Vec::new_in(&arena);
    list.extend((0..5).map(|x| x * 3));
    println!("{} {:?} {list:?}", second.value, second.next.map(|n| n.value));
}
