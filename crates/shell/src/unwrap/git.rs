//! Finds the commands that git runs for the user: those after `--exec`, and helpers that git's
//! configuration names.

use super::options::Options;
use super::{Inner, argv};
use crate::reader::joined;
use crate::script::Word;

const GLOBAL: Options = Options {
    letters: "C:c:pPhv",
    names: "git-dir= work-tree= namespace= config-env= exec-path super-prefix= attr-source= paginate \
            no-pager bare no-replace-objects literal-pathspecs glob-pathspecs noglob-pathspecs \
            icase-pathspecs no-optional-locks no-lazy-fetch version help html-path man-path info-path",
};

/// Options of git commands whose value is a text for a shell.
const TEXT_OPTIONS: &[&str] = &[
    "--exec",
    "-x",
    "--extcmd",
    "--upload-pack",
    "--receive-pack",
    "--open-files-in-pager",
    "--to-cmd",
    "--cc-cmd",
    "--header-cmd",
    "--sendmail-cmd",
    "--smtp-server",
];

/// The first and the last part of configuration keys whose value git runs.
const RUN_KEYS: &[(&str, &str)] = &[
    ("core", "pager"),
    ("core", "editor"),
    ("core", "sshcommand"),
    ("core", "fsmonitor"),
    ("core", "askpass"),
    ("core", "gitproxy"),
    ("core", "alternaterefscommand"),
    ("sequence", "editor"),
    ("pager", ""),
    ("alias", ""),
    ("diff", "external"),
    ("diff", "command"),
    ("diff", "textconv"),
    ("difftool", "cmd"),
    ("mergetool", "cmd"),
    ("merge", "driver"),
    ("filter", "clean"),
    ("filter", "smudge"),
    ("filter", "process"),
    ("credential", "helper"),
    ("gpg", "program"),
    ("gpg", "defaultkeycommand"),
    ("interactive", "difffilter"),
    ("trailer", "command"),
    ("trailer", "cmd"),
    ("uploadpack", "packobjectshook"),
    ("remote", "uploadpack"),
    ("remote", "receivepack"),
    ("remote", "vcs"),
    ("browser", "cmd"),
    ("man", "cmd"),
    ("web", "browser"),
    ("sendemail", "tocmd"),
    ("sendemail", "cccmd"),
    ("submodule", "update"),
    ("tar", "command"),
];

pub(super) fn runs(words: &[Word]) -> Vec<Inner> {
    let passed = GLOBAL.pass(words);
    let settings = passed.given.iter().filter_map(|option| option.value_of("c", &[]));
    let mut inner: Vec<Inner> =
        settings.filter_map(|setting| run_by(&setting)).map(Inner::Text).collect();
    let Some((subcommand, rest)) = words.get(passed.first..).and_then(<[Word]>::split_first) else {
        return inner;
    };
    match subcommand.text() {
        "bisect" if rest.first().is_some_and(|word| word.text() == "run") => {
            inner.extend(argv(&rest[1..]));
        }
        "submodule" => {
            if let Some(at) = rest.iter().position(|word| word.text() == "foreach") {
                let options = Options { letters: "q", names: "recursive quiet" };
                let first = options.pass(&rest[at + 1..]).first;
                inner.push(Inner::Text(joined(&rest[at + 1 + first..])));
            }
        }
        "filter-branch" => inner.extend(values(rest, |name| name.ends_with("-filter"))),
        "config" => inner.extend(set(rest)),
        "clone" => inner.extend(values(rest, |name| matches!(name, "-u" | "-c" | "--config"))),
        _ => {}
    }
    inner.extend(values(rest, |name| TEXT_OPTIONS.contains(&name)));
    inner
}

/// The values of these options, as texts for a shell. If a value is a `key=value` setting, only the
/// text that git runs because of it.
fn values(words: &[Word], is_option: impl Fn(&str) -> bool) -> Vec<Inner> {
    let mut texts = Vec::new();
    for (at, word) in words.iter().enumerate() {
        let text = word.text();
        let value = match text.split_once('=') {
            Some((name, value)) if is_option(name) => Some(value),
            _ if is_option(text) => words.get(at + 1).map(Word::text),
            _ => text
                .get(..2)
                .filter(|name| is_option(name) && !text.starts_with("--"))
                .map(|_| &text[2..]),
        };
        let value = value.map(|value| run_by(value).unwrap_or_else(|| value.to_owned()));
        texts.extend(value.map(Inner::Text));
    }
    texts
}

/// The text that `git config [set] KEY VALUE` makes git run.
fn set(words: &[Word]) -> Option<Inner> {
    let mut operands = words.iter().map(Word::text).filter(|text| !text.starts_with('-'));
    let key = operands.find(|text| text.contains('.'))?;
    let value = operands.next()?;
    run_by(&format!("{key}={value}")).map(Inner::Text)
}

/// The text that git runs because of a setting of the form `key=value`.
fn run_by(setting: &str) -> Option<String> {
    let (key, value) = setting.split_once('=')?;
    let key = key.to_ascii_lowercase();
    let (section, rest) = key.split_once('.')?;
    let last = rest.rsplit('.').next()?;
    let is_run =
        |known: &(&str, &str)| known.0 == section && (known.1.is_empty() || known.1 == last);
    RUN_KEYS.iter().any(is_run).then(|| match (section, value.strip_prefix('!')) {
        (_, Some(command)) => command.to_owned(),
        ("alias", None) => format!("git {value}"),
        (_, None) => value.to_owned(),
    })
}
