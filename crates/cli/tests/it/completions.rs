//! `verger completions`.

use crate::recorded::Recorded;

/// The completions that bash offers for the last word of a command line.
fn offered(recorded: &Recorded, line: &[&str]) -> String {
    let script = format!(
        "source <('{}' completions bash)\n\
         COMP_WORDS=({}); COMP_CWORD={}\n\
         _verger verger \"${{COMP_WORDS[COMP_CWORD]}}\" \"${{COMP_WORDS[COMP_CWORD-1]}}\"\n\
         printf '%s\\n' \"${{COMPREPLY[@]}}\"",
        env!("CARGO_BIN_EXE_verger"),
        line.iter().map(|word| format!("'{word}'")).collect::<Vec<_>>().join(" "),
        line.len() - 1,
    );
    recorded.environment.run("bash", ["--norc", "-c", script.as_str()], "").success().stdout
}

#[test]
fn bash_completes_commands_and_options() {
    let recorded = Recorded::nothing();
    insta::assert_snapshot!(offered(&recorded, &["verger", "conf"]), @"config");
    insta::assert_snapshot!(offered(&recorded, &["verger", "config", "s"]), @r#"
    show
    set
    "#);
    insta::assert_snapshot!(offered(&recorded, &["verger", "config", "show", "--o"]), @"--origin");
    insta::assert_snapshot!(offered(&recorded, &["verger", "completions", ""]), @r#"
    -q
    -h
    --json
    --quiet
    --help
    bash
    zsh
    fish
    "#);
}

#[test]
fn every_shell_that_is_here_accepts_its_script() {
    let recorded = Recorded::nothing();
    for (shell, beginning) in [("bash", "_verger() {"), ("zsh", "#compdef verger"), ("fish", "# ")]
    {
        let script = recorded.verger(&["completions", shell]).success().stdout;
        assert!(script.starts_with(beginning), "{shell}: {script:.80}");
        let json = recorded.verger(&["completions", shell, "--json"]).success().stdout;
        let json: serde_json::Value = serde_json::from_str(&json).unwrap();
        assert_eq!(
            (json["shell"].as_str(), json["script"].as_str()),
            (Some(shell), Some(&*script))
        );
        let is_here = format!("command -v {shell}");
        if recorded.environment.run("bash", ["-c", is_here.as_str()], "").code == 0 {
            let file = recorded.environment.write("script", &script);
            let read = recorded.environment.run(shell, ["-n".as_ref(), file.as_os_str()], "");
            assert_eq!((read.stderr.as_str(), read.code), ("", 0), "{shell}");
        }
    }
}

#[test]
fn another_shell_is_refused_with_those_there_are() {
    let recorded = Recorded::nothing();
    insta::assert_snapshot!(recorded.verger(&["completions", "tcsh"]), @r#"
    ------- stderr -------
    error: invalid value 'tcsh' for '<SHELL>'
      [possible values: bash, zsh, fish]

      tip: a similar value exists: 'zsh'

    For more information, try '--help'.
    ------- exit code 2 -------
    "#);
}
