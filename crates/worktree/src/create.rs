//! Creates a repository with one commit, for demonstrations.

use std::path::Path;

use verger_exec::RunError;

use crate::git::Git;

/// The reason why a repository could not be created.
#[derive(Debug, thiserror::Error)]
pub enum CreateError {
    #[error("run git")]
    Run(#[source] RunError),
    #[error("make a git repository: {message}")]
    Refused { message: String },
}

/// Makes `directory` a repository whose first commit has the existing files. Git asks no questions,
/// and no person's identity is used.
pub fn create_repository(directory: &Path, git: &Git) -> Result<(), CreateError> {
    let deadline = git.deadline();
    for arguments in [
        &["init", "--quiet", "--template=", "--initial-branch=main"][..],
        &["add", "--all"],
        &[
            "-c",
            "user.name=Nobody",
            "-c",
            "user.email=nobody@example.invalid",
            "commit",
            "--quiet",
            "--no-gpg-sign",
            "--message=Start",
        ],
    ] {
        let output = git.run(directory, arguments, deadline).map_err(CreateError::Run)?;
        if !output.status.success() {
            let message = String::from_utf8_lossy(&output.stderr).trim().to_owned();
            return Err(CreateError::Refused { message });
        }
    }
    Ok(())
}
