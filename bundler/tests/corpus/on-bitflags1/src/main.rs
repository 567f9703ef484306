use bitflags::bitflags;

bitflags! {
    #[derive(Default)]
    struct Walls: u32 {
        const NORTH = 0b0001;
        const EAST = 0b0010;
        const SOUTH = 0b0100;
        const WEST = 0b1000;
        const ALL = Self::NORTH.bits | Self::EAST.bits | Self::SOUTH.bits | Self::WEST.bits;
    }
}

fn main() {
    let mut cell = Walls::default();
    cell.insert(Walls::NORTH | Walls::WEST);
    cell.toggle(Walls::WEST | Walls::SOUTH);
    println!("{cell:?} {:?} {:b} {}", !cell, cell.bits(), cell.is_all());
    println!("{:?} {:?}", Walls::from_bits_truncate(0xff), Walls::from_bits(0x10));
}
