//! Decides whether a rule approves a command, and under which conditions.

use verger_shell::Word;

use super::judgement::Condition;
use super::operands::Operands;
use super::options::{self, Reading};
use super::program::{global_options, is_exactly};
use super::rule::{Rule, Ruling};
use super::scene::Scene;
use super::tables::about;

/// The conditions under which the rule approves the command. `None` if the rule doesn't cover all
/// words of the command.
pub(super) fn approval(rule: &Rule<'_>, scene: &Scene<'_>) -> Option<Vec<Condition>> {
    if !matches!(rule.ruling, Ruling::Allow | Ruling::Build) {
        return None;
    }
    if rule.operands != Operands::Words && scene.argv.iter().any(Word::has_braces) {
        return None;
    }
    let (program, subcommands) = rule.command.split_once(' ').unwrap_or((rule.command, ""));
    let first = scene.argv.first()?;
    if !rule.names(base(first)) && !program.contains('/') {
        return None;
    }
    let name = program.split('|').find(|program| is_exactly(first, program))?;
    let mut named: Vec<&str> = Vec::new();
    let mut rest = scene.words();
    for wanted in subcommands.split_ascii_whitespace() {
        if !wanted.starts_with('-') {
            let (global, after) = options::read_leading(global_options(name), rest, scene)?;
            named.extend(global.directories());
            rest = after;
        }
        let (word, after) = rest.split_first()?;
        if !is_subcommand(wanted, word) {
            return None;
        }
        rest = after;
    }
    if rule.operands.reads_itself() {
        if !rule.operands.fit_words(rule.options, rest, scene) {
            return None;
        }
    } else {
        if rule.ruling == Ruling::Build && hands_on(rule.options, rest) {
            return None;
        }
        let reading: Reading<'_> = options::read(rule.options, rest, scene)?;
        if !rule.operands.fit(&reading, scene) {
            return None;
        }
        named.extend(reading.directories());
    }
    conditions(rule, &named, scene)
}

/// Whether the command has words after `--`, which the built program would get, and the rule has no
/// list of allowed words.
fn hands_on(options: &str, words: &[Word]) -> bool {
    let end = words.iter().position(|word| word.text() == "--");
    !options.contains(" -- ") && end.is_some_and(|end| end + 1 < words.len())
}

fn is_subcommand(wanted: &str, word: &Word) -> bool {
    word.literal().is_some_and(|word| match wanted {
        "*" => !word.starts_with('-') && !word.contains(".."),
        _ => wanted.split('|').any(|wanted| wanted == word),
    })
}

/// The conditions under which the rule approves the command. `None` if a condition needs a
/// directory that is unknown or outside of the project.
fn conditions(rule: &Rule<'_>, named: &[&str], scene: &Scene<'_>) -> Option<Vec<Condition>> {
    let mut conditions = vec![Condition::CleanPath];
    let is_git = rule.command.starts_with("git ");
    if !is_git && rule.ruling != Ruling::Build {
        return Some(conditions);
    }
    let directories = scene.work_directories(named)?;
    if !directories.iter().all(|directory| scene.ground.is_in_project(directory)) {
        return None;
    }
    for directory in directories {
        conditions.push(if is_git {
            Condition::PlainGitConfig { directory }
        } else {
            Condition::TrustedWorktree { directory }
        });
    }
    if rule.ruling == Ruling::Build && !rule.defined_in.is_empty() {
        conditions.push(Condition::Unchanged { files: rule.defined_in.to_owned() });
    }
    Some(conditions)
}

/// Whether a built-in rule approves the command because it builds or tests the project.
pub(super) fn is_build(scene: &Scene<'_>) -> bool {
    let Some(first) = scene.argv.first() else { return false };
    about(base(first))
        .filter(|rule| rule.ruling == Ruling::Build)
        .any(|rule| approval(rule, scene).is_some())
}

fn base(program: &Word) -> &str {
    program.text().rsplit('/').next().unwrap_or_default()
}
