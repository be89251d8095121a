//! `verger demo`: plays a session in a temporary directory and shows how verger handles it.

mod answers;
mod demo_error;
mod hook_command;
mod interrupt;
mod look;
mod real;
mod scene;
mod stage;
mod telling;

use std::io;
use std::path::{Path, PathBuf};

use clap::Args;
use serde_json::{Value, json};
use verger_gate::verification::{Status, Verified};
use verger_store::with_causes;

use answers::answers;
use demo_error::DemoError;
use hook_command::HookCommand;
use interrupt::Interrupt;
use look::{Seen, look};
use real::Client;
use scene::{Act, REAL, SCRIPTED, Scene};
use stage::{Calls, Stage};
use telling::{Line, Shown, scene_json, tell_beginning, tell_outcome, told_within};

use crate::install::hook_build::is_checkout;
use crate::invocation::command_error::CommandError;
use crate::invocation::context::Context;
use crate::render::output::{Output, Ui, count};

/// Watch verger at work, in a temporary project.
///
/// A scripted agent works in a temporary project, and the real hook program records it. Nothing is
/// left behind and nothing leaves the machine.
#[derive(Debug, Args)]
pub(crate) struct DemoArgs {
    /// Let the real Claude Code do the work, with a scripted model: it needs no key.
    #[arg(long)]
    real: bool,

    /// The program to use with --real, if not the `claude` that is found on the PATH.
    #[arg(long, value_name = "PATH", requires = "real")]
    claude: Option<PathBuf>,

    /// Leave the temporary directory, and say where it is.
    #[arg(long)]
    keep: bool,
}

pub(crate) fn demo(ui: &mut Ui, context: &Context, args: &DemoArgs) -> Result<(), CommandError> {
    let interrupt = Interrupt::watch().map_err(DemoError::Watch)?;
    let hook = HookCommand::find(is_checkout(&context.environment))?;
    let mut stage = Stage::new(&context.environment, hook, interrupt.clone())?;
    let played = cast(&stage, args).and_then(|cast| play_all(ui, &mut stage, &cast));
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

/// The source of the agent's events: a script, or the real program with a scripted model.
enum Cast {
    Script,
    Real(Client),
}

impl Cast {
    fn introduction(&self) -> &'static str {
        match self {
            Self::Script => {
                "A scripted agent works in a throw-away project, and the real hook program records \
                 what it does. Nothing of yours is touched."
            }
            Self::Real(_) => {
                "A real agent works in a throw-away home and project, and the hook program records \
                 what it does. Nothing of yours is touched."
            }
        }
    }

    fn scenes(&self) -> &'static [Scene] {
        match self {
            Self::Script => SCRIPTED,
            Self::Real(_) => REAL,
        }
    }
}

fn cast(stage: &Stage, args: &DemoArgs) -> Result<Cast, CommandError> {
    if args.real {
        Ok(Cast::Real(Client::find(stage, args.claude.as_deref())?))
    } else {
        Ok(Cast::Script)
    }
}

/// The scenes, each with its result.
type Played = Vec<(&'static Scene, Shown)>;

fn play_all(ui: &mut Ui, stage: &mut Stage, cast: &Cast) -> Result<Played, CommandError> {
    if let Err(error) = stage.create_repository() {
        ui.warn(&format!("the project of the demo has no git: cannot {}", with_causes(&error)));
    }
    note(ui, cast.introduction())?;
    let mut played = vec![];
    for (number, scene) in (1..).zip(cast.scenes()) {
        stage.interrupt().check()?;
        if ui.output() == Output::Text {
            tell_beginning(ui, number, scene)?;
        }
        let shown = play(ui, stage, cast, scene)?;
        if ui.output() == Output::Text {
            tell_outcome(ui, &shown)?;
        }
        played.push((scene, shown));
    }
    Ok(played)
}

fn play(ui: &mut Ui, stage: &mut Stage, cast: &Cast, scene: &Scene) -> Result<Shown, CommandError> {
    let before = stage.entries()?.len();
    let seen = match (scene.act, cast) {
        (Act::Calls(template) | Act::Edits(template, _), _) => {
            let said = stage.call(template)?;
            if let Act::Edits(_, edit) = scene.act {
                stage.edit(edit)?;
            }
            if let Some(said) = said.iter().find(|said| !said.is_empty()) {
                return Err(DemoError::Unexpected { said: said.clone() }.into());
            }
            let calls = said.len();
            let records = stage.entries()?.len() - before;
            let text =
                format!("{} of the hook, {}", count(calls, "call"), count(records, "record"));
            if records < calls { vec![Seen::detail(text)] } else { vec![] }
        }
        (Act::Answered(template), _) => answers(&stage.call(template)?),
        (Act::Under(settings, template), _) => answers(&stage.call_under(settings, template)?),
        (Act::Checked(status), _) => checked(&stage.check()?, status),
        (Act::Command(command), _) => {
            let said = stage.verger(command)?;
            said.lines().map(|line| Seen::promise(line.trim().to_owned(), true)).collect()
        }
        (Act::RealSession, Cast::Real(client)) => {
            let answer = client.run(stage)?;
            vec![Seen::detail(format!("{} answers: {answer}", client.version))]
        }
        (Act::RealSession, Cast::Script) => vec![],
        (Act::Look(what), _) => look(ui, stage, what)?,
    };
    let recorded = stage.entries()?.split_off(before);
    // A hook that cannot write reports nothing, so the demo checks the records itself.
    if recorded.is_empty() && !matches!(scene.act, Act::Look(_)) {
        return Err(DemoError::NothingRecorded.into());
    }
    let recorded = recorded.iter().map(|entry| Line::of(entry, &stage.project())).collect();
    Ok(Shown { recorded, seen })
}

/// The result of the checks, and the next steps.
fn checked(verified: &Verified, expected: Status) -> Vec<Seen> {
    let Verified { status, depth, next_steps, .. } = verified;
    let came = format!("{}: {depth} verification, {}", status.as_str(), verified.summary());
    let issues = verified.issues.iter().map(|issue| Seen::detail(issue.line()));
    let steps = next_steps.iter().map(|step| Seen::detail(step.clone()));
    let came = Seen::promise(came, *status == expected);
    [came].into_iter().chain(issues).chain(steps).collect()
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
        ui.json(&json!({ "scenes": scenes, "kept": kept }))?;
    }
    ui.note("")?;
    if let Some(average) = calls.average() {
        let (calls, average) = (count(number, "call"), average.as_millis());
        note(ui, &format!("{calls} of the hook, about {average} ms each."))?;
    }
    match kept {
        Some(path) => note(ui, &format!("Everything is kept in {path}"))?,
        None => note(ui, "Everything that the demo made is removed.")?,
    }
    note(ui, "For your own sessions: verger init")?;
    let is_as_promised = played.iter().all(|(_, shown)| shown.is_as_promised());
    if is_as_promised { Ok(()) } else { Err(CommandError::Found) }
}

fn note(ui: &mut Ui, text: &str) -> io::Result<()> {
    told_within(text, "").into_iter().try_for_each(|line| ui.note(line))
}
