//! Prints standings as text.

use std::fmt;

use super::{Record, Row, Standings};
use crate::text::{column_width, csv};

impl fmt::Display for Standings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.fmt_ratings(f)?;
        self.fmt_cross_table(f)?;
        self.fmt_seats(f)
    }
}

impl Standings {
    /// The ratings in Markdown.
    pub fn markdown(&self) -> String {
        let mut text =
            "| rank | bot | rating | 95 % ± | games | score | command |\n|---|---|---|---|---|---|---|\n"
                .to_owned();
        for Row { rank, name, command, rating, meetings, score, .. } in &self.rows {
            let command = command.replace('|', "\\|");
            text += &format!(
                "| {rank} | {name} | {:+.1} | {:.1} | {meetings} | {:.1} % | `{command}` |\n",
                rating.mean,
                rating.error(),
                score * 100.0
            );
        }
        text
    }

    /// The ratings as comma-separated values. Scores and probabilities are from 0 to 1.
    pub fn csv(&self) -> String {
        let head = "rank,bot,rating,low,high,games,score,los,command\n".to_owned();
        self.rows.iter().fold(head, |text, row| {
            let Row { rank, name, command, rating, meetings, score, los_over_next, .. } = row;
            let numbers = [rating.mean, rating.low, rating.high].map(|elo| format!("{elo:.1}"));
            let shares = [Some(*score), *los_over_next];
            let [score, los] = shares.map(|share| share.map_or(String::new(), |share| format!("{share:.4}")));
            let [rating, low, high] = numbers;
            let (rank, games) = (rank.to_string(), meetings.to_string());
            text + &csv([&rank, name, &rating, &low, &high, &games, &score, &los, command])
        })
    }

    fn fmt_ratings(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = self.name_width();
        writeln!(
            f,
            "rank  {:<width$}  {:>8}  {:>8}  {:>7}  {:>7}  {:>7}  command",
            "bot", "rating", "95 % +-", "games", "score", "LOS"
        )?;
        self.rows.iter().try_for_each(|row| {
            let Row { rank, name, command, rating, meetings, score, los_over_next, .. } = row;
            let los = los_over_next.map_or(String::new(), |los| format!("{:.1} %", los * 100.0));
            let score = format!("{:.1} %", score * 100.0);
            writeln!(
                f,
                "{rank:>4}  {name:<width$}  {:>+8.1}  {:>8.1}  {meetings:>7}  {score:>7}  {los:>7}  {command}",
                rating.mean,
                rating.error()
            )
        })
    }

    /// Wins, draws and losses of each row against each other one.
    fn fmt_cross_table(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let cell = |record: &Record| match record.count() {
            0 => "-".to_owned(),
            _ => format!("{}-{}-{}", record.wins, record.draws, record.losses),
        };
        let cells = self.rows.iter().map(|row| row.against.iter().map(cell).collect::<Vec<_>>());
        let cells = cells.collect::<Vec<_>>();
        let names = self.name_width();
        let width = cells.iter().flatten().map(String::len).chain([names]).max().unwrap_or(0);
        write!(f, "won-drawn-lost\n      {:<names$}", "")?;
        for row in &self.rows {
            write!(f, "  {:>width$}", row.name)?;
        }
        writeln!(f)?;
        for (row, cells) in self.rows.iter().zip(&cells) {
            write!(f, "      {:<names$}", row.name)?;
            for text in cells {
                write!(f, "  {text:>width$}")?;
            }
            writeln!(f)?;
        }
        Ok(())
    }

    fn fmt_seats(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.first_seat_advantage {
            Some(advantage) => writeln!(f, "first seat, Elo above the second: {advantage:+}")?,
            None => {
                for (seat, worth) in self.seats.iter().enumerate() {
                    writeln!(f, "seat {seat}, Elo above the mean seat: {worth:+}")?;
                }
            }
        }
        writeln!(f, "draws between equals: {:.1} %", self.draw_share * 100.0)
    }

    fn name_width(&self) -> usize {
        column_width(self.rows.iter().map(|row| row.name.as_str()).chain(["bot"]))
    }
}
