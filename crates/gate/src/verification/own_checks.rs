//! Computes the results of the checks that verger makes itself, without a program of the project.

use super::Depth;
use super::check::{CheckKind, CheckStatus};
use super::ran::Came;
use super::stubs::Stub;
use super::verified::{FailingTests, Issue};
use crate::content::{Content, Difference};
use crate::review::{After, Phase, Review};

/// An open item of the agent's own to-do list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenTask {
    /// The id of the item in the agent's client.
    pub id: String,
    /// The title of the item, if it is known.
    pub subject: Option<String>,
}

/// Whether the work is reviewed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReviewStands {
    /// The work needs no review.
    NotWanted,
    /// The current content of the work is approved.
    Approved,
    /// The work needs a review, and its current content isn't approved.
    Open,
}

impl ReviewStands {
    /// Whether work with this content is reviewed. If `is_required`, changed work needs a review
    /// even if the review gate doesn't require one.
    pub fn of(review: &Review, content: &Content, is_required: bool) -> Self {
        match &review.phase {
            Phase::Approved { approval, .. } if approval.content == content.hash => Self::Approved,
            Phase::Approved { .. } | Phase::Pending { .. } | Phase::Blocked { .. } => Self::Open,
            // A person or a limit released the agent from the review.
            Phase::Idle { after: After::Released { .. } } => Self::NotWanted,
            Phase::Idle { after: After::Nothing | After::Approved(_) } => {
                if is_required && content.difference != Difference::None {
                    Self::Open
                } else {
                    Self::NotWanted
                }
            }
        }
    }
}

/// The result of the check whether the work is committed. The check fails if there are uncommitted
/// files, or files whose change is in a stash or on another branch.
pub fn git_state(not_committed: &[String], moved_out: &[String]) -> Came {
    let issue = |path: &String, text: &str| Issue {
        path: Some(path.clone()),
        ..of(CheckKind::GitState, text.to_owned())
    };
    let left = not_committed.iter().map(|path| issue(path, "is not committed"));
    let moved = moved_out.iter().map(|path| issue(path, "is in a stash or on another branch"));
    let issues: Vec<_> = left.chain(moved).collect();
    let summary = match issues.len() {
        0 => return passed(String::new()),
        1 => "1 file is not committed".to_owned(),
        files => format!("{files} files are not committed"),
    };
    failed(summary, issues)
}

/// The result of the check whether the agent's own to-do list is done.
pub fn open_tasks(open: &[OpenTask]) -> Came {
    let issue = |task: &OpenTask| {
        let subject = task.subject.as_deref().unwrap_or("without a title");
        of(CheckKind::OpenTasks, format!("not done: #{} {subject}", task.id))
    };
    let summary = match open.len() {
        0 => return passed(String::new()),
        1 => "1 item is open".to_owned(),
        items => format!("{items} items are open"),
    };
    failed(summary, open.iter().map(issue).collect())
}

/// The result of the check for unfinished code in added lines. `not_looked_at` are the files whose
/// added lines are unknown.
pub fn stub_markers(stubs: Vec<Stub>, not_looked_at: &[String]) -> Came {
    let unseen = match not_looked_at.len() {
        0 => String::new(),
        1 => format!("not checked: {}", not_looked_at[0]),
        files => format!("not checked: {} and {} more", not_looked_at[0], files - 1),
    };
    let found = match stubs.len() {
        0 => return passed(unseen),
        1 => "1 line that was added is unfinished".to_owned(),
        lines => format!("{lines} lines that were added are unfinished"),
    };
    let parts: Vec<_> = [found, unseen].into_iter().filter(|part| !part.is_empty()).collect();
    failed(parts.join("; "), stubs.into_iter().map(Issue::from).collect())
}

/// The result of the check whether the reviewer approved the work.
pub fn review(stands: ReviewStands) -> Came {
    match stands {
        ReviewStands::NotWanted => skipped("this work needs no review"),
        ReviewStands::Approved => passed(String::new()),
        ReviewStands::Open => {
            let text = "the reviewer did not approve the current work".to_owned();
            failed("not approved".to_owned(), vec![of(CheckKind::Review, text)])
        }
    }
}

/// The result of a check that wasn't needed.
pub fn skipped(why: &str) -> Came {
    came(CheckStatus::Skipped { why: why.to_owned() }, why.to_owned(), vec![])
}

/// The result of a check that only a deeper verification includes.
pub fn not_in_depth(needs: Depth) -> Came {
    came(
        CheckStatus::NotInDepth { needs },
        format!(
            "not part of this depth; depth {needs} runs \
                                                     it"
        ),
        vec![],
    )
}

/// The result of a check that couldn't run.
pub fn could_not(why: &str) -> Came {
    came(CheckStatus::CouldNotRun { why: why.to_owned() }, why.to_owned(), vec![])
}

fn passed(summary: String) -> Came {
    came(CheckStatus::Passed, summary, vec![])
}

fn failed(summary: String, issues: Vec<Issue>) -> Came {
    came(CheckStatus::Failed, summary, issues)
}

fn came(status: CheckStatus, summary: String, issues: Vec<Issue>) -> Came {
    Came { status, summary, issues, failing_tests: FailingTests::none(), ran_tests: None }
}

fn of(kind: CheckKind, text: String) -> Issue {
    Issue { check: kind.words().to_owned(), path: None, line: None, text }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::review::Outcome;
    use crate::review::tests::built::work;
    use crate::review::tests::play::Play;

    #[track_caller]
    fn check(came: &Came, expected: &str) {
        let issues: Vec<_> = came.issues.iter().map(Issue::line).collect();
        let told = format!("{} | {} | {}", came.status.as_str(), came.summary, issues.join(" | "));
        assert_eq!(told, expected);
    }

    fn names(names: &[&str]) -> Vec<String> {
        names.iter().map(|&name| name.to_owned()).collect()
    }

    #[test]
    fn uncommitted_files_are_named() {
        check(&git_state(&[], &[]), "passed |  | ");
        check(
            &git_state(&names(&["a.rs"]), &[]),
            "failed | 1 file is not committed | a.rs: is not committed (git state)",
        );
        check(
            &git_state(&names(&["a.rs"]), &names(&["b.rs"])),
            "failed | 2 files are not committed | a.rs: is not committed (git state) | b.rs: is in a \
             stash or on another branch (git state)",
        );
    }

    #[test]
    fn open_items_of_the_list_are_named() {
        let task = |id: &str, subject: Option<&str>| OpenTask {
            id: id.to_owned(),
            subject: subject.map(str::to_owned),
        };
        check(&open_tasks(&[]), "passed |  | ");
        check(
            &open_tasks(&[task("3", Some("Write the tests"))]),
            "failed | 1 item is open | not done: #3 Write the tests (open tasks)",
        );
        check(
            &open_tasks(&[task("3", None), task("4", Some("x"))]),
            "failed | 2 items are open | not done: #3 without a title (open tasks) | not done: #4 x \
             (open tasks)",
        );
    }

    #[test]
    fn stubs_are_named_and_so_is_what_could_not_be_looked_at() {
        let stub = Stub { path: "a.rs".to_owned(), line: 3, text: "todo!()".to_owned() };
        check(&stub_markers(vec![], &[]), "passed |  | ");
        check(&stub_markers(vec![], &names(&["b"])), "passed | not checked: b | ");
        let issue = "a.rs:3: unfinished: todo!() (stub markers)";
        check(
            &stub_markers(vec![stub.clone()], &[]),
            &format!("failed | 1 line that was added is unfinished | {issue}"),
        );
        check(
            &stub_markers(vec![stub.clone(), stub], &names(&["b", "c"])),
            &format!(
                "failed | 2 lines that were added are unfinished; not checked: b and 1 more | \
                 {issue} | {issue}"
            ),
        );
    }

    #[test]
    fn a_review_stands_open_until_this_content_is_approved() {
        use ReviewStands::{Approved, NotWanted, Open};
        let mut play = Play::default();
        let stands = |play: &Play, content: &Content| {
            [false, true]
                .map(|is_required| ReviewStands::of(&play.state.review, content, is_required))
        };
        play.prompt("fix it");
        assert_eq!(stands(&play, &Content::nothing()), [NotWanted, NotWanted]);
        assert_eq!(stands(&play, &work("a")), [NotWanted, Open]);
        play.prompt("#review");
        play.edit(work("a"), "a.rs");
        assert_eq!(stands(&play, &work("a")), [Open, Open]);
        play.review("r1", Outcome::Complete);
        assert_eq!(stands(&play, &work("a")), [Approved, Approved]);
        assert_eq!(stands(&play, &work("b")), [Open, Open]);
        let mut play = Play::default();
        play.prompt("#review");
        play.skip();
        assert_eq!(stands(&play, &work("a")), [NotWanted, NotWanted], "a person let it pass");
    }

    #[test]
    fn a_review_counts_where_one_is_wanted() {
        let none = "this work needs no review";
        check(&review(ReviewStands::NotWanted), &format!("skipped | {none} | "));
        check(&review(ReviewStands::Approved), "passed |  | ");
        let told = "the reviewer did not approve the current work (review)";
        check(&review(ReviewStands::Open), &format!("failed | not approved | {told}"));
        check(&could_not("git is gone"), "could not run | git is gone | ");
    }
}
