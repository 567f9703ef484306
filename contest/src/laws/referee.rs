//! Laws of a referee: it accepts the moves that it lists and no others, and its records can be replayed.

use std::collections::BTreeMap;

use coppice::Rng;

use super::agree;
use super::damage::damaged;
use crate::contest::{Contest, Setup};
use crate::drawing::Paint;
use crate::referee::{Referee, Seat};

/// Plays a random game from a random opening through a referee: listed moves are accepted and recorded, moves of earlier
/// positions that aren't listed any more are refused, and the record replayed as an opening leads to the same position.
/// Returns the number of moves that the seats made.
///
/// # Panics
/// If the referee contradicts itself.
pub fn random_game(contest: &dyn Contest, seed: u64) -> usize {
    let mut rng = Rng::new(seed);
    let setup = Setup { seed, opening_plies: (seed % 3) as u32, limits: contest.limits() };
    let mut referee = contest.new_game(setup);
    let mut made = 0;
    let mut seen = vec![BTreeMap::new(); contest.seats()];
    let names = |referee: &dyn Referee| referee.quantities().iter().map(|all| all.name).collect::<Vec<_>>();
    let named = names(&*referee);
    loop {
        counts_quantities(contest, &*referee, &named);
        let (asked, before) = (referee.asked(), referee.moves());
        let mut answers = Vec::new();
        for &seat in &asked {
            let legal = lists_what_it_accepts(contest, &*referee, seat, &mut seen[seat]);
            let text = legal[rng.below(legal.len() as u32) as usize].clone();
            answers.push((seat, referee.answer_of(seat, &text), text));
        }
        if asked.is_empty() {
            return made;
        }
        assert!(
            !referee.show().ends_with('\n') && !referee.show().is_empty(),
            "broken: a drawing is not empty and has no final newline\n  {}: {:?}",
            contest.name(),
            referee.show()
        );
        for (seat, answer, text) in &answers {
            assert!(
                referee.mark(*seat, answer).iter().all(|shape| shape.paint() == Some(Paint::Last)),
                "broken: a move is marked in the colour of the last one\n  {}: {text} after {before}",
                contest.name()
            );
        }
        for (number, (seat, answer, _)) in (1..).zip(&answers) {
            referee.answer(*seat, answer).unwrap_or_else(|fault| {
                panic!("broken: a listed move is accepted\n  answer: {answer:?} of seat {seat} after {before}\n  {fault}")
            });
            let is_last = number == answers.len();
            let (is_new, last) =
                (("the moves are others", referee.moves() != before), ("all have answered", is_last));
            agree("a turn is recorded once all have answered", is_new, last, || {
                format!("  {}: {answers:?} after {before}", contest.name())
            });
        }
        made += answers.len();
        // Other parts of the turn may be moves that the referee made itself.
        let new = referee.moves().split_off(before.len());
        let word = new.split_whitespace().next().unwrap_or_default();
        let mut parts = if answers.len() == 1 { vec![word] } else { word.split('+').collect() }.into_iter();
        let is_part = |text: &String| parts.any(|part| part == text);
        assert!(
            answers.iter().map(|(_, _, text)| text).all(is_part),
            "broken: the answered moves are recorded\n  {}: recorded {word}, answered {answers:?}",
            contest.name()
        );
        let (again, own) = (reopened(contest, seed, &*referee).show(), referee.show());
        agree(
            "a game's moves lead to its position",
            ("its moves as an opening", again),
            ("the game", own),
            || format!("  {}: {}", contest.name(), referee.moves()),
        );
    }
}

/// Checks that a position has the quantities of these names, each with a number for every seat or one for all.
fn counts_quantities(contest: &dyn Contest, referee: &dyn Referee, names: &[&str]) {
    let found = referee.quantities();
    let place = || format!("  {}: after {}", contest.name(), referee.moves());
    let all = ("here", found.iter().map(|quantity| quantity.name).collect());
    agree("every position has the same quantities", all, ("at the start", names.to_vec()), place);
    for (at, quantity) in found.iter().enumerate() {
        let is_counted = [1, contest.seats()].contains(&quantity.values.len())
            && quantity.values.iter().all(|value| value.is_finite());
        assert!(
            is_counted && !names[..at].contains(&quantity.name),
            "broken: a quantity has a name of its own, and a number for every seat or one for all\n  {quantity:?}\n{}",
            place()
        );
    }
}

/// Checks a seat's list of legal moves, which it returns: they are accepted, and moves that were legal earlier in the game
/// (`seen`, with their answers) and aren't listed any more are refused.
fn lists_what_it_accepts(
    contest: &dyn Contest,
    referee: &dyn Referee,
    seat: Seat,
    seen: &mut BTreeMap<String, String>,
) -> Vec<String> {
    let (before, legal) = (referee.moves(), referee.legal_moves(seat));
    let unlisted = referee.unlisted_moves(seat);
    for (text, answer) in seen.iter().filter(|(text, _)| !legal.contains(text)) {
        let named = referee.move_of(seat, answer);
        // Other positions may write another move like this one.
        assert!(
            named.as_ref().map_or(true, |named| legal.contains(named) || unlisted.contains(named)),
            "broken: what isn't listed is refused\n  {}: {text}, answered {answer:?}, after {before} is accepted as {named:?}\n  \
             listed: {legal:?}",
            contest.name()
        );
    }
    seen.extend(legal.iter().map(|text| (text.clone(), referee.answer_of(seat, text))));
    for text in &legal {
        assert!(
            !text.is_empty() && !text.contains(char::is_whitespace),
            "broken: a move's name is one word\n  {}: {text:?} after {before}",
            contest.name()
        );
        referee.check(seat, &referee.answer_of(seat, text)).unwrap_or_else(|fault| {
            let answer = referee.answer_of(seat, text);
            panic!("broken: a listed move is legal\n  {}: {text}, answered {answer:?}, after {before}\n  {fault}", contest.name());
        });
    }
    legal
}

/// Replays all moves of a game as the opening of another with the same seed. A move may trigger further ones.
fn reopened(contest: &dyn Contest, seed: u64, game: &dyn Referee) -> Box<dyn Referee> {
    let mut referee = contest.new_game(Setup { seed, opening_plies: 0, limits: contest.limits() });
    let moves = game.moves();
    while let Some(text) = moves.split_whitespace().nth(referee.moves().split_whitespace().count()) {
        assert!(
            referee.open("what").is_err(),
            "broken: an opening's move is legal\n  {}: `what`",
            contest.name()
        );
        referee.open(text).unwrap_or_else(|error| {
            panic!("broken: a game's moves can be its opening\n  {}: {error}", contest.name())
        });
    }
    let (again, own) = ((referee.moves(), referee.asked()), (moves, game.asked()));
    agree("a game's moves can be its opening", ("as an opening", again), ("in the game", own), || {
        format!("  {}", contest.name())
    });
    // A seat that joins only now gets the same position as one that played.
    if let Some(&seat) = referee.asked().first() {
        let answer = referee.answer_of(seat, &referee.legal_moves(seat)[0]);
        let (read, listed) =
            (referee.move_of(seat, &answer).ok(), referee.legal_moves(seat).into_iter().next());
        agree("an answer is the move for which it was made", ("`move_of`", read), ("listed", listed), || {
            format!("  {}: {answer:?}", contest.name())
        });
    }
    referee
}

/// Plays a random game in which every answer is preceded by damaged ones. The referee refuses an answer and stays as it
/// was, or accepts one that is legal. Returns the number of refusals.
///
/// # Panics
/// If it does neither.
pub fn refuses_garbage(contest: &dyn Contest, seed: u64) -> usize {
    let mut rng = Rng::new(seed);
    let setup = Setup { seed, opening_plies: (seed % 3) as u32, limits: contest.limits() };
    let mut referee = contest.new_game(setup);
    let mut refused = 0;
    while let Some(&seat) = referee.asked().first() {
        let (legal, unlisted) = (referee.legal_moves(seat), referee.unlisted_moves(seat));
        let right = referee.answer_of(seat, &legal[rng.below(legal.len() as u32) as usize]);
        for _ in 0..4 {
            let answer = damaged(&right, &mut rng);
            let state = |referee: &dyn Referee| (referee.moves(), referee.asked(), referee.show());
            let before = state(&*referee);
            let checked = referee.check(seat, &answer);
            let named = referee.move_of(seat, &answer);
            let place = || format!("  {}: {answer:?}", contest.name());
            let (check, name) = (("`check`", checked.is_ok()), ("`move_of`", named.is_ok()));
            agree("`check` and `move_of` accept the same", check, name, place);
            let after = ("after it", state(&*referee));
            agree("`check` changes nothing", after, ("before", before.clone()), place);
            match named {
                Ok(text) => {
                    let is_legal = legal.contains(&text) || unlisted.contains(&text);
                    assert!(
                        is_legal,
                        "broken: only legal moves are accepted\n  move: {text}, of {legal:?}\n{}",
                        place()
                    );
                }
                Err(_) => {
                    let is_refused = referee.answer(seat, &answer).is_err();
                    assert!(is_refused, "broken: `answer` refuses what `check` refuses\n{}", place());
                    let after = ("after it", state(&*referee));
                    agree("a refused answer changes nothing", after, ("before", before), place);
                    refused += 1;
                }
            }
        }
        referee.answer(seat, &right).expect("a legal move");
    }
    refused
}
