//! `verger doctor learnings`: where a project's learnings are kept, and why.

use std::path::PathBuf;

use clap::Args;
use serde_json::{Value, json};
use verger_engine::ProjectLibrary;
use verger_library::{
    Backend, BackendFound, BackendKind, BackendWhy, Fault, FileError, Health, SourceState,
};
use verger_store::with_causes;

use crate::invocation::command_error::CommandError;
use crate::invocation::context::Context;
use crate::learning::known::problems;
use crate::learning::project::ProjectLearnings;
use crate::render::output::{Output, Ui, count};
use crate::render::table::Table;

/// Show where learnings are kept, and whether that works.
///
/// Learnings are written to the first place that is found in the order of `backends.order`. The
/// other places are read, and are written to when the first fails. Personal learnings have a file
/// of their own. Exit code 1 means that a place cannot be read or written; nothing is changed.
#[derive(Debug, Args)]
pub(crate) struct LearningsArgs {}

pub(super) fn learnings(ui: &mut Ui, context: &Context) -> Result<(), CommandError> {
    let ProjectLearnings { ground, project, .. } = ProjectLearnings::here(ui, context)?;
    let places = places(&project);
    match ui.output() {
        Output::Json => {
            let backends: Vec<_> = places.iter().map(Place::to_json).collect();
            ui.json(&json!({ "root": ground.root, "backends": backends }))?;
        }
        Output::Text => table(&places, context).print(ui)?,
    }
    if places.iter().any(Place::has_trouble) { Err(CommandError::Found) } else { Ok(()) }
}

/// A location that can store learnings.
struct Place {
    kind: BackendKind,
    why: Why,
    /// `None` if the place is not used.
    looked_at: Option<LookedAt>,
}

enum Why {
    Found(BackendWhy),
    Personal,
}

struct LookedAt {
    location: PathBuf,
    health: Result<Health, FileError>,
    learnings: usize,
    /// Files and lines that cannot be read.
    faults: Vec<Fault>,
}

fn places(project: &ProjectLibrary) -> Vec<Place> {
    let look = |kind| {
        let place = project.library.places().find(|place| place.kind() == kind);
        place.map(LookedAt::look)
    };
    let found = project.found.iter().map(|BackendFound { kind, why }| Place {
        kind: *kind,
        why: Why::Found(why.clone()),
        looked_at: look(*kind),
    });
    let kind = BackendKind::Personal;
    let personal = Place { kind, why: Why::Personal, looked_at: look(kind) };
    found.chain([personal]).collect()
}

impl LookedAt {
    fn look(place: &dyn Backend) -> Self {
        let (mut learnings, mut faults) = (0, vec![]);
        for source in place.read(&[]) {
            match source.state {
                SourceState::Whole(entries) | SourceState::Appended(entries) => {
                    learnings += entries.learnings.len();
                    let path = &source.path;
                    let fault = |problem| Fault::Lines { path: path.clone(), problem };
                    faults.extend(entries.problems.into_iter().map(fault));
                }
                SourceState::Unreadable(error) => faults.push(Fault::File(error)),
                SourceState::Same => {}
            }
        }
        let (location, health) = (place.location(), place.health());
        Self { location, health, learnings, faults }
    }

    fn text(&self) -> String {
        let what = match (&self.health, self.learnings) {
            (Ok(Health::New), 0) => "nothing yet".to_owned(),
            (_, learnings) => count(learnings, "learning"),
        };
        format!("{}, {what}", self.location.display())
    }

    /// The problems to report. A place that cannot be read is not also reported as unwritable.
    fn trouble(&self) -> Vec<String> {
        let is_unreadable = self.faults.iter().any(|fault| matches!(fault, Fault::File(_)));
        let health = self.health.as_ref().err().filter(|_| !is_unreadable);
        let health = health.map(|error| format!("cannot {}", with_causes(error)));
        problems(&self.faults).into_iter().chain(health).collect()
    }
}

impl Place {
    fn has_trouble(&self) -> bool {
        self.looked_at.as_ref().is_some_and(|looked_at| !looked_at.trouble().is_empty())
    }

    fn reason(&self) -> String {
        match &self.why {
            Why::Personal => "for personal learnings".to_owned(),
            Why::Found(BackendWhy::Configured) => "written to: backends.choice names it".to_owned(),
            Why::Found(BackendWhy::Rules(path)) => {
                format!("written to: {} is there", path.display())
            }
            Why::Found(BackendWhy::BuiltIn) => "written to: it is built in".to_owned(),
            Why::Found(BackendWhy::Behind(first)) => {
                format!("read; written to only if {first} fails")
            }
            Why::Found(BackendWhy::SwitchedOff) => {
                format!("not used: backends.{} is false", self.kind.as_str().replace('-', "_"))
            }
            Why::Found(BackendWhy::NotFound) => "not used: not in this project".to_owned(),
        }
    }

    fn to_json(&self) -> Value {
        let (why, rules) = match &self.why {
            Why::Personal => ("personal", None),
            Why::Found(BackendWhy::Configured) => ("configured", None),
            Why::Found(BackendWhy::Rules(path)) => ("rules", Some(path)),
            Why::Found(BackendWhy::BuiltIn) => ("built_in", None),
            Why::Found(BackendWhy::Behind(_)) => ("behind", None),
            Why::Found(BackendWhy::SwitchedOff) => ("switched_off", None),
            Why::Found(BackendWhy::NotFound) => ("not_found", None),
        };
        let looked_at = self.looked_at.as_ref();
        json!({
            "backend": self.kind.as_str(),
            "used": looked_at.is_some(),
            "why": why,
            "rules": rules,
            "location": looked_at.map(|looked_at| &looked_at.location),
            "learnings": looked_at.map(|looked_at| looked_at.learnings),
            "merges": looked_at.map(|looked_at| {
                !matches!(looked_at.health, Ok(Health::NoMergeAttribute))
            }),
            "problems": looked_at.map(LookedAt::trouble).unwrap_or_default(),
        })
    }
}

fn table(places: &[Place], context: &Context) -> Table {
    let mut table = Table::default();
    for place in places {
        let Some(looked_at) = &place.looked_at else {
            table.row(place.kind.as_str(), context.with_tilde(&place.reason()));
            continue;
        };
        table.row(place.kind.as_str(), context.with_tilde(&looked_at.text()));
        table.row("  why", context.with_tilde(&place.reason()));
        for trouble in looked_at.trouble() {
            table.row("  trouble", context.with_tilde(&trouble));
        }
        if matches!(looked_at.health, Ok(Health::NoMergeAttribute)) {
            table.row(
                "  merging",
                "git may not merge this file from two branches: add `learnings.md merge=union` and \
                 `stats.log merge=union` to .verger/.gitattributes",
            );
        }
    }
    table
}
