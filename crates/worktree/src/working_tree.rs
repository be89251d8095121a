//! The files as they are: where the working tree differs from a commit, however that is staged.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::fs::{self, File, Metadata};
use std::io;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};
use verger_event::hex;

use crate::index_copy::{Form, IndexCopy};
use crate::private::Scratch;
use crate::reflog::shared_logs;
use crate::repository::Asking;
use crate::stat_cache::{StatCache, look_of};
use crate::status::{Dirty, STATUS, Status, is_attributes};
use crate::tree_error::TreeError;
use crate::version::{Difference, Differences, RepositoryPath, Version, parse_raw};

/// Computes what git would record without recording it.
const RECORD: &[&str] =
    &["update-index", "--info-only", "--add", "--remove", "--replace", "-z", "--stdin"];

/// A working tree that git has looked at once.
pub(crate) struct WorkingTree<'a> {
    asking: &'a Asking<'a>,
    git_dir: &'a Path,
    scratch: &'a Scratch,
    status: Status,
    index: Option<IndexCopy>,
}

/// How a path that is not as the index has it gets its version.
enum Look {
    Hash(Metadata),
    Known(Version),
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
        let mut tree = Self { asking, git_dir, scratch, status, index: None };
        tree.index = tree.read_index(id_bytes)?;
        Ok(tree)
    }

    /// The commit that is checked out.
    pub(crate) fn head(&self) -> Option<&str> {
        self.status.head.as_deref()
    }

    /// Reads the index and sees to it that no file in it is believed.
    fn read_index(&mut self, id_bytes: usize) -> Result<Option<IndexCopy>, TreeError> {
        let users = self.git_dir.join("index");
        let read = |path: &Path| IndexCopy::read(path).map_err(TreeError::files("read", path));
        let Some(mut index) = read(&users)? else { return Ok(None) };
        let mut form = index.form(id_bytes);
        if form == Form::Split {
            let copy = self.scratch.path("index");
            index.write(&copy).map_err(TreeError::files("write", &copy))?;
            let arguments = ["update-index", "--force-write-index"];
            self.asking.answer("join the index", &arguments, Some(&copy), vec![])?;
            let Some(joined) = read(&copy)? else { return Ok(None) };
            index = joined;
            form = index.form(id_bytes);
        }
        if let Form::Whole { marked } = form {
            for entry in marked {
                // In a sparse checkout a marked file is not there, and its entry stands for it.
                if self.metadata(&entry.path).is_some_and(|found| !found.is_dir()) {
                    index.unmark(&entry);
                    let dirty = Dirty::There { index: entry.version };
                    self.status.dirty.entry(entry.path).or_insert(dirty);
                }
            }
        }
        Ok(Some(index))
    }

    /// Where the working tree differs from `base`. Ignored files are left out, except those
    /// `watched`: what was there at the start does not vanish by being ignored later.
    pub(crate) fn differences<'p>(
        mut self,
        base: &str,
        private_dir: &Path,
        watched: impl Iterator<Item = &'p RepositoryPath>,
    ) -> Result<Differences, TreeError> {
        for path in watched {
            let is_file = || self.metadata(path).is_some_and(|found| !found.is_dir());
            if !self.status.dirty.contains_key(path) && is_file() {
                let dirty = Dirty::There { index: Version::Absent };
                self.status.dirty.insert(path.clone(), dirty);
            }
        }
        let mut cache = self.load_cache(private_dir);
        let (hashed, known) = self.look_at_all(&mut cache);
        let has_unmerged = self.status.dirty.values().any(|dirty| *dirty == Dirty::Unmerged);
        let index = if hashed.is_empty() && !has_unmerged {
            None
        } else {
            Some(self.record(&hashed, &known)?)
        };
        let step = "compare with the start";
        let arguments = ["diff-index", "--cached", "--raw", "-z", "--no-renames", base, "--"];
        let answer = self.asking.answer(step, &arguments, index.as_deref(), vec![])?;
        let mut differences = parse_raw(&answer).ok_or(TreeError::Answer { step })?;
        for (path, found) in &hashed {
            let now = differences.get(path).map(|difference| &difference.now);
            if let Some(kept) = now.and_then(|now| self.kept_form(path, now)) {
                cache.put(path, found, &kept);
            }
        }
        cache.save()?;
        self.overlay(&mut differences, known);
        Ok(differences)
    }

    /// What hashes depend on beside the file: how it is converted, which attributes say.
    fn load_cache(&self, private_dir: &Path) -> StatCache<'a> {
        let attributes = shared_logs(self.git_dir).with_file_name("info").join("attributes");
        let attributes = fs::metadata(attributes).map(|found| (found.mtime(), found.size())).ok();
        let mut context = format!("{:?} {attributes:?}\0", self.status.head).into_bytes();
        context.extend_from_slice(self.asking.line_ends());
        context.extend_from_slice(&self.status.attributes);
        for path in self.status.dirty.keys().filter(|path| is_attributes(path)) {
            context.extend(
                self.metadata(path).map(|found| look_of(&found)).unwrap_or_default().bytes(),
            );
        }
        // What is kept is a field, which ends with a NUL.
        let context = hex(&Sha256::digest(context));
        StatCache::load(self.scratch, private_dir, "hashes", context.as_bytes())
    }

    /// How a hash is kept: git looks at the index too when it converts the ends of lines.
    fn kept_form(&self, path: &RepositoryPath, now: &Version) -> Option<String> {
        match self.status.dirty.get(path)? {
            Dirty::There { index } => Some(format!("{index}\t{now}")),
            Dirty::Gone { .. } | Dirty::Unmerged => None,
        }
    }

    fn look_at_all(
        &self,
        cache: &mut StatCache<'_>,
    ) -> (BTreeMap<RepositoryPath, Metadata>, Versions) {
        let (mut hashed, mut known) = (BTreeMap::new(), Versions::new());
        for (path, state) in &self.status.dirty {
            match self.look_at(path, state) {
                Look::Known(version) => {
                    known.insert(path.clone(), version);
                }
                Look::Hash(found) => match self.cached(path, &found, cache) {
                    Some(version) => {
                        known.insert(path.clone(), version);
                    }
                    None => {
                        hashed.insert(path.clone(), found);
                    }
                },
            }
        }
        (hashed, known)
    }

    fn cached(
        &self,
        path: &RepositoryPath,
        found: &Metadata,
        cache: &mut StatCache<'_>,
    ) -> Option<Version> {
        // A directory is a submodule, which can move without looking any different.
        let kept = cache.get(path, found).filter(|_| !found.is_dir())?;
        let version = Version::parse(kept.split_once('\t')?.1)?;
        (self.kept_form(path, &version)? == kept).then_some(version)
    }

    fn look_at(&self, path: &RepositoryPath, state: &Dirty) -> Look {
        if matches!(state, Dirty::Gone { .. }) {
            return Look::Known(Version::Absent);
        }
        let Some(found) = self.metadata(path) else { return Look::Known(Version::Absent) };
        // A directory that git names is a submodule.
        if found.is_symlink() || found.is_dir() {
            return Look::Hash(found);
        }
        if !found.is_file() {
            // Pipes and sockets are no content.
            return Look::Known(Version::Absent);
        }
        match File::open(self.full_path(path)) {
            Ok(_) => Look::Hash(found),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Look::Known(Version::Absent),
            Err(_) => Look::Known(unreadable(&found)),
        }
    }

    fn metadata(&self, path: &RepositoryPath) -> Option<Metadata> {
        fs::symlink_metadata(self.full_path(path)).ok()
    }

    fn full_path(&self, path: &RepositoryPath) -> PathBuf {
        self.asking.top_level().join(OsStr::from_bytes(path))
    }

    /// An index that holds the hashed files as they are now, and no unfinished merge.
    fn record(
        &self,
        hashed: &BTreeMap<RepositoryPath, Metadata>,
        known: &Versions,
    ) -> Result<PathBuf, TreeError> {
        let index = self.scratch.path("index");
        if let Some(copy) = &self.index {
            copy.write(&index).map_err(TreeError::files("write", &index))?;
        }
        let step = "hash what changed";
        let is_unmerged = |path: &&_| self.status.dirty.get(*path) == Some(&Dirty::Unmerged);
        let unmerged: BTreeSet<_> = known.keys().filter(is_unmerged).collect();
        if !unmerged.is_empty() {
            let arguments = ["update-index", "--force-remove", "-z", "--stdin"];
            self.asking.answer(step, &arguments, Some(&index), nul_terminated(unmerged))?;
        }
        if !hashed.is_empty() {
            self.asking.answer(step, RECORD, Some(&index), nul_terminated(hashed.keys()))?;
        }
        Ok(index)
    }

    fn overlay(&self, differences: &mut Differences, known: Versions) {
        for (path, now) in known {
            let base = match (differences.get(&path), self.status.dirty.get(&path)) {
                (Some(difference), _) => difference.base.clone(),
                // Where index and base agree, the index says what the base is.
                (None, Some(Dirty::There { index } | Dirty::Gone { index })) => index.clone(),
                (None, Some(Dirty::Unmerged) | None) => Version::Absent,
            };
            if base == now {
                differences.remove(&path);
            } else {
                differences.insert(path, Difference { base, now });
            }
        }
    }
}

/// What is closed to us is told apart by what can be seen from outside.
fn unreadable(found: &Metadata) -> Version {
    let id = format!("unreadable-{}-{}-{}", found.len(), found.mtime(), found.mtime_nsec());
    Version::Present { mode: format!("{:o}", found.mode()), id }
}

fn nul_terminated<'a>(paths: impl IntoIterator<Item = &'a RepositoryPath>) -> Vec<u8> {
    paths.into_iter().flat_map(|path| path.iter().copied().chain([0])).collect()
}
