use cargo_snippet::snippet;

#[snippet("gcd")]
#[snippet(name = "math", doc_hidden)]
fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 {
        a
    } else {
        gcd(b, a % b)
    }
}

#[cargo_snippet::snippet(include = "gcd")]
mod fraction {
    pub fn reduced(a: u64, b: u64) -> (u64, u64) {
        let g = super::gcd(a, b);
        (a / g, b / g)
    }
}

fn main() {
    println!("{} {:?}", gcd(12, 18), fraction::reduced(12, 18));
}
