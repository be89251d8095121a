//! The page that says how far verger carries each of its policies out with each agent.

use verger_agent::{AGENTS, AgentSpec, Coverage, Policy, PolicyCoverage, Proof};

const INTRODUCTION: &str = "\
# Agents and policies

<!-- Written by `cargo xtask generate` from the tables of crates/agent. -->

verger depends on the events that an agent's program reports, and on the answers that it obeys. `verger doctor agents` shows
this table too, with the agents on your machine.

- **enforced**: verger does it, and the program obeys.
- **observed**: verger records what it sees, but the program doesn't obey.
- **impossible**: the program offers no way.
- A star marks exceptions, which are listed below. A question mark: by the program's documentation, not tested with the real program.
";

pub(crate) fn render() -> String {
    let names: Vec<_> = AGENTS.iter().map(|agent| agent.install.product).collect();
    let names = names.join(" | ");
    let rule = "---|".repeat(AGENTS.len() + 1);
    let rows: String = Policy::ALL.iter().map(|policy| row(*policy)).collect();
    let sections: String = AGENTS.iter().map(section).collect();
    format!("{INTRODUCTION}\n| policy | {names} |\n|{rule}\n{rows}{sections}")
}

fn row(policy: Policy) -> String {
    let cells: Vec<_> = AGENTS.iter().map(|agent| cell(&agent.coverage_of(policy))).collect();
    format!("| {} | {} |\n", policy.name(), cells.join(" | "))
}

fn cell(covered: &PolicyCoverage) -> String {
    let mark = match (covered.proof, covered.exceptions.is_empty()) {
        (Proof::Documented, _) => "?",
        (Proof::Seen, false) => "\\*",
        (Proof::Seen, true) => "",
    };
    format!("{}{mark}", covered.coverage)
}

fn section(agent: &AgentSpec) -> String {
    let tested: Vec<_> =
        agent.tested().map(|tested| format!("{} ({})", tested.version, tested.date)).collect();
    let rows: String = agent.coverage().iter().map(policy_rows).collect();
    format!(
        "\n## {}\n\nTested versions: {}.\n\n| policy | coverage | reason |\n|---|---|---|\n{rows}",
        agent.install.product,
        tested.join(", ")
    )
}

/// The row of a policy, and a row for each of its exceptions.
fn policy_rows(covered: &PolicyCoverage) -> String {
    let first =
        format!("| {} | {} | {} |\n", covered.policy.name(), covered.coverage, covered.reason);
    let more = covered.exceptions.iter().map(|exception| {
        let coverage = match exception.coverage {
            Coverage::Enforced => "but".to_owned(),
            Coverage::Observed | Coverage::Impossible => exception.coverage.to_string(),
        };
        let versions = exception.versions_text().map(|versions| format!(" ({versions})"));
        let versions = versions.unwrap_or_default();
        format!("| | {coverage}{versions} | {} |\n", exception.reason)
    });
    [first].into_iter().chain(more).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_policy_has_a_row_in_the_table_and_one_for_each_agent() {
        let page = render();
        for policy in Policy::ALL {
            let rows = page.matches(&format!("\n| {} |", policy.name())).count();
            assert_eq!(rows, 1 + AGENTS.len(), "{policy:?}");
        }
    }
}
