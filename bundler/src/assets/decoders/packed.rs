/// Takes bytes out of groups of characters.
pub const fn packed(text: &str, out: &mut [u8]) {
    let text = text.as_bytes();
    let (mut at, mut len, mut bits, mut count) = (0, 0, 0, 0);
    while len < out.len() {
        if text[at] == b'\n' {
            at += 1;
        }
        let end = at + GROUP * WIDTH;
        let mut group = 0;
        while at < end {
            group = group * RADIX as u128 + digit(text, at) as u128;
            at += WIDTH;
        }
        bits |= group << count;
        count += BITS;
        while count > 7 && len < out.len() {
            out[len] = bits as u8;
            bits >>= 8;
            count -= 8;
            len += 1;
        }
    }
}
