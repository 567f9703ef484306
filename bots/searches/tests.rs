//! Tests sessions for every contest and every search.

use std::io::{BufReader, Read};
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::{channel, Receiver, Sender};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use bots::tictactoe::Board;
use coppice::input::InputError;
use coppice::search::Threshold;
use coppice::tree::Status;
use coppice::{Budget, Game, Report, Rng, Score, Search};

use contest::serve::{AnswerTime, ServeSettings};
use contest::session::{GameSearches, Offer, Searches, Session, SessionSettings, STACK_BYTES};
use contest::{Contest, Setup};

fn settings() -> SessionSettings {
    SessionSettings { pool_bytes: Some(1 << 20), ..SessionSettings::default() }
}

fn open(contest: &dyn Contest, search: &str) -> Box<dyn Session> {
    open_game(contest, search, 0)
}

/// A session of the game that a seed starts.
fn open_game(contest: &dyn Contest, search: &str, game_seed: u64) -> Box<dyn Session> {
    contest.session(search, &SessionSettings { game_seed, ..settings() }).expect("a session")
}

/// Plays a game of random moves with occasional searches; checks that the session and the referee agree.
fn a_game(contest: &dyn Contest, search: &str, seed: u64) {
    let mut session = open_game(contest, search, seed);
    let limits = contest.limits();
    let mut referee = contest.new_game(Setup { seed, opening_plies: 0, limits });
    let mut rng = Rng::new(seed);
    while let Some(seat) = session.to_move() {
        let legal = session.moves();
        if legal != ["pass"] {
            assert_eq!(session.show(), referee.show(), "{} {search}", contest.name());
        }
        // Some turns begin after their deadline: the search has kept the tree of an earlier position.
        let budget = match session.played().len() % 7 {
            0 => Some(Budget::nodes(300)),
            2 | 3 => Some(Budget::until(Instant::now())),
            _ => None,
        };
        if let Some(budget) = budget {
            let thought = session.think(budget);
            assert_eq!(thought.best.as_ref(), thought.line.first());
            assert!(legal.contains(thought.best.as_ref().expect("a move")));
            let end = session.look(&thought.line).expect("a line of legal moves");
            assert!(thought.line.len() < 2 || end.to_move != Some(seat) || !end.shown.is_empty());
        }
        let pick = legal[rng.below(legal.len() as u32) as usize].clone();
        session.play(&pick).expect("a legal move");
        // The referee plays passes itself.
        if pick != "pass" {
            assert_eq!(referee.legal_moves(seat), legal);
            referee.answer(seat, &referee.answer_of(seat, &pick)).expect("a legal move");
        }
    }
    assert!(referee.asked().is_empty());
    assert_eq!(session.scores(), referee.scores());
    assert_eq!(session.played().join(" "), referee.moves());
    assert_eq!(session.think(Budget::nodes(10)).best, None);
    session.take_back_to(0);
    assert_eq!(session.moves(), open_game(contest, search, seed).moves());
}

#[test]
fn a_session_and_the_referee_agree() {
    // A puzzle's referee receives all cells at once; the orders of pods and landers can't be listed: see below.
    let others = ["sudoku", "podracing", "lander"];
    for contest in bots_searches::contests().iter().filter(|contest| !others.contains(&contest.name())) {
        let all = || {
            (1..).zip(contest.search_list()).for_each(|(seed, search)| a_game(*contest, search.name, seed))
        };
        let thread = std::thread::Builder::new().stack_size(STACK_BYTES);
        std::thread::scope(|scope| {
            thread.spawn_scoped(scope, all).expect("a thread").join().expect("no panic")
        });
    }
}

/// A search that another thread has ended before it began, also in a first turn, which may think longer.
#[test]
fn every_search_stops_when_it_is_told_to() {
    static STOP: AtomicBool = AtomicBool::new(true);
    let all = || {
        for contest in bots_searches::contests() {
            for search in contest.search_list() {
                let mut session = open(*contest, search.name);
                for _ in 0..2 {
                    let thought = session.think(Budget::nodes(10_000_000).unless(&STOP));
                    let best = thought.best.expect("a move");
                    assert!(thought.nodes < 100_000, "{} {}: {}", contest.name(), search.name, thought.nodes);
                    session.play(&best).expect("a legal move");
                }
            }
        }
    };
    let thread = std::thread::Builder::new().stack_size(STACK_BYTES);
    std::thread::scope(|scope| thread.spawn_scoped(scope, all).expect("a thread").join().expect("no panic"));
}

#[test]
fn a_session_without_listed_moves_and_the_referee_agree() {
    let contest = bots_searches::contest("podracing").expect("a contest");
    for search in contest.search_list() {
        let settings = SessionSettings { game_seed: 3, ..settings() };
        let mut session = contest.session(search.name, &settings).expect("a session");
        let mut referee = contest.new_game(Setup { seed: 3, opening_plies: 0, limits: contest.limits() });
        let mut rng = Rng::new(3);
        for turn in 0..12 {
            for seat in referee.asked() {
                assert_eq!(session.to_move(), Some(seat));
                let legal = referee.legal_moves(seat);
                let pick = match turn % 4 {
                    0 => session.think_for(seat, Budget::nodes(60)).best.expect("orders"),
                    _ => legal[rng.below(legal.len() as u32) as usize].clone(),
                };
                session.play(&pick).expect("legal orders");
                referee.answer(seat, &referee.answer_of(seat, &pick)).expect("legal orders");
            }
            assert_eq!((session.show(), session.played().join(" ")), (referee.show(), referee.moves()));
        }
    }
}

#[test]
fn a_puzzle_is_solved_cell_by_cell() {
    let contest = bots_searches::contest("sudoku").expect("a contest");
    let easy = "530070000600195000098000060800060003400803001700020006060000280000419005000080079";
    let easy = contest.variant(easy).expect("a variant");
    for info in contest.search_list() {
        let mut session = match info.name {
            "minimax-pairs" => open(easy.as_ref(), info.name),
            name => open(contest, name),
        };
        let empty = session.show().matches('.').count();
        let thought = session.think(Budget::nodes(100_000));
        assert!(thought.solved && thought.score.is_win(), "{}: {thought:?}", info.name);
        while let Some(best) = session.think(Budget::nodes(100_000)).best {
            session.play(&best).expect("a legal move");
        }
        let ended = (session.played().len(), session.to_move(), session.scores());
        assert_eq!(ended, (empty, None, vec![1]), "{}", info.name);
    }
}

/// A search that says which position it is asked about.
struct Told(Sender<u64>);

impl Search<Board> for Told {
    fn search(&mut self, game: &Board, _: Budget) -> Report<u8> {
        // The receiver is gone once the test has ended.
        let _ = self.0.send(game.hash());
        Report::ended(Score::DRAW)
    }
}

/// An input whose first byte comes once the search was asked.
struct AfterAsked(Receiver<u64>);

impl Read for AfterAsked {
    fn read(&mut self, _: &mut [u8]) -> std::io::Result<usize> {
        let asked = self.0.recv_timeout(Duration::from_secs(60)).expect("the search ponders the start");
        assert_eq!(asked, Board::START.hash());
        Ok(0)
    }
}

#[test]
fn a_served_search_ponders_before_its_first_turn() {
    let (sender, asked) = channel();
    let sender = Mutex::new(sender);
    let told = Offer::new("told", "", move |_, _| Told(sender.lock().expect("a sender").clone()));
    let searches = GameSearches::new(&Board::START, vec![told]).served_by(|_, make, input, _| {
        let _served = make(&Board::START);
        assert_eq!(input.fill_buf().map_err(InputError::Io)?, b"");
        Ok(())
    });
    let settings = ServeSettings {
        session: settings(),
        nodes: None,
        ponder: true,
        time: AnswerTime::AtMost(Duration::from_secs(1)),
        position: None,
    };
    let mut input = BufReader::new(AfterAsked(asked));
    searches.serve("told", &settings, &mut input, &mut std::io::sink()).expect("the end");
}

/// A game's seed decides the puzzle, for sessions as for referees.
#[test]
fn sessions_of_puzzles_follow_the_seed() {
    let contest = bots_searches::contest("sudoku").expect("a contest");
    let shown = |seed| open_game(contest, "bands", seed).show();
    assert_ne!(shown(1), shown(2));
    let referee = contest.new_game(Setup { seed: 2, opening_plies: 0, limits: contest.limits() });
    assert_eq!(
        shown(2).split_whitespace().collect::<String>(),
        referee.show().split_whitespace().collect::<String>()
    );
}

/// Players that do tasks alone are searches too, so that they can be debugged and matched.
#[test]
fn players_of_tasks_have_sessions() {
    for name in ["sudoku", "lander"] {
        let contest = bots_searches::contest(name).expect("a contest");
        let names =
            |list: Vec<contest::session::SearchInfo>| list.iter().map(|info| info.name).collect::<Vec<_>>();
        let players = names(contest.single_player().expect("tasks").players());
        assert_eq!(names(contest.search_list()), players, "{name}");
        for player in players {
            let mut session = open(contest, player);
            let best = session.think(Budget::nodes(200)).best.expect("a move");
            session.play(&best).expect("a legal move");
        }
    }
}

#[test]
fn variants_have_sessions() {
    let mnk = bots_searches::contest("mnk").expect("a contest").variant("3,3,3").expect("a variant");
    let mut session = open(mnk.as_ref(), "alpha-beta");
    assert_eq!(session.moves().len(), 9);
    let thought = session.think(Budget::nodes(1_000_000));
    assert!(thought.solved && thought.score.value() == 0);
}

#[test]
fn a_closed_tree_proves_tic_tac_toe_a_draw() {
    let contest = bots_searches::contest("tictactoe").expect("a contest");
    for search in ["minimax", "mcts", "mcts-graph", "best-first"] {
        let mut session = contest
            .session(search, &SessionSettings { pool_bytes: Some(32 << 20), ..SessionSettings::default() })
            .expect("a session");
        let thought = session.think(Budget::nodes(3_000_000));
        assert!(thought.solved && thought.score.value() == 0, "{search}: {thought:?}");
        assert!(thought.nodes < 1_000_000, "{search} goes on after the root is closed: {thought:?}");
        let root = session.look(&[]).expect("the root");
        assert_eq!(root.node.status, Some(Status::Closed), "{search}");
        assert_eq!(root.children.len(), 9);
        assert_eq!(root.children.iter().filter(|child| child.is_best).count(), 1, "{search}");
        assert_eq!(root.line.first(), thought.best.as_ref(), "{search}");
        let memory = session.memory().expect("a tree");
        assert!(memory.live > 1 && memory.live <= memory.capacity, "{search}");
        // After one move the tree is kept, and nothing remains to be searched.
        let best = thought.best.expect("a move");
        session.play(&best).expect("a legal move");
        let next = session.think(Budget::nodes(3_000_000));
        assert!(next.solved && next.score.value() == 0, "{search}");
    }
}

#[test]
fn only_minimax_has_thresholds() {
    let contest = bots_searches::contest("reversi").expect("a contest");
    let mut session = open(contest, "minimax");
    assert_eq!(session.threshold(), None);
    session.set_threshold(Threshold::Fixed(0)).expect("it prunes siblings");
    session.think(Budget::nodes(2000));
    assert_eq!(session.threshold(), Some(0));
    let pruned = |session: &dyn Session, path: &[String]| {
        let look = session.look(path).expect("a path");
        look.children.iter().filter(|child| child.status == Some(Status::Pruned)).count()
    };
    let best = session.look(&[]).expect("the root").line[0].clone();
    assert_eq!(pruned(session.as_ref(), &[]), 0, "the root's children never are");
    assert!(pruned(session.as_ref(), &[best]) > 0);
    assert!(open(contest, "mcts").set_threshold(Threshold::Fixed(1)).is_err());
}

/// The engine's searches obey their parameters.
#[test]
fn the_engines_searches_can_be_tuned() {
    let thought = |search: &str, numbers: &[(&str, &str)], nodes: u64| {
        let parameters = numbers.iter().map(|&(name, value)| (name.to_owned(), value.to_owned())).collect();
        let settings = SessionSettings { parameters, ..settings() };
        let contest = bots_searches::contest("mancala").expect("a contest");
        let mut session = contest.session(search, &settings).expect("a session");
        (session.think(Budget::nodes(nodes)), session.threshold())
    };
    assert_eq!(thought("alpha-beta", &[("depth", "5")], u64::MAX).0.depth, 5);
    assert!(thought("alpha-beta", &[], 100_000).0.depth > 5);
    assert_eq!(thought("minimax", &[("threshold", "3")], 1_000).1, Some(3));
    assert_eq!(thought("minimax", &[], 1_000).1, None);
    let deep = thought("minimax", &[("threshold", "3")], 5_000).0.depth;
    let level = thought("minimax", &[("breadth_first", "1")], 5_000).0.depth;
    assert!(deep > level, "{deep} {level}");
    let bounded = thought("minimax", &[("depth", "3"), ("breadth_first", "1")], 5_000).0;
    assert!(bounded.depth <= 3 && bounded.nodes < 1_000, "{bounded:?}");
    assert_ne!(thought("mcts", &[("exploration", "0.05")], 2_000).0, thought("mcts", &[], 2_000).0);
    let contracting = thought("minimax", &[("threshold", "20"), ("contract_to", "2")], 5_000).1;
    assert!(contracting.is_some_and(|now| (2..6).contains(&now)), "{contracting:?}");
    let expanding = [("threshold", "1"), ("expand", "1"), ("depth", "3")];
    assert!(thought("minimax", &expanding, 100_000).1 > Some(1));
    let shuffled = |seed| {
        let parameters =
            [("depth", "6"), ("shuffled", "1")].map(|(name, value)| (name.to_owned(), value.to_owned()));
        let settings = SessionSettings { parameters: parameters.to_vec(), seed, ..settings() };
        let contest = bots_searches::contest("mancala").expect("a contest");
        contest.session("alpha-beta", &settings).expect("a session").think(Budget::nodes(u64::MAX))
    };
    assert_eq!(shuffled(1).score, shuffled(2).score, "the order of the moves doesn't change the value");
    assert_ne!(shuffled(1).nodes, shuffled(2).nodes);
}

#[test]
fn a_pool_can_be_given_in_nodes() {
    let contest = bots_searches::contest("mancala").expect("a contest");
    let session = |search: &str, nodes| {
        let settings = SessionSettings { pool_nodes: Some(nodes), ..SessionSettings::default() };
        contest.session(search, &settings)
    };
    for search in ["minimax", "minimax-own", "mcts", "best-first", "miniframe-mcts"] {
        let mut session = session(search, 500).expect("a session");
        let thought = session.think(Budget::nodes(2_000));
        let memory = session.memory().expect("a tree");
        assert!(memory.capacity == 500 && memory.live > 400, "{search}: {memory:?}, {thought:?}");
    }
    let error = session("alpha-beta", 500).err().expect("a table").to_string();
    assert!(error.contains("alpha-beta has no pool whose nodes are counted"), "{error}");
    let error = session("mcts", usize::MAX / 8).err().expect("too large").to_string();
    assert!(error.contains("no memory for a pool"), "{error}");
}

#[test]
fn errors_name_their_cause() {
    let contest = bots_searches::contest("tictactoe").expect("a contest");
    let mut session = open(contest, "bot");
    let legal = "expected one of 0,0, 0,1, 0,2, 1,0, 1,1, 1,2, 2,0, 2,1, 2,2";
    assert_eq!(session.play("3,3").unwrap_err().to_string(), format!("\"3,3\" is not a legal move; {legal}"));
    assert!(session.played().is_empty());
    ["0,0", "1,0", "0,1", "1,1", "0,2"].iter().for_each(|m| session.play(m).expect("legal"));
    assert_eq!((session.to_move(), session.scores()), (None, vec![1, 0]));
    assert_eq!(session.play("2,2").unwrap_err().to_string(), "\"2,2\" can't be played: the game is over");
    let unknown = contest.session("magic", &settings()).err().expect("an error").to_string();
    assert!(unknown.starts_with("no search \"magic\"; available: bot, alpha-beta, minimax"), "{unknown}");
    let parameters = vec![("depth".to_owned(), "3".to_owned())];
    let refused = contest.session("flat", &SessionSettings { parameters, ..settings() }).err();
    let said = refused.expect("an error").to_string();
    assert_eq!(said, "the search flat: no tunable depth; this bot has no parameters");
}

#[test]
fn parameters_are_set_by_name_or_rejected() {
    let session = |name: &str, value: &str| {
        let parameters = vec![(name.to_owned(), value.to_owned())];
        let settings = SessionSettings { parameters, ..settings() };
        bots_searches::contest("uttt").expect("a contest").session("playouts", &settings).map(drop)
    };
    assert_eq!(session("exploration", "1.5"), Ok(()));
    let said = session("exploration", "-1").expect_err("out of range").to_string();
    assert_eq!(said, "the search playouts: exploration=-1: expected a number from 0.05 to 2.5");
    assert!(session("exploratio", "1").is_err());
}

/// Every tunable parameter accepts its minimum and maximum.
#[test]
fn tunables_can_be_set_to_their_limits() {
    let mut count = 0;
    for contest in bots_searches::contests() {
        for search in contest.search_list() {
            for tunable in search.tunables {
                assert!(tunable.min < tunable.max && (tunable.min..=tunable.max).contains(&tunable.value));
                for value in [tunable.min, tunable.max] {
                    let parameters = vec![(tunable.name.to_owned(), value.to_string())];
                    let settings = SessionSettings { parameters, ..settings() };
                    let mut session = contest.session(search.name, &settings).expect("a session");
                    assert!(session.think(Budget::nodes(50)).best.is_some());
                    count += 1;
                }
            }
        }
    }
    assert!(count >= 18, "{count}");
}
