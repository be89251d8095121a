//! The built-in rules.

mod build_js;
mod build_other;
mod build_python;
mod build_rust;
mod cloud;
mod containers;
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

/// For each rule, the first letters of the programs that it is about: most rules are passed over
/// without a look at their text.
static LETTERS: [u32; COUNT] = {
    let mut letters = [0; COUNT];
    let (mut at, mut table) = (0, 0);
    while table < TABLES.len() {
        let mut rule = 0;
        while rule < TABLES[table].len() {
            letters[at] = first_letters(TABLES[table][rule].command.as_bytes());
            at += 1;
            rule += 1;
        }
        table += 1;
    }
    letters
};

const fn first_letters(command: &[u8]) -> u32 {
    let (mut letters, mut at, mut is_first) = (0, 0, true);
    while at < command.len() && command[at] != b' ' {
        if is_first {
            letters |= letter(command[at]);
        }
        if command[at] == b'/' {
            // A path is looked at as it stands.
            return u32::MAX;
        }
        is_first = command[at] == b'|';
        at += 1;
    }
    letters
}

/// Capitals and small letters are the same; what is no letter is like some letter.
const fn letter(byte: u8) -> u32 {
    1 << (byte & 31)
}

/// Every built-in rule.
pub fn built_in<'a>() -> impl Iterator<Item = Rule<'a>> {
    let tables: &[&[Rule<'a>]] = TABLES;
    tables.iter().flat_map(|table| table.iter().copied())
}

/// The built-in rules that may be about this program.
pub(super) fn about(program: &str) -> impl Iterator<Item = &'static Rule<'static>> + use<> {
    let wanted = program.bytes().next().map_or(0, letter);
    let rules = TABLES.iter().flat_map(|table| table.iter());
    rules.zip(&LETTERS).filter(move |(_, letters)| *letters & wanted != 0).map(|(rule, _)| rule)
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
