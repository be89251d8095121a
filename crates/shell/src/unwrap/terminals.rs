//! Finds the commands that run in a terminal program such as tmux.

use super::options::{Options, Passed};
use super::{Inner, Runs, argv};
use crate::reader::joined;
use crate::script::Word;

/// Subcommands of tmux whose arguments are, or contain, a text for a shell.
const TMUX: &[&str] = &[
    "new",
    "new-session",
    "neww",
    "new-window",
    "splitw",
    "split-window",
    "respawnp",
    "respawn-pane",
    "respawnw",
    "respawn-window",
    "popup",
    "display-popup",
    "run",
    "run-shell",
    "if",
    "if-shell",
    "pipep",
    "pipe-pane",
    "send",
    "send-keys",
];

/// The texts that tmux may pass to a shell. After such a subcommand, this may be any argument, or
/// all arguments joined.
pub(super) fn tmux(words: &[Word]) -> Vec<Inner> {
    let runs = |word: &Word| word.literal().is_some_and(|text| TMUX.contains(&text));
    let Some(at) = words.iter().position(runs) else { return Vec::new() };
    let options = Options { letters: "c:e:F:f:n:s:t:x:y:l:p:S:T:N:b:", names: "" };
    let after = &words[at + 1..];
    let first = options.pass(after).first;
    let rest = after.get(first..).unwrap_or_default();
    let is_key = |word: &&Word| !matches!(word.text(), "Enter" | "C-m" | "KPEnter");
    let typed: Vec<Word> = rest.iter().filter(is_key).cloned().collect();
    // Only some subcommands take a value after `-d`.
    let texts = after.iter().filter(|word| word.text().contains(' ')).map(Word::text);
    let together = (typed.len() > 1 || texts.clone().next().is_none()).then(|| joined(&typed));
    let texts = texts.map(str::to_owned).chain(together).filter(|text| !text.is_empty());
    texts.map(Inner::Text).collect()
}

pub(super) fn screen(words: &[Word]) -> Runs {
    let options = Options { letters: "c:e:h:p:s:S:t:T:X:Q:AadDfiLlmnOqRrUvwx", names: "version" };
    let Passed { given, first, is_known } = options.pass(words);
    let rest = words.get(first..).unwrap_or_default();
    let types = given.iter().any(|option| option.value_of("X", &[]).is_some());
    let inner = if types { vec![Inner::Text(joined(rest))] } else { argv(rest) };
    Runs { inner, is_known }
}
