use heapless::binary_heap::{BinaryHeap, Max};
use heapless::{Deque, Vec};

fn main() {
    let mut ring: Deque<u8, 4> = Deque::new();
    (0..6).for_each(|i| {
        let _ = ring.push_back(i);
    });
    let mut heap: BinaryHeap<i32, Max, 8> = BinaryHeap::new();
    [3, 8, 1].into_iter().for_each(|x| heap.push(x).unwrap());
    let list: Vec<u32, 8> = (1..5).collect();
    println!("{:?} {:?} {list:?}", ring.iter().collect::<std::vec::Vec<_>>(), heap.pop());
}
