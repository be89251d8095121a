//! The built-in rules.

mod build_js;
mod build_other;
mod build_python;
mod build_rust;
mod files;
mod git;
mod git_reads;
mod readers;
mod services;
mod shell_parts;
mod system;
mod versions;

use super::rule::{Rule, Ruling};

const TABLES: &[&[Rule<'static>]] = &[
    files::RULES,
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

/// Every built-in rule.
pub fn built_in<'a>() -> impl Iterator<Item = Rule<'a>> {
    let tables: &[&[Rule<'a>]] = TABLES;
    tables.iter().flat_map(|table| table.iter().copied())
}

/// Programs that some built-in rule denies.
pub(super) fn dangerous_programs() -> impl Iterator<Item = &'static str> {
    TABLES
        .iter()
        .flat_map(|table| table.iter())
        .filter(|rule| matches!(rule.ruling, Ruling::Deny | Ruling::Floor))
        .flat_map(|rule| rule.command.split_whitespace().next().unwrap_or_default().split('|'))
}
