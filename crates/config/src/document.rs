//! Reads one configuration file: parses its statements, and passes their values to the rules of the
//! keys.

use std::sync::Arc;

use toml::de::{DeTable, DeValue};

use crate::keys::{KEYS, Key, SECTIONS, Settings};
use crate::layers::{Origin, Source};
use crate::nearest::nearest;
use crate::problem::{Loss, Place, ProblemKind};
use crate::resolve::Report;
use crate::rule::{Offer, Standing};
use crate::statement::{Statement, Statements, end_position};
use crate::value::{Given, kind_of};
use crate::{MAX_FILE_BYTES, MAX_PROBLEMS};

pub(crate) fn apply(
    source: Source<'_>,
    standing: Standing,
    settings: &mut Settings,
    report: &mut Report<'_>,
) {
    let file: Arc<str> = source.file.into();
    if source.bytes.len() > MAX_FILE_BYTES {
        report.add(Place::File { file }, || ProblemKind::TooLarge { limit: MAX_FILE_BYTES });
        return;
    }
    let text = match std::str::from_utf8(source.bytes) {
        Ok(text) => text,
        Err(error) => {
            let valid = &source.bytes[..error.valid_up_to()];
            let (line, column) = end_position(&String::from_utf8_lossy(valid));
            report.add(Place::Position { file, line, column }, || ProblemKind::NotUtf8);
            return;
        }
    };
    let reader = Reader {
        file,
        standing,
        settings,
        report,
        section: Section::Top,
        set: Vec::new(),
        opened: Vec::new(),
    };
    reader.read(text);
}

/// The section to which the next statement belongs.
enum Section {
    Top,
    Known(&'static str),
    /// The section is unknown. It is reported at its header, and the keys in it are ignored.
    Lost,
}

struct Reader<'a, 'r> {
    file: Arc<str>,
    standing: Standing,
    settings: &'a mut Settings,
    report: &'a mut Report<'r>,
    section: Section,
    /// The keys that the file has set so far, with their lines. The list is short, so it is
    /// searched linearly.
    set: Vec<(&'static Key, u32)>,
    opened: Vec<(&'static str, u32)>,
}

impl Reader<'_, '_> {
    fn read(mut self, text: &str) {
        let mut statements = Statements::new(text);
        let mut syntax_errors = 0;
        while let Some(statement) = statements.next() {
            match statement.parse() {
                Ok(table) if statement.is_header() => self.open(&statement, table.get_ref()),
                Ok(table) => self.assign(&statement, table.get_ref()),
                Err(error) => {
                    syntax_errors += 1;
                    let loss = if syntax_errors == MAX_PROBLEMS {
                        Loss::RestOfFile
                    } else if statement.is_header() {
                        self.section = Section::Lost;
                        Loss::Section
                    } else {
                        Loss::Statement
                    };
                    let kind = ProblemKind::Syntax { message: error.message, loss };
                    self.complain(&statement, error.offset, || kind);
                    if loss == Loss::RestOfFile {
                        return;
                    }
                    statements.resume_inside(&statement, text);
                }
            }
        }
    }

    fn open(&mut self, statement: &Statement<'_>, header: &DeTable<'_>) {
        let mut path = Vec::new();
        let mut offset = 0;
        let mut is_list = false;
        let mut level = Some(header);
        while let Some((key, value)) = level.and_then(|table| table.iter().next()) {
            path.push(key.get_ref().as_ref());
            offset = offset.max(key.span().start);
            is_list |= value.get_ref().is_array();
            level = value.get_ref().as_table();
        }
        let line = statement.line;
        let known = match path[..] {
            [name] => SECTIONS.iter().copied().find(|section| *section == name),
            _ => None,
        };
        let Some(section) = known else {
            self.complain(statement, offset, || {
                if let [section, name] = path[..]
                    && let Some(key) = known_key(section, name)
                {
                    let Key { section, name, .. } = key;
                    return ProblemKind::KeyAsSection { key: key.path(), section, name };
                }
                let section = joined(&path);
                let nearest = nearest(&section, SECTIONS).map(|section| (*section).to_owned());
                ProblemKind::UnknownSection { section, nearest }
            });
            self.section = Section::Lost;
            return;
        };
        let first = self.opened.iter().find(|(opened, _)| *opened == section);
        if is_list {
            let kind = ProblemKind::SectionList { section: section.to_owned() };
            self.complain(statement, offset, || kind);
        } else if let Some(&(_, first_line)) = first {
            let kind = ProblemKind::DuplicateSection { section: section.to_owned(), first_line };
            self.complain(statement, offset, || kind);
        } else {
            self.opened.push((section, line));
        }
        self.section = Section::Known(section);
    }

    fn assign(&mut self, statement: &Statement<'_>, table: &DeTable<'_>) {
        let mut path = match self.section {
            Section::Top => Vec::new(),
            Section::Known(section) => vec![section],
            Section::Lost => return,
        };
        self.assign_below(&mut path, statement, table);
    }

    /// Assigns the value of a dotted key or an inline table, which mean the same. Follows both
    /// until it reaches a known key.
    fn assign_below<'t>(
        &mut self,
        path: &mut Vec<&'t str>,
        statement: &Statement<'_>,
        table: &'t DeTable<'t>,
    ) {
        for (name, value) in table {
            path.push(name.get_ref());
            match (&path[..], value.get_ref()) {
                ([_], DeValue::Table(inner)) => self.assign_below(path, statement, inner),
                _ => self.assign_one(path, statement, name.span().start, value.get_ref()),
            }
            path.pop();
        }
    }

    fn assign_one<'t>(
        &mut self,
        path: &[&str],
        statement: &Statement<'_>,
        offset: usize,
        value: &'t DeValue<'t>,
    ) {
        let known = match path {
            [section, name] => known_key(section, name),
            _ => None,
        };
        let Some(key) = known else {
            self.complain(statement, offset, || unknown_key(path, value));
            return;
        };
        let (line, _) = statement.position(offset);
        let key_path = key.path();
        let first = self.set.iter().find(|(set, _)| std::ptr::eq(*set, key));
        if let Some(&(_, first_line)) = first {
            let kind = ProblemKind::DuplicateKey { key: key_path, first_line };
            self.complain(statement, offset, || kind);
            return;
        }
        self.set.push((key, line));
        let offer =
            Offer { given: Given::Toml(value), origin: self.origin(line), standing: self.standing };
        if let Err(kind) = (key.take)(self.settings, offer, &key_path) {
            self.complain(statement, offset, || kind);
        }
    }

    fn origin(&self, line: u32) -> Origin {
        let file = Arc::clone(&self.file);
        match self.standing {
            Standing::User => Origin::User { file, line },
            Standing::TrustedProject | Standing::UntrustedProject | Standing::Environment => {
                Origin::Project { file, line }
            }
        }
    }

    fn complain(
        &mut self,
        statement: &Statement<'_>,
        offset: usize,
        kind: impl FnOnce() -> ProblemKind,
    ) {
        let (line, column) = statement.position(offset);
        let file = Arc::clone(&self.file);
        self.report.add(Place::Position { file, line, column }, kind);
    }
}

fn known_key(section: &str, name: &str) -> Option<&'static Key> {
    KEYS.iter().find(|key| key.section == section && key.name == name)
}

fn unknown_key(path: &[&str], value: &DeValue<'_>) -> ProblemKind {
    let key = joined(path);
    match path {
        [section] if SECTIONS.contains(section) => {
            let (expected, found) = ("a table".to_owned(), kind_of(value));
            ProblemKind::BadValue { key, expected, found, nearest: None }
        }
        _ => ProblemKind::UnknownKey { nearest: nearest_key(&key), key },
    }
}

/// The known key that was probably meant by an unknown one. A key with the same name in another
/// section is preferred to a key with a similar path.
pub(crate) fn nearest_key(path: &str) -> Option<String> {
    let last = path.rsplit('.').next().unwrap_or_default();
    let misplaced = KEYS.iter().find(|known| known.name == last).map(Key::path);
    misplaced.or_else(|| nearest(path, KEYS.iter().map(Key::path)))
}

/// Joins a key's path for a message, cut to a length that fits into a line.
fn joined(path: &[&str]) -> String {
    const SHOWN: usize = 96;
    let path = path.join(".");
    match path.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}...", &path[..end]),
        None => path,
    }
}
