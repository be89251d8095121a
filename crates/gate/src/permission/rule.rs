//! A guard rule: a pattern for commands, and the triage of these commands.
//!
//! Built-in rules and a user's rules have the same form. A rule that denies has a list of required
//! parts (`with`) and matches any spelling of them. A rule that approves has a list of known
//! options, and doesn't match a command with other options.

use super::judgement::Triage;
use super::operands::Operands;
use super::program::names;

/// The decision about the commands that a rule matches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ruling {
    /// The commands only read, so they are approved.
    Allow,
    /// The commands build or test the project. They are approved in a worktree that the user
    /// trusts, if the files that define the commands weren't changed in this task.
    Build,
    /// A person should look at the commands.
    Risky,
    /// The commands must not run, unless a rule of the user approves them.
    Deny,
    /// The commands must not run, and no rule can approve them. Only `guard.allow_dangerous`
    /// switches the rule off.
    Floor,
}

impl Ruling {
    /// The triage of a command that the rule matches.
    pub fn triage(self) -> Triage {
        match self {
            Self::Allow | Self::Build => Triage::Allow,
            Self::Risky => Triage::Risky,
            Self::Deny | Self::Floor => Triage::Deny,
        }
    }
}

/// A guard rule. All its texts can be written in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rule<'a> {
    /// The rule's name, such as `git-reset-hard`.
    pub name: &'a str,
    /// The decision about the commands that the rule matches.
    pub ruling: Ruling,
    /// The program and its subcommands, each with alternatives: `git checkout|switch`.
    pub command: &'a str,
    /// For rules that deny: the parts that the command must have, all of them. See
    /// [`super::atoms`].
    pub with: &'a str,
    /// For rules that approve: the known options, such as `-n= --oneline`. `*` means any options.
    pub options: &'a str,
    /// For rules that approve: the accepted kind of operands.
    pub operands: Operands,
    /// For rules that approve builds: globs of the files that define what the command does.
    pub defined_in: &'a str,
    /// The reason for the decision, as the end of a sentence.
    pub why: &'a str,
    /// A recommended alternative for the agent. May be empty.
    pub instead: &'a str,
    /// Examples of commands that the rule matches.
    pub matches: &'a [&'a str],
    /// Examples of commands that the rule doesn't match.
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

    /// A rule that approves commands that only read.
    pub const fn allow(
        name: &'a str,
        command: &'a str,
        options: &'a str,
        operands: Operands,
    ) -> Self {
        Self { options, operands, why: "it only reads", ..Self::new(name, Ruling::Allow, command) }
    }

    /// A rule that approves commands that build or test the project.
    pub const fn build(
        name: &'a str,
        command: &'a str,
        options: &'a str,
        operands: Operands,
    ) -> Self {
        let why = "it builds or tests the project";
        Self { options, operands, why, ..Self::new(name, Ruling::Build, command) }
    }

    /// A rule for commands that a person should look at.
    pub const fn risky(name: &'a str, command: &'a str, with: &'a str, why: &'a str) -> Self {
        Self { with, why, ..Self::new(name, Ruling::Risky, command) }
    }

    /// A rule that denies commands, unless a rule of the user approves them.
    pub const fn deny(name: &'a str, command: &'a str, with: &'a str, why: &'a str) -> Self {
        Self { with, why, ..Self::new(name, Ruling::Deny, command) }
    }

    /// A rule that denies commands, and that no other rule overrides.
    pub const fn floor(name: &'a str, command: &'a str, with: &'a str, why: &'a str) -> Self {
        Self { with, why, ..Self::new(name, Ruling::Floor, command) }
    }

    /// The total length of the rule's texts, as an estimate of the cost of comparing it with a
    /// command.
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

    /// Sets the files that define what the command does.
    #[must_use]
    pub const fn defined_in(self, defined_in: &'a str) -> Self {
        Self { defined_in, ..self }
    }

    /// Sets the examples: commands that the rule matches, and commands that it doesn't match.
    #[must_use]
    pub const fn examples(self, matches: &'a [&'a str], not_matches: &'a [&'a str]) -> Self {
        Self { matches, not_matches, ..self }
    }
}
