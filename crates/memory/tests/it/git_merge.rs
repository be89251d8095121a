//! Tests that no learning is lost when real git merges two branches that both added learnings.

use std::fs;
use std::path::Path;
use std::process::Command;

use verger_event::Timestamp;
use verger_memory::text::{parse, render};
use verger_memory::{Category, Confidence, Learning, Provenance, Scope};

fn learning(id: &str, summary: &str, detail: &str) -> Learning {
    Learning {
        id: id.parse().unwrap(),
        category: Category::Pitfall,
        summary: summary.to_owned(),
        detail: detail.to_owned(),
        scope: Scope::Project,
        confidence: Confidence::High,
        criteria: vec![],
        tags: vec!["build".to_owned()],
        files: vec![],
        symbols: vec![],
        supersedes: vec![],
        created: Timestamp::from_millis(1_794_767_961_556),
        provenance: Provenance::default(),
    }
}

#[expect(clippy::disallowed_methods, reason = "a test may start the real git")]
fn git(folder: &Path, arguments: &[&str]) {
    let done = Command::new("git")
        .args(["-c", "user.name=dev", "-c", "user.email=dev@example.com"])
        .args(["-c", "init.defaultBranch=main"])
        .args(arguments)
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_SYSTEM", "/dev/null")
        .current_dir(folder)
        .output()
        .unwrap();
    assert!(done.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&done.stderr));
}

/// The learnings after `ours` and `theirs` were appended on two branches and merged.
fn merged(attributes: &str, ours: &[Learning], theirs: &[Learning]) -> Vec<Learning> {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let file = folder.join("learnings.md");
    let append = |learnings: &[Learning]| {
        let mut text = fs::read_to_string(&file).unwrap();
        for learning in learnings {
            text.push('\n');
            text.push_str(&render(learning));
        }
        fs::write(&file, text).unwrap();
        git(folder, &["commit", "-qam", "more"]);
    };
    git(folder, &["init", "-q"]);
    fs::write(folder.join(".gitattributes"), attributes).unwrap();
    fs::write(
        &file,
        format!("# Learnings\n\n{}", render(&learning("learn-base", "Base", "Was.\nThere."))),
    )
    .unwrap();
    git(folder, &["add", "."]);
    git(folder, &["commit", "-qm", "base"]);
    git(folder, &["branch", "topic"]);
    append(ours);
    git(folder, &["checkout", "-q", "topic"]);
    append(theirs);
    git(folder, &["checkout", "-q", "main"]);
    git(folder, &["merge", "-q", "topic", "-m", "merge"]);
    let text = fs::read_to_string(&file).unwrap();
    let document = parse(&text, Timestamp::from_millis(0));
    assert_eq!(document.problems, [], "{text}");
    document.learnings.into_iter().skip(1).map(|placed| placed.learning).collect()
}

#[test]
fn two_branches_that_learned_the_same_words_lose_nothing() {
    let same = "One line\n\n```\nsame\ncode\nin\nboth\n```\nand\nthe\nsame\nend";
    let other = "Other line\n\n```\nsame\ncode\nin\nboth\n```\nother\n\n\n\nand\nthe\nsame\nend";
    let ours = [
        learning("learn-a", "The same summary", same),
        learning("learn-b", "Another summary", other),
        learning("learn-c", "Short one", "Short."),
    ];
    let theirs = [
        learning("learn-d", "Short one", "Short."),
        learning("learn-e", "The same summary", same),
        learning("learn-f", "The same summary", other),
    ];
    let mut expected = [ours.as_slice(), theirs.as_slice()].concat();
    let mut read = merged("learnings.md merge=union\n", &ours, &theirs);
    read.sort_by(|a, b| a.id.cmp(&b.id));
    expected.sort_by(|a, b| a.id.cmp(&b.id));
    assert_eq!(read, expected);
}

#[test]
fn an_entry_that_reached_both_branches_stands_once() {
    let both = learning("learn-a", "Reached both", "One\ntwo\nthree\nfour\nfive");
    let ours = [both.clone(), learning("learn-b", "Ours", "One\ntwo\nthree\nfour\nfive")];
    let theirs = [learning("learn-c", "Theirs", "One\ntwo\nthree\nfour\nfive"), both.clone()];
    let mut read = merged("learnings.md merge=union\n", &ours, &theirs);
    read.sort_by(|a, b| a.id.cmp(&b.id));
    assert_eq!(read, [ours[0].clone(), ours[1].clone(), theirs[0].clone()]);
}
