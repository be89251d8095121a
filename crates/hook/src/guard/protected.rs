//! Whether a file that a tool names is protected, under its name and under the one it really has.

use std::path::{Component, Path, PathBuf};

use verger_gate::permission::{Access, Protection};

use super::limited::OwnedGround;

/// Deeper paths are looked at by their names alone.
const MAX_LEVELS: usize = 64;
/// As many as the system follows.
const MAX_LINKS: usize = 40;

pub(super) fn protection(path: &str, access: Access, ground: &OwnedGround) -> Option<Protection> {
    let named = Protection::of(path, access, &ground.borrowed());
    if named == Some(Protection::Own) {
        return named;
    }
    let path = ground.join(path);
    let real = [real_path(&path), real_path(&without_dots(&path))].into_iter().flatten();
    let real = real
        .filter_map(|real| Protection::of(&real.display().to_string(), access, &ground.borrowed()));
    // Verger's own files weigh more than any other.
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

/// Where the path leads: the nearest directory above it that is there, and the rest of it. A link to
/// what is not there yet leads there all the same.
fn real_path(path: &Path) -> Option<PathBuf> {
    let mut path = path.to_owned();
    for _ in 0..MAX_LINKS {
        let levels = path.ancestors().take(MAX_LEVELS);
        let (above, found) = levels.into_iter().find_map(|above| {
            let found = above.canonicalize().map(Found::There);
            let found = found.or_else(|_| above.read_link().map(Found::Link));
            Some((above, found.ok()?))
        })?;
        let rest = path.strip_prefix(above).ok()?;
        let target = match found {
            Found::There(real) if rest.as_os_str().is_empty() => return Some(real),
            Found::There(real) => return Some(real.join(rest)),
            Found::Link(target) => above.parent()?.join(target),
        };
        path = if rest.as_os_str().is_empty() { target } else { target.join(rest) };
    }
    None
}

enum Found {
    There(PathBuf),
    /// It leads to what is not there.
    Link(PathBuf),
}

/// As clients shorten a path before they look at the disk.
fn without_dots(path: &Path) -> PathBuf {
    let mut short = PathBuf::new();
    for component in path.components() {
        match component {
            Component::ParentDir => {
                short.pop();
            }
            other => short.push(other),
        }
    }
    short
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
            (".env", Access::Read, Some(Protection::Secret)),
            (".env.example", Access::Read, None),
        ] {
            assert_eq!(protection(path, access, &ground), expected, "{path} {access:?}");
        }
        assert_eq!(protection(&at("p/a"), Access::Write, &OwnedGround::default()), None);
    }
}
