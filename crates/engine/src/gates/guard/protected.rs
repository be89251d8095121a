//! Whether a file that a tool names is protected. Both the given path and the resolved path are
//! checked.

use std::path::{Path, PathBuf};

use crate::Home;
use verger_gate::permission::{Access, Protection};

use super::limited::OwnedGround;
use crate::Environment;
use crate::real_path::real_paths;

/// Files that undo points neither save nor restore: credentials, verger's own files and agents'
/// files.
pub struct ProtectedFiles(OwnedGround);

impl ProtectedFiles {
    /// The protected files for an agent's session in `cwd`.
    pub fn of(home: Option<&Home>, cwd: &Path, environment: &Environment) -> Self {
        let surroundings = environment.surroundings(Some(cwd));
        Self(OwnedGround::of(home, cwd.to_str(), environment, &surroundings))
    }

    /// Whether the file at an absolute path is protected. Links are not followed.
    pub fn has(&self, path: &Path) -> bool {
        Protection::of(&path.to_string_lossy(), Access::Write, &self.0.borrowed()).is_some()
    }
}

pub(super) fn protection(path: &str, access: Access, ground: &OwnedGround) -> Option<Protection> {
    let named = Protection::of(path, access, &ground.borrowed());
    if named == Some(Protection::Own) {
        return named;
    }
    let real = real_paths(&ground.join(path))
        .into_iter()
        .filter_map(|real| Protection::of(&real.display().to_string(), access, &ground.borrowed()));
    // If both kinds are found, the file counts as verger's own.
    named.into_iter().chain(real).max_by_key(|found| *found == Protection::Own)
}

impl OwnedGround {
    fn join(&self, path: &str) -> PathBuf {
        match (path.strip_prefix("~/"), self.home.as_deref()) {
            (Some(rest), Some(home)) => Path::new(home).join(rest),
            _ => Path::new(self.cwd.as_deref().unwrap_or("/")).join(path),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn a_link_does_not_hide_what_is_protected() {
        let root = tempfile::tempdir().unwrap();
        let root = root.path().canonicalize().unwrap();
        let at = |path: &str| root.join(path).display().to_string();
        fs::create_dir_all(at("home/.claude")).unwrap();
        fs::create_dir_all(at("home/.ssh")).unwrap();
        fs::create_dir_all(at("data")).unwrap();
        fs::create_dir_all(at("p/.git")).unwrap();
        fs::write(at("home/.claude/settings.json"), "{}").unwrap();
        symlink(at("home/.claude"), at("p/innocent")).unwrap();
        symlink(at("data"), at("p/build")).unwrap();
        symlink(at("home/.claude/settings.json"), at("p/notes.md")).unwrap();
        symlink(at("home/.ssh"), at("p/docs")).unwrap();
        symlink("../home/.claude/settings.local.json", at("p/new.md")).unwrap();
        symlink("new.md", at("p/newer.md")).unwrap();
        symlink("round.md", at("p/round.md")).unwrap();
        let ground = OwnedGround {
            cwd: Some(at("p")),
            home: Some(at("home")),
            root: Some(at("p")),
            own: vec![at("data")],
        };
        for (path, access, expected) in [
            ("src/main.rs", Access::Write, None),
            ("innocent/settings.json", Access::Write, Some(Protection::Own)),
            ("notes.md", Access::Write, Some(Protection::Own)),
            ("notes.md", Access::Read, None),
            ("newer.md", Access::Write, Some(Protection::Own)),
            ("round.md", Access::Write, None),
            ("build/new/deep", Access::Write, Some(Protection::Own)),
            ("build/new/deep", Access::Read, None),
            ("x/../build/y", Access::Write, Some(Protection::Own)),
            ("docs/config", Access::Read, Some(Protection::Secret)),
            ("~/.claude/settings.json", Access::Write, Some(Protection::Own)),
            ("~/.ssh/new", Access::Write, Some(Protection::Secret)),
            (".git/hooks/pre-commit", Access::Write, Some(Protection::GitRuns)),
            (".git/hooks/pre-commit", Access::Read, None),
            (".git/modules/lib/config", Access::Write, Some(Protection::GitRuns)),
            ("lib/.git", Access::Write, Some(Protection::GitRuns)),
            (".git/description", Access::Write, None),
            (".github/workflows/ci.yml", Access::Write, None),
            (".env", Access::Read, Some(Protection::Secret)),
            (".env.example", Access::Read, None),
        ] {
            assert_eq!(protection(path, access, &ground), expected, "{path} {access:?}");
        }
        assert_eq!(protection(&at("p/a"), Access::Write, &OwnedGround::default()), None);
    }
}
