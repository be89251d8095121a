//! Resolves layers to settings and problems.

use crate::keys::Settings;
use crate::layers::{Layers, ProjectTrust};
use crate::problem::{Place, Problem, ProblemKind};
use crate::rule::Standing;
use crate::{MAX_PROBLEMS, document, environment};

/// Resolves all settings. An invalid value is reported as a problem, and the key keeps the value of
/// the lower layer. The result is boxed, because passing it by value would cost every hook call
/// several pages of stack.
pub fn resolve(layers: &Layers<'_>) -> (Box<Settings>, Vec<Problem>) {
    let mut settings = Box::<Settings>::default();
    let mut problems = Vec::new();
    if let Some(source) = layers.user {
        let mut report = Report::new(&mut problems);
        document::apply(source, Standing::User, &mut settings, &mut report);
        report.finish();
    }
    if let Some(project) = layers.project {
        let standing = match project.trust {
            ProjectTrust::Trusted => Standing::TrustedProject,
            ProjectTrust::Untrusted => Standing::UntrustedProject,
        };
        let mut report = Report::new(&mut problems);
        document::apply(project.source, standing, &mut settings, &mut report);
        report.finish();
    }
    let mut report = Report::new(&mut problems);
    environment::apply(layers.environment, &mut settings, &mut report);
    report.finish();
    (settings, problems)
}

/// Collects the problems of one layer. At most [`MAX_PROBLEMS`] are listed; further ones are only
/// counted.
pub(crate) struct Report<'r> {
    problems: &'r mut Vec<Problem>,
    listed: usize,
    not_listed: usize,
    last: Option<Place>,
}

impl<'r> Report<'r> {
    pub(crate) fn new(problems: &'r mut Vec<Problem>) -> Self {
        Self { problems, listed: 0, not_listed: 0, last: None }
    }

    /// Adds a problem. `kind` is called only if the problem is listed, because describing a
    /// problem may take longer than finding it.
    pub(crate) fn add(&mut self, place: Place, kind: impl FnOnce() -> ProblemKind) {
        if self.listed < MAX_PROBLEMS {
            self.listed += 1;
            self.problems.push(Problem { place, kind: kind() });
        } else {
            self.not_listed += 1;
            self.last.get_or_insert(place);
        }
    }

    pub(crate) fn finish(self) {
        if let Some(place) = self.last {
            let kind = ProblemKind::NotListed { count: self.not_listed };
            self.problems.push(Problem { place, kind });
        }
    }
}

#[cfg(test)]
mod tests;
