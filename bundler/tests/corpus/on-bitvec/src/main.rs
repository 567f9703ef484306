use bitvec::prelude::*;

fn main() {
    let mut composite = bitvec![0; 60];
    for i in 2..60 {
        if !composite[i] {
            for j in (i * i..60).step_by(i) {
                composite.set(j, true);
            }
        }
    }
    println!("{:?}", (2..60).filter(|&i| !composite[i]).collect::<Vec<_>>());
    println!("{}", composite.count_ones());
}
