//! Detects whether an agent's last message claims that the work is done.
//!
//! The [marker](MARKER) decides by itself; agents are told to end with it. Plain statements count
//! too: one that opens the message ("Fixed the parser.", "実装しました。") or a deed that closes it. The
//! agent takes a claim back when it says before or right after it that something is missing, or
//! when the message ends with the agent continuing the work. Statements about processes that run
//! elsewhere, next steps, offers and questions at the end don't take it back.
//!
//! English and Japanese have a table of shapes each, Korean a few words; other languages have only
//! the marker. In doubt there is no claim: holding an agent without need costs more than missing a
//! claim.

mod english;
mod japanese;
mod korean;
mod statement;

use statement::{Place, Statement, statements};

/// The marker with which an agent ends its last message when its work is done.
pub const MARKER: &str = "[[VERIFY:done]]";

/// The most bytes of a message that are read, from its beginning and from its end together.
const MAX_READ_BYTES: usize = 16 * 1024;
/// The number of statements that open a message. A list ends the opening.
const OPENING: usize = 3;
/// The number of statements that close a message, and of those after a claim that can take it back.
const CLOSING: usize = 2;

/// The part of a message that claims that the work is done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Claim {
    /// The marker.
    Marker,
    /// This statement, in lower case and without code.
    Words(String),
}

/// The meaning of one statement about the work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Says {
    /// The agent did something: "Fixed the parser", "追加しました".
    Did,
    /// The work is in a finished state: "the parser is fixed".
    IsDone,
    /// The agent continues the work itself.
    GoesOn,
    /// The agent waits for a process that runs by itself.
    Watches,
    /// The work failed. Counts before a claim, if the claim is about cleaning up.
    Failed,
    /// A part that was asked for is missing.
    Missing,
    /// Anything else.
    Other,
}

/// The claim in a message, if it has one.
pub fn claim(message: &str) -> Option<Claim> {
    let statements = statements(&read_part(message));
    if statements.iter().any(|statement| statement.text.contains(MARKER)) {
        return Some(Claim::Marker);
    }
    let last = statements.len().checked_sub(1)?;
    let at = opening_claim(&statements).or_else(|| closing_claim(&statements))?;
    let is_strong = says(&statements[at]) == Says::Did;
    let is_taken_back = statements.iter().enumerate().any(|(other, statement)| {
        let is_near = other <= at + CLOSING;
        (is_near || other == last)
            && match says(statement) {
                Says::GoesOn => other == last || !is_strong,
                Says::Watches => !is_strong,
                Says::Failed => other < at,
                Says::Missing => is_near,
                Says::Did | Says::IsDone | Says::Other => false,
            }
    });
    (!is_taken_back).then(|| Claim::Words(statements[at].text.clone()))
}

/// The first opening statement that claims completion. A finished state must be in the first two.
fn opening_claim(statements: &[Statement]) -> Option<usize> {
    let opening = statements.iter().take_while(|statement| statement.place == Place::Text);
    opening.take(OPENING).enumerate().position(|(at, statement)| match says(statement) {
        Says::Did => true,
        Says::IsDone => at < 2,
        _ => false,
    })
}

/// The deed at the end of the message.
fn closing_claim(statements: &[Statement]) -> Option<usize> {
    let first = statements.len().saturating_sub(CLOSING);
    (first..statements.len()).find(|at| says(&statements[*at]) == Says::Did)
}

fn says(statement: &Statement) -> Says {
    let text = &statement.text;
    match statement.place {
        Place::Item => Says::Other,
        Place::Text if japanese::is_japanese(text) => japanese::says(text),
        Place::Text if korean::is_korean(text) => korean::says(text),
        Place::Text => english::says(text),
    }
}

/// The text to read. A message that is too long is read from both of its ends.
fn read_part(message: &str) -> String {
    if message.len() <= 2 * MAX_READ_BYTES {
        return message.to_owned();
    }
    let first = &message[..message.floor_char_boundary(MAX_READ_BYTES)];
    let last = &message[message.ceil_char_boundary(message.len() - MAX_READ_BYTES)..];
    format!("{first}\n{last}")
}

#[cfg(test)]
mod tests;
