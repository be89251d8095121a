//! Tests that the limits in the documentation of hook calls are equal to those in the code.

use std::time::Duration;

use verger_agent::CONTEXT_LIMIT_CHARS;
use verger_config::{MAX_FILE_BYTES, Settings};
use verger_engine::{GIT_TIME_LIMIT, MAX_TEMPLATE_BYTES, QUICK_TREE_TIME_LIMIT, TREE_TIME_LIMIT};
use verger_event::stored::MAX_LINE_BYTES;
use verger_event::{MAX_GROUND_BYTES, MAX_GROUNDS};

use crate::input::{MAX_BYTES, MAX_SILENCE, MAX_TOTAL};

const PAGE: &str = include_str!("../../../docs/how-a-hook-call-is-decided.md");

#[track_caller]
fn assert_stated(what: &str, limit: &str) {
    let row = format!("| {what} | {limit}");
    assert!(PAGE.contains(&row), "the page does not have: {row}");
}

fn size(bytes: usize) -> String {
    if bytes.is_multiple_of(1 << 20) {
        format!("{} MiB", bytes >> 20)
    } else {
        format!("{} KiB", bytes >> 10)
    }
}

fn time(duration: Duration) -> String {
    match duration.as_millis() {
        millis if millis % 1000 == 0 => format!("{} s", duration.as_secs()),
        millis => format!("{millis} ms"),
    }
}

#[test]
fn limits_are_those_of_the_code() {
    let lock_wait = Settings::default().store.lock_wait_ms.value;
    assert_stated("a payload", &size(MAX_BYTES));
    assert_stated("silence on standard input", &time(MAX_SILENCE));
    assert_stated("a whole payload", &time(MAX_TOTAL));
    assert_stated("waiting for the session's lock", &time(Duration::from_millis(lock_wait)));
    assert_stated("project and person", &time(GIT_TIME_LIMIT));
    assert_stated("comparing working trees", &time(TREE_TIME_LIMIT));
    assert_stated("comparing working trees in other calls", &time(QUICK_TREE_TIME_LIMIT));
    assert_stated("a configuration file", &size(MAX_FILE_BYTES));
    assert_stated("a block template", &size(MAX_TEMPLATE_BYTES));
    assert_stated("a line of the log", &size(MAX_LINE_BYTES));
    assert_stated("text for the model", &format!("{},000 characters", CONTEXT_LIMIT_CHARS / 1000));
    let grounds = format!("{MAX_GROUNDS} facts and {MAX_GROUNDS} settings");
    assert_stated("the grounds of an opinion", &format!("{grounds} of {MAX_GROUND_BYTES} bytes"));
}
