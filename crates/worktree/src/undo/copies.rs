//! Copies of files that are in no repository. They serve as undo points. Each copy has a directory
//! with numbered files and their metadata in `about.json`.

use std::collections::HashMap;
use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::{OpenOptionsExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use verger_event::{EventId, Timestamp, hex};
use verger_exec::Deadline;

use super::about::{LeftOut, Reason, is_zero, read_path, write_path};
use super::place::is_absence;
use super::reading::Reading;
use super::walk::Walk;
use super::{MAX_NAMED, NoUndo, REUSE_MS, Retention, Saving};
use crate::private::Scratch;
use crate::tree_error::TreeError;

/// The version of the metadata format. Readers skip copies of another version.
const FORM: u32 = 1;
const ABOUT: &str = "about.json";
/// The size limit of `about.json`, large enough for a copy of the maximum number of files.
const MAX_ABOUT_BYTES: u64 = 16 * 1024 * 1024;

/// A saved copy of files, which can be restored.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Copy {
    form: u32,
    pub id: EventId,
    /// The directory in which the agent worked.
    #[serde(serialize_with = "write_path", deserialize_with = "read_path")]
    pub root: PathBuf,
    /// The session that was about to change the files.
    pub session: Option<String>,
    /// The log record of the tool call that the session was about to make.
    pub on: Option<EventId>,
    pub why: String,
    pub files: Vec<CopiedFile>,
    pub left_out: Vec<LeftOut>,
    /// The number of left-out files that `left_out` doesn't name.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub more_left_out: u64,
    /// A hash of everything that the copy contains, and of the list of left-out files.
    content: String,
}

/// A file in a saved copy, with its original path.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CopiedFile {
    /// The absolute path of the original file.
    #[serde(serialize_with = "write_path", deserialize_with = "read_path")]
    pub path: PathBuf,
    #[serde(flatten)]
    pub(super) kind: CopiedKind,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub(super) enum CopiedKind {
    /// A regular file, with its permissions and its size.
    File { mode: u32, bytes: u64 },
    Link {
        #[serde(serialize_with = "write_path", deserialize_with = "read_path")]
        target: PathBuf,
    },
}

/// The result of saving: the copy that has the files' current state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SavedCopy {
    pub copy: Copy,
    /// Whether an earlier copy was reused because nothing differs from it.
    pub is_reused: bool,
}

impl Copy {
    fn bytes(&self) -> u64 {
        let bytes = |file: &CopiedFile| match &file.kind {
            CopiedKind::File { bytes, .. } => *bytes,
            CopiedKind::Link { .. } => 0,
        };
        self.files.iter().map(bytes).sum()
    }

    /// The copy's directory below `copies_dir`.
    pub fn directory(&self, copies_dir: &Path) -> PathBuf {
        copies_dir.join(self.id.to_string())
    }
}

/// Copies the files at `paths`, which an agent in `root` is about to change.
pub fn save_copy(
    copies_dir: &Path,
    root: &Path,
    paths: &[PathBuf],
    saving: &Saving<'_>,
    time: Deadline<'_>,
) -> Result<SavedCopy, NoUndo> {
    let walk = Walk::over(paths, time);
    if walk.files.is_empty() {
        return Err(NoUndo::nothing_copied(&walk.left_out));
    }
    let scratch = Scratch::new(copies_dir)?;
    let mut copying = Copying::new(walk.left_out, saving, scratch.path("copy"))?;
    for path in walk.files {
        if time.is_over() {
            copying.left_out.push(LeftOut { path, reason: Reason::NoTime });
            continue;
        }
        copying.add(path)?;
    }
    if copying.files.is_empty() {
        return Err(NoUndo::nothing_copied(&copying.left_out));
    }
    let content = copying.content(root);
    let earlier = copies(copies_dir)?;
    let last = earlier.iter().find(|copy| copy.root == root);
    let now = saving.id.made_at();
    let is_fresh = |copy: &&Copy| now.millis_since(copy.id.made_at()) < REUSE_MS;
    if let Some(copy) = last.filter(is_fresh).filter(|copy| copy.content == content) {
        return Ok(SavedCopy { copy: copy.clone(), is_reused: true });
    }
    let Copying { directory, files, left_out, .. } = copying;
    let copy = Copy {
        form: FORM,
        id: saving.id,
        root: root.to_owned(),
        session: saving.session.clone(),
        on: saving.on,
        why: saving.why.clone(),
        files,
        more_left_out: left_out.len().saturating_sub(MAX_NAMED) as u64,
        left_out: left_out.into_iter().take(MAX_NAMED).collect(),
        content,
    };
    write_about(&directory.join(ABOUT), &copy)?;
    let to = copy.directory(copies_dir);
    fs::rename(&directory, &to).map_err(TreeError::files("write", &to))?;
    let all: Vec<_> = std::iter::once(copy.clone()).chain(earlier).collect();
    for old in expired(all, saving.retention, now, saving.limits.max_total_bytes) {
        // If a copy can't be removed now, the next save tries again.
        drop(fs::remove_dir_all(old.directory(copies_dir)));
    }
    scratch.sweep();
    Ok(SavedCopy { copy, is_reused: false })
}

/// A copy that is being written to its directory.
struct Copying<'a> {
    saving: &'a Saving<'a>,
    directory: PathBuf,
    files: Vec<CopiedFile>,
    left_out: Vec<LeftOut>,
    reading: Reading,
    digest: Sha256,
}

impl<'a> Copying<'a> {
    fn new(
        left_out: Vec<LeftOut>,
        saving: &'a Saving<'a>,
        directory: PathBuf,
    ) -> Result<Self, TreeError> {
        fs::create_dir(&directory).map_err(TreeError::files("make the directory", &directory))?;
        fs::set_permissions(&directory, fs::Permissions::from_mode(0o700))
            .map_err(TreeError::files("close the directory", &directory))?;
        let (files, reading, digest) = (vec![], Reading::default(), Sha256::new());
        Ok(Self { saving, directory, files, left_out, reading, digest })
    }

    fn add(&mut self, path: PathBuf) -> Result<(), TreeError> {
        if (self.saving.is_protected)(&path) {
            self.left_out.push(LeftOut { path, reason: Reason::Protected });
            return Ok(());
        }
        // A file that was removed meanwhile is skipped.
        let Ok(found) = fs::symlink_metadata(&path) else { return Ok(()) };
        let kind = if found.is_symlink() {
            let Ok(target) = fs::read_link(&path) else { return Ok(()) };
            self.note(target.as_os_str().as_bytes());
            CopiedKind::Link { target }
        } else {
            match self.reading.read(&path, self.saving.limits) {
                Err(reason) => {
                    self.left_out.push(LeftOut { path, reason });
                    return Ok(());
                }
                Ok(bytes) => {
                    let to = self.directory.join(self.files.len().to_string());
                    write_file(&to, &bytes).map_err(TreeError::files("write", &to))?;
                    self.note(&bytes);
                    let mode = found.permissions().mode() & 0o7777;
                    CopiedKind::File { mode, bytes: bytes.len() as u64 }
                }
            }
        };
        self.files.push(CopiedFile { path, kind });
        Ok(())
    }

    fn note(&mut self, bytes: &[u8]) {
        self.digest.update((bytes.len() as u64).to_le_bytes());
        self.digest.update(bytes);
    }

    fn content(&mut self, root: &Path) -> String {
        self.note(root.as_os_str().as_bytes());
        self.note(format!("{:?} {:?}", self.files, self.left_out).as_bytes());
        hex(&self.digest.clone().finalize())
    }
}

/// All copies, the newest first. Other files and copies of another version are skipped.
pub fn copies(copies_dir: &Path) -> Result<Vec<Copy>, NoUndo> {
    let entries = match fs::read_dir(copies_dir) {
        Ok(entries) => entries,
        Err(error) if is_absence(&error) => return Ok(vec![]),
        Err(error) => return Err(TreeError::files("list the copies in", copies_dir)(error).into()),
    };
    let mut copies: Vec<_> =
        entries.flatten().filter_map(|entry| read_about(&entry.path())).collect();
    copies.sort_by_key(|copy| std::cmp::Reverse(copy.id));
    Ok(copies)
}

fn read_about(directory: &Path) -> Option<Copy> {
    let bytes = crate::private::read_private(directory, ABOUT, MAX_ABOUT_BYTES)?;
    let copy: Copy = serde_json::from_slice(&bytes).ok()?;
    let is_there = directory.file_name().is_some_and(|name| name == &*copy.id.to_string());
    (copy.form == FORM && is_there).then_some(copy)
}

fn write_about(path: &Path, copy: &Copy) -> Result<(), TreeError> {
    let text = serde_json::to_vec(copy).unwrap_or_default();
    write_file(path, &text).map_err(TreeError::files("write", path))
}

fn write_file(path: &Path, bytes: &[u8]) -> io::Result<()> {
    OpenOptions::new().write(true).create_new(true).mode(0o600).open(path)?.write_all(bytes)
}

/// The copies to remove: those that are too old, those beyond the number of copies per directory,
/// and those beyond the total size. `copies` must be sorted from the newest.
fn expired(copies: Vec<Copy>, retention: Retention, now: Timestamp, max_bytes: u64) -> Vec<Copy> {
    let mut counts = HashMap::new();
    let mut bytes = 0_u64;
    let mut over = vec![];
    for copy in copies {
        let count = counts.entry(copy.root.clone()).or_insert(0_usize);
        *count += 1;
        bytes = bytes.saturating_add(copy.bytes());
        let is_newest = copy.id.made_at() == now;
        let is_over = *count > retention.points || retention.is_over(copy.id, now);
        let has_no_room = bytes > max_bytes && retention != Retention::ALL;
        if !is_newest && (is_over || has_no_room) {
            over.push(copy);
        }
    }
    over
}
