//! The history of a file: the steps that touched it and the tasks that name it.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use verger_chronicle::KeptTask;
use verger_config::near;
use verger_drift::step::Action;
use verger_engine::State;
use verger_event::{ProjectId, Timestamp};
use verger_store::SegmentName;
use verger_store_local::{Index, IndexError, LocalStore, NoProbe, SessionRow, StepEntry};

use super::place::{Base, named};
use crate::invocation::command_error::{CommandError, NoDirectory};
use crate::invocation::context::{Context, tell_passed_over};
use crate::render::output::{Output, Ui, count};
use crate::render::progress::Meter;
use crate::render::short_ids::ShortIds;
use crate::render::table::Table;
use crate::render::time::age;
use crate::sessions::picker::choose;

type Tables<'a> = Index<'a, NoProbe>;

/// The maximum number of files that a message names.
const MAX_NAMED: usize = 5;

/// The arguments of the request for a file's history.
pub(super) struct Asked<'a> {
    pub(super) file: &'a str,
    pub(super) session: Option<&'a str>,
    /// The number of steps; 0 for all.
    pub(super) limit: usize,
}

/// The sessions and tasks to search. Each session has the base of its relative paths.
struct Searched {
    sessions: Vec<(SessionRow, Base)>,
    tasks: Vec<KeptTask>,
    here: Base,
}

/// The steps that touched a file, and the tasks that name it.
#[derive(Default)]
struct Known {
    steps: Vec<(SessionRow, StepEntry)>,
    tasks: Vec<KeptTask>,
}

/// The result of looking for a file.
enum Found {
    /// The file with this path, or the only file that matches a part of a path.
    One { place: PathBuf, known: Known },
    /// Several files that match the given part of a path.
    Several(Vec<PathBuf>),
    /// No file matches. `near` has files with similar names.
    None { near: Vec<PathBuf> },
}

pub(super) fn on_file(
    ui: &mut Ui,
    context: &Context,
    store: &LocalStore,
    asked: &Asked<'_>,
) -> Result<(), CommandError> {
    if asked.file.trim().is_empty() {
        return Err(CommandError::Usage {
            message: "no file is named".to_owned(),
            hint: "name one of this project, as in verger drift --file src/main.rs".to_owned(),
        });
    }
    let only = asked.session.map(|text| choose(store, text)).transpose()?;
    let directory = context.directory()?;
    let root = context.project_root()?;
    let here = Base::new(&root, Some(root.clone()));
    let project = context.project_id().ok_or(NoDirectory)?;
    let mut meter = Meter::new(ui, "reading session");
    let (place, found) = Index::with(store, |index| {
        let mut update = |done, total| meter.update(done, total);
        let searched = Searched::read(index, context, &here, &project, only.as_ref(), &mut update)?;
        let bases = searched.sessions.iter().map(|(_, base)| base);
        let place = named(directory, asked.file, [&searched.here].into_iter().chain(bases));
        let found = searched.find(index, &place, asked.file)?;
        Ok::<_, IndexError>((place, found))
    })?;
    drop(meter);
    tell_passed_over(ui, store);
    match found {
        Found::Several(places) => Err(several(asked.file, &place, &places)),
        Found::None { near } => nothing(ui, &place, asked, &near),
        Found::One { place: found, known } => {
            let shown = found.to_string_lossy();
            if found != place && shown != asked.file {
                ui.note(format!("showing {shown}, the only file that matches {}", asked.file))?;
            }
            report(ui, &shown, known, asked, context.clock.now())
        }
    }
}

impl Searched {
    fn read(
        index: &Tables<'_>,
        context: &Context,
        here: &Base,
        project: &ProjectId,
        only: Option<&SegmentName>,
        update: &mut dyn FnMut(usize, usize),
    ) -> Result<Self, IndexError> {
        index.refresh::<State>()?;
        let rows = match only {
            Some(SegmentName::Session(stem) | SegmentName::Project(stem)) => {
                index.session(stem)?.into_iter().collect()
            }
            None => index.latest_of_project(project, usize::MAX)?,
        };
        let stems: Vec<_> = rows.iter().map(|row| row.stem.clone()).collect();
        index.refresh_drift(&stems, &mut |at| update(at.done, at.total))?;
        let of_session = rows.first().filter(|_| only.is_some());
        let of_other = of_session.and_then(|row| Some(ProjectId::new(row.project.clone()?)));
        let mut tasks = index.tasks(of_other.as_ref().unwrap_or(project))?;
        if let Some(row) = of_session {
            tasks.retain(|task| (&task.agent, &task.session) == (&row.agent, &row.session));
        }
        let mut sessions = vec![];
        // The oldest session comes first, so that the steps are in order.
        for row in rows.into_iter().rev() {
            let base = match index.root_of(&row.stem)? {
                Some(root) => Base::new(Path::new(&root), context.root_of(Path::new(&root))),
                None => here.clone(),
            };
            sessions.push((row, base));
        }
        Ok(Self { sessions, tasks, here: here.clone() })
    }

    /// Looks for a file. If no step or task has this path, the text is matched as a part of a path.
    fn find(&self, index: &Tables<'_>, place: &Path, text: &str) -> Result<Found, IndexError> {
        let known = self.known(index, place)?;
        if !known.is_empty() {
            return Ok(Found::One { place: place.to_owned(), known });
        }
        let files = self.files(index)?;
        let part = Path::new(text.trim_start_matches("./"));
        let is_meant = |file: &&PathBuf| file.ends_with(part) || file.starts_with(place);
        let meant: Vec<PathBuf> = files.iter().filter(is_meant).cloned().collect();
        Ok(match &meant[..] {
            [] => {
                let place = place.to_string_lossy();
                Found::None { near: near(&place, files, |file| file.to_str().unwrap_or_default()) }
            }
            [one] => Found::One { place: one.clone(), known: self.known(index, one)? },
            _ => Found::Several(meant),
        })
    }

    fn known(&self, index: &Tables<'_>, place: &Path) -> Result<Known, IndexError> {
        let mut steps = vec![];
        for (row, base) in &self.sessions {
            let found = index.steps_on(&row.stem, &base.names(place))?;
            steps.extend(found.into_iter().map(|step| (row.clone(), step)));
        }
        let is_about = |task: &&KeptTask| is_about(task, &self.base_of(task).names(place));
        Ok(Known { steps, tasks: self.tasks.iter().filter(is_about).cloned().collect() })
    }

    /// Every file that a step touched or a task names.
    fn files(&self, index: &Tables<'_>) -> Result<BTreeSet<PathBuf>, IndexError> {
        let mut files = BTreeSet::new();
        for (row, base) in &self.sessions {
            files.extend(index.files_of(&row.stem)?.iter().map(|name| base.place(name)));
        }
        for task in &self.tasks {
            let base = self.base_of(task);
            files.extend(task.details.files.iter().map(|name| base.place(name)));
        }
        Ok(files)
    }

    /// The directory in which a task was worked on. The task's session may have been removed.
    fn base_of(&self, task: &KeptTask) -> &Base {
        let is_of = |row: &SessionRow| (&row.agent, &row.session) == (&task.agent, &task.session);
        let mut sessions = self.sessions.iter();
        sessions.find(|(row, _)| is_of(row)).map_or(&self.here, |(_, base)| base)
    }
}

fn is_about(task: &KeptTask, names: &[String]) -> bool {
    let is_named = |word: &str| {
        let word = word.trim_matches(|c| "`'\"(),;".contains(c));
        let is_it = |name: &String| {
            word.strip_prefix(&**name).is_some_and(|rest| rest.is_empty() || rest.starts_with(':'))
        };
        names.iter().any(is_it)
    };
    task.details.files.iter().any(|file| names.contains(file))
        || task.details.trace.iter().any(|line| line.split_whitespace().any(is_named))
}

fn several(text: &str, place: &Path, places: &[PathBuf]) -> CommandError {
    let files = count(places.len(), "file");
    let message = if places.iter().all(|file| file.starts_with(place)) {
        format!("{text} is a folder, and steps touched {files} in it")
    } else {
        format!("the names of {files} that steps touched end with {text}")
    };
    let more = match places.len().saturating_sub(MAX_NAMED) {
        0 => String::new(),
        more => format!(", and {more} more"),
    };
    CommandError::Usage { message, hint: format!("name one with --file: {}{more}", listed(places)) }
}

fn listed(places: &[PathBuf]) -> String {
    let names = places.iter().take(MAX_NAMED).map(|place| place.to_string_lossy().into_owned());
    names.collect::<Vec<_>>().join(", ")
}

fn nothing(
    ui: &mut Ui,
    place: &Path,
    asked: &Asked<'_>,
    near: &[PathBuf],
) -> Result<(), CommandError> {
    let shown = place.to_string_lossy();
    if ui.output() == Output::Json {
        return Ok(ui.json(&Known::default().to_json(&shown, asked.file, 0))?);
    }
    ui.line(format!("no recorded step of this project touched {shown}, and no task names it"))?;
    Ok(ui.note(match near {
        [] => "verger session list lists the recorded sessions".to_owned(),
        near => format!("similar names: {}", listed(near)),
    })?)
}

fn report(
    ui: &mut Ui,
    shown: &str,
    mut known: Known,
    asked: &Asked<'_>,
    now: Timestamp,
) -> Result<(), CommandError> {
    let left_out = match asked.limit {
        0 => 0,
        limit => known.steps.len().saturating_sub(limit),
    };
    known.steps.drain(..left_out);
    match ui.output() {
        Output::Json => ui.json(&known.to_json(shown, asked.file, left_out))?,
        Output::Text => known.print(ui, shown, left_out, now)?,
    }
    Ok(())
}

impl Known {
    fn is_empty(&self) -> bool {
        self.steps.is_empty() && self.tasks.is_empty()
    }

    fn print(
        &self,
        ui: &mut Ui,
        shown: &str,
        left_out: usize,
        now: Timestamp,
    ) -> Result<(), CommandError> {
        let mut table = Table::default();
        table.row("file", shown);
        if left_out > 0 {
            let steps = count(left_out, "step");
            table.row("earlier", format!("{steps}: verger drift --file {shown} --limit 0"));
        }
        let sessions = ShortIds::of_sessions(self.steps.iter().map(|(row, _)| &*row.session));
        let tasks = ShortIds::of_records(self.tasks.iter().map(|task| task.id));
        let mut heading = None;
        for (row, entry) in &self.steps {
            let place = (&row.stem, entry.step.task);
            if heading != Some(place) {
                heading = Some(place);
                let task = entry.step.task.map(|task| format!(", task {task}")).unwrap_or_default();
                table.row("session", format!("{}{task}", sessions.of(&row.session)));
                let goal = entry.goal.as_deref().unwrap_or("no prompt was recorded");
                table.row("  for", goal.lines().next().unwrap_or_default());
            }
            table.timed_row(age(entry.step.at, now), did(entry));
            if let Some(limit) = &entry.step.breaks {
                table.row("  broke", format!("the person said: {limit}"));
            }
            if let Some(level) = &entry.correction_level {
                table.row("  told", format!("the agent was told after this step: {level}"));
            }
        }
        for task in &self.tasks {
            let KeptTask { id, status, goal, .. } = task;
            table.row("task", format!("{}, {status}: {goal}", age(task.at, now)));
            table.row("  see", format!("verger tasks show {}", tasks.of(&id.to_string())));
        }
        Ok(table.print(ui)?)
    }

    fn to_json(&self, shown: &str, asked: &str, left_out: usize) -> Value {
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
                "breaks": step.breaks,
                "score": entry.score,
                "drift_type": entry.drift_type,
                "correction": entry.correction,
                "correction_level": entry.correction_level,
            })
        };
        json!({
            "file": shown,
            "asked": asked,
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
