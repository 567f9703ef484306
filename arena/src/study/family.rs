//! A study's rows as one family: how many would differ by chance, and a test of the whole table.

use std::fmt;

use super::row::Row;
use super::verdict::{self, Verdict};
use crate::stats::chi_square;

/// The rows of a study that are compared with a published figure.
#[derive(Debug, Clone, PartialEq)]
pub struct Family {
    agree: usize,
    differ: usize,
    /// Rows with too few games for a verdict of agreement.
    too_few: usize,
    /// The probability of each row whose figures are equal to differ nevertheless.
    chances: Vec<f64>,
    /// The deviations of those with a published figure, in standard errors.
    deviations: Vec<f64>,
}

impl Family {
    /// The family of these rows.
    pub fn of(rows: &[Row]) -> Self {
        let count = |verdict| rows.iter().filter(|row| row.verdict == verdict).count();
        let compared = || rows.iter().filter_map(|row| Some((row, row.published?)));
        Self {
            agree: count(Verdict::Agrees),
            differ: count(Verdict::Differs),
            too_few: count(Verdict::TooFew),
            chances: compared()
                .map(|(_, published)| verdict::chance(published))
                .filter(|&p| p > 0.0)
                .collect(),
            deviations: compared().filter_map(|(row, published)| row.figure.deviation(published)).collect(),
        }
    }

    /// How many rows would differ by chance, if all figures were equal.
    fn expected(&self) -> f64 {
        self.chances.iter().sum()
    }

    /// The probability that as many rows differ by chance as do, or more: the rows' games are independent.
    fn by_chance(&self) -> f64 {
        // The distribution of the number of rows that differ, one row after the other.
        let mut number = vec![1.0];
        for &chance in &self.chances {
            number.push(0.0);
            for i in (0..number.len()).rev() {
                let before = if i > 0 { number[i - 1] } else { 0.0 };
                number[i] = number[i] * (1.0 - chance) + before * chance;
            }
        }
        number.iter().skip(self.differ).sum::<f64>().min(1.0)
    }
}

/// A probability for people.
fn shown(probability: f64) -> String {
    match probability {
        p if p < 1e-4 => "less than 0.0001".to_owned(),
        p if p < 0.1 => format!("{p:.4}"),
        p => format!("{p:.2}"),
    }
}

/// Two or three lines, without a final newline.
impl fmt::Display for Family {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { agree, differ, too_few, chances, deviations } = self;
        write!(f, "{agree} agree, {differ} differ, {too_few} can't be told")?;
        if !chances.is_empty() {
            let (rows, noun) = (chances.len(), if chances.len() == 1 { "row" } else { "rows" });
            write!(f, "\nof {rows} {noun} at 95 %, {:.1} would differ by chance", self.expected())?;
            if *differ > 0 {
                write!(f, "; {differ} or more with a probability of {}", shown(self.by_chance()))?;
            }
        }
        if deviations.len() > 1 {
            let sum: f64 = deviations.iter().map(|deviation| deviation * deviation).sum();
            let rows = deviations.len();
            let above = chi_square::probability_above(sum, rows as u32);
            write!(
                f,
                "\nthe whole table: squared deviations add up to {sum:.1} over {rows} rows; so much or more comes by chance \
                 with a probability of {} (chi-square)",
                shown(above)
            )?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn family(rows: usize, differ: usize, deviations: Vec<f64>) -> Family {
        Family { agree: rows - differ, differ, too_few: 0, chances: vec![0.05; rows], deviations }
    }

    #[test]
    fn one_of_twenty_differs_by_chance() {
        let said = family(20, 1, Vec::new()).to_string();
        assert_eq!(
            said,
            "19 agree, 1 differ, 0 can't be told\nof 20 rows at 95 %, 1.0 would differ by chance; 1 or more with a \
             probability of 0.64"
        );
        // 1 - 0.95^20 - 20 * 0.05 * 0.95^19, and so on: a table of the binomial distribution.
        assert!((family(20, 2, Vec::new()).by_chance() - 0.264_16).abs() < 1e-5);
        assert!((family(20, 4, Vec::new()).by_chance() - 0.015_90).abs() < 1e-5);
        let mixed = Family { chances: vec![0.5, 0.25], ..family(2, 2, Vec::new()) };
        assert!((mixed.by_chance() - 0.125).abs() < 1e-12);
    }

    #[test]
    fn many_small_deviations_make_a_large_one() {
        // None of them is significant, all together are.
        let said = family(10, 0, vec![1.7; 10]).to_string();
        assert!(said.starts_with("10 agree, 0 differ") && !said.contains("or more with a"), "{said}");
        assert!(
            said.contains("add up to 28.9 over 10 rows") && said.contains("probability of 0.0013 (chi"),
            "{said}"
        );
        assert!(!family(3, 0, vec![0.1]).to_string().contains("whole table"));
    }
}
