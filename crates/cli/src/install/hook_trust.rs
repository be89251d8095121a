//! Records a person's trust in verger's hooks for an agent that runs no other hooks. The agent
//! itself computes the hashes of the hooks and says afterwards whether it trusts them.

use std::path::{Path, PathBuf};
use std::time::Duration;

use verger_agent::{HookCommand, HookTrust, ListedHook};
use verger_exec::{Deadline, Program, RunError};

use super::places::Places;
use super::receipt::{Original, Receipt};
use super::setup::{carry_out, utf8};
use super::transaction::{self, FileChange, read};
use crate::config::user_file;
use crate::invocation::command_error::CommandError;
use crate::invocation::context::Context;

/// The program starts slowly on a busy machine.
const LIMIT: Duration = Duration::from_secs(30);

/// Ends the lines that verger wrote, so that it finds them again.
const MARK: &str = " # verger init --trust-hooks";

/// The error if an agent does not trust the hooks.
#[derive(Debug, thiserror::Error)]
pub(crate) enum NotTrusted {
    #[error("ask {program} for its hooks")]
    Ask {
        program: &'static str,
        #[source]
        source: RunError,
    },
    #[error("read the hooks that {program} lists")]
    Unreadable { program: &'static str },
    #[error("let {product} trust the hooks: it did not accept {}, which was put back", path.display())]
    Refused { product: &'static str, path: PathBuf },
}

impl From<NotTrusted> for CommandError {
    fn from(error: NotTrusted) -> Self {
        let hint = "verger is registered, but the hooks do not run yet: trust them in the agent";
        Self::Failed { source: error.into(), hint: hint.to_owned() }
    }
}

/// Lets the agent trust verger's hooks, and returns the file in which it keeps that. `None` if it
/// needs no such file, or trusts the hooks already.
pub(crate) fn trust_hooks(
    context: &Context,
    places: &Places,
) -> Result<Option<PathBuf>, CommandError> {
    let Some(trust) = &places.agent.install.trust else { return Ok(None) };
    let _lock = user_file::lock(&context.home()?.data)?;
    let untrusted = untrusted_hooks(context, places, trust)?;
    if untrusted.is_empty() {
        return Ok(None);
    }
    let path = places.directory.join(trust.file);
    let receipt = Receipt::read(&places.own);
    let before = read(&path)?;
    let text = utf8(&path, before.as_deref().unwrap_or_default())?;
    let after = untrusted.iter().fold(text.to_owned(), |text, hook| {
        let [header, line] = (trust.section)(hook);
        with_section(&text, &header, &line)
    });
    let original = match (receipt.original(&places.own, &path), &before) {
        (Some(known), _) if receipt.is_untouched(&path, before.as_deref()) => known,
        (_, Some(_)) => Original::Bytes(without_sections(text).into_bytes()),
        (_, None) => Original::Absent,
    };
    let change = FileChange { path: path.clone(), before, after: Some(after.into_bytes()) };
    let mut new_receipt = receipt.clone();
    let now_ms = context.clock.now().as_millis();
    new_receipt.remember(places, &[(change.clone(), original)], now_ms)?;
    carry_out(&places.own, &receipt, &new_receipt, std::slice::from_ref(&change))?;
    let is_trusted = untrusted_hooks(context, places, trust).is_ok_and(|hooks| hooks.is_empty());
    if is_trusted {
        return Ok(Some(path));
    }
    let FileChange { path, before, after } = change;
    transaction::apply(&[FileChange { path: path.clone(), before: after, after: before }])?;
    receipt.write(&places.own)?;
    let product = places.agent.install.product;
    Err(NotTrusted::Refused { product, path }.into())
}

/// Verger's hooks that the agent does not trust as they are now.
fn untrusted_hooks(
    context: &Context,
    places: &Places,
    trust: &HookTrust,
) -> Result<Vec<ListedHook>, CommandError> {
    let program = places.agent.install.program;
    let variables = context.environment.all().iter().map(|(name, value)| (name, value));
    let hooks = trust.hooks;
    let answer = Program::new(program, variables)
        .args(trust.arguments)
        .current_dir(context.directory()?)
        .input(trust.requests)
        .ask(move |line| hooks(line).is_some(), Deadline::after(LIMIT))
        .map_err(|source| NotTrusted::Ask { program, source })?;
    let mut listed = hooks(&answer).ok_or(NotTrusted::Unreadable { program })?;
    listed.retain(|hook| is_ours(places, hook) && !hook.is_trusted);
    Ok(listed)
}

/// Whether verger registered a listed hook in a file of the user or of this project.
fn is_ours(places: &Places, hook: &ListedHook) -> bool {
    let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let file = real(Path::new(&hook.file));
    let mut files = [Some(places.user_settings.as_path()), places.project_settings()].into_iter();
    let command = HookCommand { command: &hook.command, arguments: &[] };
    files.any(|known| known.is_some_and(|known| real(known) == file))
        && places.agent.events.iter().any(|event| places.agent.is_our_hook(event.name, command))
}

/// The text with this line in the section with this header.
fn with_section(text: &str, header: &str, line: &str) -> String {
    let newline = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let new = format!("{line}{MARK}{newline}");
    let (key, _) = line.split_once('=').unwrap_or((line, ""));
    let mut lines: Vec<String> = text.split_inclusive('\n').map(str::to_owned).collect();
    let Some(at) = lines.iter().position(|line| line.trim_end() == header) else {
        if let Some(last) = lines.last_mut().filter(|last| !last.ends_with('\n')) {
            last.push_str(newline);
        }
        lines.extend([format!("{header}{newline}"), new]);
        return lines.concat();
    };
    match lines.get_mut(at + 1) {
        Some(next) if next.starts_with(key) => *next = new,
        _ => lines.insert(at + 1, new),
    }
    lines.concat()
}

/// The text without the lines that verger wrote, and without their sections if nothing else is in
/// them.
pub(crate) fn without_sections(text: &str) -> String {
    let lines: Vec<_> = text.split_inclusive('\n').collect();
    let is_ours = |line: &&str| line.trim_end().ends_with(MARK);
    let is_header = |line: &&str| line.starts_with('[');
    let kept = lines.iter().enumerate().filter(|(at, line)| {
        let mut rest = lines.iter().skip(at + 2).take_while(|next| !is_header(next));
        let has_only_ours =
            lines.get(at + 1).is_some_and(is_ours) && rest.all(|next| next.trim().is_empty());
        !(is_ours(line) || (is_header(line) && has_only_ours))
    });
    kept.map(|(_, line)| *line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEADER: &str = "[hooks.state.\"k\"]";

    #[test]
    fn sections_are_added_and_removed_and_nothing_else() {
        for text in
            ["", "model = \"x\"\n", "a = 1\r\n[b]\r\nc = 2\r\n", "[hooks.state.\"o\"]\nh = 1\n"]
        {
            let with = with_section(text, HEADER, "trusted_hash = \"1\"");
            assert_ne!(with, text);
            assert_eq!(without_sections(&with), text);
            let later = with_section(&with, HEADER, "trusted_hash = \"2\"");
            assert_eq!(later, with.replace("\"1\"", "\"2\""));
            let two = with_section(&with, "[hooks.state.\"l\"]", "trusted_hash = \"3\"");
            assert_eq!(without_sections(&two), text);
            assert_eq!(without_sections(&format!("{with}\n[c]\n")), format!("{text}\n[c]\n"));
        }
        assert_eq!(
            with_section("a = 1", HEADER, "trusted_hash = \"1\""),
            format!("a = 1\n{HEADER}\ntrusted_hash = \"1\"{MARK}\n")
        );
    }

    #[test]
    fn what_the_agent_keeps_in_the_section_stays() {
        let text = format!("{HEADER}\nenabled = false\n");
        let with = with_section(&text, HEADER, "trusted_hash = \"1\"");
        assert_eq!(with, format!("{HEADER}\ntrusted_hash = \"1\"{MARK}\nenabled = false\n"));
        assert_eq!(without_sections(&with), text);
    }
}
