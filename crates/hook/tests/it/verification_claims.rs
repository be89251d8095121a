//! Tests the verification gate in the hook, with real git: when it refuses a stop, what it
//! requires, and when it releases the agent.

use insta::assert_snapshot;
use serde_json::json;
use verger_gate::verification::{Depth, Input, Status, Verified};
use verger_testkit::{Conversation, HookAnswer, Speaker, captured};

use crate::gate_stage::{conversation, warnings};
use crate::recall;
use crate::verification_stage::{
    DONE, QUESTION, changed, claiming, ended, failed, gate, phases, quiet, record, say, succeeded,
    verify, verify_with, with_issue,
};

/// The depth in the command that the agent gets with a refusal.
#[track_caller]
fn told_profile(answer: &HookAnswer) -> String {
    let told = answer.to_string();
    let command = "verger verify --session f0357e9b-fb48-41a1-afb7-88e26c9c25cd --depth ";
    let (_, behind) = told.split_once(command).unwrap_or_else(|| panic!("no command: {told}"));
    behind.chars().take_while(char::is_ascii_lowercase).collect()
}

#[test]
fn done_without_a_verification_is_refused_with_the_command_and_green_passes() {
    let conversation = claiming();
    assert_snapshot!(say(&conversation, DONE), @r#"
    block: verger: do not stop yet: this work was not verified yet. You are asked because you said "the parser is fixed and all tests pass".
    What is left, in order:
    1. Run `verger verify --session f0357e9b-fb48-41a1-afb7-88e26c9c25cd --depth quick`. It runs the checks of this project, changes nothing, and may take a while; if it says that it is still running, run the same command again. Fix what it finds and run it again.
    2. When it passes, stop again. If the work changes afterwards, it has to be verified again.
    A claim that it is done is not enough. When work is done, here and in later tasks, end your last message with [[VERIFY:done]]. A person can release this gate; you cannot, so tell them if you cannot go on.
    notice: verger: the agent wanted to stop; this work was not verified yet (the agent said "the parser is fixed and all tests pass"; refusal 1 of 3). To let it stop without a green verification, run in your own terminal: verger release verify --session f0357e9b-fb48-41a1-afb7-88e26c9c25cd
    "#);
    verify(&conversation, Depth::Quick, Status::Green);
    assert_eq!(say(&conversation, DONE), HookAnswer::default());
    conversation.write("parser.rs", "fn parse() { 7 }\n");
    assert_eq!(say(&conversation, DONE).word(), "block", "it is not what was verified");
    conversation.write("parser.rs", "fn parse() {}\n");
    assert_eq!(say(&conversation, DONE), HookAnswer::default(), "and now it is again");
    assert_snapshot!(phases(&conversation).join("\n"), @r#"
    blocked: stop refused, number 1
    blocked: quick verification is green
    verified: nothing to verify
    blocked: stop refused, number 1
    verified: nothing to verify
    "#);
}

#[test]
fn however_the_same_content_is_recorded_green_is_green() {
    let conversation = claiming();
    verify(&conversation, Depth::Quick, Status::Green);
    conversation.run("git add -A && git commit -qm work");
    assert_eq!(say(&conversation, DONE), HookAnswer::default());
    quiet(&conversation.prompt("and the printer"));
    conversation.write("printer.rs", "fn print() {}\n");
    assert_eq!(say(&conversation, DONE).word(), "block");
    verify(&conversation, Depth::Quick, Status::Green);
    conversation.run("git stash -q -u");
    assert_eq!(say(&conversation, DONE).word(), "block", "it is not what was verified");
    conversation.run("git stash pop -q");
    assert_eq!(say(&conversation, DONE), HookAnswer::default());
}

#[test]
fn issues_of_a_verification_reach_the_agent() {
    let conversation = claiming();
    verify_with(&conversation, Depth::Quick, Status::Red, with_issue);
    assert_snapshot!(say(&conversation, DONE), @r#"
    block: verger: do not stop yet: the verification of this work is red. You are asked because you said "the parser is fixed and all tests pass".
    What is wrong:
    - parser.rs:1: this function is never used (lint)
    What is left, in order:
    1. Fix what lint found; `cargo clippy` shows all of it.
    2. Run `verger verify --session f0357e9b-fb48-41a1-afb7-88e26c9c25cd --depth quick` again.
    3. When it passes, stop again. If the work changes afterwards, it has to be verified again.
    A claim that it is done is not enough. When work is done, here and in later tasks, end your last message with [[VERIFY:done]]. A person can release this gate; you cannot, so tell them if you cannot go on.
    notice: verger: the agent wanted to stop; the verification of this work is red (the agent said "the parser is fixed and all tests pass"; refusal 1 of 3). To let it stop without a green verification, run in your own terminal: verger release verify --session f0357e9b-fb48-41a1-afb7-88e26c9c25cd
    "#);
}

#[test]
fn only_a_claim_of_being_done_needs_a_verification() {
    let conversation = claiming();
    assert_eq!(say(&conversation, QUESTION), HookAnswer::default());
    assert_eq!(say(&conversation, ""), HookAnswer::default());
    assert_eq!(say(&conversation, "[[VERIFY:done]]").word(), "block");
    assert_eq!(say(&conversation, QUESTION).word(), "block", "once asked, it asks");
}

#[test]
fn without_a_setting_and_without_a_change_nobody_is_asked() {
    let conversation = changed("[verification]\nmode = \"off\"\n");
    assert_eq!(say(&conversation, "[[VERIFY:done]]"), HookAnswer::default());
    assert_eq!(phases(&conversation), Vec::<String>::new());
    let conversation = changed("");
    assert_eq!(say(&conversation, "[[VERIFY:done]]"), HookAnswer::default());
    let claimed = "claimed: the agent wanted to stop without a green verification: this work was not verified yet";
    assert_eq!(phases(&conversation), [claimed]);
    let conversation = crate::gate_stage::conversation();
    conversation.configure("[verification]\nmode = \"always\"\n");
    quiet(&conversation.prompt("what does it do?"));
    assert_eq!(conversation.bash(Speaker::Main, "ls"), HookAnswer::default());
    assert_eq!(say(&conversation, DONE), HookAnswer::default());
}

#[test]
fn a_plain_answer_after_a_settled_claim_is_not_held() {
    let conversation = claiming();
    assert_eq!(say(&conversation, DONE).word(), "block");
    verify(&conversation, Depth::Quick, Status::Green);
    assert_eq!(say(&conversation, DONE), HookAnswer::default());
    let settled = phases(&conversation);
    quiet(&conversation.prompt("what was wrong with the parser?"));
    succeeded(&conversation, "cat parser.rs");
    assert_eq!(say(&conversation, "Fixed was the missing brace."), HookAnswer::default());
    assert_eq!(say(&conversation, "[[VERIFY:done]]"), HookAnswer::default());
    assert_eq!(phases(&conversation), settled);
    quiet(&conversation.prompt("then fix the printer as well"));
    conversation.write("printer.rs", "fn print() {}\n");
    assert_eq!(say(&conversation, "Fixed the printer.").word(), "block");
}

#[test]
fn a_session_that_starts_with_context_is_told_the_marker() {
    const TOLD: &str = "end your last message with [[VERIFY:done]]";
    let started = |configuration: &str| {
        let conversation = recall::with_ticket();
        conversation.configure(configuration);
        conversation.call("SessionStart-resume", &[]).context.unwrap_or_default()
    };
    let off = started("");
    assert!(off.contains("learn-zone") && !off.contains(TOLD), "{off}");
    let on = started("[verification]\nmode = \"claims\"\n");
    assert!(on.contains("learn-zone") && on.contains(TOLD), "{on}");
    let bare = claiming();
    quiet(&bare.call("SessionStart-resume", &[]));
}

#[test]
fn every_change_is_asked_for_where_the_mode_says_so() {
    let conversation = changed("[verification]\nmode = \"always\"\n");
    let told = say(&conversation, QUESTION).to_string();
    assert!(told.contains("You are asked because every change is verified here."), "{told}");
    conversation.run("rm parser.rs");
    assert_eq!(say(&conversation, QUESTION), HookAnswer::default(), "it was taken back");
}

#[test]
fn a_test_that_failed_asks_until_it_succeeds_whoever_ran_it() {
    let conversation = claiming();
    let agent = Speaker::Subagent { id: "s0", agent_type: "general" };
    ended(&conversation, agent, "cd x && cargo test -p save 2>&1", "PostToolUseFailure-Bash");
    succeeded(&conversation, "cargo test -p save | tail -3");
    let told = say(&conversation, QUESTION);
    assert!(told.to_string().contains("`cargo test -p save` failed and has not succeeded since"));
    assert_eq!(told_profile(&told), "standard");
    let conversation = claiming();
    failed(&conversation, "cargo test -p save");
    succeeded(&conversation, "cargo test");
    assert_eq!(say(&conversation, QUESTION), HookAnswer::default());
    failed(&conversation, "ls nowhere");
    failed(&conversation, "verger verify --session x");
    assert_eq!(say(&conversation, QUESTION), HookAnswer::default(), "that is not watched");
    let expected = ["idle: failed: cargo test -p save", "idle: succeeded: cargo test -p save"];
    assert_eq!(phases(&conversation), expected);
}

#[test]
fn a_person_who_interrupts_a_test_failed_nothing() {
    let conversation = claiming();
    let id = conversation.next_tool_use();
    let input = json!({ "command": "cargo test", "description": "x" });
    let changes =
        [("tool_input", input), ("tool_use_id", json!(id)), ("is_interrupt", json!(true))];
    quiet(&conversation.call("PostToolUseFailure-Bash", &changes));
    assert_eq!(phases(&conversation), Vec::<String>::new());
}

#[test]
fn the_user_watches_more() {
    let conversation = changed(
        "[verification]\nmode = \"claims\"\nwatch = [\"Bash:npm run e2e*\", \"gh issue\"]\n",
    );
    failed(&conversation, "npm run e2e:login");
    let told = say(&conversation, QUESTION).to_string();
    assert!(told.contains("`npm run e2e:login` failed and has not succeeded since"), "{told}");
    quiet(&conversation.call("SessionStart-startup", &[]));
    let warnings = warnings(&conversation).join("\n");
    assert!(warnings.contains("verification.watch"), "what is no pattern is told: {warnings}");
}

/// A session with the verification gate on and with these changes.
#[track_caller]
fn with_work(files: &[(&str, usize)]) -> Conversation {
    let conversation = claiming();
    for (path, lines) in files {
        conversation.write(path, &"line\n".repeat(*lines));
    }
    conversation
}

#[test]
fn risky_work_is_verified_at_a_deeper_depth() {
    let names: Vec<_> = (0..10).map(|number| format!("f{number}.txt")).collect();
    let ten: Vec<_> = names.iter().map(|name| (name.as_str(), 1)).collect();
    for (files, expected) in [
        (&[][..], "quick"),
        (&ten[..9], "quick"),
        (&ten, "standard"),
        (&[("big.txt", 499)], "quick"),
        (&[("big.txt", 500)], "standard"),
        (&[("src/auth/login.rs", 1)], "standard"),
        (&[("Cargo.lock", 1), ("big.txt", 600)], "deep"),
    ] {
        let conversation = with_work(files);
        assert_eq!(told_profile(&say(&conversation, DONE)), expected, "{files:?}");
    }
    let conversation = with_work(&[]);
    failed(&conversation, "cargo test");
    assert_eq!(told_profile(&say(&conversation, DONE)), "standard");
    verify(&conversation, Depth::Quick, Status::Red);
    for _ in 0..3 {
        assert_eq!(say(&conversation, DONE).word(), "block");
    }
    assert_eq!(say(&conversation, DONE).word(), "silence", "the breaker");
    quiet(&conversation.prompt("the next task"));
    conversation.write("printer.rs", "fn print() {}\n");
    assert_eq!(told_profile(&say(&conversation, DONE)), "standard", "an earlier problem");
    verify(&conversation, Depth::Quick, Status::Green);
    let told = say(&conversation, DONE).to_string();
    assert!(told.contains("was verified with depth quick, which is not deep enough"), "{told}");
    verify(&conversation, Depth::Deep, Status::Green);
    assert_eq!(say(&conversation, DONE), HookAnswer::default());
}

#[test]
fn a_verification_that_still_runs_is_waited_for() {
    let conversation = claiming();
    verify(&conversation, Depth::Quick, Status::Incomplete);
    let content = gate(&conversation).last.unwrap().verified.content;
    conversation.write("parser.rs", "fn parse() { 7 }\n");
    let started = |run| Input::Started { run, depth: Depth::Quick, content: &content };
    record(&conversation, &started("run-2"));
    let told = say(&conversation, DONE).to_string();
    assert!(told.contains("the work changed after it was verified"), "{told}");
    conversation.write("parser.rs", "fn parse() {}\n");
    let told = say(&conversation, DONE).to_string();
    assert!(told.contains("is incomplete: a required check did not run"), "{told}");
    let conversation = claiming();
    record(&conversation, &started("run-3"));
    let told = say(&conversation, DONE).to_string();
    assert!(told.contains("a verification of this work is still running"), "{told}");
    assert_eq!(told_profile(&say(&conversation, DONE)), "quick");
}

/// Reports that the agent added or completed an item of its to-do list.
fn todo(conversation: &Conversation, event: &str, id: &str) {
    let changes = [("task_id", json!(id)), ("task_subject", json!("Write the tests"))];
    assert_eq!(conversation.call(event, &changes), HookAnswer::default());
}

#[test]
fn the_agents_own_list_is_looked_at_when_it_stops() {
    let conversation = claiming();
    todo(&conversation, "TaskCreated", "1");
    todo(&conversation, "TaskCreated", "2");
    verify(&conversation, Depth::Quick, Status::Green);
    assert_snapshot!(say(&conversation, DONE), @r#"
    block: verger: do not stop yet: this work is verified, but other requirements are not met. You are asked because you said "the parser is fixed and all tests pass".
    What is wrong:
    - not done: #1 Write the tests (open tasks)
    - not done: #2 Write the tests (open tasks)
    What is left, in order:
    1. Finish the open items of your list, or remove those that no longer apply.
    2. Then stop again. If files change before that, run `verger verify --session f0357e9b-fb48-41a1-afb7-88e26c9c25cd --depth quick` first.
    A claim that it is done is not enough. When work is done, here and in later tasks, end your last message with [[VERIFY:done]]. A person can release this gate; you cannot, so tell them if you cannot go on.
    notice: verger: the agent wanted to stop; this work is verified, but other requirements are not met (the agent said "the parser is fixed and all tests pass"; refusal 1 of 3). To let it stop without a green verification, run in your own terminal: verger release verify --session f0357e9b-fb48-41a1-afb7-88e26c9c25cd
    "#);
    todo(&conversation, "TaskCompleted", "1");
    assert_eq!(say(&conversation, DONE).word(), "block");
    let id = conversation.next_tool_use();
    let input = json!({ "taskId": "2", "status": "deleted" });
    let changes = [("tool_input", input), ("tool_use_id", json!(id))];
    quiet(&conversation.call("PostToolUse-TaskUpdate-completed", &changes));
    assert_eq!(say(&conversation, DONE), HookAnswer::default());
}

#[test]
fn a_list_that_is_written_as_a_whole_is_looked_at_too() {
    let conversation = claiming();
    let write = |statuses: [&str; 2]| {
        let item =
            |status| json!({ "content": "Run it", "status": status, "activeForm": "Running" });
        let changes = [
            ("tool_input", json!({ "todos": statuses.map(item) })),
            ("tool_use_id", json!(conversation.next_tool_use())),
        ];
        quiet(&conversation.call("PostToolUse-TodoWrite", &changes));
    };
    write(["completed", "in_progress"]);
    verify(&conversation, Depth::Quick, Status::Green);
    let told = say(&conversation, DONE).to_string();
    assert!(told.contains("- not done: #todo-2 Run it (open tasks)\nWhat is left"), "{told}");
    write(["completed", "pending"]);
    assert_eq!(say(&conversation, DONE).word(), "block");
    write(["completed", "completed"]);
    assert_eq!(say(&conversation, DONE), HookAnswer::default());
}

#[test]
fn a_failure_of_the_list_alone_ends_with_the_list() {
    let conversation = claiming();
    todo(&conversation, "TaskCreated", "1");
    let of_list = |verified| Verified { lasting: Some(Status::Green), ..verified };
    verify_with(&conversation, Depth::Quick, Status::Red, of_list);
    assert_eq!(say(&conversation, DONE).word(), "block");
    todo(&conversation, "TaskCompleted", "1");
    assert_eq!(say(&conversation, DONE), HookAnswer::default());
}

#[test]
fn commits_are_looked_at_when_they_are_required_and_only_the_tasks_own() {
    let conversation = conversation();
    conversation.run("echo mine > users.txt");
    conversation.configure("[verification]\nmode = \"claims\"\nrequire = [\"committed\"]\n");
    quiet(&conversation.prompt("fix the parser"));
    conversation.write("parser.rs", "fn parse() {}\n");
    verify(&conversation, Depth::Quick, Status::Green);
    assert_snapshot!(say(&conversation, DONE), @r#"
    block: verger: do not stop yet: this work is verified, but other requirements are not met. You are asked because you said "the parser is fixed and all tests pass".
    What is wrong:
    - parser.rs: is not committed (git state)
    What is left, in order:
    1. Commit the work.
    2. Then stop again. If files change before that, run `verger verify --session f0357e9b-fb48-41a1-afb7-88e26c9c25cd --depth quick` first.
    A claim that it is done is not enough. When work is done, here and in later tasks, end your last message with [[VERIFY:done]]. A person can release this gate; you cannot, so tell them if you cannot go on.
    notice: verger: the agent wanted to stop; this work is verified, but other requirements are not met (the agent said "the parser is fixed and all tests pass"; refusal 1 of 3). To let it stop without a green verification, run in your own terminal: verger release verify --session f0357e9b-fb48-41a1-afb7-88e26c9c25cd
    "#);
    conversation.run("git add parser.rs && git commit -qm work");
    assert_eq!(say(&conversation, DONE), HookAnswer::default());
}

#[test]
fn a_review_that_is_required_is_looked_at_in_every_depth() {
    let conversation = changed("[verification]\nmode = \"claims\"\nrequire = [\"review\"]\n");
    verify(&conversation, Depth::Quick, Status::Green);
    assert_snapshot!(say(&conversation, DONE), @r#"
    block: verger: do not stop yet: this work is verified, but other requirements are not met. You are asked because you said "the parser is fixed and all tests pass".
    What is wrong:
    - the reviewer did not approve the current work (review)
    What is left, in order:
    1. Get the review: start the subagent `verger:reviewer` with your Agent (Task) tool. In its prompt, only describe the task; it looks at the work itself and decides. Wait for it, fix what it finds, and start a new one: each reviewer decides once.
    2. Then stop again. If files change before that, run `verger verify --session f0357e9b-fb48-41a1-afb7-88e26c9c25cd --depth quick` first.
    A claim that it is done is not enough. When work is done, here and in later tasks, end your last message with [[VERIFY:done]]. A person can release this gate; you cannot, so tell them if you cannot go on.
    notice: verger: the agent wanted to stop; this work is verified, but other requirements are not met (the agent said "the parser is fixed and all tests pass"; refusal 1 of 3). To let it stop without a green verification, run in your own terminal: verger release verify --session f0357e9b-fb48-41a1-afb7-88e26c9c25cd
    "#);
}

#[test]
fn gates_speak_in_one_message_in_the_order_of_the_work() {
    let conversation = conversation();
    conversation.configure(
        "[verification]\nmode = \"claims\"\n[tickets]\nsession = true\n[learning]\nauto_skip = false\n",
    );
    quiet(&conversation.prompt("#review fix the parser"));
    conversation.write("parser.rs", "fn parse() {}\n");
    let told = say(&conversation, DONE);
    let text = told.to_string();
    let places: Vec<_> = [
        "do not stop yet: this work was not verified yet",
        "Before you stop, do this too:",
        "this work was not reviewed yet",
        "verger: before you stop, do this too: ",
        "notice: verger: the agent wanted to stop; this work was not verified yet",
    ]
    .map(|part| text.find(part))
    .into();
    assert!(places.is_sorted() && places[0].is_some(), "{places:?}: {text}");
    assert_eq!(text.matches("block: ").count(), 1);
}

#[test]
fn a_stop_beside_a_running_subagent_passes_and_is_asked_for_later() {
    let conversation = claiming();
    quiet(&conversation.start_subagent("a1", "general"));
    let mut background = captured("Stop-first-bgtask")["background_tasks"].clone();
    background[0]["id"] = json!("a1");
    let beside = [("background_tasks", background), ("last_assistant_message", json!(DONE))];
    assert_eq!(conversation.call("Stop-first-bgtask", &beside), HookAnswer::default());
    quiet(&conversation.stop_subagent("a1", "general"));
    assert_eq!(say(&conversation, DONE).word(), "block");
}

#[test]
fn three_refusals_and_then_the_agent_goes_with_a_warning() {
    let conversation = claiming();
    let active = [("stop_hook_active", json!(true)), ("last_assistant_message", json!(DONE))];
    for number in 1..=3 {
        let notice = conversation.call("Stop-first", &active).notice.unwrap();
        assert!(notice.contains(&format!("refusal {number} of 3")), "{notice}");
    }
    let passed = conversation.call("Stop-first", &active);
    assert_eq!(passed.word(), "silence");
    assert_snapshot!(passed.notice.unwrap(), @"verger: WARNING: not verified. The agent stopped: the gate released it after several refusals without progress; this work was not verified yet. See: verger why --last --session f0357e9b-fb48-41a1-afb7-88e26c9c25cd");
    assert_eq!(say(&conversation, DONE), HookAnswer::default(), "tripped");
    conversation.pass_seconds(300);
    assert_eq!(say(&conversation, DONE).word(), "block");
}

#[test]
fn our_own_reason_coming_back_is_nobodys_prompt() {
    let conversation = claiming();
    let reason = say(&conversation, DONE).reason().to_owned();
    quiet(&conversation.prompt(&reason));
    let notice = say(&conversation, DONE).notice.unwrap();
    assert!(notice.contains("refusal 2 of 3"), "{notice}");
    quiet(&conversation.prompt("go on"));
    assert!(say(&conversation, DONE).notice.unwrap().contains("refusal 3 of 3"));
}
