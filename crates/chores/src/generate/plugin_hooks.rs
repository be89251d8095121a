//! Generates the hooks that the plugin registers. They are those for a guard that does not enforce.

use verger_agent::{CLAUDE, Guarding};

pub(crate) fn render() -> String {
    CLAUDE.plugin_hooks(Guarding::Watching)
}
