//! Undo points with the real client: files that an agent's command destroys are restored.

use std::path::Path;

use verger_testkit::{Output, TerminalSize, Version, in_each_version};

use crate::guard_stage::{ALLOWED, ENFORCE, GuardStage};

in_each_version! {
    files_destroyed_by_an_allowed_command_come_back
    a_hard_reset_is_undone_where_the_guard_observes_and_denied_where_it_enforces
}

/// The person restores at a separate terminal.
#[track_caller]
fn restore(stage: &GuardStage) -> Output {
    let environment = &stage.stage.household.environment;
    let mut command = environment.command(Path::new(env!("CARGO_BIN_EXE_verger")));
    command.args(["undo", "restore"]);
    environment.run_on_terminal(command, TerminalSize::USUAL)
}

fn files_destroyed_by_an_allowed_command_come_back(version: Version) {
    let stage = GuardStage::new(version, "");
    let environment = &stage.stage.household.environment;
    environment.write("notes/todo.md", "never added to git\n");
    let told = stage.run(&["rm -rf ./src ./notes"], &ALLOWED);
    assert!(!told[0].contains("verger"), "{told:?}");
    assert!(!environment.project().join("src").exists());
    assert!(!environment.project().join("notes").exists());
    let output = restore(&stage);
    assert_eq!(output.code, 0, "{output}");
    stage.assert_all_is_there();
    assert_eq!(environment.read("notes/todo.md"), "never added to git\n");
}

fn a_hard_reset_is_undone_where_the_guard_observes_and_denied_where_it_enforces(version: Version) {
    let observed = GuardStage::new(version, "");
    let environment = &observed.stage.household.environment;
    let told = observed.run(&["git reset --hard"], &ALLOWED);
    assert!(told[0].contains("HEAD is now at"), "{told:?}");
    assert_eq!(environment.read("src/lib.rs"), "pub fn kept() {}\n");
    let output = restore(&observed);
    assert_eq!(output.code, 0, "{output}");
    observed.assert_all_is_there();

    let enforced = GuardStage::new(version, ENFORCE);
    let told = enforced.run(&["git reset --hard", "verger undo restore"], &ALLOWED);
    assert!(told[0].contains("verger: this did not run"), "{told:?}");
    assert!(told[1].contains("verger"), "{told:?}");
    enforced.assert_all_is_there();
}
