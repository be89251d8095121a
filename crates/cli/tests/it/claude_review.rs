//! The review gate with the real client: the conditions under which an agent may stop.

use verger_testkit::{Reply, Rule, Script, Version, in_each_version};

use crate::review_stage::{ReviewStage, approve, decide, reviewer, start_reviewer, token, verger};

in_each_version! {
    an_approved_agent_may_stop
    an_agent_without_approval_or_with_later_work_is_blocked
    every_task_of_a_session_is_reviewed
    a_reviewer_in_the_background_is_waited_for
    a_review_that_cannot_be_made_lets_go_with_a_warning
    an_agent_without_progress_is_released_with_a_warning
}

const WANTED: &str = "idle -> pending: review wanted by a prompt with #review";
const HELD: &str = "pending -> blocked: stop refused, number 1";
const REVIEWED: [&str; 3] = [
    "blocked: subagent started to review",
    "blocked: reviewer runs `verger decide complete`",
    "blocked -> approved: reviewer decided complete",
];
const NOT_REVIEWED: &str = "Stop hook additional context: verger: do not stop yet: this work was not \
                            reviewed yet. An independent review has to approve this work first.\n";
const ISSUES: &str = "issues \"a line is open\" --message \"work.txt:1: end the line\"";
const FOUND: &str = "\nThe reviewer found: a line is open\nwork.txt:1: end the line";

/// The reviewer first forgets to decide. After the approval, the agent writes a file that is not
/// part of the work.
fn an_approved_agent_may_stop(version: Version) {
    let stage = ReviewStage::new(version);
    let forgetful =
        Rule::subagent().step_with(verger("context")).step(Reply::text("It looks fine."));
    let script = Script::new()
        .step(stage.write("work.txt", "done\n"))
        .step(Reply::text("Done."))
        .step(reviewer())
        .step(stage.write(".beads/issues.jsonl", "{}\n"))
        .step(stage.write(".tissue/issues.jsonl", "{}\n"))
        .step(stage.write(".verger/knowledge/lesson.md", "Look twice.\n"))
        .step(Reply::text("Reviewed."))
        .rule(approve(forgetful));
    let played = stage.play("#review write work.txt", script);
    assert_eq!(played.run.answer(), "Reviewed.");

    let told = played.told_main();
    assert!(told[1].starts_with(NOT_REVIEWED), "{told:#?}");
    assert!(told[1].contains("\nChanged so far: 1 file\n"), "{told:#?}");
    assert!(told[2].contains("Approved."), "{told:#?}");
    let told = played.told_subagent();
    for expected in ["#review write work.txt", "added    work.txt"] {
        assert!(told[0].contains(expected), "{told:#?}");
    }
    for expected in [
        "verger: you have not decided yet.",
        "\nverger decide complete \"one-line summary\" --session SESSION --token YOUR_TOKEN\n",
    ] {
        assert!(told[1].contains(expected), "{told:#?}");
    }
    assert!(told[2].contains("decision recorded: complete, for session SESSION"), "{told:#?}");
    let asked = "blocked: reviewer told to decide before it stops";
    let gate = [&[WANTED, HELD, REVIEWED[0], asked][..], &REVIEWED[1..]].concat();
    assert_eq!(stage.gate(), gate);
    let lesson = stage.household.environment.read(".verger/knowledge/lesson.md");
    assert_eq!(lesson, "Look twice.\n");
    // Only the reviewer gets the token, and verger does not store it.
    let token = token(played.subagent()[0]);
    assert!(played.main().iter().all(|request| !request.mentions(&token)));
    assert!(!stage.kept().contains(&token));
}

fn an_agent_without_approval_or_with_later_work_is_blocked(version: Version) {
    let stage = ReviewStage::new(version);
    let issues = Rule::subagent().step_with(decide(ISSUES)).step(Reply::text("Not yet."));
    let script = Script::new()
        .step(stage.write("work.txt", "done"))
        .step(Reply::text("Done."))
        .step(reviewer())
        .step(Reply::text("Done, I think."))
        .step(stage.write("work.txt", "done\n"))
        .step(reviewer())
        .step(stage.write("work.txt", "done quickly\n"))
        .step(Reply::text("Done, really."))
        .step(reviewer())
        .step(Reply::text("Reviewed."))
        .rule(approve(approve(issues)));
    let played = stage.play("#review write work.txt", script);
    assert_eq!(played.run.answer(), "Reviewed.");

    let told = played.told_main();
    let [issues, changed] =
        ["the last review found issues", "the work changed after it was approved"]
            .map(|why| format!("Stop hook additional context: verger: do not stop yet: {why}."));
    assert!(told[3].starts_with(&issues) && told[3].contains(FOUND), "{told:#?}");
    assert!(told[7].starts_with(&changed), "{told:#?}");
    let first = [
        WANTED,
        HELD,
        REVIEWED[0],
        "blocked: reviewer runs `verger decide issues`",
        "blocked -> pending: reviewer decided issues",
        HELD,
    ];
    let again = ["approved -> blocked: stop refused, number 1"];
    assert_eq!(stage.gate(), [&first[..], &REVIEWED, &again, &REVIEWED].concat());
}

fn every_task_of_a_session_is_reviewed(version: Version) {
    let stage = ReviewStage::new(version);
    let (mut script, mut reviews) = (Script::new(), Rule::subagent());
    for task in ["one", "two", "three"] {
        script = script
            .step(stage.write(&format!("{task}.txt"), task))
            .step(Reply::text("Done."))
            .step(reviewer())
            .step(Reply::text(format!("Reviewed {task}.")));
        reviews = approve(reviews);
    }
    let print = stage.client.print("#review write one.txt");
    let print = print.then("#roz write two.txt").then("#review write three.txt");
    let played = stage.play_print(print.allowed_tools(["Write"]), script.rule(reviews));
    assert_eq!(played.run.answer(), "Reviewed three.");
    let told = played.told_main();
    let held = told.iter().filter(|text| text.starts_with(NOT_REVIEWED));
    assert_eq!(held.count(), 3, "{told:#?}");
    let task = |wanted| [&[wanted, HELD][..], &REVIEWED].concat();
    let other = WANTED.replace("#review", "#roz");
    assert_eq!(stage.gate(), [task(WANTED), task(&other), task(WANTED)].concat());
}

/// A stop while the reviewer works is not counted. The stop after the reviewer's end is.
fn a_reviewer_in_the_background_is_waited_for(version: Version) {
    let stage = ReviewStage::new(version);
    let start = || match version {
        Version::V2_1_197 => start_reviewer(Some(true)),
        // It is the client's own choice.
        Version::V2_1_326 => start_reviewer(None),
    };
    let log = stage.log();
    let reviews = Rule::subagent()
        .step_with(log.after("stop.requested", 1, decide(ISSUES)))
        .step(Reply::text("Not yet."))
        .step_with(log.after("stop.requested", 3, decide("complete \"it is there\"")))
        .step(Reply::text("Approved."));
    let script = Script::new()
        .step(stage.write("work.txt", "done"))
        .step(start())
        .step_with(log.after("subagent.started", 1, |_| Reply::text("Waiting.")))
        .step(Reply::text("Done, I think."))
        .step(stage.write("work.txt", "done\n"))
        .step(start())
        .step_with(log.after("subagent.started", 2, |_| Reply::text("Waiting again.")))
        .step(Reply::text("Reviewed."))
        .rule(reviews);
    let played = stage.play("#review write work.txt", script);
    assert_eq!(played.run.answer(), "Reviewed.");
    let told = played.told_main();
    assert!(told[3].contains(FOUND), "{told:#?}");
    let first = [
        WANTED,
        "pending: subagent started to review",
        "pending: reviewer runs `verger decide issues`",
        "pending: reviewer decided issues",
        HELD,
    ];
    assert_eq!(stage.gate(), [&first[..], &REVIEWED].concat());
    assert_eq!(stage.log().records("stop.requested").len(), 4);
}

fn a_review_that_cannot_be_made_lets_go_with_a_warning(version: Version) {
    let stage = ReviewStage::new(version);
    let unable = Rule::subagent()
        .step_with(decide("unavailable \"the quota is used up\""))
        .step(Reply::text("No review."));
    let script = Script::new()
        .step(stage.write("work.txt", "done\n"))
        .step(Reply::text("Done."))
        .step(reviewer())
        .step(Reply::text("Not reviewed."))
        .rule(unable);
    let played = stage.play("#review write work.txt", script);
    assert_eq!(played.run.answer(), "Not reviewed.");
    assert_eq!(
        stage.gate()[3..],
        [
            "blocked: reviewer runs `verger decide unavailable`",
            "blocked -> pending: reviewer decided unavailable",
            "pending -> idle: released by unavailable",
        ]
    );
    let warning = "verger: WARNING: not reviewed. The agent stopped: no review could be made; the \
                   reviewer said: the quota is used up. See: verger why --last --session SESSION";
    assert_eq!(stage.notices(&played)[1..], [warning]);
    played.assert_shows(version, warning);
}

fn an_agent_without_progress_is_released_with_a_warning(version: Version) {
    let stage = ReviewStage::new(version);
    let done = || Reply::text("Done.");
    let script = Script::new().step(done()).step(done()).step(done()).step(done());
    let played = stage.play("#review answer", script);
    assert_eq!(played.run.answer(), "Done.");
    let told = played.told_main();
    let refused = told.iter().filter(|text| text.starts_with(NOT_REVIEWED)).count();
    assert_eq!((refused, told.len()), (1, 3), "{told:#?}");
    assert_eq!(
        stage.gate(),
        [
            WANTED,
            HELD,
            "blocked: stop refused, number 2",
            "blocked: stop refused, number 3",
            "blocked -> idle: released by breaker",
        ]
    );
    let warning = "verger: WARNING: not reviewed. The agent stopped: the gate released it \
                   after several refusals without progress. See: verger why --last --session SESSION";
    assert_eq!(stage.notices(&played)[3..], [warning]);
    played.assert_shows(version, warning);
    // The model never saw the command that opens the gate.
    assert!(played.requests.iter().all(|request| !request.mentions("verger release")));
    let why = stage.household.verger(&["why", "--last", "--session", &played.session]).success();
    assert!(why.stdout.contains("released by breaker"), "{why}");
}
