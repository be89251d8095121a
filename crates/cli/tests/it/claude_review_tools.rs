//! Gated tools with the real client, and a reviewer that verger runs.

use verger_testkit::{Reply, Rule, Script, Version, in_each_version};

use crate::review_stage::{ReviewStage, approve, bash, reviewer, verger};

in_each_version! {
    a_ticket_is_closed_after_a_review
    a_program_reviews
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
    let held = "verger blocked this call: `Bash:gh issue close*` needs an approved review first, and this work was not reviewed yet.\nNext step: start the subagent `verger:reviewer`";
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
            "pending: reviewer runs `verger decide complete`",
            "pending -> approved: reviewer decided complete",
        ]
    );
    let notices = stage.notices(&played);
    let notice = "verger: `Bash:gh issue close*` is blocked until a review approves the work. To \
                  allow it without one, run in your own terminal: verger release review \
                  --session SESSION";
    assert_eq!(notices, [notice, notice]);
}

fn a_program_reviews(version: Version) {
    let settings = "[review]\nreviewer = { command = [\"judge\"] }\n";
    let stage = ReviewStage::with_settings(version, settings);
    let environment = &stage.household.environment;
    let brief = environment.root().join("brief");
    let judge = format!(
        "#!/bin/sh\ncat >> '{}'\n\
         if [ \"$(cat work.txt)\" = done ]; then\n\
           echo '{{\"decision\":\"complete\",\"summary\":\"it is done\"}}'\n\
         else\n\
           echo '{{\"decision\":\"issues\",\"summary\":\"not done\",\"message\":\"say done\"}}'\n\
         fi\n",
        brief.display()
    );
    environment.write_program(environment.root().join("programs/judge"), judge);
    let script = Script::new()
        .step(stage.write("work.txt", "nearly done\n"))
        .step(Reply::text("Written."))
        .step_with(verger("review run"))
        .step(stage.write("work.txt", "done\n"))
        .step_with(verger("review run"))
        .step(Reply::text("Reviewed."));
    let played = stage.play("#review write work.txt", script);
    assert_eq!(played.run.answer(), "Reviewed.");
    let told = played.told_main();
    let next = "\n2. Get the review: run `verger review run --session SESSION`.";
    assert!(told[1].contains(next), "{told:#?}");
    assert!(told[2].contains("\nissues: not done\nsay done\n"), "{told:#?}");
    assert!(told[4].contains("\ncomplete: it is done\n"), "{told:#?}");
    assert_eq!(
        stage.gate(),
        [
            "idle -> pending: review wanted by a prompt with #review",
            "pending -> blocked: stop refused, number 1",
            "blocked: command started to review",
            "blocked: reviewer exited with 0",
            "blocked -> pending: reviewer decided issues",
            "pending: command started to review",
            "pending: reviewer exited with 0",
            "pending -> approved: reviewer decided complete",
        ]
    );
    let brief = environment.read(brief);
    for expected in ["#review write work.txt", "added    work.txt", "\n+done\n"] {
        assert!(brief.contains(expected), "{brief}");
    }
    // The reviewer does not see the author's own messages.
    assert!(!brief.contains("Written."), "{brief}");
}
