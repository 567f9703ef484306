use scopeguard::{defer, guard, ScopeGuard};

fn main() {
    defer! {
        println!("last");
    }
    let mut undo = guard(vec![1, 2], |v| println!("undone {v:?}"));
    undo.push(3);
    let kept = guard(5, |_| println!("not said"));
    println!("first {}", ScopeGuard::into_inner(kept));
}
