//! The interactive console on a search: a position, a tree to walk, commands and replies.

mod command;
mod error;
mod lines;
mod reply;
mod start;
mod stop;

pub(crate) use command::{Command, WORDS};
pub(crate) use error::ConsoleError;
pub(crate) use lines::Lines;
pub(crate) use reply::Reply;
pub(crate) use start::{play, start, Recorded, Start};
pub(crate) use stop::{interrupt, while_thinking};

use std::time::{Duration, Instant};

use contest::notation::NO_POSITIONS;
use contest::session::{Look, Session, Thought};
use contest::IllegalMove;
use coppice::search::Threshold;
use coppice::Budget;
use serde_json::json;

use coppice_referee::text::millis;

/// Maximum number of nodes for one step of a search: no position has more moves.
const MOST_STEP_NODES: u64 = 10_000;

/// The search that proves values: before it has finished, its best move is not shown.
const EXACT: &str = "solver";

/// A session and the current position in its tree.
pub(crate) struct Console {
    contest: String,
    search: String,
    session: Box<dyn Session>,
    /// The moves from the root, which is the actual position, to the current one.
    path: Vec<String>,
    is_interrupted: bool,
    /// Whether the exact search ran last and did not finish.
    is_unsolved: bool,
    /// The last search's report on the root.
    last: Option<Thought>,
    /// How siblings are pruned from the next search on, if that was set here.
    pruning: Option<Threshold>,
    /// The searches that keep a tree, if this one keeps none.
    with_trees: Vec<String>,
}

impl Console {
    /// A console at the root.
    pub(crate) fn new(contest: &str, search: &str, session: Box<dyn Session>) -> Console {
        let (contest, search) = (contest.to_owned(), search.to_owned());
        Console {
            contest,
            search,
            session,
            path: Vec::new(),
            is_interrupted: false,
            is_unsolved: false,
            last: None,
            pruning: None,
            with_trees: Vec::new(),
        }
    }

    /// Names the searches that have a tree, for a session whose search has none.
    #[must_use]
    pub(crate) fn with_trees(self, searches: Vec<String>) -> Console {
        Console { with_trees: searches, ..self }
    }

    /// The legal moves where the user stands.
    pub(crate) fn moves(&self) -> Vec<String> {
        let look = self.look(&self.path);
        look.map_or_else(
            |_| Vec::new(),
            |look| look.children.into_iter().filter_map(|child| child.played).collect(),
        )
    }

    /// Whether the last command was interrupted.
    pub(crate) fn is_interrupted(&self) -> bool {
        self.is_interrupted
    }

    /// Executes a command.
    ///
    /// # Errors
    /// The reason. A command that fails in the middle keeps what it did before.
    pub(crate) fn execute(&mut self, command: &Command) -> Result<Reply, ConsoleError> {
        self.is_interrupted = false;
        match command {
            Command::Show => Ok(reply::show(&self.look(&self.path)?, &self.path)),
            Command::Position => {
                let text = self.look(&self.path)?.text.ok_or(NO_POSITIONS)?;
                Ok(Reply::new(text.clone(), json!({ "text": text })))
            }
            Command::List(most) => {
                let look = self.look(&self.path)?;
                let reply = reply::list(&look, &self.path, *most);
                Ok(match self.session.memory() {
                    _ if look.to_move.is_none() => reply,
                    Some(_) if look.children.is_empty() => reply::before_search(reply),
                    Some(_) => reply,
                    None => reply::without_tree(reply, &self.with_trees),
                })
            }
            Command::Line => self.line(),
            Command::Step(count) => Ok(self.step(*count)),
            Command::Nodes(nodes) => Ok(self.think(Budget::nodes(*nodes), None)),
            Command::Time(ms) => {
                let now = Instant::now();
                let until = now.checked_add(Duration::from_millis(*ms)).ok_or("so long we can't wait")?;
                Ok(self.think(Budget::until(until), Some(now)))
            }
            Command::Down(text) => self.down(text),
            Command::Best(count) => self.best(*count),
            Command::Up(count) => self.climb(*count),
            Command::Top => self.climb(usize::MAX),
            Command::Here => self.here(),
            Command::Play(moves) => self.play(moves),
            Command::Undo(count) => self.undo(*count),
            Command::Threshold => Ok(self.threshold()),
            Command::SetThreshold(threshold) => {
                self.session.set_threshold(*threshold)?;
                self.pruning = Some(*threshold);
                Ok(reply::set_threshold(*threshold))
            }
            Command::Prune => self.prune(),
            Command::Memory => Ok(reply::memory(self.session.memory())),
            Command::Info => Ok(self.info()),
            Command::Help => Ok(help()),
            Command::Quit => Ok(Reply::new("", json!({}))),
        }
    }

    fn line(&self) -> Result<Reply, ConsoleError> {
        let line = self.look(&self.path)?.line;
        let text = if line.is_empty() { "no line is known from here".to_owned() } else { line.join(" ") };
        Ok(Reply::new(text, json!({ "path": self.path, "line": line })))
    }

    fn think(&mut self, budget: Budget, since: Option<Instant>) -> Reply {
        let (thought, is_stopped) = while_thinking(|stop| self.session.think(budget.unless(stop)));
        self.is_interrupted = is_stopped;
        let ms = since.map(|since| millis(since.elapsed()));
        let has_more = thought.best.is_some() && !thought.solved && !is_stopped;
        let is_early = has_more && thought.nodes < budget.max_nodes() && !budget.is_late();
        let reply = self.thought(&thought, ms);
        match self.session.memory().filter(|_| is_early) {
            Some(memory) if reply::is_full(memory) => reply::with_full_pool(reply),
            _ => reply,
        }
    }

    /// The reply to a search; no result if an exact search did not finish.
    fn thought(&mut self, thought: &Thought, ms: Option<f64>) -> Reply {
        self.is_unsolved = self.search == EXACT && !thought.solved && thought.best.is_some();
        self.last = Some(thought.clone());
        match self.is_unsolved {
            true => reply::unsolved(thought, self.is_interrupted, ms),
            false => reply::thought(thought, self.is_interrupted, ms),
        }
    }

    /// Looks up a position in the search's tree, without a best move if an exact search did not finish.
    fn look(&self, path: &[String]) -> Result<Look, IllegalMove> {
        let mut look = self.session.look(path)?;
        if self.is_unsolved {
            look.line.clear();
            look.node.is_best = false;
            look.children.iter_mut().for_each(|child| child.is_best = false);
        } else if let Some(thought) = self.last.as_ref().filter(|_| path.is_empty()) {
            // Without a tree, only the best move's value is known.
            let best = look.children.iter_mut().find(|child| child.played == thought.best);
            if let Some(child) = best.filter(|child| child.score.is_none() && child.status.is_none()) {
                (child.score, child.is_best) = (Some(thought.score), true);
            }
        }
        Ok(look)
    }

    /// Runs the search's smallest steps, `count` of them: each with the fewest nodes that make progress.
    fn step(&mut self, count: u64) -> Reply {
        let session = &mut self.session;
        let ((thought, nodes), is_stopped) = while_thinking(|stop| {
            let mut nodes = 0;
            let mut one = || -> Thought {
                let mut thought = session.think(Budget::nodes(0).unless(stop));
                let mut allowed = 1;
                while thought.nodes == 0 && !thought.solved && allowed <= MOST_STEP_NODES && !is_set(stop) {
                    thought = session.think(Budget::nodes(allowed).unless(stop));
                    allowed += 1;
                }
                nodes += thought.nodes;
                thought
            };
            let mut thought = one();
            for _ in 1..count {
                if thought.nodes == 0 || is_set(stop) {
                    break;
                }
                thought = one();
            }
            (thought, nodes)
        });
        self.is_interrupted = is_stopped;
        self.thought(&Thought { nodes, ..thought }, None)
    }

    fn go(&mut self, path: Vec<String>) -> Result<Reply, ConsoleError> {
        let look = self.look(&path)?;
        self.path = path;
        Ok(reply::show(&look, &self.path))
    }

    /// A legal move takes precedence over a number: in some games moves are numbers.
    fn down(&mut self, text: &str) -> Result<Reply, ConsoleError> {
        let look = self.look(&self.path)?;
        let names: Vec<&String> = look.children.iter().filter_map(|child| child.played.as_ref()).collect();
        let by_number = || {
            let number: usize = text.strip_prefix('#').unwrap_or(text).parse().ok()?;
            number.checked_sub(1).and_then(|i| names.get(i)).copied()
        };
        let found = names.iter().copied().find(|name| *name == text).or_else(by_number);
        let mut path = self.path.clone();
        // The error lists the legal moves.
        path.push(found.cloned().unwrap_or_else(|| text.to_owned()));
        self.go(path)
    }

    fn best(&mut self, count: usize) -> Result<Reply, ConsoleError> {
        let look = self.look(&self.path)?;
        if look.line.is_empty() {
            return Err("no best child is known from here: let the search think, or go down by a move".into());
        }
        let mut path = self.path.clone();
        path.extend(look.line.into_iter().take(count));
        self.go(path)
    }

    fn climb(&mut self, count: usize) -> Result<Reply, ConsoleError> {
        if self.path.is_empty() && count != usize::MAX {
            return Err("this is the root; undo takes moves back".into());
        }
        let left = self.path.len().saturating_sub(count);
        self.go(self.path[..left].to_vec())
    }

    fn here(&mut self) -> Result<Reply, ConsoleError> {
        let path = std::mem::take(&mut self.path);
        self.play(&path)
    }

    fn play(&mut self, moves: &[String]) -> Result<Reply, ConsoleError> {
        let before = self.session.played().len();
        self.last = None;
        // A move as a bot answers it: `GROW 21` for GROW_21.
        if moves.len() > 1 && self.session.play(&moves.join("_")).is_ok() {
            return self.go(Vec::new());
        }
        for text in moves {
            if let Err(reason) = self.session.play(text) {
                self.session.take_back_to(before);
                return Err(reason.into());
            }
        }
        self.go(Vec::new())
    }

    fn undo(&mut self, count: usize) -> Result<Reply, ConsoleError> {
        let played = self.session.played().len();
        if played == 0 {
            return Err("nothing has been played".into());
        }
        self.last = None;
        self.session.take_back_to(played.saturating_sub(count));
        self.go(Vec::new())
    }

    fn threshold(&self) -> Reply {
        reply::threshold(self.session.threshold(), self.pruning)
    }

    fn prune(&mut self) -> Result<Reply, ConsoleError> {
        let none = "no threshold is set; set one with threshold V";
        self.session.threshold().ok_or(none)?;
        self.session.think(Budget::nodes(0));
        let threshold = self.session.threshold().ok_or(none)?;
        let counts = self.session.count().ok_or("the search has no tree of this position yet")?;
        let fields = [
            ("leaf", counts.leaf),
            ("open", counts.open),
            ("ended", counts.ended),
            ("closed", counts.closed),
            ("pruned", counts.pruned),
        ];
        let words: Vec<String> = fields.iter().map(|(name, count)| format!("{name} {count}")).collect();
        let json = json!({
            "threshold": threshold, "leaf": counts.leaf, "open": counts.open, "ended": counts.ended,
            "closed": counts.closed, "pruned": counts.pruned,
        });
        Ok(Reply::new(format!("threshold {threshold}: {}", words.join(", ")), json))
    }

    fn info(&self) -> Reply {
        let Console { contest, search, session, .. } = self;
        let played = session.played();
        let moves = if played.is_empty() { "none".to_owned() } else { played.join(" ") };
        let text = format!("{contest}, search {search}\nmoves so far: {moves}");
        Reply::new(text, json!({ "contest": contest, "search": search, "moves": played }))
    }
}

fn is_set(stop: &std::sync::atomic::AtomicBool) -> bool {
    stop.load(std::sync::atomic::Ordering::Relaxed)
}

fn help() -> Reply {
    let lines = WORDS.iter().map(|word| {
        let head = format!("{} {}", word.name, word.arguments);
        format!("{head:<18} {}", word.about)
    });
    let list: Vec<_> =
        WORDS.iter().map(|w| json!({ "word": w.name, "arguments": w.arguments, "about": w.about })).collect();
    Reply::new(lines.collect::<Vec<_>>().join("\n"), json!({ "words": list }))
}
