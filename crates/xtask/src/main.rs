//! The program that `cargo xtask <chore>` starts.

use std::process::ExitCode;

fn main() -> ExitCode {
    verger_xtask::main()
}
