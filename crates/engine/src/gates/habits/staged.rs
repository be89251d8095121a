//! Finds secrets in the changes that a commit would add. Only their kind and location is kept,
//! never their text.

use std::path::Path;
use std::time::Duration;

use verger_event::Event;
use verger_event::VergerPart;
use verger_exec::Deadline;
use verger_gate::habits::{Commit, Found, Habit};
use verger_redact::find;
use verger_store::with_causes;
use verger_worktree::{AddedFile, Git, NotAdded, Taken, added_lines};

use crate::Environment;

/// Time limit for all git runs about one tool call.
const TIME_LIMIT: Duration = Duration::from_millis(250);

/// Maximum number of bytes of a commit that are searched.
const MAX_BYTES: u64 = 4 * 1024 * 1024;

/// Maximum number of secrets that are named.
const MAX_NAMED: usize = 5;

/// The secrets found in commits.
#[derive(Debug, Default)]
pub(crate) struct StagedSecrets {
    /// The kind, file and line of each secret, as a text for people.
    places: Vec<String>,
}

/// Searches the commits that a command line makes. Parts that could not be searched are reported.
pub(crate) fn look_at_commits(
    commits: &[Commit],
    secret_names: &[String],
    environment: &Environment,
) -> (StagedSecrets, Vec<Event>) {
    let git = Git::new("git", environment.all().iter().cloned(), TIME_LIMIT)
        .until(Deadline::after(TIME_LIMIT));
    let (mut secrets, mut warnings) = (StagedSecrets::default(), vec![]);
    let mut warn = |message: String| {
        warnings.push(Event::Warned { area: VergerPart::Habits.into(), message });
    };
    for Commit { directory, taken } in commits {
        let taken: Vec<_> = taken
            .iter()
            .map(|scope| Taken { paths: scope.paths.clone(), untracked: scope.untracked })
            .collect();
        match added_lines(Path::new(directory), &taken, &git, MAX_BYTES) {
            Ok(added) => {
                for file in &added.files {
                    secrets.add(file, secret_names);
                }
                if added.is_cut {
                    warn(format!(
                        "the commit in {directory} is larger than {} MiB: only its beginning was \
                         checked for secrets",
                        MAX_BYTES / 1024 / 1024
                    ));
                }
            }
            // Outside of a repository the commit fails, so there is nothing to search.
            Err(NotAdded::NoRepository(_)) => {}
            Err(error) => warn(format!(
                "a commit was not checked for secrets: cannot {}",
                with_causes(&error)
            )),
        }
    }
    (secrets, warnings)
}

impl StagedSecrets {
    fn add(&mut self, file: &AddedFile, secret_names: &[String]) {
        for finding in find(&file.text, secret_names) {
            let line = file.line_at(finding.range.start);
            let place = format!("{} in {}:{line}", finding.kind.slug(), file.path);
            if !self.places.contains(&place) {
                self.places.push(place);
            }
        }
    }

    /// The habit of committing secrets, if any secret was found.
    pub(super) fn found(&self) -> Option<Found> {
        if self.places.is_empty() {
            return None;
        }
        let named = self.places[..self.places.len().min(MAX_NAMED)].join(", ");
        let more = match self.places.len().saturating_sub(MAX_NAMED) {
            0 => String::new(),
            more => format!(", and {more} more"),
        };
        let found = Found::new(Habit::StagedSecrets);
        Some(Found { why: format!("{}: {named}{more}", found.why), ..found })
    }
}
