//! A cache of canonical paths. A process asks for the same few directories repeatedly and under
//! several names, and the cache resolves each only once.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::ErrorKind;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Component, Path, PathBuf};

/// The operating system's limit for the length of a path.
const MAX_PATH_BYTES: usize = 4096;

/// The canonical paths found so far, by the requested paths and all their ancestors.
#[derive(Debug, Default)]
pub(crate) struct RealPaths {
    known: RefCell<BTreeMap<OsString, Option<PathBuf>>>,
}

impl RealPaths {
    /// The result of [`Path::canonicalize`]. `None` if that fails.
    pub(crate) fn of(&self, path: &Path) -> Option<PathBuf> {
        let is_plain = |component| matches!(component, Component::RootDir | Component::Normal(_));
        let bytes = path.as_os_str().len();
        if !path.is_absolute() || bytes > MAX_PATH_BYTES || !path.components().all(is_plain) {
            return path.canonicalize().ok();
        }
        let mut known = self.known.borrow_mut();
        let mut real = PathBuf::from("/");
        let mut named = OsString::with_capacity(bytes);
        for component in path.components() {
            let Component::Normal(name) = component else { continue };
            named.push("/");
            named.push(name);
            if let Some(found) = known.get(&named) {
                real.clone_from(found.as_ref()?);
                continue;
            }
            let found = below(real, name);
            known.insert(named.clone(), found.clone());
            real = found?;
        }
        let bytes = path.as_os_str().as_bytes();
        let must_be_directory = bytes.ends_with(b"/") || bytes.ends_with(b"/.");
        if must_be_directory { real.join(".").canonicalize().ok() } else { Some(real) }
    }
}

/// The real path of the entry `name` in `directory`, which is a real path.
fn below(mut directory: PathBuf, name: &OsStr) -> Option<PathBuf> {
    directory.push(name);
    match fs::read_link(&directory) {
        Ok(_) => directory.canonicalize().ok(),
        // The path exists and isn't a link.
        Err(error) if error.kind() == ErrorKind::InvalidInput => Some(directory),
        Err(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn paths_lead_where_the_system_says() {
        let root = tempfile::tempdir().unwrap();
        let at = |path: &str| root.path().join(path);
        fs::create_dir_all(at("a/b/c")).unwrap();
        fs::write(at("a/file"), "").unwrap();
        symlink("a/b", at("relative")).unwrap();
        symlink(at("a"), at("absolute")).unwrap();
        symlink("../relative/c", at("a/chain")).unwrap();
        symlink("nowhere", at("dangling")).unwrap();
        symlink("round", at("round")).unwrap();
        let real = RealPaths::default();
        let paths = [
            "",
            "a",
            "a/b/c",
            "a/b/c/",
            "a/b/./c",
            "a/b/../b",
            "a/none",
            "a/none/x",
            "a/file",
            "a/file/x",
            "a/file/..",
            "a/file/",
            "a/file/.",
            "relative",
            "relative/c",
            "relative/../file",
            "absolute/b",
            "absolute/chain",
            "a/chain",
            "dangling",
            "dangling/x",
            "round",
            "round/x",
        ];
        for path in paths.iter().chain(&paths).map(|path| at(path)) {
            assert_eq!(real.of(&path), path.canonicalize().ok(), "{}", path.display());
        }
        let long = format!("/{}", "a/".repeat(MAX_PATH_BYTES));
        for path in ["", "a", "/", "/..", &long] {
            assert_eq!(real.of(Path::new(path)), Path::new(path).canonicalize().ok(), "{path}");
        }
    }
}
