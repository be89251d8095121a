//! The habit of searching with `grep` or `find` although `rg` or `fd` is installed.

use super::about::Habit;
use super::arguments::{Options, Reach};
use super::line::{Call, Line};
use super::look::Found;

const GREP: Options = Options {
    known: "r|recursive R|dereference-recursive e|regexp= f|file= m|max-count= A|after-context= \
            B|before-context= C|context= d|directories= D|devices= include= exclude= exclude-dir= \
            exclude-from= color[=] colour[=] label= binary-files= group-separator=",
    names: super::arguments::Names::Shortened,
};

/// The tests of `find` for which `fd` has an equivalent.
const TESTS: &[&str] = &[
    "-name",
    "-iname",
    "-type",
    "-maxdepth",
    "-mindepth",
    "-not",
    "-o",
    "-or",
    "-a",
    "-and",
    "-print",
    "-print0",
    "-path",
    "-ipath",
    "-prune",
    "-L",
    "-H",
    "-P",
];

pub(super) fn find(line: &Line<'_>) -> Option<Found> {
    let is_installed = |programs: &[&'static str]| {
        programs.iter().copied().find(|program| line.scene.surroundings.is_installed(program))
    };
    let greps =
        || line.calls(&["grep", "egrep", "fgrep", "rgrep"]).any(|call| is_recursive(call, line));
    let finds = || line.calls(&["find", "gfind"]).any(finds_names);
    let (better, usual) = None
        .or_else(|| is_installed(&["rg"]).filter(|_| greps()).map(|rg| (rg, "rg PATTERN [PATH]")))
        .or_else(|| {
            let fd = is_installed(&["fd", "fdfind"]).filter(|_| finds())?;
            Some((fd, if fd == "fd" { "fd PATTERN [PATH]" } else { "fdfind PATTERN [PATH]" }))
        })?;
    Some(Found {
        why: format!("{better} is installed, faster, and skips files that git ignores"),
        instead: format!("use `{usual}`"),
        ..Found::new(Habit::SearchTools)
    })
}

fn is_recursive(call: Call<'_>, line: &Line<'_>) -> bool {
    let command = &line.script().commands[call.index];
    let arguments = GREP.read(&call.argv[1..], Reach::All);
    command.runs("rgrep")
        || arguments.has_any(&["recursive", "dereference-recursive"])
        || arguments.values("directories").any(|value| value == "recurse")
}

fn finds_names(call: Call<'_>) -> bool {
    let texts = || call.argv[1..].iter().map(verger_shell::Word::text);
    let is_name = |text: &str| matches!(text, "-name" | "-iname");
    texts().any(is_name) && texts().filter(|text| text.starts_with('-')).all(|t| TESTS.contains(&t))
}
