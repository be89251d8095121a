//! Plans the checks of a project's verification: the configured commands, and those detected from
//! the files in its root.

use std::path::Path;

use verger_config::ProgramCommand;
use verger_gate::verification::Depth;
use verger_gate::verification::plan::{Chosen, PlannedCheck, Root, plan};

use crate::LoadedSettings;
use crate::bounded_file::read_beyond;

/// The most bytes of a file that defines a build.
const MAX_FILE_BYTES: usize = 1024 * 1024;

/// The checks of a depth, for the project at this root.
pub fn verification_plan(root: &Path, loaded: &LoadedSettings, depth: Depth) -> Vec<PlannedCheck> {
    plan(depth, &Root::look(|name| text_of(&root.join(name))), &chosen(loaded))
}

/// The text of a file. One that can't be read counts as empty, because it exists.
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
