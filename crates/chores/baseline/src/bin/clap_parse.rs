//! A program that does only the minimum of a hook in Rust: it parses its command line and its
//! payload, and answers. The benchmark gives the cost of `verger-hook` as a multiple of this
//! program's cost.

use std::io::{Read, Write};
use std::process::ExitCode;

use clap::Parser;
use serde::Deserialize;
use serde_json::{Value, json};

const MAX_PAYLOAD_BYTES: u64 = 16 * 1024 * 1024;

/// Answers a tool call with a question to the person
#[derive(Parser)]
struct Arguments {
    /// The event that is answered
    event: String,
    /// Say on standard error what was read
    #[arg(long)]
    verbose: bool,
}

#[derive(Deserialize)]
struct Payload {
    tool_name: String,
    tool_input: Value,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let mut text = String::new();
    let read = std::io::stdin().lock().take(MAX_PAYLOAD_BYTES).read_to_string(&mut text);
    let (Ok(_), Ok(payload)) = (read, serde_json::from_str::<Payload>(&text)) else {
        return ExitCode::FAILURE;
    };
    if arguments.verbose {
        eprintln!("{} bytes", text.len());
    }
    let length = payload.tool_input["command"].as_str().unwrap_or_default().len();
    let answer = json!({
        "hookSpecificOutput": {
            "hookEventName": arguments.event,
            "permissionDecision": "ask",
            "permissionDecisionReason": format!("{} {length}", payload.tool_name),
        }
    });
    match writeln!(std::io::stdout().lock(), "{answer}") {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
}
