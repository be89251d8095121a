//! Git's ignore rules outside of the tree. A change of these rules changes which files git lists.
//! So the rules count as files of the tree that always exist.

use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};
use verger_event::hex;

use crate::reflog::shared_logs;
use crate::repository::Asking;
use crate::version::{Difference, Differences, Version};

/// The mode that marks a rules file. Real modes in git are numbers, so they differ from it.
const MODE: &str = "rules";
/// The path under which the repository's own rules file is compared, wherever the file is.
const NAME: &str = ".git/info/exclude";

/// Adds the current ignore rules to the differences.
pub(crate) fn add_rules(differences: &mut Differences, asking: &Asking<'_>, git_dir: &Path) {
    let own = shared_logs(git_dir).with_file_name("info").join("exclude");
    let users = users_rules(asking).map(|file| (file.clone(), file));
    for (name, file) in [(PathBuf::from(NAME), own)].into_iter().chain(users) {
        let difference = Difference { base: version(b""), now: version(&read(&file)) };
        differences.insert(name.into_os_string().into_encoded_bytes(), difference);
    }
}

/// Whether a version belongs to a rules file, not to a file in the tree.
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

/// Reads a rules file. Empty if git couldn't read the file either.
fn read(file: &Path) -> Vec<u8> {
    match std::fs::metadata(file) {
        Ok(found) if found.is_file() => std::fs::read(file).unwrap_or_default(),
        _ => vec![],
    }
}

fn version(rules: &[u8]) -> Version {
    Version::Present { mode: MODE.to_owned(), id: hex(&Sha256::digest(rules)) }
}
