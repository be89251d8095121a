//! The list of files of a content, stored under the content's hash. The list is later compared with
//! another content to name the paths that differ.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use verger_event::ContentHash;

use crate::content::Content;
use crate::fields::{Fields, write_field};
use crate::private::{CONTENT_PREFIX, Scratch, read_private};
use crate::tree_error::TreeError;

/// The maximum size of a list of files. A larger one isn't stored.
const MAX_MANIFEST_BYTES: usize = 4 * 1024 * 1024;

/// The paths at which two contents of one task differ, sorted. `None` if the list of files of the
/// earlier content, `then`, no longer exists.
pub fn differing_paths(
    private_dir: &Path,
    then: &ContentHash,
    now: &Content,
) -> Option<Vec<PathBuf>> {
    // The hash comes from a log and is used as a file name, so it is checked.
    then.as_str().bytes().all(|byte| byte.is_ascii_alphanumeric()).then_some(())?;
    let bytes = read_private(private_dir, &file_name(then), MAX_MANIFEST_BYTES as u64)?;
    let mut then = BTreeMap::new();
    let mut fields = Fields::of(&bytes);
    while let Some(path) = fields.next() {
        then.insert(crate::project::path_from(path)?, fields.text()?);
    }
    let mut differing = Vec::new();
    for file in &now.files {
        let before = then.remove(&file.path);
        if before != Some(file.version.to_string().as_str()) {
            differing.push(file.path.clone());
        }
    }
    differing.extend(then.into_keys());
    differing.sort();
    Some(differing)
}

pub(crate) fn keep_manifest(scratch: &Scratch, content: &Content) -> Result<(), TreeError> {
    let mut bytes = Vec::new();
    for file in &content.files {
        write_field(&mut bytes, file.path.as_os_str().as_encoded_bytes());
        write_field(&mut bytes, file.version.to_string().as_bytes());
    }
    if bytes.len() > MAX_MANIFEST_BYTES {
        return Ok(());
    }
    scratch.publish(&file_name(&content.hash), &bytes)?;
    scratch.sweep();
    Ok(())
}

fn file_name(hash: &ContentHash) -> String {
    format!("{CONTENT_PREFIX}{hash}")
}
