//! Lists the chores that the program `verger-chores` contains, and starts them.

use std::env;
use std::ffi::OsString;
use std::process::{Command, ExitCode};

use clap::{Arg, ArgMatches, value_parser};

use crate::failure::Failure;
use crate::process;
use crate::workspace::Root;

const PACKAGE: &str = "verger-chores";
const ARGUMENTS: &str = "arguments";

/// A chore that the program `verger-chores` contains.
pub struct Chore {
    pub name: &'static str,
    /// A description in one line, as `cargo xtask --help` shows it.
    pub about: &'static str,
    profile: Profile,
}

/// The profile with which `verger-chores` is built for a chore.
#[derive(Clone, Copy)]
enum Profile {
    /// The same profile as for tests.
    Dev,
    /// A profile with some optimisation, for chores that take minutes.
    Release,
    /// The profile of the released `verger`, for chores that measure code in their own process.
    Dist,
}

/// All chores of `verger-chores`. A test there compares this table with the existing chores.
pub const CHORES: &[Chore] = &[
    Chore {
        name: "generate",
        about: "Writes the reference files that are made from code",
        profile: Profile::Dev,
    },
    Chore {
        name: "claims-score",
        about: "Scores the detector of claims on the labelled messages",
        profile: Profile::Dev,
    },
    Chore {
        name: "guard-score",
        about: "Scores the permission guard on the labelled commands",
        profile: Profile::Dev,
    },
    Chore { name: "man", about: "Writes the manual pages into target/man", profile: Profile::Dev },
    Chore {
        name: "picture",
        about: "Draws the output of `verger demo` as docs/demo.svg",
        profile: Profile::Dev,
    },
    Chore {
        name: "bench",
        about: "Measures what verger costs and compares it with its bounds",
        profile: Profile::Dist,
    },
    Chore {
        name: "replay",
        about: "Runs recorded sessions through the hook program, and counts the results of every check",
        profile: Profile::Dev,
    },
    Chore {
        name: "newcomer",
        about: "Runs every command of README.md, and takes the time to the first recorded session",
        profile: Profile::Dev,
    },
    Chore {
        name: "capture",
        about: "Records payloads of a real client as fixtures",
        profile: Profile::Dev,
    },
    Chore {
        name: "soak",
        about: "Kills, stops, starves and damages, and counts what was lost",
        profile: Profile::Release,
    },
];

/// The chore with this name.
pub fn named(name: &str) -> Option<&'static Chore> {
    CHORES.iter().find(|chore| chore.name == name)
}

impl Chore {
    /// The subcommand for `cargo xtask`. It accepts all arguments without parsing them, including
    /// `--help`, because `verger-chores` parses them.
    pub(crate) fn command(&self) -> clap::Command {
        clap::Command::new(self.name).about(self.about).disable_help_flag(true).arg(
            Arg::new(ARGUMENTS)
                .num_args(0..)
                .trailing_var_arg(true)
                .allow_hyphen_values(true)
                .value_parser(value_parser!(OsString)),
        )
    }

    /// Builds `verger-chores`, showing cargo's usual output, and runs the chore in the current
    /// directory.
    pub(crate) fn run(&self, root: &Root, matches: &ArgMatches) -> Result<ExitCode, Failure> {
        let mut cargo = root.cargo(["run", "--package", PACKAGE]);
        if let Ok(directory) = env::current_dir() {
            cargo.current_dir(directory);
        }
        cargo.args(self.profile.arguments()).arg("--manifest-path").arg(root.join("Cargo.toml"));
        cargo.args(["--", self.name]);
        cargo.args(matches.get_many::<OsString>(ARGUMENTS).into_iter().flatten());
        let status = process::status(&mut cargo)?;
        let code = status.code().and_then(|code| u8::try_from(code).ok());
        Ok(code.map_or(ExitCode::FAILURE, ExitCode::from))
    }
}

impl Profile {
    fn arguments(self) -> &'static [&'static str] {
        match self {
            Self::Dev => &[],
            Self::Release => &["--release"],
            Self::Dist => &["--profile", "dist-verger"],
        }
    }
}

/// A command that starts `verger-chores` as built for the tests. Another build would select other
/// features.
pub(crate) fn chore_of_tests(root: &Root, arguments: &[&str]) -> Result<Command, Failure> {
    let program = root.target_directory()?.join("debug").join(PACKAGE);
    let mut command = root.command(&program.to_string_lossy());
    command.args(arguments).env("CARGO_MANIFEST_DIR", root.join("crates/chores"));
    Ok(command)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_passed_on_as_they_are() {
        let given = ["cargo xtask", "bench", "--only", "hook", "--help", "--", "x"];
        let matches = crate::command_line().try_get_matches_from(given).unwrap();
        let (name, rest) = matches.subcommand().unwrap();
        let passed_on: Vec<_> = rest.get_many::<OsString>(ARGUMENTS).unwrap().collect();
        assert_eq!(name, "bench");
        assert_eq!(passed_on, ["--only", "hook", "--help", "--", "x"]);
    }
}
