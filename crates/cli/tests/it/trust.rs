//! `verger trust`.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};

use verger_testkit::TerminalSize;

use crate::recorded::Recorded;

const CONFIG: &str = "# ours\n[user]\nname = \"ann\"\n[record]\nrole = \"author\"\n";

fn with_config() -> Recorded {
    let mut recorded = Recorded::nothing();
    recorded.environment.set("VERGER_TEST_NOW_MS", "1794767961000");
    recorded.environment.set("VERGER_TEST_SEED", "1");
    recorded.environment.write(".verger/config.toml", CONFIG);
    recorded
}

#[test]
fn a_project_is_trusted_until_its_file_changes() {
    let recorded = with_config();
    insta::assert_snapshot!(recorded.verger(&["trust", "--yes"]), @r#"
    $ENV/home/project: agents may build and test here; tests run the agent's code
    $ENV/home/project/.verger/config.toml:
      | # ours
      | [user]
      | name = "ann"
      | [record]
      | role = "author"
    1 key in the file needs trust:
      user.name = "ann"  (line 3: The name written into every record; when absent, git's identity.)
    trusted; the configuration file is trusted until it changes or moves
    "#);
    insta::assert_snapshot!(recorded.verger(&["trust", "--yes", "--json"]), @r#"{"config":{"file":"$ENV/home/project/.verger/config.toml","keys":[{"key":"user.name","line":3,"value":"ann"}],"now":"trusted","sha256":"6e136511eb65a90ea38ad50c865d5a17368fdac89706a4cab9f33c6ad18a11c9","was":"trusted"},"worktree":{"now":"trusted","root":"$ENV/home/project","was":"trusted"}}"#);
    let list = recorded.environment.verger_home().join("config/trust.json");
    assert_eq!(fs::metadata(&list).unwrap().permissions().mode() & 0o777, 0o600);
    insta::assert_snapshot!(recorded.verger(&["config", "show", "user.name", "--origin"]), @r#"user.name  "ann"  $ENV/home/project/.verger/config.toml:3"#);
    insta::assert_snapshot!(recorded.verger(&["trust", "--list"]), @"
    0 s ago  trusted  $ENV/home/project  (builds and tests)
    0 s ago  trusted  $ENV/home/project/.verger/config.toml
    verger trust --revoke DIRECTORY takes trust back
    ");

    recorded.environment.write(".verger/config.toml", format!("{CONFIG} "));
    insta::assert_snapshot!(recorded.verger(&["config", "show", "user.name", "--origin"]), @r#"
    user.name  -  default
    ------- stderr -------
    verger: $ENV/home/project/.verger/config.toml:3:1: "user.name" is ignored because this project is not trusted; `verger trust` shows the project's settings and trusts it
    "#);
    insta::assert_snapshot!(recorded.verger(&["trust", "--list", "--json"]), @r#"{"trusted":[{"file":"$ENV/home/project/.verger/config.toml","sha256":"6e136511eb65a90ea38ad50c865d5a17368fdac89706a4cab9f33c6ad18a11c9","state":"changed","trusted_at_ms":1794767961000}],"worktrees":[{"root":"$ENV/home/project","state":"trusted","trusted_at_ms":1794767961000}]}"#);
}

#[test]
fn the_list_shows_how_long_ago_a_project_was_trusted() {
    let mut recorded = with_config();
    assert_eq!(recorded.verger(&["trust", "--yes"]).code, 0);
    recorded.pass_days(3);
    let listed = recorded.verger(&["trust", "--list", "-q"]).success().stdout;
    assert_eq!(listed.lines().count(), 2, "{listed}");
    assert!(listed.lines().all(|line| line.starts_with("3 days ago  trusted  ")), "{listed}");
}

#[test]
fn trust_does_not_move_with_the_directory_and_can_be_revoked_by_its_old_name() {
    let recorded = with_config();
    recorded.environment.write("old/.verger/config.toml", CONFIG);
    assert_eq!(recorded.verger(&["trust", "old", "--yes"]).code, 0);
    let project = recorded.environment.project();
    fs::rename(project.join("old"), project.join("new")).unwrap();
    insta::assert_snapshot!(recorded.verger(&["trust", "--list", "-q"]), @"
    0 s ago  gone  $ENV/home/project/old  (builds and tests)
    0 s ago  gone  $ENV/home/project/old/.verger/config.toml
    ");
    insta::assert_snapshot!(recorded.verger(&["trust", "--revoke", "new", "--yes"]), @r#"
    ------- stderr -------
    verger: there is no trusted project or file at $ENV/home/project/new
    hint: verger trust --list
    ------- exit code 2 -------
    "#);
    insta::assert_snapshot!(recorded.verger(&["trust", "--revoke", "old", "--yes"]), @r#"
    no longer trusted: $ENV/home/project/old
    no longer trusted: $ENV/home/project/old/.verger/config.toml
    "#);
    insta::assert_snapshot!(recorded.verger(&["trust", "--list"]), @"no project is trusted; verger trust DIRECTORY trusts one");
}

#[test]
fn trust_is_taken_back_from_anywhere_in_the_project() {
    let recorded = with_config();
    assert_eq!(recorded.verger(&["trust", "--yes"]).code, 0);
    recorded.environment.write("src/main.rs", "");
    insta::assert_snapshot!(recorded.verger(&["trust", "--revoke", "src", "--yes", "--json"]), @r#"{"revoked":["$ENV/home/project/.verger/config.toml"],"worktrees":["$ENV/home/project"]}"#);
    insta::assert_snapshot!(recorded.verger(&["trust", "--list", "--json"]), @r#"{"trusted":[],"worktrees":[]}"#);
}

#[test]
fn a_project_without_a_configuration_is_trusted_for_builds_and_tests() {
    let recorded = Recorded::nothing();
    insta::assert_snapshot!(recorded.verger(&["trust", "--yes"]), @r#"
    $ENV/home/project: agents may build and test here; tests run the agent's code
    trusted
    "#);
    insta::assert_snapshot!(recorded.verger(&["trust", "--yes", "--json"]), @r#"{"config":null,"worktree":{"now":"trusted","root":"$ENV/home/project","was":"trusted"}}"#);
    let outside = recorded.environment.write("real.toml", CONFIG);
    fs::create_dir(recorded.environment.project().join(".verger")).unwrap();
    let link = recorded.environment.project().join(".verger/config.toml");
    symlink(outside, link).unwrap();
    insta::assert_snapshot!(recorded.verger(&["trust", "--yes"]), @r#"
    $ENV/home/project: agents may build and test here; tests run the agent's code
    already trusted, with this content
    ------- stderr -------
    verger: $ENV/home/project/.verger/config.toml is a symbolic link and is not followed
    "#);
    insta::assert_snapshot!(recorded.verger(&["trust", "nowhere", "--yes"]), @r#"
    ------- stderr -------
    verger: there is no directory $ENV/home/project/nowhere
    hint: verger trust DIRECTORY
    ------- exit code 2 -------
    "#);
    insta::assert_snapshot!(recorded.verger(&["trust", "--revoke", "--yes"]), @"no longer trusted: $ENV/home/project");
}

#[test]
fn linked_worktrees_share_the_trust_of_their_repository() {
    let recorded = Recorded::nothing();
    let git = |arguments: &[&str]| recorded.environment.run("git", arguments, "");
    let identity = ["-c", "user.name=a", "-c", "user.email=a@b"];
    assert_eq!(git(&["init", "-q"]).code, 0);
    let commit = ["commit", "-q", "--allow-empty", "-m", "a"];
    assert_eq!(git(&[&identity[..], &commit[..]].concat()).code, 0);
    assert_eq!(git(&["worktree", "add", "-q", "../linked"]).code, 0);
    insta::assert_snapshot!(recorded.verger(&["trust", "../linked", "--yes"]), @r#"
    $ENV/home/project: agents may build and test here; tests run the agent's code
    trusted
    "#);
    insta::assert_snapshot!(recorded.verger(&["trust", "--yes"]), @r#"
    $ENV/home/project: agents may build and test here; tests run the agent's code
    already trusted, with this content
    "#);
    insta::assert_snapshot!(recorded.verger(&["trust", "--revoke", "../linked", "--yes", "--json"]), @r#"{"revoked":[],"worktrees":["$ENV/home/project"]}"#);
}

#[test]
fn a_broken_list_is_named_and_left_alone() {
    let recorded = with_config();
    let list = recorded.environment.verger_home().join("config/trust.json");
    recorded.environment.write(&list, "{ \"version\": 9 }\n");
    insta::assert_snapshot!(recorded.verger(&["trust", "--yes", "-q"]), @r#"
    ------- stderr -------
    verger: cannot use $ENV/home/.verger/config/trust.json: it has version 9, written by another version of verger
    hint: mv $ENV/home/.verger/config/trust.json $ENV/home/.verger/config/trust.json.old, and trust your projects again
    ------- exit code 3 -------
    "#);
    insta::assert_snapshot!(recorded.verger(&["trust", "--list"]), @r#"
    ------- stderr -------
    verger: cannot use $ENV/home/.verger/config/trust.json: it has version 9, written by another version of verger
    hint: mv $ENV/home/.verger/config/trust.json $ENV/home/.verger/config/trust.json.old, and trust your projects again
    ------- exit code 3 -------
    "#);
    assert_eq!(fs::read_to_string(list).unwrap(), "{ \"version\": 9 }\n");
}

#[test]
fn a_person_at_a_terminal_is_asked() {
    let recorded = with_config();
    let ask = |answer: &str| {
        let mut terminal = recorded.start_at_terminal(&["trust", "--quiet"], TerminalSize::USUAL);
        terminal.wait_for("[y/N]");
        terminal.send(answer);
        // Only the exit code is compared, because it varies when the terminal echoes the answer.
        terminal.finish().code
    };
    let list = || recorded.verger(&["trust", "--list", "-q"]);
    assert_eq!(ask("n\r"), 1);
    insta::assert_snapshot!(list(), @"");
    assert_eq!(ask("\r"), 1);
    insta::assert_snapshot!(list(), @"");
    assert_eq!(ask("y\r"), 0);
    insta::assert_snapshot!(list(), @"
    0 s ago  trusted  $ENV/home/project  (builds and tests)
    0 s ago  trusted  $ENV/home/project/.verger/config.toml
    ");
}

#[test]
fn a_no_is_told_to_programs() {
    let recorded = with_config();
    let told = recorded.environment.root().join("told");
    let command = format!("'{}' trust --json > '{}'", env!("CARGO_BIN_EXE_verger"), told.display());
    let output = recorded.environment.run("script", ["-qec", &command, "/dev/null"], "n\n");
    assert_eq!(output.code, 1);
    let told: serde_json::Value = serde_json::from_slice(&fs::read(told).unwrap()).unwrap();
    let told = &told["worktree"];
    assert_eq!((&told["was"], &told["now"]), (&"untrusted".into(), &"untrusted".into()));
}

#[test]
fn a_file_that_hooks_do_not_read_is_not_listed_as_trusted() {
    let recorded = with_config();
    assert_eq!(recorded.verger(&["trust", "--yes", "-q"]).code, 0);
    let state = || {
        let listed = recorded.verger(&["trust", "--list", "--json"]).success().stdout;
        let listed: serde_json::Value = serde_json::from_str(&listed).unwrap();
        listed["trusted"][0]["state"].as_str().unwrap().to_owned()
    };
    assert_eq!(state(), "trusted");
    let project = recorded.environment.project();
    fs::rename(project.join(".verger"), project.join("elsewhere")).unwrap();
    assert_eq!(state(), "gone");
    symlink("elsewhere", project.join(".verger")).unwrap();
    assert_eq!(state(), "changed");
    fs::remove_file(project.join(".verger")).unwrap();
    fs::create_dir(project.join(".verger")).unwrap();
    let made = recorded.environment.run("mkfifo", [".verger/config.toml"], "");
    assert_eq!(made.code, 0);
    assert_eq!(state(), "changed");
}
