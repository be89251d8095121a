//! `cargo xtask test`: runs everything that must pass before a change is merged. It installs what
//! is missing, so it works on a machine that only has Rust.

use std::process::Command;

use clap::Args;

use crate::failure::Failure;
use crate::phases::{Outcome, Phases};
use crate::tidy::{self, TidyArgs};
use crate::workspace::Root;
use crate::{forwarded, install, process};

/// Installs what is missing, builds, runs all tests, then tidy, fmt and clippy
#[derive(Args)]
pub(crate) struct TestArgs {
    /// Leave out the tests that start real coding agents
    #[arg(long)]
    quick: bool,
}

/// Features that tests need and that released programs must not have, as `package/feature`.
pub(crate) const FEATURES: &[&str] =
    &["verger-engine/fixed", "verger-hook/fixed", "verger-cli/fixed"];

const NO_REAL_CLIENTS: &str = "--quick was given: NO TEST RAN AGAINST A REAL CODING AGENT";

pub(crate) fn test(root: &Root, args: &TestArgs) -> Result<(), Failure> {
    let mut phases = Phases::start();
    if phases.run("install", || install::install(root)) != Outcome::Passed {
        return phases.finish();
    }
    let built = phases.run("build", || process::run(&mut workspace_cargo(root, &BUILD)));
    if built == Outcome::Passed && !args.quick {
        let agents = || process::run(&mut forwarded::chore_of_tests(root, &["install-agents"])?);
        if phases.run("install agents", agents) != Outcome::Passed {
            return phases.finish();
        }
    }
    if built == Outcome::Passed {
        run_tests(root, args, &mut phases);
    } else {
        phases.skip("tests", "the build failed");
    }
    phases.run("tidy", || tidy::tidy(root, &TidyArgs::all()));
    phases.run("fmt", || process::run(&mut root.cargo(["fmt", "--all", "--check"])));
    phases.run("clippy", || {
        process::run(workspace_cargo(root, &CLIPPY).args(["--", "--deny", "warnings"]))
    });
    let finished = phases.finish();
    if args.quick {
        eprintln!("\n*** {NO_REAL_CLIENTS} ***");
    }
    finished
}

/// The cargo arguments of the build. Programs and test binaries are built together, so that the
/// tests of one crate find the program of another crate.
pub(crate) const BUILD: [&str; 3] = ["build", "--workspace", "--all-targets"];
const CLIPPY: [&str; 3] = ["clippy", "--workspace", "--all-targets"];
const NEXTEST: [&str; 3] = ["nextest", "run", "--workspace"];
const DOC_TESTS: [&str; 3] = ["test", "--workspace", "--doc"];

fn run_tests(root: &Root, args: &TestArgs, phases: &mut Phases) {
    let profile = if args.quick { "quick" } else { "ci" };
    phases.run("tests", || {
        process::run(workspace_cargo(root, &NEXTEST).args(["--profile", profile]))
    });
    if args.quick {
        phases.skip("real-client tests", NO_REAL_CLIENTS);
    }
    if has_doc_tests(root) {
        phases.run("doc tests", || process::run(&mut workspace_cargo(root, &DOC_TESTS)));
    }
}

/// Whether the sources have documentation tests, which nextest does not run. Searching for code
/// fences is cheaper than building the documentation of crates without such tests.
fn has_doc_tests(root: &Root) -> bool {
    let fence = "^ *//[/!] *```";
    let arguments = ["grep", "--untracked", "--quiet", "-e", fence, "--", "crates/*/src/*.rs"];
    process::succeeds(root.command("git").args(arguments))
}

/// A cargo command with the features of the tests. All commands have the same features, because
/// others would cause a complete rebuild.
pub(crate) fn workspace_cargo(root: &Root, arguments: &[&str]) -> Command {
    let mut cargo = root.cargo(arguments.iter().copied());
    if !FEATURES.is_empty() {
        cargo.args(["--features", &FEATURES.join(",")]);
    }
    cargo
}
