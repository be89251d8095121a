//! What only shows in work that takes its time: lists, commits, and places beside the work.

use serde_json::json;

use crate::session::Session;

/// `x done`, `- open`
fn plans(session: Session, items: &[&str]) -> Session {
    let todo = |item: &&str| {
        let (mark, content) = item.split_once(' ').unwrap();
        json!({ "content": content, "status": if mark == "x" { "completed" } else { "pending" } })
    };
    let todos: Vec<_> = items.iter().map(todo).collect();
    session.does("TodoWrite", &json!({ "todos": todos }), None)
}

fn score(session: &Session) -> u8 {
    session.0.assess().score.get()
}

/// A jump from walls, with two things on the list.
fn wall_jump() -> Session {
    let session = Session::of("Let the player jump off walls, with a unit test");
    plans(session, &["- wall jump in the player", "- unit test"])
        .edits("actors/player.gd", "if jump", "if jump or wall jump")
        .edits("test/player_test.gd", "func a()", "func test_wall_jump()")
}

fn more_than_that(session: Session) -> Session {
    session
        .edits("actors/player.gd", "var speed", "var coyote_time")
        .writes("actors/dust.gd", "extends Particles")
        .edits("actors/camera.gd", "shake = 0", "shake = 4")
}

#[test]
fn what_comes_to_a_list_when_all_of_it_is_done_is_nobodys_wish() {
    let done = ["x wall jump in the player", "x unit test"];
    let after = |items: &[&str]| score(&more_than_that(plans(wall_jump(), items)));
    let grown = [&done[..], &["- coyote time", "- dust", "- camera"]].concat();
    let widened = ["- wall jump in the player", "x unit test", "- coyote time and dust for camera"];
    assert_eq!([after(&done), after(&grown), after(&widened)], [6, 6, 9]);
}

#[test]
fn large_work_is_planned_in_parts() {
    let done = ["x login", "x categories"];
    let after = |items: &[&str]| {
        let session = Session::of("Build an expense tracker with login, categories and a report");
        let session = plans(session, &["- login", "- categories"])
            .writes("app/login.py", "def login(): ...")
            .writes("app/categories.py", "class Category: ...");
        plans(session, &[&done[..], items].concat())
            .writes("app/report.py", "def monthly(): ...")
            .writes("app/charts.py", "def bars(): ...")
            .0
            .assess()
            .score
    };
    assert!(after(&["- the monthly report"]) > after(&["- push messages"]));
}

#[test]
fn a_list_says_what_the_work_is_about() {
    let after = |items: &[&str]| {
        let session = Session::of("Users should be able to export their photos as an archive");
        plans(session, items)
            .edits("app/export.py", "def run", "def archive(photos)")
            .writes("app/throttle.py", "class Bucket: rate = 5")
            .edits("app/workers.py", "poll()", "poll(backoff)")
            .0
            .assess()
            .score
    };
    let about = ["- export job", "- throttle with a bucket", "- workers that poll with backoff"];
    let about_others = ["- export job", "- thumbnails in albums", "- mail with a signed address"];
    assert!(after(&about) > after(&about_others));
}

#[test]
fn what_fails_after_the_end_does_not_open_the_work_again() {
    let settled = || {
        Session::of("Fix the typo in the greeting of the welcome mail")
            .edits("mail/welcome.py", "Wellcome", "Welcome, greeting")
            .prints("pytest", "3 passed")
            .runs("git commit -am 'fix typo'")
            .writes("mail/theme.py", "class Theme: colours = {}")
    };
    let goes_on = |session: Session| score(&session.edits("mail/base.py", "a = 1", "theme = 1"));
    let failed = settled().fails("pytest", "1 failed, 2 passed");
    assert_eq!([goes_on(settled()), goes_on(failed)], [7, 7]);
}

#[test]
fn a_runner_that_nobody_knows_is_known_by_what_it_counts() {
    let after = |line: &str, output: &str| {
        let session = Session::of("Fix the typo in the greeting of the welcome mail")
            .edits("mail/welcome.py", "Wellcome", "Welcome, greeting")
            .prints(line, output);
        let more = session.writes("mail/theme.py", "x").edits("web/menu.py", "margin", "padding");
        score(&more)
    };
    let (runner, piped) = ("engine --headless -s run.gd", "cargo test | grep greeting");
    let found = [
        after(runner, "Passing 24  Failing 0"),
        after(runner, "ready"),
        after(piped, "test result: ok. 3 passed; 0 failed"),
        // Nobody sees what came of it.
        after(piped, "mail/welcome.py"),
    ];
    assert_eq!(found, [7, 8, 7, 8]);
}

#[test]
fn a_place_that_is_named_leaves_out_the_others() {
    let after = |prompt: &str| {
        Session::of(prompt)
            .edits("apps/admin/export.ts", "dot", "comma, locale")
            .edits("apps/shop/price.ts", "round", "floor")
            .edits("apps/mail/receipt.ts", "round", "floor")
            .0
            .assess()
            .score
    };
    let (named, not_named) =
        ("In apps/admin the export ignores the locale", "The export ignores the locale");
    assert!(after(named) < after(not_named));
}

#[test]
fn what_lies_below_what_led_away_leads_away() {
    let after = |below: &str| {
        Session::of("Revoke the tokens of a user who is deactivated")
            .edits("portal/admin/users.py", "deactivate()", "deactivate(); revoke(tokens)")
            .edits("portal/news/sender.py", "all()", "confirmed()")
            .edits(below, "href", "link")
            .0
            .assess()
            .score
    };
    assert!(after("portal/news/templates/issue.html") < after("portal/admin/pages/users.html"));
}

#[test]
fn the_same_failure_beside_others_is_still_the_same() {
    let turns = |outputs: &dyn Fn(u32) -> String| {
        let mut session = Session::of("testNestedSpaces fails, make the parser accept four spaces");
        for n in 0..7 {
            session = session
                .edits("src/parser.swift", &format!("indent > {n}"), &format!("indent > {}", n + 1))
                .fails("swift test", &outputs(n));
        }
        score(&session)
    };
    let beside = |n: u32| format!("testNestedSpaces: 1 is not 2\ntestOther{n}: failed");
    let others = |n: u32| format!("testOther{n}: failed\ntestNestedSpaces{n}: 1 is not 2");
    assert_eq!([turns(&beside), turns(&others)], [5, 10]);
}
