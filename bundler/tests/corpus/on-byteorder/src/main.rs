use byteorder::{BigEndian, ByteOrder, LittleEndian, ReadBytesExt};

fn main() {
    let mut book: &[u8] = &[1, 2, 3, 4, 5, 6, 7, 8];
    println!("{:x} {:x}", LittleEndian::read_u32(&book[2..]), BigEndian::read_u16(book));
    println!("{:?} {:?}", book.read_u16::<BigEndian>().ok(), book.read_f32::<LittleEndian>().is_ok());
}
