//! The symmetries of a square board of 8x8 bits.

/// The number of symmetries.
pub const SYMMETRIES: usize = 8;

/// The image of a set of cells under one of the symmetries; 0 leaves it.
pub fn image(mut board: u64, symmetry: usize) -> u64 {
    if symmetry & 1 != 0 {
        // Each row from right to left.
        board = board.reverse_bits().swap_bytes();
    }
    if symmetry & 2 != 0 {
        board = board.swap_bytes();
    }
    if symmetry & 4 != 0 {
        board = transpose(board);
    }
    board
}

/// Swaps rows and columns.
fn transpose(mut board: u64) -> u64 {
    for (shift, mask) in [(7, 0x00aa_00aa_00aa_00aa), (14, 0x0000_cccc_0000_cccc), (28, 0xf0f0_f0f0)] {
        let swapped = (board ^ board >> shift) & mask;
        board ^= swapped ^ swapped << shift;
    }
    board
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_and_columns_are_turned_and_swapped() {
        assert_eq!(image(1 << 1, 0), 1 << 1);
        assert_eq!(image(1 << 1, 1), 1 << 6);
        assert_eq!(image(1 << 1, 2), 1 << 57);
        assert_eq!(image(1 << 1, 4), 1 << 8);
        assert_eq!(image(1 << 7, 4), 1 << 56);
        assert_eq!(image(0x0123_4567_89ab_cdef, 3), 0x0123_4567_89ab_cdef_u64.reverse_bits());
    }
}
