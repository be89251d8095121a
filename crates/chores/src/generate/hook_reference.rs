//! The page that lists the agent's events for which verger is called, with reasons.

use verger_agent::{AGENTS, AgentSpec, HookEvent, Registration};

const INTRODUCTION: &str = "\
# Hooks

<!-- Written by `cargo xtask generate` from the tables of crates/agent. -->

`verger init` registers `verger-hook` for the events below and for no others. A call starts one small shell script and
one program, waits for no network and takes a few milliseconds ([measured](../reports/bench.md)); how often an event
comes is therefore what it costs. verger does not set a time limit where the agent's own one will do.
";

pub(crate) fn render() -> String {
    AGENTS.iter().fold(INTRODUCTION.to_owned(), |page, agent| page + &section(agent))
}

fn section(agent: &AgentSpec) -> String {
    let rows = |row: fn(&HookEvent) -> Option<String>| -> String {
        agent.events.iter().filter_map(row).collect()
    };
    format!(
        "\n## {}\n\n| event | comes | recorded as | what for |\n|---|---|---|---|\n{}\n\
         Not registered:\n\n| event | why not |\n|---|---|\n{}",
        agent.install.product,
        rows(registered_row),
        rows(left_row)
    )
}

fn registered_row(event: &HookEvent) -> Option<String> {
    let Registration::Registered { frequency, reason, timeout_seconds } = event.registration else {
        return None;
    };
    let limit = timeout_seconds.map(|seconds| format!(" (limit: {seconds} s)")).unwrap_or_default();
    let kinds: Vec<_> = event.kinds.iter().map(|kind| format!("`{kind}`")).collect();
    let kinds = kinds.join(", ");
    Some(format!("| `{}` | {frequency}{limit} | {kinds} | {reason} |\n", event.name))
}

fn left_row(event: &HookEvent) -> Option<String> {
    let Registration::Left { reason } = event.registration else { return None };
    Some(format!("| `{}` | {reason} |\n", event.name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_event_has_one_row_in_the_section_of_its_agent() {
        for agent in AGENTS {
            let section = section(agent);
            for event in agent.events {
                let rows = section.matches(&format!("\n| `{}` |", event.name)).count();
                assert_eq!(rows, 1, "{} {}", agent.name, event.name);
            }
        }
    }
}
