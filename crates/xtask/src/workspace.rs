//! The root folder of the workspace, in which cargo is started.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::failure::Failure;
use crate::process;

/// The folder that contains the root manifest.
pub struct Root(PathBuf);

impl Root {
    /// Finds the root of the workspace. `cargo run` passes the directory of a program's manifest,
    /// which is two folders below the root.
    pub fn from_environment() -> Result<Self, Failure> {
        let manifest = env::var_os("CARGO_MANIFEST_DIR").ok_or(Failure::NotUnderCargo)?;
        let root = Path::new(&manifest).ancestors().nth(2).ok_or(Failure::NotUnderCargo)?;
        Ok(Self(root.to_owned()))
    }

    /// The root of another checkout at this path.
    pub(crate) fn at(path: &Path) -> Self {
        Self(path.to_owned())
    }

    pub fn path(&self) -> &Path {
        &self.0
    }

    pub fn join(&self, relative: impl AsRef<Path>) -> PathBuf {
        self.0.join(relative)
    }

    pub fn command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        command.current_dir(&self.0);
        command
    }

    /// A cargo command in this workspace. It uses the cargo that started this program, so that a
    /// toolchain override also applies here.
    pub fn cargo<'a>(&self, arguments: impl IntoIterator<Item = &'a str>) -> Command {
        let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        command.current_dir(&self.0).args(arguments);
        // Variables that cargo set for this program would otherwise reach build scripts and tests.
        for (name, _) in env::vars_os() {
            if name.to_str().is_some_and(|name| name.starts_with("CARGO_PKG_")) {
                command.env_remove(name);
            }
        }
        command.env_remove("CARGO_MANIFEST_DIR").env_remove("CARGO_MANIFEST_PATH");
        command
    }

    pub fn target_directory(&self) -> Result<PathBuf, Failure> {
        let metadata = self.metadata()?;
        let directory = metadata["target_directory"].as_str().ok_or(Failure::Metadata)?;
        Ok(directory.into())
    }

    /// The members of the workspace and their targets, from `cargo metadata`.
    pub(crate) fn metadata(&self) -> Result<Value, Failure> {
        let arguments = ["metadata", "--no-deps", "--format-version", "1"];
        let text = process::output(&mut self.cargo(arguments))?;
        serde_json::from_str(&text).map_err(|_| Failure::Metadata)
    }

    pub fn host_target(&self) -> Result<String, Failure> {
        let mut rustc = self.command("rustc");
        host_of(&process::output(rustc.arg("-vV"))?).ok_or(Failure::NoHost)
    }
}

fn host_of(rustc_version: &str) -> Option<String> {
    rustc_version.lines().find_map(|line| line.strip_prefix("host: ")).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_host_target_is_read_from_the_compiler() {
        let version =
            "rustc 1.95.0\nbinary: rustc\nhost: x86_64-unknown-linux-gnu\nrelease: 1.95.0\n";
        assert_eq!(host_of(version).as_deref(), Some("x86_64-unknown-linux-gnu"));
        assert_eq!(host_of("rustc 1.95.0\n"), None);
    }
}
