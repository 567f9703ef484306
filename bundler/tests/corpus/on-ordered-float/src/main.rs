use ordered_float::{NotNan, OrderedFloat};
use std::collections::BinaryHeap;

fn main() {
    let mut heap: BinaryHeap<(OrderedFloat<f64>, u32)> = BinaryHeap::new();
    for (i, x) in [2.5, -1.0, 9.75, 3.0].into_iter().enumerate() {
        heap.push((OrderedFloat(x), i as u32));
    }
    while let Some((OrderedFloat(x), i)) = heap.pop() {
        print!("{i}:{x} ");
    }
    println!("{:?} {:?}", NotNan::new(1.5f32).map(|x| x + 1.0), NotNan::new(f32::NAN).is_err());
}
