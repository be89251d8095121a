//! The real client runs a script that pretends to be a person. The script still counts as the
//! agent's.

use verger_testkit::{ClaudeCode, Reply, Script, TestEnvironment, Upstream, Version};

const VERGER: &str = env!("CARGO_BIN_EXE_verger");

/// Shell lines with which an agent may pretend to be a person. `$verger` is a command that only a
/// person may run.
const DISGUISES: &[(&str, &str)] = &[
    ("none", "$verger"),
    ("a terminal of its own", r#"script -qec "$verger" /dev/null"#),
    (
        "a terminal made by python",
        r"python3 -c 'import os, pty, sys; sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:])))' $verger",
    ),
    ("a session of its own", "setsid --wait $verger"),
    ("deaf to the end of the terminal", "nohup $verger"),
    ("without the mark of the agent", "env -u CLAUDECODE $verger"),
    ("with an empty environment", r#"env -i HOME="$HOME" VERGER_HOME="$VERGER_HOME" $verger"#),
    (
        "with an empty environment on a terminal",
        r#"env -i HOME="$HOME" VERGER_HOME="$VERGER_HOME" PATH="$PATH" script -qec "$verger" /dev/null"#,
    ),
    (
        "without a parent",
        r#"mkfifo ended; setsid --fork sh -c '"$@" > told 2>&1; echo $? > ended' - $verger; read code < ended; cat told; (exit $code)"#,
    ),
];

#[test]
fn no_disguise_makes_an_agent_a_person_in_2_1_197() {
    no_disguise_makes_an_agent_a_person(Version::V2_1_197);
}

#[test]
fn no_disguise_makes_an_agent_a_person_in_2_1_326() {
    no_disguise_makes_an_agent_a_person(Version::V2_1_326);
}

#[track_caller]
fn no_disguise_makes_an_agent_a_person(version: Version) {
    let environment = TestEnvironment::with_repository();
    environment.write(".verger/config.toml", "[user]\nname = \"Mallory\"\n");
    let attempts = DISGUISES.iter().map(|(name, disguise)| {
        format!("echo '{name}:'; {{ {disguise}; }} < /dev/null 2>&1; echo \"exit code $?\"\n")
    });
    let script =
        format!("#!/bin/bash\nverger='{VERGER} trust --yes'\n{}", attempts.collect::<String>());
    environment.write_program("release.sh", script);
    let bash = |command: &str| Reply::tool_use("Bash", serde_json::json!({ "command": command }));
    let upstream = Upstream::start(
        Script::new().step(bash("./release.sh > tried.txt")).step(Reply::text("Done.")),
    );
    let client = ClaudeCode::installed(version);
    let run = client.print("go").allowed_tools(["Bash"]).run(&environment, &upstream);
    assert_eq!(run.success().answer(), "Done.");
    upstream.finish();

    let tried = environment.read("tried.txt").replace('\r', "");
    let tried: Vec<_> = tried.lines().map(without_process).collect();
    let refused = DISGUISES.iter().flat_map(|(name, _)| {
        [
            format!("{name}:"),
            "verger: only a person may run `verger trust`, and Claude Code (process N) started it"
                .to_owned(),
            "hint: ask the person to run it in a terminal of their own".to_owned(),
            "exit code 4".to_owned(),
        ]
    });
    assert_eq!(tried, refused.collect::<Vec<_>>());
    assert!(!environment.verger_home().exists(), "something was written");
}

fn without_process(line: &str) -> String {
    match line.split_once("(process ") {
        Some((before, after)) => {
            let after = after.trim_start_matches(|digit: char| digit.is_ascii_digit());
            format!("{before}(process N{after}")
        }
        None => line.to_owned(),
    }
}
