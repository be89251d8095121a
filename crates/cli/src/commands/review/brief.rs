//! Writes the brief that the reviewer's program reads.

use verger_engine::{Amount, FactFinder};
use verger_event::SessionKey;
use verger_gate::review::{Brief, BriefDiff, BriefFile, Outcome};
use verger_store::with_causes;
use verger_worktree::{ChangeKind, Diff};

use crate::invocation::command_error::CommandError;
use crate::review::assignment::{Assignment, Found};

/// The maximum size of the diff in the brief.
const MAX_DIFF_BYTES: u64 = 400 * 1024;
/// The maximum number of files that a note names.
const MAX_NAMED_FILES: usize = 20;
/// The maximum number of attempts to read the work twice in the same state.
const MAX_LOOKS: usize = 3;

/// Measures the work and writes the brief for exactly this state.
pub(super) fn make(
    assignment: &Assignment,
    key: &SessionKey,
    job: &str,
    facts: &FactFinder,
) -> Result<(Amount, String), CommandError> {
    let work = &assignment.state.work;
    let cwd = assignment.state.session.cwd.as_deref();
    let mut amount = facts.amount(work, cwd)?;
    for _ in 0..MAX_LOOKS {
        let diff = brief_diff(facts, assignment, &amount);
        let again = facts.amount(work, cwd)?;
        if again.content.hash == amount.content.hash {
            let text = text(assignment, key, job, &amount, &diff);
            return Ok((amount, text));
        }
        amount = again;
    }
    Err(CommandError::Usage {
        message: "files kept changing while the review was prepared".to_owned(),
        hint: format!(
            "run the review again when no program changes files: verger review run --session {}",
            key.session.word()
        ),
    })
}

fn text(
    assignment: &Assignment,
    key: &SessionKey,
    job: &str,
    amount: &Amount,
    diff: &BriefDiff,
) -> String {
    let prompts: Vec<_> = assignment.prompts.iter().map(|prompt| prompt.text.clone()).collect();
    let earlier: Vec<_> = assignment.findings.iter().filter_map(issues).collect();
    let changed = amount.found.iter().flat_map(|found| &found.files);
    let files: Vec<_> = changed
        .map(|file| BriefFile {
            path: file.path.display().to_string(),
            change: match file.kind {
                ChangeKind::Added => "added",
                ChangeKind::Changed => "changed",
                ChangeKind::Deleted => "deleted",
            },
        })
        .collect();
    let brief = Brief {
        session_id: key.session.as_str(),
        job,
        content: &amount.content.hash,
        prompts: &prompts,
        earlier: &earlier,
        files: &files,
        diff,
    };
    brief.text()
}

/// The issues that a review found, which have to be fixed. `None` if it found none.
fn issues(found: &Found) -> Option<String> {
    let message = found.message.as_ref().map(|message| format!("\n{}", message.text));
    (found.outcome == Outcome::Issues)
        .then(|| format!("{}{}", found.summary, message.unwrap_or_default()))
}

fn brief_diff(facts: &FactFinder, assignment: &Assignment, amount: &Amount) -> BriefDiff {
    match facts.diff(&assignment.state.work, amount, MAX_DIFF_BYTES) {
        None => BriefDiff {
            text: String::new(),
            notes: vec![
                "This directory is not under version control: look at the files themselves.".into(),
            ],
        },
        Some(Err(error)) => BriefDiff {
            text: String::new(),
            notes: vec![format!(
                "The diff could not be made ({}): look at the files themselves.",
                with_causes(&error)
            )],
        },
        Some(Ok(diff)) => BriefDiff { notes: notes(&diff), text: diff.text },
    }
}

fn notes(diff: &Diff) -> Vec<String> {
    let mut notes = vec![];
    if diff.is_cut {
        notes.push(format!(
            "The diff is cut after {} KiB: look at the files themselves for the rest.",
            MAX_DIFF_BYTES / 1024
        ));
    }
    if !diff.not_shown.is_empty() {
        notes.push(format!(
            "Not shown, because too large or unreadable: {}.",
            named(&diff.not_shown)
        ));
    }
    if !diff.begun_before.is_empty() {
        notes.push(format!(
            "These files already had other changes when the task began, which the diff shows too: {}.",
            named(&diff.begun_before)
        ));
    }
    notes
}

fn named(paths: &[std::path::PathBuf]) -> String {
    let named = paths.iter().take(MAX_NAMED_FILES).map(|path| path.display().to_string());
    let text = named.collect::<Vec<_>>().join(", ");
    match paths.len().saturating_sub(MAX_NAMED_FILES) {
        0 => text,
        more => format!("{text} and {more} more"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_brief_names_changes_that_the_diff_does_not_show() {
        let paths = |count: usize| (0..count).map(|n| format!("f{n}").into()).collect::<Vec<_>>();
        assert_eq!(notes(&Diff::default()), Vec::<String>::new());
        let diff =
            Diff { is_cut: true, not_shown: paths(1), begun_before: paths(22), ..Diff::default() };
        let expected = [
            "The diff is cut after 400 KiB: look at the files themselves for the rest.",
            "Not shown, because too large or unreadable: f0.",
            "These files already had other changes when the task began, which the diff shows too: \
             f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f12, f13, f14, f15, f16, f17, f18, \
             f19 and 2 more.",
        ];
        assert_eq!(notes(&diff), expected);
    }
}
