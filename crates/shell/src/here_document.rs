//! The text of here-documents.

use std::sync::Arc;

use crate::grammar::Target;
use crate::parser::Parser;
use crate::reader::{Kind, Text};
use crate::script::{Stdin, Word};

/// A here-document whose text begins on the next line.
#[derive(Debug)]
pub(crate) struct Pending {
    pub(crate) delimiter: String,
    pub(crate) strips_tabs: bool,
    pub(crate) is_literal: bool,
    pub(crate) target: Target,
}

impl Parser<'_> {
    pub(crate) fn read_here_documents(&mut self) {
        for pending in std::mem::take(&mut self.level.pending) {
            let body = self.body(&pending);
            let word = if pending.is_literal { Word::Literal(body) } else { expanded(body) };
            if let Word::Dynamic(text) = &word {
                let (place, depth) = (self.place, self.depth);
                let text = Text { source: text.clone(), kind: Kind::Body, place, depth };
                self.found.texts.push_back(text);
            }
            self.feed(&pending.target, &Stdin::Text(Arc::new(word)));
        }
    }

    /// Up to the delimiter, or else to the end as shells do, which only warn of it.
    fn body(&mut self, pending: &Pending) -> String {
        let mut body = String::new();
        while !self.rest().is_empty() {
            let line = self.rest().split_inclusive('\n').next().unwrap_or_default();
            self.at += line.len();
            let text = if pending.strips_tabs { line.trim_start_matches('\t') } else { line };
            if text.strip_suffix('\n').unwrap_or(text) == pending.delimiter {
                break;
            }
            body.push_str(text);
        }
        body
    }
}

/// What the shell makes of a text without a quoted delimiter. One with expansions stays as it is.
fn expanded(body: String) -> Word {
    let mut text = String::with_capacity(body.len());
    let mut rest = body.chars().peekable();
    while let Some(c) = rest.next() {
        match (c, rest.peek()) {
            ('\\', Some('\n')) => {
                rest.next();
            }
            ('\\', Some(&escaped @ ('$' | '`' | '\\'))) => {
                rest.next();
                text.push(escaped);
            }
            ('`', _) => return Word::Dynamic(body),
            ('$', Some(&next)) if next.is_ascii_alphanumeric() || "_{([@*#?$!-".contains(next) => {
                return Word::Dynamic(body);
            }
            _ => text.push(c),
        }
    }
    Word::Literal(text)
}
