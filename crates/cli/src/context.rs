//! What commands share: the environment and the log.

use verger_hook::{Environment, load_settings};
use verger_store_local::{Home, LocalStore, Options};

use crate::command_error::{CommandError, with_causes};
use crate::ui::Ui;

/// Opens the log of the user who runs the command.
pub(crate) fn open_store() -> Result<LocalStore, CommandError> {
    let environment = Environment::of_process();
    let home = Home::locate(|name| environment.get(name))?;
    let settings = load_settings(&home, None, &environment).settings;
    let options = Options {
        lock_wait: std::time::Duration::from_millis(settings.store.lock_wait_ms.value),
        secret_names: settings.redact.key_names.value,
    };
    Ok(LocalStore::open(&home.data, options)?)
}

/// Says what could not be read and was passed over, and how much that was.
pub(crate) fn tell_passed_over(ui: &Ui, store: &LocalStore) -> usize {
    let problems = store.take_unfinished();
    for problem in &problems {
        ui.warn(&format!("passed over: cannot {}", with_causes(problem)));
    }
    problems.len()
}
