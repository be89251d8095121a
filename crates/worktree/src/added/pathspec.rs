//! Converts pathspecs that are relative to a directory into pathspecs from the top of the
//! repository.

use std::path::Path;

/// Converts `path`, which was given in the directory `prefix`, to a pathspec from the top of the
/// repository. `None` if the pathspec uses unsupported magic.
pub(super) fn from_top(path: &str, prefix: &Path) -> Option<String> {
    if let Some(rest) = path.strip_prefix(":/") {
        return Some(if rest.is_empty() { ".".to_owned() } else { rest.to_owned() });
    }
    if path.starts_with([':', '/', '~']) {
        return None;
    }
    let joined = prefix.join(path);
    let mut parts: Vec<&str> = vec![];
    for part in joined.to_str()?.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            part => parts.push(part),
        }
    }
    Some(if parts.is_empty() { ".".to_owned() } else { parts.join("/") })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_followed_to_the_top() {
        for (path, prefix, expected) in [
            ("a", "", Some("a")),
            ("a", "src/x", Some("src/x/a")),
            ("../a", "src", Some("a")),
            (".", "", Some(".")),
            (".", "src", Some("src")),
            ("..", "src", Some(".")),
            ("*.rs", "src", Some("src/*.rs")),
            (":/a", "src", Some("a")),
            (":/", "src", Some(".")),
            ("../../a", "src", None),
            (":!a", "", None),
            ("/etc", "", None),
        ] {
            assert_eq!(
                from_top(path, Path::new(prefix)).as_deref(),
                expected,
                "{path} in {prefix}"
            );
        }
    }
}
