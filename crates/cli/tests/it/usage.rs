//! Help, wrong arguments, and an unusable home.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use crate::recorded::Recorded;

#[test]
fn an_unknown_command_is_refused() {
    let recorded = Recorded::nothing();
    insta::assert_snapshot!(recorded.verger(&["frobnicate"]), @r#"
    ------- stderr -------
    error: unrecognized subcommand 'frobnicate'

    Usage: verger [OPTIONS] <COMMAND>

    For more information, try '--help'.
    ------- exit code 2 -------
    "#);
}

#[test]
fn no_home_is_an_error_that_says_what_to_set() {
    let mut recorded = Recorded::nothing();
    for name in ["HOME", "VERGER_HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME"] {
        recorded.environment.unset(name);
    }
    insta::assert_snapshot!(recorded.verger(&["session", "list"]), @r#"
    ------- stderr -------
    verger: cannot find verger's home directory: neither VERGER_HOME nor HOME is an absolute path
    hint: set HOME, or VERGER_HOME to the directory that should hold verger's files
    ------- exit code 3 -------
    "#);
    insta::assert_snapshot!(recorded.verger(&["session", "list", "--json"]), @r#"
    ------- stderr -------
    {"error":"failed","hint":"set HOME, or VERGER_HOME to the directory that should hold verger's files","message":"cannot find verger's home directory: neither VERGER_HOME nor HOME is an absolute path"}
    ------- exit code 3 -------
    "#);
}

#[test]
fn an_unsafe_data_directory_is_refused_with_the_command_that_helps() {
    let recorded = Recorded::two_sessions();
    let data = recorded.environment.verger_home().join("data");
    fs::set_permissions(&data, fs::Permissions::from_mode(0o777)).unwrap();
    insta::assert_snapshot!(recorded.verger(&["session", "list"]), @r#"
    ------- stderr -------
    verger: cannot use $ENV/home/.verger/data: other users may write to it (chmod 700 makes it private)
    hint: chmod 700 $ENV/home/.verger/data
    ------- exit code 3 -------
    "#);
    fs::set_permissions(&data, fs::Permissions::from_mode(0o700)).unwrap();
    let elsewhere = recorded.environment.root().join("elsewhere");
    fs::rename(&data, &elsewhere).unwrap();
    std::os::unix::fs::symlink(&elsewhere, &data).unwrap();
    insta::assert_snapshot!(recorded.verger(&["session", "list"]), @r#"
    ------- stderr -------
    verger: cannot use $ENV/home/.verger/data: it is a symbolic link
    hint: set VERGER_HOME to the directory that $ENV/home/.verger/data points to, or replace the link by it
    ------- exit code 3 -------
    "#);
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let recorded = Recorded::two_sessions();
    let script = format!(
        "'{}' session trace 1111 -v | head -n 1 >/dev/null; echo ${{PIPESTATUS[0]}}",
        env!("CARGO_BIN_EXE_verger")
    );
    let output = recorded.environment.run("bash", ["-c", script.as_str()], "");
    assert_eq!((output.stdout.as_str(), output.stderr.as_str()), ("0\n", ""));
}

#[test]
fn programs_get_json_for_wrong_arguments_too() {
    let recorded = Recorded::nothing();
    insta::assert_snapshot!(recorded.verger(&["--json", "frobnicate"]), @r#"
    ------- stderr -------
    {"error":"usage","hint":"verger --help","message":"unrecognized subcommand 'frobnicate'"}
    ------- exit code 2 -------
    "#);
    insta::assert_snapshot!(recorded.verger(&["session", "list", "--json", "-n", "many"]), @r#"
    ------- stderr -------
    {"error":"usage","hint":"verger --help","message":"invalid value 'many' for '--limit <LIMIT>': invalid digit found in string"}
    ------- exit code 2 -------
    "#);
}

#[test]
fn output_that_cannot_be_written_is_an_error() {
    let recorded = Recorded::two_sessions();
    let script = format!("'{}' session list >/dev/full", env!("CARGO_BIN_EXE_verger"));
    insta::assert_snapshot!(recorded.environment.run("bash", ["-c", script.as_str()], ""), @r#"
    ------- stderr -------
    verger: cannot write the output: No space left on device (os error 28)
    hint: is the disk full, or the output closed?
    ------- exit code 3 -------
    "#);
}

#[test]
fn a_relative_home_is_an_error_and_no_other_home_is_used() {
    let mut recorded = Recorded::nothing();
    recorded.environment.set("VERGER_HOME", "");
    insta::assert_snapshot!(recorded.verger(&["session", "list"]), @r#"
    ------- stderr -------
    verger: cannot use VERGER_HOME="": it must be an absolute path
    hint: set VERGER_HOME to an absolute path, or unset it
    ------- exit code 3 -------
    "#);
    recorded.environment.set("VERGER_HOME", "verger");
    insta::assert_snapshot!(recorded.verger(&["session", "list", "--json"]), @r#"
    ------- stderr -------
    {"error":"failed","hint":"set VERGER_HOME to an absolute path, or unset it","message":"cannot use VERGER_HOME=\"verger\": it must be an absolute path"}
    ------- exit code 3 -------
    "#);
}

#[test]
fn problems_of_settings_are_reported() {
    let recorded = Recorded::two_sessions();
    let config = recorded.environment.verger_home().join("config");
    fs::create_dir_all(&config).unwrap();
    fs::write(config.join("config.toml"), "[store]\nlock_wait_ms = \"long\"\nunknown = 1\n")
        .unwrap();
    insta::assert_snapshot!(recorded.verger(&["log", "verify"]), @r#"
    2 segments, 8 records, 0 faults
    ------- stderr -------
    verger: $ENV/home/.verger/config/config.toml:2:1: bad value for "store.lock_wait_ms": expected an integer from 0 to 2000, found a string
    verger: $ENV/home/.verger/config/config.toml:3:1: unknown key "store.unknown"
    "#);
    insta::assert_snapshot!(recorded.verger(&["log", "verify", "--json"]), @r#"{"segments":[{"faults":[],"foreign":0,"name":"claude-1111","records":7,"segment":"session","spilled":0},{"faults":[],"foreign":0,"name":"claude-2222","records":1,"segment":"session","spilled":0}]}"#);
}

#[test]
fn programs_are_told_which_arguments_are_missing_or_wrong() {
    let recorded = Recorded::nothing();
    insta::assert_snapshot!(recorded.verger(&["why", "--json"]), @r#"
    ------- stderr -------
    {"error":"usage","hint":"verger --help","message":"the following required arguments were not provided: <EVENT>"}
    ------- exit code 2 -------
    "#);
    insta::assert_snapshot!(recorded.verger(&["completions", "csh", "--json"]), @r#"
    ------- stderr -------
    {"error":"usage","hint":"verger --help","message":"invalid value 'csh' for '<SHELL>' [possible values: bash, zsh, fish]"}
    ------- exit code 2 -------
    "#);
}

#[test]
fn findings_that_cannot_be_printed_are_a_failure() {
    let recorded = Recorded::nothing();
    let script = format!("'{}' doctor >/dev/full", env!("CARGO_BIN_EXE_verger"));
    insta::assert_snapshot!(recorded.environment.run("sh", ["-c", &script], ""), @r#"
    ------- stderr -------
    verger: cannot write the output: No space left on device (os error 28)
    hint: is the disk full, or the output closed?
    ------- exit code 3 -------
    "#);
}
