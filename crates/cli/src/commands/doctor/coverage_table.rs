//! The coverage table: how far verger carries its policies out with each agent.

use std::io;

use serde_json::{Value, json};
use verger_agent::{AGENTS, AgentSpec, Coverage, Exception, Policy, PolicyCoverage, Proof};

use crate::render::grid::Grid;
use crate::render::output::Ui;
use crate::render::table::Table;

/// The explanation of the words and marks in the table.
const LEGEND: [&str; 5] = [
    "enforced    verger does it, and the agent's program obeys",
    "observed    verger records what it sees, but the program doesn't obey",
    "impossible  the program offers no way",
    "*           with exceptions, see below",
    "?           by the program's documentation; not tested with the real program",
];

/// The width of the table with all agents.
const TABLE_COLUMNS: usize = 80;

pub(super) fn print(ui: &mut Ui) -> io::Result<()> {
    let covered: Vec<_> = AGENTS.iter().map(|agent| (agent, agent.coverage())).collect();
    let is_narrow = ui.columns().is_some_and(|columns| columns < TABLE_COLUMNS);
    if is_narrow {
        for (agent, coverage) in &covered {
            let mut table = Table::default();
            table.row(agent.install.product, "");
            for covered in coverage {
                table.row(format!("  {}", covered.policy.name()), cell(covered));
            }
            table.print(ui)?;
        }
    } else {
        let mut grid = Grid::new("policy", AGENTS.iter().map(|agent| agent.install.product));
        for (number, policy) in Policy::ALL.iter().enumerate() {
            grid.row(policy.name(), covered.iter().map(|(_, coverage)| cell(&coverage[number])));
        }
        grid.print(ui)?;
    }
    ui.line("")?;
    for line in LEGEND {
        ui.note(line)?;
    }
    for (agent, coverage) in &covered {
        ui.line("")?;
        let mut table = Table::default();
        table.row(agent.install.product, format!("tested: {}", tested(agent)));
        for covered in coverage {
            let name = format!("  {}", covered.policy.name());
            let mut texts = texts(covered).into_iter();
            if let Some(first) = texts.next() {
                table.row(name, first);
            }
            texts.for_each(|text| table.row("", text));
        }
        table.print(ui)?;
    }
    ui.line("")
}

/// The coverage of a policy in a word, with its marks. Marks take a column of their own.
fn cell(covered: &PolicyCoverage) -> String {
    let is_tested = covered.proof == Proof::Seen;
    let mark = match (is_tested, covered.exceptions.is_empty()) {
        (true, true) => " ",
        (true, false) => "*",
        (false, _) => "?",
    };
    format!("{}{mark}", covered.coverage)
}

/// The reasons for less than full coverage.
fn texts(covered: &PolicyCoverage) -> Vec<String> {
    let text = |coverage: Coverage, reason: &str| match coverage {
        Coverage::Enforced => reason.to_owned(),
        Coverage::Observed | Coverage::Impossible => format!("{coverage}: {reason}"),
    };
    let general =
        (covered.coverage != Coverage::Enforced).then(|| text(covered.coverage, &covered.reason));
    let exceptions = covered.exceptions.iter().map(|exception| {
        let versions = exception.versions_text().map(|versions| format!(" ({versions})"));
        text(exception.coverage, &exception.reason) + &versions.unwrap_or_default()
    });
    general.into_iter().chain(exceptions).collect()
}

/// The tested versions of an agent's program, with the days of the tests.
pub(super) fn tested(agent: &AgentSpec) -> String {
    let tested = agent.tested().map(|tested| format!("{} on {}", tested.version, tested.date));
    tested.collect::<Vec<_>>().join(", ")
}

pub(super) fn coverage_json(agent: &AgentSpec) -> Value {
    agent.coverage().iter().map(policy_json).collect()
}

fn policy_json(covered: &PolicyCoverage) -> Value {
    let exception = |exception: &Exception| {
        json!({
            "coverage": exception.coverage.to_string(),
            "versions": exception.versions,
            "reason": exception.reason,
        })
    };
    json!({
        "policy": covered.policy.name(),
        "coverage": covered.coverage.to_string(),
        "tested": covered.proof == Proof::Seen,
        "reason": covered.reason,
        "exceptions": covered.exceptions.iter().map(exception).collect::<Vec<_>>(),
    })
}
