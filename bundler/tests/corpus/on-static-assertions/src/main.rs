use static_assertions::{assert_eq_size, assert_impl_all, const_assert};

#[derive(Clone, Copy)]
struct Node(u32, u32);

assert_eq_size!(Node, u64);
assert_impl_all!(Node: Copy, Send);
const_assert!(std::mem::size_of::<Node>() == 8);

fn main() {
    let node = Node(3, 4);
    println!("{}", node.0 * node.1);
}
