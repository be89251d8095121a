//! Plans the checks of a project's verification: configured commands, and checks detected from
//! the files in the project's root.

use std::path::Path;

use verger_config::ProgramCommand;
use verger_gate::verification::Depth;
use verger_gate::verification::plan::{Chosen, PlannedCheck, Root, plan};

use crate::LoadedSettings;
use crate::bounded_file::read_beyond;

/// Maximum number of bytes of a build definition that are read.
const MAX_FILE_BYTES: usize = 1024 * 1024;

/// The checks at this depth for the project at `root`.
pub fn verification_plan(root: &Path, loaded: &LoadedSettings, depth: Depth) -> Vec<PlannedCheck> {
    plan(depth, &Root::look(|name| text_of(&root.join(name))), &chosen(loaded))
}

/// The text of a file. An unreadable file counts as empty, because it exists.
fn text_of(file: &Path) -> Option<String> {
    match read_beyond(MAX_FILE_BYTES, file) {
        Ok(bytes) => bytes.map(|bytes| String::from_utf8_lossy(&bytes).into_owned()),
        Err(_) => file.is_file().then(String::new),
    }
}

fn chosen(loaded: &LoadedSettings) -> Chosen {
    let settings = &loaded.settings.verification;
    let argv = |command: &Option<ProgramCommand>| command.as_ref().map(ProgramCommand::argv);
    Chosen {
        lint: argv(&settings.lint.value),
        format: argv(&settings.format.value),
        types: argv(&settings.types.value),
        tests: argv(&settings.tests.value),
        quick_tests: argv(&settings.quick_tests.value),
        acceptance: settings.acceptance.value.iter().map(ProgramCommand::argv).collect(),
        untrusted: loaded.untrusted_keys.clone(),
    }
}
