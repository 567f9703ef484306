//! The `bundler` program.

fn main() -> std::process::ExitCode {
    bundler::main()
}
