//! What triage ends in, with what led to it.

pub use verger_event::Triage;

/// What was found about one command, or about the line as a whole.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// What it comes to.
    pub triage: Triage,
    /// The rule that says so.
    pub rule: String,
    /// Why, as the end of a sentence: "it throws away ...".
    pub why: String,
    /// What to do instead, where the rule knows something.
    pub instead: Option<String>,
    /// The command on the line, by its place in [`verger_shell::Script::commands`]; none for the line.
    pub command: Option<usize>,
}

/// What an approval depends on and only the edge can look up.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Condition {
    /// The directory is in a worktree that the user trusts.
    TrustedWorktree {
        /// Absolute, or as the line names it when nothing is known of the working directory.
        directory: String,
    },
    /// The repository's configuration there starts no programs.
    PlainGitConfig {
        /// As above.
        directory: String,
    },
    /// What the command runs was not changed in this task: globs of files.
    Unchanged {
        /// Such as `Makefile`.
        files: String,
    },
    /// The program's name leads to no program of the worktree.
    CleanPath,
}

/// Everything that triage says of a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Judgement {
    /// What it comes to.
    pub triage: Triage,
    /// What decided.
    pub decided: Finding,
    /// All findings, in the order of the commands.
    pub findings: Vec<Finding>,
    /// What an approval depends on; empty for everything else.
    pub conditions: Vec<Condition>,
}

/// Whether a condition holds, as the edge found it: the reason when it does not.
pub trait Facts {
    /// Why the condition does not hold.
    fn broken(&self, condition: &Condition) -> Option<String>;
}

impl Judgement {
    pub(super) fn of(findings: Vec<Finding>, mut conditions: Vec<Condition>) -> Self {
        // Of equally strong findings the first decides.
        let strongest = findings.iter().rev().max_by_key(|finding| finding.triage);
        let decided = strongest.cloned().unwrap_or_else(|| Finding {
            triage: Triage::Unknown,
            rule: "nothing-to-run".to_owned(),
            why: "it runs nothing".to_owned(),
            instead: None,
            command: None,
        });
        conditions.sort();
        conditions.dedup();
        if decided.triage != Triage::Allow {
            conditions.clear();
        }
        Self { triage: decided.triage, decided, findings, conditions }
    }

    /// The judgement of a call that would run although what it may destroy is saved nowhere: somebody
    /// should look at it, whatever spoke for it.
    #[must_use]
    pub fn unsaved(mut self, why: &str) -> Self {
        self.triage = Triage::Risky;
        let why = format!("{}, and it could not be undone: {why}", self.decided.why);
        self.decided = Finding { triage: Triage::Risky, why, ..self.decided };
        self
    }

    /// Whether it weighs more than another one of the same call. What is not the agent's to change
    /// weighs most: in some modes of the guard nothing else counts.
    pub fn is_stricter_than(&self, other: &Self) -> bool {
        let weight = |of: &Self| (of.own_files().is_some(), of.triage);
        weight(self) > weight(other)
    }

    /// The stricter of two judgements of the same call. An approval is one by both.
    #[must_use]
    pub fn or_stricter(mut self, other: Self) -> Self {
        if other.is_stricter_than(&self) {
            return other;
        }
        if self.triage == Triage::Allow {
            self.conditions.extend(other.conditions);
            self.conditions.sort();
            self.conditions.dedup();
        }
        self
    }

    /// The judgement once the conditions are looked up. An approval whose conditions do not all hold
    /// is unknown; nothing else changes.
    #[must_use]
    pub fn under(mut self, facts: &dyn Facts) -> Self {
        let broken = self.conditions.iter().find_map(|condition| facts.broken(condition));
        if let Some(why) = broken {
            self.triage = Triage::Unknown;
            let rule = self.decided.rule.clone();
            let decided =
                Finding { triage: Triage::Unknown, rule, why, instead: None, command: None };
            self.decided = decided.clone();
            self.findings.push(decided);
            self.conditions.clear();
        }
        self
    }
}
