//! Git's ignore rules outside of the tree. A change of these rules changes which files are looked
//! at, so they count as files that always exist and can change.

use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};
use verger_event::hex;

use crate::reflog::shared_logs;
use crate::repository::Asking;
use crate::version::{Difference, Differences, Version};

/// Stands for a file's mode. Git's modes are never a word.
const MODE: &str = "rules";
/// The name for the repository's own rules, wherever the file is.
const NAME: &str = ".git/info/exclude";

/// Adds the rules as they are now.
pub(crate) fn add_rules(differences: &mut Differences, asking: &Asking<'_>, git_dir: &Path) {
    let own = shared_logs(git_dir).with_file_name("info").join("exclude");
    let users = users_rules(asking).map(|file| (file.clone(), file));
    for (name, file) in [(PathBuf::from(NAME), own)].into_iter().chain(users) {
        let difference = Difference { base: version(b""), now: version(&read(&file)) };
        differences.insert(name.into_os_string().into_encoded_bytes(), difference);
    }
}

/// Whether a version is one of rules, and not of a file in the tree.
pub(crate) fn is_of_rules(version: &Version) -> bool {
    matches!(version, Version::Present { mode, .. } if mode == MODE)
}

fn users_rules(asking: &Asking<'_>) -> Option<PathBuf> {
    let git = asking.git();
    match asking.settings().excludes_file.as_deref() {
        None => Some(git.config_home()?.join("git/ignore")),
        Some("") => None,
        Some(path) => match path.strip_prefix("~/") {
            Some(path) => Some(git.home()?.join(path)),
            None => Some(asking.top_level().join(path)),
        },
    }
}

/// Rules that are not there, or that git cannot read either, rule nothing.
fn read(file: &Path) -> Vec<u8> {
    match std::fs::metadata(file) {
        Ok(found) if found.is_file() => std::fs::read(file).unwrap_or_default(),
        _ => vec![],
    }
}

fn version(rules: &[u8]) -> Version {
    Version::Present { mode: MODE.to_owned(), id: hex(&Sha256::digest(rules)) }
}
