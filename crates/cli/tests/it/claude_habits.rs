//! Habits with the real client: a commit without the agent's signature, and prevented calls. Habits
//! never approve a call that the client would ask about.

use std::fs;

use serde_json::json;
use verger_testkit::{Reply, Rule, Script, Upstream, Version, in_each_version};

use crate::household::done;
use crate::review_stage::{Played, ReviewStage, bash, start_agent};

in_each_version! {
    a_signed_commit_is_made_without_the_signature
    another_line_is_no_permission
    a_person_is_asked_about_the_line_that_will_run
    staging_everything_is_denied_with_advice
    a_staged_secret_stops_the_commit
    a_subagent_does_not_build_everything_and_the_main_agent_may
}

const SECRET: &str = "ghp_Zx8vQ2nT5bLk9WcR3mYp7HdJs4GfUa1EoNi6";

const SIGNED: &str = "git add a.txt && git commit -q -m \"$(cat <<'EOF'
Add the file

It's \"needed\" for `x` — 必要

🤖 Generated with [Claude Code](https://claude.com/claude-code)

Co-Authored-By: Claude <noreply@anthropic.com>
EOF
)\"";

/// A project that turns habits on. The user has no settings.
fn stage(version: Version, habits: &str) -> ReviewStage {
    let stage = ReviewStage::new(version);
    let environment = &stage.household.environment;
    environment.write(".verger/config.toml", format!("[habits]\n{habits}\n"));
    environment.write("a.txt", "a\n");
    environment.write("Makefile", "build:\n\t@echo built\n");
    stage
}

fn play(stage: &ReviewStage, lines: &[&str]) -> Played {
    let turns = lines.iter().copied().map(bash);
    let script = turns.fold(Script::new(), Script::step).step(Reply::text("Done."));
    let played = stage.play_allowed(&["Bash"], "go", script);
    assert_eq!(played.run.answer(), "Done.");
    played
}

fn messages(stage: &ReviewStage) -> String {
    stage.household.environment.run("git", ["log", "--format=%B"], "").success().stdout
}

fn a_signed_commit_is_made_without_the_signature(version: Version) {
    let stage = stage(version, "attribution = \"rewrite\"");
    let again =
        "git commit -q --allow-empty -m Again -m 'Co-Authored-By: Claude <noreply@anthropic.com>'";
    let played = play(&stage, &[SIGNED, again, "git log --oneline"]);
    assert_eq!(
        messages(&stage),
        "Again\n\nAdd the file\n\nIt's \"needed\" for `x` — 必要\n\nStart\n\n"
    );
    let told = |number: usize| played.main()[number].body.to_string();
    let advice = "so the call was changed (removed: 🤖 Generated with [Claude Code]";
    assert!(told(1).contains(advice), "{}", told(1));
    assert_eq!(told(3).matches("so the call was changed").count(), 1, "it is told once");
    let changed = stage.log().records("call.rewritten");
    let rules: Vec<_> = changed.iter().map(|record| &record["payload"]["rules"]).collect();
    assert_eq!(rules, [&json!(["attribution"]), &json!(["attribution"])]);
    let ran = stage.log().records("tool.succeeded");
    assert!(
        !ran[0].to_string().contains("Co-Authored-By"),
        "the client knows what ran: {}",
        ran[0]
    );
}

fn another_line_is_no_permission(version: Version) {
    let stage = stage(version, "attribution = \"rewrite\"");
    let script = Script::new().step(bash(SIGNED)).step(Reply::text("Done."));
    let played = stage.play_allowed(&["Read"], "go", script);
    assert_eq!(stage.log().records("call.rewritten").len(), 1);
    assert_eq!(messages(&stage), "Start\n\n", "{:#?}", played.told_main());
}

fn a_person_is_asked_about_the_line_that_will_run(version: Version) {
    let stage = stage(version, "attribution = \"rewrite\"");
    let environment = &stage.household.environment;
    done(environment.run("git", ["add", "a.txt"], ""));
    let title = Rule::side_call().otherwise(Reply::text("A title"));
    let signed =
        "git commit -q -m 'Add it\n\nCo-Authored-By: Claude <noreply@anthropic.com>' # why";
    let upstream = Upstream::start(Script::new().rule(title).step(bash(signed)));
    let mut client = stage.client.interactive(environment, &upstream, &json!({}));
    client.type_line("go");
    client.terminal.wait_for("Do you want to proceed?");
    let screen = client.terminal.screen();
    assert!(screen.contains("git commit -q -m 'Add it' # why"), "{screen}");
    // The client may ignore a key that comes at the same time as its dialog.
    drop(client);
    drop(upstream.finish());
    assert_eq!(messages(&stage), "Start\n\n", "nobody said yes");
}

fn staging_everything_is_denied_with_advice(version: Version) {
    let stage = stage(version, "add_all = \"deny\"");
    let lines = [
        "git add -A",
        "bash -c 'git add . && git commit -m x'",
        "git add a.txt",
        "git status --short",
    ];
    let told = play(&stage, &lines).told_main();
    for told in &told[..2] {
        let reason = "verger: this did not run: it stages every change in the working tree (rule add-all). \
                      Instead: name the files of the change, as in `git add PATH`";
        assert!(told.contains(reason), "{told}");
    }
    assert!(told[3].starts_with("A  a.txt"), "{}", told[3]);
    assert_eq!(stage.denials("habits"), ["add-all", "add-all"]);
}

fn a_staged_secret_stops_the_commit(version: Version) {
    let stage = stage(version, "staged_secrets = \"deny\"");
    let environment = &stage.household.environment;
    environment.write("config.rs", format!("// settings\nconst TOKEN: &str = \"{SECRET}\";\n"));
    let lines = [
        "git add config.rs && git commit -qm Settings",
        "git add a.txt && git commit -qm File && echo committed",
    ];
    let played = play(&stage, &lines);
    let told = played.told_main();
    let reason = "the commit would contain a possible secret: github-token in config.rs:2 (rule staged-secrets)";
    assert!(told[0].contains(reason), "{}", told[0]);
    assert!(told[1].starts_with("committed"), "{}", told[1]);
    assert_eq!(messages(&stage), "File\n\nStart\n\n");
    assert!(!stage.kept().contains(SECRET));
    let sent: Vec<_> = played.requests.iter().map(|request| request.body.to_string()).collect();
    assert!(!sent.concat().contains(SECRET), "nobody told the model");
    assert!(fs::read_to_string(environment.project().join("config.rs")).unwrap().contains(SECRET));
}

fn a_subagent_does_not_build_everything_and_the_main_agent_may(version: Version) {
    let stage = stage(version, "subagent_builds = \"deny\"");
    let subagent =
        Rule::subagent().step(bash("make")).step(bash("make -n")).step(Reply::text("Built."));
    let script = Script::new()
        .step(start_agent("general-purpose", Some(false)))
        .step(bash("make"))
        .step(Reply::text("Done."))
        .rule(subagent);
    let played = stage.play_allowed(&["Bash", "Agent"], "go", script);
    assert_eq!(played.run.answer(), "Done.");
    let by_subagent = played.told_subagent();
    let reason =
        "it builds or tests the whole project, and other agents work in it at the same time";
    assert!(by_subagent[0].contains(reason), "{by_subagent:#?}");
    assert!(by_subagent[1].starts_with("echo built"), "{by_subagent:#?}");
    assert!(played.told_main()[1].starts_with("built"), "{:#?}", played.told_main());
}
