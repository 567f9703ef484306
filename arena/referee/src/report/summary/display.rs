//! Prints a summary as text.

use std::fmt;

use crate::game::fault::Ending;
use crate::text::column_width;
use coppice_stats::{Compare, Comparison, Estimate, Lead, Times};

use super::{BotSummary, Leading, Standing, Summary};

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown_results = if self.bots.len() == 2 { 1 } else { self.bots.len() };
        // Single-player games are compared over seeds.
        let seeds = self.comparison.as_ref().filter(|comparison| comparison.games_per_sample == 1);
        if let (Some(comparison), [a, b]) = (seeds, &self.bots[..]) {
            fmt_seeds(f, [a, b], comparison)?;
        } else {
            self.bots[..shown_results].iter().try_for_each(|bot| bot.fmt_result(f))?;
        }
        if let Some(comparison) = self.comparison.as_ref().filter(|comparison| comparison.samples > 0) {
            fmt_comparison(f, comparison)?;
        }
        self.fmt_seats(f)?;
        f.write_str(&self.shares())?;
        writeln!(f, "endings: {} of {} normal", self.normal, self.games)?;
        for bot in &self.bots {
            let faults = bot.endings.iter().filter(|(&ending, _)| ending != Ending::Normal);
            let faults = faults.map(|(ending, count)| format!("{ending} {count}")).collect::<Vec<_>>();
            if !faults.is_empty() {
                writeln!(f, "  faults of {}: {}", bot.name, faults.join(", "))?;
            }
            if bot.idle_time_outs > 0 {
                writeln!(
                    f,
                    "    time-outs in which it used little processor time, so the machine may have caused them: {}",
                    bot.idle_time_outs
                )?;
            }
        }
        // An external referee doesn't tell them.
        if self.bots.iter().any(|bot| bot.first.count > 0) {
            let has_later = self.bots.iter().any(|bot| bot.later.count > 0);
            let head = "answer times, ms";
            let names = column_width(self.bots.iter().map(|bot| bot.name.as_str()));
            let width = (names + " first".len()).max(head.len()) + 2;
            writeln!(f, "{head:<width$}{:>9}{:>11}{:>11}{:>11}", "answers", "50 %", "99 %", "100 %")?;
            for bot in &self.bots {
                fmt_times(f, width, &format!("{} first", bot.name), &bot.first)?;
                if has_later {
                    fmt_times(f, width, &format!("{} later", bot.name), &bot.later)?;
                }
            }
        }
        self.bots.iter().try_for_each(|bot| bot.fmt_usage(f))?;
        self.noise.iter().try_for_each(|noise| writeln!(f, "{noise}"))?;
        self.machines.iter().try_for_each(|noise| writeln!(f, "{noise}"))
    }
}

impl Summary {
    /// The bots' leads, and their mean shares of the best known score, as lines; empty where only the order of scores counts.
    pub fn shares(&self) -> String {
        if !self.leads.is_empty() {
            let width = column_width(self.leads.iter().map(|bot| bot.name.as_str()));
            let row = |bot: &Leading| {
                format!("  {:<width$}  {}\n", bot.name, bot.cells().join("  ")).trim_end().to_owned() + "\n"
            };
            let head = match self.leads[0].share {
                Some(_) => {
                    "mean share of the best known score, and lead over the next bot on a seed (95 %)\n"
                }
                None => "lead over the next bot on a seed (95 %)\n",
            };
            return head.to_owned() + &self.leads.iter().map(row).collect::<String>();
        }
        let share = |bot: &BotSummary| Some(format!("{} {:.3} %", bot.name, 100.0 * bot.share?));
        let shares = self.bots.iter().map(share).collect::<Option<Vec<_>>>().unwrap_or_default();
        match shares.is_empty() {
            true => String::new(),
            false => format!("mean share of the best known score: {}\n", shares.join(", ")),
        }
    }

    /// The results by seat, and each bot's on them.
    fn fmt_seats(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seats = self.bots.iter().map(|bot| bot.seats.len()).max().unwrap_or(0);
        for seat in (0..seats).filter(|_| seats > 1) {
            let on_it = self.bots.iter().filter_map(|bot| Some((bot, bot.seats.get(seat)?)));
            let on_it = on_it.filter(|(_, score)| score.games > 0);
            let percent = |points: f64, games: u32| 100.0 * points / f64::from(games.max(1));
            let (points, games) = on_it.clone().fold((0.0, 0), |(p, g), (_, s)| (p + s.points, g + s.games));
            let each = on_it.map(|(bot, s)| format!("{} {:.1} %", bot.name, percent(s.points, s.games)));
            let each = each.collect::<Vec<_>>().join(", ");
            writeln!(f, "seat {seat}: scored {:.1} % in {games} games ({each})", percent(points, games))?;
        }
        Ok(())
    }
}

impl Leading {
    /// The share, if there is one, and the lead as text; empty in the last row.
    pub fn cells(&self) -> Vec<String> {
        let share = self.share.map(|share| format!("{:>7.3} %", 100.0 * share));
        let lead = self.over_next.as_ref().map_or_else(String::new, |lead| {
            let [number, interval] = shown(lead);
            format!("{number} ({interval})")
        });
        share.into_iter().chain([lead]).collect()
    }
}

/// A lead and its interval, in points, as a factor or in per cent of the best known score.
fn shown(lead: &Lead) -> [String; 2] {
    let Estimate { mean, low, high } = lead.mean;
    match lead.compare {
        Compare::Ratio => [format!("{mean:.4}"), format!("95 %: {low:.4} to {high:.4}")],
        Compare::Relative => {
            let [mean, low, high] = [mean, low, high].map(|share| 100.0 * share);
            [format!("{mean:+.3} %"), format!("95 %: {low:+.3} to {high:+.3} %")]
        }
        _ => [format!("{mean:+.3}"), format!("95 %: {low:+.3} to {high:+.3}")],
    }
}

/// By how much the first bot is ahead on a seed, and on how many it was.
fn fmt_seeds(f: &mut fmt::Formatter<'_>, bots: [&BotSummary; 2], comparison: &Comparison) -> fmt::Result {
    if let Some(lead) = &comparison.lead {
        fmt_lead(f, bots.map(|bot| bot.name.as_str()), lead)?;
    }
    let Some(Standing { wins, draws, losses, score }) = &bots[0].result else { return Ok(()) };
    let (name, seeds) = (&bots[0].name, comparison.samples);
    write!(f, "{name}: won {wins}, drawn {draws}, lost {losses} of {seeds} seeds")?;
    if comparison.lead.is_none() {
        let [mean, low, high] = [score.mean, score.low, score.high].map(|share| share * 100.0);
        write!(f, ", score {mean:.1} % (95 %: {low:.1} to {high:.1} %)")?;
    }
    writeln!(f)
}

/// Elo, and the counts of pairs.
fn fmt_comparison(f: &mut fmt::Formatter<'_>, comparison: &Comparison) -> fmt::Result {
    let elo = |Estimate { mean, low, high }: Estimate| format!("{mean:.1} (95 %: {low:.1} to {high:.1})");
    if comparison.lead.is_some() {
        // Elo of leads would mean something else.
        writeln!(f, "normalised Elo of the differences {}", elo(comparison.normalised_elo))?;
        return writeln!(f, "likelihood of superiority {:.1} %", comparison.los * 100.0);
    }
    writeln!(f, "Elo {}, normalised Elo {}", elo(comparison.elo), elo(comparison.normalised_elo))?;
    writeln!(f, "likelihood of superiority {:.1} %", comparison.los * 100.0)?;
    let counts = comparison.cells.iter().map(|cell| cell.count.to_string()).collect::<Vec<_>>().join(" ");
    match comparison.games_per_sample {
        // Counted with the bots.
        1 => Ok(()),
        _ => writeln!(f, "pairs with 0, 1/2, 1, 3/2, 2 points: {counts}"),
    }
}

/// By how much the first bot is ahead on a seed.
fn fmt_lead(f: &mut fmt::Formatter<'_>, [a, b]: [&str; 2], lead: &Lead) -> fmt::Result {
    let [number, interval] = shown(lead);
    match lead.compare {
        Compare::Ratio => writeln!(f, "{a} / {b} {number} ({interval}), the geometric mean over seeds")?,
        Compare::Relative => writeln!(f, "{a} - {b} {number} of the best known score, a seed ({interval})")?,
        _ => writeln!(f, "{a} - {b} {number} points a seed ({interval})")?,
    }
    let why = match lead.compare {
        Compare::Ratio => "one bot failed or had no score above 0",
        _ => "one bot failed",
    };
    match lead.failed {
        0 => Ok(()),
        1 => writeln!(f, "on 1 seed {why}; it counts as the largest lead of the others"),
        seeds => writeln!(f, "on {seeds} seeds {why}; they count as the largest lead of the others"),
    }
}

fn fmt_times(f: &mut fmt::Formatter<'_>, width: usize, label: &str, times: &Times) -> fmt::Result {
    let Times { count, p50_ms, p99_ms, max_ms } = times;
    let width = width.saturating_sub(2);
    writeln!(f, "  {label:<width$}{count:>9}{p50_ms:>11.3}{p99_ms:>11.3}{max_ms:>11.3}")
}

impl BotSummary {
    /// Resource usage, and the numbers that bots reported.
    fn fmt_usage(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let cpu = self.cpu_ms.map(|cpu| {
            format!("{:.3} s of processor time a game, at most {:.3}", cpu.mean / 1e3, cpu.max / 1e3)
        });
        let megabytes = |bytes: u64| bytes as f64 / 1e6;
        let resident =
            self.peak_memory_bytes.map(|bytes| format!("{:.1} MB of memory resident", megabytes(bytes)));
        let limited = self
            .peak_data_bytes
            .map(|bytes| format!("{:.1} MB as --memory-limit counts it", megabytes(bytes)));
        let parts = cpu.into_iter().chain(resident).chain(limited).collect::<Vec<_>>();
        if !parts.is_empty() {
            writeln!(f, "{} took {}", self.name, parts.join("; at most "))?;
        }
        if !self.data.is_empty() {
            write!(f, "{} reported\n{}", self.name, self.data)?;
        }
        Ok(())
    }

    fn fmt_result(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(result) = &self.result else {
            return writeln!(f, "{}: {:.3} points a game", self.name, self.mean_points);
        };
        let Standing { wins, draws, losses, score } = result;
        let [mean, low, high] = [score.mean, score.low, score.high].map(|share| share * 100.0);
        let name = &self.name;
        writeln!(f, "{name}: won {wins}, drawn {draws}, lost {losses}, score {mean:.1} % (95 %: {low:.1} to {high:.1} %)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Shown(Lead);

    impl fmt::Display for Shown {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            fmt_lead(f, ["new", "old"], &self.0)
        }
    }

    #[test]
    fn seeds_without_a_lead_are_counted_and_explained() {
        let shown = |compare, failed| {
            let mean = Estimate { mean: 1.5, low: 1.0, high: 2.0 };
            Shown(Lead { compare, mean, failed }).to_string()
        };
        assert_eq!(
            shown(Compare::Difference, 0),
            "new - old +1.500 points a seed (95 %: +1.000 to +2.000)\n"
        );
        assert!(shown(Compare::Difference, 2)
            .ends_with("on 2 seeds one bot failed; they count as the largest lead of the others\n"));
        assert!(shown(Compare::Ratio, 1).ends_with(
            "on 1 seed one bot failed or had no score above 0; it counts as the largest lead of the others\n"
        ));
    }
}
