use num_complex::Complex64;

/// A discrete Fourier transform.
fn main() {
    let signal = [1.0, 2.0, 0.0, -1.0];
    for k in 0..signal.len() {
        let sum: Complex64 = signal
            .iter()
            .enumerate()
            .map(|(n, &x)| x * Complex64::from_polar(1.0, -std::f64::consts::TAU * (k * n) as f64 / signal.len() as f64))
            .sum();
        println!("{:.3} {:.3} {:.3}", sum.re, sum.im, sum.norm());
    }
    println!("{}", Complex64::new(1.0, -2.0));
}
