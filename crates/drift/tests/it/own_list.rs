//! The agent's own list of what it is going to do, as far as it says whether the work is done.

use serde_json::{Value, json};

use crate::session::Session;

fn creates(session: Session, subject: &str) -> Session {
    session.does("TaskCreate", &json!({ "subject": subject }), None)
}

fn completes(session: Session, id: &str) -> Session {
    session.does("TaskUpdate", &json!({ "taskId": id, "status": "completed" }), None)
}

fn plans(session: Session, items: impl Iterator<Item = (String, &'static str)>) -> Session {
    let todos: Vec<Value> =
        items.map(|(content, status)| json!({ "content": content, "status": status })).collect();
    session.does("TodoWrite", &json!({ "todos": todos }), None)
}

/// What a change elsewhere is held to be. Only what comes after the work is held to be that.
fn is_done(session: Session) -> bool {
    let session = session.edits("lib/billing/ledger.rb", "a", "ledger");
    let reasons = format!("{:?}", session.0.assess().reasons);
    assert!(reasons.contains("ledger.rb"), "{reasons}");
    reasons.contains("AfterDone")
}

#[test]
fn nothing_is_done_while_something_is_left_on_a_list() {
    let begun = || {
        Session::of("add avatars with a round border")
            .writes("src/avatar.ts", "round avatar border")
    };
    let of = |over: usize, left: usize| {
        let item = move |n| (format!("part {n}"), if n < over { "completed" } else { "pending" });
        (0..over + left).map(item)
    };
    let listed = |session| creates(creates(session, "avatar"), "border");
    let found = [
        ("all is done", is_done(completes(completes(listed(begun()), "1"), "2"))),
        ("one of two is", is_done(completes(listed(begun()), "1"))),
        (
            "one of a list that was made before the person spoke",
            is_done(completes(listed(begun()).says("and make the border blue"), "1")),
        ),
        ("all of a long list", is_done(plans(begun(), of(40, 0)))),
        ("all but the last of a long list", is_done(plans(begun(), of(40, 1)))),
        ("a list is cleared", is_done(plans(begun(), of(0, 0)))),
        (
            "a list of which something was left is cleared",
            is_done(plans(plans(begun(), of(1, 2)), of(0, 0))),
        ),
        (
            "a list of which nothing was left is cleared",
            is_done(plans(plans(begun(), of(3, 0)), of(0, 0))),
        ),
    ];
    let expected = [
        ("all is done", true),
        ("one of two is", false),
        ("one of a list that was made before the person spoke", false),
        ("all of a long list", true),
        ("all but the last of a long list", false),
        ("a list is cleared", false),
        ("a list of which something was left is cleared", false),
        ("a list of which nothing was left is cleared", true),
    ];
    assert_eq!(found, expected);
}
