//! The client on a terminal, with a person at the keyboard.

use serde_json::{Value, json};
use verger_agent::DEMONSTRATED_RUN;

use super::ClaudeCode;
use crate::enclosure::Enclosure;
use crate::environment::TestEnvironment;
use crate::terminal::{Terminal, TerminalSize};
use crate::upstream::Upstream;

const SIZE: TerminalSize = TerminalSize { rows: 40, columns: 120 };
/// The client's prompt sign, with a no-break space.
const READY: &str = "❯\u{a0}";
/// The number of characters that the client keeps of an accepted API key.
const KEPT_OF_KEY: usize = 20;

/// The actions for which the client asks a person.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PermissionMode {
    /// Every action that may change something.
    Default,
    /// None. The warning about this mode has been accepted.
    Bypass,
}

impl PermissionMode {
    fn as_str(self) -> &'static str {
        match self {
            Self::Default => "default",
            Self::Bypass => "bypassPermissions",
        }
    }
}

/// A running client.
pub struct Interactive<'a> {
    pub terminal: Terminal<'a>,
    /// Dropped after the terminal, so that the client ends by its own terminal's end.
    _enclosure: Enclosure,
}

impl ClaudeCode {
    /// Starts the client in the project, for a user who has answered the questions of a first
    /// start: the theme, the use of the key, and trust in the folder.
    #[track_caller]
    pub fn interactive<'a>(
        &self,
        environment: &'a TestEnvironment,
        upstream: &Upstream,
        settings: &Value,
    ) -> Interactive<'a> {
        self.interactive_in(PermissionMode::Default, environment, upstream, settings)
    }

    /// The same, in any permission mode.
    #[track_caller]
    pub fn interactive_in<'a>(
        &self,
        mode: PermissionMode,
        environment: &'a TestEnvironment,
        upstream: &Upstream,
        settings: &Value,
    ) -> Interactive<'a> {
        let project = environment.project().display().to_string();
        let kept = &DEMONSTRATED_RUN.key[DEMONSTRATED_RUN.key.len() - KEPT_OF_KEY..];
        let answers = json!({
            "hasCompletedOnboarding": true,
            "bypassPermissionsModeAccepted": true,
            "customApiKeyResponses": { "approved": [kept], "rejected": [] },
            "projects": { project: { "hasTrustDialogAccepted": true } },
        });
        environment.write(environment.home().join(".claude.json"), answers.to_string());
        let enclosure = Enclosure::new(environment);
        let mut command = self.enclosed(environment, upstream, &enclosure, Some(settings));
        // 2.1.326 would otherwise decide itself what it asks a person for.
        command.args(["--permission-mode", mode.as_str()]);
        let mut terminal = environment.start_on_terminal(command, SIZE);
        terminal.wait_for(READY);
        Interactive { terminal, _enclosure: enclosure }
    }
}

impl Interactive<'_> {
    /// Types a line into the client's prompt. What is typed before the client has drawn it may be
    /// taken for something else, the end of the line included.
    #[track_caller]
    pub fn type_line(&mut self, line: &str) {
        self.terminal.send(line);
        self.terminal.wait_for(&format!("{READY}{line}"));
        self.terminal.send("\r");
    }
}
