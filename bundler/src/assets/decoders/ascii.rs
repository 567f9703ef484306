const RADIX: u64 = 93;
const GROUP: usize = 13;
const BITS: u32 = 85;
const WIDTH: usize = 1;
const fn digit(text: &[u8], at: usize) -> u64 {
    text[at].saturating_sub(34) as u64
}
