//! Checks that other users can't access verger's files and directories.

use std::fs::{self, Metadata};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use verger_engine::Home;

use super::recorded::Depth;
use super::{Check, Repair};
use crate::install::own_files;
use crate::render::output::count;

const NAME: &str = "permissions";
/// The permission bits with which others than the owner can read, write or enter.
const ANY_RIGHT: u32 = 0o077;
const WRITING: u32 = 0o022;
/// The maximum number of files that are checked in each of our directories, except in a deep check.
const USUAL_FILES: usize = 500;
const MAX_FILES: usize = 1_000_000;

/// The files of ours that have wrong permissions or a wrong owner.
#[derive(Debug)]
struct Faults<'a> {
    home: &'a Home,
    /// The id of the user who runs the command.
    user: u32,
    files: usize,
    /// The number of files after which the rest of the current directory is skipped.
    limit: usize,
    /// Links in our data directory, which point elsewhere.
    links: Vec<PathBuf>,
    /// Files of another user.
    foreign: Vec<PathBuf>,
    /// Files with permissions that others should not have, and these permissions.
    exposed: Vec<(PathBuf, u32)>,
}

/// Checks every file of verger. Other files in the same directories are not checked.
pub(crate) fn checks(home: &Home, user: u32, depth: Depth) -> Vec<Check> {
    let mut faults = Faults::new(home, user);
    for directory in [&home.data, &home.config] {
        if let Ok(metadata) = fs::metadata(directory) {
            faults.take(directory, &metadata);
        }
    }
    for path in own_files::all(home) {
        faults.limit = match depth {
            Depth::Usual => faults.files + USUAL_FILES,
            Depth::Deep => MAX_FILES,
        };
        if let Ok(metadata) = fs::symlink_metadata(&path) {
            faults.take_all(&path, &metadata);
        }
    }
    faults.into_checks()
}

/// The permission bits that others must not have. The configuration may be a link and may be
/// readable, but others must not write to it.
fn forbidden(home: &Home, path: &Path) -> u32 {
    // These files have the same content in every installation of verger, so others may read them.
    let is_public =
        own_files::user_folders().chain(["bin"]).any(|name| path.starts_with(home.data.join(name)));
    if path.starts_with(&home.data) && !is_public { ANY_RIGHT } else { WRITING }
}

impl<'a> Faults<'a> {
    fn new(home: &'a Home, user: u32) -> Self {
        let (links, foreign, exposed) = (vec![], vec![], vec![]);
        Self { home, user, files: 0, limit: 0, links, foreign, exposed }
    }

    fn look_into(&mut self, directory: &Path) {
        // The command that needs an unreadable directory reports it.
        let Ok(entries) = fs::read_dir(directory) else { return };
        for entry in entries.flatten() {
            if self.files >= self.limit {
                break;
            }
            let Ok(metadata) = entry.metadata() else { continue };
            self.take_all(&entry.path(), &metadata);
        }
    }

    fn take_all(&mut self, path: &Path, metadata: &Metadata) {
        self.take(path, metadata);
        if metadata.is_dir() {
            self.look_into(path);
        }
    }

    fn take(&mut self, path: &Path, metadata: &Metadata) {
        self.files += 1;
        let rights = metadata.mode() & forbidden(self.home, path);
        if metadata.is_symlink() {
            if path.starts_with(&self.home.data) {
                self.links.push(path.to_owned());
            }
        } else if metadata.uid() != self.user {
            self.foreign.push(path.to_owned());
        } else if rights != 0 {
            self.exposed.push((path.to_owned(), rights));
        }
    }

    fn into_checks(self) -> Vec<Check> {
        let mut checks = vec![];
        if let Some(path) = self.links.first() {
            let what = format!(
                "{} in verger's data, which verger does not follow",
                count(self.links.len(), "link")
            );
            let help =
                format!("replace the link by the file that it points to: ls -l {}", path.display());
            checks.push(Check::problem(NAME, what, help).at(path));
        }
        if let Some(path) = self.foreign.first() {
            let what = format!("{} owned by another user", count(self.foreign.len(), "file"));
            checks.push(
                Check::problem(NAME, what, format!("chown $(id -u) {}", path.display())).at(path),
            );
        }
        if let Some((path, rights)) = self.exposed.first() {
            let right = if rights & WRITING == 0 { "read" } else { "change" };
            let files = count(self.exposed.len(), "file");
            let what = format!("other users may {right} it; {files} in all");
            let help = format!("chmod go-rwx {}", path.display());
            let check = Check::problem(NAME, what, help).at(path);
            checks.push(check.mended_by(Repair::Protect(self.exposed)));
        }
        if checks.is_empty() {
            checks.push(Check::fine(
                NAME,
                format!("{}, writable by you alone", count(self.files, "file")),
            ));
        }
        checks
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use verger_testkit::TestEnvironment;

    use super::*;

    #[test]
    fn files_of_somebody_else_are_a_problem() {
        let environment = TestEnvironment::new();
        let home = Home { data: environment.home(), config: environment.home().join("config") };
        let user = fs::metadata(&home.data).map(|metadata| metadata.uid()).unwrap();
        let found =
            |user| checks(&home, user, Depth::Usual).iter().map(Check::to_json).collect::<Vec<_>>();
        assert_eq!(found(user)[0]["finding"], "fine");
        assert_eq!(found(user + 1)[0]["what"], "1 file owned by another user");
    }

    #[test]
    fn files_of_others_are_not_checked() {
        let environment = TestEnvironment::new();
        let home = Home { data: environment.home(), config: environment.home().join("config") };
        let user = fs::metadata(&home.data).map(|metadata| metadata.uid()).unwrap();
        let seen = || {
            let mut exposed = vec![];
            for check in checks(&home, user, Depth::Usual) {
                if let Some(Repair::Protect(files)) =
                    check.as_problem().and_then(|problem| problem.repair.clone())
                {
                    exposed.extend(files.into_iter().map(|(path, _)| path));
                }
            }
            exposed
        };
        for name in ["photos/a.jpg", "config/editor.conf", "log/aa/x.jsonl"] {
            let path = environment.write(environment.home().join(name), "");
            fs::set_permissions(path, fs::Permissions::from_mode(0o666)).unwrap();
        }
        for directory in ["", "config", "log", "log/aa"] {
            let path = environment.home().join(directory);
            fs::set_permissions(path, fs::Permissions::from_mode(0o700)).unwrap();
        }
        assert_eq!(seen(), [environment.home().join("log/aa/x.jsonl")]);
    }

    #[test]
    fn only_what_is_in_every_copy_of_verger_and_the_configuration_may_be_read() {
        let home = Home { data: "/d".into(), config: "/c".into() };
        for (path, expected) in [
            ("/d", ANY_RIGHT),
            ("/d/log/aa/x.jsonl", ANY_RIGHT),
            ("/d/backups/settings.json", ANY_RIGHT),
            ("/d/bin/verger-hook", WRITING),
            ("/d/marketplace", WRITING),
            ("/d/binary", ANY_RIGHT),
            ("/c/config.toml", WRITING),
        ] {
            assert_eq!(forbidden(&home, Path::new(path)), expected, "{path}");
        }
    }
}
