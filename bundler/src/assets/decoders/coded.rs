/// Decodes digits of the entropy coder.
pub fn coded<const K: usize>(size: usize, stride: usize, rate: f32, masks: [u64; K], text: &str) -> Vec<u8> {
    let text = text.as_bytes();
    let (mut at, mut range, mut code) = (0, 1, 0);
    modelled(size, stride, rate, masks, |chance| {
        while range < 1 << 48 {
            range *= RADIX;
            code *= RADIX;
            if at < text.len() {
                at += usize::from(text[at] == b'\n');
                code += digit(text, at);
                at += WIDTH;
            }
        }
        let part = (range >> 16) * chance;
        let bit = code < part;
        if bit {
            range = part;
        } else {
            range -= part;
            code -= part;
        }
        bit
    })
}
