//! The model APIs: which one a request's path names, and the form of an answer in each.

mod anthropic;
mod chat;
mod gemini;
mod responses;
mod schema;
#[cfg(test)]
mod tests;

use serde_json::{Value, json};

use crate::reply::Message;
use crate::request::Request;

/// A model API.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Api {
    /// The Messages of Anthropic.
    Anthropic,
    /// Responses, the newer API of `OpenAI`.
    Responses,
    /// Chat Completions, which many services have.
    Chat,
    /// The `generateContent` of Google.
    Gemini,
}

impl Api {
    /// The API whose requests have this path.
    pub(crate) fn of_path(path: &str) -> Option<Self> {
        let path = path.split('?').next().unwrap_or_default();
        if path.ends_with("/v1/messages") {
            Some(Self::Anthropic)
        } else if path.ends_with("/v1/responses") {
            Some(Self::Responses)
        } else if path.ends_with("/v1/chat/completions") {
            Some(Self::Chat)
        } else if path.ends_with(":generateContent") || path.ends_with(":streamGenerateContent") {
            Some(Self::Gemini)
        } else {
            None
        }
    }

    /// Whether the request asks for a stream of events.
    pub(crate) fn streams(self, request: &Request) -> bool {
        match self {
            Self::Anthropic | Self::Responses | Self::Chat => request.body["stream"] == json!(true),
            Self::Gemini => request.path.contains(":streamGenerateContent"),
        }
    }

    /// The whole message, for a request without streaming.
    pub(crate) fn whole(self, message: &Message, request: &Request) -> Value {
        let model = &request.body["model"];
        match self {
            Self::Anthropic => anthropic::whole(message, model),
            Self::Responses => responses::whole(message, &request.body),
            Self::Chat => chat::whole(message, model),
            Self::Gemini => gemini::whole(message),
        }
    }

    /// The events of a stream, in the server-sent events format.
    pub(crate) fn events(self, message: &Message, request: &Request) -> Vec<String> {
        let model = &request.body["model"];
        match self {
            Self::Anthropic => anthropic::events(message, model),
            Self::Responses => responses::events(message, &request.body),
            Self::Chat => chat::events(message, model),
            Self::Gemini => gemini::events(message),
        }
    }

    /// The body of an error.
    pub(crate) fn error(self, status: u16, kind: &str, message: &str) -> Value {
        match self {
            Self::Anthropic => anthropic::error(kind, message),
            Self::Responses | Self::Chat => {
                json!({ "error": { "type": kind, "code": kind, "message": message } })
            }
            Self::Gemini => gemini::error(status, kind, message),
        }
    }

    /// The answer to a request that a script need not name: Gemini CLI asks for one before each
    /// prompt, to choose a model, and waits for a long time if it is not in the form it asked for.
    pub(crate) fn unscripted(self, request: &Request) -> Option<String> {
        match self {
            Self::Gemini => {
                let schema = &request.body["generationConfig"]["responseJsonSchema"];
                schema.is_object().then(|| schema::instance(schema).to_string())
            }
            Self::Anthropic | Self::Responses | Self::Chat => None,
        }
    }
}

/// One event whose name is the type of its data.
fn named_event(event: &Value) -> String {
    format!("event: {}\ndata: {event}\n\n", event["type"].as_str().unwrap_or_default())
}

/// One event without a name.
fn plain_event(event: &Value) -> String {
    format!("data: {event}\n\n")
}

/// Texts and inputs come in two parts, so that a client that takes the first for the whole fails
/// its test.
fn halves(text: &str) -> impl Iterator<Item = &str> {
    let middle = text.floor_char_boundary(text.len() / 2);
    let (first, second) = text.split_at(middle);
    [first, second].into_iter().filter(|half| !half.is_empty())
}
