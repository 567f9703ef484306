//! Finds by bisection the names that can be shortened, if the proof fails for all of them together.
//!
//! A program can print a name in ways that its text does not show, such as a `Debug` derived by a macro.

use std::collections::{BTreeMap, VecDeque};

/// Maximum number of programs compiled.
const TRIALS: usize = 16;

/// New names and the original ones.
pub type Short = BTreeMap<String, String>;

/// Finds, in a bounded number of trials, a large subset of the names for which `holds`. It is known not to hold for all
/// of them.
///
/// # Errors
/// As for `holds`.
pub fn largest_subset<E>(
    names: &Short,
    mut holds: impl FnMut(&Short) -> Result<bool, E>,
) -> Result<Short, E> {
    let mut kept = Short::new();
    let all: Vec<(&String, &String)> = names.iter().collect();
    // Groups known to fail, the largest first.
    let mut refused = VecDeque::from([all.as_slice()]);
    let mut trials = 0;
    while let Some(group) = refused.pop_front() {
        if group.len() < 2 {
            continue;
        }
        let (left, right) = group.split_at(group.len() / 2);
        let mut both_may_fail = false;
        for (half, is_last) in [(left, false), (right, true)] {
            // If one half holds, the other is the one that fails.
            if is_last && !both_may_fail {
                refused.push_back(half);
                continue;
            }
            if trials == TRIALS {
                return Ok(kept);
            }
            trials += 1;
            let mut trial = kept.clone();
            trial.extend(half.iter().map(|(new, old)| ((*new).clone(), (*old).clone())));
            if holds(&trial)? {
                kept = trial;
            } else {
                both_may_fail = true;
                refused.push_back(half);
            }
        }
    }
    Ok(kept)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(count: usize) -> Short {
        (0..count).map(|n| (format!("n{n:04}"), format!("old{n}"))).collect()
    }

    /// The number of names kept out of `count` if `shown` are printed, and the number of trials.
    fn after(count: usize, shown: &[usize]) -> (usize, usize) {
        let mut trials = 0;
        let shown: Vec<String> = shown.iter().map(|n| format!("n{n:04}")).collect();
        let holds = |s: &Short| {
            trials += 1;
            Ok::<_, ()>(!shown.iter().any(|n| s.contains_key(n)))
        };
        let kept = largest_subset(&names(count), holds).unwrap();
        assert!(shown.iter().all(|n| !kept.contains_key(n)));
        (kept.len(), trials)
    }

    #[test]
    fn single_names_are_found() {
        for shown in 0..16 {
            assert_eq!(after(16, &[shown]).0, 15);
        }
        assert_eq!(after(2, &[0, 1]), (0, 2));
        assert_eq!(after(1, &[0]), (0, 0));
        assert_eq!(after(0, &[]), (0, 0));
    }

    #[test]
    fn trials_are_bounded() {
        let all: Vec<usize> = (0..500).collect();
        assert_eq!(after(500, &all), (0, TRIALS));
        let (kept, trials) = after(1000, &[7, 300, 999]);
        assert!(kept > 700 && trials <= TRIALS, "{kept} {trials}");
    }
}
