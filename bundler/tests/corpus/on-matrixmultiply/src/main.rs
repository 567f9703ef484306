fn main() {
    let (a, b, mut c) = ([1.0f32, 2.0, 3.0, 4.0], [5.0f32, 6.0, 7.0, 8.0], [0.0f32; 4]);
    // SAFETY: each array holds two rows of two elements, as the sizes and strides state.
    unsafe { matrixmultiply::sgemm(2, 2, 2, 1.0, a.as_ptr(), 2, 1, b.as_ptr(), 2, 1, 0.0, c.as_mut_ptr(), 2, 1) };
    println!("{c:?}");
}
