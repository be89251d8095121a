//! Where clients are installed, and installing them.

use std::env;
use std::error::Error;
use std::fmt::{self, Display, Formatter};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::{ClaudeCode, Version};

/// The directories in which clients are looked for, best first; the first is where to install.
///
/// `VERGER_AGENTS_DIR` alone if it is set. Otherwise `agents` in the target directory: the one of
/// `CARGO_TARGET_DIR`, then the workspace's own, so that a build elsewhere needs no second copy of
/// some hundred megabytes. A relative `CARGO_TARGET_DIR` is relative to where cargo was started,
/// which a test cannot know, and is passed over.
pub fn agents_directories() -> Vec<PathBuf> {
    if let Some(directory) = env::var_os("VERGER_AGENTS_DIR") {
        return vec![directory.into()];
    }
    let chosen = env::var_os("CARGO_TARGET_DIR").map(PathBuf::from).filter(|p| p.is_absolute());
    // Cargo and nextest say at run time where the tested package is, also when the build was moved;
    // every package is a directory of `crates`.
    let package = env::var_os("CARGO_MANIFEST_DIR")
        .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")), PathBuf::from);
    let workspace = package.ancestors().nth(2).map(|root| root.join("target"));
    chosen.into_iter().chain(workspace).map(|target| target.join("agents")).collect()
}

pub(super) fn directory_name(version: Version) -> String {
    format!("claude-code-{version}")
}

/// Why a client could not be installed.
#[derive(Debug)]
pub enum InstallError {
    /// npm could not be started.
    StartNpm(io::Error),
    /// npm failed.
    Npm { code: Option<i32>, stderr: String },
    /// The packages could not be put in their place.
    Place(io::Error),
    /// npm succeeded, but there is no client in what it installed.
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

/// Installs exactly this version below `agents`, unless it is there.
///
/// The packages appear in their place all at once, so that an interrupted or a second, concurrent
/// installation never leaves half of them. Package scripts are not run.
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
        // The directory has moved: there is nothing left to remove.
        Ok(()) => drop(staging.keep()),
        // Another installation was faster, or an incomplete directory is in the way.
        Err(error) if ClaudeCode::find_in(version, agents).is_none() => {
            return Err(InstallError::Place(error));
        }
        Err(_) => {}
    }
    ClaudeCode::find_in(version, agents).ok_or(InstallError::NoClient(place))
}

fn run_npm(version: Version, directory: &Path) -> Result<(), InstallError> {
    // Without a manifest npm would install into the nearest parent that has one.
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
