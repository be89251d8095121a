//! The built-in rules.

mod build_js;
mod build_other;
mod build_python;
mod build_rust;
mod cloud;
mod containers;
mod credentials;
mod database;
mod disk;
mod files;
mod forges;
mod git;
mod git_changes;
mod git_history;
mod git_reads;
mod hidden;
mod macos;
mod migration_tools;
mod migrations;
mod network;
mod overwrite;
mod own_files;
mod permissions;
mod platforms;
mod processes;
mod readers;
mod security;
mod services;
mod shell_parts;
mod system;
mod text_tools;
mod users;
mod versions;
mod volumes;
mod windows;

use std::collections::BTreeSet;

use verger_shell::{Script, Word};

use super::rule::{Rule, Ruling};

const TABLES: &[&[Rule<'static>]] = &[
    files::RULES,
    overwrite::RULES,
    own_files::RULES,
    permissions::RULES,
    git_changes::RULES,
    git_history::RULES,
    forges::RULES,
    disk::RULES,
    volumes::RULES,
    processes::RULES,
    security::RULES,
    credentials::RULES,
    network::RULES,
    users::RULES,
    database::RULES,
    migrations::RULES,
    migration_tools::RULES,
    cloud::RULES,
    containers::RULES,
    platforms::RULES,
    macos::RULES,
    windows::RULES,
    hidden::RULES,
    git::RULES,
    readers::RULES,
    text_tools::RULES,
    shell_parts::RULES,
    system::RULES,
    git_reads::RULES,
    services::RULES,
    versions::RULES,
    build_rust::RULES,
    build_js::RULES,
    build_python::RULES,
    build_other::RULES,
];

/// How many rules there are.
const COUNT: usize = {
    let (mut count, mut table) = (0, 0);
    while table < TABLES.len() {
        count += TABLES[table].len();
        table += 1;
    }
    count
};

/// All rules in one row.
static ALL: [&Rule<'static>; COUNT] = {
    let mut all = [&TABLES[0][0]; COUNT];
    let (mut at, mut table) = (0, 0);
    while table < TABLES.len() {
        let mut rule = 0;
        while rule < TABLES[table].len() {
            all[at] = &TABLES[table][rule];
            at += 1;
            rule += 1;
        }
        table += 1;
    }
    all
};

/// For each rule, the programs that it is about: most rules are passed over without a look at their
/// text.
static PROGRAMS: [Programs; COUNT] = {
    let mut programs = [Programs::NONE; COUNT];
    let mut at = 0;
    while at < COUNT {
        programs[at] = Programs::of(ALL[at].command.as_bytes());
        at += 1;
    }
    programs
};

/// A set of names, in which other names may seem to be.
#[derive(Clone, Copy)]
struct Programs {
    /// A bit for each name.
    names: u128,
    /// For names of which only the beginning is told, a bit for the first letter.
    letters: u32,
}

impl Programs {
    const NONE: Self = Self { names: 0, letters: 0 };

    /// The alternatives of a rule's first word; of a path, the last part.
    const fn of(command: &[u8]) -> Self {
        let (mut set, mut at, mut start) = (Self::NONE, 0, 0);
        loop {
            let is_end = at == command.len() || command[at] == b' ';
            if is_end || command[at] == b'|' {
                let one = Self::one(command, start, at);
                if command[at - 1] == b'*' {
                    set.letters |= one.letters;
                } else {
                    set.names |= one.names;
                }
                if is_end {
                    return set;
                }
            }
            if matches!(command[at], b'|' | b'/') {
                start = at + 1;
            }
            at += 1;
        }
    }

    /// Capitals and small letters are the same.
    const fn one(text: &[u8], start: usize, end: usize) -> Self {
        let (mut hash, mut at) = (17_u32, start);
        while at < end {
            hash = hash.wrapping_mul(31).wrapping_add((text[at] | 32) as u32);
            at += 1;
        }
        let letter = if start < end { 1 << (text[start] & 31) } else { 0 };
        Self { names: 1 << ((hash ^ (hash >> 7)) & 127), letters: letter }
    }

    const fn may_have(&self, one: Self) -> bool {
        self.names & one.names != 0 || self.letters & one.letters != 0
    }
}

/// Every built-in rule.
pub fn built_in<'a>() -> impl Iterator<Item = Rule<'a>> {
    let tables: &[&[Rule<'a>]] = TABLES;
    tables.iter().flat_map(|table| table.iter().copied())
}

/// The built-in rules that may be about this program.
pub(super) fn about(program: &str) -> impl Iterator<Item = &'static Rule<'static>> + use<> {
    let wanted = Programs::one(program.as_bytes(), 0, program.len());
    let rules = ALL.iter().zip(&PROGRAMS);
    rules.filter(move |(_, programs)| programs.may_have(wanted)).map(|(rule, _)| *rule)
}

/// Whether a program that some built-in rule denies is named in what was not read, or anywhere else
/// on the line: by quotes, backslashes and signs it is not hidden.
pub(super) fn mentions_danger(script: &Script) -> bool {
    let words = script.commands.iter().flat_map(|command| {
        let values = command.assignments.iter().map(|assignment| &assignment.value);
        command.argv.iter().chain(values)
    });
    let unread = script.unread.iter().map(|unread| unread.text.as_str());
    unread.chain(words.map(Word::text)).any(names_danger)
}

/// Whether a program that some built-in rule denies is named anywhere in a text.
pub(super) fn names_danger(text: &str) -> bool {
    let text: String = text.chars().filter(|c| !matches!(c, '"' | '\'' | '\\')).collect();
    let is_part = |c: char| !c.is_alphanumeric() && !matches!(c, '_' | '-' | '.');
    // A long text repeats its words.
    let words: BTreeSet<&str> = text.split(is_part).collect();
    words.into_iter().any(is_dangerous)
}

fn is_dangerous(word: &str) -> bool {
    let denies = |rule: &&Rule<'_>| matches!(rule.ruling, Ruling::Deny | Ruling::Floor);
    !word.is_empty() && about(word).filter(denies).any(|rule| rule.names(word))
}
