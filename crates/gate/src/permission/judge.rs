//! Every command of a line against all rules.

use verger_shell::{Command, Place, Script};

use super::atoms::all_there;
use super::directories::Directories;
use super::judgement::{Condition, Finding, Judgement, Triage};
use super::operands::Operands;
use super::options;
use super::paths::Ground;
use super::program::{after_subcommands, is_exactly, names};
use super::rule::{Rule, Ruling};
use super::tables::built_in;
use super::{code, flow, prefix, redirects};

/// The rules beside the built-in ones, and what the user lifts of these.
#[derive(Debug, Clone, Copy, Default)]
pub struct Rules<'a> {
    /// The user's own.
    pub user: &'a [Rule<'a>],
    /// The project's: those that approve do not count.
    pub project: &'a [Rule<'a>],
    /// Names of rules of the floor that the user lifts.
    pub lifted: &'a [String],
}

/// What becomes of a line.
pub fn judge(script: &Script, ground: &Ground<'_>, rules: &Rules<'_>) -> Judgement {
    let judge = Judge { script, ground, rules, directories: Directories::of(script, ground) };
    let mut conditions = Vec::new();
    let mut findings = judge.unread();
    for index in 0..script.commands.len() {
        findings.push(judge.command(index, &mut conditions));
    }
    findings.extend(flow::findings(script, ground));
    Judgement::of(findings, conditions)
}

struct Judge<'a> {
    script: &'a Script,
    ground: &'a Ground<'a>,
    rules: &'a Rules<'a>,
    directories: Directories,
}

impl Judge<'_> {
    /// A line with parts that were not read is never approved.
    fn unread(&self) -> Vec<Finding> {
        let Some(unread) = self.script.unread.first() else { return Vec::new() };
        let is_dangerous =
            super::tables::dangerous_programs().any(|name| self.script.mentions(name));
        let triage = if is_dangerous { Triage::Risky } else { Triage::Unknown };
        let why = format!("parts of it cannot be read ({:?})", unread.why);
        vec![Finding { triage, rule: "unread".to_owned(), why, instead: None, command: None }]
    }

    fn command(&self, index: usize, conditions: &mut Vec<Condition>) -> Finding {
        let command = &self.script.commands[index];
        let own = self.rules.user.iter().chain(self.rules.project).copied();
        let own = self.strongest_harm(own, command);
        let harms = stronger(self.strongest_harm(built_in(), command), own);
        let allowed = match harms {
            // What the user or the project warn of, no rule approves.
            _ if own.is_some() => None,
            Some(rule) if rule.ruling == Ruling::Floor => None,
            Some(_) => self.allowing(self.rules.user, index, command),
            None => {
                let own = self.allowing(self.rules.user, index, command);
                own.or_else(|| built_in().find(|rule| self.approves(rule, index, command)))
            }
        };
        let finding = |triage, rule: &str, why: &str, instead: &str| Finding {
            triage,
            rule: rule.to_owned(),
            why: why.to_owned(),
            instead: (!instead.is_empty()).then(|| instead.to_owned()),
            command: Some(index),
        };
        let by_rule =
            |rule: &Rule<'_>| finding(rule.ruling.triage(), rule.name, rule.why, rule.instead);
        let base = match (allowed, harms) {
            (Some(rule), _) => {
                self.add_conditions(rule, conditions);
                by_rule(&rule)
            }
            (None, Some(rule)) => by_rule(&rule),
            (None, None) => self.unknown(index, command),
        };
        let mut all = vec![base];
        if let Some(found) = redirects::worst(command, self.ground) {
            all.push(finding(found.triage, found.rule, found.why, ""));
        }
        if let Some(found) = code::judged(command) {
            all.push(finding(found.triage, found.rule, found.why, ""));
        }
        if let Some(name) = prefix::unknown_variable(command) {
            let why = format!("it sets {name}, which may change what runs");
            all.push(finding(Triage::Unknown, "sets-variable", &why, ""));
        }
        let first = all.remove(0);
        all.into_iter()
            .fold(first, |one, other| if other.triage > one.triage { other } else { one })
    }

    fn strongest_harm<'r>(
        &self,
        rules: impl Iterator<Item = Rule<'r>>,
        command: &Command,
    ) -> Option<Rule<'r>> {
        rules
            .filter(|rule| !rule.ruling.approves())
            .filter(|rule| {
                rule.ruling != Ruling::Floor
                    || !self.rules.lifted.iter().any(|name| name == rule.name)
            })
            .filter(|rule| fits(rule, command, self.ground))
            .fold(None, |one, other| stronger(one, Some(other)))
    }

    fn allowing<'r>(
        &self,
        rules: &'r [Rule<'r>],
        index: usize,
        command: &Command,
    ) -> Option<Rule<'r>> {
        rules.iter().copied().find(|rule| self.approves(rule, index, command))
    }

    /// Whether the rule approves this very command.
    fn approves(&self, rule: &Rule<'_>, index: usize, command: &Command) -> bool {
        let mut words = rule.command.split_whitespace();
        let is_program = words
            .next()
            .is_some_and(|first| first.split('|').any(|program| is_exactly(command, program)));
        if !rule.ruling.approves() || !is_program {
            return false;
        }
        let mut rest = &command.argv[1..];
        for wanted in words {
            let Some((word, after)) = rest.split_first() else { return false };
            if !word.literal().is_some_and(|word| wanted.split('|').any(|wanted| wanted == word)) {
                return false;
            }
            rest = after;
        }
        if rule.operands == Operands::Command {
            return self.script.commands.iter().any(|inner| inner.place == Place::Within(index));
        }
        options::operands(rule.options, rest)
            .is_some_and(|operands| rule.operands.fit(&operands, self.ground))
    }

    fn add_conditions(&self, rule: Rule<'_>, conditions: &mut Vec<Condition>) {
        conditions.push(Condition::CleanPath);
        let directories = match &self.directories {
            Directories::Known(known) => known.clone(),
            Directories::Hidden => vec!["?".to_owned()],
        };
        if rule.command.starts_with("git ") {
            conditions.extend(
                directories
                    .iter()
                    .cloned()
                    .map(|directory| Condition::PlainGitConfig { directory }),
            );
        }
        if rule.ruling == Ruling::Build {
            conditions.extend(
                directories.into_iter().map(|directory| Condition::TrustedWorktree { directory }),
            );
            let files = rule.defined_in.to_owned();
            if !files.is_empty() {
                conditions.push(Condition::Unchanged { files });
            }
        }
    }

    fn unknown(&self, index: usize, command: &Command) -> Finding {
        let finding = |triage, rule: &str, why: String| Finding {
            triage,
            rule: rule.to_owned(),
            why,
            instead: None,
            command: Some(index),
        };
        match (command.argv.first(), command.program()) {
            (None, _) => finding(Triage::Allow, "assignment", "it only sets variables".to_owned()),
            (Some(_), None) => {
                let why = "the program's name is known only when it runs".to_owned();
                let is_dangerous =
                    super::tables::dangerous_programs().any(|name| self.script.mentions(name));
                finding(
                    if is_dangerous { Triage::Risky } else { Triage::Unknown },
                    "hidden-program",
                    why,
                )
            }
            (Some(_), Some(program)) => finding(
                Triage::Unknown,
                "no-rule",
                format!("no rule knows this call of `{program}`"),
            ),
        }
    }
}

/// Of equally strong rules the first.
fn stronger<'r>(one: Option<Rule<'r>>, other: Option<Rule<'r>>) -> Option<Rule<'r>> {
    match (one, other) {
        (Some(one), Some(other)) if strength(other.ruling) > strength(one.ruling) => Some(other),
        (one, other) => one.or(other),
    }
}

fn strength(ruling: Ruling) -> u8 {
    match ruling {
        Ruling::Allow | Ruling::Build => 0,
        Ruling::Risky => 1,
        Ruling::Deny => 2,
        Ruling::Floor => 3,
    }
}

/// Whether a rule that warns of commands fits this one, in any spelling.
pub(super) fn fits(rule: &Rule<'_>, command: &Command, ground: &Ground<'_>) -> bool {
    let first = rule.command.split_whitespace().next().unwrap_or_default();
    names(first, command)
        && after_subcommands(rule.command, &command.argv[1..])
            .is_some_and(|words| all_there(rule.with, words, ground))
}
