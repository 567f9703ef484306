//! Where chance comes from; the binaries bring their own.

/// A source of chance.
pub trait Dice {
    /// A number below `n`.
    fn below(&mut self, n: usize) -> usize;

    /// A number from 0 to 1.
    fn share(&mut self) -> f64;

    /// Puts things into any order.
    fn mix<T>(&mut self, things: &mut [T]);

    /// One of several things.
    fn one<'a, T>(&mut self, things: &'a [T]) -> Option<&'a T>;
}
