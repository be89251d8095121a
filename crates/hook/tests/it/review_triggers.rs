//! Tests what starts a review: words at the beginning of a prompt, and the mode.

use insta::assert_snapshot;
use serde_json::json;
use verger_testkit::{Conversation, HookAnswer, Speaker};

use crate::gate_stage::{conversation, news};

/// A prompt, whether it asks for a review, and the reason.
const PROMPTS: &[(&str, bool, &str)] = &[
    ("#review", true, "the word alone"),
    ("#roz", true, "the other word"),
    ("#review fix it", true, "a space"),
    ("#review\nfix it", true, "a line"),
    ("#review\tfix it", true, "a tab"),
    ("  #review fix it", true, "leading spaces"),
    ("\n\n\t#roz fix it", true, "leading lines"),
    ("\u{3000}#review fix it", true, "a leading ideographic space"),
    ("#review: fix it", true, "a colon"),
    ("#review, fix it", true, "a comma"),
    ("#review.", true, "a full stop"),
    ("#review(fix it)", true, "a bracket"),
    ("#review#roz", true, "another sign"),
    ("#review \u{1f41b} fix it", true, "a picture"),
    ("#review\u{1f41b}", true, "a picture at once"),
    ("#review バグを直して", true, "Japanese behind a space"),
    ("#review\u{3000}バグを直して", true, "Japanese behind its own space"),
    ("#review、バグを直して", true, "Japanese behind its own comma"),
    ("#reviewバグを直して", true, "Japanese at once: it has no spaces"),
    ("#review修复错误", true, "Chinese at once"),
    ("#roz를 고쳐", true, "Korean at once"),
    ("#reviewer fix it", false, "another word"),
    ("#reviews", false, "another word"),
    ("#review2", false, "a digit"),
    ("#reviewé", false, "an accented letter"),
    ("#reviewжи", false, "a letter of another script with capitals"),
    ("#rozzle", false, "another word"),
    ("#roz_x", false, "one word with an underscore"),
    ("#review-later", false, "one word with a hyphen"),
    ("#review/me", false, "a path"),
    ("#Review fix it", false, "capitals are other words"),
    ("please #review", false, "not at the beginning"),
    ("review", false, "without its sign"),
    ("# review", false, "a heading"),
    ("##review", false, "a heading"),
    ("fix it\n#review", false, "a later line"),
    ("", false, "nothing"),
];

/// Whether a stop is refused after this prompt, in a task that changed a file.
#[track_caller]
fn is_held(conversation: &Conversation, prompt: &str) -> bool {
    assert_eq!(conversation.prompt(prompt), HookAnswer::default());
    conversation.write("work.rs", &format!("// {}\n", news(conversation).len()));
    conversation.stop().word() == "block"
}

#[test]
fn a_review_is_wanted_by_a_whole_word_at_the_beginning() {
    let mut conversation = conversation();
    let mut wrong = vec![];
    for (number, case) in PROMPTS.iter().enumerate() {
        let (prompt, expected, _) = case;
        conversation.continue_as(&format!("session-{number}"));
        assert_eq!(conversation.prompt(prompt), HookAnswer::default());
        if (conversation.stop().word() == "block") != *expected {
            wrong.push(case);
        }
    }
    assert_eq!(wrong, Vec::<&(&str, bool, &str)>::new());
}

#[test]
fn words_of_the_users_own_replace_the_built_in_ones() {
    let mut conversation = conversation();
    conversation.configure("[review]\ntriggers = [\"/look\", \"レビュー\"]\n");
    let asked = ["/look at it", "レビューして", "#review", "/looking", "look"];
    let held = asked.map(|prompt| {
        conversation.continue_as(prompt);
        is_held(&conversation, prompt)
    });
    assert_eq!(held, [true, true, false, false, false]);
}

#[test]
fn words_sent_while_the_agent_works_count_too() {
    let conversation = conversation();
    assert_eq!(conversation.prompt("fix it"), HookAnswer::default());
    conversation.write("work.rs", "// 1\n");
    assert_eq!(conversation.prompt("#review and do it well"), HookAnswer::default());
    assert_eq!(conversation.stop().word(), "block");
}

#[test]
fn a_word_in_what_the_client_or_verger_says_asks_for_nothing() {
    let conversation = conversation();
    assert_eq!(conversation.prompt("fix it"), HookAnswer::default());
    conversation.write("work.rs", "// 1\n");
    let notification = "<task-notification>\n<task-id>a1</task-id>\n<summary>#review</summary>\n\
        <status>completed</status>\n</task-notification>";
    assert_eq!(conversation.prompt(notification), HookAnswer::default());
    assert_eq!(conversation.stop(), HookAnswer::default());
}

#[test]
fn in_the_mode_always_a_task_is_held_when_it_changed_something() {
    let conversation = conversation();
    conversation.configure("[review]\nmode = \"always\"\n");
    assert_eq!(conversation.prompt("what is this?"), HookAnswer::default());
    assert_eq!(conversation.stop(), HookAnswer::default());
    assert_eq!(conversation.prompt("look at it"), HookAnswer::default());
    conversation.run("cat README.md");
    let read = conversation.tool(Speaker::Main, "Read", &json!({ "file_path": "/x" }));
    assert_eq!(read, HookAnswer::default());
    assert_eq!(conversation.stop(), HookAnswer::default());
    assert_eq!(conversation.prompt("fix it"), HookAnswer::default());
    conversation.run("echo more >> README.md");
    assert_snapshot!(conversation.stop(), @r#"
    block: verger: do not stop yet: this work was not reviewed yet. An independent review has to approve this work first.
    Changed so far: 1 file
    What is left, in order:
    1. Finish the task and check your work yourself.
    2. Get the review: start the subagent `verger:reviewer` with your Agent (Task) tool. In its prompt, only describe the task; it looks at the work itself and decides. Wait for it, fix what it finds, and start a new one: each reviewer decides once.
    3. When it is approved, stop again. If the work changes afterwards, it needs a new review.
    You cannot approve your own work. A person can release this gate; you cannot, so tell them if you cannot go on.
    notice: verger: the agent wanted to stop; a review is needed first (wanted by review.mode = "always"; refusal 1 of 3). To let it stop without one, run in your own terminal: verger release review --session f0357e9b-fb48-41a1-afb7-88e26c9c25cd
    "#);
    assert_snapshot!(news(&conversation).join("\n"), @r#"
    main gate.changed review idle -> pending: review wanted by review.mode = "always"
    main gate.changed review pending -> idle: nothing to review
    main gate.changed review idle -> pending: review wanted by review.mode = "always"
    main start_tree.taken a tree
    main gate.changed review pending -> idle: nothing to review
    main gate.changed review idle -> pending: review wanted by review.mode = "always"
    main start_tree.taken a tree
    main gate.changed verification idle -> claimed: the agent wanted to stop without a green verification: this work was not verified yet
    main gate.changed review pending -> blocked: stop refused, number 1
    main verdict.given deny by review
    "#);
}

#[test]
fn in_the_mode_always_an_agent_that_goes_on_by_itself_is_held() {
    let conversation = conversation();
    conversation.configure("[review]\nmode = \"always\"\n");
    assert_eq!(conversation.prompt("start it and look at it later"), HookAnswer::default());
    conversation.run("true");
    assert_eq!(conversation.stop(), HookAnswer::default());
    let notification = [("prompt_id", json!("later"))];
    let told = conversation.call("UserPromptSubmit-task_notification", &notification);
    assert_eq!(told, HookAnswer::default());
    conversation.write("work.rs", "// late\n");
    assert_eq!(conversation.stop().word(), "block");
}

#[test]
fn in_the_mode_always_what_was_taken_back_needs_no_review() {
    let conversation = conversation();
    conversation.configure("[review]\nmode = \"always\"\n");
    assert_eq!(conversation.prompt("fix it"), HookAnswer::default());
    conversation.run("echo more >> README.md");
    assert_eq!(conversation.stop().word(), "block");
    conversation.run("git checkout --quiet README.md");
    assert_eq!(conversation.stop(), HookAnswer::default());
}

#[test]
fn an_explicit_wish_is_reviewed_even_when_nothing_changed() {
    for mode in ["always", "prompt"] {
        let conversation = conversation();
        conversation.configure(format!("[review]\nmode = \"{mode}\"\n"));
        assert_eq!(conversation.prompt("#review what is this?"), HookAnswer::default());
        let stopped = conversation.stop();
        assert!(stopped.reason().contains("Changed so far: nothing\n"), "{stopped}");
    }
}

#[test]
fn in_the_mode_never_no_stop_is_refused() {
    let conversation = conversation();
    conversation.configure("[review]\nmode = \"never\"\n[verification]\nmode = \"off\"\n");
    assert!(!is_held(&conversation, "#review fix it"));
    assert_eq!(news(&conversation), Vec::<String>::new());
}

#[test]
fn a_project_can_want_more_reviews_and_not_fewer() {
    let mut conversation = conversation();
    conversation.environment.write(".verger/config.toml", "[review]\nmode = \"always\"\n");
    assert!(is_held(&conversation, "fix it"));
    conversation.continue_as("other");
    conversation.environment.write(".verger/config.toml", "[review]\nmode = \"never\"\n");
    assert!(is_held(&conversation, "#review fix it"));
}
