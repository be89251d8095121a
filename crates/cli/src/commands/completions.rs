//! `verger completions`: a script that lets a shell complete our commands.

use clap::{Args, ValueEnum};
use serde_json::json;

use super::command_line;
use crate::invocation::command_error::CommandError;
use crate::render::output::{Output, Ui};

/// Print a completion script for your shell.
///
/// bash: verger completions bash > ~/.local/share/bash-completion/completions/verger
///
/// zsh: verger completions zsh > "${fpath[1]}/_verger"
///
/// fish: verger completions fish > ~/.config/fish/completions/verger.fish
#[derive(Debug, Args)]
pub(crate) struct CompletionsArgs {
    /// Your shell.
    shell: Shell,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Shell {
    Bash,
    Zsh,
    Fish,
}

pub(crate) fn completions(ui: &mut Ui, args: &CompletionsArgs) -> Result<(), CommandError> {
    let (name, shell) = match args.shell {
        Shell::Bash => ("bash", clap_complete::Shell::Bash),
        Shell::Zsh => ("zsh", clap_complete::Shell::Zsh),
        Shell::Fish => ("fish", clap_complete::Shell::Fish),
    };
    let mut script = vec![];
    clap_complete::generate(shell, &mut command_line(), "verger", &mut script);
    let script = String::from_utf8_lossy(&script);
    let written = match ui.output() {
        Output::Json => ui.json(&json!({ "shell": name, "script": script })),
        Output::Text => ui.script(&script),
    };
    Ok(written?)
}
