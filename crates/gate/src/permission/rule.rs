//! A rule: the commands that it fits, and their triage.
//!
//! Built-in rules and a user's rules have one form. A rule that denies lists parts of a command
//! (`with`), and fits any spelling of them. A rule that approves lists every option that it knows,
//! and does not fit a command with any other.

use super::judgement::Triage;
use super::operands::Operands;
use super::program::names;

/// The decision about the commands that a rule fits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ruling {
    /// They only read.
    Allow,
    /// They build or test the project: approved in a worktree that the user trusts, as long as the
    /// files that say what is run were not changed in this task.
    Build,
    /// A person should look.
    Risky,
    /// They must not run. A user's rule may approve what they do.
    Deny,
    /// They must not run, whatever rules say: only `guard.allow_dangerous` lifts it.
    Floor,
}

impl Ruling {
    /// The triage of a command that the rule fits.
    pub fn triage(self) -> Triage {
        match self {
            Self::Allow | Self::Build => Triage::Allow,
            Self::Risky => Triage::Risky,
            Self::Deny | Self::Floor => Triage::Deny,
        }
    }
}

/// One rule. All of it is text, so that it can be written in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rule<'a> {
    /// Its name, such as `git-reset-hard`.
    pub name: &'a str,
    /// The decision about the commands that it fits.
    pub ruling: Ruling,
    /// Program and subcommands, each with alternatives: `git checkout|switch`.
    pub command: &'a str,
    /// For rules that deny: what the command must have, all of it; see [`super::atoms`].
    pub with: &'a str,
    /// For rules that approve: the options that are known, such as `-n= --oneline`; `*` for any.
    pub options: &'a str,
    /// For rules that approve: the operands that are accepted.
    pub operands: Operands,
    /// For rules that approve builds: globs of the files that say what is run.
    pub defined_in: &'a str,
    /// Why, as the end of a sentence.
    pub why: &'a str,
    /// An alternative for the agent; may be empty.
    pub instead: &'a str,
    /// Examples of commands that it fits.
    pub matches: &'a [&'a str],
    /// Examples of commands that it does not fit.
    pub not_matches: &'a [&'a str],
}

impl<'a> Rule<'a> {
    const fn new(name: &'a str, ruling: Ruling, command: &'a str) -> Self {
        Self {
            name,
            ruling,
            command,
            with: "",
            options: "",
            operands: Operands::None,
            defined_in: "",
            why: "",
            instead: "",
            matches: &[],
            not_matches: &[],
        }
    }

    /// Approves commands that only read.
    pub const fn allow(
        name: &'a str,
        command: &'a str,
        options: &'a str,
        operands: Operands,
    ) -> Self {
        Self { options, operands, why: "it only reads", ..Self::new(name, Ruling::Allow, command) }
    }

    /// Approves commands that build or test the project.
    pub const fn build(
        name: &'a str,
        command: &'a str,
        options: &'a str,
        operands: Operands,
    ) -> Self {
        let why = "it builds or tests the project";
        Self { options, operands, why, ..Self::new(name, Ruling::Build, command) }
    }

    /// A rule by which a person has to look.
    pub const fn risky(name: &'a str, command: &'a str, with: &'a str, why: &'a str) -> Self {
        Self { with, why, ..Self::new(name, Ruling::Risky, command) }
    }

    /// A rule that denies.
    pub const fn deny(name: &'a str, command: &'a str, with: &'a str, why: &'a str) -> Self {
        Self { with, why, ..Self::new(name, Ruling::Deny, command) }
    }

    /// A rule that denies, whatever other rules say.
    pub const fn floor(name: &'a str, command: &'a str, with: &'a str, why: &'a str) -> Self {
        Self { with, why, ..Self::new(name, Ruling::Floor, command) }
    }

    /// The length of its texts, which estimates the cost of comparing it with a command.
    pub(super) fn text_bytes(&self) -> usize {
        self.command.len() + self.with.len() + self.options.len() + self.defined_in.len()
    }

    /// Whether the rule is about the program with this bare name.
    pub(super) fn names(&self, program: &str) -> bool {
        names(self.command.split(' ').next().unwrap_or_default(), program)
    }

    /// Sets the alternative for the agent.
    #[must_use]
    pub const fn instead(self, instead: &'a str) -> Self {
        Self { instead, ..self }
    }

    /// Sets the files that define what is run.
    #[must_use]
    pub const fn defined_in(self, defined_in: &'a str) -> Self {
        Self { defined_in, ..self }
    }

    /// Sets the examples: commands that it fits, and commands that it does not fit.
    #[must_use]
    pub const fn examples(self, matches: &'a [&'a str], not_matches: &'a [&'a str]) -> Self {
        Self { matches, not_matches, ..self }
    }
}
