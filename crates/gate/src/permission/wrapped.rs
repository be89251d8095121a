//! Checks commands of wrappers, which run the command after them, such as `env` or `timeout`.

use verger_shell::{Command, Inside, Place, Word};

use super::approval::is_build;
use super::options::read_leading;
use super::prefix::is_harmless_setting;
use super::scene::Scene;

/// Whether the words are known options, then `own` operands (for `env`, variables), and then
/// exactly the inner command that the parser found.
pub(super) fn is_command(options: &str, own: usize, words: &[Word], scene: &Scene<'_>) -> bool {
    let Some((_, rest)) = read_leading(options, words, scene) else { return false };
    if rest.len() < own || rest[..own].iter().any(|word| word.literal().is_none()) {
        return false;
    }
    let rest = match scene.command().program() {
        Some("env") => {
            let is_setting = |word: &&Word| word.text().contains('=');
            let settings = rest.iter().take_while(is_setting).count();
            if !rest[..settings].iter().all(|word| is_harmless_setting(word.text())) {
                return false;
            }
            &rest[settings..]
        }
        _ => &rest[own..],
    };
    inner(scene).is_some_and(|(_, inner)| is_same(rest, inner))
}

/// Whether the words are known options, and then a command that builds or tests the project.
pub(super) fn is_tool(options: &str, words: &[Word], scene: &Scene<'_>) -> bool {
    let Some((_, rest)) = read_leading(options, words, scene) else { return false };
    let rest = match rest.first().map(Word::text) {
        Some("--") => &rest[1..],
        _ => rest,
    };
    match scene.command().inside {
        // The parser found no inner command, because the words name a program of a package.
        Inside::Nothing => is_build(&Scene { argv: rest, ..*scene }),
        _ => inner(scene)
            .is_some_and(|(index, inner)| is_same(rest, inner) && is_build(&scene.at(index))),
    }
}

/// Whether the parser found a command that this command runs.
pub(super) fn has_inner(scene: &Scene<'_>) -> bool {
    scene.command().inside == Inside::Found
        && scene.script.commands.iter().any(|inner| inner.place == Place::Within(scene.index))
}

/// The command that this command runs according to the parser. `None` if there are several.
fn inner<'a>(scene: &Scene<'a>) -> Option<(usize, &'a Command)> {
    if scene.command().inside != Inside::Found {
        return None;
    }
    let commands = scene.script.commands.iter().enumerate();
    let mut inner = commands.filter(|(_, inner)| inner.place == Place::Within(scene.index));
    inner.next().filter(|_| inner.next().is_none())
}

/// Whether the words are the inner command. The inner command may have one more word: the argument
/// that `xargs` adds at run time.
fn is_same(words: &[Word], inner: &Command) -> bool {
    let rest = match words.first().map(Word::text) {
        Some("--") => &words[1..],
        _ => words,
    };
    let is_input = |word: &Word| word.text().contains("$_");
    let same = rest.iter().zip(&inner.argv).all(|(one, other)| one == other || is_input(other));
    let added = inner.argv.len().checked_sub(rest.len());
    same && !rest.is_empty()
        && match added {
            Some(0) => true,
            Some(1) => inner.argv.last().is_some_and(is_input),
            _ => false,
        }
}
