//! `arena serve`: serves a bot over a socket, or a page to play it on.

mod web;

use std::io::{self, Write};
use std::net::{SocketAddr, TcpListener, ToSocketAddrs};
use std::path::PathBuf;
use std::time::Duration;

use contest::serve::{AnswerTime, ServeSettings};
use contest::Contest;
use serde_json::json;

use crate::command::debug::{parameter, settings};
use crate::command::game_options::seed;
use crate::command::pool_size::PoolSize;
use crate::failure::Failure;
use crate::server::{Allowed, Service};
use coppice_referee::atomic::{self, FileError};
use coppice_referee::contests::at_position;

/// The arguments of `arena serve`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The contest's name; `arena contests` lists them
    pub contest: String,
    /// Address to listen on; port 0 lets the system choose one
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:0")]
    pub listen: String,
    /// Allow an address that other machines can reach
    #[arg(long)]
    pub allow_remote: bool,
    /// Write the address into this file atomically
    #[arg(long, value_name = "FILE")]
    pub addr_file: Option<PathBuf>,
    /// The search that answers; default: the submitted bot's. An unknown name lists the available ones
    #[arg(long, value_name = "NAME")]
    pub search: Option<String>,
    /// Begin games in this position, in the contest's notation, where clients don't tell it: by commands (`init`, `play`, `go`)
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub position: Option<String>,
    /// Search N nodes per turn instead of using the clock
    #[arg(long, value_name = "N")]
    pub nodes: Option<u64>,
    /// Random seed of the search
    #[arg(long, value_name = "S", default_value_t = 1, value_parser = seed)]
    pub seed: u64,
    #[command(flatten)]
    pub pool: PoolSize,
    /// Set one of the search's tunable parameters; may be given several times
    #[arg(long = "param", value_name = "NAME=VALUE", value_parser = parameter)]
    pub parameters: Vec<(String, String)>,
    /// Think during the opponent's turn and before the first one too; answers then depend on its duration
    #[arg(long)]
    pub ponder: bool,
    /// Maximum time for an answer by the clock in milliseconds, whatever limit the client sets
    #[arg(long, value_name = "MS", default_value_t = 60_000, value_parser = clap::value_parser!(u32).range(1..))]
    pub answer_ms: u32,
    /// Maximum time to wait for a client's next line, in milliseconds
    #[arg(long, value_name = "MS", default_value_t = 300_000, value_parser = clap::value_parser!(u32).range(1..))]
    pub idle_ms: u32,
    /// Maximum length of a client's line, in bytes
    #[arg(long, value_name = "BYTES", default_value_t = 4096, value_parser = clap::value_parser!(u32).range(16..=65_536))]
    pub line_bytes: u32,
    /// Maximum total input of a client, in bytes
    #[arg(long, value_name = "BYTES", default_value_t = 16 << 20)]
    pub total_bytes: u64,
    /// Maximum number of concurrent clients
    #[arg(long, value_name = "N", default_value_t = 16, value_parser = clap::value_parser!(u32).range(1..))]
    pub clients: u32,
    /// Maximum number of concurrent clients from one address; default: a quarter of --clients for other machines,
    /// no further limit for this one
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub clients_per_address: Option<u32>,
    /// Serve a page on which a person plays the search in a browser of this machine, with hints and undo
    #[arg(long, conflicts_with_all = ["ponder", "allow_remote", "connections"])]
    pub web: bool,
    /// Exit after N connections
    #[arg(long, value_name = "N")]
    pub connections: Option<u64>,
    /// Print the address and the summary as JSON
    #[arg(long)]
    pub json: bool,
}

/// Serves clients until an interrupt, the regular end, or until the maximum number of connections is reached.
///
/// # Errors
/// If the server can't listen on the address, or the address can't be written.
pub(crate) fn run(args: &Args, contest: &dyn Contest, out: &mut dyn Write) -> Result<(), Failure> {
    if args.web {
        let placed = args.position.as_deref().map(|text| at_position(contest, text)).transpose()?;
        return web::run(args, placed.unwrap_or(contest), out);
    }
    let service = service(args, contest)?;
    let listener = listen(args)?;
    let address = listener.local_addr().map_err(|error| failed(&args.listen, &error))?;
    announce(args, &address.to_string(), out)?;
    // Several threads write lines: each line is a single write.
    let tell = |line: String| drop(io::stderr().write_all(format!("{line}\n").as_bytes()));
    let served = service.run(&listener, &tell).map_err(|error| failed(&args.listen, &error))?;
    if args.json {
        writeln!(out, "{}", json!({ "connections": served }))?;
    } else {
        writeln!(out, "connections: {served}")?;
    }
    Ok(())
}

/// Says the address, and writes it into the file for it.
fn announce(args: &Args, address: &str, out: &mut dyn Write) -> Result<(), Failure> {
    if let Some(path) = &args.addr_file {
        atomic::write(path, format!("{address}\n").as_bytes())
            .map_err(|source| FileError::write(path, source))?;
    }
    if args.json {
        writeln!(out, "{}", json!({ "address": address }))?;
    } else {
        writeln!(out, "listening on {address}")?;
    }
    Ok(out.flush()?)
}

/// The name of the search that answers.
fn search(args: &Args, contest: &dyn Contest) -> String {
    let usual = || contest.search_list().first().map_or("bot", |search| search.name).to_owned();
    args.search.clone().unwrap_or_else(usual)
}

fn service<'a>(args: &Args, contest: &'a dyn Contest) -> Result<Service<'a>, Failure> {
    let session = settings(args.seed, args.pool, &args.parameters);
    let search = search(args, contest);
    // Reports an invalid search or parameter at the start instead of to the first client.
    drop(contest.session(&search, &session).map_err(Failure::usage)?);
    if let Some(text) = &args.position {
        at_position(contest, text)?;
    }
    if args.ponder && !contest.searches().is_some_and(|searches| searches.can_ponder()) {
        let why = match contest.seats() {
            1 => "no other player has a turn",
            _ => "the players choose at the same time",
        };
        return Err(Failure::usage(format!(
            "the searches of {} can't ponder: {why}; leave --ponder out",
            contest.name()
        )));
    }
    let ms = |ms: u32| Duration::from_millis(ms.into());
    Ok(Service {
        contest,
        search,
        settings: ServeSettings {
            session,
            nodes: args.nodes,
            ponder: args.ponder,
            time: AnswerTime::AtMost(ms(args.answer_ms)),
            position: args.position.clone(),
        },
        allowed: Allowed {
            idle: ms(args.idle_ms),
            line_bytes: args.line_bytes as usize,
            total_bytes: args.total_bytes,
        },
        most_clients: args.clients as usize,
        most_per_address: args.clients_per_address.map(|most| most as usize),
        connections: args.connections,
    })
}

fn listen(args: &Args) -> Result<TcpListener, Failure> {
    let usage = |error: &io::Error| {
        Failure::usage(format!("--listen {}: expected ADDRESS:PORT ({error})", args.listen))
    };
    let addresses: Vec<SocketAddr> = args.listen.to_socket_addrs().map_err(|error| usage(&error))?.collect();
    if let Some(address) = addresses.iter().find(|address| !address.ip().is_loopback()) {
        if args.web {
            return Err(Failure::usage(format!(
                "--listen {address}: a page to play on is for this machine alone"
            )));
        }
        if !args.allow_remote {
            return Err(Failure::usage(format!(
                "{address} can be reached from other machines, whose clients can use this machine's processors; add \
                 --allow-remote to permit that"
            )));
        }
    }
    TcpListener::bind(&addresses[..]).map_err(|error| failed(&args.listen, &error))
}

fn failed(address: &str, error: &io::Error) -> Failure {
    Failure::new(format!("can't listen on {address}: {error}"))
}
