//! The program that the user configured as the reviewer: finds its file and computes its identity
//! for the log.

use std::ffi::OsStr;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};
use verger_config::ProgramCommand;
use verger_event::hex;
use verger_gate::review::ReviewerProgram;

use crate::config::user_file::is_runnable;

/// The file of `program`: an absolute path, or a name that is looked up in the directories of
/// `path`. Files in the project are ignored, because the agent can write there.
pub(crate) fn find(program: &str, path: Option<&OsStr>, project: &Path) -> Option<PathBuf> {
    let named = Path::new(program);
    if named.is_absolute() {
        return Some(named.to_owned());
    }
    if named.components().count() != 1 {
        return None;
    }
    let is_safe = |directory: &PathBuf| {
        directory.is_absolute()
            && !directory.canonicalize().is_ok_and(|directory| directory.starts_with(project))
    };
    std::env::split_paths(path?)
        .filter(is_safe)
        .map(|directory| directory.join(named))
        .find(|file| file.is_file() && is_runnable(file))
}

/// The identity of the reviewer, to be recorded with the review.
pub(crate) fn identity(command: &ProgramCommand, file: Option<&Path>) -> ReviewerProgram {
    // Links are resolved, so that the actual file is recorded.
    let file = file.and_then(|file| file.canonicalize().ok());
    ReviewerProgram {
        program: command.program.clone(),
        path: file.as_ref().map(|file| file.display().to_string()),
        sha256: file.as_deref().and_then(sha256),
        arguments: command.arguments.clone(),
    }
}

/// The hash of a file. The file is read in parts, because it may be large.
fn sha256(file: &Path) -> Option<String> {
    let mut file = File::open(file).ok()?;
    let mut hash = Sha256::new();
    let mut buffer = vec![0; 64 * 1024];
    loop {
        match file.read(&mut buffer).ok()? {
            0 => return Some(hex(&hash.finalize())),
            length => hash.update(&buffer[..length]),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::ffi::OsString;
    use std::fs;
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn a_name_is_found_outside_of_the_project_only() {
        let directory = tempfile::tempdir().unwrap();
        let root = directory.path().canonicalize().unwrap();
        let project = root.join("project");
        let make = |place: &str, mode: u32| {
            let path = root.join(place);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, "#!/bin/sh\n").unwrap();
            fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
            path
        };
        make("project/bin/reviewer", 0o755);
        make("plain/reviewer", 0o644);
        let good = make("good/reviewer", 0o755);
        let path =
            format!("project/bin:{0}/project/bin:{0}/plain:{0}/missing:{0}/good", root.display());
        let path = OsString::from(path);
        let found = |program: &str| find(program, Some(&path), &project);
        assert_eq!(found("reviewer"), Some(good.clone()));
        assert_eq!(found("other"), None);
        assert_eq!(found("bin/reviewer"), None);
        assert_eq!(found("./reviewer"), None);
        assert_eq!(found("/no/such"), Some("/no/such".into()));
        assert_eq!(find("reviewer", None, &project), None);
    }

    #[test]
    fn the_identity_names_the_reviewer() {
        let directory = tempfile::tempdir().unwrap();
        let root = directory.path().canonicalize().unwrap();
        let file = root.join("reviewer-1.0");
        fs::write(&file, "abc").unwrap();
        let link = root.join("reviewer");
        std::os::unix::fs::symlink(&file, &link).unwrap();
        let command =
            ProgramCommand { program: "reviewer".to_owned(), arguments: vec!["-q".to_owned()] };
        let sha256 = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        let expected = ReviewerProgram {
            program: "reviewer".to_owned(),
            path: Some(file.display().to_string()),
            sha256: Some(sha256.to_owned()),
            arguments: vec!["-q".to_owned()],
        };
        assert_eq!(identity(&command, Some(&link)), expected);
        let unknown = ReviewerProgram { path: None, sha256: None, ..expected };
        assert_eq!(identity(&command, None), unknown);
        assert_eq!(identity(&command, Some(Path::new("/no/such"))), unknown);
    }
}
