//! Sessions of the real client, and what the log holds afterwards.

use serde_json::{Value, json};
use verger_event::{Event, ProjectId, Record};
use verger_testkit::{
    Block, Kind, Print, Reply, Request, Rule, Script, Usage, Version, in_each_version,
};

use crate::log::wait_for_kind;
use crate::stage::{HOOK, Played, Stage, USER, all_events, bash};

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

/// Of every environment's project: its first commit is always the same.
const PROJECT: &str = "149d121308a57831c2283e2f6efb7bf6";

#[track_caller]
fn play<'a>(
    stage: &'a Stage,
    script: Script,
    print: impl FnOnce(Print<'a>) -> Print<'a>,
) -> Played {
    let tools = ["Bash", "Read", "Agent"];
    stage.play(&all_events(HOOK), script, |run| print(run.allowed_tools(tools)))
}

/// What must hold whatever happened: the log is whole, each record says where and by whom, and the
/// model knows nothing of it.
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
        assert_eq!(origin.agent_version.as_deref(), Some(stage.client.version().as_str()));
    }
}

fn a_plain_session_is_recorded_from_its_start_to_its_end(version: Version) {
    let stage = Stage::new(version);
    let played = play(&stage, Script::new().step(Reply::text("Hello.")), |print| print);
    assert_eq!(played.run.success().answer(), "Hello.");
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
    let script = Script::new().step(bash("echo out; exit 3")).step(Reply::text("Done."));
    let played = play(&stage, script, |print| print);
    assert_eq!(played.run.success().answer(), "Done.");
    assert_eq!(
        stage.log().lines(),
        [
            "1 main session.started - - - Startup",
            "2 main prompt.submitted P1 T1 - \"go\"",
            "3 main tool.requested P1 T1 - C1 Bash {\"command\":\"echo out; exit 3\"}",
            "4 main tool.failed P1 T1 failed C1 Bash \"Exit code 3\\nout\"",
            "5 main tool_batch.ended P1 T1 - C1 Bash",
            "6 main stop.requested P1 T1 - \"Done.\"",
            "7 main session.ended P1 T1 - other",
        ]
    );
    check_whole(&stage, &played.requests);
}

fn parallel_tool_calls_are_all_recorded(version: Version) {
    let stage = Stage::new(version);
    let names = ["a.txt", "b.txt", "c.txt"];
    let read = |name: &str| {
        let path = stage.environment.write(name, format!("text of {name}\n"));
        Block::tool_use("Read", json!({ "file_path": path }))
    };
    let script = Script::new().step(Reply::blocks(names.map(read))).step(Reply::text("Done."));
    let played = play(&stage, script, |print| print);
    assert_eq!(played.run.success().answer(), "Done.");
    let log = stage.log();
    let records = log.records(&log.sessions()[0]);
    // The calls run at the same time, and so do their hooks: the log has them in the order in which
    // they came to the lock, which is not settled. All else is.
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
        assert_eq!(batched.call.input, json!({ "file_path": path }));
        let of_this_call: Vec<_> = calls
            .iter()
            .filter_map(|record| match &record.draft.event {
                Event::ToolRequested(call) if *call == batched.call => Some(json!("requested")),
                Event::ToolSucceeded { call, response, .. } if call.id == batched.call.id => {
                    Some(response["file"]["content"].clone())
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
    // Said explicitly, because 2.1.325 otherwise runs it in the background.
    let call = json!({
        "description": "Look",
        "prompt": "Look around",
        "subagent_type": "general-purpose",
        "run_in_background": false,
    });
    let script = Script::new()
        .step(Reply::tool_use("Agent", call))
        .step(Reply::text("Done."))
        .rule(Rule::subagent().step(bash("echo sub")).step(Reply::text("Looked.")));
    let played = play(&stage, script, |print| print);
    assert_eq!(played.run.success().answer(), "Done.");
    assert_eq!(
        stage.log().lines(),
        [
            "1 main session.started - - - Startup",
            "2 main prompt.submitted P1 T1 - \"go\"",
            "3 main tool.requested P1 T1 - C1 Agent {\"description\":\"Look\",\"prompt\":\"Look around\",\"run_in_background\":false,\"subagent_type\":\"general-purpose\"}",
            "4 A1:general-purpose subagent.started P1 T1 -",
            "5 A1:general-purpose tool.requested P1 T1 - C2 Bash {\"command\":\"echo sub\"}",
            "6 A1:general-purpose tool.succeeded P1 T1 succeeded C2 Bash \"sub\"",
            "7 A1:general-purpose tool_batch.ended P1 T1 - C2 Bash",
            "8 A1:general-purpose subagent_stop.requested P1 T1 - \"Looked.\"",
            "9 main tool.succeeded P1 T1 succeeded C1 Agent \"completed\"",
            "10 main tool_batch.ended P1 T1 - C1 Agent",
            "11 main stop.requested P1 T1 - \"Done.\"",
            "12 main session.ended P1 T1 - other",
        ]
    );
    check_whole(&stage, &played.requests);
}

#[test]
fn the_end_of_a_background_subagent_does_not_begin_a_task() {
    let stage = Stage::new(Version::V2_1_325);
    let call = json!({
        "description": "Look",
        "prompt": "Look around",
        "subagent_type": "general-purpose",
    });
    let environment = &stage.environment;
    let data = environment.verger_home().join("data");
    let script = Script::new()
        .step(Reply::tool_use("Agent", call))
        .step(Reply::text("Started."))
        .step(Reply::text("Done."))
        .rule(Rule::subagent().step_with(move |_| {
            wait_for_kind(&data, "stop.requested");
            Reply::text("Looked.")
        }));
    let played = play(&stage, script, |print| print);
    assert_eq!(played.run.success().answer(), "Done.");
    let mut lines = stage.log().lines();
    // The subagent and the call that launched it go their own ways until here.
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
    let full = Usage { input_tokens: 180_000, ..Usage::default() };
    // With only one exchange before it there is nothing to summarise, and no compaction.
    let script = Script::new()
        .step(bash("echo one"))
        .step(bash("echo two").usage(full))
        .step(Reply::text("Done."))
        .rule(Rule::compaction().step(Reply::text("<summary>Echoed twice.</summary>")));
    let played = play(&stage, script, Print::small_context);
    assert_eq!(played.run.success().answer(), "Done.");
    assert_eq!(
        stage.log().lines(),
        [
            "1 main session.started - - - Startup",
            "2 main prompt.submitted P1 T1 - \"go\"",
            "3 main tool.requested P1 T1 - C1 Bash {\"command\":\"echo one\"}",
            "4 main tool.succeeded P1 T1 succeeded C1 Bash \"one\"",
            "5 main tool_batch.ended P1 T1 - C1 Bash",
            "6 main tool.requested P1 T1 - C2 Bash {\"command\":\"echo two\"}",
            "7 main tool.succeeded P1 T1 succeeded C2 Bash \"two\"",
            "8 main tool_batch.ended P1 T1 - C2 Bash",
            "9 main compaction.started P1 T1 - auto",
            "10 main compaction_fork.ended P1 T1 - \"<summary>Echoed twice.</summary>\"",
            "11 main session.started P1 T1 - Compact",
            "12 main compaction.ended P1 T1 - auto \"<summary>Echoed twice.</summary>\"",
            "13 main stop.requested P1 T1 - \"Done.\"",
            "14 main session.ended P1 T1 - other",
        ]
    );
    check_whole(&stage, &played.requests);
}

fn a_resumed_session_goes_on_in_its_segment(version: Version) {
    let stage = Stage::new(version);
    let first = play(&stage, Script::new().step(Reply::text("First.")), |print| print);
    let session = first.run.success().session_id().to_owned();
    let script = Script::new().step(Reply::text("Second."));
    let second = play(&stage, script, |print| print.resume(&session));
    assert_eq!(second.run.success().session_id(), session);
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
    check_whole(&stage, &[first.requests, second.requests].concat());
}

fn clearing_begins_another_session(version: Version) {
    let stage = Stage::new(version);
    let script = Script::new().step(Reply::text("First.")).step(Reply::text("Second."));
    let played = play(&stage, script, |print| print.then("/clear").then("again"));
    assert_eq!(played.run.success().answer(), "Second.");
    let start_after_clear = match version {
        Version::V2_1_197 => "1 main session.started P2 - - Clear",
        Version::V2_1_325 => "1 main session.started - - - Clear",
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
            // It names the session and the device.
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
