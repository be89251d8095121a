//! `verger demo`: a session in a throw-away place, and what verger makes of it.

mod demo_error;
mod hook_build;
mod interrupt;
mod look;
mod scene;
mod stage;
mod telling;

use std::io;
use std::path::Path;

use clap::Args;
use serde_json::{Value, json};

use demo_error::DemoError;
use hook_build::hook_program;
use interrupt::Interrupt;
use look::{Seen, look};
use scene::{Act, SCRIPTED, Scene};
use stage::{Calls, Stage};
use telling::{Line, Shown, scene_json, tell_beginning, tell_outcome, width, wrapped};

use crate::command_error::{CommandError, with_causes};
use crate::context::Context;
use crate::ui::{Output, Ui, count};

/// Show in a few seconds what verger does, without touching anything of yours.
///
/// A scripted agent works in a temporary project, and the real hook program records it. Nothing is
/// left behind and nothing leaves the machine.
#[derive(Debug, Args)]
pub(crate) struct DemoArgs {
    /// Leave the temporary directory, and say where it is.
    #[arg(long)]
    keep: bool,
}

const INTRODUCTION: &str = "A scripted agent works in a throw-away project, and the real hook \
    program records what it does. Nothing of yours is touched.";

pub(crate) fn demo(ui: &mut Ui, context: &Context, args: &DemoArgs) -> Result<(), CommandError> {
    let interrupt = Interrupt::watch().map_err(DemoError::Watch)?;
    let hook = hook_program(ui, &context.environment, &interrupt)?;
    let mut stage = Stage::new(&context.environment, hook, interrupt.clone())?;
    let played = play_all(ui, &mut stage, &interrupt);
    let calls = std::mem::take(&mut stage.calls);
    let kept = args.keep.then(|| stage.keep());
    match (played, kept) {
        (Ok(played), kept) => conclude(ui, &played, &calls, kept.as_deref()),
        (Err(error), Some(path)) => {
            ui.warn(&format!("everything is kept in {}", path.display()));
            Err(error)
        }
        (Err(error), None) => Err(error),
    }
}

/// The scenes, each with what came of it.
type Played = Vec<(&'static Scene, Shown)>;

fn play_all(ui: &mut Ui, stage: &mut Stage, interrupt: &Interrupt) -> Result<Played, CommandError> {
    if let Err(error) = stage.create_repository() {
        ui.warn(&format!("the project of the demo has no git: cannot {}", with_causes(&error)));
    }
    note(ui, INTRODUCTION)?;
    let mut played = vec![];
    for (number, scene) in (1..).zip(SCRIPTED) {
        interrupt.check()?;
        played.push((scene, play(ui, stage, number, scene)?));
    }
    Ok(played)
}

fn play(
    ui: &mut Ui,
    stage: &mut Stage,
    number: usize,
    scene: &Scene,
) -> Result<Shown, CommandError> {
    if ui.output() == Output::Text {
        tell_beginning(ui, number, scene)?;
    }
    let shown = match scene.act {
        Act::Calls(template) => record(stage, template)?,
        Act::Look(what) => Shown { recorded: vec![], seen: look(ui, stage, what)? },
    };
    if ui.output() == Output::Text {
        tell_outcome(ui, &shown)?;
    }
    Ok(shown)
}

fn record(stage: &mut Stage, template: &str) -> Result<Shown, CommandError> {
    let (entries, calls) = (stage.entries()?.len(), stage.calls.count);
    stage.call(template)?;
    let recorded = stage.entries()?.split_off(entries);
    let recorded: Vec<_> = recorded.iter().map(|entry| Line::of(entry, &stage.project())).collect();
    let calls = stage.calls.count - calls;
    let mut seen = vec![];
    if recorded.len() < calls as usize {
        seen.push(Seen::detail(format!(
            "{} of the hook, {}",
            count(calls, "call"),
            count(recorded.len(), "record")
        )));
    }
    Ok(Shown { recorded, seen })
}

fn conclude(
    ui: &mut Ui,
    played: &Played,
    calls: &Calls,
    kept: Option<&Path>,
) -> Result<(), CommandError> {
    let (number, kept) = (calls.count, kept.map(|path| path.display().to_string()));
    if ui.output() == Output::Json {
        let scenes: Value = played.iter().map(|(scene, shown)| scene_json(scene, shown)).collect();
        ui.json(&json!({ "scenes": scenes, "calls": number, "kept": kept }))?;
    }
    let milliseconds = calls.average().as_millis();
    ui.note("")?;
    note(ui, &format!("{} of the hook, about {milliseconds} ms each.", count(number, "call")))?;
    match kept {
        Some(path) => note(ui, &format!("Everything is kept in {path}"))?,
        None => note(ui, "Everything that the demo made is removed.")?,
    }
    note(ui, "For your own sessions: verger init")?;
    let is_as_promised = played.iter().all(|(_, shown)| shown.is_as_promised());
    if is_as_promised { Ok(()) } else { Err(CommandError::Found) }
}

fn note(ui: &mut Ui, text: &str) -> io::Result<()> {
    wrapped(text, width(), "").into_iter().try_for_each(|line| ui.note(line))
}
