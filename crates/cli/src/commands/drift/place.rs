//! Converts between a file's path in the project and the paths by which a session names it.

use std::path::{Component, Path, PathBuf};

use verger_engine::{real_paths, without_dots};

/// The directory of a session, from which its relative paths start.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Base {
    /// The project's directory, as the session names it.
    spelled: PathBuf,
    /// The project's directory, with links resolved.
    real: PathBuf,
    /// The session's directory, relative to the project's directory.
    inside: PathBuf,
}

impl Base {
    /// The base of a session in this directory. `project` is the project's directory, if it still
    /// exists.
    pub(super) fn new(directory: &Path, project: Option<PathBuf>) -> Self {
        let Some(real) = project else {
            let directory = directory.to_owned();
            return Self { spelled: directory.clone(), real: directory, inside: PathBuf::new() };
        };
        let within = directory.canonicalize().ok();
        let within = within.and_then(|path| Some(path.strip_prefix(&real).ok()?.to_owned()));
        let inside = within.unwrap_or_default();
        let above = directory.ancestors().nth(inside.components().count());
        let spelled = above.filter(|above| directory.ends_with(&inside) && above.is_absolute());
        Self { spelled: spelled.unwrap_or(&real).to_owned(), real, inside }
    }

    /// The paths by which the session may name a file of the project.
    pub(super) fn names(&self, place: &Path) -> Vec<String> {
        // A path outside of the project is returned unchanged.
        let all = [self.relative(place), self.spelled.join(place), self.real.join(place)];
        let mut names: Vec<String> = vec![];
        for name in all.into_iter().map(|path| path.to_string_lossy().into_owned()) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        names
    }

    fn relative(&self, place: &Path) -> PathBuf {
        if place.is_absolute() {
            return place.to_owned();
        }
        let mut above = self.inside.ancestors().enumerate();
        let found = above.find_map(|(up, above)| Some((up, place.strip_prefix(above).ok()?)));
        let (up, rest) = found.unwrap_or((0, place));
        let up = std::iter::repeat_n(Component::ParentDir, up);
        up.chain(rest.components()).collect()
    }

    /// The path in the project of a file that the session names. A file outside of the project
    /// keeps its full path.
    pub(super) fn place(&self, name: &str) -> PathBuf {
        let path = without_dots(&self.inside.join(name));
        let within = [&self.spelled, &self.real].into_iter().find_map(|root| {
            let within = path.strip_prefix(root).ok()?;
            Some(within.to_owned())
        });
        within.unwrap_or(path)
    }
}

/// The path in the project of a file that a person names in a directory. The first base that
/// contains the file determines the path. The file and its parent directories need not exist.
pub(super) fn named<'a>(
    directory: &Path,
    text: &str,
    mut bases: impl Iterator<Item = &'a Base>,
) -> PathBuf {
    let path = without_dots(&directory.join(text));
    let above = path.parent().and_then(|above| real_paths(above).into_iter().next());
    let real = above.zip(path.file_name()).map(|(above, name)| above.join(name));
    let paths: Vec<PathBuf> = [path.clone()].into_iter().chain(real).collect();
    let known = bases.find_map(|base| {
        let places = paths.iter().map(|path| base.place(&path.to_string_lossy()));
        places.into_iter().find(|place| place.is_relative())
    });
    known.unwrap_or(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn base(spelled: &str, real: &str, inside: &str) -> Base {
        Base { spelled: spelled.into(), real: real.into(), inside: inside.into() }
    }

    #[test]
    fn a_file_has_the_names_that_a_session_may_give_it() {
        let app = || base("/home/dev/app", "/home/dev/app", "");
        let below = base("/home/dev/link", "/home/dev/app", "src");
        let names = |base: Base, place: &str| base.names(Path::new(place));
        for (base, place, expected) in [
            (app(), "src/a.rs", &["src/a.rs", "/home/dev/app/src/a.rs"][..]),
            (app(), "/etc/hosts", &["/etc/hosts"]),
            (
                below.clone(),
                "src/a.rs",
                &["a.rs", "/home/dev/link/src/a.rs", "/home/dev/app/src/a.rs"],
            ),
            (below, "t/b.rs", &["../t/b.rs", "/home/dev/link/t/b.rs", "/home/dev/app/t/b.rs"]),
        ] {
            for name in expected {
                assert_eq!(base.place(name), Path::new(place), "{name}");
            }
            assert_eq!(names(base, place), expected);
        }
    }

    #[test]
    fn a_file_is_named_from_anywhere() {
        let bases = [
            base("/home/dev/app", "/home/dev/app", ""),
            base("/home/dev/link", "/mnt/app", "src"),
            base("/home/dev/fix", "/home/dev/fix", ""),
        ];
        for (directory, text, expected) in [
            ("/home/dev/app", "src/a.rs", "src/a.rs"),
            ("/home/dev/app", "./src/../a.rs", "a.rs"),
            ("/home/dev/app/src", "a.rs", "src/a.rs"),
            ("/home/dev/app/src", "../b.rs", "b.rs"),
            ("/", "/home/dev/app/src/a.rs", "src/a.rs"),
            ("/", "/home/dev/link/src/a.rs", "src/a.rs"),
            ("/", "/mnt/app/b.rs", "b.rs"),
            ("/home/dev/app", "/home/dev/fix/src/a.rs", "src/a.rs"),
            ("/home/dev/app", "/etc/no-such-file", "/etc/no-such-file"),
        ] {
            let found = named(Path::new(directory), text, bases.iter());
            assert_eq!(found, Path::new(expected), "{text} in {directory}");
        }
    }
}
