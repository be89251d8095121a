//! What becomes of a call that no rule looked at: a line that could not be judged, a payload that
//! could not be read, a file that is protected.

use super::judgement::{Finding, Judgement, Triage};
use super::message::HIDDEN_CALL;
use super::paths::{OWN_FILES, Protection};
use super::tables::names_danger;

/// Why a line was not judged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unjudged {
    /// It is longer than any line that is read.
    TooLong,
    /// There was not enough time for it.
    TooSlow,
    /// It could not be given a thread.
    NoThread,
    /// The judge broke.
    Broken,
}

impl Judgement {
    /// Of a line that was not judged. One that there was no room or no time for may be made so: it is
    /// risky whatever it says. One that broke the judge is when it names a dangerous program.
    pub fn of_unjudged(line: &str, unjudged: Unjudged) -> Self {
        let (is_risky, why) = match unjudged {
            Unjudged::TooLong => (true, "it is too long to be read"),
            Unjudged::TooSlow => (true, "it took too long to be judged"),
            Unjudged::NoThread => (true, "the system is out of threads"),
            Unjudged::Broken => (names_danger(line), "judging it failed, which is a bug in verger"),
        };
        let triage = if is_risky { Triage::Risky } else { Triage::Unknown };
        Self::of_one(triage, "not-judged", why)
    }

    /// Of a call whose payload, or input, could not be read.
    pub fn of_hidden(why: &str) -> Self {
        Self::of_one(Triage::Risky, HIDDEN_CALL, why)
    }

    /// Of a protected file.
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
                "it changes what git runs by itself",
            ),
            Protection::Secret => {
                Self::of_one(Triage::Risky, "secret-file", "the file holds credentials")
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
    fn a_line_that_was_not_judged_is_risky_unless_it_only_broke_the_judge() {
        let triage = |line: &str, unjudged| Judgement::of_unjudged(line, unjudged).triage;
        for (unjudged, harmless) in [
            (Unjudged::TooLong, Triage::Risky),
            (Unjudged::TooSlow, Triage::Risky),
            (Unjudged::NoThread, Triage::Risky),
            (Unjudged::Broken, Triage::Unknown),
        ] {
            assert_eq!(triage("echo hello", unjudged), harmless, "{unjudged:?}");
            assert_eq!(triage("echo; r\"\"m -rf /", unjudged), Triage::Risky, "{unjudged:?}");
        }
    }
}
