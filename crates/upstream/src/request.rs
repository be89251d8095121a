//! A received request, with methods for searching it.

use serde_json::Value;

use crate::encoding::Api;

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
        match (self.method.as_str(), Api::of_path(path)) {
            ("HEAD", _) if matches!(path, "/" | "/api/hello") => Kind::Probe,
            ("GET", Some(Api::Responses)) if self.is_upgrade() => Kind::Probe,
            ("POST", Some(api)) => self.message_kind(api),
            _ => Kind::Other,
        }
    }

    pub(crate) fn is_upgrade(&self) -> bool {
        self.header("upgrade").is_some_and(|name| name.eq_ignore_ascii_case("websocket"))
    }

    fn message_kind(&self, api: Api) -> Kind {
        if self.is_compaction(api) {
            Kind::Compaction
        } else if self.body["tools"].as_array().is_none_or(Vec::is_empty) {
            // Claude Code's subagents have tools as a rule, and a header in any case.
            if self.agent_id().is_some() { Kind::Subagent } else { Kind::SideCall }
        } else if self.is_subagent(api) {
            Kind::Subagent
        } else {
            Kind::Main
        }
    }

    fn is_compaction(&self, api: Api) -> bool {
        match api {
            Api::Anthropic => self.mentions("CRITICAL: Respond with TEXT ONLY"),
            Api::Responses => self.codex_turn()["request_kind"] == "compaction",
            Api::Chat | Api::Gemini => false,
        }
    }

    fn is_subagent(&self, api: Api) -> bool {
        match api {
            Api::Anthropic | Api::Responses | Api::Chat => {
                // Copilot CLI says that it is one, but not which.
                let copilot = self.header("x-interaction-type");
                self.agent_id().is_some() || copilot == Some("conversation-subagent")
            }
            // Gemini CLI's subagents have no mark, but they can't call another.
            Api::Gemini => !self.offers("invoke_agent"),
        }
    }

    /// Whether the model is offered a tool of this name.
    pub fn offers(&self, tool: &str) -> bool {
        has_name(&self.body["tools"], tool)
    }

    /// The description of the turn in a header that Codex sends.
    fn codex_turn(&self) -> Value {
        let header = self.header("x-codex-turn-metadata").unwrap_or_default();
        serde_json::from_str(header).unwrap_or_default()
    }

    /// The first header of this name, in any case.
    pub fn header(&self, name: &str) -> Option<&str> {
        let found = self.headers.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
        found.map(|(_, value)| value.as_str())
    }

    /// The id of the request's session, which hooks also get.
    pub fn session_id(&self) -> Option<&str> {
        self.header("x-claude-code-session-id").or_else(|| self.header("session-id"))
    }

    /// The id of the request's subagent, which hooks also get.
    pub fn agent_id(&self) -> Option<&str> {
        self.header("x-claude-code-agent-id").or_else(|| {
            self.header("x-openai-subagent")?;
            self.header("thread-id")
        })
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
        for part in ["system", "instructions", "systemInstruction"].iter().chain(&CONVERSATIONS) {
            collect_strings(&self.body[*part], &mut strings);
        }
        strings
    }

    /// One line about the request, for messages of failed tests.
    pub fn summary(&self) -> String {
        const LONGEST: usize = 300;
        let conversation = CONVERSATIONS.iter().find_map(|part| self.body[*part].as_array());
        let last = conversation.and_then(|messages| messages.last());
        let last = last.map(|message| message.get("content").unwrap_or(message).to_string());
        let last = last.unwrap_or_default();
        // Only the end of a message differs from the request before.
        let skipped = last.chars().count().saturating_sub(LONGEST);
        let tail: String = last.chars().skip(skipped).collect();
        format!("{:?} {} {} {tail}", self.kind(), self.method, self.path)
    }
}

/// The fields of a body that hold the conversation, each in another API.
const CONVERSATIONS: [&str; 3] = ["messages", "input", "contents"];

/// Whether one of these tools has this name, in the form of any API.
fn has_name(tools: &Value, name: &str) -> bool {
    match tools {
        Value::Array(tools) => tools.iter().any(|tool| has_name(tool, name)),
        Value::Object(tool) => {
            tool.get("name").is_some_and(|known| known == name)
                || ["function", "functionDeclarations", "tools"]
                    .iter()
                    .any(|inner| tool.get(*inner).is_some_and(|tools| has_name(tools, name)))
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => false,
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
