use std::fs;

use super::*;
use contest::FaultKind;

fn game(contest: &dyn Contest, opening_plies: u32) -> Box<dyn Referee> {
    contest.new_game(Setup { seed: 3, opening_plies, limits: contest.limits() })
}

#[test]
fn a_landing_gives_the_litres_left_and_anything_else_nothing() {
    let case = Case::read("low", "2\n0 100\n6999 100\n2500 150 0 0 50 0 0\n").expect("a case");
    let contest = LanderContest::of(case);
    let mut falling = game(&contest, 0);
    assert_eq!(falling.turn(0), "2500 150 0 0 50 0 0\n");
    while !falling.asked().is_empty() {
        falling.answer(0, "0 1").expect("an answer");
    }
    // 50 m at 3.711 - 1 m/s² take 6.07 s.
    assert_eq!((falling.scores(), falling.moves().as_str()), (vec![43], "0,1 0,1 0,1 0,1 0,1 0,1 0,1"));
    assert!(falling.show().ends_with("landed with 43 litres left"), "{}", falling.show());
    let mut leaning = game(&contest, 0);
    while !leaning.asked().is_empty() {
        leaning.answer(0, "90 4").expect("an answer");
    }
    assert_eq!(leaning.scores(), [LOST]);
    let mut late = game(&contest, 0);
    late.forfeit(0);
    assert_eq!((late.asked(), late.scores()), (vec![], vec![LOST]));
}

/// Falls without thrust over a plain at 100 m.
#[test]
fn speeds_are_judged_as_shown_unless_strict() {
    let score = |name: &str, y: i32, v_speed: i32| {
        let text = format!("2\n0 100\n6999 100\n2500 {y} 20 {v_speed} 50 0 0\n");
        let file = std::env::temp_dir().join(format!("lander-judged-{}.txt", std::process::id()));
        fs::write(&file, text).expect("a file");
        let contest = LANDER.variant(&format!("{name}{}", file.display())).expect("a variant");
        fs::remove_file(&file).expect("the file");
        let mut falling = game(&*contest, 0);
        while !falling.asked().is_empty() {
            falling.answer(0, "0 0").expect("an answer");
        }
        (contest.name().starts_with("lander:strict:"), falling.scores()[0])
    };
    // It lands at 39.7 m/s, at 40.42, which is shown as 40, and at 41.4.
    let both = |y, v_speed| ["", STRICT].map(|name| score(name, y, v_speed));
    assert_eq!(both(120, -36), [(false, 50), (true, 50)]);
    assert_eq!(both(170, -33), [(false, 50), (true, LOST)]);
    assert_eq!(both(170, -34), [(false, LOST), (true, LOST)]);
}

#[test]
fn orders_out_of_reach_are_followed_as_far_as_it_goes() {
    let contest = LANDER.variant("2.2").expect("a variant");
    assert_eq!(contest.name(), "lander:2.2");
    let mut referee = game(&*contest, 0);
    assert_eq!(referee.move_of(0, "-90 4").as_deref(), Ok("75,1"));
    referee.answer(0, "-90 4").expect("an answer");
    assert_eq!(referee.moves(), "75,1");
    assert_eq!(referee.legal_moves(0).len(), 31 * 3);
    assert_eq!(referee.check(0, "0 5").expect_err("too much").kind, FaultKind::Protocol);
    assert_eq!(read_moves("75,1 -3,0").map(|orders| orders.len()), Some(2));
    assert_eq!(read_moves("75,1 -3"), None);
}

#[test]
fn openings_are_flown_before_anybody_is_asked() {
    let referee = game(&LANDER, 4);
    assert_eq!(referee.moves().split_whitespace().count(), 4);
    assert_ne!(referee.turn(0), game(&LANDER, 0).turn(0));
}

#[test]
fn variants_are_cases_terrains_and_files() {
    let file = std::env::temp_dir().join(format!("lander-variant-{}.txt", std::process::id()));
    let case = Terrain::Hard.case(5);
    fs::write(&file, format!("\u{feff}{}", case.text())).expect("a file");
    let contest = LANDER.variant(file.to_str().expect("a name")).expect("a variant");
    let sent = |contest: &dyn Contest| game(contest, 0).init(0) + &game(contest, 0).turn(0);
    assert_eq!(sent(&*contest), case.text());
    fs::write(&file, "2\n0 1\n").expect("a file");
    let said = LANDER.variant(file.to_str().expect("a name")).err().expect("cut off").to_string();
    assert!(said.contains("it ends too early"), "{said}");
    fs::remove_file(&file).expect("the file");
    let unknown = LANDER.variant("2.9").err().expect("an error").to_string();
    assert!(unknown.starts_with("expected one of 1.1, 2.1") && unknown.contains("found `2.9`"), "{unknown}");
    assert_ne!(sent(&*LANDER.variant("gentle").expect("a variant")), sent(&LANDER));
    let recorded = sent(&LANDER);
    let recorded = LANDER.recorded(&[recorded.lines().collect()]).expect("a case");
    assert_eq!(sent(&*recorded), sent(&LANDER));
    assert!(LANDER.recorded(&[vec!["0", "8"]]).is_none());
}

#[test]
fn orders_are_counted() {
    // From a lean of 0 and no thrust there are 31 leans and 2 thrusts, then 31 and 2 or 3.
    let contest = LANDER.variant("1.1").expect("a variant");
    let perft = contest.perft().expect("counts");
    assert_eq!((perft.count(0), perft.count(1), perft.count(2)), (1, 62, 31 * 31 * 5));
    let divided = perft.divide(2);
    assert_eq!((divided.len(), divided.iter().map(|(_, count)| count).sum()), (62, perft.count(2)));
    assert_eq!(divided[0].0, "-15,0");
}
