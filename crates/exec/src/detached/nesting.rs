//! Detects nested runs. A program that verger runs may be an agent or start one. That agent also
//! calls verger. Its calls must be distinguished from those of the agent that a person uses.
//!
//! Two environment variables mark all processes below a job. Any process can set a variable, so the
//! variables alone can only make verger refuse a run. An agent is exempt from verger's checks only if
//! it is below a job that is really running.

use std::ffi::{OsStr, OsString};
use std::path::{Component, Path};

use super::job::{Job, JobState};

/// The environment variable with the directory of the job that contains a process. The directory's
/// name is the run's id.
pub const JOB_VARIABLE: &str = "VERGER_JOB";
/// The environment variable with the number of nested runs that contain a process.
pub const DEPTH_VARIABLE: &str = "VERGER_DEPTH";

/// The maximum number of nested runs. A run inside another run would find nothing new.
pub(crate) const MAX_DEPTH: u32 = 1;

/// The number of nested runs that contain a process with this environment.
pub fn depth(environment: &[(OsString, OsString)]) -> u32 {
    let marked = u32::from(variable(environment, JOB_VARIABLE).is_some());
    match variable(environment, DEPTH_VARIABLE) {
        // A depth that can't be parsed was not set by verger.
        Some(text) => {
            text.to_str().and_then(|text| text.parse().ok()).unwrap_or(MAX_DEPTH).max(marked)
        }
        None => marked,
    }
}

/// Finds the running job that contains a process with this environment. The job must be in
/// `directory`, to which only verger's processes write.
pub fn job_above(environment: &[(OsString, OsString)], directory: &Path) -> Option<Job> {
    let named = Path::new(variable(environment, JOB_VARIABLE)?);
    let inside = named.strip_prefix(directory).ok()?;
    let is_plain = |part: Component<'_>| matches!(part, Component::Normal(_));
    if inside.as_os_str().is_empty() || !inside.components().all(is_plain) {
        return None;
    }
    let job = Job::at(named);
    matches!(job.state(), Ok(JobState::Running { .. })).then_some(job)
}

fn variable<'a>(environment: &'a [(OsString, OsString)], wanted: &str) -> Option<&'a OsStr> {
    environment.iter().find(|(name, _)| name == wanted).map(|(_, value)| value.as_os_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn environment(variables: &[(&str, &str)]) -> Vec<(OsString, OsString)> {
        variables.iter().map(|(name, value)| (name.into(), value.into())).collect()
    }

    #[test]
    fn the_marks_say_how_deep_it_is_and_broken_ones_do_not_say_less() {
        for (variables, expected) in [
            (&[][..], 0),
            (&[(JOB_VARIABLE, "/d/1")], 1),
            (&[(JOB_VARIABLE, "/d/1"), (DEPTH_VARIABLE, "0")], 1),
            (&[(DEPTH_VARIABLE, "3")], 3),
            (&[(DEPTH_VARIABLE, "0")], 0),
            (&[(DEPTH_VARIABLE, "")], MAX_DEPTH),
            (&[(DEPTH_VARIABLE, "-1")], MAX_DEPTH),
        ] {
            assert_eq!(depth(&environment(variables)), expected, "{variables:?}");
        }
    }
}
