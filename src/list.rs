//! A list of fixed capacity, stored inline without allocation.

use std::fmt;
use std::ops::{Deref, DerefMut};

use arrayvec::ArrayVec;

/// What a game writes its legal moves into.
///
/// [`List`] is the implementation to use; the trait exists because a capacity can't yet be an
/// associated constant of [`Game`](crate::Game).
pub trait Moves<M>: Default + DerefMut<Target = [M]> {
    /// One sort key for each place of the list.
    type Ranks: AsMut<[i32]>;

    /// Appends a move.
    ///
    /// # Panics
    /// If the list is full: the capacity is the maximum number of moves of a position.
    fn push(&mut self, m: M);

    /// Removes all moves.
    fn clear(&mut self);

    /// Sort keys, all 0.
    fn ranks() -> Self::Ranks;
}

/// At most `N` values of a small type, in place.
#[derive(Clone, Copy)]
pub struct List<T, const N: usize> {
    len: u32,
    items: [T; N],
}

impl<T: Copy + Default, const N: usize> Default for List<T, N> {
    #[inline(always)]
    fn default() -> Self {
        List { len: 0, items: [T::default(); N] }
    }
}

impl<T: Copy + Default, const N: usize> List<T, N> {
    /// Appends a value.
    ///
    /// # Panics
    /// If the list is full.
    #[inline(always)]
    pub fn push(&mut self, item: T) {
        self.items[self.len as usize] = item;
        self.len += 1;
    }
}

impl<T: Copy + Default, const N: usize> Moves<T> for List<T, N> {
    type Ranks = [i32; N];

    #[inline(always)]
    fn push(&mut self, item: T) {
        List::push(self, item);
    }

    #[inline(always)]
    fn clear(&mut self) {
        self.len = 0;
    }

    #[inline(always)]
    fn ranks() -> [i32; N] {
        [0; N]
    }
}

/// A list that doesn't initialise its unused places: for positions with hundreds of moves, where initialising
/// a [`List`] costs more than filling it.
impl<T: Copy + Default, const N: usize> Moves<T> for ArrayVec<T, N> {
    type Ranks = [i32; N];

    #[inline(always)]
    fn push(&mut self, item: T) {
        ArrayVec::push(self, item);
    }

    #[inline(always)]
    fn clear(&mut self) {
        ArrayVec::clear(self);
    }

    #[inline(always)]
    fn ranks() -> [i32; N] {
        [0; N]
    }
}

impl<T, const N: usize> Deref for List<T, N> {
    type Target = [T];

    #[inline(always)]
    fn deref(&self) -> &[T] {
        &self.items[..self.len as usize]
    }
}

impl<T, const N: usize> DerefMut for List<T, N> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.items[..self.len as usize]
    }
}

impl<T: fmt::Debug, const N: usize> fmt::Debug for List<T, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

/// Selection-sort step: swaps the top-ranked of the moves from `i` on into place `i`; the first of equal
/// ranks wins.
#[inline(always)]
pub fn pick<M: Copy>(moves: &mut [M], ranks: &mut [i32], i: usize) -> M {
    let mut best = i;
    for j in i + 1..moves.len() {
        if ranks[j] > ranks[best] {
            best = j;
        }
    }
    // A rotation would keep the listed order of the rest; a swap is cheaper and as good.
    moves.swap(i, best);
    ranks.swap(i, best);
    moves[i]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn holds_what_was_pushed_up_to_its_capacity() {
        let mut list = List::<u8, 3>::default();
        assert!(list.is_empty());
        for item in [7, 8, 9] {
            list.push(item);
        }
        assert_eq!(*list, [7, 8, 9]);
        list.clear();
        assert_eq!(*list, []);
    }

    #[test]
    #[should_panic]
    fn one_more_than_the_capacity_panics() {
        let mut list = List::<u8, 1>::default();
        list.push(1);
        list.push(2);
    }
}
