use bit_set::BitSet;

fn main() {
    let even: BitSet = (0..20).step_by(2).collect();
    let mut three: BitSet = (0..20).step_by(3).collect();
    println!("{:?} {:?}", even.intersection(&three).collect::<Vec<_>>(), three.difference(&even).count());
    three.union_with(&even);
    println!("{three:?} {}", three.contains(15));
}
