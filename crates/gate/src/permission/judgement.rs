//! The result of permission triage, and the findings that led to it.

pub use verger_event::Triage;

/// A finding about one command, or about the command line as a whole.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// The triage of this command or command line.
    pub triage: Triage,
    /// The name of the rule that led to the finding.
    pub rule: String,
    /// The reason for the triage, as the end of a sentence: "it throws away ...".
    pub why: String,
    /// An alternative for the agent, if the rule has one.
    pub instead: Option<String>,
    /// The index of the command in [`verger_shell::Script::commands`]. `None` for the whole command
    /// line.
    pub command: Option<usize>,
}

/// A condition of an approval. Judging a command line doesn't check conditions. The caller checks
/// them with [`Facts`].
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Condition {
    /// The directory is in a worktree that the user trusts.
    TrustedWorktree {
        /// The absolute path, or the path as written if the working directory is unknown.
        directory: String,
    },
    /// The repository's git configuration starts no programs.
    PlainGitConfig {
        /// The absolute path of the repository, or the path as written if the working directory is
        /// unknown.
        directory: String,
    },
    /// The files that define what the command runs weren't changed in the current task.
    Unchanged {
        /// Globs of these files, such as `Makefile`.
        files: String,
    },
    /// The program's name doesn't resolve to a file in the worktree.
    CleanPath,
}

/// The judgement of a tool call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Judgement {
    /// The triage of the tool call.
    pub triage: Triage,
    /// The finding that determines the triage.
    pub decided: Finding,
    /// All findings, in the order of the commands.
    pub findings: Vec<Finding>,
    /// The conditions of the approval. Empty if the call isn't approved.
    pub conditions: Vec<Condition>,
}

/// Facts about the system, with which the conditions of an approval are checked. The caller
/// implements this trait.
pub trait Facts {
    /// The reason why the condition isn't met. `None` if it is met.
    fn broken(&self, condition: &Condition) -> Option<String>;
}

impl Judgement {
    pub(super) fn of(findings: Vec<Finding>, mut conditions: Vec<Condition>) -> Self {
        // If several findings are equally strong, the first counts.
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

    /// The judgement if files that the call endangers couldn't be saved for undo. The call becomes
    /// risky, even if a rule approved it, so that a person decides.
    #[must_use]
    pub fn unsaved(mut self, why: &str) -> Self {
        self.triage = Triage::Risky;
        let why = format!("{}, and it could not be undone: {why}", self.decided.why);
        self.decided = Finding { triage: Triage::Risky, why, ..self.decided };
        self
    }

    /// Whether this judgement is stricter than another judgement of the same call. A write to
    /// protected files is the strictest finding, because some modes of the guard deny only such
    /// writes.
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

    /// The judgement after its conditions are checked. If a condition isn't met, an approval
    /// becomes unknown. Other judgements stay the same.
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
