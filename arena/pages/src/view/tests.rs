//! Tests of a game whose three seats are asked together, from its made-up dialogues.

use contest::drawing::{Drawing, Paint, Shape};
use contest::quantity::Quantity;
use contest::{Contest, Fault, IllegalMove, Limits, Referee, Seat, Setup};

use super::charts::charts;
use super::page::{page, Heading};
use super::{game, Viewed};
use coppice_referee::game::log::Log;
use coppice_referee::replay::fields::{Fields, RecordedFault};
use coppice_referee::replay::source::{Form, Source};

/// Three walkers, who step by a number each, all at once, for two rounds.
struct Walk;

#[derive(Default)]
struct Walkers {
    at: [i64; 3],
    pending: [Option<i64>; 3],
    out: [bool; 3],
    last: [i64; 3],
    rounds: usize,
}

impl Contest for Walk {
    fn name(&self) -> &str {
        "walk"
    }

    fn seats(&self) -> usize {
        3
    }

    fn limits(&self) -> Limits {
        let second = std::time::Duration::from_secs(1);
        Limits { first: second, later: second }
    }

    fn new_game(&self, _: Setup) -> Box<dyn Referee> {
        Box::<Walkers>::default()
    }
}

impl Walkers {
    fn in_play(&self) -> impl Iterator<Item = Seat> + '_ {
        (0..3).filter(|&seat| !self.out[seat])
    }

    /// Moves all, once the last has answered.
    fn step(&mut self) {
        if self.in_play().all(|seat| self.pending[seat].is_some()) {
            self.last = std::mem::take(&mut self.pending).map(Option::unwrap_or_default);
            (0..3).for_each(|seat| self.at[seat] += self.last[seat]);
            self.rounds += 1;
        }
    }
}

impl Referee for Walkers {
    fn init(&self, _: Seat) -> String {
        String::new()
    }

    fn asked(&self) -> Vec<Seat> {
        let free = self.in_play().filter(|&seat| self.pending[seat].is_none());
        free.filter(|_| self.rounds < 2).collect()
    }

    fn turn(&self, seat: Seat) -> String {
        format!("{}\n", self.at[seat])
    }

    fn answer(&mut self, seat: Seat, line: &str) -> Result<(), Fault> {
        self.pending[seat] = Some(line.parse().map_err(|_| "a number")?);
        self.step();
        Ok(())
    }

    fn move_of(&self, _: Seat, line: &str) -> Result<String, Fault> {
        Ok(line.to_owned())
    }

    fn open(&mut self, _: &str) -> Result<(), IllegalMove> {
        Err("no opening".into())
    }

    fn forfeit(&mut self, seat: Seat) {
        self.out[seat] = true;
        self.step();
    }

    fn scores(&self) -> Vec<i64> {
        self.at.to_vec()
    }

    fn moves(&self) -> String {
        String::new()
    }

    fn show(&self) -> String {
        format!("{:?}", self.at)
    }

    fn quantities(&self) -> Vec<Quantity> {
        let steps = Quantity::new("steps", self.at.map(|at| at as f64)).in_unit("m");
        vec![steps, Quantity::new("rounds", [self.rounds as u32])]
    }

    /// Discs, and lines over the last steps.
    fn draw(&self) -> Drawing {
        let mut drawing = Drawing::new(20.0, 3.0);
        for (seat, &at) in self.at.iter().enumerate() {
            let (x, y) = (at as f32, seat as f32 + 0.5);
            drawing.shapes.push(Shape::Disc([x, y, 0.4], Paint::Shade));
            if self.rounds > 0 {
                drawing.line(&[[x - self.last[seat] as f32, y], [x, y]], 0.1, Paint::Last);
            }
        }
        drawing
    }

    fn legal_moves(&self, _: Seat) -> Vec<String> {
        vec!["1".to_owned()]
    }
}

/// Seat 1 fails in its second turn.
fn viewed() -> Viewed {
    let log = |seat: usize, text: &str| {
        let name = format!("1.p{seat}.log");
        (name.clone().into(), Log::parse(name, text.as_bytes()).unwrap())
    };
    let logs = vec![
        log(0, "> 0\n< 3\n! depth 2, score 10, 9 nodes\n> 3\n< 4\n! depth 2, score 20, 9 nodes\n"),
        log(1, "> 0\n< 5\n! depth 2, score -30, 9 nodes\n> 5\n< x\n! what is this?\n"),
        log(2, "> 0\n< 1\n> 1\n< 1\n"),
    ];
    let fault = RecordedFault {
        seat: 1,
        turn: 2,
        after_answer: false,
        ending: "protocol".to_owned(),
        expected: "a number".to_owned(),
        received: "\"x\"".to_owned(),
        stderr: String::new(),
    };
    let fields = Fields { faults: vec![fault], ending: Some("protocol".to_owned()), ..Fields::default() };
    let source = Source {
        name: "1".to_owned(),
        path: "1".into(),
        form: Form::Dialogues(logs),
        fields,
        cuts: Vec::new(),
    };
    game::view(&source, Some(&Walk), &[]).unwrap()
}

#[test]
fn seats_that_are_asked_together_have_a_turn_each_in_one_round() {
    let viewed = viewed();
    assert!(viewed.notes.is_empty(), "it agrees with the rules: {:?}", viewed.notes);
    let turns =
        viewed.turns.iter().map(|turn| (turn.seat, turn.round, turn.text.as_str())).collect::<Vec<_>>();
    let second = "[3, 5, 1]";
    assert_eq!(
        turns,
        [
            (0, 1, "[0, 0, 0]"),
            (1, 1, "[0, 0, 0]"),
            (2, 1, "[0, 0, 0]"),
            (0, 2, second),
            (1, 2, second),
            (2, 2, second)
        ]
    );
    assert_eq!(viewed.label(4), "turn 4 (round 2)");
    let failed = &viewed.turns[4];
    assert_eq!(failed.failure.as_deref(), Some("protocol: expected a number; received \"x\""));
    assert_eq!((failed.said.as_str(), failed.sent.as_str()), ("what is this?", "5"));
    assert_eq!(
        (viewed.end.unwrap().1.as_str(), viewed.scores),
        ("[7, 5, 2]", vec![7, 5, 2]),
        "the others go on"
    );
}

#[test]
fn what_was_played_is_marked_by_the_drawing_after_the_round() {
    let viewed = viewed();
    let line = |at: usize, row: usize| match &viewed.turns[at].marks[row] {
        Shape::Line(points, ..) => [points[0][0], points[1][0]],
        other => panic!("{other:?}"),
    };
    assert_eq!([line(0, 1), line(1, 1), line(3, 0)], [[0.0, 5.0], [0.0, 5.0], [3.0, 7.0]]);
    assert!(viewed.turns[4].marks.is_empty(), "nothing was played");
}

#[test]
fn the_page_of_many_seats_assumes_no_order() {
    let mut viewed = viewed();
    viewed.colours = vec![2, 0, 1];
    let page = page(&[viewed], &Heading::default(), &|_, _| Vec::new()).unwrap();
    assert!(page.contains("<h1>seat 0 beat seat 1 and seat 2 (protocol)</h1>"), "{page}");
    assert!(page.contains("style=\"--s0:var(--p2);--s1:var(--p0);--s2:var(--p1);--s3:var(--p3);"), "{page}");
    assert!(page.contains("<a href=\"#turn=5\">turn 5 (round 2)</a> seat 1 failed: protocol"), "{page}");
    assert!(
        page.contains("<title>turn 2 (round 1), seat 1 5: score -30</title>"),
        "not turned round: {page}"
    );
    assert!(page.contains("\"opens\":5"));
}

#[test]
fn a_contests_quantities_have_a_line_for_each_seat_or_one_for_all() {
    let charts = charts(&viewed(), "turn=", &[]);
    let titles = charts.iter().map(|chart| chart.title.as_str()).collect::<Vec<_>>();
    assert_eq!(titles, ["score", "steps (m)", "rounds", "depth", "nodes"]);
    let (steps, rounds) = (&charts[1], &charts[2]);
    assert_eq!(steps.keys.iter().map(|key| key.mark).collect::<Vec<_>>(), ["line", "line", "line", "bar"]);
    let points = |chart: &str, title: &str| chart.matches(&format!("<title>{title}</title>")).count();
    assert_eq!(points(&steps.svg, "turn 4 (round 2): steps 5 m"), 1, "seat 1: {}", steps.svg);
    assert_eq!(points(&steps.svg, "turn 5 (round 2): steps 5 m"), 0, "a round has one position");
    assert_eq!(points(&steps.svg, "end: steps 7 m"), 1, "seat 0");
    assert_eq!(points(&rounds.svg, "end: rounds 2"), 1, "one line: {}", rounds.svg);
    assert_eq!(rounds.keys.iter().map(|key| key.mark).collect::<Vec<_>>(), ["bar"], "which has no bot");
}
