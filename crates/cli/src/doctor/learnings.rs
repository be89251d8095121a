//! Checks whether the learnings kept here can be read and written.

use verger_engine::ProjectLibrary;
use verger_library::{Fault, FileError};

use super::Check;
use crate::learning::known::{KnownLearnings, help_with, told};
use crate::render::output::count;

const NAME: &str = "learnings";

/// The maximum number of unreadable parts to name. `verger doctor learnings` names more.
const MAX_TOLD: usize = 5;

pub(crate) fn checks(project: &ProjectLibrary) -> Vec<Check> {
    let known_learnings = KnownLearnings::read(project);
    let faults = known_learnings.faults();
    let mut checks: Vec<_> = faults.iter().take(MAX_TOLD).map(unreadable).collect();
    // A place that cannot be read is not also reported as unwritable.
    if !faults.iter().any(|fault| matches!(fault, Fault::File(_))) {
        let unwritable = project.library.places().filter_map(|place| place.health().err());
        checks.extend(unwritable.map(|error: FileError| Check::failed(NAME, error)));
    }
    if faults.len() > MAX_TOLD {
        let more = faults.len() - MAX_TOLD;
        let what = format!("{more} more parts cannot be read");
        checks.push(Check::problem(NAME, what, "verger doctor learnings"));
    }
    if checks.is_empty() {
        checks.push(Check::fine(
            NAME,
            match known_learnings.held.len() {
                0 => "none in this project yet".to_owned(),
                kept => format!("{} of this project and your own", count(kept, "learning")),
            },
        ));
    }
    checks
}

fn unreadable(fault: &Fault) -> Check {
    let help = match fault {
        Fault::Lines { .. } => {
            "correct that line, which verger ignores; verger doctor learnings checks again"
                .to_owned()
        }
        Fault::File(error) => {
            format!("{}; verger doctor learnings checks again", help_with(error))
        }
    };
    Check::problem(NAME, told(fault), help)
}
