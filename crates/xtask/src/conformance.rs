//! `cargo xtask conformance`: tests what verger promises with every real coding agent, in all versions
//! that the tests know and in the newest ones of the registry.

use crate::failure::Failure;
use crate::phases::{Outcome, Phases};
use crate::test::{BUILD, workspace_cargo};
use crate::workspace::Root;
use crate::{forwarded, install, process};

const NEXTEST: [&str; 5] = ["nextest", "run", "--workspace", "--profile", "conformance"];

/// The tests of the versions that newer ones can run in place of.
const OF_NEWEST: &str = "not test(/::in_(claude_code_2_1_197|codex_0_166_0)$/)";

pub(crate) fn conformance(root: &Root) -> Result<(), Failure> {
    let mut phases = Phases::start();
    if phases.run("install", || install::install(root)) != Outcome::Passed
        || phases.run("build", || process::run(&mut workspace_cargo(root, &BUILD)))
            != Outcome::Passed
    {
        return phases.finish();
    }
    let agents = || process::run(&mut forwarded::chore_of_tests(root, &["install-agents"])?);
    if phases.run("install agents", agents) != Outcome::Passed {
        return phases.finish();
    }
    phases.run("known versions", || process::run(&mut workspace_cargo(root, &NEXTEST)));
    newest_versions(root, &mut phases)?;
    phases.run("table", || {
        let verger = root.target_directory()?.join("debug/verger");
        process::run(root.command(&verger.to_string_lossy()).args(["doctor", "agents"]))
    });
    phases.finish()
}

fn newest_versions(root: &Root, phases: &mut Phases) -> Result<(), Failure> {
    let directory = root.target_directory()?.join("newest-agents");
    let path = directory.to_string_lossy();
    let arguments = ["install-agents", "--newest", &path];
    let installed = phases.run("install newest agents", || {
        process::run(&mut forwarded::chore_of_tests(root, &arguments)?)
    });
    let has_any = directory.read_dir().is_ok_and(|mut entries| entries.next().is_some());
    if installed != Outcome::Passed {
        phases.skip("newest versions", "they could not be installed");
    } else if !has_any {
        phases.skip("newest versions", "the tests know them");
    } else {
        phases.run("newest versions", || {
            let mut nextest = workspace_cargo(root, &NEXTEST);
            nextest.args(["-E", OF_NEWEST]).env("VERGER_NEWEST_AGENTS_DIR", &directory);
            process::run(&mut nextest)
        });
    }
    Ok(())
}
