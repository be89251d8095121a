//! Reads the git settings that decide which files git sees and how git converts them.

use std::collections::BTreeSet;
use std::ffi::OsString;

/// The git settings that this crate needs.
#[derive(Debug, Default)]
pub(crate) struct Settings {
    /// The sections of the configured filters in git's settings, such as `filter.lfs`.
    filters: BTreeSet<String>,
    /// The settings for line endings, in a form that is only compared with earlier ones.
    pub(crate) line_ends: Vec<u8>,
    /// The configured path of the user's own ignore file, unexpanded.
    pub(crate) excludes_file: Option<String>,
    /// Whether a sparse checkout may leave out files on purpose.
    pub(crate) is_sparse: bool,
}

impl Settings {
    pub(crate) const QUESTION: &[&str] = &[
        "config",
        "-z",
        "--get-regexp",
        r"^(filter\..*\.(clean|process|required)|core\.(autocrlf|eol|excludesfile|sparsecheckout))$",
    ];

    /// Parses the output of `git config -z`: entries of the form `key\nvalue\0`. The newline is
    /// missing if there is no value. The last entry for a key counts.
    pub(crate) fn parse(answer: &[u8]) -> Self {
        let text = String::from_utf8_lossy(answer);
        let mut settings = Self::default();
        for entry in text.split_terminator('\0') {
            let (name, value) = entry.split_once('\n').unwrap_or((entry, "true"));
            match name {
                "core.excludesfile" => settings.excludes_file = Some(value.to_owned()),
                "core.sparsecheckout" => {
                    let value = value.to_ascii_lowercase();
                    settings.is_sparse = !["false", "no", "off", "0", ""].contains(&&*value);
                }
                filter if filter.starts_with("filter.") => {
                    let filter = filter.rsplit_once('.').map(|(filter, _)| filter.to_owned());
                    settings.filters.extend(filter);
                }
                _ => {
                    settings.line_ends.extend_from_slice(entry.as_bytes());
                    settings.line_ends.push(b'\n');
                }
            }
        }
        settings
    }

    pub(crate) fn has_filters(&self) -> bool {
        !self.filters.is_empty()
    }

    /// The environment variables that disable all filters. They also mark each filter as optional,
    /// since git fails when a required filter has no command.
    pub(crate) fn no_filters(&self) -> Vec<(OsString, OsString)> {
        let settings = self.filters.iter().flat_map(|filter| {
            [("clean", ""), ("process", ""), ("required", "false")]
                .map(|(setting, value)| (format!("{filter}.{setting}"), value))
        });
        let settings: Vec<_> = settings.collect();
        if settings.is_empty() {
            return vec![];
        }
        let mut variables = vec![("GIT_CONFIG_COUNT".into(), settings.len().to_string().into())];
        for (number, (name, value)) in settings.into_iter().enumerate() {
            variables.push((format!("GIT_CONFIG_KEY_{number}").into(), name.into()));
            variables.push((format!("GIT_CONFIG_VALUE_{number}").into(), value.into()));
        }
        variables
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_of_a_name_counts_and_a_filter_once() {
        let answer = b"core.excludesfile\n~/a\0core.excludesfile\n/b\0core.sparsecheckout\0\
            core.autocrlf\ninput\0filter.x.y.clean\ncat\0filter.x.y.required\0";
        let settings = Settings::parse(answer);
        assert_eq!(settings.excludes_file.as_deref(), Some("/b"));
        assert!(settings.is_sparse);
        assert_eq!(settings.line_ends, b"core.autocrlf\ninput\n");
        assert_eq!(settings.filters, ["filter.x.y".to_owned()].into());
        assert!(!Settings::parse(b"core.sparsecheckout\nFalse\0").is_sparse);
    }
}
