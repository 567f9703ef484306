use either::{for_both, Either, Left, Right};

fn turns(forward: bool) -> impl Iterator<Item = u32> {
    if forward { Left(0..4) } else { Right((0..4).rev()) }
}

fn main() {
    let e: Either<i32, String> = Right("pass".into());
    println!("{:?} {:?}", turns(true).collect::<Vec<_>>(), turns(false).collect::<Vec<_>>());
    println!("{:?}", e.as_ref().left());
    println!("{}", for_both!(e, x => x.to_string()));
}
