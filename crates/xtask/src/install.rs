//! Finds the programs that tests need beyond Rust, and installs those that it may install.

use std::process::Command;

use crate::failure::Failure;
use crate::process;
use crate::workspace::Root;

/// The version of cargo-nextest that was tested with verger's settings. Its own lock file is used.
const NEXTEST_VERSION: &str = "0.9.143";

/// A program that tests start, and its Debian package.
struct Program {
    name: &'static str,
    package: &'static str,
    version_argument: &'static str,
}

const PROGRAMS: &[Program] = &[
    Program { name: "git", package: "git", version_argument: "--version" },
    Program { name: "node", package: "nodejs", version_argument: "--version" },
    Program { name: "npm", package: "npm", version_argument: "--version" },
    Program { name: "bwrap", package: "bubblewrap", version_argument: "--version" },
    Program { name: "socat", package: "socat", version_argument: "-V" },
    Program { name: "python3", package: "python3", version_argument: "--version" },
];

/// The required components of the toolchain, each with its cargo subcommand. All toolchains except
/// the minimal ones have them. If one is missing, the error says how to install it, because this
/// chore does not change the toolchain.
const COMPONENTS: &[(&str, &str)] = &[("rustfmt", "fmt"), ("clippy", "clippy")];

pub(crate) fn install(root: &Root) -> Result<(), Failure> {
    for (component, subcommand) in COMPONENTS {
        if !process::succeeds(&mut root.cargo([*subcommand, "--version"])) {
            return Err(Failure::MissingComponent { component });
        }
    }
    let missing: Vec<_> = PROGRAMS
        .iter()
        .filter(|program| {
            !process::succeeds(Command::new(program.name).arg(program.version_argument))
        })
        .collect();
    if !missing.is_empty() {
        install_packages(&missing)?;
    }
    if process::succeeds(&mut root.cargo(["nextest", "--version"])) {
        return Ok(());
    }
    // A debug build takes less than half the time of a release build. Nextest only starts
    // processes, so it needs no optimisation or debug information. It also needs no network stack,
    // which it would use only to update itself.
    let source = ["install", "cargo-nextest", "--locked", "--version", NEXTEST_VERSION];
    let features = ["--debug", "--no-default-features", "--features", "default-no-update"];
    let mut cargo = root.cargo(source.into_iter().chain(features));
    process::run(cargo.env("CARGO_PROFILE_DEV_DEBUG", "0"))
}

fn install_packages(missing: &[&Program]) -> Result<(), Failure> {
    let programs = missing.iter().map(|program| program.name).collect();
    let packages: Vec<_> = missing.iter().map(|program| program.package).collect();
    let has_apt = process::succeeds(Command::new("apt-get").arg("--version"));
    if !(has_apt && is_root()) {
        return Err(Failure::MissingPrograms { programs, packages });
    }
    process::run(apt().arg("update"))?;
    process::run(apt().args(["install", "-y", "--no-install-recommends"]).args(packages))
}

/// An `apt-get` command that asks no questions, because there may be no person to answer.
fn apt() -> Command {
    let mut apt = Command::new("apt-get");
    apt.env("DEBIAN_FRONTEND", "noninteractive");
    apt
}

fn is_root() -> bool {
    process::output(Command::new("id").arg("-u")).is_ok_and(|id| id.trim() == "0")
}
