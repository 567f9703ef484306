//! The order in which moves are tried, where nothing else is known.

/// By cell: corners first, their neighbours last.
pub static RANKS: [i16; 64] = {
    const QUARTER: [[i16; 4]; 4] =
        [[900, -200, 100, 50], [-200, -400, -50, -20], [100, -50, 20, 10], [50, -20, 10, 0]];
    let mut ranks = [0; 64];
    let mut i = 0;
    while i < 64 {
        let (x, y) = (i % 8, i / 8);
        ranks[i] = QUARTER[if y < 4 { y } else { 7 - y }][if x < 4 { x } else { 7 - x }];
        i += 1;
    }
    ranks
};
