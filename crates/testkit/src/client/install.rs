//! Where clients are installed, and installing them.

use std::env;
use std::error::Error;
use std::ffi::OsString;
use std::fmt::{self, Display, Formatter};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::{Client, codex, copilot_cli, gemini_cli};
use crate::claude_code;

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

/// The variable for a directory with versions that are newer than those that the tests know. A
/// client there runs in place of [`Client::NEWEST`].
const NEWEST_DIR: &str = "VERGER_NEWEST_AGENTS_DIR";

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

impl Client {
    /// The program and the arguments that come before all others, if the client is installed.
    pub fn find(self) -> Option<Vec<OsString>> {
        self.find_newer().or_else(|| self.find_below(&agents_directories()))
    }

    /// The newer version that runs in place of this one.
    fn find_newer(self) -> Option<Vec<OsString>> {
        let directory = env::var_os(NEWEST_DIR).filter(|_| Self::NEWEST.contains(&self))?;
        self.program_in(&PathBuf::from(directory).join(self.product()))
    }

    /// The same; fails the test if the client is not installed.
    #[track_caller]
    pub fn installed(self) -> Vec<OsString> {
        match self.find_newer() {
            Some(program) => program,
            None => self.installed_below(&agents_directories()),
        }
    }

    fn find_below(self, directories: &[PathBuf]) -> Option<Vec<OsString>> {
        directories.iter().find_map(|directory| self.find_in(directory))
    }

    #[track_caller]
    pub(crate) fn installed_below(self, directories: &[PathBuf]) -> Vec<OsString> {
        self.find_below(directories).unwrap_or_else(|| {
            let searched: Vec<_> = directories.iter().map(|path| path.to_string_lossy()).collect();
            panic!(
                "{self} is not installed in {}; `cargo xtask test` installs it",
                searched.join(" or "),
            )
        })
    }

    /// The same in a directory of agents.
    pub(crate) fn find_in(self, agents: &Path) -> Option<Vec<OsString>> {
        self.program_in(&agents.join(self.directory_name()))
    }

    /// The same in a directory into which npm installed this client alone.
    fn program_in(self, directory: &Path) -> Option<Vec<OsString>> {
        let packages = directory.join("node_modules");
        match self {
            Self::ClaudeCode(_) => claude_code::program_in(&packages),
            Self::Codex(_) => codex::program_in(&packages),
            Self::GeminiCli => gemini_cli::program_in(&packages),
            Self::CopilotCli => copilot_cli::program_in(&packages),
        }
    }

    fn directory_name(self) -> String {
        format!("{}-{}", self.product(), self.version())
    }

    /// The package's name without its scope.
    fn product(self) -> &'static str {
        self.package().rsplit('/').next().unwrap_or_default()
    }
}

/// The platform packages of a scope: only the one for this system, which npm chose to install.
pub(crate) fn platform_packages(scope: &Path, prefix: &str) -> Vec<PathBuf> {
    let Ok(entries) = scope.read_dir() else { return vec![] };
    let mut packages: Vec<PathBuf> = entries
        .flatten()
        .filter(|entry| entry.file_name().to_string_lossy().starts_with(prefix))
        .map(|entry| entry.path())
        .collect();
    packages.sort();
    packages
}

/// Installs exactly this version below `agents`, unless it is there.
///
/// The packages appear in their place all at once, so that an interrupted or a second, concurrent
/// installation never leaves half of them. Package scripts are not run.
pub fn install(client: Client, agents: &Path) -> Result<(), InstallError> {
    if client.find_in(agents).is_some() {
        return Ok(());
    }
    fs::create_dir_all(agents).map_err(InstallError::Place)?;
    let staging = tempfile::Builder::new()
        .prefix(&format!(".{}-", client.directory_name()))
        .tempdir_in(agents)
        .map_err(InstallError::Place)?;
    run_npm(client, client.version(), staging.path())?;
    let place = agents.join(client.directory_name());
    match fs::rename(staging.path(), &place) {
        // The directory has moved: there is nothing left to remove.
        Ok(()) => drop(staging.keep()),
        // Another installation was faster, or an incomplete directory is in the way.
        Err(error) if client.find_in(agents).is_none() => {
            return Err(InstallError::Place(error));
        }
        Err(_) => {}
    }
    client.find_in(agents).map(drop).ok_or(InstallError::NoClient(place))
}

/// The newest version of a client that the registry has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Newest {
    /// The tests know it.
    Known,
    /// This version was installed.
    Installed(String),
}

/// Installs the newest version of a client in a directory for newest versions, unless the tests know
/// it. What was there of this client is removed.
pub fn install_newest(client: Client, directory: &Path) -> Result<Newest, InstallError> {
    let mut npm = Command::new("npm");
    let version = output_of(npm.args(["view", client.package(), "version"]))?.trim().to_owned();
    let place = directory.join(client.product());
    if place.exists() {
        fs::remove_dir_all(&place).map_err(InstallError::Place)?;
    }
    if version == client.version() {
        return Ok(Newest::Known);
    }
    fs::create_dir_all(&place).map_err(InstallError::Place)?;
    run_npm(client, &version, &place)?;
    let found = client.program_in(&place).map(|_| Newest::Installed(version));
    found.ok_or(InstallError::NoClient(place))
}

fn run_npm(client: Client, version: &str, directory: &Path) -> Result<(), InstallError> {
    // Without a manifest npm would install into the nearest parent that has one.
    fs::write(directory.join("package.json"), r#"{ "private": true }"#)
        .map_err(InstallError::Place)?;
    let mut npm = Command::new("npm");
    npm.args(["install", "--save-exact", "--no-audit", "--no-fund", "--ignore-scripts"])
        .arg(format!("{}@{version}", client.package()))
        .current_dir(directory);
    output_of(&mut npm).map(drop)
}

/// The standard output of npm.
fn output_of(npm: &mut Command) -> Result<String, InstallError> {
    let output = npm.output().map_err(InstallError::StartNpm)?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    Err(InstallError::Npm { code: output.status.code(), stderr })
}

#[cfg(test)]
mod tests {
    use std::panic;

    use super::*;
    use crate::{CodexVersion, TestEnvironment, Version};

    const CLAUDE: Client = Client::ClaudeCode(Version::V2_1_197);
    const CODEX: Client = Client::Codex(CodexVersion::V0_169_0);

    #[test]
    fn a_missing_client_is_a_failure_that_says_what_to_do() {
        let failure = panic::catch_unwind(|| CODEX.installed_below(&["a".into(), "b".into()]));
        assert_eq!(
            failure.unwrap_err().downcast_ref::<String>().unwrap(),
            "Codex 0.169.0 is not installed in a or b; `cargo xtask test` installs it"
        );
    }

    #[test]
    fn a_client_that_is_there_is_not_installed_again() {
        let environment = TestEnvironment::new();
        let agents = environment.project();
        let at = |path: &str| environment.write(path, "").into_os_string();
        let found = [
            (
                CLAUDE,
                vec![at(
                    "claude-code-2.1.197/node_modules/@anthropic-ai/claude-code-any-platform/claude",
                )],
            ),
            (
                CODEX,
                vec![at(
                    "codex-0.169.0/node_modules/@openai/codex-any-platform/vendor/any/bin/codex",
                )],
            ),
            (
                Client::GeminiCli,
                vec![
                    "node".into(),
                    at("gemini-cli-0.61.0/node_modules/@google/gemini-cli/bundle/gemini.js"),
                ],
            ),
            (
                Client::CopilotCli,
                vec![at("copilot-1.0.102/node_modules/@github/copilot-any-platform/copilot")],
            ),
        ];
        for (client, command) in found {
            install(client, &agents).unwrap();
            assert_eq!(client.find_in(&agents), Some(command));
        }
    }

    #[test]
    fn without_a_native_program_the_wrapper_is_run_by_node() {
        let environment = TestEnvironment::new();
        let wrapper = environment.write(
            "claude-code-2.1.197/node_modules/@anthropic-ai/claude-code/cli-wrapper.cjs",
            "",
        );
        let command = CLAUDE.find_in(&environment.project()).unwrap();
        assert_eq!(command, [PathBuf::from("node"), wrapper]);
    }
}
