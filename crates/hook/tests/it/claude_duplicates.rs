//! Tests two registrations of the hook with different command lines, such as a manual
//! registration and the plugin.

use std::collections::BTreeMap;

use serde_json::Value;
use verger_testkit::{Reply, Script, Version, in_each_version};

use crate::stage::{HOOK, Stage, all_events, bash};

in_each_version! {
    events_reported_twice_are_recorded_once
}

fn events_reported_twice_are_recorded_once(version: Version) {
    let stage = Stage::new(version);
    let root = stage.environment.root().to_owned();
    let said = root.join("said");
    let wrapper =
        format!("#!/bin/sh\n'{HOOK}' \"$@\" >> '{0}' 2>&1\necho $? >> '{0}'\n", said.display());
    let wrapper = stage.environment.write_program(root.join("wrapper"), wrapper);
    let settings = both(all_events(HOOK), &all_events(&wrapper.display().to_string()));
    let script =
        Script::new().step(bash("echo one")).step(bash("exit 1")).step(Reply::text("Done."));
    let played = stage.play(&settings, script, |print| print.allowed_tools(["Bash"]));
    assert_eq!(played.run.success().answer(), "Done.");
    let mut counts = BTreeMap::new();
    for record in stage.log().all() {
        *counts.entry(record.draft.event.kind().to_owned()).or_insert(0) += 1;
    }
    // A session's start and a stop have no id, so the second report of each is recorded too.
    let expected = [
        ("prompt.submitted", 1),
        ("session.ended", 2),
        ("session.started", 2),
        ("start_tree.taken", 1),
        ("stop.requested", 2),
        ("tool.failed", 1),
        ("guard.judged", 2),
        ("tool.requested", 2),
        ("tool.succeeded", 1),
        ("tool_batch.ended", 2),
    ];
    assert_eq!(counts, expected.map(|(kind, count)| (kind.to_owned(), count)).into());
    assert_eq!(stage.log().faults(), []);
    assert_eq!(stage.environment.read(said), "0\n".repeat(10), "ten silent successes");
}

/// Settings that contain the hooks of both.
fn both(mut one: Value, other: &Value) -> Value {
    for (event, groups) in one["hooks"].as_object_mut().unwrap() {
        let more = other["hooks"][event].as_array().unwrap().clone();
        groups.as_array_mut().unwrap().extend(more);
    }
    one
}
