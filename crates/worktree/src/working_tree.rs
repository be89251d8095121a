//! Finds the differences between the working tree and a commit, whether staged or not.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs::{self, File, Metadata};
use std::io;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};
use verger_event::hex;

use crate::index_file::{Entry, Form, Mark, read_index, write_index};
use crate::private::Scratch;
use crate::reflog::shared_logs;
use crate::repository::Asking;
use crate::stat_cache::{StatCache, look_of};
use crate::status::{Dirty, STATUS, Status, is_attributes};
use crate::tree_error::TreeError;
use crate::version::{Difference, Differences, RepositoryPath, Version, parse_raw};

/// The limits for hashing files in one comparison. Files beyond them are compared by their
/// metadata. Git hashes about 30,000 small files, or 300 MB, per second.
const MAX_HASHED_FILES: usize = 2_000;
const MAX_HASHED_TOTAL: u64 = 128 * 1024 * 1024;
/// The maximum size of a file that is hashed. A larger file is compared by its metadata.
pub(crate) const MAX_HASHED_BYTES: u64 = 20 * 1024 * 1024;

/// Arguments with which git computes object ids without writing objects.
const HASH: &[&str] =
    &["update-index", "--info-only", "--add", "--remove", "--replace", "-z", "--stdin"];

/// A working tree with its status. Git reports the status only once.
pub(crate) struct WorkingTree<'a> {
    asking: &'a Asking<'a>,
    git_dir: &'a Path,
    scratch: &'a Scratch,
    id_bytes: usize,
    status: Status,
    submodules: Vec<RepositoryPath>,
}

/// The facts about an index that `git status` doesn't report.
#[derive(Default)]
struct IndexLook {
    form: Option<Form>,
    marked: Vec<(RepositoryPath, Version, Mark)>,
    submodules: Vec<RepositoryPath>,
}

/// The way to get the version of a path that differs from the index.
enum Look {
    Hash(Metadata),
    Known(Version),
}

/// The number of files and bytes that may still be hashed.
struct HashBudget {
    files: usize,
    bytes: u64,
}

type Versions = BTreeMap<RepositoryPath, Version>;

impl<'a> WorkingTree<'a> {
    pub(crate) fn look(
        asking: &'a Asking<'a>,
        git_dir: &'a Path,
        scratch: &'a Scratch,
        id_bytes: usize,
    ) -> Result<Self, TreeError> {
        let step = "look at the working tree";
        let answer = asking.answer(step, STATUS, None, vec![])?;
        let status = Status::parse(&answer).ok_or(TreeError::Answer { step })?;
        let submodules = vec![];
        let mut tree = Self { asking, git_dir, scratch, id_bytes, status, submodules };
        tree.look_behind_marks()?;
        Ok(tree)
    }

    /// The checked-out commit. `None` on a branch without commits.
    pub(crate) fn head(&self) -> Option<&str> {
        self.status.head.as_deref()
    }

    /// Git's status of the working tree, and the submodules in its index.
    pub(crate) fn into_parts(self) -> (Status, Vec<RepositoryPath>) {
        (self.status, self.submodules)
    }

    /// Compares the files whose index entries are marked with `--assume-unchanged` or
    /// `--skip-worktree`. Git doesn't report changes of these files.
    fn look_behind_marks(&mut self) -> Result<(), TreeError> {
        let mut look = self.look_at_index(&self.git_dir.join("index"))?;
        if look.form == Some(Form::Split) {
            let copy = self.copy_index("joined")?;
            let arguments = ["update-index", "--force-write-index"];
            self.asking.answer("join the index", &arguments, Some(&copy), vec![])?;
            look = self.look_at_index(&copy)?;
        }
        self.submodules = look.submodules;
        for (path, index, mark) in look.marked {
            let dirty = if self.metadata(&path).is_some_and(|found| !found.is_dir()) {
                Dirty::There { index }
            } else if mark == Mark::SkipWorktree && self.asking.settings().is_sparse {
                // The sparse checkout leaves out the file, so its index entry counts as its
                // version.
                continue;
            } else {
                Dirty::Gone { index }
            };
            self.status.dirty.entry(path).or_insert(dirty);
        }
        Ok(())
    }

    fn look_at_index(&self, index: &Path) -> Result<IndexLook, TreeError> {
        let mut look = IndexLook::default();
        look.form = read_index(&read_file(index)?, self.id_bytes, |entry: &Entry<'_>| {
            if let Some(mark) = entry.mark.filter(|_| !entry.is_directory()) {
                look.marked.push((entry.path.to_owned(), entry.version(), mark));
            }
            if entry.is_submodule() {
                look.submodules.push(entry.path.to_owned());
            }
        });
        Ok(look)
    }

    /// Finds the differences between the working tree and the commit `base`. Ignored files are left
    /// out, except for those that `start` has and `base` doesn't. So a file that existed at the
    /// start doesn't disappear if git ignores it later.
    pub(crate) fn differences(
        mut self,
        base: &str,
        private_dir: &Path,
        start: &Differences,
    ) -> Result<Differences, TreeError> {
        let watched = start.iter().filter(|(_, then)| then.base == Version::Absent);
        for (path, _) in watched {
            let is_file = || self.metadata(path).is_some_and(|found| !found.is_dir());
            if !self.status.dirty.contains_key(path) && is_file() {
                let dirty = Dirty::There { index: Version::Absent };
                self.status.dirty.insert(path.clone(), dirty);
            }
        }
        let mut differences = if self.head() == Some(base) {
            std::mem::take(&mut self.status.staged)
        } else {
            self.staged_since(base)?
        };
        for (path, now) in self.versions(private_dir, start)? {
            let base = match (differences.get(&path), self.status.dirty.get(&path)) {
                (Some(difference), _) => difference.base.clone(),
                // The index has no difference from `base` at this path, so it has the base version.
                (None, Some(Dirty::There { index } | Dirty::Gone { index })) => index.clone(),
                (None, Some(Dirty::Unmerged) | None) => Version::Absent,
            };
            if base == now {
                differences.remove(&path);
            } else {
                differences.insert(path, Difference { base, now });
            }
        }
        Ok(differences)
    }

    /// The differences between the index and `base`, a commit that isn't checked out.
    fn staged_since(&self, base: &str) -> Result<Differences, TreeError> {
        let step = "compare with the start";
        let dirty = self.status.dirty.iter();
        let unmerged: Vec<_> =
            dirty.filter(|(_, dirty)| **dirty == Dirty::Unmerged).map(|(path, _)| path).collect();
        let index = if unmerged.is_empty() {
            None
        } else {
            // Paths of an unfinished merge are removed from a copy of the index. Otherwise git
            // would hide the commit's versions of these paths.
            let index = self.copy_index("merged")?;
            let arguments = ["update-index", "--force-remove", "-z", "--stdin"];
            self.asking.answer(step, &arguments, Some(&index), nul_terminated(unmerged))?;
            Some(index)
        };
        let arguments = ["diff-index", "--cached", "--raw", "-z", "--no-renames", base, "--"];
        let answer = self.asking.answer(step, &arguments, index.as_deref(), vec![])?;
        parse_raw(&answer).ok_or(TreeError::Answer { step })
    }

    /// The current versions of all files that differ from the index. A file that `start` did not
    /// hash isn't hashed either while its metadata is unchanged. Otherwise it would seem to have
    /// changed.
    fn versions(&self, private_dir: &Path, start: &Differences) -> Result<Versions, TreeError> {
        let mut cache = self.load_cache(private_dir);
        let (mut to_hash, mut versions) = (vec![], Versions::new());
        for (path, state) in &self.status.dirty {
            let version = match self.look_at(path, state) {
                Look::Known(version) => Some(version),
                Look::Hash(found) => {
                    let then = start.get(path).map(|then| &then.now);
                    let version = unhashed(&found)
                        .filter(|version| then == Some(version))
                        .or_else(|| self.cached(path, &found, &mut cache));
                    if version.is_none() {
                        to_hash.push((path, state, found));
                    }
                    version
                }
            };
            versions.extend(version.map(|version| (path.clone(), version)));
        }
        // Tracked files are hashed first, because their content can come from a commit. Files that
        // `start` hashed come next.
        to_hash.sort_by_key(|(path, state, _)| {
            (**state == Dirty::There { index: Version::Absent }, !start.contains_key(*path))
        });
        let mut budget = HashBudget { files: MAX_HASHED_FILES, bytes: MAX_HASHED_TOTAL };
        let mut looks = BTreeMap::new();
        for (path, _, found) in to_hash {
            if let Some(version) = unhashed(&found).filter(|_| !budget.allows(&found)) {
                self.keep(path, &found, &version, &mut cache);
                versions.insert(path.clone(), version);
            } else if let Some(version) = self.unopened(path, &found) {
                versions.insert(path.clone(), version);
            } else {
                looks.insert(path, found);
            }
        }
        let hashed = self.hash(looks.keys().copied())?;
        for (path, found) in looks {
            // A file that was removed since git reported it is absent.
            let version = hashed.get(path).cloned().unwrap_or(Version::Absent);
            self.keep(path, &found, &version, &mut cache);
            versions.insert(path.clone(), version);
        }
        cache.save()?;
        Ok(versions)
    }

    fn look_at(&self, path: &RepositoryPath, state: &Dirty) -> Look {
        if matches!(state, Dirty::Gone { .. }) {
            return Look::Known(Version::Absent);
        }
        let Some(found) = self.metadata(path) else { return Look::Known(Version::Absent) };
        // A directory that git names is a submodule. Named pipes and sockets have no content.
        if found.is_symlink() || found.is_dir() || found.is_file() {
            Look::Hash(found)
        } else {
            Look::Known(Version::Absent)
        }
    }

    /// A version without a hash, for a file that can't be opened. `None` if the file can be opened.
    fn unopened(&self, path: &RepositoryPath, found: &Metadata) -> Option<Version> {
        if !found.is_file() {
            return None;
        }
        let error = File::open(self.full_path(path)).err()?;
        let is_gone = error.kind() == io::ErrorKind::NotFound;
        Some(if is_gone { Version::Absent } else { unreadable(found) })
    }

    fn keep(
        &self,
        path: &RepositoryPath,
        found: &Metadata,
        version: &Version,
        cache: &mut StatCache<'_>,
    ) {
        if let Some(kept) = self.kept_form(path, version) {
            cache.put(path, found, &kept);
        }
    }

    /// Loads the cache of hashes. A hash depends on the file and on git's conversion of the file,
    /// which attributes define.
    fn load_cache(&self, private_dir: &Path) -> StatCache<'a> {
        let attributes = shared_logs(self.git_dir).with_file_name("info").join("attributes");
        let attributes = fs::metadata(attributes).map(|found| look_of(&found)).ok();
        let mut context = format!("{:?} {attributes:?}\0", self.status.head).into_bytes();
        context.extend_from_slice(&self.asking.settings().line_ends);
        context.extend_from_slice(&self.status.attributes);
        for path in self.status.dirty.keys().filter(|path| is_attributes(path)) {
            let look = self.metadata(path).map(|found| look_of(&found));
            context.extend(look.unwrap_or_default().bytes());
        }
        // Hashing the context removes NULs, because a stored field ends with a NUL.
        let context = hex(&Sha256::digest(context));
        StatCache::load(self.scratch, private_dir, "hashes", context.as_bytes())
    }

    fn cached(
        &self,
        path: &RepositoryPath,
        found: &Metadata,
        cache: &mut StatCache<'_>,
    ) -> Option<Version> {
        // A directory is a submodule. Its commit can change while its metadata stays the same.
        let kept = cache.get(path, found).filter(|_| !found.is_dir())?;
        let version = Version::parse(kept.split_once('\t')?.1)?;
        (self.kept_form(path, &version)? == kept).then_some(version)
    }

    /// The cache entry for a version. It includes the version in the index, because git's
    /// conversion of line endings depends on that.
    fn kept_form(&self, path: &RepositoryPath, now: &Version) -> Option<String> {
        match self.status.dirty.get(path)? {
            Dirty::There { index } => Some(format!("{index}\t{now}")),
            Dirty::Gone { .. } | Dirty::Unmerged => None,
        }
    }

    /// Lets git compute the hashes of files, with an index that has only these files.
    fn hash<'p>(
        &self,
        paths: impl Iterator<Item = &'p RepositoryPath> + Clone,
    ) -> Result<Versions, TreeError> {
        let input = nul_terminated(paths.clone());
        if input.is_empty() {
            return Ok(Versions::new());
        }
        let step = "hash the changed files";
        let known = paths.filter_map(|path| match self.status.dirty.get(path)? {
            Dirty::There { index } => Some((path, index)),
            Dirty::Gone { .. } | Dirty::Unmerged => None,
        });
        let bytes = write_index(known, self.id_bytes).ok_or(TreeError::Answer { step })?;
        let index = self.scratch.path("index");
        fs::write(&index, bytes).map_err(TreeError::files("write", &index))?;
        self.asking.answer(step, HASH, Some(&index), input)?;
        let mut hashed = Versions::new();
        read_index(&read_file(&index)?, self.id_bytes, |entry| {
            hashed.insert(entry.path.to_owned(), entry.version());
        })
        .ok_or(TreeError::Answer { step })?;
        Ok(hashed)
    }

    fn metadata(&self, path: &RepositoryPath) -> Option<Metadata> {
        fs::symlink_metadata(self.full_path(path)).ok()
    }

    fn full_path(&self, path: &RepositoryPath) -> PathBuf {
        self.asking.top_level().join(OsStr::from_bytes(path))
    }

    fn copy_index(&self, name: &str) -> Result<PathBuf, TreeError> {
        let (users, copy) = (self.git_dir.join("index"), self.scratch.path(name));
        fs::copy(&users, &copy).map_err(TreeError::files("copy", &users))?;
        Ok(copy)
    }
}

impl HashBudget {
    fn allows(&mut self, found: &Metadata) -> bool {
        let is_within =
            self.files > 0 && found.len() <= MAX_HASHED_BYTES && found.len() <= self.bytes;
        if is_within {
            self.files -= 1;
            self.bytes -= found.len();
        }
        is_within
    }
}

/// The version of a file that is compared by its metadata. It changes with the file's size, times
/// and inode. `None` for links and submodules, which are always hashed.
fn unhashed(found: &Metadata) -> Option<Version> {
    let mode = if found.mode() & 0o100 == 0 { "100644" } else { "100755" };
    let id = format!(
        "unhashed-{}-{}-{}.{}-{}.{}",
        found.ino(),
        found.len(),
        found.mtime(),
        found.mtime_nsec(),
        found.ctime(),
        found.ctime_nsec(),
    );
    found.is_file().then(|| Version::Present { mode: mode.to_owned(), id })
}

/// The version of a file that can't be read, made from its metadata.
fn unreadable(found: &Metadata) -> Version {
    let id = format!("unreadable-{}-{}-{}", found.len(), found.mtime(), found.mtime_nsec());
    Version::Present { mode: format!("{:o}", found.mode()), id }
}

/// Reads an index file. A missing file is an empty index.
fn read_file(path: &Path) -> Result<Vec<u8>, TreeError> {
    match fs::read(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(vec![]),
        other => other.map_err(TreeError::files("read", path)),
    }
}

pub(crate) fn nul_terminated<'p>(paths: impl IntoIterator<Item = &'p RepositoryPath>) -> Vec<u8> {
    paths.into_iter().flat_map(|path| path.iter().copied().chain([0])).collect()
}
