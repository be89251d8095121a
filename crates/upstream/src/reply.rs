//! The scripted answers of the upstream.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use serde_json::Value;

/// One scripted answer.
#[derive(Clone, Debug)]
pub struct Reply {
    pub(crate) content: Content,
    pub(crate) headers: Vec<(String, String)>,
    /// The time between the request and the first byte of the answer.
    pub(crate) delay: Duration,
    /// The time between two events of a stream.
    pub(crate) pace: Duration,
    /// Number of a stream's events after which the connection is closed.
    pub(crate) cut_after: Option<usize>,
}

#[derive(Clone, Debug)]
pub(crate) enum Content {
    Message(Message),
    Status {
        status: u16,
        body: Value,
    },
    Error {
        status: u16,
        kind: String,
        message: String,
    },
    /// The connection is closed without an answer.
    Nothing,
}

#[derive(Clone, Debug)]
pub(crate) struct Message {
    pub(crate) blocks: Vec<Block>,
    pub(crate) usage: Usage,
    pub(crate) stop_reason: String,
}

/// A part of a message.
#[derive(Clone, Debug, PartialEq)]
pub enum Block {
    Text(String),
    Thinking(String),
    ToolUse { id: String, name: String, input: Value },
}

/// The token usage that a reply reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Usage {
    pub input_tokens: u64,
    pub output_tokens: u64,
    pub cache_creation_input_tokens: u64,
    pub cache_read_input_tokens: u64,
}

impl Default for Usage {
    fn default() -> Self {
        Self {
            input_tokens: 1000,
            output_tokens: 20,
            cache_creation_input_tokens: 0,
            cache_read_input_tokens: 0,
        }
    }
}

impl Block {
    pub fn text(text: impl Into<String>) -> Self {
        Self::Text(text.into())
    }

    pub fn thinking(text: impl Into<String>) -> Self {
        Self::Thinking(text.into())
    }

    /// A tool call with an id that is unique in this process.
    pub fn tool_use(name: impl Into<String>, input: Value) -> Self {
        Self::ToolUse { id: next_id("toolu"), name: name.into(), input }
    }
}

impl Reply {
    /// A message with these blocks. Its stop reason is `tool_use` if it has a tool call,
    /// otherwise `end_turn`.
    pub fn blocks(blocks: impl IntoIterator<Item = Block>) -> Self {
        let blocks: Vec<Block> = blocks.into_iter().collect();
        let calls_tool = blocks.iter().any(|block| matches!(block, Block::ToolUse { .. }));
        let stop_reason = if calls_tool { "tool_use" } else { "end_turn" }.to_owned();
        Self::new(Content::Message(Message { blocks, usage: Usage::default(), stop_reason }))
    }

    pub fn text(text: impl Into<String>) -> Self {
        Self::blocks([Block::text(text)])
    }

    pub fn tool_use(name: impl Into<String>, input: Value) -> Self {
        Self::blocks([Block::tool_use(name, input)])
    }

    /// An HTTP status with a body.
    pub fn status(status: u16, body: Value) -> Self {
        Self::new(Content::Status { status, body })
    }

    /// An HTTP status with an error in the API's format, such as `(529, "overloaded_error",
    /// "Busy")`.
    pub fn error(status: u16, kind: &str, message: &str) -> Self {
        let (kind, message) = (kind.to_owned(), message.to_owned());
        Self::new(Content::Error { status, kind, message })
    }

    /// Closes the connection without an answer.
    pub fn dropped() -> Self {
        Self::new(Content::Nothing)
    }

    fn new(content: Content) -> Self {
        let (delay, pace) = (Duration::ZERO, Duration::ZERO);
        Self { content, headers: Vec::new(), delay, pace, cut_after: None }
    }

    /// Sets the token usage of a message. It has no effect on other replies.
    #[must_use]
    pub fn usage(mut self, usage: Usage) -> Self {
        if let Content::Message(message) = &mut self.content {
            message.usage = usage;
        }
        self
    }

    /// Sets the stop reason of a message. It has no effect on other replies.
    #[must_use]
    pub fn stop_reason(mut self, reason: impl Into<String>) -> Self {
        if let Content::Message(message) = &mut self.content {
            message.stop_reason = reason.into();
        }
        self
    }

    #[must_use]
    pub fn header(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.headers.push((name.into(), value.into()));
        self
    }

    /// Sets the time between the request and the answer.
    #[must_use]
    pub fn delay(mut self, delay: Duration) -> Self {
        self.delay = delay;
        self
    }

    /// Sets the time between two events of a stream.
    #[must_use]
    pub fn pace(mut self, pace: Duration) -> Self {
        self.pace = pace;
        self
    }

    /// Closes the connection after this many events of a stream.
    #[must_use]
    pub fn cut_after(mut self, events: usize) -> Self {
        self.cut_after = Some(events);
        self
    }
}

/// The next id. Ids are counted instead of random, so that every run of a test has the same ids.
/// The counter is global, so that a session that is resumed with a second server never gets an id
/// twice.
pub(crate) fn next_id(prefix: &str) -> String {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    format!("{prefix}_{:024}", NEXT.fetch_add(1, Ordering::Relaxed))
}
