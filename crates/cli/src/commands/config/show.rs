//! `verger config show`: the effective settings in the current directory.

use clap::Args;
use serde_json::json;
use verger_config::{KeyName, ListedSetting};

use crate::config::setting_text::{origin_text, setting_json, value_text};
use crate::invocation::command_error::CommandError;
use crate::invocation::context::Context;
use crate::render::listing::{Cell, Listing};
use crate::render::output::{Output, Tone, Ui};

/// Show the settings that are in effect in this directory.
#[derive(Debug, Args)]
pub(crate) struct ShowArgs {
    /// A key or a section; default: everything.
    key: Option<String>,

    /// Say where each value comes from: file and line, variable, or default.
    #[arg(long)]
    origin: bool,
}

pub(super) fn show(ui: &mut Ui, context: &Context, args: &ShowArgs) -> Result<(), CommandError> {
    let home = context.home()?;
    let loaded = context.settings(&home);
    let settings: Vec<_> =
        loaded.settings.list().filter(|setting| is_wanted(setting, args)).collect();
    if let (Some(key), []) = (&args.key, &settings[..]) {
        KeyName::parse(key)?;
    }
    if ui.output() == Output::Json {
        let settings: Vec<_> = settings.iter().map(setting_json).collect();
        ui.json(&json!({ "settings": settings, "problems": loaded.problems }))?;
        return Ok(());
    }
    let mut listing = Listing::default();
    for setting in &settings {
        let cells = [Cell::toned(Tone::Strong, &setting.path), Cell::wrapping(value_text(setting))];
        let origin = args.origin.then(|| Cell::faint(origin_text(setting)));
        listing.row(cells.into_iter().chain(origin));
    }
    listing.print(ui)?;
    for problem in &loaded.problems {
        ui.warn(problem);
    }
    Ok(())
}

fn is_wanted(setting: &ListedSetting<'_>, args: &ShowArgs) -> bool {
    args.key.as_deref().is_none_or(|key| {
        setting.path == key
            || setting.path.strip_prefix(key).is_some_and(|rest| rest.starts_with('.'))
    })
}
