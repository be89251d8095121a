//! The program that people run: `verger COMMAND`.

use std::process::ExitCode;

fn main() -> ExitCode {
    verger_cli::main()
}
