//! `verger doctor`.

use std::fs::{self, Permissions};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::PathBuf;

use verger_event::Event;
use verger_event::VergerPart;
use verger_testkit::Output;

use crate::recorded::Recorded;

/// A home without problems, and a `verger` that is installed in it.
struct Patient {
    recorded: Recorded,
    verger: PathBuf,
}

impl Patient {
    fn well() -> Self {
        Self::registered(&[])
    }

    fn registered(arguments: &[&str]) -> Self {
        let mut recorded = Recorded::nothing();
        recorded.init(arguments);
        recorded.environment.set("AI_AGENT", "claude-code_2-1-197_agent");
        recorded.event("1111", "SessionStart", r#""source":"startup""#);
        recorded.event("1111", "UserPromptSubmit", r#""prompt_id":"p1","prompt":"fix it""#);
        recorded.environment.unset("AI_AGENT");
        let bin = recorded.environment.root().join("bin");
        let verger = bin.join("verger");
        let built = env!("CARGO_BIN_EXE_verger");
        fs::hard_link(built, &verger).or_else(|_| fs::copy(built, &verger).map(|_| ())).unwrap();
        recorded.environment.set("PATH", format!("{}:/usr/bin:/bin", bin.display()));
        Self { recorded, verger }
    }

    fn doctor(&self, arguments: &[&str]) -> Output {
        let arguments = [&["doctor"], arguments].concat();
        let mut output = self.recorded.environment.run(&self.verger, arguments, "");
        let system = format!("{} {}", std::env::consts::OS, std::env::consts::ARCH);
        output.stdout = output.stdout.replace(&system, "this system");
        output
    }

    fn problems(&self) -> String {
        self.doctor(&["--quiet"]).to_string()
    }

    /// The repairs that `--fix` reports, and the findings of the run after it.
    fn fixed(&self) -> String {
        let output = self.doctor(&["--fix", "--yes"]);
        let done: Vec<_> = output
            .stdout
            .lines()
            .filter(|line| line.starts_with("fixed") || line.starts_with("unfixed"))
            .collect();
        format!("{}\n{}", done.join("\n"), self.problems())
    }

    fn data(&self) -> PathBuf {
        self.recorded.environment.verger_home().join("data")
    }

    fn settings(&self) -> PathBuf {
        self.recorded.environment.home().join(".claude/settings.json")
    }
}

#[test]
fn a_plugin_that_was_switched_off_is_told_as_such() {
    let patient = Patient::well();
    let settings = fs::read_to_string(patient.settings()).unwrap();
    let off = settings.replace(r#""verger@verger": true"#, r#""verger@verger": false"#);
    fs::write(patient.settings(), off).unwrap();
    insta::assert_snapshot!(patient.problems(), @r#"
    problem  registration    verger's plugin is switched off in Claude Code: nothing is recorded
                             verger init switches it on again; verger uninstall removes it
    ------- exit code 1 -------
    "#);
}

#[test]
fn all_is_well() {
    let patient = Patient::well();
    insta::assert_snapshot!(patient.doctor(&[]), @"
    verger 0.1.0 on this system
    fine     verger on PATH    $ENV/bin/verger, version 0.1.0
    fine     registration      Claude Code has verger's plugin
    fine     hook program      ~/.verger/data/bin/verger-hook, version 0.1.0
    fine     plugin files      all have verger's version
    fine     one registration  every event is reported once
    fine     seen firing       Claude Code last called verger 0 s ago
    fine     events            2 of 18 registered events seen in 7 days: SessionStart, UserPromptSubmit
    fine     reviewer          no other agent has the reviewer's name
    fine     agent version     Claude Code 2.1.197 (seen) was tested
    fine     log writable      a test file was written and removed
    fine     log intact        1 segment of the last 7 days, 2 records
    fine     snapshots         the snapshots match the log
    fine     own failures      no warning in 7 days
    fine     spill             no record waits to be merged into the log
    fine     permissions       42 files, writable by you alone
    fine     settings          nothing wrong
    fine     trust             no project configuration here
    fine     undo points       0 points of this repository
    fine     learnings         none in this project yet
    19 fine, 0 notes, 0 problems
    ");
    insta::assert_snapshot!(patient.doctor(&["--json"]), @r#"{"checks":[{"check":"verger on PATH","finding":"fine","what":"$ENV/bin/verger, version 0.1.0"},{"check":"registration","finding":"fine","what":"Claude Code has verger's plugin"},{"check":"hook program","finding":"fine","what":"$ENV/home/.verger/data/bin/verger-hook, version 0.1.0"},{"check":"plugin files","finding":"fine","what":"all have verger's version"},{"check":"one registration","finding":"fine","what":"every event is reported once"},{"check":"seen firing","finding":"fine","what":"Claude Code last called verger 0 s ago"},{"check":"events","finding":"fine","what":"2 of 18 registered events seen in 7 days: SessionStart, UserPromptSubmit"},{"check":"reviewer","finding":"fine","what":"no other agent has the reviewer's name"},{"check":"agent version","finding":"fine","what":"Claude Code 2.1.197 (seen) was tested"},{"check":"log writable","finding":"fine","what":"a test file was written and removed"},{"check":"log intact","finding":"fine","what":"1 segment of the last 7 days, 2 records"},{"check":"snapshots","finding":"fine","what":"the snapshots match the log"},{"check":"own failures","finding":"fine","what":"no warning in 7 days"},{"check":"spill","finding":"fine","what":"no record waits to be merged into the log"},{"check":"permissions","finding":"fine","what":"42 files, writable by you alone"},{"check":"settings","finding":"fine","what":"nothing wrong"},{"check":"trust","finding":"fine","what":"no project configuration here"},{"check":"undo points","finding":"fine","what":"0 points of this repository"},{"check":"learnings","finding":"fine","what":"none in this project yet"}],"repairs":[],"system":"this system","version":"0.1.0"}"#);
    insta::assert_snapshot!(patient.problems(), @"");
    insta::assert_snapshot!(patient.fixed(), @"");
}

#[test]
fn an_agent_with_the_reviewers_name_is_a_problem() {
    let patient = Patient::well();
    let environment = &patient.recorded.environment;
    let file = environment
        .write(".claude/agents/sub/ours.md", "---\nname: verger:reviewer\ndescription: x\n---\n");
    insta::assert_snapshot!(patient.problems(), @"
    problem  reviewer          the agent defined in ~/project/.claude/agents/sub/ours.md may have the reviewer's name: no review by a subagent counts here
                               rename or remove that agent, then start the session again
    ------- exit code 1 -------
    ");
    fs::remove_file(file).unwrap();
    let settings = r#"{"enabledPlugins": {"verger@elsewhere": true}}"#;
    environment.write(".claude/settings.local.json", settings);
    insta::assert_snapshot!(patient.problems(), @r#"
    problem  reviewer          ~/project/.claude/settings.local.json turns on verger@elsewhere, which has the name of verger's plugin: no review by a subagent counts here
                               rename or remove that agent, then start the session again
    ------- exit code 1 -------
    "#);
}

#[test]
fn before_init_it_says_what_to_do_first() {
    let mut recorded = Recorded::nothing();
    recorded.environment.set("PATH", "/usr/bin:/bin");
    let output = recorded.verger(&["doctor", "--quiet"]);
    assert_eq!(output.code, 1);
    let problems: Vec<_> = output.stdout.lines().filter(|line| line.contains("problem")).collect();
    insta::assert_snapshot!(problems.join("\n"), @"
    problem  verger on PATH  verger is not on the PATH, so agents cannot run it
    problem  registration    no coding agent was found; verger supports Claude Code, Codex, Gemini CLI and Copilot CLI
    ");
}

#[test]
fn an_agent_that_never_called_is_a_problem() {
    let mut patient = Patient::well();
    // The agent is registered again, after its last event.
    fs::remove_file(patient.settings()).unwrap();
    patient.recorded.init(&[]);
    insta::assert_snapshot!(patient.problems(), @r#"
    problem  seen firing       Claude Code has not called verger since it was registered
                               start Claude Code in a project and send a prompt; sessions that ran before are not recorded
    ------- exit code 1 -------
    "#);
}

#[test]
fn a_verger_that_is_not_on_the_path_or_another_is_a_problem() {
    let mut patient = Patient::well();
    patient.recorded.environment.set("PATH", "/usr/bin:/bin");
    insta::assert_snapshot!(patient.problems(), @r#"
    problem  verger on PATH    verger is not on the PATH, so agents cannot run it
                               add $ENV/bin to the PATH in your shell's profile
    ------- exit code 1 -------
    "#);
    let other = patient.recorded.environment.root().join("other/verger");
    let other = patient.recorded.environment.write_program(other, "#!/bin/sh\necho verger 0.0.9\n");
    let path = format!("{}:/usr/bin:/bin", other.parent().unwrap().display());
    patient.recorded.environment.set("PATH", path);
    insta::assert_snapshot!(patient.problems(), @r#"
    problem  verger on PATH    $ENV/other/verger: verger on the PATH has version 0.0.9, but this verger has 0.1.0
                               type -a verger shows every verger on the PATH
    ------- exit code 1 -------
    "#);
}

#[test]
fn a_hook_program_that_is_gone_or_old_is_copied_again() {
    let patient = Patient::well();
    let hook = patient.data().join("bin/verger-hook");
    fs::remove_file(&hook).unwrap();
    insta::assert_snapshot!(patient.problems(), @r#"
    problem  hook program      the hook program that agents start is not installed
                               verger init
    ------- exit code 1 -------
    "#);
    insta::assert_snapshot!(patient.fixed(), @"fixed    copied ~/.verger/data/bin/verger-hook");
    patient.recorded.environment.write_program(&hook, "#!/bin/sh\necho verger-hook 0.0.9\n");
    insta::assert_snapshot!(patient.problems(), @r#"
    problem  hook program      ~/.verger/data/bin/verger-hook: the hook program has version 0.0.9, but verger has 0.1.0
                               verger init
    ------- exit code 1 -------
    "#);
    insta::assert_snapshot!(patient.fixed(), @"fixed    copied ~/.verger/data/bin/verger-hook");
}

#[test]
fn a_hook_program_that_cannot_be_started_is_copied_again() {
    let patient = Patient::registered(&["--local"]);
    assert_eq!(patient.problems(), "");
    let hook = patient.data().join("bin/verger-hook");
    fs::set_permissions(&hook, Permissions::from_mode(0o600)).unwrap();
    insta::assert_snapshot!(patient.problems(), @r#"
    problem  hook program      ~/.verger/data/bin/verger-hook: the hook program does not work: cannot run ~/.verger/data/bin/verger-hook --version: start the program: Permission denied (os error 13)
                               verger init
    ------- exit code 1 -------
    "#);
    insta::assert_snapshot!(patient.fixed(), @"fixed    copied ~/.verger/data/bin/verger-hook");
}

#[test]
fn the_copy_of_verger_for_sandboxed_agents_is_made_again() {
    let patient = Patient::well();
    fs::remove_file(patient.data().join("bin/verger")).unwrap();
    insta::assert_snapshot!(patient.problems(), @r#"
    problem  hook program      ~/.verger/data/bin/verger: the copy of verger that the hook program runs for agents in a sandbox is missing
                               verger init
    ------- exit code 1 -------
    "#);
    insta::assert_snapshot!(patient.fixed(), @"fixed    copied ~/.verger/data/bin/verger-hook");
    assert!(patient.data().join("bin/verger").is_file());
}

#[test]
fn learnings_that_cannot_be_read_are_a_problem() {
    let patient = Patient::well();
    let environment = &patient.recorded.environment;
    environment.write(".verger/learnings.md", "# Learnings\n\n## Too little\n\n- category: what\n");
    insta::assert_snapshot!(patient.problems(), @r#"
    problem  learnings         ~/project/.verger/learnings.md:3: "what" is not a known category; use one of pattern, pitfall, convention, dependency, process, domain, debugging
                               correct that line, which verger ignores; verger doctor learnings checks again
    ------- exit code 1 -------
    "#);
    let file = environment.project().join(".verger/learnings.md");
    fs::remove_file(&file).unwrap();
    fs::create_dir(&file).unwrap();
    insta::assert_snapshot!(patient.problems(), @r#"
    problem  learnings         cannot use ~/project/.verger/learnings.md: it is not a file
                               replace the link by a regular file: ~/project/.verger/learnings.md; verger doctor learnings checks again
    ------- exit code 1 -------
    "#);
    fs::remove_dir(&file).unwrap();
    assert_eq!(patient.problems(), "");
}

#[test]
fn recording_that_is_off_is_worth_a_note() {
    let patient = Patient::well();
    let config = patient.recorded.environment.verger_home().join("config/config.toml");
    patient.recorded.environment.write(config, "[record]\nenabled = false\n");
    let output = patient.doctor(&[]);
    let note = output.stdout.lines().find(|line| line.starts_with("note"));
    insta::assert_snapshot!(note.unwrap(), @"note     recording         off, record.enabled = false (~/.verger/config/config.toml:2): records what agents do in the log");
}

#[test]
fn changed_plugin_files_are_written_again() {
    let patient = Patient::well();
    fs::write(patient.data().join("marketplace/plugin/hooks/hooks.json"), "{}").unwrap();
    insta::assert_snapshot!(patient.problems(), @r#"
    problem  plugin files      missing or of another version: plugin/hooks/hooks.json
                               verger init
    ------- exit code 1 -------
    "#);
    insta::assert_snapshot!(patient.fixed(), @"fixed    registered again, as verger init does");
}

#[test]
fn hooks_beside_the_plugin_are_taken_out() {
    let patient = Patient::well();
    let local = patient.recorded.environment.project().join(".claude/settings.local.json");
    let hooks = r#"{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"verger-hook claude Stop"}]}]},"model":"x"}"#;
    patient.recorded.environment.write(&local, hooks);
    insta::assert_snapshot!(patient.problems(), @r#"
    problem  one registration  some events are recorded twice: the plugin is on, and there are hooks in ~/project/.claude/settings.local.json
                               verger init
    ------- exit code 1 -------
    "#);
    insta::assert_snapshot!(patient.fixed(), @"fixed    registered again, as verger init does");
    assert_eq!(fs::read_to_string(&local).unwrap(), r#"{"model":"x"}"#);
    let shared = patient.recorded.environment.project().join(".claude/settings.json");
    patient.recorded.environment.write(&shared, hooks);
    insta::assert_snapshot!(patient.fixed(), @r#"
    problem  one registration  some events are recorded twice: the plugin is on, and there are hooks in ~/project/.claude/settings.json
                               to use only this project's hooks: verger uninstall; to use only the plugin: verger uninstall --project, then verger init
    ------- exit code 1 -------
    "#);
}

#[test]
fn hooks_that_are_switched_off_are_a_problem() {
    let patient = Patient::well();
    let text = fs::read_to_string(patient.settings()).unwrap();
    fs::write(patient.settings(), text.replacen('{', "{ \"disableAllHooks\": true,", 1)).unwrap();
    insta::assert_snapshot!(patient.problems(), @r#"
    problem  hooks allowed     ~/.claude/settings.json switches all hooks off (disableAllHooks)
                               change that setting, or ask your administrator
    ------- exit code 1 -------
    "#);
}

#[test]
fn a_plugin_of_which_half_is_missing_is_a_problem() {
    let patient = Patient::well();
    let known = patient.recorded.environment.home().join(".claude/plugins/known_marketplaces.json");
    fs::remove_file(known).unwrap();
    insta::assert_snapshot!(patient.problems(), @r#"
    problem  registration    verger's plugin in Claude Code is incomplete; missing: the marketplace in the list of known marketplaces
                             verger init
    ------- exit code 1 -------
    "#);
}

#[test]
fn settings_of_the_agent_that_cannot_be_read_are_a_problem() {
    let patient = Patient::well();
    fs::write(patient.settings(), "{ nope").unwrap();
    insta::assert_snapshot!(patient.problems(), @r#"
    problem  agent settings  ~/.claude/settings.json: settings of the agent cannot be read: it is not JSON: line 1, column 3: key must be a string
                             correct the file
    ------- exit code 1 -------
    "#);
}

#[test]
fn files_that_others_may_read_or_change_are_made_private() {
    let patient = Patient::well();
    let segment = patient.recorded.segment("1111");
    fs::set_permissions(&segment, Permissions::from_mode(0o644)).unwrap();
    fs::set_permissions(segment.parent().unwrap(), Permissions::from_mode(0o770)).unwrap();
    insta::assert_snapshot!(patient.problems(), @"
    problem  permissions       ~/.verger/data/log/a8: other users may change it; 2 files in all
                               chmod go-rwx ~/.verger/data/log/a8
    ------- exit code 1 -------
    ");
    insta::assert_snapshot!(patient.fixed(), @"fixed    2 files made private to you");
    let mode = |path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!((mode(&segment), mode(&segment.parent().unwrap().to_owned())), (0o600, 0o700));
}

#[test]
fn snapshots_of_other_folds_are_ours() {
    let patient = Patient::well();
    for path in ["sessions/claude-1111.track.bin", "projects/b0b1.shelf.json.1"] {
        let path = patient.data().join(path);
        let directory = path.parent().unwrap();
        fs::create_dir_all(directory).unwrap();
        fs::set_permissions(directory, Permissions::from_mode(0o700)).unwrap();
        fs::write(&path, "{}\n").unwrap();
        fs::set_permissions(&path, Permissions::from_mode(0o600)).unwrap();
    }
    insta::assert_snapshot!(patient.problems(), @"");
}

#[test]
fn a_data_directory_that_is_refused_is_made_private() {
    let patient = Patient::well();
    fs::set_permissions(patient.data(), Permissions::from_mode(0o777)).unwrap();
    insta::assert_snapshot!(patient.problems(), @"
    problem  log               cannot use ~/.verger/data: other users may write to it (chmod 700 makes it private)
                               chmod 700 ~/.verger/data
    problem  permissions       ~/.verger/data: other users may change it; 1 file in all
                               chmod go-rwx ~/.verger/data
    ------- exit code 1 -------
    ");
    insta::assert_snapshot!(patient.fixed(), @"fixed    1 file made private to you");
}

#[test]
fn links_in_our_data_are_a_problem_that_a_person_solves() {
    let patient = Patient::well();
    let elsewhere = patient.recorded.environment.root().join("elsewhere");
    fs::rename(patient.data().join("log"), &elsewhere).unwrap();
    symlink(&elsewhere, patient.data().join("log")).unwrap();
    insta::assert_snapshot!(patient.problems(), @"
    problem  log               cannot use ~/.verger/data/log: it is a symbolic link
                               set VERGER_HOME to the directory that ~/.verger/data/log points to, or replace the link by it
    problem  permissions       ~/.verger/data/log: 1 link in verger's data, which verger does not follow
                               replace the link by the file that it points to: ls -l ~/.verger/data/log
    ------- exit code 1 -------
    ");
    insta::assert_snapshot!(patient.fixed(), @"

    problem  log               cannot use ~/.verger/data/log: it is a symbolic link
                               set VERGER_HOME to the directory that ~/.verger/data/log points to, or replace the link by it
    problem  permissions       ~/.verger/data/log: 1 link in verger's data, which verger does not follow
                               replace the link by the file that it points to: ls -l ~/.verger/data/log
    ------- exit code 1 -------
    ");
}

#[test]
fn a_log_that_cannot_be_written_to_is_a_problem() {
    let patient = Patient::well();
    let in_the_way = patient.data().join("write-test");
    fs::create_dir(&in_the_way).unwrap();
    fs::set_permissions(&in_the_way, Permissions::from_mode(0o700)).unwrap();
    insta::assert_snapshot!(patient.problems(), @r#"
    problem  log writable      cannot make ~/.verger/data/write-test: Is a directory (os error 21)
                               ls -ld ~/.verger/data/write-test
    ------- exit code 1 -------
    "#);
}

#[test]
fn a_segment_that_cannot_be_read_is_a_problem_and_hides_nothing_else() {
    let patient = Patient::well();
    let segment = patient.recorded.segment("1111");
    fs::remove_file(&segment).unwrap();
    fs::create_dir(&segment).unwrap();
    fs::set_permissions(&segment, Permissions::from_mode(0o700)).unwrap();
    insta::assert_snapshot!(patient.problems(), @r#"
    problem  seen firing       Claude Code has not called verger since it was registered
                               start Claude Code in a project and send a prompt; sessions that ran before are not recorded
    problem  log readable      cannot open ~/.verger/data/log/a8/claude-1111.jsonl: it is not a file but Directory
                               ls -ld ~/.verger/data/log/a8/claude-1111.jsonl
    ------- exit code 1 -------
    "#);
}

#[test]
fn a_changed_record_is_a_problem_that_stays() {
    let patient = Patient::well();
    let segment = patient.recorded.segment("1111");
    let text = fs::read_to_string(&segment).unwrap();
    fs::write(&segment, text.replacen("fix it", "fox it", 1)).unwrap();
    insta::assert_snapshot!(patient.problems(), @r#"
    problem  log intact        claude-1111: 1 fault: bad line at byte 290: the checksum does not match
                               verger log verify claude-1111
    ------- exit code 1 -------
    "#);
    insta::assert_snapshot!(patient.fixed(), @r#"
    problem  log intact        claude-1111: 1 fault: bad line at byte 290: the checksum does not match
                               verger log verify claude-1111
    ------- exit code 1 -------
    "#);
}

#[test]
fn a_snapshot_that_says_something_else_is_made_anew() {
    let mut patient = Patient::well();
    for n in 0..20 {
        let fields = format!(r#""agent_id":"a{n}","agent_type":"x""#);
        patient.recorded.event("2222", "SubagentStart", &fields);
    }
    let segment = patient.recorded.segment("2222");
    let text = fs::read_to_string(&segment).unwrap();
    let first = text.lines().next().unwrap();
    fs::write(&segment, text.replacen(first, &first.replace("\"x\"", "\"y\""), 1)).unwrap();
    let problems = patient.problems();
    assert!(problems.contains("the snapshots differ from the log in session 2222"), "{problems}");
    assert!(!patient.fixed().contains("they differ"));
}

#[test]
fn spilled_records_of_a_dead_session_are_merged() {
    let mut patient = Patient::well();
    let segment = patient.recorded.segment("1111");
    let spill = segment.with_extension("spill");
    fs::create_dir(&spill).unwrap();
    fs::set_permissions(&spill, Permissions::from_mode(0o700)).unwrap();
    let text = fs::read_to_string(&segment).unwrap();
    let name = spill.join("01M7G83FWG0000000000000034-0.jsonl");
    fs::write(&name, &text).unwrap();
    fs::set_permissions(&name, Permissions::from_mode(0o600)).unwrap();
    fs::write(&segment, "").unwrap();
    patient.recorded.environment.set("VERGER_TEST_NOW_MS", "1795067961000");
    insta::assert_snapshot!(patient.problems(), @"
    problem  log intact        claude-1111: 1 fault: the last records are gone: the file had 552 bytes and now has 0
                               verger log verify claude-1111
    problem  spill             2 records of 1 session are not merged into the log yet
                               verger log rebuild
    ------- exit code 1 -------
    ");
    insta::assert_snapshot!(patient.fixed(), @"fixed    rebuilt 1 session from the log");
}

#[test]
fn our_own_failures_are_a_problem() {
    let mut patient = Patient::well();
    patient.recorded.own_event("1111", 1, |_| Event::Warned {
        area: VergerPart::Store.into(),
        message: "write the log: No space left on device".into(),
    });
    insta::assert_snapshot!(patient.problems(), @r#"
    problem  own failures      1 warning in 1 session of the last 7 days; the last, 0 s ago: store: write the log: No space left on device
                               verger session show 1111
    ------- exit code 1 -------
    "#);
}

#[test]
fn settings_and_trust_are_told() {
    let patient = Patient::well();
    let config = patient.recorded.environment.verger_home().join("config/config.toml");
    patient.recorded.environment.write(config, "[record]\nenabeld = true\n");
    patient.recorded.environment.write(".verger/config.toml", "[record]\nrole = \"x\"\n");
    insta::assert_snapshot!(patient.problems(), @r#"
    problem  settings          ~/.verger/config/config.toml:2:1: unknown key "record.enabeld"; did you mean "record.enabled"?
                               verger config show
    ------- exit code 1 -------
    "#);
    let output = patient.doctor(&[]);
    let note = output.stdout.lines().find(|line| line.contains("trusted"));
    insta::assert_snapshot!(note.unwrap(), @"note     trust             ~/project/.verger/config.toml is not trusted: its keys that need trust have no effect");
}

#[test]
fn a_template_that_cannot_be_used_is_told() {
    let patient = Patient::well();
    let config = patient.recorded.environment.verger_home().join("config");
    let environment = &patient.recorded.environment;
    environment.write(config.join("config.toml"), "[review]\ntemplate = 'random'\n");
    environment.write(config.join("templates/block-mine.md"), "{{sesion_id}}");
    environment.write(config.join("templates/block-bad.md"), b"\xff");
    insta::assert_snapshot!(patient.problems(), @r#"
    problem  template          ~/.verger/config/templates/block-bad.md: it is not UTF-8; the built-in template is used instead
                               verger config show review
    problem  template          ~/.verger/config/templates/block-mine.md: {{sesion_id}} is no known placeholder and stays as it is
                               verger config show review
    ------- exit code 1 -------
    "#);
}

#[test]
fn a_broken_list_of_trusted_files_is_told_outside_of_projects_too() {
    let patient = Patient::well();
    let list = patient.recorded.environment.verger_home().join("config/trust.json");
    patient.recorded.environment.write(&list, "half\n");
    fs::set_permissions(&list, Permissions::from_mode(0o600)).unwrap();
    insta::assert_snapshot!(patient.problems(), @r#"
    problem  trust             cannot use ~/.verger/config/trust.json: line 1 is not in the format that verger writes
                               mv ~/.verger/config/trust.json ~/.verger/config/trust.json.old, and trust your projects again
    ------- exit code 1 -------
    "#);
}

#[test]
fn a_registration_from_another_home_is_told_as_such() {
    let mut patient = Patient::well();
    let other = patient.recorded.environment.home().join("other");
    patient.recorded.environment.set("VERGER_HOME", other);
    insta::assert_snapshot!(patient.problems(), @r#"
    problem  registration    ~/.verger/data/marketplace: Claude Code uses the plugin of another verger home
                             set VERGER_HOME to its value at verger init, or run verger init to use this one
    ------- exit code 1 -------
    "#);
}

#[test]
fn a_session_that_is_damaged_from_end_to_end_is_told() {
    let patient = Patient::well();
    let segment = patient.recorded.segment("1111");
    fs::write(segment, "not a record\n").unwrap();
    insta::assert_snapshot!(patient.problems(), @"
    problem  seen firing       Claude Code has not called verger since it was registered
                               start Claude Code in a project and send a prompt; sessions that ran before are not recorded
    problem  log intact        claude-1111: 2 faults: bad line at byte 0: the checksum does not match
                               verger log verify claude-1111
    ------- exit code 1 -------
    ");
    insta::assert_snapshot!(patient.recorded.verger(&["why", "--last", "--session", "1111"]), @r#"
    ------- stderr -------
    verger: no record can be read
    hint: verger log verify says why
    ------- exit code 2 -------
    "#);
}

#[test]
fn an_agent_that_was_not_tested_is_worth_a_note() {
    let patient = Patient::well();
    let agent = patient.recorded.environment.root().join("bin/claude");
    patient.recorded.environment.write_program(agent, "#!/bin/sh\necho '9.9.9 (Claude Code)'\n");
    let output = patient.doctor(&[]);
    let notes: Vec<_> =
        output.stdout.lines().filter(|line| line.contains("agent version")).collect();
    insta::assert_snapshot!(notes.join("\n"), @"
    note     agent version     Claude Code 9.9.9 (installed) was not tested; tested: 2.1.197, 2.1.326
    fine     agent version     Claude Code 2.1.197 (seen) was tested
    ");
    assert_eq!(output.code, 0);
}

#[test]
fn a_home_that_cannot_be_used_is_a_problem_like_any_other() {
    let mut patient = Patient::well();
    let file = patient.recorded.environment.write("file", "");
    patient.recorded.environment.set("VERGER_HOME", file.join("below"));
    insta::assert_snapshot!(patient.problems(), @r"
    problem  registration    ~/.verger/data/marketplace: Claude Code uses the plugin of another verger home
                             set VERGER_HOME to its value at verger init, or run verger init to use this one
    problem  log             cannot open ~/project/file/below/data: Not a directory (os error 20)
                             ls -ld ~/project/file/below/data
    ------- exit code 1 -------
    ");
    insta::assert_snapshot!(patient.fixed(), @r#"
    problem  registration    ~/.verger/data/marketplace: Claude Code uses the plugin of another verger home
                             set VERGER_HOME to its value at verger init, or run verger init to use this one
    problem  log             cannot open ~/project/file/below/data: Not a directory (os error 20)
                             ls -ld ~/project/file/below/data
    ------- exit code 1 -------
    "#);
}

#[test]
fn only_a_person_repairs() {
    let patient = Patient::well();
    insta::assert_snapshot!(patient.doctor(&["--fix"]), @r#"
    ------- stderr -------
    verger: `verger doctor --fix` needs a terminal
    hint: add --yes to `verger doctor --fix` in a script
    ------- exit code 4 -------
    "#);
}
