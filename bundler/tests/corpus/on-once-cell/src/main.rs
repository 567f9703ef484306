use once_cell::sync::Lazy;
use once_cell::unsync::OnceCell;

static TABLE: Lazy<Vec<u64>> = Lazy::new(|| (0..20).map(|i| (i * 2_654_435_761u64) % 1000).collect());

fn main() {
    let cell = OnceCell::new();
    println!("{} {}", TABLE[7], TABLE.len());
    println!("{} {:?}", cell.get_or_init(|| 5), cell.set(6));
}
