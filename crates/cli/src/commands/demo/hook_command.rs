//! The command that runs the hook in the demo.

use std::path::PathBuf;

use super::demo_error::DemoError;
use crate::install::hook_program;

/// `verger-hook`, or `verger hook`.
pub(super) struct HookCommand {
    pub(super) program: PathBuf,
    /// The argument before the agent and the event.
    pub(super) word: Option<&'static str>,
}

impl HookCommand {
    /// Finds the hook program beside verger. Without one, uses `verger hook`, which does the same.
    /// A checkout always uses `verger hook`, because the hook program may be from an earlier build.
    pub(super) fn find(is_checkout: bool) -> Result<Self, DemoError> {
        match hook_program::find(None) {
            Ok(program) if !is_checkout => Ok(Self { program, word: None }),
            _ => {
                let program = std::env::current_exe().map_err(DemoError::OwnProgram)?;
                Ok(Self { program, word: Some("hook") })
            }
        }
    }

    pub(super) fn words(&self) -> Vec<String> {
        let program = self.program.display().to_string();
        [program].into_iter().chain(self.word.map(str::to_owned)).collect()
    }
}
