//! The guard's judgement of a line, as text for people and as JSON for programs.

use std::io;

use serde_json::{Value, json};
use verger_engine::LineHabit;
use verger_gate::habits::Outcome;
use verger_gate::permission::{Condition, Finding, Triage};
use verger_shell::{Command, Mode, Place, Unread, Why, Word};

use crate::guard::local::{JudgedLine, ShownHabit};
use crate::render::output::{Tone, Ui};
use crate::render::table::Table;

impl JudgedLine {
    pub(crate) fn to_json(&self, line: &str) -> Value {
        let commands = self.commands().iter().enumerate().map(|(index, command)| {
            let findings = self.findings_of(index).map(finding_json).collect::<Vec<_>>();
            command_json(command, &findings)
        });
        let whole = self.judgement.findings.iter().filter(|finding| finding.command.is_none());
        let unread = self
            .unread()
            .iter()
            .map(|unread| json!({ "why": why_word(unread.why), "text": unread.text }));
        let conditions = self.conditions.iter().map(condition_json);
        let decided = &self.judgement.decided;
        json!({
            "verdict": self.judgement.triage.to_string(),
            "rule": decided.rule,
            "why": decided.why,
            "instead": decided.instead,
            "command": line,
            "commands": commands.collect::<Vec<_>>(),
            "line": whole.map(finding_json).collect::<Vec<_>>(),
            "unread": unread.collect::<Vec<_>>(),
            "conditions": conditions.collect::<Vec<_>>(),
            "habits": self.habits.iter().map(habit_json).collect::<Vec<_>>(),
        })
    }

    fn commands(&self) -> &[Command] {
        self.script.as_ref().map_or(&[], |script| &script.commands)
    }

    fn unread(&self) -> &[Unread] {
        self.script.as_ref().map_or(&[], |script| &script.unread)
    }

    fn findings_of(&self, index: usize) -> impl Iterator<Item = &Finding> {
        self.judgement.findings.iter().filter(move |finding| finding.command == Some(index))
    }

    pub(crate) fn print(&self, ui: &mut Ui) -> io::Result<()> {
        let Finding { rule, why, instead, .. } = &self.judgement.decided;
        let verdict = self.judgement.triage;
        let tone = match verdict {
            Triage::Allow => Tone::Good,
            Triage::Unknown => Tone::Strong,
            Triage::Risky => Tone::Warn,
            Triage::Deny => Tone::Bad,
        };
        ui.wrapped_line(&[(tone, verdict.as_str())], &format!(": {why} (rule {rule})"))?;
        let mut table = Table::default();
        if let Some(instead) = instead {
            table.row("instead", instead);
        }
        for (index, command) in self.commands().iter().enumerate() {
            let name = match command.place {
                Place::Line => format!("command {}", index + 1),
                Place::Within(outer) => format!("command {} in {}", index + 1, outer + 1),
            };
            table.row(name, shown(command));
            for Finding { triage, rule, why, .. } in self.findings_of(index) {
                table.row("", format!("{triage}: {why} (rule {rule})"));
            }
        }
        let whole = self.judgement.findings.iter().filter(|finding| finding.command.is_none());
        for Finding { triage, rule, why, .. } in whole {
            table.row("the line", format!("{triage}: {why} (rule {rule})"));
        }
        for unread in self.unread() {
            table.row("not read", format!("{}: {}", why_word(unread.why), unread.text));
        }
        for condition in &self.conditions {
            table.row("applies only if", condition_text(condition));
        }
        for ShownHabit { habit, agents } in &self.habits {
            let LineHabit { rule, why, instead, outcome, line } = habit;
            let outcome = outcome_text(*outcome);
            let agents = match &agents[..] {
                [] => String::new(),
                agents => format!(" ({})", agents.join(", ")),
            };
            table.row("habit", format!("{rule}, {outcome}{agents}: {why}; instead: {instead}"));
            if let Some(line) = line {
                table.text_rows("  runs as", line);
            }
        }
        table.print(ui)
    }
}

fn finding_json(Finding { triage, rule, why, instead, .. }: &Finding) -> Value {
    json!({ "verdict": triage.to_string(), "rule": rule, "why": why, "instead": instead })
}

fn habit_json(ShownHabit { habit, agents }: &ShownHabit) -> Value {
    let LineHabit { rule, why, instead, outcome, line } = habit;
    let outcome = outcome_text(*outcome);
    json!({
        "rule": rule, "outcome": outcome, "why": why, "instead": instead, "runs_as": line,
        "agents": agents,
    })
}

fn outcome_text(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Advised => "told once",
        Outcome::Rewritten => "changed",
        Outcome::Denied => "denied",
        Outcome::NotRewritten => "denied, because it cannot be changed safely",
    }
}

fn command_json(command: &Command, findings: &[Value]) -> Value {
    let words = command
        .argv
        .iter()
        .map(|word| json!({ "text": word.text(), "literal": word.literal().is_some() }));
    let assignments = command
        .assignments
        .iter()
        .map(|assignment| json!({ "name": assignment.name, "value": assignment.value.text() }));
    let redirects = command.redirects.iter().map(|redirect| {
        let mode = format!("{:?}", redirect.mode).to_lowercase();
        json!({ "mode": mode, "target": redirect.target.text() })
    });
    let within = match command.place {
        Place::Line => None,
        Place::Within(outer) => Some(outer),
    };
    json!({
        "words": words.collect::<Vec<_>>(),
        "assignments": assignments.collect::<Vec<_>>(),
        "redirects": redirects.collect::<Vec<_>>(),
        "within": within,
        "findings": findings,
    })
}

/// The command as written. Parts that are known only when it runs are in angle brackets.
fn shown(command: &Command) -> String {
    let assignments = command
        .assignments
        .iter()
        .map(|assignment| format!("{}={}", assignment.name, shown_word(&assignment.value)));
    let redirects = command.redirects.iter().map(|redirect| {
        let sign = match redirect.mode {
            Mode::Read => "<",
            Mode::Write => ">",
            Mode::Append => ">>",
            Mode::ReadWrite => "<>",
            Mode::Duplicate => ">&",
        };
        format!("{sign} {}", shown_word(&redirect.target))
    });
    let words = assignments.chain(command.argv.iter().map(shown_word)).chain(redirects);
    words.collect::<Vec<_>>().join(" ")
}

fn shown_word(word: &Word) -> String {
    match word.literal() {
        None => format!("<{}>", word.text()),
        Some(text)
            if text.is_empty() || text.contains(|c: char| " \t\n;&|<>()$`\"".contains(c)) =>
        {
            format!("'{text}'")
        }
        Some(text) => text.to_owned(),
    }
}

fn why_word(why: Why) -> &'static str {
    match why {
        Why::TooLong => "too long",
        Why::TooDeep => "too deep",
        Why::TooMany => "too many commands",
        Why::NoRoom => "no room",
        Why::Syntax => "not shell syntax",
        Why::Hidden => "hidden",
    }
}

fn condition_json(condition: &Condition) -> Value {
    match condition {
        Condition::TrustedWorktree { directory } => {
            json!({ "condition": "trusted-worktree", "directory": directory })
        }
        Condition::PlainGitConfig { directory } => {
            json!({ "condition": "plain-git-config", "directory": directory })
        }
        Condition::Unchanged { files } => json!({ "condition": "unchanged", "files": files }),
        Condition::CleanPath => json!({ "condition": "clean-path" }),
    }
}

fn condition_text(condition: &Condition) -> String {
    match condition {
        Condition::TrustedWorktree { directory } => {
            format!("you trust the worktree of {directory} (verger trust)")
        }
        Condition::PlainGitConfig { directory } => {
            format!("git's settings in {directory} start no programs")
        }
        Condition::Unchanged { files } => format!("the agent did not change {files} in its task"),
        Condition::CleanPath => {
            "the program's name does not resolve to a program of the worktree".to_owned()
        }
    }
}
