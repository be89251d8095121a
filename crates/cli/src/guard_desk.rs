//! The guard as it would judge in this directory: its rules, what the user lifted, and what
//! approvals depend on.

use std::path::{Path, PathBuf};

use verger_gate::permission::{Condition, Facts, Ground, Judgement, Rule, Rules, built_in, judge};
use verger_hook::{LoadedRules, load_guard_rules, trusted_worktree};
use verger_shell::Script;
use verger_store_local::Home;

use crate::command_error::CommandError;
use crate::context::Context;
use crate::written_rule::{From, WrittenRule};

/// Whether the worktree counts as trusted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Assumed {
    /// As the user's list says.
    Nothing,
    /// It does, and nothing in it speaks against an approval.
    Trusted,
}

pub(crate) struct GuardDesk {
    pub(crate) loaded: LoadedRules,
    pub(crate) lifted: Vec<String>,
    home: Home,
    cwd: PathBuf,
    root: PathBuf,
    user_home: Option<PathBuf>,
    assumed: Assumed,
}

impl GuardDesk {
    pub(crate) fn here(context: &Context, assumed: Assumed) -> Result<Self, CommandError> {
        let home = context.home()?;
        let cwd = context.directory()?.to_owned();
        let cwd = cwd.canonicalize().unwrap_or(cwd);
        let loaded = load_guard_rules(&home, Some(&cwd), &context.environment);
        let lifted = context.settings(&home).settings.guard.allow_dangerous.value;
        let root = context.project_root()?;
        let user_home = context.environment.get("HOME").map(PathBuf::from);
        Ok(Self { loaded, lifted, home, cwd, root, user_home, assumed })
    }

    /// All rules, the built-in ones first.
    pub(crate) fn rules(&self) -> Vec<WrittenRule<'_>> {
        let mut rules: Vec<_> = built_in().map(WrittenRule::built_in).collect();
        let files = [(&self.loaded.user, From::User), (&self.loaded.project, From::Project)];
        for (written, from) in files {
            rules.extend(written.iter().map(|written| WrittenRule {
                rule: written.rule(),
                matches: written.table.matches.iter().map(String::as_str).collect(),
                not_matches: written.table.not_matches.iter().map(String::as_str).collect(),
                from,
            }));
        }
        rules
    }
}

/// The rules of files in the form that judging takes, once for many lines.
pub(crate) struct Bench<'a> {
    desk: &'a GuardDesk,
    user: Vec<Rule<'a>>,
    project: Vec<Rule<'a>>,
}

/// A line, as it was read and judged.
pub(crate) struct JudgedLine {
    pub(crate) script: Script,
    pub(crate) judgement: Judgement,
    /// What an approval depended on, before it was looked up.
    pub(crate) conditions: Vec<Condition>,
}

impl<'a> Bench<'a> {
    pub(crate) fn of(desk: &'a GuardDesk) -> Self {
        Self { desk, user: desk.loaded.user(), project: desk.loaded.project() }
    }

    pub(crate) fn rules(&self) -> Rules<'_> {
        Rules { user: &self.user, project: &self.project, lifted: &self.desk.lifted }
    }

    pub(crate) fn judge(&self, line: &str) -> JudgedLine {
        let script = verger_shell::read(line);
        let ground = Ground {
            cwd: self.desk.cwd.to_str(),
            home: self.desk.user_home.as_deref().and_then(Path::to_str),
            root: self.desk.root.to_str(),
            own: &[],
        };
        let judgement = judge(&script, &ground, &self.rules());
        let conditions = judgement.conditions.clone();
        JudgedLine { judgement: judgement.under(self.desk), script, conditions }
    }
}

impl Facts for GuardDesk {
    fn broken(&self, condition: &Condition) -> Option<String> {
        let is_assumed = |directory: &str| {
            self.assumed == Assumed::Trusted && Path::new(directory).starts_with(&self.root)
        };
        match condition {
            Condition::TrustedWorktree { directory } if !is_assumed(directory) => {
                let is_trusted =
                    trusted_worktree(&self.home, Path::new(directory), self.user_home.as_deref());
                (!is_trusted).then(|| "it is in no worktree that the user trusts".to_owned())
            }
            Condition::TrustedWorktree { .. }
            | Condition::PlainGitConfig { .. }
            | Condition::Unchanged { .. }
            | Condition::CleanPath => None,
        }
    }
}
