//! The layout of a JSON text, so that additions look like the existing entries.

use std::ops::Range;

use serde_json::Value;

use super::span::{Entry, entries, root};

const USUAL_INDENT: &str = "  ";

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Layout {
    /// Each entry is on its own line.
    Lines { newline: &'static str, unit: String },
    /// All entries are on one line. `space` follows each colon and comma.
    OneLine { space: &'static str },
}

impl Layout {
    /// The layout for a value at this place, and the indentation of its line.
    pub(super) fn at(text: &str, span: &Range<usize>) -> (Self, String) {
        (Self::of_text(text), indent_of_line(text, span.start).to_owned())
    }

    /// The layout of a container's entries, and their indentation.
    pub(super) fn of_entries(
        text: &str,
        container: &Range<usize>,
        entries: &[Entry],
    ) -> (Self, String) {
        let layout = Self::of_text(text);
        let Some(first) = entries.first() else {
            let outer = indent_of_line(text, container.start);
            let unit = match &layout {
                Self::Lines { unit, .. } => unit,
                Self::OneLine { .. } => "",
            };
            return (layout.clone(), format!("{outer}{unit}"));
        };
        let start = first.span().start;
        if text[container.start..start].contains('\n') {
            let layout = match layout {
                Self::Lines { .. } => layout,
                Self::OneLine { .. } => Self::lines(text, USUAL_INDENT),
            };
            return (layout, indent_of_line(text, start).to_owned());
        }
        (Self::one_line(text, first), String::new())
    }

    /// The layout of the whole text. A text on one line stays on one line, unless it is empty.
    fn of_text(text: &str) -> Self {
        let first = root(text).and_then(|root| Ok((entries(text, &root)?, root)));
        let Ok((entries, root)) = first else { return Self::lines(text, USUAL_INDENT) };
        match entries.first() {
            Some(first) if !text[root].contains('\n') => Self::one_line(text, first),
            Some(first) => {
                let indent = indent_of_line(text, first.span().start);
                Self::lines(text, if indent.is_empty() { USUAL_INDENT } else { indent })
            }
            None => Self::lines(text, USUAL_INDENT),
        }
    }

    fn lines(text: &str, unit: &str) -> Self {
        let is_crlf = text.find('\n').is_some_and(|at| text[..at].ends_with('\r'));
        Self::Lines { newline: if is_crlf { "\r\n" } else { "\n" }, unit: unit.to_owned() }
    }

    fn one_line(text: &str, first: &Entry) -> Self {
        let is_tight = first.key.is_some() && text[..first.value.start].ends_with(':');
        Self::OneLine { space: if is_tight { "" } else { " " } }
    }

    pub(super) fn colon(&self) -> &'static str {
        match self {
            Self::Lines { .. } | Self::OneLine { space: " " } => ": ",
            Self::OneLine { .. } => ":",
        }
    }

    /// The text between the opening bracket and the first entry.
    pub(super) fn before_first(&self, indent: &str) -> String {
        match self {
            Self::Lines { newline, .. } => format!("{newline}{indent}"),
            Self::OneLine { .. } => String::new(),
        }
    }

    /// The text between a comma and the next entry.
    pub(super) fn before_next(&self, indent: &str) -> String {
        match self {
            Self::Lines { .. } => self.before_first(indent),
            Self::OneLine { space } => (*space).to_owned(),
        }
    }

    /// The text between the last entry and the closing bracket.
    pub(super) fn after_last(&self, outer_indent: &str) -> String {
        self.before_first(outer_indent)
    }

    /// The text of a value on a line with this indentation.
    pub(super) fn render(&self, value: &Value, indent: &str) -> String {
        let inner = match self {
            Self::Lines { unit, .. } => format!("{indent}{unit}"),
            Self::OneLine { .. } => String::new(),
        };
        let (open, close, rendered): (_, _, Vec<String>) = match value {
            Value::Object(members) if !members.is_empty() => {
                let member = |(key, value): (&String, &Value)| {
                    let key = Value::from(key.as_str());
                    format!("{key}{}{}", self.colon(), self.render(value, &inner))
                };
                ('{', '}', members.iter().map(member).collect())
            }
            Value::Array(elements) if !elements.is_empty() => {
                let element = |value: &Value| self.render(value, &inner);
                ('[', ']', elements.iter().map(element).collect())
            }
            scalar => return scalar.to_string(),
        };
        let separator = format!(",{}", self.before_next(&inner));
        format!(
            "{open}{}{}{}{close}",
            self.before_first(&inner),
            rendered.join(&separator),
            self.after_last(indent)
        )
    }
}

/// The indentation of the line that contains this byte.
fn indent_of_line(text: &str, offset: usize) -> &str {
    let start = text[..offset].rfind('\n').map_or(0, |newline| newline + 1);
    let line = &text[start..];
    &line[..line.len() - line.trim_start_matches([' ', '\t']).len()]
}
