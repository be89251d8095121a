//! Finds a program by its name in the directories of `PATH`.

use std::env;
use std::ffi::OsStr;
use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;

/// Searches a program with this name in the directories of `path`, the value of a `PATH`. Relative
/// directories are skipped, because the working directory would then decide which program runs.
pub fn find_program(path: &OsStr, name: impl AsRef<OsStr>) -> Option<PathBuf> {
    let name = name.as_ref();
    let directories = env::split_paths(path).filter(|directory| directory.is_absolute());
    directories.map(|directory| directory.join(name)).find(|program| {
        let metadata = program.metadata();
        metadata.is_ok_and(|found| found.is_file() && found.permissions().mode() & 0o111 != 0)
    })
}
