//! Tests the log after sessions of the real client.

use std::sync::Arc;

use serde_json::{Value, json};
use verger_agent::by_name;
use verger_event::{BatchedCall, Event, ProjectId, Record};
use verger_testkit::{
    Block, Kind, Playing, Reply, Request, Scenario, ScenarioPlayed, Script, Version,
    in_each_version,
};

use crate::log::wait_for_kind;
use crate::stage::{HOOK, Stage, USER, all_events};

in_each_version! {
    a_plain_session_is_recorded_from_its_start_to_its_end
    a_failing_tool_call_is_recorded_as_failed
    parallel_tool_calls_are_all_recorded
    a_subagents_work_is_recorded_as_its_own
    a_compaction_is_recorded_within_its_session
    a_resumed_session_goes_on_in_its_segment
    clearing_begins_another_session
    the_model_is_sent_the_same_with_and_without_the_hook
}

/// The project id. It is the same in every environment, because the first commit is the same.
const PROJECT: &str = "149d121308a57831c2283e2f6efb7bf6";

#[track_caller]
fn play(stage: &Stage, scenario: Scenario) -> ScenarioPlayed {
    let data = stage.environment.verger_home().join("data");
    scenario.play(&Playing {
        client: &stage.client,
        environment: &stage.environment,
        settings: &all_events(HOOK),
        wait_for: Arc::new(move |event| {
            let kind = by_name("claude").unwrap().event(event).unwrap().kinds[0];
            wait_for_kind(&data, kind);
        }),
    })
}

/// Checks properties that every session has: the log has no faults, each record has an origin,
/// and the requests to the model don't mention verger.
#[track_caller]
fn check_whole(stage: &Stage, requests: &[Request]) {
    let log = stage.log();
    assert_eq!(log.faults(), []);
    assert_eq!(stage.traces(requests), Vec::<&Request>::new());
    let cwd = stage.environment.project().display().to_string();
    for record in log.all() {
        let origin = record.draft.origin;
        assert_eq!(origin.user.as_deref(), Some(USER), "{}", record.seq);
        assert_eq!(origin.project.as_ref().map(ProjectId::as_str), Some(PROJECT));
        assert_eq!(origin.circumstance.cwd.as_deref(), Some(cwd.as_str()));
        assert_eq!(origin.agent_version.as_deref(), Some(stage.client.version()));
    }
}

fn a_plain_session_is_recorded_from_its_start_to_its_end(version: Version) {
    let stage = Stage::new(version);
    let played = play(&stage, Scenario::Plain);
    assert_eq!(played.answer(), "Hello.");
    assert_eq!(
        stage.log().lines(),
        [
            "1 main session.started - - - Startup",
            "2 main prompt.submitted P1 T1 - \"go\"",
            "3 main stop.requested P1 T1 - \"Hello.\"",
            "4 main session.ended P1 T1 - other",
        ]
    );
    check_whole(&stage, &played.requests);
}

fn a_failing_tool_call_is_recorded_as_failed(version: Version) {
    let stage = Stage::new(version);
    let played = play(&stage, Scenario::FailingTool);
    assert_eq!(played.answer(), "Done.");
    assert_eq!(
        stage.log().lines(),
        [
            "1 main session.started - - - Startup",
            "2 main prompt.submitted P1 T1 - \"go\"",
            "3 main start_tree.taken P1 T1 - a tree",
            "4 main tool.requested P1 T1 - C1 Bash {\"command\":\"echo out; exit 3\"}",
            "5 main guard.judged P1 T1 - allow by say: silence",
            "6 main tool.failed P1 T1 failed C1 Bash \"Exit code 3\\nout\"",
            "7 main tool_batch.ended P1 T1 - C1 Bash",
            "8 main stop.requested P1 T1 - \"Done.\"",
            "9 main session.ended P1 T1 - other",
        ]
    );
    check_whole(&stage, &played.requests);
}

fn parallel_tool_calls_are_all_recorded(version: Version) {
    let stage = Stage::new(version);
    let played = play(&stage, Scenario::ParallelTools);
    assert_eq!(played.answer(), "Done.");
    let names = ["a.txt", "b.txt", "c.txt"];
    let log = stage.log();
    let records = log.records(&log.sessions()[0]);
    // The calls and their hooks run in parallel. The log has them in the order in which they got
    // the lock, so it varies. The other records have a fixed order.
    let (calls, others): (Vec<_>, Vec<_>) = records.iter().partition(|record| {
        matches!(record.draft.event, Event::ToolRequested(_) | Event::ToolSucceeded { .. })
    });
    let kinds = |records: &[&Record]| -> Vec<_> {
        records.iter().map(|record| (record.seq, record.draft.event.kind().to_owned())).collect()
    };
    let settled = [
        (1, "session.started"),
        (2, "prompt.submitted"),
        (9, "tool_batch.ended"),
        (10, "stop.requested"),
        (11, "session.ended"),
    ];
    assert_eq!(kinds(&others), settled.map(|(seq, kind)| (seq, kind.to_owned())));
    let Event::ToolBatchEnded { calls: batch } = &others[2].draft.event else {
        panic!("{:?}", others[2]);
    };
    for (name, batched) in names.iter().zip(batch) {
        let path = stage.environment.project().join(name);
        let BatchedCall::Recorded(id) = batched else { panic!("{batched:?}") };
        let of_this_call: Vec<_> = calls
            .iter()
            .filter_map(|record| match &record.draft.event {
                Event::ToolRequested(call) if call.id.as_ref() == Some(id) => {
                    assert_eq!(call.gist(), path.to_str());
                    Some(json!("requested"))
                }
                Event::ToolSucceeded { call, output, .. } if call.id.as_ref() == Some(id) => {
                    Some(json!(output.text))
                }
                _ => None,
            })
            .collect();
        assert_eq!(of_this_call, [json!("requested"), json!(format!("text of {name}\n"))]);
    }
    let task = others[1].draft.standing.task;
    assert!(task.is_some());
    assert_eq!(calls.iter().filter(|record| record.draft.standing.task == task).count(), 6);
    check_whole(&stage, &played.requests);
}

fn a_subagents_work_is_recorded_as_its_own(version: Version) {
    let stage = Stage::new(version);
    let played = play(&stage, Scenario::Subagent);
    assert_eq!(played.answer(), "Done.");
    assert_eq!(
        stage.log().lines(),
        [
            "1 main session.started - - - Startup",
            "2 main prompt.submitted P1 T1 - \"go\"",
            "3 main tool.requested P1 T1 - C1 Agent {\"description\":\"Look\",\"prompt\":\"Look around\",\"run_in_background\":false,\"subagent_type\":\"general-purpose\"}",
            "4 A1:general-purpose subagent.started P1 T1 -",
            "5 A1:general-purpose start_tree.taken P1 T1 - a tree",
            "6 A1:general-purpose tool.requested P1 T1 - C2 Bash {\"command\":\"echo sub\"}",
            "7 A1:general-purpose guard.judged P1 T1 - allow by say: silence",
            "8 A1:general-purpose tool.succeeded P1 T1 succeeded C2 Bash \"sub\"",
            "9 A1:general-purpose tool_batch.ended P1 T1 - C2 Bash",
            "10 A1:general-purpose subagent_stop.requested P1 T1 - \"Looked.\"",
            "11 main tool.succeeded P1 T1 succeeded C1 Agent \"completed\"",
            "12 main tool_batch.ended P1 T1 - C1 Agent",
            "13 main stop.requested P1 T1 - \"Done.\"",
            "14 main session.ended P1 T1 - other",
        ]
    );
    check_whole(&stage, &played.requests);
}

#[test]
fn the_end_of_a_background_subagent_does_not_begin_a_task() {
    let stage = Stage::new(Version::V2_1_326);
    let played = play(&stage, Scenario::BackgroundSubagent);
    assert_eq!(played.answer(), "Done.");
    let mut lines = stage.log().lines();
    // The subagent and the call that started it run in parallel up to here.
    for line in &mut lines[3..6] {
        *line = line.split_once(' ').unwrap().1.to_owned();
    }
    lines[3..6].sort_unstable();
    assert_eq!(
        lines,
        [
            "1 main session.started - - - Startup",
            "2 main prompt.submitted P1 T1 - \"go\"",
            "3 main tool.requested P1 T1 - C1 Agent {\"description\":\"Look\",\"prompt\":\"Look around\",\"subagent_type\":\"general-purpose\"}",
            "A1:general-purpose subagent.started P1 T1 -",
            "main tool.succeeded P1 T1 succeeded C1 Agent \"async_launched\"",
            "main tool_batch.ended P1 T1 - C1 Agent",
            "7 main stop.requested P1 T1 - \"Started.\" with 1 in the background",
            "8 A1:general-purpose subagent_stop.requested P1 T1 - \"Looked.\" with 1 in the background",
            "9 main prompt.submitted P2 T1 - notification C1 completed",
            "10 main stop.requested P2 T1 - \"Done.\"",
            "11 main session.ended P2 T1 - other",
        ]
    );
    check_whole(&stage, &played.requests);
}

fn a_compaction_is_recorded_within_its_session(version: Version) {
    let stage = Stage::new(version);
    let played = play(&stage, Scenario::Compaction);
    assert_eq!(played.answer(), "Done.");
    assert_eq!(
        stage.log().lines(),
        [
            "1 main session.started - - - Startup",
            "2 main prompt.submitted P1 T1 - \"go\"",
            "3 main start_tree.taken P1 T1 - a tree",
            "4 main tool.requested P1 T1 - C1 Bash {\"command\":\"echo one\"}",
            "5 main guard.judged P1 T1 - allow by say: silence",
            "6 main tool.succeeded P1 T1 succeeded C1 Bash \"one\"",
            "7 main tool_batch.ended P1 T1 - C1 Bash",
            "8 main tool.requested P1 T1 - C2 Bash {\"command\":\"echo two\"}",
            "9 main guard.judged P1 T1 - allow by say: silence",
            "10 main tool.succeeded P1 T1 succeeded C2 Bash \"two\"",
            "11 main tool_batch.ended P1 T1 - C2 Bash",
            "12 main compaction.started P1 T1 - auto",
            "13 main compaction_fork.ended P1 T1 - \"<summary>Echoed twice.</summary>\"",
            "14 main session.started P1 T1 - Compact",
            "15 main compaction.ended P1 T1 - auto \"<summary>Echoed twice.</summary>\"",
            "16 main stop.requested P1 T1 - \"Done.\"",
            "17 main session.ended P1 T1 - other",
        ]
    );
    check_whole(&stage, &played.requests);
}

fn a_resumed_session_goes_on_in_its_segment(version: Version) {
    let stage = Stage::new(version);
    let played = play(&stage, Scenario::Resume);
    assert_eq!(played.answer(), "Second.");
    assert_eq!(played.runs[0].session_id(), played.runs[1].session_id());
    assert_eq!(
        stage.log().lines(),
        [
            "1 main session.started - - - Startup",
            "2 main prompt.submitted P1 T1 - \"go\"",
            "3 main stop.requested P1 T1 - \"First.\"",
            "4 main session.ended P1 T1 - other",
            "5 main session.started - T1 - Resume",
            "6 main prompt.submitted P2 T2 - \"go\"",
            "7 main stop.requested P2 T2 - \"Second.\"",
            "8 main session.ended P2 T2 - other",
        ]
    );
    check_whole(&stage, &played.requests);
}

fn clearing_begins_another_session(version: Version) {
    let stage = Stage::new(version);
    let played = play(&stage, Scenario::Clear);
    assert_eq!(played.answer(), "Second.");
    let start_after_clear = match version {
        Version::V2_1_197 => "1 main session.started P2 - - Clear",
        Version::V2_1_326 => "1 main session.started - - - Clear",
    };
    assert_eq!(
        stage.log().lines(),
        [
            "1 main session.started - - - Startup",
            "2 main prompt.submitted P1 T1 - \"go\"",
            "3 main stop.requested P1 T1 - \"First.\"",
            "4 main session.ended P2 T1 - clear",
            "session 2",
            start_after_clear,
            "2 main prompt.submitted P3 T2 - \"again\"",
            "3 main stop.requested P3 T2 - \"Second.\"",
            "4 main session.ended P3 T2 - other",
        ]
    );
    check_whole(&stage, &played.requests);
}

fn the_model_is_sent_the_same_with_and_without_the_hook(version: Version) {
    let sent = |settings: &Value| {
        let stage = Stage::new(version);
        let input = json!({ "command": "echo out" });
        let call = Block::ToolUse { id: "toolu_1".into(), name: "Bash".into(), input };
        let script = Script::new().step(Reply::blocks([call])).step(Reply::text("Done."));
        let played = stage.play(settings, script, |print| print.allowed_tools(["Bash"]));
        let run = played.run.success();
        let directory = stage.environment.root().file_name().unwrap().to_string_lossy();
        let main = played.requests.iter().filter(|request| request.kind() == Kind::Main);
        main.map(|request| {
            let Value::Object(mut body) = request.body.clone() else { panic!("{request:?}") };
            // The metadata contains the session and the device.
            body.remove("metadata");
            let text = Value::Object(body).to_string();
            text.replace(&*directory, "$ENV").replace(run.session_id(), "$SESSION")
        })
        .collect::<Vec<_>>()
    };
    let without = sent(&json!({}));
    assert_eq!(without.len(), 2);
    assert_eq!(sent(&all_events(HOOK)), without);
}
