//! Gated tools with the real client.

use verger_testkit::{Reply, Rule, Script, Version, in_each_version};

use crate::review_stage::{ReviewStage, approve, bash, reviewer};

in_each_version! {
    a_ticket_is_closed_after_a_review
}

fn a_ticket_is_closed_after_a_review(version: Version) {
    let settings = "[review]\ngated_tools = [\"Bash:gh issue close*\"]\n";
    let stage = ReviewStage::with_settings(version, settings);
    let environment = &stage.household.environment;
    let closed = environment.root().join("closed");
    let gh = format!("#!/bin/sh\necho \"$*\" >> '{}'\necho closed\n", closed.display());
    environment.write_program(environment.root().join("programs/gh"), gh);
    let close = || bash("gh issue close 7");
    let script = Script::new()
        .step(stage.write("work.txt", "done\n"))
        .step(close())
        .step(bash("env GH_HOST=x gh issue close 7"))
        .step(reviewer())
        .step(close())
        .step(Reply::text("Closed."))
        .rule(approve(Rule::subagent()));
    let tools = ["Write", "Bash(gh issue close:*)", "Bash(env:*)"];
    let played = stage.play_allowed(&tools, "Write work.txt and close 7", script);
    assert_eq!(played.run.answer(), "Closed.");
    let told = played.told_main();
    let held = "verger holds this call back: `Bash:gh issue close*` needs an approved review first, \
                and this work was not reviewed yet.\nNext step: start the subagent `verger:reviewer`";
    assert!(told[1].contains(held) && told[2].contains(held), "{told:#?}");
    assert!(told[4].starts_with("closed"), "{told:#?}");
    assert_eq!(environment.read(closed), "issue close 7\n");
    let reason = "this work was not reviewed yet";
    assert_eq!(stage.denials("review"), [reason, reason]);
    assert_eq!(
        stage.gate(),
        [
            "idle -> pending: gated call denied: Bash:gh issue close*",
            "pending: gated call denied: Bash:gh issue close*",
            "pending: subagent started to review",
            "pending: reviewer asks for complete",
            "pending -> approved: reviewer decided complete",
        ]
    );
    let notices = stage.notices(&played);
    let notice = "verger: `Bash:gh issue close*` was held back until a review approves the work. To \
                  let it pass without one, in a terminal of your own: verger skip --gate review \
                  --session SESSION";
    assert_eq!(notices, [notice, notice]);
}
