//! Checks that only the crate of the adapters names coding agents. A name in another crate would be
//! a special case for one agent.

use super::Finding;
use super::modules::Part;
use super::tree::Tree;

const AGENTS: &[&str] = &["claude", "codex", "gemini", "copilot"];

/// The paths of code that may name an agent, with reasons.
const ALLOWED: &[(&str, &str)] = &[
    ("crates/agent/", "the adapters live here"),
    ("crates/chores/", "chores install and start the real programs"),
    ("crates/cli/", "help texts give examples that can be typed"),
    ("crates/testkit/", "tests start the real programs"),
    ("crates/upstream/", "it tells the requests of a real program apart"),
    ("crates/xtask/", "chores name the real programs that tests start"),
];

pub(crate) fn agents_are_named_in_one_crate(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    let production = tree.rust_files().filter(|file| file.part == Some(Part::Production));
    for file in production.filter(|file| !is_allowed(&file.path)) {
        let lines = file.numbered().zip(file.text.lines());
        for ((number, _), text) in lines.filter(|((_, line), _)| !line.is_test) {
            let text = text.to_lowercase();
            if let Some(agent) = AGENTS.iter().find(|agent| text.contains(**agent)) {
                let advice = format!("do not name `{agent}` here: move what is special to `agent`");
                findings.push(Finding::at(&file.path, number, advice));
            }
        }
    }
    findings
}

fn is_allowed(path: &str) -> bool {
    ALLOWED.iter().any(|(folder, _)| path.starts_with(folder))
}

#[cfg(test)]
mod tests {
    use super::super::test_tree::tree_of;
    use super::*;

    #[test]
    fn an_agent_is_found_in_production_code_outside_of_its_crate() {
        let lib = "//! Sessions.\nconst NAME: &str = \"Claude\";\n#[cfg(test)]\nmod tests {\n    // claude\n}\n";
        let found: Vec<_> = agents_are_named_in_one_crate(&tree_of(&[
            ("crates/sample/src/lib.rs", lib),
            ("crates/sample/tests/it.rs", "// codex"),
            ("docs/agents.md", "gemini"),
        ]))
        .into_iter()
        .map(|finding| (finding.path, finding.line))
        .collect();
        assert_eq!(found, [("crates/sample/src/lib.rs".to_owned(), Some(2))]);
    }

    #[test]
    fn the_crates_that_may_name_agents_are_listed_by_folder() {
        assert!(is_allowed("crates/agent/src/lib.rs"));
        assert!(!is_allowed("crates/agents/src/lib.rs"));
    }
}
