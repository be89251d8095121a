//! What was found and what is forbidden, in words for agents and people.

use std::fmt;

use crate::goal::{Allowed, Constraint, Topic};
use crate::score::Reason;

impl fmt::Display for Constraint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoEdits => write!(f, "change nothing"),
            Self::NotPath(pattern) => write!(f, "do not change {}", pattern.as_str()),
            Self::NotTopic(topic) => write!(f, "do not change {topic}"),
            Self::NotExisting(topic) => write!(f, "do not change existing {topic}"),
            Self::Only(allowed) => {
                let allowed: Vec<_> = allowed.iter().map(ToString::to_string).collect();
                write!(f, "change only {}", allowed.join(", "))
            }
            Self::NoNewFiles { outside: None } => write!(f, "no new files"),
            Self::NoNewFiles { outside: Some(place) } => {
                write!(f, "no new files outside of {}", place.as_str())
            }
            Self::NoNewDependencies => write!(f, "no new dependencies"),
            Self::NoCommits => write!(f, "do not commit"),
            Self::NoPushes => write!(f, "do not push"),
            Self::NoVersionBumps => write!(f, "do not raise versions"),
            Self::NoReformatting => write!(f, "do not reformat"),
            Self::NoDeletions => write!(f, "delete nothing"),
            Self::NotRun(command) => write!(f, "do not run {command}"),
            Self::NotUse(word) => write!(f, "do not use {word}"),
        }
    }
}

impl fmt::Display for Allowed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Path(pattern) => f.write_str(pattern.as_str()),
            Self::Topic(topic) => write!(f, "{topic}"),
        }
    }
}

impl fmt::Display for Topic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Tests => write!(f, "tests"),
            Self::Documents => write!(f, "documentation"),
            Self::Styles => write!(f, "styles"),
            Self::Schema => write!(f, "schemas and migrations"),
            Self::Pipelines => write!(f, "pipelines"),
            Self::Build => write!(f, "build files"),
            Self::Production => write!(f, "production code"),
            Self::Code => write!(f, "code"),
            Self::Named(words) => {
                let words: Vec<_> = words.iter().map(String::as_str).collect();
                write!(f, "what is named {}", words.join(" "))
            }
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Forbidden { what, constraint } | Self::ForbiddenRun { what, constraint } => {
                write!(f, "`{what}`: the person said: {constraint}")
            }
            Self::ReadAsForbidden { what, constraint } => {
                write!(f, "`{what}`: what the person said can be read as: {constraint}")
            }
            Self::OutsideScope { what } => {
                write!(f, "`{what}` has nothing to do with what was asked for")
            }
            Self::OldGoal { what } => write!(f, "`{what}` belongs to what was asked for before"),
            Self::AfterDone { what } => {
                write!(f, "`{what}` is no part of the work, which was done and checked")
            }
            Self::Circles { what, changes } => {
                write!(f, "`{what}` was changed {changes} times while the same goes on failing")
            }
            Self::Judged { what } => f.write_str(what),
            Self::ReadsElsewhere { what, reads } => write!(
                f,
                "{reads} files in a row, last `{what}`, have nothing to do with what was asked for"
            ),
        }
    }
}

impl Reason {
    /// A name that is the same whenever the same is found: many files outside of the scope are one
    /// finding as long as they lie in one place.
    pub fn key(&self) -> String {
        let place = |what: &str| what.split('/').next().unwrap_or_default().to_owned();
        match self {
            Self::Forbidden { constraint, .. }
            | Self::ForbiddenRun { constraint, .. }
            | Self::ReadAsForbidden { constraint, .. } => {
                format!("forbidden: {constraint}")
            }
            Self::OutsideScope { what } => format!("outside: {}", place(what)),
            Self::OldGoal { .. } => "old goal".to_owned(),
            Self::AfterDone { .. } => "after done".to_owned(),
            Self::Circles { what, .. } => format!("circles: {what}"),
            Self::ReadsElsewhere { .. } => "reads elsewhere".to_owned(),
            Self::Judged { .. } => "judged".to_owned(),
        }
    }

    /// What the way back to the course begins with.
    pub fn way_back(&self) -> String {
        match self {
            Self::Forbidden { what, .. } => {
                format!("take back what you did to `{what}`, then go on without it")
            }
            Self::ReadAsForbidden { what, .. } => {
                format!("go on without `{what}`, or ask the person whether it is wanted")
            }
            Self::ForbiddenRun {
                what,
                constraint: Constraint::NoNewDependencies | Constraint::NoCommits,
            } => format!("take back what `{what}` did, then go on without it"),
            Self::ForbiddenRun { what, .. } => {
                format!("do not run `{what}` again, and tell the person that it ran")
            }
            Self::OutsideScope { what } | Self::OldGoal { what } => {
                format!("leave `{what}`, and go on with what was asked for")
            }
            Self::AfterDone { .. } => {
                "make no further changes: say what was done, and stop".to_owned()
            }
            Self::Circles { what, .. } => format!(
                "leave `{what}` as it is, look at the failure itself, say what you learned from it, and \
                 then try another way or ask the person"
            ),
            Self::Judged { .. } => "go back to what was asked for".to_owned(),
            Self::ReadsElsewhere { .. } => {
                "say what you know by now, and begin with the change that was asked for".to_owned()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::PathPattern;

    #[test]
    fn what_a_person_forbade_is_told_as_they_would_say_it() {
        let path = |text| PathPattern::new(text);
        let cases = [
            (Constraint::NoEdits, "change nothing"),
            (Constraint::NotPath(path("src/api")), "do not change src/api"),
            (Constraint::NotTopic(Topic::Tests), "do not change tests"),
            (
                Constraint::NotExisting(Topic::Schema),
                "do not change existing schemas and migrations",
            ),
            (
                Constraint::Only(vec![Allowed::Path(path("a.rs")), Allowed::Topic(Topic::Styles)]),
                "change only a.rs, styles",
            ),
            (
                Constraint::NoNewFiles { outside: Some(path("tests")) },
                "no new files outside of tests",
            ),
            (Constraint::NoNewDependencies, "no new dependencies"),
            (Constraint::NotRun("npm publish".to_owned()), "do not run npm publish"),
        ];
        for (constraint, expected) in cases {
            assert_eq!(constraint.to_string(), expected);
        }
    }

    #[test]
    fn files_in_one_place_are_one_finding() {
        let outside = |what: &str| Reason::OutsideScope { what: what.to_owned() };
        assert_eq!(outside("web/a.ts").key(), outside("web/b/c.ts").key());
        assert_ne!(outside("web/a.ts").key(), outside("docs/a.md").key());
    }
}
