//! The judgement of calls that aren't compared with rules: a command line that couldn't be judged,
//! a payload that couldn't be parsed, or access to a protected file.

use super::judgement::{Finding, Judgement, Triage};
use super::message::HIDDEN_CALL;
use super::paths::{OWN_FILES, Protection};
use super::tables::names_danger;

/// The maximum length in bytes of a command line that is searched for dangerous names. A longer one
/// counts as dangerous.
const MAX_SEARCHED_BYTES: usize = 256 * 1024;

/// The reason why a command line was not judged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unjudged {
    /// The command line is longer than the limit.
    TooLong,
    /// Judging the command line waited too long for a disk.
    TooSlow,
    /// The command line is long, and judging it reached the time limit.
    TooHard,
    /// No thread could be started for judging the command line.
    NoThread,
    /// Judging the command line panicked.
    Broken,
}

impl Judgement {
    /// The judgement of a command line that couldn't be judged. It is risky if the command line
    /// names a dangerous program. It is always risky if judging took too long, because the author
    /// of the command line may intend this.
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

    /// The judgement of a call whose payload or input couldn't be parsed.
    pub fn of_hidden(why: &str) -> Self {
        Self::of_one(Triage::Risky, HIDDEN_CALL, why)
    }

    /// The judgement of a tool's access to a protected file.
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
