//! Tests `arena serve` and `arena connect` as programs, over real sockets.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::PathBuf;
use std::process::{Child, ChildStdout, Command, Output, Stdio};
use std::thread;
use std::time::Duration;

use crate::outside::built;
use crate::outside::processes::{interrupt, interruptible};
use serde_json::Value;

const ARENA: &str = env!("CARGO_BIN_EXE_arena");

/// A server process, killed on drop.
struct Server {
    child: Child,
    lines: BufReader<ChildStdout>,
    address: String,
}

impl Server {
    fn start(arguments: &[&str]) -> Server {
        let mut child = interruptible(&mut Command::new(ARENA))
            .arg("serve")
            .args(arguments)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap());
        let mut line = String::new();
        lines.read_line(&mut line).unwrap();
        let address = line.trim().strip_prefix("listening on ").unwrap().to_owned();
        Server { child, lines, address }
    }

    fn connect(&self) -> Client {
        let stream = TcpStream::connect(&self.address).unwrap();
        // A server that doesn't answer fails the test instead of blocking it.
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        Client { lines: BufReader::new(stream.try_clone().unwrap()), stream }
    }

    /// Waits for the server to exit; returns its exit code and remaining output.
    fn end(mut self) -> (Option<i32>, String) {
        let mut rest = String::new();
        self.lines.read_to_string(&mut rest).unwrap();
        (self.child.wait().unwrap().code(), rest)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

struct Client {
    stream: TcpStream,
    lines: BufReader<TcpStream>,
}

impl Client {
    fn send(&mut self, text: &str) {
        self.stream.write_all(text.as_bytes()).unwrap();
    }

    /// Reads a line; empty at the end.
    fn line(&mut self) -> String {
        let mut line = String::new();
        self.lines.read_line(&mut line).unwrap();
        line.trim_end().to_owned()
    }

    fn ask(&mut self, text: &str) -> String {
        self.send(text);
        self.line()
    }
}

fn arena(arguments: &[&str]) -> Output {
    Command::new(ARENA).args(arguments).stdin(Stdio::null()).output().unwrap()
}

/// Plays games with limits that even a busy machine keeps.
fn play(arguments: &[&str]) -> Output {
    arena(&[&["play", "--json", "--first-ms", "60000", "--later-ms", "60000"], arguments].concat())
}

/// Tic-tac-toe's first turn: nine moves.
fn first_turn() -> String {
    let cells: String = (0..9).map(|cell| format!("{} {}\n", cell / 3, cell % 3)).collect();
    format!("-1 -1\n9\n{cells}")
}

#[test]
fn a_server_is_a_bot_for_every_command() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("address");
    let file = file.to_str().unwrap();
    let server = Server::start(&["tictactoe", "--addr-file", file, "--connections", "4"]);
    assert_eq!(fs::read_to_string(file).unwrap(), format!("{}\n", server.address));
    let by_address = shell_words::join([ARENA, "connect", &server.address]);
    let by_file = shell_words::join([ARENA, "connect", "--addr-file", file]);
    let output = play(&["tictactoe", &by_address, &by_file, "--games", "2"]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    let games: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    for game in &games[..2] {
        assert_eq!((&game["ending"], &game["scores"]), (&"normal".into(), &serde_json::json!([0, 0])));
        assert_eq!(game["moves"].as_str().unwrap().split(' ').count(), 9);
    }
    assert_eq!(server.end(), (Some(0), "connections: 4\n".to_owned()));
}

#[test]
fn a_pondering_server_plays_by_the_rules() {
    let options = ["--ponder", "--pool-mb", "8", "--connections", "2"];
    for (contest, search) in [("reversi", "bot"), ("mancala", "mcts"), ("uttt", "minimax")] {
        let server =
            Server::start(&[&[contest, "--search", search, "--nodes", "300"][..], &options].concat());
        let bot = shell_words::join([ARENA, "connect", &server.address]);
        let output = play(&[contest, &bot, &bot, "--openings", "6"]);
        let text = String::from_utf8(output.stdout).unwrap();
        let game: Value = serde_json::from_str(text.lines().next().unwrap()).unwrap();
        assert_eq!(
            (&game["ending"], &game["faults"]),
            (&"normal".into(), &serde_json::json!([])),
            "{contest}"
        );
        assert_eq!(server.end(), (Some(0), "connections: 2\n".to_owned()));
    }
}

#[test]
fn bots_that_play_alone_are_served() {
    let moves = |contest: &str, bot: &str| {
        let output = play(&[contest, bot]);
        let text = String::from_utf8(output.stdout).unwrap();
        let game: Value = serde_json::from_str(text.lines().next().unwrap()).unwrap();
        assert_eq!(game["ending"], "normal", "{contest}, {bot}: {game}");
        game["moves"].as_str().unwrap().to_owned()
    };
    for (contest, served) in [("lander", "bot"), ("sudoku", "bands")] {
        let server = Server::start(&[contest, "--search", served, "--nodes", "300", "--connections", "1"]);
        let client = shell_words::join([ARENA, "connect", &server.address]);
        let program = shell_words::quote(built(contest).to_str().unwrap()).into_owned() + " --nodes 300";
        assert_eq!(moves(contest, &client), moves(contest, &program), "{contest}");
        assert_eq!(server.end(), (Some(0), "connections: 1\n".to_owned()));
        let ponders = arena(&["serve", contest, "--search", served, "--ponder"]);
        let said = String::from_utf8_lossy(&ponders.stderr).into_owned();
        assert!(said.contains("can't ponder: no other player has a turn"), "{said}");
    }
    let server = Server::start(&["sudoku", "--search", "minimax"]);
    let said = server.connect().line();
    assert!(said.starts_with("error no player by its protocol for the search minimax"), "{said}");
}

/// A browser of a served page: `path` is below the page's folder.
fn browse(page: &str, path: &str) -> (String, String) {
    let (host, folder) = page.strip_prefix("http://").unwrap().split_once('/').unwrap();
    let mut stream = TcpStream::connect(host).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
    stream.write_all(format!("GET /{folder}{path} HTTP/1.1\r\nHost: {host}\r\n\r\n").as_bytes()).unwrap();
    let mut text = String::new();
    stream.read_to_string(&mut text).unwrap();
    let (head, body) = text.split_once("\r\n\r\n").unwrap();
    (head.lines().next().unwrap().to_owned(), body.to_owned())
}

/// The number of moves so far and of links in the list of a page.
fn counted(page: &str) -> (Option<usize>, usize) {
    let (_, body) = browse(page, "");
    let at = body.split("<li><a class=\"do\" href=\"play?at=").nth(1).and_then(|rest| rest.split('&').next());
    (at.and_then(|at| at.parse().ok()), body.matches("<li>").count())
}

#[test]
fn a_person_plays_in_a_browser() {
    let server = Server::start(&["tictactoe", "--web", "--search", "mcts", "--nodes", "100"]);
    let page = server.address.as_str();
    assert_eq!(counted(page), (Some(0), 9));
    let go = |path: &str| {
        let (status, _) = browse(page, path);
        assert_eq!(status, "HTTP/1.1 303 See Other", "{path}");
        counted(page)
    };
    assert_eq!(go("play?at=0&m=4"), (Some(2), 7), "the search has answered");
    assert_eq!(go("play?at=0&m=3"), (Some(2), 7), "the page was of an earlier position");
    assert_eq!(go("play?at=2&m=99"), (Some(2), 7));
    assert_eq!(go("hint"), (Some(2), 7));
    assert!(browse(page, "").1.contains("mcts would play "));
    assert_eq!(go("undo?at=2"), (Some(0), 9));
    assert_eq!(go("new?seat=1"), (Some(1), 8), "the search begins");
    // Other addresses have no page.
    let (status, _) = browse(page.trim_end_matches('/'), "x/");
    assert_eq!(status, "HTTP/1.1 404 Not Found");
    let mut over = counted(page);
    while let (Some(at), 1..) = over {
        over = go(&format!("play?at={at}&m=0"));
    }
    assert!(browse(page, "").1.contains("the game is over: "));
}

#[test]
fn every_contest_with_listed_moves_has_a_page_to_play_on() {
    for contest in ["mancala", "reversi", "sudoku", "boop", "tron:3"] {
        let server = Server::start(&[contest, "--web", "--nodes", "50"]);
        let (_, moves) = counted(&server.address);
        let (_, body) = browse(&server.address, "");
        assert!(moves > 0 && body.contains("<title>") && body.contains("tabindex=\"-1\""), "{contest}");
        browse(&server.address, "play?at=0&m=0");
        assert!(counted(&server.address).0 > Some(0), "{contest}");
    }
    // Alone, a person has all moves that fit, where a search looks at one cell; a digit may be a mistake.
    let puzzle = "sudoku:53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
    let server = Server::start(&[puzzle, "--web"]);
    assert!(counted(&server.address).1 > 81);
    browse(&server.address, "play?at=0&m=0");
    browse(&server.address, "hint");
    let (_, body) = browse(&server.address, "");
    assert!(body.contains("by bands the game is lost from here"), "{body}");
    for (words, said) in [
        (&["lander", "--web"][..], "the moves of lander can't be listed"),
        (&["reversi", "--web", "--ponder"], "cannot be used with"),
        (&["reversi", "--web", "--search", "none"], "no search \"none\""),
        (&["reversi", "--web", "--listen", "0.0.0.0:0"], "a page to play on is for this machine alone"),
    ] {
        let refused = arena(&[&["serve"], words].concat());
        assert_eq!(refused.status.code(), Some(2), "{words:?}");
        assert!(String::from_utf8_lossy(&refused.stderr).contains(said), "{refused:?}");
    }
}

#[test]
fn games_begin_in_a_position_of_the_server_or_of_the_client() {
    let text = "0,3,0,0,0,0,0/0,0,0,0,1,1,0 0";
    let (told, usual) = (Server::start(&["mancala"]), Server::start(&["mancala", "--position", text]));
    let (mut told, mut usual) = (told.connect(), usual.connect());
    assert_eq!(told.ask(&format!("position {text}\n")), "error position before init");
    for client in [&mut told, &mut usual] {
        assert_eq!(client.ask("init 6 4 0 1 150\n"), "ok");
    }
    assert!(told.ask("position 4,4\n").starts_with("error \"4,4\": expected the counters"));
    assert_eq!(told.ask(&format!("position {text}\n")), "ok");
    for client in [&mut told, &mut usual] {
        assert_eq!(client.ask("go\n"), "move 1");
    }
    assert!(usual.ask("init 3 4 0 1 150\n").starts_with("error"), "a position of another variant");
}

#[test]
fn clients_have_games_of_their_own() {
    let server = Server::start(&["mancala", "--nodes", "1000"]);
    let (mut one, mut two) = (server.connect(), server.connect());
    assert_eq!(one.ask("init 6 4 0 1 150\n"), "ok");
    assert_eq!(two.ask("init 6 4 0 0 150\n"), "ok");
    let answer = one.ask("go\n");
    assert!(answer.starts_with("move "), "{answer}");
    assert_eq!(two.ask("go\n"), "error it is your move");
    assert_eq!(two.ask("play 0\n"), "ok");
    assert!(two.ask("go\n").starts_with("move "));
    // The same search and position give the same answer, independent of other clients.
    let mut three = server.connect();
    assert_eq!(three.ask("init 6 4 0 1 150\n"), "ok");
    assert_eq!(three.ask("go\n"), answer);
    // A line may arrive in pieces.
    three.send("qu");
    thread::sleep(Duration::from_millis(50));
    three.send("it\n");
    assert_eq!(three.line(), "");
    assert!(one.ask("play 9\n").starts_with("error"));
}

#[test]
fn oversized_late_and_malformed_lines_are_answered_with_an_error() {
    let options = ["--line-bytes", "64", "--idle-ms", "300", "--clients", "9"];
    let server = Server::start(&[&["tictactoe"][..], &options].concat());
    let mut long = server.connect();
    assert_eq!(long.ask(&"a".repeat(10_000)), "error a line of more than 64 bytes arrived");
    assert_eq!(long.line(), "", "and then the end");

    let mut wrong = server.connect();
    let error = "error input line 1: expected the opponent's row and column, or -1 -1, found \"hello\"";
    assert_eq!(wrong.ask("hello\n"), error);
    assert_eq!(wrong.line(), "");

    let mut silent = server.connect();
    let mut half = server.connect();
    half.send("-1 -");
    let late = "error no whole line arrived within 0.3 seconds";
    assert_eq!((silent.line().as_str(), half.line().as_str()), (late, late));
    assert_eq!((silent.line().as_str(), half.line().as_str()), ("", ""));

    // A client that sends single bytes slowly is disconnected too.
    let mut slow = server.connect();
    for _ in 0..40 {
        if slow.stream.write_all(b"1").is_err() {
            break;
        }
        thread::sleep(Duration::from_millis(10));
    }
    assert_eq!(slow.line(), late);
}

#[test]
fn a_clients_total_input_is_limited() {
    let server = Server::start(&["mancala", "--total-bytes", "1000"]);
    let mut client = server.connect();
    client.send(&"x\n".repeat(600));
    let mut last = String::new();
    loop {
        match client.line() {
            line if line.is_empty() => break,
            line => last = line,
        }
    }
    assert_eq!(last, "error more than 1000 bytes arrived in total");
}

#[test]
fn a_thousand_connections_keep_nobody_waiting() {
    let server = Server::start(&["tictactoe", "--clients", "2", "--nodes", "100"]);
    let (mut first, second) = (server.connect(), server.connect());
    assert!(!first.ask(&first_turn()).is_empty());
    // They stay, send something and don't read. A wait of 0.3 s for each would be five minutes.
    let refused: Vec<TcpStream> = (0..1000)
        .map(|_| {
            let mut stream = TcpStream::connect(&server.address).unwrap();
            let _ = stream.write_all(first_turn().as_bytes());
            stream
        })
        .collect();
    assert_eq!(server.connect().line(), "error busy: 2 clients are being served; come back later");
    drop(second);
    let mut next = loop {
        let mut next = server.connect();
        match next.ask(&first_turn()).as_str() {
            busy if busy.starts_with("error busy") => thread::sleep(Duration::from_millis(10)),
            _ => break next,
        }
    };
    // Both that are served still play.
    assert!(!next.ask("0 1\n1\n2 2\n").is_empty());
    assert!(!first.ask("0 1\n1\n2 2\n").is_empty());
    drop(refused);
}

#[test]
fn clients_of_one_address_are_bounded() {
    let server = Server::start(&["tictactoe", "--clients", "8", "--clients-per-address", "1"]);
    let mut first = server.connect();
    assert!(!first.ask(&first_turn()).is_empty());
    let refused = server.connect().line();
    assert_eq!(refused, "error busy: 1 clients from this address are being served; come back later");
}

#[test]
fn clients_beyond_the_maximum_are_rejected() {
    let server = Server::start(&["tictactoe", "--clients", "2"]);
    let (mut first, mut second) = (server.connect(), server.connect());
    assert_eq!(first.ask(&first_turn()).split(' ').count(), 2);
    assert_eq!(second.ask(&first_turn()).split(' ').count(), 2);
    let mut third = server.connect();
    assert_eq!(third.line(), "error busy: 2 clients are being served; come back later");
}

#[test]
fn a_disconnect_does_not_affect_other_clients() {
    let server = Server::start(&["reversi", "--nodes", "500", "--ponder", "--search", "mcts"]);
    for sent in ["", "0\n8\n", "0\n8\n........\n....", "0\n"] {
        let mut client = server.connect();
        client.send(sent);
    }
    let board = "........\n........\n........\n...10...\n...01...\n........\n........\n........\n";
    let mut client = server.connect();
    let answer = client.ask(&format!("0\n8\n{board}4\nd3\nc4\nf5\ne6\n"));
    assert!(["d3", "c4", "f5", "e6"].contains(&answer.as_str()), "{answer}");
    // While it ponders.
    drop(client);
    let mut client = server.connect();
    let answer = client.ask(&format!("0\n8\n{board}4\nd3\nc4\nf5\ne6\n"));
    assert!(["d3", "c4", "f5", "e6"].contains(&answer.as_str()), "{answer}");
}

#[test]
fn public_addresses_and_invalid_options_are_rejected() {
    let say = |arguments: &[&str]| {
        let output = arena(&[&["serve", "tictactoe"], arguments].concat());
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    };
    let (code, text) = say(&["--listen", "0.0.0.0:0"]);
    assert_eq!(code, Some(2));
    assert!(text.starts_with("error: 0.0.0.0:0 can be reached from other machines"), "{text}");
    let (code, text) = say(&["--listen", "nowhere"]);
    assert_eq!(code, Some(2));
    assert!(text.starts_with("error: --listen nowhere: expected ADDRESS:PORT"), "{text}");
    let (code, text) = say(&["--search", "magic"]);
    assert_eq!(code, Some(2));
    assert!(text.starts_with("error: no search \"magic\"; available: bot"), "{text}");
    let path = PathBuf::from("no/such/folder/address");
    let (code, text) = say(&["--addr-file", path.to_str().unwrap()]);
    assert_eq!(code, Some(1));
    assert!(text.starts_with("error: can't write no/such/folder/address"), "{text}");
    let server = Server::start(&["tictactoe"]);
    let (code, text) = say(&["--listen", &server.address]);
    assert_eq!(code, Some(1));
    assert!(text.starts_with(&format!("error: can't listen on {}", server.address)), "{text}");
    let gone = server.address.clone();
    drop(server);
    let output = arena(&["connect", &gone]);
    assert_eq!(output.status.code(), Some(1));
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(text.starts_with(&format!("error: can't reach a server at {gone}")), "{text}");
}

#[test]
fn an_interrupt_shuts_the_server_down() {
    let server = Server::start(&["tictactoe"]);
    let mut client = server.connect();
    assert_eq!(client.ask(&first_turn()).split(' ').count(), 2);
    interrupt(&server.child);
    assert_eq!(client.line(), "", "its game is broken off");
    assert_eq!(server.end(), (Some(0), "connections: 1\n".to_owned()));
}
