//! Tests faults around the review gate: the agent is never blocked for good, no fault counts as
//! an approval, and the log tells the person.

use std::fs;
use std::time::{Duration, Instant};

use insta::assert_snapshot;
use serde_json::json;
use verger_testkit::{Conversation, HookAnswer, Speaker};

use crate::gate_stage::{CLOSE, conversation, news, wanted, warnings};

/// Checks that the agent is blocked only a limited number of times, and that it can't close its
/// ticket until then.
#[track_caller]
fn check_held(conversation: &Conversation) {
    assert_eq!(conversation.bash(Speaker::Main, CLOSE).word(), "deny");
    let words: Vec<_> = (0..8).map(|_| conversation.stop().word().to_owned()).collect();
    let passed = words.iter().position(|word| word == "silence").unwrap_or(words.len());
    assert!((3..=7).contains(&passed), "{words:?}");
    assert!(words[passed..].iter().all(|word| word == "silence"), "{words:?}");
    assert!(!news(conversation).iter().any(|line| line.contains("-> approved")));
}

#[test]
fn without_git_the_gate_holds_and_says_so() {
    let mut conversation = wanted();
    conversation.environment.set("PATH", "/nonexistent");
    check_held(&conversation);
    assert_snapshot!(warnings(&conversation)[0], @"review gate: cannot run git: start the program: No such file or directory (os error 2)");
    let mut conversation = wanted();
    conversation.environment.set("PATH", "/nonexistent");
    assert_snapshot!(conversation.stop(), @r#"
    block: verger: do not stop yet: this work was not reviewed yet. An independent review has to approve this work first.
    Changed so far: unknown
    What is left, in order:
    1. Finish the task and check your work yourself.
    2. Get the review: start the subagent `verger:reviewer` with your Agent (Task) tool. In its prompt, only describe the task; it looks at the work itself and decides. Wait for it, fix what it finds, and start a new one: each reviewer decides once.
    3. When it is approved, stop again. If the work changes afterwards, it needs a new review.
    You cannot approve your own work. A person can release this gate; you cannot, so tell them if you cannot go on.
    notice: verger: the agent wanted to stop; a review is needed first (wanted by a prompt with #review; refusal 1 of 3). To let it stop without one, run in your own terminal: verger release review --session f0357e9b-fb48-41a1-afb7-88e26c9c25cd
    "#);
}

#[test]
fn in_a_repository_that_broke_the_gate_holds_and_says_so() {
    for breaking in ["mv .git .gone", "rm .git/HEAD", "echo x > .git/index", "rm -r .git/objects"] {
        let conversation = wanted();
        conversation.run(breaking);
        check_held(&conversation);
        assert!(!warnings(&conversation).is_empty(), "{breaking}");
    }
}

#[test]
fn without_what_the_task_started_from_the_gate_holds_and_says_so() {
    let conversation = wanted();
    fs::remove_dir_all(conversation.environment.verger_home().join("data/trees")).unwrap();
    check_held(&conversation);
    assert_snapshot!(warnings(&conversation)[0], @"review gate: the start of the task is no longer recorded");
}

#[test]
fn a_reviewer_of_unreadable_work_cannot_approve() {
    let conversation = wanted();
    conversation.run("mv .git .gone");
    assert_snapshot!(conversation.start_subagent("r1", "verger:reviewer"), @"context: verger: you cannot decide this review: verger could not read the changes of this task. Report to the main agent, word for word, that verger does not accept this reviewer and why, and that a person has to fix it.");
}

#[test]
fn a_git_that_hangs_holds_nobody_up_for_long() {
    let mut conversation = wanted();
    let bin = conversation.environment.root().join("bin");
    conversation.environment.write_program(bin.join("git"), "#!/bin/sh\nexec sleep 60\n");
    conversation.environment.find_programs_in(&bin);
    let start = Instant::now();
    assert_eq!(conversation.stop().word(), "block");
    assert!(start.elapsed() < Duration::from_secs(5), "it took {:?}", start.elapsed());
    assert_snapshot!(warnings(&conversation).join("\n"), @"verification gate: cannot compare the working tree within its time");
}

#[test]
fn a_task_that_cannot_be_compared_with_its_start_is_held_by_what_tools_touch() {
    let mut conversation = conversation();
    let path =
        conversation.environment.command("true").get_envs().find_map(|(name, value)| {
            (name == "PATH").then(|| value.map(ToOwned::to_owned)).flatten()
        });
    conversation.environment.set("PATH", "/nonexistent");
    assert_eq!(conversation.prompt("#review fix it"), HookAnswer::default());
    conversation.write("parser.rs", "fn parse() {}\n");
    conversation.environment.set("PATH", path.unwrap());
    let blocked = conversation.stop();
    assert!(blocked.reason().contains("Changed so far: 1 file\n"), "{blocked}");
    assert_snapshot!(news(&conversation).join("\n"), @r#"
    main gate.changed review idle -> pending: review wanted by a prompt with #review
    main start_tree.taken {"reason":"there is no working tree of git here: GitMissing"}
    main gate.changed verification idle -> claimed: the agent wanted to stop without a green verification: this work was not verified yet
    main gate.changed review pending -> blocked: stop refused, number 1
    main verdict.given deny by review
    "#);
}

#[test]
fn a_configuration_that_was_cut_off_is_told_and_what_can_be_read_of_it_counts() {
    let mut conversation = conversation();
    let tools = "gated_tools = [\"Bash:gh issue close*\"]";
    for (number, (cut, expected)) in [
        (format!("[review]\n{tools}\nmode = \"alw"), "deny"),
        (format!("[review]\n{tools}\n[gates"), "deny"),
        ("[review]\ngated_tools = [\"Bash:gh issue close*\", \"Ba".to_owned(), "silence"),
        (format!("\u{feff}[review]\n{tools}\n"), "deny"),
        (String::new(), "silence"),
    ]
    .into_iter()
    .enumerate()
    {
        conversation.configure(&cut);
        conversation.continue_as(&number.to_string());
        assert_eq!(conversation.prompt("#review fix it"), HookAnswer::default());
        assert_eq!(conversation.bash(Speaker::Main, CLOSE).word(), expected, "{cut}");
        assert_eq!(conversation.stop().word(), "block", "{cut}");
    }
    assert_snapshot!(warnings(&conversation).join("\n"), @r#"
    config: $ENV/home/.verger/config/config.toml:3:12: syntax error: invalid basic string, expected `"`
    config: $ENV/home/.verger/config/config.toml:3:7: syntax error: unclosed table, expected `]`; the keys up to the next section are ignored
    config: $ENV/home/.verger/config/config.toml:2:15: syntax error: the bracket or quote that opens here is never closed
    "#);
}

#[test]
fn a_pattern_that_is_none_is_told_once_and_the_others_count() {
    let conversation = conversation();
    let bad = ["gh issue close", "Edit:src/*", "Bash:", "Bash:gh; rm", "Bash:*"];
    let tools = serde_json::to_string(&[&bad[..], &["Bash:gh issue close*"]].concat()).unwrap();
    conversation.configure(format!("[review]\ngated_tools = {tools}\n"));
    assert_eq!(conversation.call("SessionStart-resume", &[]), HookAnswer::default());
    for _ in 0..2 {
        assert_eq!(conversation.prompt("fix it"), HookAnswer::default());
        assert_eq!(conversation.bash(Speaker::Main, "rm x; gh pr close 5").word(), "silence");
        assert_eq!(conversation.bash(Speaker::Main, CLOSE).word(), "deny");
    }
    assert_snapshot!(warnings(&conversation).join("\n"), @r#"
    config: $ENV/home/.verger/config/config.toml:2: entry 1 of "review.gated_tools" is ignored: a tool's name has letters, digits, `_`, `-` and `*`
    $ENV/home/.verger/config/config.toml:2: entry 2 of "review.gated_tools" is ignored: only Bash patterns can name a command: write a tool's name, or `Bash:gh issue close*`
    $ENV/home/.verger/config/config.toml:2: entry 3 of "review.gated_tools" is ignored: the pattern is empty: write a program and its first words, like `gh issue close*`
    $ENV/home/.verger/config/config.toml:2: entry 4 of "review.gated_tools" is ignored: `;` has no meaning in a pattern: write one command, without quotes and operators
    $ENV/home/.verger/config/config.toml:2: entry 5 of "review.gated_tools" is ignored: `*` is not the name of a program: write it without a path and without `*`
    "#);
}

#[test]
fn a_template_that_cannot_be_used_is_told_and_the_built_in_one_is_used() {
    let conversation = wanted();
    conversation.configure("[review]\ntemplate = \"mine\"\n");
    let file = conversation.environment.verger_home().join("config/templates/block-mine.md");
    let expected = conversation.stop().verdict;
    let mut blocks = 1;
    let mut check = |conversation: &Conversation| {
        conversation.write("parser.rs", &format!("// {blocks}\n"));
        blocks += 1;
        let blocked = conversation.stop();
        assert_eq!(blocked.verdict, expected);
    };
    conversation.environment.write(&file, b"\xff\xfe{{why}}");
    check(&conversation);
    conversation.environment.write(&file, " \n\t\n");
    check(&conversation);
    conversation.environment.write(&file, "x".repeat(20_000));
    check(&conversation);
    fs::remove_file(&file).unwrap();
    let made = conversation.environment.run("mkfifo", [&file], "");
    assert_eq!(made.success().to_string(), "");
    check(&conversation);
    fs::remove_file(&file).unwrap();
    fs::create_dir(&file).unwrap();
    check(&conversation);
    assert_snapshot!(warnings(&conversation).join("\n"), @r#"
    template: $ENV/home/.verger/config/templates/block-mine.md: there is no such template; the built-in template is used instead
    template: $ENV/home/.verger/config/templates/block-mine.md: it is not UTF-8; the built-in template is used instead
    template: $ENV/home/.verger/config/templates/block-mine.md: it is empty; the built-in template is used instead
    template: $ENV/home/.verger/config/templates/block-mine.md: it is larger than 16 KiB; the built-in template is used instead
    template: $ENV/home/.verger/config/templates/block-mine.md: it is not a file; the built-in template is used instead
    template: $ENV/home/.verger/config/templates/block-mine.md: it is not a file; the built-in template is used instead
    "#);
}

#[test]
fn a_template_of_the_users_own_is_used_as_it_is_and_what_it_does_not_know_stays() {
    let conversation = wanted();
    conversation.configure("[review]\ntemplate = \"mine\"\n");
    let file = conversation.environment.verger_home().join("config/templates/block-mine.md");
    conversation.environment.write(&file, "Halt: {{why}} ({{changes}}). {{whom}} {{session_id}}\n");
    assert_snapshot!(conversation.stop(), @r#"
    block: Halt: this work was not reviewed yet (1 file). {{whom}} f0357e9b-fb48-41a1-afb7-88e26c9c25cd
    notice: verger: the agent wanted to stop; a review is needed first (wanted by a prompt with #review; refusal 1 of 3). To let it stop without one, run in your own terminal: verger release review --session f0357e9b-fb48-41a1-afb7-88e26c9c25cd
    "#);
    assert_snapshot!(warnings(&conversation).join("\n"), @"template: $ENV/home/.verger/config/templates/block-mine.md: {{whom}} is no known placeholder and stays as it is");
}

#[test]
fn a_payload_that_leaves_things_out_is_held_all_the_same() {
    let conversation = wanted();
    let bare = |event: &str, more: &str| {
        let session = conversation.session();
        conversation.send(event, format!("{{\"session_id\":\"{session}\"{more}}}"))
    };
    assert_eq!(bare("Stop", "").word(), "block");
    assert_eq!(bare("Stop", ",\"cwd\":7,\"stop_hook_active\":\"yes\"").word(), "block");
    let input = format!(",\"tool_name\":\"Bash\",\"tool_input\":{{\"command\":\"{CLOSE}\"}}");
    assert_eq!(bare("PreToolUse", &input).word(), "deny");
}

#[test]
fn long_texts_in_any_script_are_no_trouble() {
    let conversation = wanted();
    for text in ["あ".repeat(20_000), "é".repeat(10_241), "\u{1f41b}".repeat(300_000)] {
        assert_eq!(conversation.prompt(&format!("#review {text}")), HookAnswer::default());
        let line = format!("{CLOSE} --comment '{text}'");
        assert_eq!(conversation.bash(Speaker::Main, &line).word(), "deny");
        let note = json!({ "command": CLOSE, "description": text });
        assert_eq!(conversation.tool(Speaker::Main, "Bash", &note).word(), "deny");
    }
    assert_eq!(conversation.stop().word(), "block");
    assert_eq!(warnings(&conversation), Vec::<String>::new());
}
