//! Builds the programs that the benchmark measures, with the settings of the released programs.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use rustix::fs::{Advice, fadvise};

use crate::failure::Failure;
use verger_xtask::Root;
use verger_xtask::dist;
use verger_xtask::process;

/// The manifest of the baseline programs. They are a separate workspace; the manifest says why.
const BASELINE: &str = "crates/chores/baseline/Cargo.toml";

pub(crate) struct Programs {
    /// The path of the hook under test.
    pub(crate) hook: PathBuf,
    /// The path of the program with which the hook is compared.
    pub(crate) baseline: PathBuf,
    /// The path of the launcher, which starts the other programs and measures their times.
    pub(crate) launcher: PathBuf,
}

impl Programs {
    /// Reads the programs from the disk, so that their times are comparable. A newly written file
    /// is in memory in the pieces in which it was written, and these pieces determine the cost of a
    /// page fault.
    pub(crate) fn load(&self) -> Result<(), Failure> {
        for path in [&self.hook, &self.baseline, &self.launcher] {
            let unreadable = |source| Failure::Read { path: path.clone(), source };
            let file = File::open(path).map_err(unreadable)?;
            file.sync_all().map_err(unreadable)?;
            fadvise(&file, 0, None, Advice::DontNeed).map_err(|error| unreadable(error.into()))?;
            fs::read(path).map_err(unreadable)?;
        }
        Ok(())
    }

    pub(crate) fn in_folder(folder: &Path) -> Self {
        Self {
            hook: folder.join("verger-hook"),
            baseline: folder.join("clap_parse"),
            launcher: folder.join("spawn_times"),
        }
    }
}

/// Builds all programs into `folder`. The baseline is built with the flags of the hook.
pub(crate) fn build(root: &Root, folder: &Path) -> Result<Programs, Failure> {
    let (target, target_directory) = (root.host_target()?, root.target_directory()?);
    dist::build(root, &dist::HOOK, &target, folder)?;
    let manifest = root.join(BASELINE);
    let manifest = manifest.to_string_lossy();
    let arguments =
        ["build", "--release", "--locked", "--target", &target, "--manifest-path", &manifest];
    let mut cargo = root.cargo(arguments);
    process::run(cargo.env("RUSTFLAGS", dist::STATIC).env("CARGO_TARGET_DIR", &target_directory))?;
    for name in ["clap_parse", "spawn_times"] {
        let built = target_directory.join(&target).join("release").join(name);
        let copy = folder.join(name);
        fs::copy(built, &copy).map_err(|source| Failure::Write { path: copy, source })?;
    }
    Ok(Programs::in_folder(folder))
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_baseline_is_linked_like_the_hook() {
        let profile = |manifest: &str, name: &str| {
            let (_, profile) = manifest.split_once(&format!("[profile.{name}]\n")).unwrap();
            let lines = profile.lines().take_while(|line| !line.is_empty());
            let linked = |line: &&str| line.starts_with("lto") || line.starts_with("codegen");
            lines.filter(linked).map(str::to_owned).collect::<Vec<_>>()
        };
        let hook = profile(include_str!("../../../../Cargo.toml"), "dist-hook");
        assert_eq!(hook.len(), 2);
        assert_eq!(profile(include_str!("../../baseline/Cargo.toml"), "release"), hook);
    }
}
