//! `verger verify --plan`: which checks would run, and where they come from.

use std::time::Duration;

use serde_json::{Value, json};
use verger_engine::trusted_worktree;
use verger_gate::verification::plan::{Origin, PlannedCheck, Way, command_line};

use crate::invocation::command_error::CommandError;
use crate::invocation::context::Context;
use crate::render::output::{Output, Ui, count};
use crate::render::table::Table;
use crate::verify::looking::NO_SESSION;
use crate::verify::program_check::Surroundings;
use crate::verify::target::{Plan, Target};

/// A plan in the displayed form.
struct Shown<'a> {
    target: &'a Target,
    plan: &'a Plan,
    surroundings: Surroundings<'a>,
    is_trusted: bool,
}

pub(super) fn show(
    ui: &mut Ui,
    context: &Context,
    target: &Target,
    plan: &Plan,
) -> Result<(), CommandError> {
    let seconds = target.settings().verification.timeout_seconds.value;
    let surroundings = Surroundings {
        root: &target.root,
        environment: &context.environment,
        time_limit: Duration::from_secs(seconds),
    };
    let user_home = context.environment.get("HOME").map(Into::into);
    let user_home: Option<std::path::PathBuf> = user_home;
    let is_trusted = trusted_worktree(&context.home()?, &target.root, user_home.as_deref());
    let shown = Shown { target, plan, surroundings, is_trusted };
    match ui.output() {
        Output::Json => Ok(ui.json(&shown.to_json())?),
        Output::Text => shown.print(ui, context),
    }
}

impl Shown<'_> {
    fn print(&self, ui: &mut Ui, context: &Context) -> Result<(), CommandError> {
        let root = context.with_tilde(&self.target.root.display().to_string());
        let checks = count(self.plan.checks.len() as u64, "check");
        ui.line(format!("{} verification of {root}: {checks}", self.plan.depth))?;
        let mut table = Table::default();
        for planned in &self.plan.checks {
            table.row(format!("  {}", planned.name), self.words(planned));
        }
        table.print(ui)?;
        let required = self.target.policy().required;
        let required: Vec<_> = required.iter().map(|required| required.as_str()).collect();
        let seconds = self.surroundings.time_limit.as_secs();
        ui.note(format!("required: {}; each command may take {seconds} s", required.join(", ")))?;
        if !self.is_trusted {
            ui.note(
                "this project is not trusted: agents must ask before running these; `verger trust` \
                 allows them",
            )?;
        }
        Ok(())
    }

    fn words(&self, planned: &PlannedCheck) -> String {
        match &planned.way {
            Way::Own if !self.target.is_applicable(planned.kind) => NO_SESSION.to_owned(),
            Way::Own => "built into verger".to_owned(),
            Way::Command { argv, origin, .. } => {
                let missing = if self.is_there(argv) { "" } else { "; the program was not found" };
                format!("{} ({}{missing})", command_line(argv), origin_words(origin))
            }
            Way::Missing { why } => format!("missing: {why}"),
            Way::NotInDepth { needs } => format!("runs only with --depth {needs}"),
            Way::Skipped { why } => format!("skipped: {why}"),
        }
    }

    fn is_there(&self, argv: &[String]) -> bool {
        argv.first().is_some_and(|program| self.surroundings.find(program).is_some())
    }

    fn to_json(&self) -> Value {
        let check = |planned: &PlannedCheck| {
            let mut check = json!(planned);
            if !self.target.is_applicable(planned.kind) {
                check["way"] = json!(Way::Skipped { why: NO_SESSION.to_owned() });
            }
            if let Way::Command { argv, .. } = &planned.way {
                check["way"]["is_there"] = json!(self.is_there(argv));
            }
            check
        };
        let policy = self.target.policy();
        json!({
            "session": self.target.session().map(|session| &session.key.session),
            "root": self.target.root,
            "depth": self.plan.depth,
            "plan": self.plan.name,
            "checks": self.plan.checks.iter().map(check).collect::<Vec<_>>(),
            "required": policy.required.iter().map(|one| one.as_str()).collect::<Vec<_>>(),
            "timeout_seconds": self.surroundings.time_limit.as_secs(),
            "is_trusted": self.is_trusted,
            "problems": self.target.loaded().problems,
        })
    }
}

fn origin_words(origin: &Origin) -> String {
    match origin {
        Origin::Set { key } => format!("from setting {key}"),
        Origin::Detected { file } => format!("by {file}"),
    }
}
