//! A study's rows as one family: how many would differ by chance, and a test of the whole table.

use std::fmt;

use super::published::Published;
use super::row::Row;
use super::verdict::{self, Verdict};
use coppice_stats::chi_square;

/// The rows of a study that are compared with a published figure.
#[derive(Debug, Clone, PartialEq)]
pub struct Family {
    agree: usize,
    differ: usize,
    /// Rows with too few games for a verdict, ours or published.
    too_few: usize,
    /// The probability of each row whose figures are equal to differ nevertheless.
    chances: Vec<f64>,
    /// The deviations of those with a published figure, in standard errors.
    deviations: Vec<f64>,
    /// How many of these are of claims of an order, which only one side contradicts.
    orders: usize,
}

impl Family {
    /// The family of these rows, but for claims that were tried at several budgets.
    pub fn of(rows: &[Row]) -> Self {
        let rows = || rows.iter().filter(|row| row.equal.is_none());
        let count = |verdict| rows().filter(|row| row.verdict == verdict).count();
        let compared = || {
            let told = rows().filter(|row| row.verdict != Verdict::PublishedTooFew);
            told.filter_map(|row| Some((row, row.published?)))
        };
        let off = |(row, published): (&Row, Published)| Some((row.figure.deviation(published)?, published));
        let deviations = compared().filter_map(off).collect::<Vec<_>>();
        Self {
            agree: count(Verdict::Agrees),
            differ: count(Verdict::Differs),
            too_few: count(Verdict::TooFew) + count(Verdict::PublishedTooFew),
            chances: compared()
                .map(|(_, published)| verdict::chance(published))
                .filter(|&p| p > 0.0)
                .collect(),
            orders: deviations.iter().filter(|(_, published)| published.is_order()).count(),
            deviations: deviations.into_iter().map(|(deviation, _)| deviation).collect(),
        }
    }

    /// Whether no row has a published figure.
    pub fn is_empty(&self) -> bool {
        self.agree + self.differ + self.too_few == 0
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

    /// The sum of the squared deviations, and the probability of as much or more if all figures are equal, where an order is
    /// claimed: if both are as good. Half the claims then deviate by chance, each with one degree of freedom (chi-bar-square
    /// with binomial weights: Robertson, Wright and Dykstra, *Order Restricted Statistical Inference*, 1988, chapter 2).
    fn whole(&self) -> (f64, f64) {
        let sum: f64 = self.deviations.iter().map(|deviation| deviation * deviation).sum();
        let (orders, others) = (self.orders as u32, (self.deviations.len() - self.orders) as u32);
        // Binomial weight: the probability that exactly this number of the claims deviates.
        let (mut weight, mut probability) = (0.5_f64.powi(orders as i32), 0.0);
        for deviating in 0..=orders {
            let above = match others + deviating {
                0 => f64::from(u8::from(sum <= 0.0)),
                degrees => chi_square::probability_above(sum, degrees),
            };
            probability += weight * above;
            weight *= f64::from(orders - deviating) / f64::from(deviating + 1);
        }
        (sum, probability)
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

/// One to three lines, without a final newline.
impl fmt::Display for Family {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { agree, differ, too_few, chances, deviations, orders } = self;
        if self.is_empty() {
            return f.write_str("no row has a published figure");
        }
        write!(f, "{agree} agree, {differ} differ, {too_few} can't be told")?;
        if !chances.is_empty() {
            let (rows, noun) = (chances.len(), if chances.len() == 1 { "row" } else { "rows" });
            write!(f, "\n{:.1} of {rows} {noun} would differ by chance", self.expected())?;
            if *differ > 0 {
                write!(f, ", {differ} or more with a probability of {}", shown(self.by_chance()))?;
            }
        }
        if deviations.len() > 1 {
            let (sum, probability) = self.whole();
            let rows = deviations.len();
            write!(f, "\nthe whole table: chi-square {sum:.1} over {rows} rows")?;
            if *orders > 0 {
                write!(f, " ({orders} of an order, which deviate on one side only)")?;
            }
            write!(f, ", as much by chance with a probability of {}", shown(probability))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn family(rows: usize, differ: usize, deviations: Vec<f64>) -> Family {
        Family { agree: rows - differ, differ, too_few: 0, chances: vec![0.05; rows], deviations, orders: 0 }
    }

    #[test]
    fn one_of_twenty_differs_by_chance() {
        let said = family(20, 1, Vec::new()).to_string();
        assert_eq!(
            said,
            "19 agree, 1 differ, 0 can't be told\n1.0 of 20 rows would differ by chance, 1 or more with a \
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
            said.contains("chi-square 28.9 over 10 rows") && said.ends_with("probability of 0.0013"),
            "{said}"
        );
        assert!(!family(3, 0, vec![0.1]).to_string().contains("whole table"));
        assert_eq!(family(0, 0, Vec::new()).to_string(), "no row has a published figure");
    }

    #[test]
    fn a_claim_of_an_order_deviates_by_chance_half_the_time() {
        let all = |deviations: Vec<f64>, orders| Family { orders, ..family(2, 0, deviations) };
        // One claim: half of a chi-square of one degree, whose upper 5 % point is 1.96 squared.
        let (sum, probability) = all(vec![-1.96], 1).whole();
        assert!((sum - 3.8416).abs() < 1e-9 && (probability - 0.025).abs() < 1e-4, "{probability}");
        // Claims that hold are no evidence against anything.
        assert_eq!(all(vec![0.0; 3], 3).whole(), (0.0, 1.0));
        // Upper 5 % points of two and three claims, by the weights 1, 2, 1 and 1, 3, 3, 1.
        for (orders, point) in [(2, 4.231), (3, 5.435)] {
            let mut deviations = vec![0.0; orders];
            deviations[0] = f64::sqrt(point);
            let (_, probability) = all(deviations, orders).whole();
            assert!((probability - 0.05).abs() < 2e-4, "{orders}: {probability}");
        }
        // Beside a published share, it adds half a degree of freedom.
        let (_, probability) = all(vec![1.0, 1.0], 1).whole();
        let halves = [1, 2].map(|degrees| chi_square::probability_above(2.0, degrees) / 2.0);
        assert!((probability - halves.iter().sum::<f64>()).abs() < 1e-12);
        let said = all(vec![1.0, 1.0], 1).to_string();
        assert!(said.contains("over 2 rows (1 of an order, which deviate on one side only),"), "{said}");
    }
}
