use tinyvec::{array_vec, tiny_vec, ArrayVec, TinyVec};

fn main() {
    let mut line: ArrayVec<[i16; 10]> = array_vec!([i16; 10] => 5, 3, 8);
    line.push(1);
    line.sort_unstable();
    line.insert(2, 99);
    println!("{line:?} {:?}", line.iter().rev().take(2).collect::<Vec<_>>());
    let mut path: TinyVec<[u8; 4]> = tiny_vec!(1, 2);
    path.extend((0..6).map(|x| x * x));
    path.retain(|x| *x != 4);
    println!("{path:?} {} {:?}", path.is_heap(), path.drain(1..3).collect::<Vec<_>>());
    println!("{:?}", path.split_off(2));
}
