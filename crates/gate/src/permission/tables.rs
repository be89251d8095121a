//! The built-in rules.

mod files;
mod git;
mod readers;

use super::rule::{Rule, Ruling};

const TABLES: &[&[Rule<'static>]] = &[files::RULES, git::RULES, readers::RULES];

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
