//! The bundler as a subcommand of cargo: `cargo coppice`.

fn main() -> std::process::ExitCode {
    bundler::main()
}
