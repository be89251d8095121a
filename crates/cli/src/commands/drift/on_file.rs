//! What happened to a file, and why.

use std::path::Path;

use serde_json::{Value, json};
use verger_chronicle::KeptTask;
use verger_drift::recovery::Alignment;
use verger_drift::step::Action;
use verger_hook::{State, without_dots};
use verger_store_local::{Index, IndexError, LocalStore, SessionRow, StepEntry};

use crate::command_error::{CommandError, NoDirectory};
use crate::context::{Context, tell_passed_over};
use crate::moment::{local_date, local_time};
use crate::progress::Meter;
use crate::session_choice::choose;
use crate::table::Table;
use crate::ui::{Output, Ui, count};

/// What is known of a file.
struct Known {
    steps: Vec<(SessionRow, StepEntry)>,
    tasks: Vec<KeptTask>,
}

pub(super) fn on_file(
    ui: &mut Ui,
    context: &Context,
    store: &LocalStore,
    (file, session): (&str, Option<&str>),
    limit: usize,
) -> Result<(), CommandError> {
    let project = context.project_id().ok_or(NoDirectory)?;
    let only = session.map(|text| choose(store, text)).transpose()?;
    let is_meant = |row: &SessionRow| match &only {
        Some(segment) => row.segment() == *segment,
        None => row.project.as_deref() == Some(project.as_str()),
    };
    // The file may be gone, so the file system is not asked.
    let path = without_dots(&context.directory()?.join(file));
    let here = without_dots(&context.project_root()?);
    let mut meter = Meter::new(ui, "reading session");
    let mut known = Index::with(store, |index| {
        index.refresh::<State>()?;
        let rows: Vec<_> = index.sessions()?.into_iter().filter(is_meant).collect();
        let stems: Vec<_> = rows.iter().map(|row| row.stem.clone()).collect();
        index.refresh_courses(&stems, &mut |at| meter.update(at.done, at.total))?;
        let mut touched = vec![];
        // The first session first: it is a story.
        for row in rows.into_iter().rev() {
            let names = names(&path, &here, index.root_of(&row.stem)?.as_deref());
            let found = index.steps_on(&row.stem, &names)?;
            touched.extend(found.into_iter().map(|step| (row.clone(), step)));
        }
        let names = names(&path, &here, None);
        let tasks = index.tasks(&project)?.into_iter().filter(|task| is_about(task, &names));
        Ok::<_, IndexError>(Known { steps: touched, tasks: tasks.collect() })
    })?;
    drop(meter);
    tell_passed_over(ui, store);
    let shown = names(&path, &here, None).swap_remove(0);
    let left_out = if limit == 0 { 0 } else { known.steps.len().saturating_sub(limit) };
    known.steps.drain(..left_out);
    match ui.output() {
        Output::Json => ui.json(&known.to_json(&shown, left_out))?,
        Output::Text => known.print(ui, &shown, left_out)?,
    }
    Ok(())
}

/// What a session may call the file: paths are told from where it works.
fn names(path: &Path, here: &Path, root: Option<&str>) -> Vec<String> {
    let within = |root: &Path| path.strip_prefix(root).ok().map(ToOwned::to_owned);
    let found =
        [within(here), root.and_then(|root| within(Path::new(root))), Some(path.to_owned())];
    let mut names: Vec<String> = vec![];
    for name in found.into_iter().flatten().map(|path| path.to_string_lossy().into_owned()) {
        if !name.is_empty() && !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

fn is_about(task: &KeptTask, names: &[String]) -> bool {
    task.details.files.iter().any(|file| names.contains(file))
        || names.iter().any(|name| task.details.trace.iter().any(|line| line.contains(name)))
}

impl Known {
    fn print(&self, ui: &mut Ui, shown: &str, left_out: usize) -> Result<(), CommandError> {
        if self.steps.is_empty() && self.tasks.is_empty() {
            return Ok(ui.line(format!(
                "no recorded step of this project touched {shown}, and no task names it; \
                 verger sessions lists what was recorded"
            ))?);
        }
        let mut table = Table::default();
        table.row("file", shown);
        if left_out > 0 {
            let steps = count(left_out, "step");
            table.row("earlier", format!("{steps}: verger drift --file {shown} --limit 0"));
        }
        let mut heading = None;
        for (row, entry) in &self.steps {
            let place = (&row.stem, entry.step.task);
            if heading != Some(place) {
                heading = Some(place);
                let task = entry.step.task.map(|task| format!(", task {task}")).unwrap_or_default();
                table.row("session", format!("{}{task}", row.session));
                let goal = entry.goal.as_deref().unwrap_or("nobody asked for anything");
                table.row("  for", goal.lines().next().unwrap_or_default());
            }
            table.row(local_time(entry.step.at), format!("{}: {}", did(entry), judged(entry)));
            if let Some(reason) = &entry.reason {
                table.row("  because", reason);
            }
            if let Some(level) = &entry.correction_level {
                table.row("  told", format!("the agent was told after it: {level}"));
            }
        }
        for task in &self.tasks {
            let KeptTask { id, status, goal, .. } = task;
            table.row("task", format!("{}, {status}: {goal}", local_date(task.at)));
            table.row("  see", format!("verger tasks show {id}"));
        }
        Ok(table.print(ui)?)
    }

    fn to_json(&self, shown: &str, left_out: usize) -> Value {
        let step = |(row, entry): &(SessionRow, StepEntry)| {
            let step = &entry.step;
            json!({
                "session": row.session,
                "user": row.user,
                "id": step.id,
                "at_ms": step.at.as_millis(),
                "step": step.ordinal,
                "task": step.task,
                "goal": entry.goal,
                "action": step.action,
                "command": step.command,
                "failed": step.failed,
                "bearing": step.bearing,
                "score": entry.score,
                "drift_type": entry.drift_type,
                "on_course": is_on_course(entry),
                "reason": entry.reason,
                "correction": entry.correction,
                "correction_level": entry.correction_level,
            })
        };
        json!({
            "file": shown,
            "earlier": left_out,
            "steps": self.steps.iter().map(step).collect::<Vec<_>>(),
            "tasks": self.tasks.iter().map(super::super::tasks::kept_json).collect::<Vec<_>>(),
        })
    }
}

fn did(entry: &StepEntry) -> String {
    let step = &entry.step;
    let what = match step.action {
        Action::Edit => "changed",
        Action::Write => "written",
        Action::Read => "read",
        Action::Glob | Action::Grep => "searched",
        Action::Task => "delegated",
        Action::Other => "touched",
        Action::Bash => "changed by a command",
    };
    let line = step.command.as_deref().and_then(|command| command.lines().next());
    let line = line.map(|line| format!(" (`{line}`)")).unwrap_or_default();
    format!("{what}{line}{}", if step.failed { ", which failed" } else { "" })
}

fn is_on_course(entry: &StepEntry) -> bool {
    entry.is_validated && entry.step.bearing != Alignment::Astray
}

fn judged(entry: &StepEntry) -> String {
    let course = if is_on_course(entry) { "on course" } else { "off course" };
    match entry.score {
        Some(score) => format!("{course}, score {score}"),
        None => format!("{course}, not scored"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_has_the_names_that_sessions_may_give_it() {
        let names = |path: &str, root| names(Path::new(path), Path::new("/home/dev/app"), root);
        for (path, root, expected) in [
            ("/home/dev/app/src/a.rs", None, &["src/a.rs", "/home/dev/app/src/a.rs"][..]),
            (
                "/home/dev/app/src/a.rs",
                Some("/home/dev/app/src"),
                &["src/a.rs", "a.rs", "/home/dev/app/src/a.rs"],
            ),
            ("/etc/hosts", Some("/home/dev/app"), &["/etc/hosts"]),
        ] {
            assert_eq!(names(path, root), expected);
        }
        assert_eq!(without_dots(Path::new("/home/dev/./app/../a.rs")), Path::new("/home/dev/a.rs"));
    }
}
