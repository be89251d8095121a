//! Recognizes lines with which coding agents sign commits and pull requests.

use std::ops::Range;

use verger_shell::Glob;

/// The names, addresses and links by which coding agents are recognized, in lower case.
#[derive(Debug, Clone, Copy, Default)]
pub struct Signatures<'a> {
    /// Product names of agents. A name that contains one of these is an agent's name.
    pub products: &'a [&'a str],
    /// Names of agents that may also be the names of people.
    pub names: &'a [&'a str],
    /// Mail addresses of agents. `*` matches any text.
    pub addresses: &'a [&'a str],
    /// Beginnings of links to agents or their sessions.
    pub links: &'a [&'a str],
}

const VERBS: &[&str] = &[
    "generated",
    "created",
    "written",
    "made",
    "authored",
    "co-authored",
    "produced",
    "drafted",
    "built",
    "assisted",
    "coded",
    "developed",
];
const PREPOSITIONS: &[&str] = &["with", "by", "using", "via"];

impl Signatures<'_> {
    /// Whether a line of a message is only the signature of an agent.
    pub fn is_signed(&self, line: &str) -> bool {
        let line = line.trim().to_lowercase();
        let is_link_alone = self.is_link(&line) && !line.contains(char::is_whitespace);
        self.is_trailer(&line) || self.is_credit(&line) || is_link_alone
    }

    /// Whether a line is a trailer that names an agent: `Co-Authored-By: AGENT <address>`, or a key
    /// with a link to the agent's session.
    fn is_trailer(&self, line: &str) -> bool {
        let Some((key, value)) = line.split_once(':') else { return false };
        let (key, value) = (key.trim(), value.trim());
        let is_key = !key.is_empty() && key.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-');
        is_key && ((key.ends_with("-by") && self.is_agent(value)) || self.is_link(value))
    }

    /// Whether a line gives credit to an agent: `Generated with AGENT`.
    fn is_credit(&self, line: &str) -> bool {
        let line = line.trim_start_matches(|c: char| !c.is_alphanumeric());
        let Some((verb, rest)) = line.split_once(' ') else { return false };
        let Some((preposition, rest)) = rest.trim_start().split_once(' ') else { return false };
        let rest = rest.trim_start_matches(|c: char| !c.is_alphanumeric());
        VERBS.contains(&verb)
            && PREPOSITIONS.contains(&preposition)
            && (self.products.iter().any(|product| begins_with_word(rest, product))
                || self.names.iter().any(|name| is_name_alone(rest, name)))
    }

    /// Whether the value of a trailer is an agent's name, with or without an address.
    fn is_agent(&self, value: &str) -> bool {
        let (name, address) = match value.split_once('<') {
            Some((name, rest)) => (name, rest.split('>').next()),
            None => (value, None),
        };
        let is_own = |address: &str| self.addresses.iter().any(|known| Glob::fits(known, address));
        if address.is_some_and(is_own) {
            return true;
        }
        let bare = name.split('(').next().unwrap_or_default().trim();
        let is_nobodys = address.is_none_or(|address| {
            let local = address.split('@').next().unwrap_or_default();
            address.contains("noreply") || address.contains("no-reply") || local.contains("[bot]")
        });
        self.products.iter().any(|product| has_words(name, product))
            || (is_nobodys && self.names.contains(&bare))
    }

    fn is_link(&self, value: &str) -> bool {
        let value = value.trim_start_matches("https://").trim_start_matches("http://");
        self.links.iter().any(|link| value.starts_with(link))
    }

    /// The ranges to remove from a message so that it has no signature. Blank lines before a
    /// signature at the end are removed too. Blank lines on both sides of a signature become one.
    pub(super) fn cuts(&self, text: &str) -> Vec<Range<usize>> {
        let lines = lines(text, |line| self.is_signed(line));
        let mut cuts = vec![];
        let mut at = 0;
        while at < lines.len() {
            let is_part = |line: &TextLine| line.kind != Kind::Kept;
            let end = at + lines[at..].iter().take_while(|line| is_part(line)).count();
            let block = &lines[at..end];
            if let (Some(first), Some(last)) = (
                block.iter().position(|line| line.kind == Kind::Signed),
                block.iter().rposition(|line| line.kind == Kind::Signed),
            ) {
                let before = at.checked_sub(1).map(|before| lines[before].content);
                let after = lines.get(end).map(|after| after.start);
                cuts.push(match (before, after) {
                    (None, None) => 0..text.len(),
                    (None, Some(after)) => block[0].start..after,
                    // The newline at the end of the message stays.
                    (Some(before), None) => before..lines[end - 1].content,
                    (Some(_), Some(after)) if first > 0 => block[first].start..after,
                    (Some(_), Some(_)) => block[0].start..block[last].end,
                });
            }
            at = end.max(at + 1);
        }
        cuts
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Kept,
    Blank,
    Signed,
}

struct TextLine {
    start: usize,
    /// The end of the line's text, before its newline.
    content: usize,
    end: usize,
    kind: Kind,
}

fn lines(text: &str, is_signed: impl Fn(&str) -> bool) -> Vec<TextLine> {
    let mut start = 0;
    let line = |line: &str| {
        let content = line.strip_suffix('\n').unwrap_or(line);
        let content = content.strip_suffix('\r').unwrap_or(content);
        let kind = if content.trim().is_empty() {
            Kind::Blank
        } else if is_signed(content) {
            Kind::Signed
        } else {
            Kind::Kept
        };
        let found =
            TextLine { start, content: start + content.len(), end: start + line.len(), kind };
        start = found.end;
        found
    };
    text.split_inclusive('\n').map(line).collect()
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric()
}

fn begins_with_word(text: &str, words: &str) -> bool {
    text.strip_prefix(words).is_some_and(|rest| !rest.starts_with(is_word))
}

fn has_words(text: &str, words: &str) -> bool {
    text.match_indices(words).any(|(at, _)| {
        let before = text[..at].chars().next_back();
        !before.is_some_and(is_word) && begins_with_word(&text[at..], words)
    })
}

/// Whether the text is only `NAME` or `NAME](link)`. `NAME Smith` may be the name of a person.
fn is_name_alone(text: &str, name: &str) -> bool {
    text.strip_prefix(name).is_some_and(|rest| {
        let rest = rest.trim_end_matches(|c: char| !c.is_alphanumeric());
        rest.is_empty() || rest.starts_with("](") || rest.starts_with(" (http")
    })
}
