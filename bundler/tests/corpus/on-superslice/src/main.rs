use superslice::Ext;

fn main() {
    let mut sorted = [1, 3, 3, 3, 8, 13];
    println!("{} {} {:?}", sorted.lower_bound(&3), sorted.upper_bound(&3), sorted.equal_range(&3));
    sorted.next_permutation();
    println!("{sorted:?} {}", sorted.lower_bound_by_key(&10, |x| x * 2));
}
