//! Layers in, settings and problems out.

use crate::keys::Settings;
use crate::layers::{Layers, ProjectTrust};
use crate::problem::{Place, Problem, ProblemKind};
use crate::rule::Standing;
use crate::{MAX_PROBLEMS, document, environment};

/// Resolves every setting. What cannot count is a problem, and the lower layer's value stands. Settings are large:
/// handed on by value they would cost a hook call several fresh pages of its stack.
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

/// The problems of one layer, of which a bounded number is kept.
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

    /// Finding out what is wrong may cost more than finding that something is: `kind` is asked
    /// only for what is listed.
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
