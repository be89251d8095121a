//! Tests that every captured payload decodes as expected.

use std::collections::BTreeSet;

use verger_agent::{AGENTS, CLAUDE, COPILOT};

use crate::fixture::{Fixture, PASSED_OVER, fixtures_in, fixtures_of, folders, stems};

#[test]
fn every_captured_payload_means_what_its_expectation_says() {
    for agent in AGENTS {
        for folder in folders(agent.name) {
            let mut settings = insta::Settings::clone_current();
            settings.set_snapshot_path(folder.join("expected"));
            settings.set_prepend_module_to_snapshot(false);
            settings.set_omit_expression(true);
            settings.bind(|| {
                for fixture in fixtures_in(agent, &folder) {
                    let decoded = (agent.decode)(fixture.event_name(), &fixture.bytes).unwrap();
                    assert_eq!(decoded.is_none(), fixture.is_passed_over(), "{}", fixture.name);
                    if let Some(observed) = decoded {
                        insta::assert_debug_snapshot!(fixture.name.as_str(), observed);
                    }
                }
            });
        }
    }
}

#[test]
fn no_payload_is_without_expectation_and_no_expectation_without_payload() {
    for agent in AGENTS {
        for folder in folders(agent.name) {
            let decoded = fixtures_in(agent, &folder).into_iter().filter(|it| !it.is_passed_over());
            let names: BTreeSet<_> = decoded.map(|fixture| fixture.name).collect();
            assert_eq!(names, stems(&folder.join("expected"), "snap"), "{}", folder.display());
        }
    }
}

#[test]
fn every_payload_that_is_passed_over_was_captured() {
    let captured: BTreeSet<_> = AGENTS
        .iter()
        .flat_map(fixtures_of)
        .filter(Fixture::is_passed_over)
        .map(|fixture| (fixture.agent.name, fixture.name))
        .collect();
    let listed = PASSED_OVER.iter().map(|(agent, name)| (*agent, (*name).to_owned())).collect();
    assert_eq!(captured, listed);
}

/// Copilot CLI's payloads for the Claude Code hooks of a project, each with the name of its own
/// payload of the same event.
const AS_CLAUDE: &[(&str, &str)] = &[
    ("PostToolUse-Bash", "postToolUse-bash"),
    ("PreToolUse-Bash", "preToolUse-bash"),
    ("SessionEnd-complete", "sessionEnd-complete"),
    ("SessionStart-new", "sessionStart-new"),
    ("Stop-active", "agentStop-active"),
    ("Stop-first", "agentStop-first"),
    ("UserPromptSubmit", "userPromptSubmitted"),
];

#[test]
fn a_session_of_copilot_is_the_same_for_a_hook_of_claude() {
    let own = fixtures_of(&COPILOT);
    let folders = folders("copilot-as-claude");
    let imitated: Vec<_> = folders.iter().flat_map(|it| fixtures_in(&CLAUDE, it)).collect();
    let names: Vec<_> = imitated.iter().map(|fixture| fixture.name.as_str()).collect();
    assert_eq!(names, AS_CLAUDE.iter().map(|(name, _)| *name).collect::<Vec<_>>());
    for (fixture, (_, own_name)) in imitated.iter().zip(AS_CLAUDE) {
        let own = own.iter().find(|own| own.name == *own_name).unwrap().observed();
        let observed = fixture.observed();
        assert_eq!(observed.session.as_str(), fixture.json()["session_id"], "{own_name}");
        assert_eq!(observed.event.kind(), own.event.kind(), "{own_name}");
        assert_eq!((observed.actor, observed.circumstance), (own.actor, own.circumstance));
    }
}
