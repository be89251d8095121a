//! Tests a session of the real client in a terminal, with events that need a person.

use verger_testkit::{Reply, Request, Script, Upstream, Version, in_each_version};

use crate::log::wait_for_kind;
use crate::stage::{HOOK, Stage, all_events, bash};

in_each_version! {
    a_question_to_the_person_and_its_notice_are_recorded
}

fn a_question_to_the_person_and_its_notice_are_recorded(version: Version) {
    let stage = Stage::new(version);
    let script = Script::new().step(bash("touch made")).step(Reply::text("All done here."));
    let upstream = Upstream::start(script);
    let settings = all_events(HOOK);
    let data = stage.environment.verger_home().join("data");
    let mut client = stage.client.interactive(&stage.environment, &upstream, &settings);
    client.type_line("make it");
    client.terminal.wait_for("Do you want to proceed?");
    // The client waits some seconds before it notifies the person.
    wait_for_kind(&data, "notification.shown");
    client.terminal.send("1");
    client.terminal.wait_for("All done here.");
    wait_for_kind(&data, "stop.requested");
    client.type_line("/exit");
    assert_eq!(client.terminal.finish().code, 0);
    let lines = stage.log().lines();
    let lines: Vec<_> = lines.iter().map(|line| stage.environment.normalise(line)).collect();
    assert_eq!(
        lines,
        [
            "1 main session.started - - - Startup",
            "2 main prompt.submitted P1 T1 - \"make it\"",
            "3 main start_tree.taken P1 T1 - a tree",
            "4 main tool.requested P1 T1 - C1 Bash {\"command\":\"touch made\"}",
            "5 main permission.asked P1 T1 - {\"call\":{\"tool\":\"Bash\",\"does\":{\"shell\":{\"line\":\"touch made\"}}},\"suggestions\":[{\"destination\":\"session\",\"directories\":[\"$ENV/home/project\"],\"type\":\"addDirectories\"},{\"destination\":\"session\",\"mode\":\"acceptEdits\",\"type\":\"setMode\"}]}",
            "6 main notification.shown P1 T1 - {\"kind\":\"permission_prompt\",\"message\":\"Claude needs your permission\"}",
            "7 main tool.succeeded P1 T1 succeeded C1 Bash {\"interrupted\":false,\"isImage\":false,\"noOutputExpected\":true}",
            "8 main tool_batch.ended P1 T1 - C1 Bash",
            "9 main stop.requested P1 T1 - \"All done here.\"",
            "10 main gate.changed P1 T1 - verification idle -> claimed: the agent wanted to stop without a green verification: this work was not verified yet",
            "11 main session.ended P2 T1 - prompt_input_exit",
        ]
    );
    assert_eq!(stage.log().faults(), []);
    assert_eq!(stage.traces(&upstream.finish()), Vec::<&Request>::new());
}
