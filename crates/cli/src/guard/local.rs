//! The guard with the configuration of this directory: its rules, the rules that the user lifted,
//! and the conditions of approvals.

use std::path::{Path, PathBuf};

use verger_agent::AgentSpec;
use verger_config::Settings;
use verger_engine::Home;
use verger_engine::{
    Answered, EdgeFacts, Environment, LineGuard, LineHabit, LoadedRules, Release, habits_of_line,
};
use verger_gate::permission::{Condition, Facts, Judgement, Rule, Rules, built_in};
use verger_shell::Script;

use crate::guard::rule_text::{From, WrittenRule};
use crate::install::agents_here_or_all;
use crate::invocation::command_error::CommandError;
use crate::invocation::context::Context;

/// Whether the worktree counts as trusted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Assumed {
    /// The worktree is trusted if the user's list contains it.
    Nothing,
    /// The worktree is assumed to be trusted, and nothing in it prevents an approval.
    Trusted,
}

pub(crate) struct LocalGuard {
    guard: LineGuard,
    agents: Vec<&'static AgentSpec>,
    environment: Environment,
    home: Home,
    cwd: PathBuf,
    root: PathBuf,
    assumed: Assumed,
    settings: Box<Settings>,
}

/// A line that was read and judged.
pub(crate) struct JudgedLine {
    /// `None` if the line could not be judged in time.
    pub(crate) script: Option<Script>,
    pub(crate) judgement: Judgement,
    /// The conditions of an approval, not yet looked up.
    pub(crate) conditions: Vec<Condition>,
    pub(crate) release: Release,
    /// The enabled habits that the line shows.
    pub(crate) habits: Vec<ShownHabit>,
}

impl LocalGuard {
    pub(crate) fn here(context: &Context, assumed: Assumed) -> Result<Self, CommandError> {
        let home = context.home()?;
        let cwd = context.directory()?.to_owned();
        let cwd = cwd.canonicalize().unwrap_or(cwd);
        let settings = context.settings(&home).settings;
        let lifted = settings.guard.allow_dangerous.value.clone();
        let environment = context.environment.clone();
        let surroundings = environment.surroundings(Some(&cwd));
        let guard = LineGuard::new(Some(&home), cwd.to_str(), &environment, &surroundings, lifted);
        let root = context.project_root()?;
        let agents = agents_here_or_all(context)?;
        Ok(Self { guard, agents, environment, home, cwd, root, assumed, settings })
    }

    /// The rules from files, and the problems in them.
    pub(crate) fn loaded(&self) -> &LoadedRules {
        self.guard.rules()
    }

    /// The names of the rules of the floor that the user lifted.
    pub(crate) fn lifted(&self) -> &[String] {
        self.guard.lifted()
    }

    /// All rules, the built-in ones first.
    pub(crate) fn rules(&self) -> Vec<WrittenRule<'_>> {
        let mut rules: Vec<_> = built_in().map(WrittenRule::built_in).collect();
        let loaded = self.loaded();
        for (written, from) in [(&loaded.user, From::User), (&loaded.project, From::Project)] {
            rules.extend(written.iter().map(|written| WrittenRule {
                rule: written.rule(),
                matches: written.table.matches.iter().map(String::as_str).collect(),
                not_matches: written.table.not_matches.iter().map(String::as_str).collect(),
                from,
            }));
        }
        rules
    }

    /// The guard's judgement of a line, as far as it is possible without a session.
    pub(crate) fn judge(&self, line: &str) -> JudgedLine {
        let answered = self.guard.judge(line);
        let conditions = answered.judgement.conditions.clone();
        let found = EdgeFacts {
            environment: &self.environment,
            home: Some(&self.home),
            root: Some(&self.root),
            script: answered.script.as_ref(),
        };
        let judgement = answered.judgement.under(&Assuming { local_guard: self, found });
        let habits = answered.script.as_ref().map_or(vec![], |script| self.habits(script));
        let Answered { script, release, .. } = answered;
        JudgedLine { script, judgement, conditions, release, habits }
    }

    /// The habits that the line shows. Their effect depends on the answers that each agent
    /// supports.
    fn habits(&self, script: &Script) -> Vec<ShownHabit> {
        let cwd = self.cwd.to_str();
        let mut habits: Vec<ShownHabit> = vec![];
        for agent in &self.agents {
            for habit in habits_of_line(script, agent, &self.settings, cwd, &self.environment) {
                match habits.iter_mut().find(|shown| shown.habit == habit) {
                    Some(shown) => shown.agents.push(agent.install.product),
                    None => habits.push(ShownHabit { habit, agents: vec![agent.install.product] }),
                }
            }
        }
        for shown in &mut habits {
            if shown.agents.len() == self.agents.len() {
                shown.agents.clear();
            }
        }
        habits
    }
}

/// A habit that a line shows.
pub(crate) struct ShownHabit {
    pub(crate) habit: LineHabit,
    /// The products of the agents for which the outcome holds. Empty if it holds for all agents.
    pub(crate) agents: Vec<&'static str>,
}

/// The rules from files, prepared once for judging many lines.
pub(crate) struct RuleSet<'a> {
    user: Vec<Rule<'a>>,
    project: Vec<Rule<'a>>,
    lifted: &'a [String],
}

impl<'a> RuleSet<'a> {
    pub(crate) fn of(local_guard: &'a LocalGuard) -> Self {
        let (user, project) = (local_guard.loaded().user(), local_guard.loaded().project());
        Self { user, project, lifted: local_guard.lifted() }
    }

    pub(crate) fn rules(&self) -> Rules<'_> {
        Rules { user: &self.user, project: &self.project, lifted: self.lifted }
    }
}

/// The facts of this directory. Some of them may be replaced by assumptions.
struct Assuming<'a> {
    local_guard: &'a LocalGuard,
    found: EdgeFacts<'a>,
}

impl Facts for Assuming<'_> {
    fn broken(&self, condition: &Condition) -> Option<String> {
        let is_here = match condition {
            Condition::TrustedWorktree { directory } | Condition::PlainGitConfig { directory } => {
                Path::new(directory).starts_with(&self.local_guard.root)
            }
            Condition::Unchanged { .. } | Condition::CleanPath => true,
        };
        let is_assumed = self.local_guard.assumed == Assumed::Trusted && is_here;
        if is_assumed { None } else { self.found.broken(condition) }
    }
}
