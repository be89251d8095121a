//! The built-in rules.

mod build_js;
mod build_other;
mod build_python;
mod build_rust;
mod by_program;
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
mod runners;
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

use verger_event::gathered;
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
    runners::RULES,
];

/// The number of built-in rules.
const COUNT: usize = {
    let (mut count, mut table) = (0, 0);
    while table < TABLES.len() {
        count += TABLES[table].len();
        table += 1;
    }
    count
};

/// All built-in rules in one list, in the order of the tables.
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

/// All built-in rules.
pub fn built_in<'a>() -> impl Iterator<Item = Rule<'a>> {
    let tables: &[&[Rule<'a>]] = TABLES;
    tables.iter().flat_map(|table| table.iter().copied())
}

/// The built-in rules that may apply to this program, in order.
pub(super) fn about(program: &str) -> impl Iterator<Item = &'static Rule<'static>> + use<> {
    by_program::rules_about(program.as_bytes()).map(|place| ALL[usize::from(place)])
}

/// Whether a built-in rule applies to this program.
pub fn is_known_program(program: &str) -> bool {
    about(program).next().is_some()
}

/// Whether the command line, or a part of it that couldn't be parsed, names a program that a
/// built-in rule denies. Quotes and backslashes don't hide a name.
pub(super) fn mentions_danger(script: &Script) -> bool {
    let words = script.commands.iter().flat_map(|command| {
        let values = command.assignments.iter().map(|assignment| &assignment.value);
        command.argv.iter().chain(values)
    });
    let unread = script.unread.iter().map(|unread| unread.text.as_str());
    unread.chain(words.map(Word::text)).any(names_danger)
}

/// Whether a text names a program that a built-in rule denies.
pub(super) fn names_danger(text: &str) -> bool {
    let text: String = text.chars().filter(|c| !matches!(c, '"' | '\'' | '\\')).collect();
    let is_part = |c: char| !c.is_alphanumeric() && !matches!(c, '_' | '-' | '.');
    // A long text repeats its words, so each different word is checked once.
    let words: BTreeSet<&str> = gathered(text.split(is_part));
    words.into_iter().any(is_dangerous)
}

fn is_dangerous(word: &str) -> bool {
    let denies = |rule: &&Rule<'_>| matches!(rule.ruling, Ruling::Deny | Ruling::Floor);
    !word.is_empty() && about(word).filter(denies).any(|rule| rule.names(word))
}
