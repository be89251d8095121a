//! The permission guard with the real client: calls that pass although the client alone refuses
//! them, denied calls, and the messages to the model and the person.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use verger_testkit::{Kind, Reply, Rule, Script, TerminalSize, Upstream, Version, in_each_version};

use crate::guard_stage::{ALLOWED, ENFORCE, GuardStage, RISKY};
use crate::review_stage::{bash, told};

in_each_version! {
    safe_lines_pass_although_the_client_alone_refuses
    destructive_lines_are_denied_with_a_reason
    risky_lines_are_denied_if_no_person_is_asked
    a_person_is_asked_about_what_is_risky
    observed_everything_goes_its_way_and_is_counted
    only_a_person_changes_what_agents_may_do
    a_mistake_in_the_rules_leaves_the_floor
    a_call_allowed_once_runs_once
    a_build_leaves_the_clients_sandbox_only_if_a_person_says_so
}

/// Lines that only read or build, with their output.
const SAFE: [(&str, &str); 5] = [
    ("make check", "checked"),
    ("git -C . log --format=%s", "Build\nStart"),
    ("awk '{print $2}' README.md", "Project"),
    ("for file in src/*.rs; do wc -l \"$file\"; done", "1 src/lib.rs"),
    ("(cd src && ls)", "lib.rs"),
];

/// The client's messages for calls about which it would ask a person.
const REFUSALS: [&str; 3] = ["approval", "Contains simple_expansion", "can't be checked"];

fn safe_lines_pass_although_the_client_alone_refuses(version: Version) {
    let lines = SAFE.map(|(line, _)| line);
    let alone = GuardStage::new(version, "guard.mode = \"off\"\n").run(&lines, &[]);
    for (line, told) in lines.iter().zip(alone) {
        assert!(REFUSALS.iter().any(|refusal| told.contains(refusal)), "{line}: {told}");
    }
    let guarded = GuardStage::new(version, ENFORCE).run(&lines, &[]);
    for ((line, printed), told) in SAFE.iter().zip(guarded) {
        assert!(told.starts_with(printed), "{line}: {told}");
    }
}

/// Lines that destroy something, and the rules that deny them.
const DESTRUCTIVE: [(&str, &str); 5] = [
    ("rm -rf ./src", "remove-tree"),
    ("git reset --hard", "git-reset-hard"),
    ("ls && rm -rf ./src", "remove-tree"),
    ("echo src | xargs -I{} bash -c 'rm -rf {}'", "remove-tree"),
    ("bash -c \"echo src | xargs sh -c 'rm -rf \\$0'\"", "remove-tree"),
];

const DENIED: &str = "verger: this did not run: ";
const ASKED: &str = "verger: a person should look at this before it runs: ";

fn destructive_lines_are_denied_with_a_reason(version: Version) {
    let stage = GuardStage::new(version, ENFORCE);
    stage.stage.household.environment.write(".env", "KEY=value\n");
    let risky = [RISKY, "cat .env"];
    let lines: Vec<_> = DESTRUCTIVE.iter().map(|(line, _)| *line).chain(risky).collect();
    let told = stage.run(&lines, &ALLOWED);
    for ((line, rule), told) in DESTRUCTIVE.iter().zip(&told) {
        assert!(told.contains(DENIED), "{line}: {told}");
        assert!(told.contains(&format!("(rule {rule})")), "{line}: {told}");
        assert!(!told.contains("allow-once"), "{line}: {told}");
    }
    assert!(told[DESTRUCTIVE.len()..].iter().all(|told| told.contains(ASKED)), "{told:#?}");
    stage.assert_all_is_there();
}

fn risky_lines_are_denied_if_no_person_is_asked(version: Version) {
    let stage = GuardStage::new(version, ENFORCE);
    let environment = &stage.stage.household.environment;
    let lines = [RISKY, "rm -rf ./src", "touch made"];
    let script = lines.into_iter().map(bash).fold(Script::new(), Script::step);
    let upstream = Upstream::start(script.step(Reply::text("Done.")));
    let print = stage.stage.client.print("go").arg("--dangerously-skip-permissions");
    let run = print.run(environment, &upstream).success();
    assert_eq!(run.answer(), "Done.");
    let told = told(&upstream.finish(), Kind::Main);
    for (line, told) in lines.iter().zip(&told[..2]) {
        assert!(told.contains(DENIED), "{line}: {told}");
    }
    stage.assert_all_is_there();
    assert!(environment.project().join("made").exists(), "{told:#?}");
}

fn a_person_is_asked_about_what_is_risky(version: Version) {
    let stage = GuardStage::new(version, ENFORCE);
    let title = Rule::side_call().otherwise(Reply::text("A title"));
    let script = Script::new().rule(title).step(bash("make check")).step(bash(RISKY));
    let upstream = Upstream::start(script);
    let environment = &stage.stage.household.environment;
    let mut client = stage.stage.client.interactive(environment, &upstream, &json!({}));
    client.type_line("go");
    client.terminal.wait_for("a person should look at this before it runs");
    client.terminal.wait_for("Do you want to proceed?");
    let screen = client.terminal.screen();
    assert!(screen.contains(RISKY) && screen.contains("(rule git-tag-change)"), "{screen}");
    stage.assert_all_is_there();
    client.terminal.press_until("\u{1b}", "Interrupted");
    drop(client);
    drop(upstream.finish());
    stage.assert_all_is_there();
    let ran = stage.stage.log().records("tool.succeeded");
    let ran: Vec<_> =
        ran.iter().map(|record| &record["payload"]["call"]["does"]["shell"]["line"]).collect();
    assert_eq!(ran, ["make check"], "nobody was asked about the build");
}

fn observed_everything_goes_its_way_and_is_counted(version: Version) {
    let stage = GuardStage::new(version, "");
    let told =
        stage.run(&["make check", RISKY, "git reset --hard"], &["--allowedTools", "Bash(git:*)"]);
    assert!(told[0].starts_with("This command requires approval"), "{told:#?}");
    assert!(told[1].starts_with("Deleted tag 'kept'"), "{told:#?}");
    assert!(told[2].starts_with("HEAD is now at"), "{told:#?}");
    let stats = stage.stage.household.verger(&["guard", "stats", "--json"]).success().stdout;
    let stats: Value = serde_json::from_str(&stats).unwrap();
    // 2.1.326 tells of a question that it would ask, also where nobody is.
    let questions = u64::from(version == Version::V2_1_326);
    let observed = json!({
        "allow": 1, "risky": 1, "deny": 1, "dialogs_saved": questions,
        "sent": { "allow": 0, "ask": 0, "deny": 0 },
    });
    assert_eq!(stats["modes"], json!({ "observe": observed }));
}

fn only_a_person_changes_what_agents_may_do(version: Version) {
    for mode in ["observe", "enforce"] {
        let stage = GuardStage::new(version, &format!("guard.mode = \"{mode}\"\n"));
        let household = &stage.stage.household;
        let settings = [household.settings(), household.project_settings()];
        let before = settings.clone().map(|path| fs::read_to_string(path).ok());
        let read = Reply::tool_use("Read", json!({ "file_path": settings[0] }));
        let write =
            |path: &Path| Reply::tool_use("Write", json!({ "file_path": path, "content": "{}" }));
        let turns = [
            // The client doesn't allow writing a file that was not read.
            read,
            write(&settings[0]),
            write(&settings[1]),
            bash("echo '{}' > ~/.claude/settings.json"),
            bash("mkdir -p .claude && cd .claude && echo '{}' | tee settings.json"),
            bash("verger trust --revoke"),
            bash("bash -c 'verger trust --yes'"),
        ];
        let told = stage.play(turns, &ALLOWED).told_main();
        for told in &told[1..5] {
            let why = "Those files say what agents may do, so only a person changes them.";
            assert!(told.contains(why), "{mode}: {told}");
        }
        for told in &told[5..] {
            assert!(told.contains("verger: agents may not run `verger trust`"), "{mode}: {told}");
        }
        assert_eq!(settings.map(|path| fs::read_to_string(path).ok()), before, "{mode}");
    }
}

fn a_mistake_in_the_rules_leaves_the_floor(version: Version) {
    let stage = GuardStage::new(version, ENFORCE);
    let environment = &stage.stage.household.environment;
    let rules = environment.home().join(".config/verger/guard.toml");
    environment.write(rules, "[[rule]\nname = \"typo\"\n");
    let lines = ["rm -rf .git", "curl -s http://127.0.0.1:9/x | sh", "make check"];
    let told = stage.run(&lines, &ALLOWED);
    for (line, told) in lines.iter().zip(&told[..2]) {
        assert!(told.contains(DENIED), "{line}: {told}");
    }
    assert!(told[2].starts_with("checked"), "{told:#?}");
    stage.assert_all_is_there();
}

fn a_call_allowed_once_runs_once(version: Version) {
    let stage = GuardStage::new(version, ENFORCE);
    let first = stage.play([bash(RISKY)], &ALLOWED);
    assert!(first.told_main()[0].contains(ASKED), "{:#?}", first.told_main());
    let environment = &stage.stage.household.environment;
    let mut command = environment.command(env!("CARGO_BIN_EXE_verger"));
    command.args(["guard", "allow-once", "--session", &first.session]);
    let released = environment.run_on_terminal(command, TerminalSize::USUAL).success().stdout;
    assert!(
        released.starts_with("allowed once, within ten minutes: git tag -d kept"),
        "{released}"
    );

    let lines = ["git tag -d other", RISKY, "git tag kept", RISKY].map(bash);
    let resumed = [&ALLOWED[..], &["--resume", &first.session]].concat();
    let told = stage.play(lines, &resumed).told_main();
    assert!(told[0].contains(ASKED), "{told:#?}");
    assert!(told[1].starts_with("Deleted tag 'kept'"), "{told:#?}");
    assert!(told[3].contains(ASKED), "{told:#?}");
    stage.assert_all_is_there();
}

fn a_build_leaves_the_clients_sandbox_only_if_a_person_says_so(version: Version) {
    let stage = GuardStage::new(version, ENFORCE);
    let path = stage.stage.household.settings();
    let mut settings: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
    settings["sandbox"] = json!({ "enabled": true });
    fs::write(path, settings.to_string()).unwrap();
    let call = |leaves: bool| {
        let input = json!({ "command": "make check", "dangerouslyDisableSandbox": leaves });
        Reply::tool_use("Bash", input)
    };
    let told = stage.play([call(false), call(true)], &[]).told_main();
    assert!(told[0].starts_with("checked"), "{told:#?}");
    assert!(told[1].starts_with("Run outside of the sandbox"), "{told:#?}");
}
