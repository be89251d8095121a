//! What becomes of a call that no rule looked at: a line that could not be judged, a payload that
//! could not be read, a file that is protected.

use super::judgement::{Finding, Judgement, Triage};
use super::message::HIDDEN_CALL;
use super::paths::{OWN_FILES, Protection};
use super::tables::names_danger;

/// A longer line is not looked through for names: it could hold any.
const MAX_SEARCHED_BYTES: usize = 256 * 1024;

impl Judgement {
    /// Of a line that was too long, took too long or broke the judge: risky when the name of a
    /// dangerous program occurs in it.
    pub fn of_unjudged(line: &str, why: &str) -> Self {
        let may_be_dangerous = line.len() > MAX_SEARCHED_BYTES || names_danger(line);
        let triage = if may_be_dangerous { Triage::Risky } else { Triage::Unknown };
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
    fn a_line_that_was_not_judged_is_risky_when_it_names_something_dangerous() {
        let triage = |line: &str| Judgement::of_unjudged(line, "it took too long").triage;
        assert_eq!(triage("echo hello"), Triage::Unknown);
        assert_eq!(triage("echo; r\"\"m -rf /"), Triage::Risky);
        assert_eq!(triage(&"x".repeat(MAX_SEARCHED_BYTES + 1)), Triage::Risky);
    }
}
