//! The result of triage, and the findings that led to it.

pub use verger_event::Triage;

/// A finding about one command, or about the line as a whole.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// The triage of this command or line.
    pub triage: Triage,
    /// The name of the rule that made the finding.
    pub rule: String,
    /// Why, as the end of a sentence: "it throws away ...".
    pub why: String,
    /// An alternative for the agent, if the rule has one.
    pub instead: Option<String>,
    /// The index of the command in [`verger_shell::Script::commands`]; `None` for the whole line.
    pub command: Option<usize>,
}

/// A condition of an approval. Judging looks nothing up; the caller does, by [`Facts`].
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
    /// The files that define what the command runs were not changed in this task.
    Unchanged {
        /// Such as `Makefile`.
        files: String,
    },
    /// The program's name does not resolve to a program in the worktree.
    CleanPath,
}

/// The judgement of a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Judgement {
    /// The triage of the call.
    pub triage: Triage,
    /// The finding that decided.
    pub decided: Finding,
    /// All findings, in the order of the commands.
    pub findings: Vec<Finding>,
    /// The conditions of an approval; empty for every other triage.
    pub conditions: Vec<Condition>,
}

/// The lookup of an approval's conditions. The caller implements it.
pub trait Facts {
    /// The reason why the condition does not hold; `None` if it holds.
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

    /// The judgement of a call that would run although the files that it may destroy could not be
    /// saved. It becomes risky, so that a person looks at it, even if a rule approved the call.
    #[must_use]
    pub fn unsaved(mut self, why: &str) -> Self {
        self.triage = Triage::Risky;
        let why = format!("{}, and it could not be undone: {why}", self.decided.why);
        self.decided = Finding { triage: Triage::Risky, why, ..self.decided };
        self
    }

    /// Whether it outweighs another judgement of the same call. A write to protected files weighs
    /// most, because some modes of the guard enforce nothing else.
    pub fn is_stricter_than(&self, other: &Self) -> bool {
        let weight = |of: &Self| (of.own_files().is_some(), of.triage);
        weight(self) > weight(other)
    }

    /// The stricter of two judgements of the same call. An approval has the conditions of both.
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

    /// The judgement after the conditions are looked up. An approval becomes unknown if one of its
    /// conditions does not hold; nothing else changes.
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
