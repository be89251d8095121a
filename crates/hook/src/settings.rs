//! Reads the configuration files and resolves them.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::time::Duration;

use rustix::fs::{Mode, OFlags};
use rustix::io::Errno;
use verger_config::{Layers, Project, ProjectTrust, Settings, Source};
use verger_store_local::{Home, Options};
use verger_worktree::find_project_config;

use crate::Environment;

/// Settings, and what was wrong with the files they came from.
pub struct LoadedSettings {
    /// What counts.
    pub settings: Settings,
    /// One line each: what is wrong, where, and what would be right.
    pub problems: Vec<String>,
}

impl LoadedSettings {
    /// How the log is opened with these settings.
    pub fn store_options(&self) -> Options {
        Options {
            lock_wait: Duration::from_millis(self.settings.store.lock_wait_ms.value),
            secret_names: self.settings.redact.key_names.value.clone(),
        }
    }
}

/// Resolves the settings for an agent that works in `cwd`.
pub fn load_settings(home: &Home, cwd: Option<&Path>, environment: &Environment) -> LoadedSettings {
    let mut problems = vec![];
    let mut read = |path: &Path| match read_config(path) {
        Ok(bytes) => bytes.map(|bytes| (path.display().to_string(), bytes)),
        Err(error) => {
            problems.push(format!("{}: {error}", path.display()));
            None
        }
    };
    let user = read(&home.config_file());
    let home_directory = environment.get("HOME");
    let found = cwd
        .map_or(Ok(None), |cwd| find_project_config(cwd, home_directory.as_ref().map(Path::new)));
    let project = match found {
        Ok(path) => path.and_then(|path| read(&path)),
        Err(refused) => {
            problems.push(refused.to_string());
            None
        }
    };
    let variables = environment.settings();
    let layers = Layers {
        user: user.as_ref().map(|(file, bytes)| Source { file, bytes }),
        project: project.as_ref().map(|(file, bytes)| Project {
            source: Source { file, bytes },
            trust: ProjectTrust::Untrusted,
        }),
        environment: &variables,
    };
    let (settings, found) = verger_config::resolve(&layers);
    problems.extend(found.iter().map(ToString::to_string));
    LoadedSettings { settings, problems }
}

fn read_config(path: &Path) -> io::Result<Option<Vec<u8>>> {
    // Without blocking: a pipe in place of the file must not hold up the agent.
    let flags = OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NONBLOCK;
    let file = match rustix::fs::open(path, flags, Mode::empty()) {
        Ok(file) => File::from(file),
        Err(Errno::NOENT | Errno::NOTDIR) => return Ok(None),
        Err(error) => return Err(error.into()),
    };
    if !file.metadata()?.is_file() {
        return Err(io::Error::other("it is not a file"));
    }
    let mut bytes = Vec::with_capacity(4096);
    file.take(verger_config::MAX_FILE_BYTES as u64 + 1).read_to_end(&mut bytes)?;
    Ok(Some(bytes))
}
