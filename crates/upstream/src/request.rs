//! A received request, and ways to search in it.

use serde_json::Value;

/// One recorded request.
#[derive(Clone, Debug, PartialEq)]
pub struct Request {
    pub method: String,
    /// Path and query.
    pub path: String,
    /// The headers in the order and the spelling in which they were sent.
    pub headers: Vec<(String, String)>,
    /// The parsed body; `Null` when there is none or it is not JSON.
    pub body: Value,
}

/// The part a request plays in an agent's work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A turn of the main conversation.
    Main,
    /// A turn of a subagent: the client names it in a header.
    Subagent,
    /// The request for a summary when the context is full.
    Compaction,
    /// A message without tools, such as the one that asks for a title.
    SideCall,
    /// `HEAD /`, with which the client warms up the connection.
    Probe,
    /// Any request that isn't a message.
    Other,
}

impl Request {
    pub fn kind(&self) -> Kind {
        let path = self.path.split('?').next().unwrap_or_default();
        match (self.method.as_str(), path) {
            ("HEAD", "/") => Kind::Probe,
            ("POST", "/v1/messages") => self.message_kind(),
            _ => Kind::Other,
        }
    }

    fn message_kind(&self) -> Kind {
        if self.mentions("CRITICAL: Respond with TEXT ONLY") {
            Kind::Compaction
        } else if self.agent_id().is_some() {
            Kind::Subagent
        } else if self.body["tools"].as_array().is_none_or(Vec::is_empty) {
            Kind::SideCall
        } else {
            Kind::Main
        }
    }

    /// The first header of this name, in any case.
    pub fn header(&self, name: &str) -> Option<&str> {
        let found = self.headers.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
        found.map(|(_, value)| value.as_str())
    }

    /// The session the request belongs to, as hooks know it.
    pub fn session_id(&self) -> Option<&str> {
        self.header("x-claude-code-session-id")
    }

    /// The subagent the request belongs to, as hooks know it.
    pub fn agent_id(&self) -> Option<&str> {
        self.header("x-claude-code-agent-id")
    }

    /// The string at a JSON pointer such as `/messages/0/content/0/text`.
    pub fn string_at(&self, pointer: &str) -> Option<&str> {
        self.body.pointer(pointer)?.as_str()
    }

    /// The text after the last occurrence of `prefix` in the conversation, up to white space, a
    /// quote or a tag. The newest occurrence is the one that a reply is about.
    pub fn word_after(&self, prefix: &str) -> Option<&str> {
        let after = self.last_after(prefix)?;
        let end = after.find(|letter: char| {
            letter.is_whitespace() || matches!(letter, '"' | '\'' | '`' | '<' | '>')
        });
        Some(&after[..end.unwrap_or(after.len())])
    }

    /// The text between the last occurrence of `prefix` in the conversation and `suffix`.
    pub fn text_between(&self, prefix: &str, suffix: &str) -> Option<&str> {
        let after = self.last_after(prefix)?;
        after.find(suffix).map(|end| &after[..end])
    }

    /// Whether `text` occurs in the conversation or in the system prompt.
    pub fn mentions(&self, text: &str) -> bool {
        self.strings().iter().any(|string| string.contains(text))
    }

    fn last_after(&self, prefix: &str) -> Option<&str> {
        let strings = self.strings();
        strings
            .iter()
            .rev()
            .find_map(|string| string.rfind(prefix).map(|start| &string[start + prefix.len()..]))
    }

    /// The strings of the system prompt and then of the messages, oldest first.
    fn strings(&self) -> Vec<&str> {
        let mut strings = Vec::new();
        collect_strings(&self.body["system"], &mut strings);
        collect_strings(&self.body["messages"], &mut strings);
        strings
    }

    /// One line about the request, for the message of a failing test.
    pub fn summary(&self) -> String {
        const LONGEST: usize = 300;
        let last = self.body["messages"].as_array().and_then(|messages| messages.last());
        let last = last.map(|message| message["content"].to_string()).unwrap_or_default();
        // Only the end of a message differs from the request before.
        let skipped = last.chars().count().saturating_sub(LONGEST);
        let tail: String = last.chars().skip(skipped).collect();
        format!("{:?} {} {} {tail}", self.kind(), self.method, self.path)
    }
}

fn collect_strings<'a>(value: &'a Value, strings: &mut Vec<&'a str>) {
    match value {
        Value::String(text) => strings.push(text),
        Value::Array(items) => items.iter().for_each(|item| collect_strings(item, strings)),
        Value::Object(fields) => fields.values().for_each(|field| collect_strings(field, strings)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}
