//! Values with what belongs to them, by value or, if there are many values, by ranges.

/// Most different values with a group each; more are put into this number of ranges.
pub const MOST_VALUES: usize = 6;

/// The items with a value or in a range.
#[derive(Debug, Clone, PartialEq)]
pub struct Range<T> {
    /// The least value and the greatest.
    pub ends: [f64; 2],
    /// The items, by their values.
    pub items: Vec<T>,
}

/// Items by their values, ascending: those of each value, or of ranges with about as many items each. A value is in one range.
pub fn ranges<T>(mut items: Vec<(f64, T)>) -> Vec<Range<T>> {
    items.sort_by(|a, b| a.0.total_cmp(&b.0));
    let (count, values) = (items.len(), items.chunk_by(|a, b| a.0 == b.0).count());
    let mut ranges: Vec<Range<T>> = Vec::new();
    for (value, item) in items {
        let is_full = |range: &Range<T>| values <= MOST_VALUES || range.items.len() * MOST_VALUES >= count;
        match ranges.last_mut().filter(|range| range.ends[1] == value || !is_full(range)) {
            Some(range) => {
                range.ends[1] = value;
                range.items.push(item);
            }
            None => ranges.push(Range { ends: [value; 2], items: vec![item] }),
        }
    }
    ranges
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_values_have_a_group_each_and_many_are_put_into_ranges() {
        let sizes = |values: &[f64]| {
            let all = ranges(values.iter().map(|&value| (value, ())).collect());
            all.iter().map(|range| (range.ends, range.items.len())).collect::<Vec<_>>()
        };
        assert_eq!(sizes(&[]), []);
        assert_eq!(sizes(&[9.0, 5.0, 9.0]), [([5.0, 5.0], 1), ([9.0, 9.0], 2)]);
        let many = (0..60).map(|n| f64::from(n / 2)).collect::<Vec<_>>();
        assert_eq!(sizes(&many)[1], ([5.0, 9.0], 10));
        // Equal values stay together, however many they are.
        let mut uneven = vec![0.0; 50];
        uneven.extend((1..=10).map(f64::from));
        assert_eq!(sizes(&uneven), [([0.0, 0.0], 50), ([1.0, 10.0], 10)]);
    }
}
