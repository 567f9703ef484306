//! The ellipsoid method with deep cuts (Grötschel, Lovász, Schrijver, *Geometric Algorithms and Combinatorial
//! Optimization*, section 3.1; Bland, Goldfarb, Todd, *The Ellipsoid Method: A Survey*, section 4).

/// The most dimensions of a region.
pub const M: usize = 8;

/// A region that holds the best multipliers, if they were in it at the beginning: { c + Q z : |z| <= 1 } with
/// P = Q Q'.
pub struct Ellipsoid {
    /// The middle.
    pub centre: [f64; M],
    p: [[f64; M]; M],
    n: usize,
}

impl Ellipsoid {
    /// The first `n` dimensions around a point.
    pub fn new(n: usize, centre: [f64; M], radii: [f64; M]) -> Self {
        let mut p = [[0.0; M]; M];
        (0..n).for_each(|i| p[i][i] = radii[i] * radii[i]);
        Self { centre, p, n }
    }

    fn times(&self, slope: &[f64; M]) -> [f64; M] {
        let mut along = [0.0; M];
        for (along, row) in along.iter_mut().zip(&self.p).take(self.n) {
            *along = row.iter().zip(slope).take(self.n).map(|(p, slope)| p * slope).sum();
        }
        along
    }

    /// How far a function with this slope at the centre can rise inside.
    pub fn width(&self, slope: &[f64; M]) -> f64 {
        let along = self.times(slope);
        let square = (0..self.n).map(|i| slope[i] * along[i]).sum::<f64>();
        square.max(0.0).sqrt()
    }

    /// Keeps what rises by at least `gain` in the direction of the slope; `false` if nothing is left.
    pub fn cut(&mut self, slope: [f64; M], gain: f64) -> bool {
        let along = self.times(&slope);
        let width = self.width(&slope);
        let depth = gain / width;
        if width.is_nan() || width <= 0.0 || depth >= 1.0 {
            return false;
        }
        let n = self.n as f64;
        let step = (1.0 + n * depth) / (n + 1.0);
        let shrink = n * n / (n * n - 1.0) * (1.0 - depth * depth);
        let rank = 2.0 * step / (1.0 + depth);
        let unit = along.map(|x| x / width);
        self.centre.iter_mut().zip(&unit).for_each(|(centre, unit)| *centre += step * unit);
        for (row, a) in self.p.iter_mut().zip(&unit) {
            row.iter_mut().zip(&unit).for_each(|(p, b)| *p = shrink * (*p - rank * a * b));
        }
        true
    }
}
