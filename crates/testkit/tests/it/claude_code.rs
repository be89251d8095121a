//! What the real client does.

use verger_testkit::{
    ClaudeCode, RecordingHook, Reply, Script, TestEnvironment, Upstream, Version, hook_settings,
};

const EVENTS: [&str; 4] = ["SessionStart", "UserPromptSubmit", "Stop", "SessionEnd"];

#[track_caller]
fn check_plain_session(version: Version) {
    let environment = TestEnvironment::new();
    let hook = RecordingHook::new(&environment);
    let upstream = Upstream::start(Script::new().step(Reply::text("Hello.")));
    let run = ClaudeCode::installed(version)
        .print("go")
        .hooks(&hook_settings(&hook.command(), &EVENTS))
        .run(&environment, &upstream);
    assert_eq!(run.success().answer(), "Hello.");
    assert_eq!(hook.events(), EVENTS);
    upstream.finish();
}

#[test]
fn a_plain_session_in_2_1_197() {
    check_plain_session(Version::V2_1_197);
}

#[test]
fn a_plain_session_in_2_1_325() {
    check_plain_session(Version::V2_1_325);
}
