//! `verger hook`: does the same as `verger-hook`, for setups where only one program can be
//! installed.

use std::ffi::OsString;

use clap::Args;

/// Answer an agent's event, read from standard input.
#[derive(Debug, Args)]
pub(crate) struct HookArgs {
    /// The agent and its event, such as `claude PreToolUse`.
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    arguments: Vec<OsString>,
}

/// Returns no error, because the hook has its own policy for failures.
pub(crate) fn hook(args: HookArgs) {
    verger_hook::main(args.arguments.into_iter());
}
