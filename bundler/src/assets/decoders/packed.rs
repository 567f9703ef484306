/// Unpacks groups of characters into bytes.
pub const fn packed(text: &str, out: &mut [u8]) {
    let text = text.as_bytes();
    let (mut at, mut len, mut bits, mut count) = (0, 0, 0, 0);
    while len < out.len() {
        if text[at] == b'\n' {
            at += 1;
        }
        let mut halves = [0; 2];
        let mut i = 0;
        while i < GROUP {
            let half = &mut halves[i / (GROUP / 2 + 1)];
            *half = *half * RADIX + digit(text, at);
            at += WIDTH;
            i += 1;
        }
        bits |= (halves[0] as u128 * RADIX.pow((GROUP - 1) as u32 / 2) as u128 + halves[1] as u128) << count;
        count += BITS;
        while count > 7 && len < out.len() {
            out[len] = bits as u8;
            bits >>= 8;
            count -= 8;
            len += 1;
        }
    }
}
