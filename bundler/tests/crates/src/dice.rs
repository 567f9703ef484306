//! The random number generator, which each binary provides.

/// A source of random numbers.
pub trait Dice {
    /// A number below `n`.
    fn below(&mut self, n: usize) -> usize;

    /// A number from 0 to 1.
    fn share(&mut self) -> f64;

    /// Shuffles a slice.
    fn mix<T>(&mut self, things: &mut [T]);

    /// Chooses one of several elements.
    fn one<'a, T>(&mut self, things: &'a [T]) -> Option<&'a T>;
}
