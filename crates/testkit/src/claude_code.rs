//! The real Claude Code, offline, against a scripted upstream.

mod install;
mod print;
mod recording_hook;

use std::ffi::OsString;
use std::fmt::{self, Display, Formatter};
use std::path::{Path, PathBuf};

use serde_json::{Map, Value, json};

pub use install::{InstallError, agents_directories, install};
pub use print::{Print, PrintRun};
pub use recording_hook::{HookCall, RecordingHook};

use crate::enclosure::Isolation;

/// The versions that the tests run with: the oldest supported one and a recent one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Version {
    V2_1_197,
    V2_1_325,
}

impl Version {
    pub const ALL: [Self; 2] = [Self::V2_1_197, Self::V2_1_325];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::V2_1_197 => "2.1.197",
            Self::V2_1_325 => "2.1.325",
        }
    }
}

impl Display for Version {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

/// An installed client.
#[derive(Clone, Debug)]
pub struct ClaudeCode {
    version: Version,
    /// The program and the arguments that come before all others.
    command: Vec<OsString>,
}

impl ClaudeCode {
    /// The client of this version; fails the test if it is not installed.
    #[track_caller]
    pub fn installed(version: Version) -> Self {
        Self::find(version).unwrap_or_else(|| {
            let searched: Vec<String> =
                agents_directories().iter().map(|path| path.display().to_string()).collect();
            panic!(
                "Claude Code {version} is not installed in {}; `cargo xtask test` installs it",
                searched.join(" or "),
            )
        })
    }

    /// The client of this version, if it is installed.
    pub fn find(version: Version) -> Option<Self> {
        agents_directories().iter().find_map(|directory| Self::find_in(version, directory))
    }

    /// The client of this version in a directory of agents.
    pub fn find_in(version: Version, agents: &Path) -> Option<Self> {
        let packages = install::directory_name(version);
        let packages = agents.join(packages).join("node_modules/@anthropic-ai");
        let native = native_program(&packages).map(|program| vec![program.into_os_string()]);
        let command = native.or_else(|| {
            let wrapper = packages.join("claude-code/cli-wrapper.cjs");
            wrapper.exists().then(|| vec!["node".into(), wrapper.into_os_string()])
        });
        Some(Self { version, command: command? })
    }

    pub fn version(&self) -> Version {
        self.version
    }

    /// What keeps the client away from the network on this system.
    pub fn isolation() -> Isolation {
        Isolation::available()
    }

    /// A run of `claude --print` with this prompt.
    pub fn print(&self, prompt: impl Into<String>) -> Print<'_> {
        Print::new(self, prompt.into())
    }
}

/// The program of the one platform package that npm chose to install.
fn native_program(packages: &Path) -> Option<PathBuf> {
    let entries = packages.read_dir().ok()?;
    let mut programs: Vec<PathBuf> = entries
        .flatten()
        .filter(|entry| entry.file_name().to_string_lossy().starts_with("claude-code-"))
        .map(|entry| entry.path().join("claude"))
        .filter(|program| program.is_file())
        .collect();
    programs.sort();
    programs.into_iter().next()
}

/// Settings in which each of these events runs `<command> claude <Event>`.
pub fn hook_settings(command: &str, events: &[&str]) -> Value {
    let hooks: Map<String, Value> = events
        .iter()
        .map(|event| {
            let hook = json!({ "type": "command", "command": format!("{command} claude {event}") });
            ((*event).to_owned(), json!([{ "hooks": [hook] }]))
        })
        .collect();
    json!({ "hooks": hooks })
}
