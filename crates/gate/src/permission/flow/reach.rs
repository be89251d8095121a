//! Finds the commands whose output reaches a command.

use verger_shell::{Command, Mode, Place, Script, Stdin, Word};

/// The maximum number of commands in a pipeline that are followed.
const MAX_PIPES: usize = 16;
/// The maximum number of substitutions of one command that are parsed. A command with more is never
/// approved.
const MAX_TEXTS: usize = 128;
/// The maximum number of bytes of a word whose substitutions are parsed.
const MAX_TEXT: usize = 4096;

/// The earlier commands in the command's pipeline, the nearest first. If the pipeline begins with a
/// group, all commands of the command line are added.
pub(super) fn before<'a>(script: &'a Script, command: &'a Command) -> Vec<&'a Command> {
    let mut found: Vec<&Command> = Vec::new();
    let mut at = command;
    while let Stdin::Pipe(Some(from)) = at.stdin
        && found.len() < MAX_PIPES
        && let Some(feeder) = script.commands.get(from)
    {
        found.push(feeder);
        at = feeder;
    }
    if matches!(at.stdin, Stdin::Pipe(None)) {
        // The group may contain any command of the command line.
        found.extend(
            script.commands.iter().filter(|other| !std::ptr::eq(*other, command)).take(MAX_PIPES),
        );
    }
    found
}

/// The commands whose output reaches `command`: the earlier commands in its own pipeline, and those
/// in the pipeline of each `xargs` that runs it.
pub(super) fn reaching<'a>(script: &'a Script, command: &'a Command) -> Vec<&'a Command> {
    let mut found = before(script, command);
    let mut at = command;
    while let Place::Within(outer) = at.place {
        at = &script.commands[outer];
        if matches!(at.program(), Some("xargs" | "gxargs")) {
            found.extend(before(script, at));
        }
    }
    found
}

/// The parsed commands of the substitutions in a command's words and in its input text.
pub(super) fn substituted(command: &Command) -> Vec<Script> {
    let text = match &command.stdin {
        Stdin::Text(text) => Some(&**text),
        _ => None,
    };
    let words = command.argv.iter().skip(1).chain(text);
    words
        .filter(|word| word.literal().is_none())
        .filter_map(substituted_in)
        .take(MAX_TEXTS)
        .collect()
}

pub(super) fn substituted_in(word: &Word) -> Option<Script> {
    let text = word.text();
    let substitutes = ["$(", "`", "<("].iter().any(|mark| text.contains(mark));
    (substitutes && text.len() <= MAX_TEXT).then(|| verger_shell::read(&inner(text)))
}

/// The text from its first substitution on, as arguments of the command `:`. The text before the
/// substitution is dropped, because it isn't a command.
fn inner(text: &str) -> String {
    let start =
        ["$(", "`", "<("].iter().filter_map(|mark| text.find(mark)).min().unwrap_or_default();
    format!(": {}", &text[start..])
}

pub(super) fn reads_files(command: &Command) -> impl Iterator<Item = &Word> {
    let reads = |mode| matches!(mode, Mode::Read | Mode::ReadWrite);
    let redirects = command.redirects.iter().filter(move |redirect| reads(redirect.mode));
    redirects.map(|redirect| &redirect.target)
}

pub(super) fn writes_files(command: &Command) -> impl Iterator<Item = &Word> {
    let writes = |mode| matches!(mode, Mode::Write | Mode::Append | Mode::ReadWrite);
    let redirects = command.redirects.iter().filter(move |redirect| writes(redirect.mode));
    redirects.map(|redirect| &redirect.target)
}

/// The arguments of the command that don't begin with a dash.
pub(super) fn operands(command: &Command) -> impl Iterator<Item = &Word> {
    command.argv.iter().skip(1).filter(|word| !word.text().starts_with('-'))
}
