//! Tests of commands with two agents on one machine.

use std::fs;
use std::path::{Path, PathBuf};

use clap::{Args, Parser};
use verger_agent::{AgentSpec, CLAUDE, DirectoryVariable, InstallSpec};
use verger_engine::Environment;
use verger_testkit::TestEnvironment;

use super::doctor::of_agents;
use super::init::{InitArgs, init_agents};
use super::uninstall::{UninstallArgs, uninstall_agents};
use crate::doctor::Check;
use crate::doctor::registration::AgentCheckup;
use crate::invocation::context::Context;
use crate::render::output::{Output, Ui, Volume};

/// A second agent, like the real one but with its own files.
static OTHER: AgentSpec = AgentSpec {
    name: "other",
    install: InstallSpec {
        product: "Other",
        program: "other",
        directory_env: DirectoryVariable { name: "OTHER_DIRECTORY", folder: None },
        directory: ".other",
        user_settings: "other.json",
        project_settings: ".other/settings.json",
        local_settings: Some(".other/settings.local.json"),
        user_folder: "marketplace-of-other",
        ..CLAUDE.install
    },
    ..CLAUDE
};

static FIRST: AgentSpec = CLAUDE;
const BOTH: [&AgentSpec; 2] = [&FIRST, &OTHER];

#[derive(Parser)]
struct Given<A: Args> {
    #[command(flatten)]
    args: A,
}

struct Machine {
    environment: TestEnvironment,
    context: Context,
    ui: Ui,
}

impl Machine {
    fn new() -> Self {
        let environment = TestEnvironment::new();
        let hook = format!("#!/bin/sh\necho verger-hook {}\n", crate::VERSION);
        environment.write_program(environment.root().join("verger-hook"), hook);
        let variables = [
            ("HOME", environment.home().into()),
            ("VERGER_HOME", environment.verger_home().into()),
            ("PATH", "/usr/bin:/bin".into()),
        ];
        let variables: Environment =
            variables.map(|(name, value)| (name.into(), value)).into_iter().collect();
        let ui = Ui::new(Output::Text, Volume::Quiet, &variables);
        let context = Context::of_place(variables, environment.project());
        Self { environment, context, ui }
    }

    fn init(&mut self, agents: &[&'static AgentSpec]) {
        let hook = self.environment.root().join("verger-hook");
        let given = [Path::new("init"), Path::new("--hook"), &hook];
        let args = Given::<InitArgs>::parse_from(given).args;
        init_agents(&mut self.ui, &self.context, &args, agents).unwrap();
    }

    fn uninstall(&mut self, agents: &[&'static AgentSpec]) {
        let args = Given::<UninstallArgs>::parse_from(["uninstall"]).args;
        uninstall_agents(&mut self.ui, &self.context, &args, agents).unwrap();
    }

    /// The existing files among the agents' settings, their marketplaces and the hook program.
    fn files(&self) -> Vec<PathBuf> {
        let places = BOTH.map(|agent| self.context.places(agent).unwrap());
        let files = places.into_iter().flat_map(|places| {
            [Some(places.user_settings), places.known_marketplaces, Some(places.user_folder)]
        });
        let own = self.context.own_places().unwrap();
        files
            .flatten()
            .chain([own.hook_program, own.receipt])
            .filter(|path| path.exists())
            .collect()
    }

    fn checks(&self) -> Vec<Check> {
        of_agents(&self.ui, &self.context, None, &BOTH).unwrap()
    }
}

#[test]
fn two_agents_are_registered_each_in_its_own_files_and_taken_out_again() {
    let mut machine = Machine::new();
    machine.init(&BOTH);
    assert_eq!(machine.files().len(), 8);
    for (agent, settings) in [(&FIRST, ".claude/settings.json"), (&OTHER, ".other/other.json")] {
        let places = machine.context.places(agent).unwrap();
        assert_eq!(places.user_settings, machine.environment.home().join(settings));
        let text = fs::read_to_string(&places.user_settings).unwrap();
        assert!(text.contains(places.user_folder.to_str().unwrap()), "{text}");
        let hooks = fs::read_to_string(places.user_folder.join("plugin/hooks/hooks.json")).unwrap();
        assert!(hooks.contains(&format!("\"{}\"", agent.name)), "{hooks}");
    }
    machine.uninstall(&[&OTHER]);
    assert_eq!(machine.files().len(), 5);
    machine.init(&BOTH);
    machine.uninstall(&BOTH);
    assert_eq!(machine.files(), [] as [PathBuf; 0]);
}

#[test]
fn both_agents_are_reported() {
    let mut machine = Machine::new();
    machine.init(&BOTH);
    let checks = machine.checks();
    for product in ["Claude Code", "Other"] {
        let registered = Check::fine("registration", format!("{product} has verger's plugin"));
        assert!(checks.contains(&registered), "{checks:?}");
    }
    let programs = checks.iter().filter(|check| check.name == "hook program");
    assert_eq!(programs.count(), 1, "{checks:?}");
    let checkups = AgentCheckup::of_all(&machine.context, &BOTH, None).unwrap();
    let texts: Vec<_> = checkups.iter().map(|one| one.text(machine.context.clock.now())).collect();
    assert_eq!(
        texts,
        [
            "Claude Code: plugin; version not known; never seen",
            "Other: plugin; version not known; never seen"
        ]
    );
}

#[test]
fn an_agent_that_was_left_out_is_no_problem() {
    let mut machine = Machine::new();
    machine.init(&[&FIRST]);
    let what = "verger is not registered with Other; verger init --agent other registers it";
    assert!(machine.checks().contains(&Check::note("registration", what)));
    machine.uninstall(&BOTH);
    let problems = machine.checks().into_iter().filter(|check| check.as_problem().is_some());
    assert_eq!(problems.count(), 2);
}
