//! The hooks that the plugin registers, as they are where the guard does not enforce.

use verger_agent::{CLAUDE, Guarding};

pub(crate) fn render() -> String {
    CLAUDE.plugin_hooks(Guarding::Watching)
}
