//! Finds installed clients, and installs clients.

use std::env;
use std::error::Error;
use std::fmt::{self, Display, Formatter};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::{ClaudeCode, Version};

/// The directories that are searched for clients, best first. Clients are installed in the first
/// one.
///
/// If `VERGER_AGENTS_DIR` is set, only that directory. Otherwise `agents` in the target
/// directories: the one in `CARGO_TARGET_DIR`, then the workspace's own, so that a build in another
/// directory needs no second copy of several hundred megabytes. A relative `CARGO_TARGET_DIR` is
/// ignored, because it is relative to the directory in which cargo was started, which a test can't
/// know.
pub fn agents_directories() -> Vec<PathBuf> {
    if let Some(directory) = env::var_os("VERGER_AGENTS_DIR") {
        return vec![directory.into()];
    }
    let chosen = env::var_os("CARGO_TARGET_DIR").map(PathBuf::from).filter(|p| p.is_absolute());
    // Cargo and nextest set the path of the tested package at run time, even if the build was
    // moved. Every package is a directory in `crates`.
    let package = env::var_os("CARGO_MANIFEST_DIR")
        .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")), PathBuf::from);
    let workspace = package.ancestors().nth(2).map(|root| root.join("target"));
    chosen.into_iter().chain(workspace).map(|target| target.join("agents")).collect()
}

pub(super) fn directory_name(version: Version) -> String {
    format!("claude-code-{version}")
}

/// The reason why a client couldn't be installed.
#[derive(Debug)]
pub enum InstallError {
    /// npm could not be started.
    StartNpm(io::Error),
    /// npm failed.
    Npm { code: Option<i32>, stderr: String },
    /// The packages couldn't be moved to their directory.
    Place(io::Error),
    /// npm succeeded, but the client isn't in the installed packages.
    NoClient(PathBuf),
}

impl Display for InstallError {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::StartNpm(_) => formatter.write_str("start npm"),
            Self::Npm { code: Some(code), stderr } => {
                write!(formatter, "install with npm, which exited with {code}: {stderr}")
            }
            Self::Npm { code: None, stderr } => write!(formatter, "install with npm: {stderr}"),
            Self::Place(_) => formatter.write_str("put the packages in their place"),
            Self::NoClient(path) => write!(formatter, "find a client in {}", path.display()),
        }
    }
}

impl Error for InstallError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::StartNpm(error) | Self::Place(error) => Some(error),
            Self::Npm { .. } | Self::NoClient(_) => None,
        }
    }
}

/// Installs exactly this version in `agents`, unless it is already installed.
///
/// The packages are moved into place in one step, so that an interrupted or concurrent installation
/// never leaves an incomplete directory. Package scripts don't run.
pub fn install(version: Version, agents: &Path) -> Result<ClaudeCode, InstallError> {
    if let Some(client) = ClaudeCode::find_in(version, agents) {
        return Ok(client);
    }
    fs::create_dir_all(agents).map_err(InstallError::Place)?;
    let staging = tempfile::Builder::new()
        .prefix(&format!(".{}-", directory_name(version)))
        .tempdir_in(agents)
        .map_err(InstallError::Place)?;
    run_npm(version, staging.path())?;
    let place = agents.join(directory_name(version));
    match fs::rename(staging.path(), &place) {
        // The directory was moved, so it isn't removed.
        Ok(()) => drop(staging.keep()),
        // Another installation was faster, or there is an incomplete directory.
        Err(error) if ClaudeCode::find_in(version, agents).is_none() => {
            return Err(InstallError::Place(error));
        }
        Err(_) => {}
    }
    ClaudeCode::find_in(version, agents).ok_or(InstallError::NoClient(place))
}

fn run_npm(version: Version, directory: &Path) -> Result<(), InstallError> {
    // Without a manifest, npm would install into the nearest parent directory that has one.
    fs::write(directory.join("package.json"), r#"{ "private": true }"#)
        .map_err(InstallError::Place)?;
    let output = Command::new("npm")
        .args(["install", "--save-exact", "--no-audit", "--no-fund", "--ignore-scripts"])
        .arg(format!("@anthropic-ai/claude-code@{version}"))
        .current_dir(directory)
        .output()
        .map_err(InstallError::StartNpm)?;
    if output.status.success() {
        return Ok(());
    }
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    Err(InstallError::Npm { code: output.status.code(), stderr })
}
