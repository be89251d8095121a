//! Reads a rule file of the user or of a project: a list of `[[rule]]` tables.
//!
//! This module doesn't interpret the texts of rules. If a table has an error, the whole table is
//! ignored and reported, because a part of a rule may have the opposite meaning. The other tables
//! are used.

mod plain;
mod table;

use std::collections::HashMap;
use std::sync::Arc;

use toml::de::DeTable;

use crate::MAX_PROBLEMS;
use crate::layers::Source;
use crate::problem::{Loss, Place, Problem, ProblemKind};
use crate::resolve::Report;
use crate::statement::{Statement, Statements, end_position};

use plain::Written;
pub use table::{RuleKey, RuleTable};

/// Maximum number of bytes of a rule file. It is enough for more than ten thousand rules.
pub const MAX_RULE_FILE_BYTES: usize = 4 << 20;

/// Reads the rules in a file. Also returns the problems in the file.
pub fn read_rules(source: Source<'_>) -> (Vec<RuleTable>, Vec<Problem>) {
    let mut problems = Vec::new();
    let mut report = Report::new(&mut problems);
    let file: Arc<str> = source.file.into();
    let mut tables = Vec::new();
    if source.bytes.len() > MAX_RULE_FILE_BYTES {
        report.add(Place::File { file }, || ProblemKind::TooLarge { limit: MAX_RULE_FILE_BYTES });
    } else {
        match std::str::from_utf8(source.bytes) {
            Ok(text) => {
                let reader =
                    Reader { file, report: &mut report, tables, names: HashMap::new(), open: None };
                tables = reader.read(text);
            }
            Err(error) => {
                let valid = String::from_utf8_lossy(&source.bytes[..error.valid_up_to()]);
                let (line, column) = end_position(&valid);
                report.add(Place::Position { file, line, column }, || ProblemKind::NotUtf8);
            }
        }
    }
    report.finish();
    (tables, problems)
}

/// The table to which the next statement belongs.
enum Open {
    Rule {
        table: Box<RuleTable>,
        set: Vec<(&'static str, u32)>,
        fault: Option<Fault>,
    },
    /// The table is unknown. It is reported at its header, and the keys in it are ignored.
    Lost,
}

struct Fault {
    line: u32,
    column: u32,
    kind: ProblemKind,
}

struct Reader<'a, 'r> {
    file: Arc<str>,
    report: &'a mut Report<'r>,
    tables: Vec<RuleTable>,
    names: HashMap<String, u32>,
    open: Option<Open>,
}

impl Reader<'_, '_> {
    fn read(mut self, text: &str) -> Vec<RuleTable> {
        let mut statements = Statements::new(text);
        let mut syntax_errors = 0;
        while let Some(statement) = statements.next() {
            if plain::is_header(statement.text) {
                self.close();
                self.begin(&statement);
                continue;
            }
            if let Some((key, value)) = plain::assignment(statement.text) {
                self.assign(&statement, 0, key, value);
                continue;
            }
            match statement.parse() {
                Ok(table) if statement.is_header() => self.open(&statement, table.get_ref()),
                Ok(table) => {
                    for (key, value) in table.get_ref() {
                        let value = Written::of(value.get_ref());
                        self.assign(&statement, key.span().start, key.get_ref(), value);
                    }
                }
                Err(error) => {
                    syntax_errors += 1;
                    let is_last = syntax_errors == MAX_PROBLEMS;
                    let loss = match (is_last, statement.is_header()) {
                        (true, _) => Loss::RestOfFile,
                        (false, true) => Loss::Section,
                        (false, false) => Loss::Statement,
                    };
                    let kind = ProblemKind::Syntax { message: error.message, loss };
                    if statement.is_header() {
                        self.close();
                        self.open = Some(Open::Lost);
                    }
                    self.complain(&statement, error.offset, kind);
                    if is_last {
                        break;
                    }
                    statements.resume_inside(&statement, text);
                }
            }
        }
        self.close();
        self.tables
    }

    fn open(&mut self, statement: &Statement<'_>, header: &DeTable<'_>) {
        self.close();
        if header.get("rule").is_some_and(|rules| rules.get_ref().is_array()) {
            self.begin(statement);
        } else {
            self.open = Some(Open::Lost);
            self.complain(statement, 0, ProblemKind::NotARule);
        }
    }

    fn begin(&mut self, header: &Statement<'_>) {
        let table = Box::new(RuleTable::at(header.line));
        self.open = Some(Open::Rule { table, set: Vec::new(), fault: None });
    }

    /// Ends the current table. Its rule is added to the list, unless it has an error.
    fn close(&mut self) {
        let Some(Open::Rule { table, fault, .. }) = self.open.take() else { return };
        let whole = fault.map_or(Ok(()), Err).and_then(|()| self.missing(&table));
        match whole {
            Ok(()) => {
                self.names.insert(table.name.clone(), table.line);
                self.tables.push(*table);
            }
            Err(Fault { line, column, kind }) => {
                let place = Place::Position { file: Arc::clone(&self.file), line, column };
                self.report.add(place, || table.left_out(kind));
            }
        }
    }

    /// Checks that a rule has its required keys and that no other rule has its name.
    fn missing(&self, table: &RuleTable) -> Result<(), Fault> {
        let fault = |kind| Err(Fault { line: table.line, column: 1, kind });
        let absent = |key: &str, expected: &str| {
            fault(ProblemKind::BadValue {
                key: key.to_owned(),
                expected: expected.to_owned(),
                found: "nothing".to_owned(),
                nearest: None,
            })
        };
        if table.name.is_empty() {
            return absent("name", "a name");
        }
        if let Some(&first_line) = self.names.get(&table.name) {
            return fault(ProblemKind::NameTaken { first_line });
        }
        if table.text(RuleKey::Verdict).is_empty() {
            return absent("verdict", "allow, build, risky or deny");
        }
        if table.text(RuleKey::Command).trim().is_empty() {
            return absent("command", "a program and its subcommands");
        }
        if table.matches.is_empty() {
            return absent("match", "commands that the rule matches");
        }
        Ok(())
    }

    fn assign(&mut self, statement: &Statement<'_>, at: usize, key: &str, value: Written<'_>) {
        match &mut self.open {
            None => self.complain(statement, at, ProblemKind::NotARule),
            Some(Open::Lost) => {}
            Some(Open::Rule { table, set, .. }) => {
                if let Err(kind) = table::put(table, set, key, value, statement.position(at)) {
                    self.complain(statement, at, kind);
                }
            }
        }
    }

    /// Notes the first error of a rule. It is reported at the end of the rule, because the rule's
    /// name is known only then.
    fn complain(&mut self, statement: &Statement<'_>, offset: usize, kind: ProblemKind) {
        let (line, column) = statement.position(offset);
        if let Some(Open::Rule { fault, .. }) = &mut self.open {
            fault.get_or_insert(Fault { line, column, kind });
        } else {
            let file = Arc::clone(&self.file);
            self.report.add(Place::Position { file, line, column }, || kind);
        }
    }
}

#[cfg(test)]
mod tests;
