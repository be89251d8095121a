//! The program that agents start on every event: `verger-hook AGENT EVENT`.

use std::process::ExitCode;

fn main() -> ExitCode {
    verger_hook::main(std::env::args_os().skip(1))
}
