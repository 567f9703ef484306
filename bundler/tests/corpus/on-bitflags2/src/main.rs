use bitflags::bitflags;

bitflags! {
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    struct Castling: u8 {
        const WHITE_KING = 1;
        const WHITE_QUEEN = 2;
        const BLACK_KING = 4;
        const BLACK_QUEEN = 8;
        const WHITE = Self::WHITE_KING.bits() | Self::WHITE_QUEEN.bits();
    }
}

fn main() {
    let mut rights = Castling::all();
    rights.remove(Castling::WHITE_KING);
    rights &= !Castling::BLACK_QUEEN;
    println!("{rights:?} {} {}", rights.bits(), rights.contains(Castling::WHITE));
    println!("{:?} {:?}", rights | Castling::WHITE_KING, Castling::from_bits(32));
    println!("{:?}", rights.iter_names().map(|(n, _)| n).collect::<Vec<_>>());
}
