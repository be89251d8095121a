//! Tests that a repository's files are copied before a call removes the repository together with
//! its undo points.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use verger_testkit::{Conversation, HookAnswer, Speaker};

use crate::guarded_calls::{ENFORCE, begun};
use crate::undo_left_out::told;
use crate::undo_points::{git, kept};

/// The path that no undo point or copy contains after the whole repository is removed.
const IGNORED: &str = "target (git ignores it)";

const NEW: &str = "new refs/verger/undo/ID";

/// A session in a repository with uncommitted work and with another repository inside.
fn at_work(configuration: &str) -> Conversation {
    let conversation = begun(configuration);
    conversation.write("src/work.rs", "hours of work\n");
    conversation.write("wip", "more work\n");
    conversation.write(".gitignore", "target\n");
    conversation.environment.write("target/built", "built\n");
    conversation
}

/// The paths in the only copy, and whether the copy contains a repository's references. Paths
/// inside `.git` directories are left out.
#[track_caller]
fn copied(conversation: &Conversation) -> (Vec<String>, bool) {
    let copies = conversation.environment.verger_home().join("data/undo");
    let copies = fs::read_dir(copies).unwrap().map(|entry| entry.unwrap().path());
    let [copy] = &copies.collect::<Vec<PathBuf>>()[..] else { panic!("there is one copy") };
    let about: Value = serde_json::from_slice(&fs::read(copy.join("about.json")).unwrap()).unwrap();
    let project = conversation.environment.project();
    let files = about["files"].as_array().unwrap().iter();
    let files = files.map(|file| Path::new(file["path"].as_str().unwrap()));
    let (own, files): (Vec<_>, Vec<_>) = files
        .map(|file| file.strip_prefix(&project).unwrap().display().to_string())
        .partition(|file| file.split('/').any(|part| part == ".git"));
    (files, own.iter().any(|file| file.contains("refs/verger/undo/")))
}

fn names(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

#[test]
fn files_removed_with_their_repository_are_copied() {
    let all = names(&[".gitignore", "src/work.rs", "wip", "README.md"]);
    let project = |conversation: &Conversation| conversation.environment.project();
    for (line, expected) in [
        ("rm -rf .git src wip", (names(&["src/work.rs", "wip"]), "")),
        ("rm -rf .", (all.clone(), IGNORED)),
        ("rm -rf PROJECT", (all.clone(), IGNORED)),
        ("find . -delete", (all.clone(), IGNORED)),
        ("rm -rf * .git", (names(&["src/work.rs", "wip", "README.md"]), IGNORED)),
        ("rm -rf .git/refs", (vec![], "")),
    ] {
        let (expected, not_saved) = expected;
        let conversation = at_work("");
        let line = line.replace("PROJECT", &project(&conversation).display().to_string());
        assert_eq!(told(&conversation, &line), not_saved, "{line}");
        assert_eq!(copied(&conversation), (expected, true), "{line}");
        let [point, copy] = &kept(&conversation)[..] else { panic!("{line}") };
        let lost = if not_saved.is_empty() { "" } else { " target (git ignores it)" };
        assert_eq!(*point, format!("{NEW}{lost}"), "{line}");
        assert!(copy.starts_with("new $ENV/home/.verger/data/undo/ID"), "{copy}");
    }
}

#[test]
fn a_repository_inside_is_copied_when_it_is_removed() {
    let conversation = at_work("");
    git(&conversation, &["init", "--quiet", "nest"]);
    conversation.environment.write("nest/inner", "work\n");
    assert_eq!(conversation.bash(Speaker::Main, "rm -rf nest"), HookAnswer::default());
    assert_eq!(copied(&conversation), (names(&["nest/inner"]), true));
}

#[test]
fn calls_that_keep_the_repository_make_no_copy() {
    let conversation = at_work("");
    for (line, not_saved) in [
        ("rm -rf *", IGNORED),
        ("git clean -fdx .", IGNORED),
        ("git checkout .", ""),
        ("find . -name '*.rs' -delete", ""),
    ] {
        assert_eq!(told(&conversation, line), not_saved, "{line}");
    }
    assert!(!conversation.environment.verger_home().join("data/undo").exists());
}

#[test]
fn files_too_large_for_the_copy_are_reported() {
    let conversation = at_work("[undo]\nmax_file_mib = 1\n");
    conversation.environment.write("large", vec![b'x'; 2 * 1024 * 1024]);
    let answer = conversation.bash(Speaker::Main, "rm -rf .");
    assert_eq!(answer.verdict, None);
    insta::assert_snapshot!(answer.notice.unwrap(), @"verger could not save the files before a call of the agent, so the call cannot be undone: cannot copy all files of the repository: $ENV/home/project/large (too large: 2097152 bytes). The call: it permanently removes a whole directory (rule remove-tree). `verger why --last` explains it.");
    conversation.configure(format!("{ENFORCE}[undo]\nmax_file_mib = 1\n"));
    assert_eq!(conversation.bash(Speaker::Main, "rm -rf .").word(), "deny");
    let home = begun("");
    let answer = home.bash(Speaker::Main, "rm -rf ..");
    insta::assert_snapshot!(answer.notice.unwrap(), @"verger could not save the files before a call of the agent, so the call cannot be undone: cannot copy the files that the call names: $ENV/home is too large to be copied. The call: it removes the system, a home directory or a repository with its history (rule remove-root-or-home). `verger why --last` explains it.");
}
