//! What commands share: the environment and the log.

use std::path::Path;

use verger_hook::{Environment, load_settings};
use verger_store_local::{Home, LocalStore};

use crate::command_error::{CommandError, RelativeHome, with_causes};
use crate::ui::{Output, Ui};

/// Opens the log of the user who runs the command, and says what is wrong with the settings.
pub(crate) fn open_store(ui: &Ui) -> Result<LocalStore, CommandError> {
    let environment = Environment::of_process();
    if let Some(value) = environment.get("VERGER_HOME")
        && !Path::new(&value).is_absolute()
    {
        return Err(RelativeHome { value }.into());
    }
    let home = Home::locate(|name| environment.get(name))?;
    let loaded = load_settings(&home, None, &environment);
    if ui.output() == Output::Text {
        for problem in &loaded.problems {
            ui.warn(problem);
        }
    }
    Ok(LocalStore::open(&home.data, loaded.store_options())?)
}

/// Says what could not be read and was passed over, and how much that was.
pub(crate) fn tell_passed_over(ui: &Ui, store: &LocalStore) -> usize {
    let problems = store.take_unfinished();
    for problem in &problems {
        ui.warn(&format!("passed over: cannot {}", with_causes(problem)));
    }
    problems.len()
}
