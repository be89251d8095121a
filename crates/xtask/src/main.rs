//! `cargo xtask <chore>`.

use std::process::ExitCode;

fn main() -> ExitCode {
    verger_xtask::main()
}
