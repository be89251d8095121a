//! The tests of the last green verification of a project: the tests that failed nevertheless, and
//! the number of tests that ran.

use verger_event::{Event, ProjectId};
use verger_gate::verification::{CheckKind, CheckStatus, Status, TestRun, Verified};
use verger_store::{Entry, SegmentName, Store};

use crate::invocation::command_error::CommandError;

/// `None` if no green verification of the project ran tests.
pub(crate) fn tests_of_last_green(
    store: &impl Store,
    project: &ProjectId,
) -> Result<Option<TestRun>, CommandError> {
    let mut last = None;
    store.read_segment(&SegmentName::Project(project.file_stem()), &mut |entry| {
        let (Entry::Record(record) | Entry::Spilled(record)) = entry else { return };
        if let Event::VerificationRecorded { verified, .. } = record.draft.event
            // A newer version of verger may have written an unknown form.
            && let Ok(verified) = serde_json::from_value::<Verified>(verified)
            && verified.lasting() == Status::Green
            && verified.checks.iter().any(|check| {
                check.kind == CheckKind::Tests
                    && matches!(check.status, CheckStatus::Passed | CheckStatus::Failed)
            })
        {
            last = Some(verified.test_run());
        }
    })?;
    Ok(last)
}
