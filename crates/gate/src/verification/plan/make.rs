//! Detects the commands that the targets of a makefile suggest.

use super::super::check::CheckKind;
use super::super::reading::Reading;
use super::{Found, Root};

const FILES: [&str; 3] = ["GNUmakefile", "makefile", "Makefile"];

/// The names of targets for each kind of check. The first target that exists is used. The target
/// `format` is left out, because it usually formats the files.
const TARGETS: [(CheckKind, &[&str]); 4] = [
    (CheckKind::Lint, &["lint"]),
    (CheckKind::Format, &["format-check", "fmt-check", "check-format", "check-fmt"]),
    (CheckKind::Types, &["typecheck", "type-check", "types"]),
    (CheckKind::Tests, &["test", "tests", "check"]),
];

pub(super) fn detect(root: &Root) -> Vec<Found> {
    let Some(file) = root.first(&FILES) else { return vec![] };
    let targets: Vec<_> =
        root.text(file).unwrap_or_default().lines().flat_map(targets_of).collect();
    let found = TARGETS.iter().filter_map(|(kind, names)| {
        let name = names.iter().find(|name| targets.contains(name))?;
        Some(Found::checks(*kind, "make", file, ["make", name], Reading::ExitCode))
    });
    found.collect()
}

/// The targets that a line of the makefile defines: `lint` and `test` in `lint test: sources`. An
/// assignment such as `name := value` defines none.
fn targets_of(line: &str) -> impl Iterator<Item = &str> {
    let rule = line.split_once(':').filter(|(names, rest)| {
        !names.starts_with(['\t', '#', '.'])
            && !names.contains('=')
            && !rest.starts_with(['=', ':'])
    });
    rule.into_iter().flat_map(|(names, _)| names.split_ascii_whitespace())
}
