//! Answers that may be wrong, by which a referee is asked whether it refuses what the rules refuse.

use coppice::Rng;

/// Trials before an answer is changed in a way that no rules accept.
const TRIALS: usize = 20;

/// An answer unlike this one, made of it or of an `earlier` one: a move of another position is often illegal now, and
/// sometimes only just.
pub(crate) fn unlike(answer: &str, earlier: &[String], rng: &mut Rng) -> String {
    let changed = (0..TRIALS).map(|_| match (rng.below(3), earlier.len() as u32) {
        (0, 1..) => earlier[rng.below(earlier.len() as u32) as usize].clone(),
        (1, _) => with_other_words(answer, rng),
        _ => with_another_sign(answer, rng),
    });
    changed.into_iter().find(|changed| changed != answer).unwrap_or_else(|| format!("{answer} 9"))
}

/// The answer with two words of a line exchanged.
fn with_other_words(answer: &str, rng: &mut Rng) -> String {
    let mut lines = answer.lines().map(str::to_owned).collect::<Vec<_>>();
    let Some(at) = (!lines.is_empty()).then(|| rng.below(lines.len() as u32) as usize) else {
        return answer.to_owned();
    };
    let mut words = lines[at].split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    if words.len() > 1 {
        let [a, b] = [0; 2].map(|_| rng.below(words.len() as u32) as usize);
        words.swap(a, b);
        lines[at] = words.join(" ");
    }
    lines.join("\n")
}

/// The answer with another digit, or with a letter's neighbour where the letter stands next to a digit, as in `e4`.
fn with_another_sign(answer: &str, rng: &mut Rng) -> String {
    let signs = answer.chars().collect::<Vec<_>>();
    let is_digit = |at: usize| signs.get(at).is_some_and(char::is_ascii_digit);
    let places = (0..signs.len()).filter(|&at| {
        is_digit(at) || signs[at].is_ascii_lowercase() && (is_digit(at + 1) || at > 0 && is_digit(at - 1))
    });
    let places = places.collect::<Vec<_>>();
    let Some(at) = (!places.is_empty()).then(|| places[rng.below(places.len() as u32) as usize]) else {
        return answer.to_owned();
    };
    let other = match signs[at] {
        'a'..='z' => char::from(b'a' + rng.below(10) as u8),
        _ => char::from(b'0' + rng.below(10) as u8),
    };
    signs.iter().enumerate().map(|(i, &sign)| if i == at { other } else { sign }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_changed_and_keep_their_form() {
        let mut rng = Rng::new(1);
        for answer in ["e4", "3 12", "MOVE 1 N\nWAIT", "PASS", ""] {
            let earlier = ["d5".to_owned(), answer.to_owned()];
            for _ in 0..200 {
                let other = unlike(answer, &earlier, &mut rng);
                assert_ne!(other, answer);
                let is_one_longer = other == format!("{answer} 9");
                assert!(
                    other == "d5" || other.lines().count() == answer.lines().count() || is_one_longer,
                    "{other}"
                );
            }
        }
        assert_eq!(unlike("PASS", &[], &mut rng), "PASS 9");
    }
}
