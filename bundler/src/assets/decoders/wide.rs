const RADIX: u64 = 38968;
const GROUP: usize = 4;
const BITS: u32 = 61;
const WIDTH: usize = 3;
const fn digit(text: &[u8], at: usize) -> u64 {
    let c = (text[at] as u64 & 15) << 12 | (text[at + 1] as u64 & 63) << 6 | text[at + 2] as u64 & 63;
    c - if c < 0xAC00 { 0x3400 } else { 0x3B73 }
}
