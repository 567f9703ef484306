//! A list of fixed capacity, stored inline without allocation.

use std::fmt;
use std::ops::{Deref, DerefMut};

use arrayvec::ArrayVec;

/// The list into which a game writes its legal moves.
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

/// A copy of a list.
pub(crate) fn copied<M: Copy, L: Moves<M>>(list: &L) -> L {
    let mut copy = L::default();
    list.iter().for_each(|&m| copy.push(m));
    copy
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

/// The most moves that a selection sort orders faster than a tournament.
const SHORT: usize = 32;

/// Sorts all moves into the order in which [`pick`] takes them, the top-ranked first, in O(n log n): a tournament finds
/// each next one. `spare` has room for as many keys.
pub fn sort<M: Copy>(moves: &mut [M], ranks: &mut [i32], spare: &mut [i32]) {
    let n = moves.len();
    if n <= SHORT {
        (0..n).for_each(|i| _ = pick(moves, ranks, i));
        return;
    }
    // The winner of a match at `at` below `n`, or the entrant there; the entrants before place `done` have left.
    let entrant = |spare: &[i32], at: usize| if at < n { spare[at] as usize } else { at - n };
    let play = |spare: &mut [i32], ranks: &[i32], at: usize, done: usize| {
        let (a, b) = (entrant(spare, 2 * at), entrant(spare, 2 * at + 1));
        let key = |i: usize| (i >= done, ranks[i], std::cmp::Reverse(i));
        spare[at] = if key(a) > key(b) { a } else { b } as i32;
    };
    (1..n).rev().for_each(|at| play(spare, ranks, at, 0));
    for i in 0..n.saturating_sub(1) {
        let best = spare[1] as usize;
        moves.swap(i, best);
        ranks.swap(i, best);
        for changed in [i, best] {
            let mut at = (changed + n) / 2;
            while at > 0 {
                play(spare, ranks, at, i + 1);
                at /= 2;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Rng;

    #[test]
    fn a_sort_is_what_picks_give() {
        let mut rng = Rng::new(1);
        for n in (0..70).chain([500, 501]) {
            for most in [1, 2, 5, u32::MAX] {
                let mut keys: Vec<i32> = (0..n).map(|_| rng.below(most) as i32).collect();
                if n > 3 {
                    (keys[1], keys[2]) = (i32::MAX, i32::MIN);
                }
                let mut picked: Vec<usize> = (0..n).collect();
                let (mut sorted, mut ranks) = (picked.clone(), keys.clone());
                for i in 0..n {
                    let _ = pick(&mut picked, &mut ranks, i);
                }
                sort(&mut sorted, &mut keys, &mut vec![0; n]);
                assert_eq!((sorted, keys), (picked, ranks));
            }
        }
    }

    /// 100,000 moves: selection sort would take 5 thousand million comparisons.
    #[test]
    fn a_sort_of_many_moves_ends() {
        let mut rng = Rng::new(1);
        let mut moves: Vec<i32> = (0..100_000).map(|_| rng.next_u64() as i32).collect();
        let mut ranks = moves.clone();
        sort(&mut moves, &mut ranks, &mut vec![0; 100_000]);
        assert!(moves.windows(2).all(|pair| pair[0] >= pair[1]));
    }

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
