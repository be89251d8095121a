//! Stores payloads that are too large for a line as files. Each file is named by the hash of its
//! content.

use std::io::{Read, Write};

use sha2::{Digest, Sha256};
use verger_event::hex;
use verger_event::stored::BlobRef;
use verger_store::StoreError;

use crate::dir::Dir;
use crate::failure::failed;

/// The maximum size of a blob. A hook reads no more than this from its input, and redaction adds
/// little.
const MAX_BLOB_BYTES: u64 = 64 * 1024 * 1024;

/// The name of a blob with this text.
pub(crate) fn reference(text: &str) -> BlobRef {
    BlobRef { sha256: hex(&Sha256::digest(text)), bytes: text.len() as u64 }
}

/// Writes a blob before the record that names it is written. The blob survives a power cut.
pub(crate) fn put(
    root: &Dir,
    reference: &BlobRef,
    text: &str,
    temporary: &str,
) -> Result<(), StoreError> {
    let dir = root.subdir("blobs")?.subdir(&reference.sha256[..2])?;
    // The blob's file time is renewed before the blob is used, so that a sweep doesn't remove the
    // blob meanwhile.
    if dir.touch(&reference.sha256) && get(root, reference).is_some() {
        return Ok(());
    }
    let temporary = format!("{temporary}.new");
    let write = || {
        let mut file = dir.create(&temporary)?;
        file.write_all(text.as_bytes())
            .and_then(|()| file.sync_data())
            .map_err(failed("write", dir.path_of(&temporary)))?;
        dir.rename(&temporary, &reference.sha256)?;
        dir.sync()
    };
    write().inspect_err(|_| drop(dir.remove(&temporary)))
}

/// The blob's text. `None` if the blob is missing or was changed.
pub(crate) fn get(root: &Dir, reference: &BlobRef) -> Option<String> {
    let is_name =
        reference.sha256.len() == 64 && reference.sha256.bytes().all(|b| b.is_ascii_hexdigit());
    if !is_name || reference.bytes > MAX_BLOB_BYTES {
        return None;
    }
    // Another kind of file in place of the blob or its directories counts as a missing blob, and so
    // does a bad sector. The rest of the session stays readable.
    let dir =
        root.existing_subdir("blobs").ok()??.existing_subdir(&reference.sha256[..2]).ok()??;
    let file = dir.read(&reference.sha256).ok()??;
    let mut text = Vec::new();
    file.take(reference.bytes + 1).read_to_end(&mut text).ok()?;
    String::from_utf8(text).ok().filter(|text| hex(&Sha256::digest(text)) == reference.sha256)
}
