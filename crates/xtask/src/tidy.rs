//! `cargo xtask tidy`: checks rules of this tree that neither the compiler nor clippy can check.
//!
//! A check is a function that takes the tree and returns findings. For each check, a test makes it
//! fail.

mod agent_names;
mod client_words;
mod comments;
mod crate_table;
mod edges;
mod exceptions;
mod features;
mod file_names;
mod file_size;
mod forbidden_code;
mod home_paths;
mod manifests;
mod modules;
mod orphans;
mod plain_words;
mod source;
#[cfg(test)]
mod test_tree;
mod tree;
mod walk;

use std::fmt;

use clap::Args;

use crate::failure::Failure;
use crate::tidy::exceptions::{EXCEPTIONS, Exception};
pub(crate) use crate::tidy::modules::Part;
#[cfg(test)]
pub(crate) use crate::tidy::test_tree::tree_of;
pub(crate) use crate::tidy::tree::Tree;
use crate::workspace::Root;

/// Checks crate edges, file names, sizes, comments and everything else that `clippy` cannot see
#[derive(Args)]
pub(crate) struct TidyArgs {
    /// Only this check
    #[arg(long, value_name = "NAME")]
    check: Option<String>,
}

impl TidyArgs {
    pub(crate) fn all() -> Self {
        Self { check: None }
    }
}

/// A place in the tree that breaks a rule, with advice.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Finding {
    path: String,
    line: Option<usize>,
    advice: String,
}

impl Finding {
    fn at(path: &str, line: usize, advice: impl Into<String>) -> Self {
        Self { path: path.to_owned(), line: Some(line), advice: advice.into() }
    }

    fn in_file(path: &str, advice: impl Into<String>) -> Self {
        Self { path: path.to_owned(), line: None, advice: advice.into() }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(f, "{}:{line}: {}", self.path, self.advice),
            None => write!(f, "{}: {}", self.path, self.advice),
        }
    }
}

struct Check {
    name: &'static str,
    run: fn(&Tree) -> Vec<Finding>,
}

const CHECKS: &[Check] = &[
    Check { name: "crate-table", run: edges::table_is_complete },
    Check { name: "crate-edges", run: edges::edges_are_in_the_table },
    Check { name: "pure-crates", run: edges::pure_crates_stay_pure },
    Check { name: "hook-closure", run: edges::hook_stays_small },
    Check { name: "manifests", run: manifests::manifests_are_complete },
    Check { name: "lock-file", run: manifests::lock_file_is_committed },
    Check { name: "test-binaries", run: manifests::one_test_binary_per_crate },
    Check { name: "fixed-feature", run: features::fixed_stays_in_tests },
    Check { name: "tested-features", run: features::required_features_are_tested },
    Check { name: "file-names", run: file_names::names_say_what_is_inside },
    Check { name: "left-behind", run: file_names::tools_leave_nothing_behind },
    Check { name: "orphans", run: orphans::every_file_is_reached },
    Check { name: "file-size", run: file_size::files_hold_one_concept },
    Check { name: "narration", run: comments::comments_do_not_narrate },
    Check { name: "banners", run: comments::no_banners },
    Check { name: "unfinished", run: forbidden_code::nothing_is_unfinished },
    Check { name: "allow", run: forbidden_code::expect_instead_of_allow },
    Check { name: "test-shortcuts", run: forbidden_code::tests_take_no_shortcuts },
    Check { name: "home-paths", run: home_paths::no_path_of_a_developers_machine },
    Check { name: "walk", run: walk::the_walk_exists },
    Check { name: "agent-names", run: agent_names::agents_are_named_in_one_crate },
    Check { name: "client-words", run: client_words::clients_words_stay_in_one_crate },
    Check { name: "riddles", run: plain_words::comments_name_their_subject },
    Check { name: "commit-subjects", run: plain_words::commit_subjects_are_short },
    Check { name: "help-texts", run: plain_words::help_texts_are_short },
    Check { name: "page-length", run: plain_words::pages_are_short },
    Check { name: "retired-phrases", run: plain_words::retired_phrases_stay_away },
];

pub(crate) fn tidy(root: &Root, args: &TidyArgs) -> Result<(), Failure> {
    let chosen: Vec<&Check> = CHECKS
        .iter()
        .filter(|check| args.check.as_deref().is_none_or(|name| name == check.name))
        .collect();
    if let (Some(name), true) = (&args.check, chosen.is_empty()) {
        let known = CHECKS.iter().map(|check| check.name).collect();
        return Err(Failure::UnknownCheck { name: name.clone(), known });
    }
    let tree = Tree::load(root)?;
    let mut count = 0;
    for check in &chosen {
        for finding in excuse(check.name, (check.run)(&tree), EXCEPTIONS) {
            println!("[{}] {finding}", check.name);
            count += 1;
        }
    }
    if count > 0 {
        return Err(Failure::Untidy { count });
    }
    println!("tidy: {} checks over {} files, no findings", chosen.len(), tree.files.len());
    Ok(())
}

/// Removes the findings of a check that have an exception. An exception without a finding becomes a
/// finding itself.
fn excuse(check: &str, findings: Vec<Finding>, exceptions: &[Exception]) -> Vec<Finding> {
    let exceptions: Vec<_> =
        exceptions.iter().filter(|exception| exception.check == check).collect();
    let stale = exceptions
        .iter()
        .filter(|exception| !findings.iter().any(|finding| finding.path == exception.path))
        .map(|exception| Finding::in_file(exception.path, "this exception is no longer needed"))
        .collect::<Vec<_>>();
    let mut left: Vec<_> = findings
        .into_iter()
        .filter(|finding| !exceptions.iter().any(|exception| exception.path == finding.path))
        .chain(stale)
        .collect();
    left.sort();
    left
}

#[cfg(test)]
mod tests {
    use super::*;

    const EXCUSED: &[Exception] = &[Exception { check: "a", path: "x.rs", reason: "for the test" }];

    #[test]
    fn an_exception_excuses_its_check_in_its_file_only() {
        let finding = Finding::at("x.rs", 3, "shorten it");
        assert_eq!(excuse("a", vec![finding.clone()], EXCUSED), []);
        assert_eq!(excuse("b", vec![finding.clone()], EXCUSED), [finding]);
        let other = Finding::at("y.rs", 3, "shorten it");
        assert_eq!(excuse("a", vec![other.clone(), Finding::at("x.rs", 1, "")], EXCUSED), [other]);
    }

    #[test]
    fn an_exception_that_excuses_nothing_is_a_finding() {
        let stale = Finding::in_file("x.rs", "this exception is no longer needed");
        assert_eq!(excuse("a", Vec::new(), EXCUSED), [stale]);
    }

    #[test]
    fn exceptions_name_a_check_and_have_a_reason() {
        for exception in EXCEPTIONS {
            assert!(CHECKS.iter().any(|check| check.name == exception.check), "{exception:?}");
            assert!(exception.reason.len() > 10, "{exception:?}");
        }
    }

    #[test]
    fn a_finding_reads_like_a_compiler_message() {
        assert_eq!(Finding::at("a/b.rs", 7, "rename it").to_string(), "a/b.rs:7: rename it");
        assert_eq!(Finding::in_file("a/b.rs", "rename it").to_string(), "a/b.rs: rename it");
    }
}
