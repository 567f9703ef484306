//! `arena connect`: connects the standard streams to a server, so that the server can play as a bot.

use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::path::PathBuf;
use std::thread;

use contest::utf8;

use crate::failure::Failure;

/// The arguments of `arena connect`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The server's address, as printed by `arena serve`
    #[arg(required_unless_present = "addr_file")]
    pub address: Option<String>,
    /// Read the address from the file that `arena serve --addr-file` wrote
    #[arg(long, value_name = "FILE", conflicts_with = "address")]
    pub addr_file: Option<PathBuf>,
}

/// Copies the standard input to the server and the server's answers to `out`, until the server closes the
/// connection.
///
/// # Errors
/// If no server answers, or the connection breaks.
pub(crate) fn run(args: &Args, out: &mut dyn Write) -> Result<(), Failure> {
    let address = address(args)?;
    let fail = |error: io::Error| Failure::new(format!("{address}: {error}"));
    let mut stream = TcpStream::connect(&address).map_err(|error| {
        Failure::new(format!(
            "can't reach a server at {address}: {error}\nstart one with {} serve",
            coppice_referee::text::program_name()
        ))
    })?;
    stream.set_nodelay(true).map_err(fail)?;
    let mut to_server = stream.try_clone().map_err(fail)?;
    // If the server closes first, this thread ends with the program.
    thread::spawn(move || {
        let mut input = io::stdin().lock();
        let mut buffer = [0; 8192];
        while let Ok(count @ 1..) = input.read(&mut buffer) {
            if to_server.write_all(&buffer[..count]).is_err() {
                return;
            }
        }
        let _ = to_server.shutdown(Shutdown::Write);
    });
    let mut buffer = [0; 8192];
    loop {
        match stream.read(&mut buffer) {
            Ok(0) => return Ok(()),
            Ok(count) => {
                out.write_all(&buffer[..count])?;
                out.flush()?;
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(fail(error)),
        }
    }
}

fn address(args: &Args) -> Result<String, Failure> {
    match (&args.address, &args.addr_file) {
        (Some(address), _) => Ok(address.clone()),
        (None, Some(path)) => match utf8::read_to_string(path) {
            Ok(text) => Ok(text.trim().to_owned()),
            Err(error) => Err(Failure::new(format!("can't read {}: {error}", path.display()))),
        },
        (None, None) => Err(Failure::usage("no address".to_owned())),
    }
}
