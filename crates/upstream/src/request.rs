//! A received request, with methods for searching it.

use serde_json::Value;

/// One recorded request.
#[derive(Clone, Debug, PartialEq)]
pub struct Request {
    pub method: String,
    /// Path and query.
    pub path: String,
    /// The headers in their original order and spelling.
    pub headers: Vec<(String, String)>,
    /// The parsed body. `Null` if there is no body or it isn't JSON.
    pub body: Value,
}

/// The purpose of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A turn of the main conversation.
    Main,
    /// A turn of a subagent, which the client names in a header.
    Subagent,
    /// The request for a summary when the model's context is full.
    Compaction,
    /// A request without tools, such as one for a title.
    SideCall,
    /// `HEAD /`, which the client sends to open the connection early.
    Probe,
    /// Any request that has no message.
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

    /// The value of the first header with this name. Case is ignored.
    pub fn header(&self, name: &str) -> Option<&str> {
        let found = self.headers.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
        found.map(|(_, value)| value.as_str())
    }

    /// The id of the request's session, which hooks also get.
    pub fn session_id(&self) -> Option<&str> {
        self.header("x-claude-code-session-id")
    }

    /// The id of the request's subagent, which hooks also get.
    pub fn agent_id(&self) -> Option<&str> {
        self.header("x-claude-code-agent-id")
    }

    /// The string at a JSON pointer such as `/messages/0/content/0/text`.
    pub fn string_at(&self, pointer: &str) -> Option<&str> {
        self.body.pointer(pointer)?.as_str()
    }

    /// The text after the last occurrence of `prefix` in the conversation, up to white space, a
    /// quote or a tag.
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

    /// All strings in the system prompt, followed by those in the messages, oldest first.
    fn strings(&self) -> Vec<&str> {
        let mut strings = Vec::new();
        collect_strings(&self.body["system"], &mut strings);
        collect_strings(&self.body["messages"], &mut strings);
        strings
    }

    /// One line about the request, for messages of failed tests.
    pub fn summary(&self) -> String {
        const LONGEST: usize = 300;
        let last = self.body["messages"].as_array().and_then(|messages| messages.last());
        let last = last.map(|message| message["content"].to_string()).unwrap_or_default();
        // Only the end of the messages differs from the previous request.
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
