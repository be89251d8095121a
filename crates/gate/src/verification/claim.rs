//! Detects whether an agent's last message claims that the work is done.
//!
//! The [marker](MARKER) alone is a claim: agents are asked to end their message with it. A plain
//! statement is a claim too: an opening statement ("Fixed the parser.", "実装しました。") or a reported
//! action at the end.
//!
//! A statement near the claim cancels it if it says that something is missing. The claim is also
//! canceled if the end of the message says that the agent continues the work. Statements about
//! background processes, next steps, offers and questions at the end don't cancel a claim.
//!
//! English and Japanese have tables of phrases, Korean has a few words, and other languages have
//! only the marker. A doubtful statement isn't a claim, because refusing a stop without need is
//! worse than missing a claim.

mod english;
mod japanese;
mod korean;
mod statement;

use statement::{Place, Statement, statements};

/// The marker with which an agent ends its last message when its work is done.
pub const MARKER: &str = "[[VERIFY:done]]";

/// The maximum number of bytes that are read from the beginning of a message, and the maximum
/// number from its end.
const MAX_READ_BYTES: usize = 16 * 1024;
/// The maximum number of statements that count as the opening of a message. A list item ends the
/// opening.
const OPENING: usize = 3;
/// The number of statements that count as the end of a message. The same number of statements after
/// a claim can cancel the claim.
const CLOSING: usize = 2;

/// The part of a message that claims that the work is done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Claim {
    /// The message contains the marker.
    Marker,
    /// The message contains this statement, here in lower case and without code.
    Words(String),
}

/// The meaning of one statement in a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Says {
    /// The agent did something: "Fixed the parser", "追加しました".
    Did,
    /// The work is in a finished state: "the parser is fixed".
    IsDone,
    /// The agent continues the work itself.
    GoesOn,
    /// The agent waits for a background process.
    Watches,
    /// The work failed. This cancels a later claim, because such a claim may only be about cleaning
    /// up.
    Failed,
    /// A part of the requested work is missing.
    Missing,
    /// The statement has any other meaning.
    Other,
}

/// Finds the claim in a message. Returns `None` if there is none, or if another statement cancels
/// it.
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

/// The index of the first opening statement that is a claim. [`Says::IsDone`] counts only in the
/// first two statements.
fn opening_claim(statements: &[Statement]) -> Option<usize> {
    let opening = statements.iter().take_while(|statement| statement.place == Place::Text);
    opening.take(OPENING).enumerate().position(|(at, statement)| match says(statement) {
        Says::Did => true,
        Says::IsDone => at < 2,
        _ => false,
    })
}

/// The index of a statement at the end of the message that reports an action.
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

/// The part of the message to read: the whole message, or the beginning and the end of a long one.
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
