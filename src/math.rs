//! Floating-point functions with bit-identical results on every machine: only additions, multiplications and
//! bit patterns, no system library.

/// The natural logarithm of a positive number, with a relative error below 3e-7.
///
/// x = m · 2^e with m in [√½, √2); ln m = 2 artanh((m - 1) / (m + 1)) by its series (Abramowitz and
/// Stegun, *Handbook of Mathematical Functions*, 4.1.27) to the ninth power.
#[inline(always)]
pub fn ln(x: f32) -> f32 {
    debug_assert!(x.is_normal() && x > 0.0, "ln of {x}");
    let bits = x.to_bits();
    // The bit pattern of √½: the mantissa is taken from there on.
    let shifted = bits.wrapping_sub(0x3f35_04f3);
    let e = (shifted as i32 >> 23) as f32;
    let m = f32::from_bits((shifted & 0x007f_ffff) + 0x3f35_04f3);
    let s = (m - 1.0) / (m + 1.0);
    let z = s * s;
    let series = 2.0 + z * (2.0 / 3.0 + z * (2.0 / 5.0 + z * (2.0 / 7.0 + z * (2.0 / 9.0))));
    s * series + e * std::f32::consts::LN_2
}

#[cfg(test)]
mod tests {
    #[test]
    fn ln_is_close_to_the_systems() {
        let mut x = 1e-30f32;
        while x < 1e30 {
            let (ours, theirs) = (super::ln(x), x.ln());
            assert!((ours - theirs).abs() <= 3e-7 * theirs.abs().max(1.0), "ln {x}: {ours}, not {theirs}");
            x *= 1.003;
        }
        assert_eq!(super::ln(1.0), 0.0);
    }
}
