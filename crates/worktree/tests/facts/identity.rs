//! Tests of finding the user's identity in git's configuration.

use std::time::Duration;

use verger_worktree::{Git, user_identity};

use crate::{Ground, PATIENCE};

#[track_caller]
fn check(ground: &Ground, cwd: &str, expected: Option<&str>) {
    assert_eq!(user_identity(&ground.at(cwd), &ground.git()).as_deref(), expected);
}

#[test]
fn the_address_counts_before_the_name() {
    let ground = Ground::new();
    check(&ground, "", Some("ann@example.org"));
    ground.write("home/.gitconfig", "[user]\nname = Ann Other\n");
    check(&ground, "", Some("Ann Other"));
    ground.write("home/.gitconfig", "[user]\nname = Ann\nemail = \"\"\n");
    check(&ground, "", Some("Ann"));
    ground.write("home/.gitconfig", "[core]\nbare = false\n");
    check(&ground, "", None);
}

#[test]
fn a_repository_may_have_an_identity_of_its_own() {
    let ground = Ground::new();
    ground.repository("work");
    ground.run("work", &["config", "user.email", "ann@work.example"]);
    check(&ground, "work", Some("ann@work.example"));
    check(&ground, "", Some("ann@example.org"));
}

#[test]
fn a_value_that_is_no_identity_is_passed_over() {
    let ground = Ground::new();
    for email in ["a\\nb".to_owned(), "a\\tb".to_owned(), "x".repeat(257)] {
        ground.write("home/.gitconfig", &format!("[user]\nname = Ann\nemail = \"{email}\"\n"));
        check(&ground, "", Some("Ann"));
    }
    ground.write("home/.gitconfig", "[user\n");
    check(&ground, "", None);
}

#[test]
fn without_an_answer_nobody_is_named() {
    let ground = Ground::new();
    check(&ground, "no/such/directory", None);
    let slow = ground.fake_git("slow", Duration::from_millis(50));
    let missing = Git::new("no-such-git", ground.environment(), PATIENCE);
    for git in [slow, missing] {
        assert_eq!(user_identity(&ground.at(""), &git), None);
    }
}
