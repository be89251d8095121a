//! How long an approval is valid: which changes of the work void it, which do not, and for how long
//! it opens gated tools.

use std::fs;

use insta::assert_snapshot;
use verger_testkit::{Conversation, HookAnswer, Speaker, TestEnvironment};

use crate::reviewing::{
    conversation, conversation_in, decide, decision, records, review, reviewer, shell,
};

/// A task that was reviewed and approved, with gated tools.
#[track_caller]
fn approved() -> Conversation {
    approved_in(conversation(), "")
}

/// The same task with additional user settings.
#[track_caller]
fn approved_in(conversation: Conversation, settings: &str) -> Conversation {
    let tools = "gated_tools = [\"Bash:gh issue close*\"]";
    conversation.configure(format!("[review]\n{tools}\n{settings}\n"));
    assert_eq!(conversation.prompt("#review fix the parser"), HookAnswer::default());
    conversation.write("parser.rs", "fn parse() {}\n");
    conversation.run("echo more >> README.md");
    assert_eq!(conversation.stop().word(), "block");
    review(&conversation, "r1", "complete 'read all of it'");
    conversation
}

#[track_caller]
fn close(conversation: &Conversation) -> HookAnswer {
    conversation.bash(Speaker::Main, "gh issue close 5")
}

/// Asserts that the approval is still valid, for gated tools and for a stop.
#[track_caller]
fn check_kept(conversation: &Conversation, why: &str) {
    assert_eq!(close(conversation), HookAnswer::default(), "{why}");
    assert_eq!(conversation.stop(), HookAnswer::default(), "{why}");
}

/// Asserts that the approval is no longer valid.
#[track_caller]
fn check_void(conversation: &Conversation, why: &str) {
    let denied = close(conversation);
    assert_eq!(denied.word(), "deny", "{why}");
    let blocked = conversation.stop();
    assert_eq!(blocked.word(), "block", "{why}");
    for answer in [denied, blocked] {
        let reason = answer.reason();
        assert!(reason.contains("the work changed after it was approved"), "{why}: {reason}");
    }
}

const COMMIT: &str = "git add --all && git commit --quiet --no-gpg-sign --message=Work";
const AMEND: &str = "git commit --quiet --no-gpg-sign --amend --message=Better";

#[test]
fn however_the_same_content_is_kept_the_approval_counts() {
    for (why, lines) in [
        ("nothing", &["true"][..]),
        ("a look", &["cat parser.rs", "git status", "git diff"]),
        ("staged", &["git add --all"]),
        ("committed", &[COMMIT]),
        ("amended", &[COMMIT, AMEND]),
        ("in two commits", &["git add README.md", "git commit -qm 1", COMMIT]),
        ("on another branch", &["git checkout -q -b work", COMMIT]),
        ("stashed and back", &["git stash --quiet --include-untracked", "git stash pop --quiet"]),
        ("committed, reset and back", &[COMMIT, "git reset --quiet --soft HEAD~1"]),
        ("rewritten with the same bytes", &["cp parser.rs x && mv x parser.rs"]),
        ("another time", &["touch parser.rs README.md"]),
        ("changed and changed back", &["echo x >> parser.rs", "echo 'fn parse() {}' > parser.rs"]),
        ("collected", &[COMMIT, "git gc --quiet --prune=now"]),
    ] {
        let conversation = approved();
        for line in lines {
            conversation.run(line);
        }
        check_kept(&conversation, why);
    }
}

#[test]
fn whatever_changes_the_content_voids_the_approval() {
    for (why, line) in [
        ("an edit", "echo '// late' >> parser.rs"),
        ("a new file", "echo x > new.rs"),
        ("a new file that was added", "echo x > new.rs && git add new.rs"),
        ("a file that goes", "rm parser.rs"),
        ("a file that was there before", "rm README.md"),
        ("a program", "chmod +x parser.rs"),
        ("a link", "ln -s parser.rs link"),
        ("another name", "mv parser.rs reader.rs"),
        ("taken back in part", "git checkout --quiet README.md"),
        ("hidden by an ignore file", "echo parser.rs > .gitignore"),
        (
            "hidden from the index",
            "git add --all && git update-index --assume-unchanged parser.rs && echo y >> parser.rs",
        ),
        (
            "skipped in the index",
            "git add --all && git update-index --skip-worktree parser.rs && echo y >> parser.rs",
        ),
        ("a file with a strange name", "echo x > \"$(printf 'a\\nb\\377')\""),
        ("committed behind the back", "echo z >> parser.rs && git add --all && git commit -qm x"),
    ] {
        let conversation = approved();
        conversation.run(line);
        check_void(&conversation, why);
    }
}

#[test]
fn a_change_that_keeps_size_and_time_is_seen() {
    let conversation = approved();
    let path = conversation.environment.project().join("parser.rs");
    let time = fs::metadata(&path).unwrap().modified().unwrap();
    conversation.run("echo 'fn parsf() {}' > parser.rs");
    fs::File::options().write(true).open(&path).unwrap().set_modified(time).unwrap();
    check_void(&conversation, "same size and time");
}

#[test]
fn work_that_is_moved_out_of_the_tree_is_still_wanted_reviewed() {
    for (why, lines) in [
        ("stashed", &["git stash --quiet --include-untracked"][..]),
        ("left on a branch", &["git checkout -q -b work", COMMIT, "git checkout --quiet main"]),
        ("reset away", &[COMMIT, "git reset --quiet --hard HEAD~1"]),
    ] {
        for mode in ["always", "prompt"] {
            let conversation = conversation();
            conversation.configure(format!("[review]\nmode = \"{mode}\"\n"));
            assert_eq!(conversation.prompt("#review fix it"), HookAnswer::default());
            conversation.write("parser.rs", "fn parse() {}\n");
            for line in lines {
                conversation.run(line);
            }
            assert_eq!(conversation.stop().word(), "block", "{why} in {mode}");
        }
        let conversation = conversation();
        conversation.configure("[review]\nmode = \"always\"\n");
        assert_eq!(conversation.prompt("fix it"), HookAnswer::default());
        conversation.write("parser.rs", "fn parse() {}\n");
        for line in lines {
            conversation.run(line);
        }
        assert_eq!(conversation.stop().word(), "block", "{why}, not asked for");
        let conversation = approved();
        for line in lines {
            conversation.run(line);
        }
        assert_eq!(conversation.stop().word(), "block", "{why}, after an approval");
    }
}

#[test]
fn content_that_comes_back_is_approved_again() {
    let conversation = approved();
    conversation.run("echo '// late' >> parser.rs");
    check_void(&conversation, "late");
    conversation.run("echo 'fn parse() {}' > parser.rs");
    check_kept(&conversation, "back");
}

#[test]
fn own_files_ticket_stores_and_what_the_user_names_do_not_count() {
    let settings = "ignore = [\"*.log\", \"gen/**\"]";
    let conversation = approved_in(conversation(), settings);
    for path in [
        ".verger/learnings.md",
        ".beads/issues.jsonl",
        ".tissue/t.json",
        "run.log",
        "deep/er/run.log",
        "gen/a/b.rs",
    ] {
        conversation.write(path, "x\n");
    }
    conversation.run("git add --all && git commit --quiet --no-gpg-sign --message=All");
    check_kept(&conversation, "ignored");
    conversation.write("src/.verger/x", "x\n");
    check_void(&conversation, "somewhere else");
}

#[test]
fn changes_of_others_are_not_the_agents_work() {
    let conversation = conversation();
    let remote = conversation.environment.root().join("remote");
    let remote = remote.display();
    let others = [
        format!("git clone --quiet . {remote}"),
        format!(
            "cd {remote} && echo theirs > theirs.rs && git add . && git -c user.email=eve@example.invalid commit -qm theirs"
        ),
        format!("git remote add origin {remote} && git fetch --quiet origin"),
    ];
    for line in &others {
        assert!(conversation.environment.run("sh", ["-ec", line], "").is_success());
    }
    conversation.configure("[review]\nmode = \"always\"\n");
    assert_eq!(conversation.prompt("get the news"), HookAnswer::default());
    conversation.run("git pull --quiet --ff-only origin main");
    assert_eq!(conversation.stop(), HookAnswer::default());
    assert_eq!(conversation.prompt("look at the old state"), HookAnswer::default());
    conversation.run("git checkout --quiet HEAD~1");
    conversation.run("git checkout --quiet main");
    assert_eq!(conversation.stop(), HookAnswer::default());
    // Changes that the agent adds count as its work.
    assert_eq!(conversation.prompt("and now fix it"), HookAnswer::default());
    conversation.run("echo ours >> theirs.rs");
    assert_eq!(conversation.stop().word(), "block");
}

#[test]
fn a_pull_keeps_the_approval_of_the_agents_own_work() {
    let conversation = conversation();
    let remote = conversation.environment.root().join("remote");
    let remote = remote.display().to_string();
    let set_up = format!(
        "git clone --quiet . {remote} && cd {remote} && echo theirs > theirs.rs && git add . && \
         git -c user.email=eve@example.invalid commit -qm theirs && cd - > /dev/null && \
         git remote add origin {remote}"
    );
    assert!(conversation.environment.run("sh", ["-ec", &set_up], "").is_success());
    let conversation = approved_in(conversation, "");
    conversation.run("git pull --quiet --ff-only origin main");
    check_kept(&conversation, "pulled");
}

#[test]
fn earlier_changes_of_the_user_are_not_the_agents_work() {
    let conversation = conversation();
    conversation.environment.write("README.md", "mine\n");
    conversation.environment.write("mine.rs", "mine\n");
    conversation.configure("[review]\nmode = \"always\"\n");
    assert_eq!(conversation.prompt("run the tests"), HookAnswer::default());
    conversation.run("true");
    assert_eq!(conversation.stop(), HookAnswer::default());
    assert_eq!(conversation.prompt("fix it"), HookAnswer::default());
    conversation.run("echo theirs >> mine.rs");
    let blocked = conversation.stop();
    assert!(blocked.reason().contains("Changed so far: 1 file\n"), "{blocked}");
}

#[test]
fn without_git_the_files_that_tools_touched_are_the_work() {
    let conversation = conversation_in(TestEnvironment::new());
    conversation.configure("[review]\nmode = \"always\"\n");
    assert_eq!(conversation.prompt("what is it?"), HookAnswer::default());
    conversation.run("ls");
    assert_eq!(conversation.stop(), HookAnswer::default());
    assert_eq!(conversation.prompt("fix it"), HookAnswer::default());
    conversation.write("parser.rs", "fn parse() {}\n");
    let blocked = conversation.stop();
    assert!(blocked.reason().contains("Changed so far: 1 file\n"), "{blocked}");
    review(&conversation, "r1", "complete 'read all of it'");
    conversation.environment.write("other.rs", "nobody's\n");
    assert_eq!(conversation.stop(), HookAnswer::default());
    conversation.environment.write("parser.rs", "fn parse() { 1 }\n");
    assert_eq!(conversation.stop().word(), "block");
    let kinds = ["start_tree.", "gate.changed"];
    assert_snapshot!(records(&conversation, &kinds).join("\n"), @r#"
    gate.changed review: idle -> pending, review wanted by review.mode = "always"
    start_tree.taken none: there is no working tree of git here: NoRepository
    gate.changed review: pending -> idle, nothing to review
    gate.changed review: idle -> pending, review wanted by review.mode = "always"
    start_tree.taken none: there is no working tree of git here: NoRepository
    gate.changed verification: idle -> claimed, the agent wanted to stop without a green verification: this work was …
    gate.changed review: pending -> blocked, stop refused, number 1
    gate.changed [verger:reviewer r1] review: stays blocked, reviewer started: subagent:r1
    gate.changed [verger:reviewer r1] review: stays blocked, reviewer runs `verger decide complete`
    gate.changed review: blocked -> approved, reviewer decided complete
    gate.changed verification: stays claimed, the agent wanted to stop without a green verification: this work was no…
    gate.changed review: approved -> blocked, stop refused, number 1
    "#);
}

#[test]
fn work_that_goes_on_during_the_review_is_not_approved_by_it() {
    let conversation = conversation();
    assert_eq!(conversation.prompt("#review fix the parser"), HookAnswer::default());
    conversation.write("parser.rs", "fn parse() {}\n");
    let token = conversation.start_reviewer("r1");
    conversation.write("parser.rs", "fn parse() { 1 }\n");
    conversation.write("late.rs", "// late\n");
    let line = decision(&conversation, "complete 'read all of it'", &token);
    assert_snapshot!(decide(&conversation, "r1", &line), @r#"
    verger rejected this decision: the work changed since the reviewer started: late.rs, parser.rs.
    Look at the work as it is now: it needs a new review.
    ------- exit code 1 -------
    "#);
    assert_eq!(conversation.stop().word(), "block");
    // Findings are valid even if the work changed.
    let line = decision(&conversation, "issues late --message 'do not edit meanwhile'", &token);
    assert!(decide(&conversation, "r1", &line).is_success());
    assert!(conversation.stop().reason().contains("do not edit meanwhile"));
}

#[test]
fn an_approval_opens_gated_tools_for_as_long_as_the_user_says() {
    let conversation = approved_in(conversation(), "approval_ttl_seconds = 3600");
    assert_eq!(close(&conversation), HookAnswer::default());
    conversation.pass_seconds(3590);
    assert_eq!(close(&conversation), HookAnswer::default());
    conversation.pass_seconds(10);
    assert_eq!(close(&conversation).word(), "deny");
    // For a stop, only the content matters.
    assert_eq!(conversation.stop(), HookAnswer::default());
}

#[test]
fn a_token_decides_once() {
    let conversation = conversation();
    assert_eq!(conversation.prompt("#review fix the parser"), HookAnswer::default());
    let token = conversation.start_reviewer("r1");
    let issues = decision(&conversation, "issues 'one bug' --message 'fix it'", &token);
    assert!(decide(&conversation, "r1", &issues).is_success());
    let complete = decision(&conversation, "complete fine", &token);
    let again = conversation.bash(reviewer("r1"), &complete);
    assert!(again.reason().contains("the token was used already"), "{again}");
    assert_eq!(shell(&conversation, &complete).code, 1);
    assert_eq!(conversation.stop().word(), "block");
}

#[test]
fn a_decision_from_a_script_file_or_by_the_main_agent_is_refused() {
    let conversation = conversation();
    assert_eq!(conversation.prompt("#review fix the parser"), HookAnswer::default());
    let token = conversation.start_reviewer("r1");
    let line = decision(&conversation, "complete fine", &token);
    conversation.environment.write("decide.sh", &line);
    assert_eq!(conversation.bash(Speaker::Main, "sh decide.sh"), HookAnswer::default());
    let refused = shell(&conversation, "sh decide.sh");
    assert_eq!(refused.code, 1);
    assert_eq!(shell(&conversation, &line), refused);
    assert_snapshot!(refused, @r#"
    verger rejected this decision: verger did not see the reviewer run this command.
    Only the reviewer can decide. To get a review: start the subagent `verger:reviewer` with your Agent (Task) tool. In its prompt, only describe the task; it looks at the work itself and decides. Wait for it, fix what it finds, and start a new one: each reviewer decides once.
    ------- exit code 1 -------
    "#);
    assert_eq!(conversation.stop().word(), "block");
}

#[test]
fn a_review_that_could_not_be_made_releases_with_a_warning() {
    let conversation = conversation();
    conversation.configure("[review]\ngated_tools = [\"Bash:gh issue close*\"]\n");
    assert_eq!(conversation.prompt("#review fix the parser"), HookAnswer::default());
    conversation.write("parser.rs", "fn parse() {}\n");
    assert_eq!(close(&conversation).word(), "deny");
    review(&conversation, "r1", "unavailable 'no quota left'");
    assert_snapshot!(conversation.stop(), @"notice: verger: WARNING: not reviewed. The agent stopped: no review could be made; the reviewer said: no quota left. See: verger why --last --session f0357e9b-fb48-41a1-afb7-88e26c9c25cd");
    assert_snapshot!(close(&conversation), @"notice: verger: WARNING: not reviewed. `Bash:gh issue close*` was allowed: no review could be made. See: verger why --last --session f0357e9b-fb48-41a1-afb7-88e26c9c25cd");
    // The next task is reviewed again.
    assert_eq!(conversation.prompt("#review and the next one"), HookAnswer::default());
    conversation.write("parser.rs", "fn parse() { 1 }\n");
    assert_eq!(conversation.stop().word(), "block");
}

#[test]
fn the_user_can_have_it_held_all_the_same() {
    let conversation = conversation();
    conversation.configure("[review]\non_unavailable = \"block\"\n");
    assert_eq!(conversation.prompt("#review fix the parser"), HookAnswer::default());
    conversation.write("parser.rs", "fn parse() {}\n");
    review(&conversation, "r1", "unavailable 'no quota left'");
    let words: Vec<_> = (0..4).map(|_| conversation.stop()).collect();
    assert!(words[0].reason().contains("the last review could not be made"), "{}", words[0]);
    let words: Vec<_> = words.iter().map(HookAnswer::word).collect();
    assert_eq!(words, ["block", "block", "block", "silence"]);
}

#[test]
fn three_tasks_of_a_session_are_each_reviewed() {
    let conversation = conversation();
    for task in 1..=3 {
        assert_eq!(conversation.prompt("#review the next thing"), HookAnswer::default());
        conversation.write("parser.rs", &format!("fn parse() {{ {task} }}\n"));
        let blocked = conversation.stop();
        assert!(blocked.notice.unwrap().contains("refusal 1 of 3"), "task {task}");
        review(&conversation, &format!("r{task}"), "complete 'read all of it'");
        assert_eq!(conversation.stop(), HookAnswer::default(), "task {task}");
    }
}

#[test]
fn a_new_wish_in_the_same_task_wants_a_new_review() {
    let conversation = approved();
    assert_eq!(conversation.prompt("#review look at it once more"), HookAnswer::default());
    assert_eq!(conversation.stop().word(), "block");
    review(&conversation, "r2", "complete 'read it again'");
    assert_eq!(conversation.stop(), HookAnswer::default());
}

#[test]
fn a_gated_call_that_passes_is_on_record_with_its_approval() {
    let conversation = approved();
    assert_eq!(close(&conversation), HookAnswer::default());
    let told = records(&conversation, &["verdict.given"]);
    assert_snapshot!(told.last().unwrap(), @"verdict.given no opinion");
    assert_eq!(conversation.prompt("and now something else"), HookAnswer::default());
    assert_eq!(close(&conversation).word(), "deny");
}
