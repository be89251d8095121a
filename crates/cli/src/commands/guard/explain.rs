//! `verger guard explain`: the guard's verdict on a command line, with the reasons.

use std::io::{self, BufRead, Read as _};

use clap::Args;
use serde_json::{Value, json};

use crate::guard::local::{Assumed, LocalGuard};
use crate::invocation::command_error::CommandError;
use crate::invocation::context::Context;
use crate::render::output::{Output, Ui};

/// The maximum length of an input line. Longer commands are not parsed anyway.
const MAX_LINE_BYTES: usize = 1 << 20;

/// Show how the guard judges a command line, and why.
///
/// Nothing is run. Every command of the line is shown with the rules and conditions that decide;
/// words that are known only when it runs are shown as <>. The verdict is allow, unknown (the
/// agent's own policy decides), risky (a person should look) or deny. Enabled habits that act on
/// the line are named too. The exit code is 0 for every verdict. With --stdin it is 1 when a line
/// could not be read.
#[derive(Debug, Args)]
pub(crate) struct ExplainArgs {
    /// The command line, as one argument.
    #[arg(required_unless_present = "stdin", conflicts_with = "stdin", allow_hyphen_values = true)]
    command: Option<String>,

    /// Judge as if the worktree were trusted and nothing in it prevented an approval.
    #[arg(long)]
    trusted: bool,

    /// Read one JSON object with "command" per line; print a JSON verdict for each.
    ///
    /// An "id" in the object is repeated in its verdict. With --json, all verdicts are in the
    /// "verdicts" of one object.
    #[arg(long)]
    stdin: bool,

    /// Print each verdict in a line of its own at once: the default with --stdin.
    #[arg(long, requires = "stdin", conflicts_with = "json")]
    jsonl: bool,
}

pub(super) fn explain(
    ui: &mut Ui,
    context: &Context,
    args: &ExplainArgs,
) -> Result<(), CommandError> {
    let assumed = if args.trusted { Assumed::Trusted } else { Assumed::Nothing };
    let local_guard = LocalGuard::here(context, assumed)?;
    for problem in &local_guard.loaded().problems {
        ui.warn(&problem.to_string());
    }
    let Some(line) = &args.command else { return explain_lines(ui, &local_guard, args) };
    let judged = local_guard.judge(line);
    match ui.output() {
        Output::Json => ui.json(&judged.to_json(line))?,
        Output::Text => judged.print(ui)?,
    }
    Ok(())
}

fn explain_lines(
    ui: &mut Ui,
    local_guard: &LocalGuard,
    args: &ExplainArgs,
) -> Result<(), CommandError> {
    let is_one_object = ui.output() == Output::Json && !args.jsonl;
    let mut input = io::stdin().lock();
    let (mut all_read, mut number, mut verdicts) = (true, 0, vec![]);
    while let Some(line) = next_line(&mut input)? {
        number += 1;
        if matches!(&line, Line::Whole(bytes) if bytes.trim_ascii().is_empty()) {
            continue;
        }
        let answer = match asked(&line) {
            Ok((id, command)) => {
                let mut answer = local_guard.judge(&command).to_json(&command);
                answer["id"] = id;
                answer
            }
            Err((id, why)) => {
                all_read = false;
                json!({ "id": id, "error": why, "input_line": number })
            }
        };
        if is_one_object {
            verdicts.push(answer);
            continue;
        }
        ui.json(&answer)?;
        // Flushes after each line, because the program that writes the lines may wait for the
        // answer.
        ui.flush()?;
    }
    if is_one_object {
        ui.json(&json!({ "verdicts": verdicts }))?;
    }
    if all_read { Ok(()) } else { Err(CommandError::Found) }
}

enum Line {
    Whole(Vec<u8>),
    /// The line was too long, and the rest of it was skipped.
    Cut,
}

fn next_line(input: &mut impl BufRead) -> io::Result<Option<Line>> {
    let mut bytes = Vec::new();
    let most = MAX_LINE_BYTES as u64 + 1;
    if input.by_ref().take(most).read_until(b'\n', &mut bytes)? == 0 {
        return Ok(None);
    }
    if bytes.len() <= MAX_LINE_BYTES {
        return Ok(Some(Line::Whole(bytes)));
    }
    while bytes.last() != Some(&b'\n') {
        bytes.clear();
        if input.by_ref().take(most).read_until(b'\n', &mut bytes)? == 0 {
            break;
        }
    }
    Ok(Some(Line::Cut))
}

/// Parses a request into its id and its command. The error has the problem, and the id if it is
/// known.
fn asked(line: &Line) -> Result<(Value, String), (Value, String)> {
    let Line::Whole(bytes) = line else {
        return Err((Value::Null, format!("the line is longer than {MAX_LINE_BYTES} bytes")));
    };
    if std::str::from_utf8(bytes).is_err() {
        return Err((Value::Null, "the line is not UTF-8".to_owned()));
    }
    let mut value: Value = serde_json::from_slice(bytes)
        .map_err(|error| (Value::Null, format!("the line is not JSON: {error}")))?;
    let id = value.get("id").cloned().unwrap_or(Value::Null);
    match value.get_mut("command").map(Value::take) {
        Some(Value::String(command)) => Ok((id, command)),
        Some(_) => Err((id, "\"command\" is not a text".to_owned())),
        None => Err((id, "there is no \"command\"".to_owned())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_that_is_too_long_is_passed_over_as_a_whole() {
        let long = "x".repeat(3 * MAX_LINE_BYTES);
        let text = format!("a\n{long}\nb");
        let mut input = text.as_bytes();
        let mut next = || {
            next_line(&mut input).unwrap().map(|line| match line {
                Line::Whole(bytes) => String::from_utf8(bytes).unwrap(),
                Line::Cut => "(cut)".to_owned(),
            })
        };
        let lines: Vec<_> = std::iter::from_fn(&mut next).collect();
        assert_eq!(lines, ["a\n", "(cut)", "b"]);
    }

    #[test]
    fn a_line_is_parsed_to_its_request() {
        let ask = |text: &[u8]| asked(&Line::Whole(text.to_vec()));
        assert_eq!(ask(br#"{"id":7,"command":"ls"}"#), Ok((json!(7), "ls".to_owned())));
        assert_eq!(ask(br#"{"command":"ls"}"#), Ok((Value::Null, "ls".to_owned())));
        let error = |text: &[u8]| ask(text).unwrap_err();
        assert_eq!(error(br#"{"id":"a"}"#), (json!("a"), "there is no \"command\"".to_owned()));
        assert_eq!(
            error(br#"{"id":"a","command":["ls"]}"#),
            (json!("a"), "\"command\" is not a text".to_owned())
        );
        assert_eq!(error(b"{\"command\":\"\xff\"}").1, "the line is not UTF-8");
        assert!(error(b"{").1.starts_with("the line is not JSON: "));
        assert!(error(br#"{"command":"\ud800"}"#).1.starts_with("the line is not JSON: "));
        assert!(error(b"[]").1.starts_with("there is no"));
    }
}
