//! `verger doctor learnings`.

use std::fs;

use crate::learned::{learned, learning};
use crate::recorded::Recorded;

#[test]
fn places_are_shown_with_why_they_are_used() {
    let recorded = Recorded::nothing();
    insta::assert_snapshot!(recorded.verger(&["doctor", "learnings"]), @r#"
    total-recall  not used: not in this project
    markdown      ~/project/.verger/learnings.md, nothing yet
      why         written to: it is built in
    personal      ~/.verger/data/personal-learnings.md, nothing yet
      why         for personal learnings
    "#);
    insta::assert_snapshot!(recorded.verger(&["doctor", "learnings", "--json"]), @r#"{"backends":[{"backend":"total-recall","learnings":null,"location":null,"merges":null,"problems":[],"rules":null,"used":false,"why":"not_found"},{"backend":"markdown","learnings":0,"location":"$ENV/home/project/.verger/learnings.md","merges":true,"problems":[],"rules":null,"used":true,"why":"built_in"},{"backend":"personal","learnings":0,"location":"$ENV/home/.verger/data/personal-learnings.md","merges":true,"problems":[],"rules":null,"used":true,"why":"personal"}],"root":"$ENV/home/project"}"#);
    let recorded = learned(&[learning("a", 1, "The importer drops empty lines")], &[]);
    fs::remove_file(recorded.environment.project().join(".verger/.gitattributes")).unwrap();
    insta::assert_snapshot!(recorded.verger(&["doctor", "learnings", "--quiet"]), @r#"
    total-recall  not used: not in this project
    markdown      ~/project/.verger/learnings.md, 1 learning
      why         written to: it is built in
      merging     git may not merge this file from two branches: add `learnings.md merge=union` and `stats.log merge=union` to .verger/.gitattributes
    personal      ~/.verger/data/personal-learnings.md, 0 learnings
      why         for personal learnings
    "#);
}

#[test]
fn total_recall_is_written_to_where_a_project_uses_it() {
    let mut recorded = Recorded::nothing();
    recorded.tick();
    recorded.environment.write("memory/registers/preferences.md", "# Preferences\n");
    recorded.environment.write(".claude/rules/total-recall.md", "# Total Recall\n");
    insta::assert_snapshot!(recorded.verger(&["doctor", "learnings"]), @"
    total-recall  ~/project/memory/daily/2026-11-15.md, 0 learnings
      why         written to: ~/project/.claude/rules/total-recall.md is there
    markdown      ~/project/.verger/learnings.md, nothing yet
      why         read; written to only if total-recall fails
    personal      ~/.verger/data/personal-learnings.md, nothing yet
      why         for personal learnings
    ");
    recorded.environment.set("VERGER_BACKENDS_TOTAL_RECALL", "false");
    insta::assert_snapshot!(recorded.verger(&["doctor", "learnings"]), @r#"
    total-recall  not used: backends.total_recall is false
    markdown      ~/project/.verger/learnings.md, nothing yet
      why         written to: it is built in
    personal      ~/.verger/data/personal-learnings.md, nothing yet
      why         for personal learnings
    "#);
}

#[test]
fn unreadable_files_are_named() {
    let recorded = learned(&[learning("a", 1, "The importer drops empty lines")], &[]);
    let file = recorded.environment.project().join(".verger/learnings.md");
    let text = recorded.environment.read(&file);
    recorded
        .environment
        .write(&file, format!("{text}\n## Half\n- category: pit\n- tags: a\n\nText of it.\n"));
    insta::assert_snapshot!(recorded.verger(&["doctor", "learnings"]), @r#"
    total-recall  not used: not in this project
    markdown      ~/project/.verger/learnings.md, 1 learning
      why         written to: it is built in
      trouble     ~/project/.verger/learnings.md:9: "pit" is not a known category; use one of pattern, pitfall, convention, dependency, process, domain, debugging
    personal      ~/.verger/data/personal-learnings.md, 0 learnings
      why         for personal learnings
    ------- exit code 1 -------
    "#);
    insta::assert_snapshot!(recorded.verger(&["doctor", "learnings", "--json"]), @r#"
    {"backends":[{"backend":"total-recall","learnings":null,"location":null,"merges":null,"problems":[],"rules":null,"used":false,"why":"not_found"},{"backend":"markdown","learnings":1,"location":"$ENV/home/project/.verger/learnings.md","merges":true,"problems":["$ENV/home/project/.verger/learnings.md:9: \"pit\" is not a known category; use one of pattern, pitfall, convention, dependency, process, domain, debugging"],"rules":null,"used":true,"why":"built_in"},{"backend":"personal","learnings":0,"location":"$ENV/home/.verger/data/personal-learnings.md","merges":true,"problems":[],"rules":null,"used":true,"why":"personal"}],"root":"$ENV/home/project"}
    ------- exit code 1 -------
    "#);
    fs::remove_file(&file).unwrap();
    fs::create_dir(&file).unwrap();
    insta::assert_snapshot!(recorded.verger(&["doctor", "learnings"]), @r#"
    total-recall  not used: not in this project
    markdown      ~/project/.verger/learnings.md, 0 learnings
      why         written to: it is built in
      trouble     cannot use ~/project/.verger/learnings.md: it is not a file
    personal      ~/.verger/data/personal-learnings.md, 0 learnings
      why         for personal learnings
    ------- exit code 1 -------
    "#);
}
