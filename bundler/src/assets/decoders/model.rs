/// Runs the model: calls `bit_of` with the chance (in 65536) that each bit is set, and returns the bytes.
pub fn modelled<const K: usize>(
    size: usize,
    stride: usize,
    rate: f32,
    masks: [u64; K],
    mut bit_of: impl FnMut(u64) -> bool,
) -> Vec<u8> {
    let mut odds = 0.000336;
    let squash: Vec<f32> = std::iter::repeat_with(|| {
        odds *= 1.003914;
        odds / (1.0 + odds)
    })
    .take(4096)
    .collect();
    let mut stretch = vec![8.0; 4096];
    for (i, p) in squash.iter().enumerate().rev() {
        stretch[..=(p * 4095.0) as usize].fill(i as f32 / 256.0 - 8.0);
    }
    let pace: Vec<i64> = (0..256).map(|n| 65536 * 2 / (2 * n + 3)).collect();
    let mut cells = vec![0i32; K << 18];
    let mut weights = [[0.3f32; K]; 32];
    let (mut past, mut out) = (0, Vec::with_capacity(size));
    while out.len() < size {
        let above = out.len().checked_sub(stride).map_or(0, |i| out[i]);
        let seen = past & 0xFFFF_FFFF_FFFF | (above as u64) << 48 | ((out.len() % stride) as u64) << 56;
        let mut byte = 1;
        for half in [0, 16] {
            let mut rows = [0; K];
            for i in 0..K {
                let hash = (seen & masks[i] ^ byte).wrapping_mul(0x9E37_79B9_7F4A_7C15);
                let hash = (hash ^ hash >> 32).wrapping_mul(0x9E37_79B9_7F4A_7C15);
                rows[i] = i << 18 | (hash >> 50 << 4) as usize;
            }
            let mut node = 1;
            while node < 16 {
                let weights = &mut weights[half | node];
                let mut inputs = [0.0; K];
                let mut sum = 0.0;
                for i in 0..K {
                    inputs[i] = stretch[((cells[rows[i] | node] >> 20) + 2048) as usize];
                    sum += weights[i] * inputs[i];
                }
                let p = squash[(sum * 256.0 + 2048.0).clamp(0.0, 4095.0) as usize];
                let bit = bit_of((p * 65536.0) as u64);
                let miss = rate * (bit as u8 as f32 - p);
                for i in 0..K {
                    weights[i] += miss * inputs[i];
                    let cell = &mut cells[rows[i] | node];
                    let (p, n) = (*cell >> 10, *cell & 1023);
                    let goal = if bit { 0x1F_FFFF } else { -0x1F_FFFF };
                    let step = ((goal - p) as i64 * pace[n as usize]) >> 16;
                    *cell = (p + step as i32) << 10 | (n + 1).min(255);
                }
                node = node << 1 | bit as usize;
            }
            byte = byte << 4 | node as u64 & 15;
        }
        out.push(byte as u8);
        past = past << 8 | byte & 255;
    }
    out
}
