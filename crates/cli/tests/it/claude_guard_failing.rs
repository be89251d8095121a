//! The permission guard enforces, but its launcher or its program is missing. The real client then
//! runs nothing, and `doctor` reports and repairs the problem.

use std::fs;
use std::path::PathBuf;

use verger_agent::CLAUDE;
use verger_testkit::{Version, in_each_version};

use crate::guard_stage::{ALLOWED, GuardStage};
use crate::household::done;

in_each_version! {
    without_the_hook_program_nothing_runs_until_it_is_repaired
    when_the_hook_fails_nothing_runs_where_the_client_can_do_that
}

#[track_caller]
fn enforcing(version: Version) -> GuardStage {
    let stage = GuardStage::new(version, "");
    done(stage.stage.household.verger(&["config", "set", "guard.mode", "enforce", "--yes"]));
    stage
}

fn hook_program(stage: &GuardStage) -> PathBuf {
    stage.stage.household.data().join("bin/verger-hook")
}

/// The message to the agent about a call that the client lets run, and whether the call ran.
#[track_caller]
fn attempted(stage: &GuardStage) -> (String, bool) {
    let told = stage.run(&["touch made"], &ALLOWED).remove(0);
    let made = stage.stage.household.environment.project().join("made");
    (told, fs::remove_file(made).is_ok())
}

/// Asserts that `doctor` reports problems of these checks, and that `doctor --fix` repairs them.
#[track_caller]
fn assert_repaired(stage: &GuardStage, checks: &[&str]) {
    let report = stage.stage.household.verger(&["doctor"]).stdout;
    let is_problem = |check: &&str| report.contains(&format!("\nproblem  {check} "));
    assert!(checks.iter().all(is_problem), "{checks:?}\n{report}");
    let report = stage.stage.household.verger(&["doctor", "--fix", "--yes"]).stdout;
    let is_fine = |check: &&str| report.contains(&format!("\nfine     {check} "));
    assert!(report.contains("\nfixed    ") && checks.iter().all(is_fine), "{checks:?}\n{report}");
    assert!(!report.contains("problem  guard "), "{report}");
}

fn without_the_hook_program_nothing_runs_until_it_is_repaired(version: Version) {
    let stage = enforcing(version);
    let program = hook_program(&stage);
    fs::write(&program, "").unwrap();
    let (told, ran) = attempted(&stage);
    assert!(told.contains("verger: this did not run: ") && !ran, "{told}");
    fs::remove_file(program).unwrap();
    let (told, ran) = attempted(&stage);
    assert!(told.contains("verger: this did not run: ") && !ran, "{told}");
    assert_repaired(&stage, &["hook program", "guard"]);
    let (told, ran) = attempted(&stage);
    assert!(ran, "{told}");
}

fn when_the_hook_fails_nothing_runs_where_the_client_can_do_that(version: Version) {
    let stage = enforcing(version);
    let fail_closed = CLAUDE.install.fail_closed.unwrap();
    let can = !fail_closed.ignored_by.contains(&version.as_str());
    let refused = "blocking because onFailure is \"block\"";
    fs::write(hook_program(&stage), "#!/nowhere/to/be/found\n").unwrap();
    let (told, ran) = attempted(&stage);
    assert_eq!((told.contains(refused), ran), (can, !can), "{told}");
    assert_repaired(&stage, &["hook program", "guard"]);

    fs::remove_file(stage.stage.household.data().join("marketplace/plugin/hooks/launch")).unwrap();
    let (told, ran) = attempted(&stage);
    assert_eq!((told.contains(refused), ran), (can, !can), "{told}");
    assert_repaired(&stage, &["plugin files"]);
    let (told, ran) = attempted(&stage);
    assert!(ran, "{told}");
}
