//! `verger init` and `verger uninstall` with each agent, and with several at once.

use std::fs;
use std::path::PathBuf;

use serde_json::{Value, json};
use verger_agent::{AGENTS, AgentSpec, Guarding, HookEvent, HookList, HookScope};
use verger_testkit::Output;

use crate::household::{Household, done};

/// Files that a person of each agent may have.
const OWN_FILES: &[(&str, &str)] = &[
    ("claude", "{\n\t\"model\": \"opus\"\n}\n"),
    ("codex", "{\"hooks\":{\"Stop\":[{\"hooks\":[{\"type\":\"command\",\"command\":\"true\"}]}]}}"),
    ("gemini", "{\r\n  \"ui\": { \"theme\": \"GitHub\" }\r\n}\r\n"),
    ("copilot", "{ \"version\": 1, \"hooks\": { \"agentStop\": [] } }\n"),
];

fn own_file(agent: &AgentSpec) -> &'static str {
    OWN_FILES.iter().find(|(name, _)| *name == agent.name).unwrap().1
}

fn user_settings(household: &Household, agent: &AgentSpec) -> PathBuf {
    let install = &agent.install;
    household.environment.home().join(install.directory).join(install.user_settings)
}

fn project_settings(household: &Household, agent: &AgentSpec) -> PathBuf {
    household.environment.project().join(agent.install.project_settings)
}

/// The command lines of the hooks for an event in a file.
fn command_lines(
    household: &Household,
    file: &PathBuf,
    agent: &AgentSpec,
    event: &str,
) -> Vec<String> {
    let settings: Value = serde_json::from_str(&household.environment.read(file)).unwrap();
    let entries = settings["hooks"][event].as_array().unwrap().clone();
    let hooks: Vec<Value> = match agent.install.hook_format.list {
        HookList::Flat => entries,
        HookList::Groups => {
            entries.iter().flat_map(|group| group["hooks"].as_array().unwrap().clone()).collect()
        }
    };
    let line = |hook: &Value| hook[agent.install.hook_format.command].as_str().unwrap().to_owned();
    hooks.iter().map(line).collect()
}

/// The line of a report that begins with this word.
fn line<'o>(output: &'o Output, word: &str) -> Option<&'o str> {
    output.stdout.lines().find(|line| line.starts_with(word))
}

#[test]
fn each_agent_is_registered_and_taken_out_again() {
    for agent in AGENTS {
        let household = Household::new();
        let settings = user_settings(&household, agent);
        household.environment.write(&settings, own_file(agent));
        let before = household.files();
        let named = ["--agent", agent.name];
        let dry = household.init(&[&named[..], &["--dry-run"]].concat()).success().stdout;
        assert!(
            dry.contains(&format!(
                "+++ {}",
                household.environment.normalise(settings.to_str().unwrap())
            )),
            "{dry}"
        );
        assert_eq!(household.files(), before);

        let first = household.init(&named).success();
        let product = agent.install.product;
        let registered = format!("verger is registered with {product} for all your projects");
        assert_eq!(line(&first, "verger is"), Some(registered.as_str()));
        assert_eq!(
            first.stdout.contains(agent.install.consent.unwrap_or("Codex")),
            agent.install.consent.is_some()
        );
        assert!(household.data().join(agent.install.user_folder).is_dir(), "{product}");
        let (written, after) = (household.files(), household.environment.read(&settings));
        assert_ne!(after, own_file(agent));
        let again = household.init(&named).success();
        assert_eq!(
            line(&again, "verger is"),
            Some(format!("{registered}; nothing was changed").as_str())
        );
        assert_eq!((household.files(), household.environment.read(&settings)), (written, after));

        let removed = household.uninstall(&[]).success();
        let expected = format!("verger is no longer registered with {product}");
        assert_eq!(line(&removed, "verger is"), Some(expected.as_str()));
        assert_eq!(household.environment.read(&settings), own_file(agent), "{product}");
        assert_eq!(household.files(), before);
    }
}

#[test]
fn each_agent_is_registered_for_one_project() {
    for agent in AGENTS {
        let household = Household::new();
        let before = household.files();
        let settings = project_settings(&household, agent);
        let report = household.init(&["--project", "--agent", agent.name]).success();
        assert!(report.stdout.contains(agent.install.project_consent.unwrap_or_default()));
        let text = household.environment.read(&settings);
        assert!(text.contains("verger-hook") && !text.contains("enforce"), "{text}");
        assert!(!text.contains(household.environment.root().to_str().unwrap()), "{text}");
        assert!(!user_settings(&household, agent).exists());
        done(household.uninstall(&["--project"]));
        assert_eq!(household.files(), before);
    }
}

#[test]
fn all_agents_that_are_found_are_registered() {
    let household = Household::new();
    let before = household.files();
    household.put_on_path("codex");
    fs::create_dir(household.environment.home().join(".copilot")).unwrap();
    let report = household.init(&[]);
    insta::assert_snapshot!(report, @"
    verger is registered with Claude Code, Codex and Copilot CLI for all your projects
      created    $ENV/home/.claude/plugins/known_marketplaces.json
      created    $ENV/home/.claude/settings.json
      created    $ENV/home/.codex/hooks.json
      created    $ENV/home/.codex/rules/verger.rules
      created    $ENV/home/.copilot/hooks/verger.json
      installed  $ENV/home/.local/share/verger/bin/verger-hook
    Claude Code gets these parts, with their cost in the model's context:
      hooks        0 tokens until they send a message: SessionStart, SessionEnd, UserPromptSubmit, PreToolUse, PermissionRequest, PostToolUse, PostToolUseFailure, PostToolBatch, Stop, StopFailure, SubagentStart, SubagentStop, PreCompact, PostCompact, TaskCreated, TaskCompleted, Notification, ConfigChange
      permissions  0 tokens: 11 commands of verger that agents run without asking
      skills       about 299 tokens: verger:observe, verger:reflect, verger:review, verger:search, verger:skip, verger:verify
      commands     0 tokens: /verger:maintain, /verger:status
      subagent     about 70 tokens: verger:reviewer
    Codex gets these parts, with their cost in the model's context:
      hooks        0 tokens until they send a message: SessionStart, SessionEnd, UserPromptSubmit, PreToolUse, PermissionRequest, PostToolUse, Stop, SubagentStart, SubagentStop, PreCompact, PostCompact
      permissions  0 tokens: 11 commands of verger that agents run without asking
    Copilot CLI gets these parts, with their cost in the model's context:
      hooks  0 tokens until they send a message: sessionStart, sessionEnd, userPromptSubmitted, preToolUse, permissionRequest, postToolUse, postToolUseFailure, agentStop, subagentStart, subagentStop, preCompact, notification
    Codex runs no hook before you trust it, and does not tell you: start codex, type /hooks and trust verger's hooks, or run verger init --trust-hooks. Do it again after each change of the hooks.
    Next: start Claude Code, Codex and Copilot CLI (sessions that run already are not recorded), then verger doctor
    To remove verger again: verger uninstall
    No ticket system was found here, so agents are never asked what their work taught.
    To ask at the end of sessions: verger config set tickets.session true
    ");
    insta::assert_snapshot!(household.init(&["--local"]), @"
    Claude Code: verger's plugin is on for all your projects, this one included; nothing was changed
    To have verger in this project only: verger uninstall, then run this command again.
    No ticket system was found here, so agents are never asked what their work taught.
    To ask at the end of sessions: verger config set tickets.session true
    ------- stderr -------
    verger: Codex was left out: it has no file for one person's hooks in a project
    verger: Copilot CLI was left out: it has no file for one person's hooks in a project
    ");
    insta::assert_snapshot!(household.uninstall(&["--agent", "codex"]), @"
    verger is no longer registered with Codex
      removed  $ENV/home/.codex/hooks.json
      removed  $ENV/home/.codex/rules/verger.rules
      removed  $ENV/home/.local/share/verger/registered-codex
    ");
    done(household.uninstall(&[]));
    fs::remove_dir(household.environment.home().join(".copilot")).unwrap();
    assert_eq!(household.files(), before);
}

#[test]
fn without_an_agent_all_are_named() {
    let household = Household::new();
    household.remove_from_path("claude");
    let before = household.files();
    insta::assert_snapshot!(household.init(&[]), @"
    ------- stderr -------
    verger: no coding agent was found; verger knows Claude Code (claude), Codex (codex), Gemini CLI (gemini), Copilot CLI (copilot)
    hint: install one first, or name one: verger init --agent NAME
    ------- exit code 2 -------
    ");
    assert_eq!(household.files(), before);
    done(household.init(&["--agent", "gemini", "--agent", "copilot"]));
    let agents = ["gemini", "copilot"].map(|name| verger_agent::by_name(name).unwrap());
    assert!(agents.iter().all(|agent| user_settings(&household, agent).exists()));
    assert!(!household.directory().exists());
}

#[test]
fn an_agent_without_a_file_for_one_person_is_left_out() {
    let household = Household::new();
    household.put_on_path("copilot");
    let local = household.init(&["--local", "--json"]).success();
    insta::assert_snapshot!(local.stderr, @r#"{"warning":"Copilot CLI was left out: it has no file for one person's hooks in a project"}"#);
    assert!(household.local_settings().exists());
    insta::assert_snapshot!(household.init(&["--local", "--agent", "copilot"]), @"
    ------- stderr -------
    verger: cannot register verger for one person in a project: Copilot CLI has no file for that
    hint: verger init --project registers it for everyone in the project, verger init for all your projects
    ------- exit code 3 -------
    ");
}

#[test]
fn an_agent_whose_file_cannot_be_used_does_not_keep_the_others_out() {
    let household = Household::new();
    let gemini = verger_agent::by_name("gemini").unwrap();
    let commented = "{\n  // my theme\n  \"ui\": {}\n}\n";
    let file = household.environment.write(user_settings(&household, gemini), commented);
    let mut report = household.init(&["--json"]);
    report.stdout.clear();
    insta::assert_snapshot!(report, @r#"
    ------- stderr -------
    {"warning":"Gemini CLI was left out: cannot use $ENV/home/.gemini/settings.json: it is not JSON: line 2, column 3: a comment, which JSON does not have"}
    ------- exit code 1 -------
    "#);
    assert_eq!(household.environment.read(&file), commented);
    assert!(household.settings().exists());
    let doctor = household.verger(&["doctor"]);
    let notes: Vec<_> = doctor.stdout.lines().filter(|line| line.contains(".gemini")).collect();
    insta::assert_snapshot!(notes.join("\n"), @"note     agent settings    ~/.gemini/settings.json: settings of the agent cannot be read: it is not JSON: line 2, column 3: a comment, which JSON does not have");
    insta::assert_snapshot!(household.init(&["--agent", "gemini"]), @"
    ------- stderr -------
    verger: cannot use $ENV/home/.gemini/settings.json: it is not JSON: line 2, column 3: a comment, which JSON does not have
    hint: nothing was changed; correct the file and run the command again
    ------- exit code 3 -------
    ");
}

#[test]
fn the_shared_hooks_of_a_project_stay_without_project() {
    for agent in AGENTS {
        let household = Household::new();
        let named = ["--agent", agent.name];
        assert_eq!(household.init(&[&named[..], &["--project"]].concat()).code, 0);
        let shared = project_settings(&household, agent);
        let before = household.environment.read(&shared);
        assert_eq!(household.verger(&["uninstall", "--agent", agent.name, "--yes"]).code, 0);
        assert_eq!(household.environment.read(&shared), before, "{}", agent.name);
        let args = ["uninstall", "--project", "--agent", agent.name, "--yes"];
        assert_eq!(household.verger(&args).code, 0);
        assert!(!shared.exists(), "{}", agent.name);
    }
}

#[test]
fn an_agent_whose_file_cannot_be_used_does_not_keep_the_others_registered() {
    let household = Household::new();
    for agent in AGENTS {
        assert_eq!(household.init(&["--agent", agent.name]).code, 0);
    }
    let gemini = AGENTS.iter().find(|agent| agent.name == "gemini").unwrap();
    let broken =
        format!("// mine\n{}", household.environment.read(user_settings(&household, gemini)));
    household.environment.write(user_settings(&household, gemini), &broken);
    let output = household.verger(&["uninstall", "--yes"]);
    assert_ne!(output.code, 0);
    assert!(output.stderr.contains("Gemini CLI was left out"), "{}", output.stderr);
    assert_eq!(household.environment.read(user_settings(&household, gemini)), broken);
    for agent in AGENTS.iter().filter(|agent| agent.name != gemini.name) {
        let settings = user_settings(&household, agent);
        let text = fs::read_to_string(settings).unwrap_or_default();
        assert!(!text.contains("verger-hook"), "{}: {text}", agent.name);
    }
}

#[test]
fn a_hook_program_that_cannot_run_blocks_only_where_the_guard_enforces() {
    let household = Household::new();
    let program = household.data().join("bin/verger-hook");
    household.environment.write_program(&program, "\x7fELF: no program\n");
    for agent in AGENTS {
        let (event, _) = agent.registered_events().find(|(event, _)| is_request(event)).unwrap();
        let run = |guarding| {
            let line = agent.hook_command(event.name, guarding, HookScope::User);
            let output = household.environment.run("sh", ["-c", &line], "{}");
            assert_eq!(output.code, 0, "{}", agent.name);
            output.stdout
        };
        assert_eq!(run(Guarding::Watching), "");
        assert!(run(Guarding::Enforcing).contains("deny"), "{}", agent.name);
    }
}

fn is_request(event: &HookEvent) -> bool {
    event.kinds.contains(&"tool.requested")
}

#[test]
fn rules_that_a_person_added_stay() {
    for (agent, rules) in
        [("codex", ".codex/rules/verger.rules"), ("gemini", ".gemini/policies/verger.toml")]
    {
        let household = Household::new();
        let rules = household.environment.home().join(rules);
        done(household.init(&["--agent", agent]));
        let text = household.environment.read(&rules);
        household.environment.write(&rules, format!("{text}# mine\n"));
        done(household.init(&["--agent", agent, "--without", "permissions"]));
        assert_eq!(household.environment.read(&rules), "# mine\n");
        done(household.init(&["--agent", agent]));
        assert_eq!(household.environment.read(&rules), format!("# mine\n{text}"));
        done(household.uninstall(&[]));
        assert_eq!(household.environment.read(&rules), "# mine\n");
    }
}

#[test]
fn each_event_is_reported_once_at_both_levels() {
    for agent in AGENTS.iter().filter(|agent| agent.install.plugin.is_none()) {
        let household = Household::new();
        let named = ["--agent", agent.name];
        done(household.init(&[&named[..], &["--project"]].concat()));
        let counting = "#!/bin/sh\necho \"$*\" >> \"$HOME/calls\"\n";
        let count = || {
            household.environment.write_program(household.data().join("bin/verger-hook"), counting);
            let calls = household.environment.home().join("calls");
            household.environment.write(&calls, "");
            let files = [user_settings(&household, agent), project_settings(&household, agent)];
            for file in files.iter().filter(|file| file.exists()) {
                for (event, _) in agent.registered_events() {
                    for line in command_lines(&household, file, agent, event.name) {
                        done(household.environment.run("sh", ["-c", &line], "{}"));
                    }
                }
            }
            household.environment.read(&calls)
        };
        let calls = |event: &str| format!("{} {event}\n", agent.name);
        let once: String = agent.registered_events().map(|(event, _)| calls(event.name)).collect();
        assert_eq!(count(), once);
        done(household.init(&named));
        assert_eq!(count(), once);
        fs::remove_file(user_settings(&household, agent)).unwrap();
        assert_eq!(count(), "", "the folder says that the hooks of projects stand back");
    }
}

#[test]
fn the_hooks_of_all_agents_follow_the_mode_of_the_guard() {
    let household = Household::new();
    let agents: Vec<_> = AGENTS.iter().filter(|agent| agent.install.plugin.is_none()).collect();
    for agent in &agents {
        done(household.init(&["--agent", agent.name]));
    }
    let guarded = |agent: &AgentSpec| match agent.name {
        "codex" => "PreToolUse",
        "gemini" => "BeforeTool",
        _ => "preToolUse",
    };
    let lines = || {
        agents
            .iter()
            .map(|agent| {
                let lines = command_lines(
                    &household,
                    &user_settings(&household, agent),
                    agent,
                    guarded(agent),
                );
                lines
                    .iter()
                    .map(|line| line.rsplit("; v ").next().unwrap().to_owned())
                    .collect::<Vec<_>>()
            })
            .collect::<Vec<_>>()
    };
    let watching = [["codex PreToolUse"], ["gemini BeforeTool"], ["copilot preToolUse"]];
    assert_eq!(lines(), watching);
    let set = household.verger(&["config", "set", "guard.mode", "enforce", "--yes"]).success();
    let codex = verger_agent::by_name("codex").unwrap();
    assert!(set.stdout.contains(codex.install.consent.unwrap()), "{set}");
    assert_eq!(
        lines(),
        [
            ["codex PreToolUse enforce"],
            ["gemini BeforeTool enforce"],
            ["copilot preToolUse enforce"]
        ]
    );
    done(household.verger(&["config", "set", "guard.mode", "observe", "--yes"]));
    assert_eq!(lines(), watching);
    done(household.uninstall(&[]));
}

/// The findings of `verger doctor` about the registration, with the agent's files in the state
/// that `change` leaves behind.
fn findings(agent: &str, change: impl FnOnce(&Household, &AgentSpec)) -> [Vec<String>; 2] {
    let household = Household::new();
    household.remove_from_path("claude");
    let verger = household.hook_program().with_file_name("verger");
    fs::copy(env!("CARGO_BIN_EXE_verger"), &verger).unwrap();
    let run = |arguments: &[&str]| household.environment.run(&verger, arguments, "");
    done(run(&["init", "--yes", "--agent", agent]));
    change(&household, verger_agent::by_name(agent).unwrap());
    let problems = |arguments: &[&str]| {
        let report: Value = serde_json::from_str(&run(arguments).stdout).unwrap();
        let checks = report["checks"].as_array().unwrap().iter();
        let problems = checks.filter(|check| {
            check["finding"] == json!("problem")
                && check["check"] != json!("seen firing")
                && check["check"] != json!("verger on PATH")
                && check["check"] != json!("consent")
        });
        problems.map(|problem| problem["what"].as_str().unwrap().to_owned()).collect()
    };
    [problems(&["doctor", "--json"]), problems(&["doctor", "--fix", "--yes", "--json"])]
}

/// Changes the user's file of hooks.
fn edit(household: &Household, agent: &AgentSpec, change: impl FnOnce(&mut Value)) {
    let file = user_settings(household, agent);
    let mut settings: Value = serde_json::from_str(&household.environment.read(&file)).unwrap();
    change(&mut settings);
    household.environment.write(&file, settings.to_string());
}

#[test]
fn doctor_finds_and_repairs_what_is_wrong_with_a_registration() {
    insta::assert_debug_snapshot!(findings("codex", |_, _| {}), @"
    [
        [],
        [],
    ]
    ");
    let missing = |household: &Household, agent: &AgentSpec| {
        edit(household, agent, |settings| {
            drop(settings["hooks"].as_object_mut().unwrap().remove("Stop"));
        });
    };
    insta::assert_debug_snapshot!(findings("codex", missing), @r#"
    [
        [
            "missing or of another version: Stop",
        ],
        [],
    ]
    "#);
    let outdated = |household: &Household, agent: &AgentSpec| {
        edit(household, agent, |settings| {
            settings["hooks"]["agentStop"][0]["bash"] = json!("verger-hook copilot agentStop");
        });
    };
    insta::assert_debug_snapshot!(findings("copilot", outdated), @r#"
    [
        [
            "missing or of another version: agentStop",
        ],
        [],
    ]
    "#);
    let off = |household: &Household, agent: &AgentSpec| {
        edit(household, agent, |settings| settings["hooksConfig"] = json!({ "enabled": false }));
    };
    insta::assert_debug_snapshot!(findings("gemini", off), @r#"
    [
        [
            "$ENV/home/.gemini/settings.json switches all hooks off (hooksConfig.enabled)",
        ],
        [
            "$ENV/home/.gemini/settings.json switches all hooks off (hooksConfig.enabled)",
        ],
    ]
    "#);
    let lost = |household: &Household, agent: &AgentSpec| {
        fs::remove_file(user_settings(household, agent)).unwrap();
    };
    insta::assert_debug_snapshot!(findings("copilot", lost), @r#"
    [
        [
            "verger's hooks are no longer in hooks/verger.json of Copilot CLI",
        ],
        [],
    ]
    "#);
    let doubled = |household: &Household, agent: &AgentSpec| {
        edit(household, agent, |settings| {
            let hooks = settings["hooks"]["BeforeAgent"].as_array_mut().unwrap();
            hooks.push(hooks[0].clone());
        });
    };
    insta::assert_debug_snapshot!(findings("gemini", doubled), @r#"
    [
        [
            "some events are recorded twice: hooks are in $ENV/home/.gemini/settings.json",
        ],
        [],
    ]
    "#);
    let folder = |household: &Household, agent: &AgentSpec| {
        let hooks = household.environment.read(user_settings(household, agent));
        let stands_back = r#"[ -d \"$d/registered-codex\" ] && exit 0; h=$d/bin/verger-hook; "#;
        let hooks = hooks.replace("h=$d/bin/verger-hook; ", stands_back);
        household.environment.write(project_settings(household, agent), hooks);
        fs::remove_dir(household.data().join(agent.install.user_folder)).unwrap();
    };
    insta::assert_debug_snapshot!(findings("codex", folder), @r#"
    [
        [
            "some events are recorded twice: hooks are in $ENV/home/.codex/hooks.json, $ENV/home/project/.codex/hooks.json",
        ],
        [],
    ]
    "#);
}

/// A Codex that lists one hook, which it trusts if `trusted` is in its settings.
fn codex_that_trusts(trusted: &str) -> Household {
    let household = Household::new();
    household.remove_from_path("claude");
    let program = household.environment.root().join("programs/codex");
    let script = r#"#!/bin/sh
[ "$1" = app-server ] || exit 1
while read -r request; do
    case $request in *hooks/list*)
        status=untrusted
        grep -q 'TRUSTED' "$HOME/.codex/config.toml" && status=trusted
        file=$HOME/.codex/hooks.json
        printf '{"id":2,"result":{"data":[{"hooks":[{"key":"%s:stop:0:0","command":"verger-hook codex Stop","sourcePath":"%s","currentHash":"sha256:1","trustStatus":"%s"}]}]}}\n' "$file" "$file" "$status"
    esac
done
"#;
    household.environment.write_program(program, script.replace("TRUSTED", trusted));
    household
}

#[test]
fn a_person_can_trust_the_hooks_at_once() {
    let household = codex_that_trusts("trusted_hash = \"sha256:1\"");
    let config = household.environment.home().join(".codex/config.toml");
    let own = "model = \"x\" # mine\r\n\r\n[features]\r\nhooks = true\r\n";
    household.environment.write(&config, own);
    let before = household.files();
    let report = household.init(&["--trust-hooks"]).success().stdout;
    let notes: Vec<_> = report.lines().filter(|line| line.contains("trust")).collect();
    assert_eq!(notes, ["  trusted    $ENV/home/.codex/config.toml"]);
    let trusting = household.environment.normalise(&household.environment.read(&config));
    let section = "[hooks.state.\"$ENV/home/.codex/hooks.json:stop:0:0\"]\r\n\
        trusted_hash = \"sha256:1\" # verger init --trust-hooks\r\n";
    assert_eq!(trusting, format!("{own}{section}"));
    done(household.init(&["--trust-hooks"]));
    assert_eq!(household.environment.normalise(&household.environment.read(&config)), trusting);
    let touched = household.environment.read(&config).replace("# mine", "# still mine");
    household.environment.write(&config, touched);
    done(household.uninstall(&[]));
    assert_eq!(household.environment.read(&config), own.replace("# mine", "# still mine"));
    assert_eq!(household.files(), before);
}

#[test]
fn trust_that_the_agent_does_not_take_over_is_taken_back() {
    let household = codex_that_trusts("never");
    let config = household.environment.home().join(".codex/config.toml");
    household.environment.write(&config, "model = \"x\"\n");
    let mut report = household.init(&["--trust-hooks"]);
    report.stdout.clear();
    insta::assert_snapshot!(report, @"
    ------- stderr -------
    verger: cannot let Codex trust the hooks: it did not accept $ENV/home/.codex/config.toml, which was put back
    hint: verger is registered, but the hooks do not run yet: trust them in the agent
    ------- exit code 3 -------
    ");
    assert_eq!(household.environment.read(&config), "model = \"x\"\n");
}
