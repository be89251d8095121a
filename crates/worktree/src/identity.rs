//! Finds the user's identity in git's configuration.

use std::path::Path;

use crate::git::Git;

/// The maximum length of an identity. A longer one is not used.
const MAX_IDENTITY_BYTES: usize = 256;

/// `user.email`, else `user.name`, as git's configuration has them for `cwd`. Unlike git, this
/// function doesn't guess an identity from the host name.
pub fn user_identity(cwd: &Path, git: &Git) -> Option<String> {
    let arguments = ["config", "-z", "--get-regexp", r"^user\.(email|name)$"];
    // If git fails, there is no identity. Finding the project's facts reports why.
    let output = git.run(cwd, arguments, git.deadline()).ok()?;
    let text = std::str::from_utf8(&output.stdout).ok()?;
    last_value(text, "user.email").or_else(|| last_value(text, "user.name")).map(str::to_owned)
}

/// The last value of `key` among entries of the form `key\nvalue\0`.
fn last_value<'a>(entries: &'a str, key: &str) -> Option<&'a str> {
    entries
        .split_terminator('\0')
        .filter_map(|entry| entry.split_once('\n'))
        .rfind(|(name, _)| *name == key)
        .map(|(_, value)| value.trim())
        .filter(|value| !value.is_empty() && value.len() <= MAX_IDENTITY_BYTES)
        .filter(|value| !value.contains(char::is_control))
}
