//! The content of a task in a directory without git: the files that tools wrote.

use std::collections::BTreeSet;
use std::fs::{self, File, Metadata};
use std::io::{self, Read as _};
use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};
use verger_event::hex;

use crate::content::{ChangeKind, ChangedFile, Content, MovedOut, hash};
use crate::ignore::Ignore;
use crate::manifest::keep_manifest;
use crate::private::Scratch;
use crate::stat_cache::StatCache;
use crate::tree_error::TreeError;
use crate::version::Version;
use crate::working_tree::MAX_HASHED_BYTES;

/// The maximum number of files that tools wrote. A longer list counts as invalid.
const MAX_FILES: usize = 4096;

/// The content formed by the files at `paths`. Paths are absolute or relative to `root`; files
/// outside of `root` count too. Their earlier state is unknown, so every existing file counts as
/// changed.
pub fn touched_content(
    root: &Path,
    paths: impl IntoIterator<Item = impl AsRef<Path>>,
    private_dir: &Path,
    ignore: &Ignore,
) -> Result<Content, TreeError> {
    let named = paths.into_iter().map(|path| {
        let full = root.join(path);
        full.strip_prefix(root).map(Path::to_owned).unwrap_or(full)
    });
    let paths: BTreeSet<PathBuf> = named
        .filter(|path| !ignore.covers(b"", path.as_os_str().as_encoded_bytes()))
        .take(MAX_FILES + 1)
        .collect();
    if paths.len() > MAX_FILES {
        return Err(TreeError::TooMuch);
    }
    let scratch = Scratch::new(private_dir)?;
    let mut cache = StatCache::load(&scratch, private_dir, "touched", b"");
    let files: Vec<_> =
        paths.into_iter().filter_map(|path| look_at(root, path, &mut cache)).collect();
    cache.save()?;
    let content =
        Content { hash: hash(&files, &BTreeSet::new()), files, moved_out: MovedOut::Nothing };
    keep_manifest(&scratch, &content)?;
    Ok(content)
}

fn look_at(root: &Path, path: PathBuf, cache: &mut StatCache<'_>) -> Option<ChangedFile> {
    let full = root.join(&path);
    let (kind, version) = match fs::symlink_metadata(&full) {
        Err(_) => (ChangeKind::Deleted, Version::Absent),
        Ok(found) if found.is_dir() => return None,
        Ok(found) => {
            let id = content_id(&full, &path, &found, cache);
            (ChangeKind::Changed, Version::Present { mode: mode_of(&found).to_owned(), id })
        }
    };
    Some(ChangedFile { path, kind, version })
}

/// The part of a file's mode that counts as content: whether it is executable. Read permissions
/// don't count.
fn mode_of(found: &Metadata) -> &'static str {
    match (found.is_symlink(), found.mode() & 0o100) {
        (true, _) => "link",
        (false, 0) => "file",
        (false, _) => "program",
    }
}

fn content_id(full: &Path, path: &Path, found: &Metadata, cache: &mut StatCache<'_>) -> String {
    let bytes = path.as_os_str().as_encoded_bytes();
    if let Some(hash) = cache.get(bytes, found) {
        return hash;
    }
    let hash = if found.is_symlink() {
        fs::read_link(full)
            .map(|target| hex(&Sha256::digest(target.as_os_str().as_encoded_bytes())))
    } else if found.is_file() && found.len() <= MAX_HASHED_BYTES {
        hash_file(full)
    } else {
        return by_look(found);
    };
    match hash {
        Ok(hash) => {
            cache.put(bytes, found, &hash);
            hash
        }
        Err(_) => by_look(found),
    }
}

/// A version made from a file's metadata, for a file that is too large, unreadable or not a regular
/// file.
fn by_look(found: &Metadata) -> String {
    format!("{} {}.{}", found.len(), found.mtime(), found.mtime_nsec())
}

fn hash_file(path: &Path) -> io::Result<String> {
    // Opens without blocking, because a named pipe may have replaced the file.
    let nonblocking = i32::try_from(rustix::fs::OFlags::NONBLOCK.bits()).unwrap_or_default();
    let file = File::options().read(true).custom_flags(nonblocking).open(path)?;
    let (mut file, mut hasher) = (file.take(MAX_HASHED_BYTES), Sha256::new());
    let mut buffer = vec![0; 64 * 1024];
    loop {
        match file.read(&mut buffer)? {
            0 => return Ok(hex(&hasher.finalize())),
            read => hasher.update(&buffer[..read]),
        }
    }
}
