//! `verger context`.

use serde_json::{Value, json};

use crate::recorded::Recorded;
use crate::reviewed::{By, Reviewed};

fn json_of(reviewed: &Recorded) -> Value {
    let output = reviewed.verger(&["context", "--session", "1111", "--json"]).success();
    serde_json::from_str(&output.stdout).unwrap()
}

#[test]
fn a_reviewer_sees_the_task_and_the_work() {
    let mut reviewed = Reviewed::wanted();
    reviewed.write("src/a.rs", "fn main() {}\n");
    reviewed.write("README.md", "changed\n");
    reviewed.stop();
    let token = reviewed.begin_review("a1");
    let words = ["issues", "one thing", "--message", "1. a.rs\n2. b.rs", "--token", &token];
    assert_eq!(reviewed.decide(By::Reviewer("a1"), &words).code, 0);
    reviewed.prompt("and mind the\nempty list");
    insta::assert_snapshot!(reviewed.verger(&["context", "--session", "1111"]), @r#"
    session        1111 of claude
    directory      $ENV/home/project
    review gate    pending: wanted by a prompt with #review; the last review found issues: one thing
    learning gate  idle
    prompt 1       given 2026-11-15 18:39:23
                   #review fix it
    prompt 2       given 2026-11-15 18:39:31
                   and mind the
                   empty list
    earlier        issues, 2026-11-15 18:39:30: one thing
                   1. a.rs
                   2. b.rs
    changed        2 files, content 6a064fead89df93febcd36999560136f7ae2d19c5a8288a4b411be3430a12ba3
                   changed  README.md
                   added    src/a.rs
    since          the task began, at c9f3b6633596b56e35ff6828b42c185d57406400 in $ENV/home/project
      diff         git -C '$ENV/home/project' diff c9f3b6633596b56e35ff6828b42c185d57406400
    note           git diff also shows changes that were uncommitted when the task began, and does not show untracked files
    "#);
    insta::assert_snapshot!(json_of(&reviewed), @r##"{"agent":"claude","call":null,"cwd":"$ENV/home/project","findings":[{"at_ms":1794767970000,"decision":"issues","message":{"bytes":15,"sha256":"97e48667f73a03e0bb099e15ff9adaffe877038b4c4264637c8c8e01deb3da2b","text":"1. a.rs\n2. b.rs"},"summary":"one thing"}],"learning":{"changed":null,"closed":[],"learnings_surfaced":[],"offers":[{"by":null,"kind":"finding","text":"one thing: 1. a.rs 2. b.rs"}],"refusal":null,"release":null,"since_ms":null,"state":"idle","stops_refused":0,"system":null,"ticket":null},"prompts":[{"at_ms":1794767963000,"text":{"bytes":14,"sha256":"67b5db13768be32624bda0ad2416cfc93943d20c1f781b2225dfb2c58886cb00","text":"#review fix it"}},{"at_ms":1794767971000,"text":{"bytes":23,"sha256":"b4ee12a9f5ffcea5da5426c1d2058d155f5d1fbb322ed106bddd69b9002ef3bf","text":"and mind the\nempty list"}}],"review":{"approval":null,"call":null,"findings":{"at":1794767970000,"message":"1. a.rs\n2. b.rs","outcome":"issues","summary":"one thing"},"release":null,"reviewers":[],"since_ms":1794767963000,"state":"pending","stops_refused":1,"wanted_by":{"by":"prompt","word":"#review"}},"session":"1111","task":"01M7G83GVR0000000000000068","work":{"content":"6a064fead89df93febcd36999560136f7ae2d19c5a8288a4b411be3430a12ba3","diff":"git -C '$ENV/home/project' diff c9f3b6633596b56e35ff6828b42c185d57406400","files":[{"change":"changed","path":"README.md"},{"change":"added","path":"src/a.rs"}],"notes":["git diff also shows changes that were uncommitted when the task began, and does not show untracked files"],"start":{"commit":"c9f3b6633596b56e35ff6828b42c185d57406400","root":"$ENV/home/project"}}}"##);
}

#[test]
fn the_call_that_waits_is_shown_and_the_authors_words_are_not() {
    let mut reviewed = Reviewed::wanted();
    let gated = "[review]\ngated_tools = [\"Bash:gh issue close*\"]\n";
    reviewed.environment.write(".verger/config.toml", gated);
    let call = json!({ "command": "gh issue close 7", "description": "I am done" });
    assert!(reviewed.tool(By::Main, "Bash", &call).contains("deny"));
    reviewed.stop();
    let told = reviewed.verger(&["context", "--session", "1111"]).success();
    insta::assert_snapshot!(told, @r#"
    session        1111 of claude
    directory      $ENV/home/project
    review gate    blocked: wanted by a prompt with #review, 1 stop refused
    learning gate  idle
    prompt 1       given 2026-11-15 18:39:23
                   #review fix it
    waits          Bash, which fits `Bash:gh issue close*`
                   gh issue close 7
    changed        no files, content nothing
    since          the task began, at c9f3b6633596b56e35ff6828b42c185d57406400 in $ENV/home/project
      diff         git -C '$ENV/home/project' diff c9f3b6633596b56e35ff6828b42c185d57406400
    "#);
    assert!(!told.stdout.contains("Done.") && !told.stdout.contains("I am done"));
}

#[test]
fn long_texts_are_cut_between_characters_and_told_as_a_whole() {
    let mut reviewed = Reviewed::wanted();
    reviewed.prompt(&format!("a{}", "é".repeat(6000)));
    let prompt = &json_of(&reviewed)["prompts"][1]["text"];
    assert_eq!(prompt["text"].as_str().unwrap().len(), 10_239);
    assert_eq!((&prompt["bytes"], prompt["sha256"].as_str().unwrap().len()), (&json!(12_001), 64));
    let told = reviewed.verger(&["context"]).success().stdout;
    insta::assert_snapshot!(told.lines().find(|line| line.starts_with("  cut")).unwrap(), @"  cut          1762 of 12001 bytes left out, SHA-256 of the whole text 3d55d9741ef2aaeb7791387074f0c2f3500bec6c6f0a0368a3a53003a242222a");
}

#[test]
fn a_new_task_leaves_the_old_one_behind() {
    let (mut reviewed, token) = Reviewed::begun();
    let words = ["complete", "all of it", "--token", &token];
    assert_eq!(reviewed.decide(By::Reviewer("a1"), &words).code, 0);
    reviewed.stop();
    reviewed.prompt("now something else");
    insta::assert_snapshot!(reviewed.verger(&["context"]), @r#"
    session        1111 of claude
    directory      $ENV/home/project
    review gate    idle
    learning gate  idle
    prompt 1       given 2026-11-15 18:39:30
                   now something else
    changed        no files, content nothing
    note           no tool that can change a file was called
    "#);
}

#[test]
fn without_git_the_files_that_tools_named_are_listed() {
    let mut reviewed = Reviewed::wanted();
    std::fs::remove_dir_all(reviewed.environment.project().join(".git")).unwrap();
    reviewed.write("a.rs", "fn main() {}\n");
    insta::assert_snapshot!(reviewed.verger(&["context", "--session", "1111"]), @r#"
    session        1111 of claude
    directory      $ENV/home/project
    review gate    pending: wanted by a prompt with #review
    learning gate  idle
    prompt 1       given 2026-11-15 18:39:23
                   #review fix it
    changed        1 file, content 40023f3846053bd2eade91da7a6a19d6eabcfe22fdda48193c57210c880812c9
                   changed  a.rs
    note           the files at the start of the task are unknown (there is no working tree of git here: NoRepository): only files that tools named are listed, without their earlier content
    "#);
}

/// The part of `verger context` about the work.
fn work(reviewed: &Recorded) -> String {
    let told = reviewed.verger(&["context"]).success().stdout;
    let lines = told.lines().skip_while(|line| !line.starts_with("changed"));
    lines.collect::<Vec<_>>().join("\n")
}

#[test]
fn work_that_was_moved_out_or_cannot_be_compared_is_told() {
    let mut reviewed = Reviewed::wanted();
    reviewed.write("a.rs", "fn main() {}\n");
    let stash = ["stash", "--include-untracked", "--quiet"];
    assert_eq!(reviewed.environment.run("git", stash, "").code, 0);
    insta::assert_snapshot!(work(&reviewed), @r#"
    changed        no files, content 0d4ea814e4c823faca628eb37c305c3e743846873495f29ccbe87078b72223de
    since          the task began, at c9f3b6633596b56e35ff6828b42c185d57406400 in $ENV/home/project
      diff         git -C '$ENV/home/project' diff c9f3b6633596b56e35ff6828b42c185d57406400
    note           work of the task is no longer in the working tree (stashed, or left on a branch): a.rs
    "#);
    std::fs::remove_dir_all(reviewed.environment.verger_home().join("data/trees")).unwrap();
    insta::assert_snapshot!(work(&reviewed), @r#"
    changed        not known
    since          the task began, at c9f3b6633596b56e35ff6828b42c185d57406400 in $ENV/home/project
      diff         git -C '$ENV/home/project' diff c9f3b6633596b56e35ff6828b42c185d57406400
    note           the changes are unknown: the start of the task is no longer recorded
    "#);
}

#[test]
fn a_session_must_be_known() {
    let reviewed = Reviewed::wanted();
    insta::assert_snapshot!(reviewed.verger(&["context", "--session", "3333"]), @r#"
    ------- stderr -------
    verger: no session begins with "3333"
    hint: verger session list shows all sessions; the latest is 1111
    ------- exit code 2 -------
    "#);
}
