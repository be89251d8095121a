//! Judges calls that no rule looked at: an unjudged line, an unreadable payload, and a protected
//! file.

use super::judgement::{Finding, Judgement, Triage};
use super::message::HIDDEN_CALL;
use super::paths::{OWN_FILES, Protection};
use super::tables::names_danger;

/// A longer line is not searched for names: it could hold any.
const MAX_SEARCHED_BYTES: usize = 256 * 1024;

/// The reason why a line was not judged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unjudged {
    /// It is longer than the limit.
    TooLong,
    /// It waited for a disk too long.
    TooSlow,
    /// It is long, and took all the time there was.
    TooHard,
    /// It could not be given a thread.
    NoThread,
    /// The judge broke.
    Broken,
}

impl Judgement {
    /// The judgement of a line that was not judged: risky if it holds the name of a dangerous
    /// program. A line that takes too long is always risky, because it may be written to do so.
    pub fn of_unjudged(line: &str, unjudged: Unjudged) -> Self {
        let why = match unjudged {
            Unjudged::TooLong => "it is too long to be read",
            Unjudged::TooSlow | Unjudged::TooHard => "it took too long to be judged",
            Unjudged::NoThread => "the system is out of threads",
            Unjudged::Broken => "judging it failed, which is a bug in verger",
        };
        let may_be_dangerous =
            unjudged == Unjudged::TooHard || line.len() > MAX_SEARCHED_BYTES || names_danger(line);
        let triage = if may_be_dangerous { Triage::Risky } else { Triage::Unknown };
        Self::of_one(triage, "not-judged", why)
    }

    /// The judgement of a call whose payload or input could not be read.
    pub fn of_hidden(why: &str) -> Self {
        Self::of_one(Triage::Risky, HIDDEN_CALL, why)
    }

    /// The judgement of a write to, or a read of, a protected file.
    pub fn of_protected(protection: Protection) -> Self {
        match protection {
            Protection::Own => Self::of_one(
                Triage::Deny,
                OWN_FILES,
                "it changes verger's own files, or an agent's settings or hooks",
            ),
            Protection::GitRuns => Self::of_one(
                Triage::Risky,
                "edit-what-git-runs",
                "it changes which programs git runs by itself",
            ),
            Protection::Secret => {
                Self::of_one(Triage::Risky, "secret-file", "the file contains credentials")
            }
        }
    }

    fn of_one(triage: Triage, rule: &str, why: &str) -> Self {
        let (rule, why) = (rule.to_owned(), why.to_owned());
        Self::of(vec![Finding { triage, rule, why, instead: None, command: None }], vec![])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_that_was_not_judged_is_risky_when_it_names_something_dangerous_or_may_be_made_so() {
        let triage = |line: &str, unjudged| Judgement::of_unjudged(line, unjudged).triage;
        for (unjudged, harmless) in [
            (Unjudged::TooLong, Triage::Unknown),
            (Unjudged::TooSlow, Triage::Unknown),
            (Unjudged::TooHard, Triage::Risky),
            (Unjudged::NoThread, Triage::Unknown),
            (Unjudged::Broken, Triage::Unknown),
        ] {
            assert_eq!(triage("echo hello", unjudged), harmless, "{unjudged:?}");
            assert_eq!(triage("echo; r\"\"m -rf /", unjudged), Triage::Risky, "{unjudged:?}");
        }
        let huge = "x".repeat(MAX_SEARCHED_BYTES + 1);
        assert_eq!(triage(&huge, Unjudged::TooLong), Triage::Risky);
    }
}
