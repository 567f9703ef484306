use priority_queue::PriorityQueue;

fn main() {
    let mut queue = PriorityQueue::new();
    queue.push("wood", 3);
    queue.push("gold", 9);
    queue.push("stone", 5);
    queue.change_priority("wood", 12);
    println!("{:?} {:?}", queue.pop(), queue.into_sorted_vec());
}
