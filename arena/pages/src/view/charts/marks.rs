//! The marks of a chart: turns in which another bot would have played better, and those that lost the game.

use super::{Charts, Key};
use crate::svg::ink::Ink;
use crate::svg::timeline::{apart, Mark};
use crate::view::asinh_scale::Bend;
use crate::view::look::Look;
use crate::view::losing::{is_decided, would_play};
use crate::view::numbers::most_estimate;
use crate::view::{Advice, Viewed, ViewedTurn};

/// Marks of disagreements in a chart.
const MOST_MARKS: usize = 12;

/// The numbers of the turns, from 1, in which the move that was played cost most as the other bot sees it: at most
/// [`MOST_MARKS`], so far apart that their marks don't touch. None stands where the game was lost already.
pub(crate) fn costliest(game: &Viewed) -> Vec<usize> {
    let scores = game.turns.iter().filter_map(|turn| turn.other.as_ref().map(|other| other.score));
    let bend = Bend::of(scores, most_estimate(game.bots.len()));
    let cost = |turn: &ViewedTurn| {
        let Advice { score, worth, .. } = turn.other.as_ref().filter(|_| turn.differs())?.last();
        Some(bend.at(score) - bend.at(worth?)).filter(|&cost| cost > 0.0)
    };
    let is_decided = is_decided(game);
    let costs = game.turns.iter().enumerate().filter_map(|(at, turn)| Some((at + 1, cost(turn)?)));
    let mut costs = costs.filter(|(turn, _)| !is_decided(*turn)).collect::<Vec<_>>();
    costs.sort_by(|(_, a), (_, b)| b.total_cmp(a));
    let apart = apart(game.turns.len());
    let mut chosen: Vec<usize> = Vec::new();
    for (turn, _) in costs {
        if chosen.len() < MOST_MARKS && chosen.iter().all(|other| other.abs_diff(turn) >= apart) {
            chosen.push(turn);
        }
    }
    chosen.sort_unstable();
    chosen
}

impl Charts<'_> {
    /// The costliest turns in which the other bot would play something else, in the colours of their bots.
    pub(super) fn disagreements(&self) -> (Vec<Mark>, Option<Key>) {
        let turns = &self.game.turns;
        let mark = |number: usize| Mark {
            turn: number,
            ink: self.ink(turns[number - 1].seat),
            title: match self.has_titles() {
                true => format!("{}. {}", self.turn(number), would_play(&turns[number - 1])),
                false => self.game.label(number),
            },
            address: format!("#{}{number}", self.prefix),
        };
        // The cross of a losing turn says more than a mark.
        let is_free = |number: &usize| {
            let of_bot = |look: &Look| self.game.bots.len() == 2 || look.seat == turns[number - 1].seat;
            let mut crosses = self.looks.iter().filter(|look| look.lost_by.is_some() && of_bot(look));
            crosses.all(|look| look.turn.abs_diff(*number) >= apart(turns.len()))
        };
        let marks = costliest(self.game).into_iter().filter(is_free).map(mark).collect::<Vec<_>>();
        let all = turns.iter().filter(|turn| turn.differs()).count();
        let text = match marks.len() {
            0 => return (marks, None),
            shown if shown == all => "the search would play better".to_owned(),
            shown => {
                format!(
                    "the search would play better: the {shown} costliest of {all} turns in which it differs"
                )
            }
        };
        (marks, Some(Key { mark: "mark", colour: Ink::Text.name(), text }))
    }

    /// The turns that lost the game, with their legend: of more than two bots in their colours.
    pub(super) fn losing_turns(&self) -> (Vec<Mark>, Vec<Key>) {
        let lost = |look: &Look| {
            let seat = look.lost_by?;
            let ink = if self.game.bots.len() > 2 { self.ink(seat) } else { Ink::Bad };
            let mark = Mark {
                turn: look.turn,
                ink,
                title: format!("{}: {}", self.game.label(look.turn), look.why),
                address: format!("#{}{}", self.prefix, look.turn),
            };
            let text = format!("{} {}", self.game.name(seat), look.told);
            Some((mark, Key { mark: "lost", colour: ink.name(), text }))
        };
        self.looks.iter().filter_map(lost).unzip()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view::{Other, ViewedBot};

    /// Turns whose moves cost so much by the other bot, which would always play something else.
    fn game(costs: &[f64]) -> Viewed {
        let turn = |&cost: &f64| ViewedTurn {
            played: Some("m".to_owned()),
            other: Some(Other {
                answer: "x".to_owned(),
                score: 10.0,
                worth: Some(10.0 - cost),
                ..Other::default()
            }),
            ..ViewedTurn::default()
        };
        Viewed {
            bots: vec![ViewedBot::default(); 2],
            turns: costs.iter().map(turn).collect(),
            ..Viewed::default()
        }
    }

    #[test]
    fn only_what_cost_something_is_marked() {
        assert_eq!(costliest(&game(&[5.0, 0.0, -3.0, 9.0])), [1, 4]);
        assert!(costliest(&game(&[])).is_empty());
    }

    #[test]
    fn what_is_played_in_a_lost_game_is_not_marked() {
        let mut game = game(&[0.0, 9.0, 0.0, 9.0, 0.0, 9.0]);
        for (at, turn) in game.turns.iter_mut().enumerate() {
            turn.seat = at % 2;
            let other = turn.other.as_mut().unwrap();
            // Seat 0 blunders in turn 3, and is lost from turn 5 on.
            (other.score, other.worth) = match at {
                2 => (10.0, Some(-900.0)),
                4 => (-950.0, Some(-960.0)),
                _ => (other.score, other.worth),
            };
        }
        assert_eq!(costliest(&game), [2, 3, 4, 5, 6], "not known to be lost");
        game.scores = vec![0, 1];
        assert_eq!(costliest(&game), [2, 3, 4]);
    }

    #[test]
    fn of_many_the_costliest_are_marked_and_marks_dont_touch() {
        let mut costs = [1.0; 400];
        (costs[99], costs[102], costs[300]) = (50.0, 60.0, 40.0);
        let marked = costliest(&game(&costs));
        assert_eq!(marked.len(), MOST_MARKS);
        assert!(marked.contains(&103) && marked.contains(&301) && !marked.contains(&100), "{marked:?}");
        assert!(marked.windows(2).all(|pair| pair[1] - pair[0] >= apart(400)), "{marked:?}");
    }

    #[test]
    fn what_was_asked_again_counts_by_its_last_word() {
        let mut game = game(&[50.0, 5.0]);
        let checked = crate::view::Checked {
            answer: "m".to_owned(),
            score: 9.0,
            worth: Some(9.0),
            ..Default::default()
        };
        game.turns[0].other.as_mut().unwrap().checked = Some(checked);
        assert_eq!(costliest(&game), [2]);
    }
}
