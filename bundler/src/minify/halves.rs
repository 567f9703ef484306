//! The names that may be short, where the proof refuses some: found by halving.
//!
//! A program can show a name in ways that no text tells, such as a `Debug` that a macro derives.

use std::collections::{BTreeMap, VecDeque};

/// No more programs than this are compiled.
const TRIALS: usize = 16;

/// New names and old ones.
pub type Short = BTreeMap<String, String>;

/// As many of the names as can be found in a bounded number of trials so that `holds` for them. For all of them it is
/// known not to hold.
///
/// # Errors
/// Those of `holds`.
pub fn kept<E>(names: &Short, mut holds: impl FnMut(&Short) -> Result<bool, E>) -> Result<Short, E> {
    let mut kept = Short::new();
    let all: Vec<(&String, &String)> = names.iter().collect();
    // What is known to be too much, the largest first.
    let mut refused = VecDeque::from([all.as_slice()]);
    let mut trials = 0;
    while let Some(group) = refused.pop_front() {
        if group.len() < 2 {
            continue;
        }
        let (left, right) = group.split_at(group.len() / 2);
        let mut both_may_fail = false;
        for (half, is_last) in [(left, false), (right, true)] {
            // If one half is fine, it is the other that is not.
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

    /// What is kept of `count` names if these are shown, and how many trials that took.
    fn after(count: usize, shown: &[usize]) -> (usize, usize) {
        let mut trials = 0;
        let shown: Vec<String> = shown.iter().map(|n| format!("n{n:04}")).collect();
        let holds = |s: &Short| {
            trials += 1;
            Ok::<_, ()>(!shown.iter().any(|n| s.contains_key(n)))
        };
        let kept = kept(&names(count), holds).unwrap();
        assert!(shown.iter().all(|n| !kept.contains_key(n)));
        (kept.len(), trials)
    }

    #[test]
    fn few_names_are_found() {
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
