//! Tests a clock that is set back between two calls.

use serde_json::json;
use verger_testkit::changed;

use crate::log::Log;
use crate::scene::{Scene, key};

const NOON_MS: u64 = 1_794_744_000_000;
const DAY_MS: u64 = 24 * 60 * 60 * 1000;

#[test]
fn records_keep_their_order_when_the_clock_is_set_back_a_day() {
    let mut scene = Scene::new();
    let calls = [(NOON_MS, "1"), (NOON_MS - DAY_MS, "2"), (NOON_MS - DAY_MS, "3"), (0, "4")];
    for (now, seed) in calls {
        scene.set("VERGER_TEST_NOW_MS", now.to_string());
        scene.set("VERGER_TEST_SEED", seed);
        let id = json!(format!("toolu_{seed}"));
        let changes = [("tool_use_id", id), ("session_id", json!("s"))];
        scene.call("PreToolUse", changed("PreToolUse-Bash", &changes));
    }
    let log: Log = scene.log();
    let records = log.records(&key("s"));
    let times: Vec<_> = records.iter().map(|r| (r.seq, r.draft.at.as_millis())).collect();
    let day_before = NOON_MS - DAY_MS;
    assert_eq!(times, [(1, NOON_MS), (2, day_before), (3, day_before), (4, 0)]);
}
