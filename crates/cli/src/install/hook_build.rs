//! Finds the hook program for `init`. It is built if verger runs from a checkout; otherwise the
//! program beside verger is used.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitStatus;
use std::time::Duration;

use verger_engine::Environment;
use verger_exec::{Deadline, Program, RunError};

use crate::install::hook_program::{self, UnusableProgram};
use crate::invocation::command_error::CommandError;
use crate::render::output::{Output, Ui};

/// The time limit of a build. A first build on a slow machine takes minutes.
pub(crate) const BUILD_LIMIT: Duration = Duration::from_mins(30);

/// The error if there is no hook program to use.
#[derive(Debug, thiserror::Error)]
pub(crate) enum NoHookProgram {
    #[error("build {}", hook_program::NAME)]
    Build(#[source] RunError),
    #[error("build {}: cargo ended with {status}", hook_program::NAME)]
    BuildFailed { status: ExitStatus },
    #[error("report that {} was built", hook_program::NAME)]
    Say(#[from] io::Error),
    #[error(transparent)]
    Unusable(#[from] UnusableProgram),
}

impl From<NoHookProgram> for CommandError {
    fn from(error: NoHookProgram) -> Self {
        match error {
            NoHookProgram::Unusable(error) => error.into(),
            NoHookProgram::Say(error) => error.into(),
            error => {
                Self::Failed { source: error.into(), hint: "cargo build -p verger-hook".to_owned() }
            }
        }
    }
}

/// The path of an existing hook program, which is built first if necessary.
pub(crate) fn find_or_build(
    ui: &mut Ui,
    environment: &Environment,
    deadline: Deadline<'_>,
) -> Result<PathBuf, NoHookProgram> {
    if let Some(checkout) = Checkout::of_process(environment) {
        checkout.build(ui, environment, deadline)?;
    }
    Ok(hook_program::find(None)?)
}

/// Whether `cargo run` started verger.
pub(crate) fn is_checkout(environment: &Environment) -> bool {
    Checkout::of_process(environment).is_some()
}

/// The checkout that `cargo run` started verger from.
#[derive(Debug, PartialEq, Eq)]
struct Checkout {
    cargo: PathBuf,
    manifest: PathBuf,
    /// The directory and the profile of the build of verger. The hook program is built in the same
    /// place.
    target: PathBuf,
    profile: String,
}

impl Checkout {
    fn of_process(environment: &Environment) -> Option<Self> {
        std::env::current_exe().ok().and_then(|verger| Self::of(environment, &verger))
    }

    /// Detects the checkout by variables that `cargo run` sets. They name cargo and the package.
    fn of(environment: &Environment, verger: &Path) -> Option<Self> {
        let cargo = environment.get("CARGO")?;
        let package = PathBuf::from(environment.get("CARGO_MANIFEST_DIR")?);
        let root = package.parent()?.parent()?;
        if package != root.join("crates/cli") {
            return None;
        }
        let folder = verger.parent()?;
        let profile = match folder.file_name()?.to_str()? {
            "debug" => "dev",
            name => name,
        };
        Some(Self {
            cargo: cargo.into(),
            manifest: root.join("Cargo.toml"),
            target: folder.parent()?.to_owned(),
            profile: profile.to_owned(),
        })
    }

    fn build(
        &self,
        ui: &mut Ui,
        environment: &Environment,
        deadline: Deadline<'_>,
    ) -> Result<(), NoHookProgram> {
        ui.note("Building the hook program first.")?;
        ui.flush()?;
        let quiet = match ui.output() {
            Output::Text if !ui.is_quiet() => None,
            Output::Text | Output::Json => Some("--quiet"),
        };
        // Variables that cargo set for this program must not reach build scripts.
        let variables = environment.all().iter().filter(|(name, _)| !is_of_package(name));
        let program = Program::new(&self.cargo, variables.map(|(name, value)| (name, value)))
            .args(["build", "--package", hook_program::NAME, "--bin", hook_program::NAME])
            .args(quiet)
            .args(["--profile", &self.profile])
            .arg("--manifest-path")
            .arg(&self.manifest)
            .arg("--target-dir")
            .arg(&self.target)
            .show_stderr();
        let status = program.run(deadline).map_err(NoHookProgram::Build)?.status;
        if status.success() { Ok(()) } else { Err(NoHookProgram::BuildFailed { status }) }
    }
}

fn is_of_package(name: &OsString) -> bool {
    name.to_str()
        .is_some_and(|name| name.starts_with("CARGO_PKG_") || name.starts_with("CARGO_MANIFEST_"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(variables: &[(&str, &str)], verger: &str, expected: Option<(&str, &str)>) {
        let variables = variables.iter().map(|(name, value)| (name.into(), value.into()));
        let found = Checkout::of(&variables.collect(), Path::new(verger));
        let expected = expected.map(|(target, profile)| Checkout {
            cargo: "/bin/cargo".into(),
            manifest: "/src/Cargo.toml".into(),
            target: target.into(),
            profile: profile.to_owned(),
        });
        assert_eq!(found, expected);
    }

    #[test]
    fn only_cargo_run_of_this_package_builds_and_it_builds_beside_verger() {
        let cargo = ("CARGO", "/bin/cargo");
        let run = [cargo, ("CARGO_MANIFEST_DIR", "/src/crates/cli")];
        check(&run, "/src/target/release/verger", Some(("/src/target", "release")));
        check(&run, "/elsewhere/debug/verger", Some(("/elsewhere", "dev")));
        check(&run, "/t/x86_64/release/verger", Some(("/t/x86_64", "release")));
        check(&[cargo, ("CARGO_MANIFEST_DIR", "/src/crates/xtask")], "/t/debug/verger", None);
        check(&[cargo], "/t/debug/verger", None);
        check(&run[1..], "/t/debug/verger", None);
    }
}
