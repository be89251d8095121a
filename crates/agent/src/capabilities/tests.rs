use super::*;
use crate::{AGENTS, CLAUDE, CODEX, COPILOT, GEMINI};

/// The coverage of all policies, one line per policy and exception.
fn shown(agent: &AgentSpec) -> String {
    let mut lines = vec![];
    for covered in agent.coverage() {
        let mark = if covered.proof == Proof::Documented { "?" } else { "" };
        let (name, coverage) = (covered.policy.name(), covered.coverage);
        lines.push(format!("{name}: {coverage}{mark}: {}", covered.reason));
        for exception in &covered.exceptions {
            let versions = exception.versions_text().map(|text| format!(" ({text})"));
            let versions = versions.unwrap_or_default();
            lines.push(format!("  {}{versions}: {}", exception.coverage, exception.reason));
        }
    }
    lines.join("\n")
}

#[test]
fn claude_is_covered() {
    insta::assert_snapshot!(shown(&CLAUDE));
}

#[test]
fn codex_is_covered() {
    insta::assert_snapshot!(shown(&CODEX));
}

#[test]
fn gemini_is_covered() {
    insta::assert_snapshot!(shown(&GEMINI));
}

#[test]
fn copilot_is_covered() {
    insta::assert_snapshot!(shown(&COPILOT));
}

#[test]
fn every_tested_version_has_a_date_and_blind_spots_name_only_those() {
    for agent in AGENTS {
        let dated: Vec<_> = agent.tested().map(|tested| tested.version).collect();
        assert_eq!(dated, agent.tested_versions, "{}", agent.name);
        for spot in agent.blind_spots {
            let known = TESTED.iter().find(|(name, _)| *name == agent.name).unwrap().1;
            for version in spot.versions {
                assert!(known.iter().any(|tested| tested.version == *version), "{spot:?}");
            }
        }
    }
}

#[test]
fn a_policy_has_no_event_exactly_if_it_is_impossible_or_lacks_its_part() {
    for agent in AGENTS {
        for covered in agent.coverage() {
            let kinds = covered.policy.moments();
            let part = covered.policy.part();
            let is_seen = agent.registered_of(kinds).next().is_some();
            let is_honoured = agent
                .registered_of(kinds)
                .any(|event| part.is_none_or(|part| event.proof(part).is_some()));
            let is_delegation = covered.policy == Policy::Delegation && !agent.shows_subagents();
            let is_enforced = is_seen && is_honoured && !is_delegation;
            let what = format!("{} {:?}", agent.name, covered.policy);
            assert_eq!(covered.coverage == Coverage::Enforced, is_enforced, "{what}");
        }
    }
}

#[test]
fn exceptions_and_reasons_are_sentences_of_one_line() {
    for agent in AGENTS {
        for covered in agent.coverage() {
            let exceptions = covered.exceptions.iter().map(|exception| &exception.reason);
            for reason in exceptions.chain([&covered.reason]) {
                let is_plain = !reason.contains("  ") && !reason.contains('\n');
                assert!(is_plain && !reason.is_empty(), "{reason:?}");
            }
        }
    }
}

#[test]
fn the_readme_has_the_tested_versions_of_each_agent() {
    let readme = include_str!("../../../../README.md");
    for agent in AGENTS {
        let versions = agent.tested().map(|tested| format!("{} ({})", tested.version, tested.date));
        let cell = format!(" | {} |", versions.collect::<Vec<_>>().join(", "));
        let is_row = |line: &&str| {
            line.starts_with(&format!("| {}", agent.install.product)) && line.ends_with(&cell)
        };
        assert!(readme.lines().any(|line| is_row(&line)), "README.md lacks {cell}");
    }
}
