fn main() {
    let words = [0x0102_0304u32, 0xdead_beef];
    let bytes: &[u8] = bytemuck::cast_slice(&words);
    println!("{} {:?}", bytes.len(), bytemuck::try_cast::<f32, u32>(1.5));
    println!("{:?}", bytemuck::pod_read_unaligned::<i16>(&bytes[1..3]));
}
