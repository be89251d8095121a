//! Judges every command of a command line with all rules.

use verger_shell::{Command, Inside, Script, Why};

use super::approval::approval;
use super::directories::{Directories, Moves};
use super::harm::{Call, stronger, strongest_anywhere};
use super::judgement::{Condition, Finding, Judgement, Triage};
use super::paths::{Ground, OWN_FILES};
use super::program::name;
use super::rule::{Rule, Ruling};
use super::scene::Scene;
use super::tables::{about, mentions_danger};
use super::{code, evaluations, flow, own_writes, prefix, redirects};

/// The rules of the user and of the project, and the built-in rules that the user switched off.
#[derive(Debug, Clone, Copy, Default)]
pub struct Rules<'a> {
    /// The user's rules.
    pub user: &'a [Rule<'a>],
    /// The project's rules. Rules of the project that approve commands have no effect.
    pub project: &'a [Rule<'a>],
    /// Names of built-in rules that the user switched off with `guard.allow_dangerous`.
    pub lifted: &'a [String],
}

/// An estimate, in bytes, of the built-in rules that each byte of a command line is compared with.
const BUILT_IN_TEXT: usize = 512;
/// The cost of judging a command line of 4 KiB with only the built-in rules.
const FEW_COMPARISONS: usize = 4 * 1024 * BUILT_IN_TEXT;

/// Whether judging a command line takes only a few milliseconds. Long command lines and large rule
/// files take longer.
pub fn is_soon_judged(line: &str, rules: &Rules<'_>) -> bool {
    let own: usize = rules.user.iter().chain(rules.project).map(Rule::text_bytes).sum();
    line.len().saturating_mul(BUILT_IN_TEXT.saturating_add(own)) <= FEW_COMPARISONS
}

/// Judges a command line by combining the findings about all of its commands.
pub fn judge(script: &Script, ground: &Ground<'_>, rules: &Rules<'_>) -> Judgement {
    let (directories, moves) = (Directories::of(script, ground), Moves::of(script, ground));
    let judge = Judge { script, ground, rules, directories, moves };
    let mut conditions = Vec::new();
    // Findings about writes to protected files come first, so that no other finding hides them.
    let mut findings = own_writes::findings(script, ground, &judge.moves, rules.lifted);
    findings.extend(judge.unread());
    findings.extend(judge.redefined());
    for index in 0..script.commands.len() {
        findings.push(judge.command(index, &mut conditions));
    }
    findings.extend(flow::findings(script, ground, rules.lifted));
    Judgement::of(findings, conditions)
}

struct Judge<'a> {
    script: &'a Script,
    ground: &'a Ground<'a>,
    rules: &'a Rules<'a>,
    directories: Directories,
    moves: Moves,
}

impl Judge<'_> {
    /// The findings about parts of the command line that couldn't be parsed. With such parts, the
    /// command line isn't approved, and it is risky if they may run any program.
    fn unread(&self) -> Vec<Finding> {
        let all = &self.script.unread;
        let worst = all.iter().find(|unread| unread.may_be_any());
        let Some(unread) = worst.or(all.first()) else { return Vec::new() };
        let is_risky = worst.is_some() || mentions_danger(self.script);
        let triage = if is_risky { Triage::Risky } else { Triage::Unknown };
        let why = match unread.why {
            Why::TooLong => "parts of it are too long to be read",
            Why::TooDeep => "parts of it are nested too deep to be read",
            Why::TooMany => "it runs more commands than verger reads",
            Why::NoRoom => "it is longer than verger reads",
            Why::Syntax => "parts of it are not valid shell syntax",
            Why::Hidden => "a shell runs commands that are not on the line",
        };
        let (rule, why) = ("unread".to_owned(), why.to_owned());
        vec![Finding { triage, rule, why, instead: None, command: None }]
    }

    /// A finding if the command line redefines names, or looks different from what it runs. Such a
    /// finding prevents an approval.
    fn redefined(&self) -> Option<Finding> {
        let why = if self.script.odd().is_some() {
            "it has invisible or easily confused characters"
        } else if !self.script.functions.is_empty() || !self.script.aliases().is_empty() {
            "it defines functions or aliases"
        } else if !evaluations::are_harmless(self.script) {
            "it evaluates text that is not known before it runs"
        } else if !self.script.loop_variables().all(prefix::is_own) {
            "its loop sets a variable that may change what runs"
        } else {
            return None;
        };
        let (triage, rule) = (Triage::Unknown, "another-meaning".to_owned());
        Some(Finding { triage, rule, why: why.to_owned(), instead: None, command: None })
    }

    fn command(&self, index: usize, conditions: &mut Vec<Condition>) -> Finding {
        let command = &self.script.commands[index];
        let mut all = if command.inside == Inside::Readings {
            // The script has variants of the command with the values of its variables, and these
            // are judged instead.
            vec![found(
                index,
                Triage::Allow,
                "with-values",
                "the values of its variables are on the line",
            )]
        } else {
            self.words(index, conditions)
        };
        if let Some(text) = redirects::hidden_text(&self.scene(index)) {
            all.push(found(index, text.triage, text.rule, text.why));
        }
        if let Some(name) = prefix::unknown_variable(command) {
            let why = format!("it sets {name}, which may change what runs");
            all.push(found(index, Triage::Unknown, "sets-variable", &why));
        }
        let first = all.remove(0);
        all.into_iter()
            .fold(first, |one, other| if other.triage > one.triage { other } else { one })
    }

    /// The findings about a command's words, redirects and code.
    fn words(&self, index: usize, conditions: &mut Vec<Condition>) -> Vec<Finding> {
        let command = &self.script.commands[index];
        let has_own = !self.rules.user.is_empty() || !self.rules.project.is_empty();
        let own = has_own
            .then(|| {
                self.strongest_harm(index, |_| self.rules.user.iter().chain(self.rules.project))
            })
            .flatten();
        // Writes to protected files have their own findings already.
        let others = |program: &str| about(program).filter(|rule| rule.name != OWN_FILES);
        let harms = stronger(self.strongest_harm(index, others), own);
        let allowed = match harms {
            // If a rule of the user or of the project is against the command, the command is never
            // approved.
            _ if own.is_some() => None,
            Some(rule) if rule.ruling == Ruling::Floor => None,
            Some(_) => self.allowed(self.rules.user, index),
            None => self
                .allowed(self.rules.user, index)
                .or_else(|| self.allowed(about(&name(command).unwrap_or_default()), index)),
        };
        // An approving rule also covers the code in the command, unless this code is risky or
        // denied.
        let is_allowed = allowed.is_some();
        let code = code::judged(self.script, index, self.ground);
        let code = code.filter(|code| !is_allowed || code.triage > Triage::Unknown);
        let base = match (allowed, harms) {
            (Some((rule, depends)), _) => {
                conditions.extend(depends);
                by_rule(index, &rule)
            }
            (None, Some(rule)) => by_rule(index, &rule),
            (None, None) => self.unknown(index, command),
        };
        let mut all = vec![base];
        if let Some(redirected) = redirects::worst(&self.scene(index), &self.moves) {
            all.push(found(index, redirected.triage, redirected.rule, redirected.why));
        }
        if let Some(code) = code {
            all.push(found(index, code.triage, code.rule, code.why));
        }
        all
    }

    fn strongest_harm<'r, I>(&self, index: usize, rules: impl Fn(&str) -> I) -> Option<Rule<'r>>
    where
        I: Iterator<Item = &'r Rule<'r>>,
    {
        strongest_anywhere(self.script, index, &self.moves, self.ground, rules, self.rules.lifted)
    }

    /// The first rule that approves this command, and the conditions of the approval.
    fn allowed<'r>(
        &self,
        rules: impl IntoIterator<Item = &'r Rule<'r>>,
        index: usize,
    ) -> Option<(Rule<'r>, Vec<Condition>)> {
        let scene = self.scene(index);
        rules.into_iter().find_map(|rule| approval(rule, &scene).map(|depends| (*rule, depends)))
    }

    fn scene(&self, index: usize) -> Scene<'_> {
        let Self { script, ground, directories, .. } = self;
        Scene { script, index, argv: &script.commands[index].argv, ground, directories }
    }

    fn unknown(&self, index: usize, command: &Command) -> Finding {
        match (command.argv.first(), command.program()) {
            (None, _) => found(index, Triage::Allow, "assignment", "it only sets variables"),
            (Some(_), None) => {
                let triage =
                    if mentions_danger(self.script) { Triage::Risky } else { Triage::Unknown };
                found(
                    index,
                    triage,
                    "hidden-program",
                    "the program's name is not known before it runs",
                )
            }
            (Some(_), Some(program)) => {
                let why = format!("no rule matches this call of `{program}`");
                found(index, Triage::Unknown, "no-rule", &why)
            }
        }
    }
}

fn found(index: usize, triage: Triage, rule: &str, why: &str) -> Finding {
    let (rule, why) = (rule.to_owned(), why.to_owned());
    Finding { triage, rule, why, instead: None, command: Some(index) }
}

fn by_rule(index: usize, rule: &Rule<'_>) -> Finding {
    let instead = (!rule.instead.is_empty()).then(|| rule.instead.to_owned());
    Finding { instead, ..found(index, rule.ruling.triage(), rule.name, rule.why) }
}

/// Whether a rule against commands matches the command at `index`, in any spelling.
pub(super) fn fits(rule: &Rule<'_>, script: &Script, index: usize, ground: &Ground<'_>) -> bool {
    Call::of(script, index, ground)
        .is_some_and(|call| call.fits(rule) || call.started().is_some_and(|call| call.fits(rule)))
}
