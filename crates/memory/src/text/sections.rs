//! Splits a text into entries without interpreting them. An entry has a line number, summary,
//! fields and detail.

use super::keys::{self, Key};
use super::quoting;
use super::writing::{WRITTEN_FIRST, mark};

/// An entry of the text, with any fields.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Section {
    /// The number of the line with the entry's heading, from 1.
    pub line: usize,
    /// The text of the entry's heading.
    pub summary: String,
    /// The id in the entry's heading.
    pub heading_id: Option<String>,
    /// The detail of the entry.
    pub detail: String,
    fields: Vec<(Key, String)>,
    /// Whether the entry's line of fields is cut off: it begins like a line that verger wrote but
    /// lacks the end.
    pub(super) breaks_off: bool,
}

impl Section {
    /// The value of a field. `None` if the field doesn't have exactly one value.
    pub fn value(&self, key: Key) -> Option<String> {
        let value = self.raw(key)?;
        (!value.is_empty()).then(|| quoting::whole_string(value).into_owned())
    }

    /// The items of a field with a list.
    pub fn items(&self, key: Key) -> Vec<String> {
        self.raw(key).map(quoting::items).unwrap_or_default()
    }

    /// Whether the entry has any fields.
    pub fn has_fields(&self) -> bool {
        !self.fields.is_empty()
    }

    fn raw(&self, key: Key) -> Option<&str> {
        self.fields.iter().find(|(known, _)| *known == key).map(|(_, value)| value.as_str())
    }
}

/// Splits a text into its entries. Also returns the numbers of the lines with git's conflict marks.
pub fn sections(text: &str) -> (Vec<Section>, Vec<usize>) {
    let (mut sections, mut conflicts) = (Vec::new(), Vec::new());
    let mut open: Option<Open<'_>> = None;
    let mut finish = |open: Option<Open<'_>>| sections.extend(open.map(Open::close));
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    for (index, line) in text.split('\n').enumerate() {
        let line = line.strip_suffix('\r').unwrap_or(line);
        let is_in_fence = open.as_ref().is_some_and(|open| open.fence.is_some());
        if is_conflict_mark(line, !conflicts.is_empty()) {
            finish(open.take());
            conflicts.push(index + 1);
        } else if let Some(begun) = Open::at(line, index + 1, is_in_fence) {
            finish(open.replace(begun));
        } else if line.starts_with("# ") && !is_in_fence {
            finish(open.take());
        } else if let Some(open) = &mut open {
            open.take(line);
        }
    }
    finish(open);
    (sections, conflicts)
}

/// Whether a line is a conflict mark. `=======` counts only after the beginning of a conflict,
/// because elsewhere it underlines a heading.
fn is_conflict_mark(line: &str, has_begun: bool) -> bool {
    let is = |mark: &str| {
        line.strip_prefix(mark).is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
    };
    is("<<<<<<<") || (has_begun && (line == "=======" || is("|||||||") || is(">>>>>>>")))
}

struct Open<'a> {
    section: Section,
    body: Vec<&'a str>,
    fence: Option<&'a str>,
}

impl<'a> Open<'a> {
    /// The entry that begins in `line`, if one does. Inside a code fence only a heading with an id
    /// counts, so that an unclosed fence doesn't hide the entries after it.
    fn at(line: &'a str, number: usize, is_in_fence: bool) -> Option<Self> {
        let (heading, fields) = match line.strip_prefix("## ") {
            Some(heading) => (heading.trim(), Vec::new()),
            None if is_in_fence => return None,
            None => daily_heading(line)?,
        };
        let (summary, heading_id) = without_id(heading);
        if is_in_fence && heading_id.is_none() {
            return None;
        }
        let section = Section {
            line: number,
            summary: quoting::whole_string(summary).into_owned(),
            heading_id: heading_id.map(str::to_owned),
            detail: String::new(),
            fields,
            breaks_off: false,
        };
        Some(Self { section, body: Vec::new(), fence: None })
    }

    fn take(&mut self, line: &'a str) {
        self.body.push(line);
        let start = line.trim_start();
        let fence = &start[..start.len() - start.trim_start_matches(['`', '~']).len()];
        match self.fence {
            None if fence.len() >= 3 => self.fence = Some(fence),
            Some(opening) if fence.starts_with(opening) && start.trim_end() == fence => {
                self.fence = None;
            }
            _ => (),
        }
    }

    fn close(mut self) -> Section {
        let is_said = |line: &&&str| !line.trim().is_empty() && keys::fields(line).is_empty();
        let is_quoted = self.body.iter().find(is_said).is_some_and(|line| line.starts_with('>'));
        if is_quoted {
            self.close_quoted();
        } else {
            self.close_plain();
        }
        self.section
    }

    /// Finishes an entry whose detail is quoted. Its other lines are fields or remarks.
    fn close_quoted(&mut self) {
        for line in self.body.iter().filter(|line| !is_quote(line)) {
            let fields = keys::fields(line);
            self.section.breaks_off |= self.section.fields.is_empty() && breaks_off(&fields);
            self.section.fields.extend(owned(fields));
        }
        let mark = self.section.heading_id.as_deref().map(mark);
        let first = self.body.iter().position(is_quote).unwrap_or_default();
        let last = self.body.iter().rposition(is_quote).unwrap_or_default();
        let is_mark = |quoted: &str| {
            mark.as_deref().is_some_and(|mark| quoted.strip_prefix(' ') == Some(mark))
        };
        let mut lines = Vec::new();
        for line in &self.body[first..=last] {
            match line.strip_prefix('>') {
                Some(quoted) if is_mark(quoted) => (),
                Some(quoted) => lines.push(quoting::unquoted_line(quoted)),
                None if line.trim().is_empty() => lines.push("".into()),
                None => (),
            }
        }
        self.section.detail = lines.join("\n");
    }

    /// Finishes an entry that was written by hand. It has fields at the beginning or the end, and
    /// the detail between them.
    fn close_plain(&mut self) {
        let is_empty = |line: &&str| line.trim().is_empty();
        let is_around = |line: &&str| is_empty(line) || !keys::fields(line).is_empty();
        let front = self.body.iter().take_while(|line| is_around(line)).count();
        let (fields, rest) = self.body.split_at(front);
        let mut found: Vec<_> = fields.iter().flat_map(|line| keys::fields(line)).collect();
        let mut said = rest;
        if found.is_empty() {
            let back = rest.iter().rev().take_while(|line| is_around(line)).count();
            let (before, fields) = rest.split_at(rest.len() - back);
            found = fields.iter().flat_map(|line| keys::fields(line)).collect();
            said = before;
        }
        let end = said.iter().rposition(|line| !is_empty(line)).map_or(0, |at| at + 1);
        self.section.detail = said[..end].join("\n");
        self.section.fields.extend(owned(found));
    }
}

/// Whether a line of fields is cut off: it begins with the fields that verger writes first, but
/// doesn't end with the id.
fn breaks_off(fields: &[(Key, &str)]) -> bool {
    let begins = fields.iter().zip(WRITTEN_FIRST).all(|((key, _), first)| key == first);
    let ends = fields.last().is_some_and(|(key, id)| *key == Key::Id && !id.is_empty());
    !fields.is_empty() && begins && !ends
}

fn is_quote(line: &&str) -> bool {
    line.starts_with('>')
}

fn owned(fields: Vec<(Key, &str)>) -> impl Iterator<Item = (Key, String)> {
    fields.into_iter().map(|(key, value)| (key, value.to_owned()))
}

/// Splits a heading such as `Summary {#learn-x}` into the summary and the id.
fn without_id(heading: &str) -> (&str, Option<&str>) {
    let split = heading.strip_suffix('}').and_then(|heading| heading.rsplit_once("{#"));
    match split {
        Some((summary, id)) if id.starts_with("learn-") => (summary.trim_end(), Some(id)),
        _ => (heading, None),
    }
}

/// Parses `[14:32] **Pitfall** (grove:learn-abc123): Summary`, a heading in a Total Recall daily
/// log.
fn daily_heading(line: &str) -> Option<(&str, Vec<(Key, String)>)> {
    let (clock, rest) = line.strip_prefix('[')?.split_once("] **")?;
    let is_clock = clock.len() == 5 && clock.bytes().all(|b| b.is_ascii_digit() || b == b':');
    let (category, rest) = rest.split_once("**")?;
    let (id, summary) = match rest.trim_start().strip_prefix('(') {
        Some(rest) => rest.split_once("):")?,
        None => ("", rest.strip_prefix(':')?),
    };
    let mut fields = vec![(Key::Category, category.to_owned())];
    if let Some(id) = id.split(':').next_back().filter(|id| !id.is_empty()) {
        fields.push((Key::Id, id.to_owned()));
    }
    is_clock.then_some((summary.trim(), fields))
}
