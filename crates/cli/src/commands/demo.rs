//! `verger demo`: scripted sessions in a temporary home and project, with the real hook.

mod actions;
mod answers;
mod demo_error;
mod hook_command;
mod interrupt;
mod look;
mod real;
mod scene;
mod scenes;
mod stage;
mod telling;

use std::io;
use std::path::{Path, PathBuf};

use clap::Args;
use serde_json::{Value, json};
use verger_gate::verification::{Status, Verified};
use verger_store::with_causes;

use actions::action;
use answers::{answers, short_ids, shown_answers};
use demo_error::DemoError;
use hook_command::HookCommand;
use interrupt::Interrupt;
use look::{Layout, Seen, look};
use real::Client;
use scene::{AnswerKind, Calls, Command, Scene, Shows, Speaker, Step, Visible};
use scenes::{MAIN, MORE, REAL};
use stage::{Stage, Timing};
use telling::{Line, Shown, scene_json, tell_beginning, tell_outcome, told_within, width};

use crate::install::hook_build::is_checkout;
use crate::invocation::command_error::CommandError;
use crate::invocation::context::Context;
use crate::render::output::{Output, Tone, Ui, count};
use crate::render::wrap::fitting;

/// Watch verger at work, in a temporary project.
///
/// A scripted agent works in a temporary project, and the real hook program answers it. --real uses your own Claude
/// Code instead. Nothing is left behind and nothing leaves the machine.
#[derive(Debug, Args)]
pub(crate) struct DemoArgs {
    /// Show all scenes, with the records that verger keeps.
    #[arg(long, conflicts_with = "real")]
    all: bool,

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
    let timing = std::mem::take(&mut stage.timing);
    let kept = args.keep.then(|| stage.keep());
    match (played, kept) {
        (Ok(played), kept) => conclude(ui, args, &played, &timing, kept.as_deref()),
        (Err(error), Some(path)) => {
            ui.warn(&format!("everything is kept in {}", path.display()));
            Err(error)
        }
        (Err(error), None) => Err(error),
    }
}

/// The player of the demo's agent: a script or a real client.
enum Cast {
    Script { all: bool },
    Real(Client),
}

impl Cast {
    fn introduction(&self) -> &'static str {
        match self {
            Self::Script { .. } => {
                "A scripted agent works in a temporary project. The answers are those of the \
                 real hook. Nothing of yours is touched."
            }
            Self::Real(_) => {
                "A real agent works in a temporary home and project, and the hook program records \
                 what it does. Nothing of yours is touched."
            }
        }
    }

    fn scenes(&self) -> impl Iterator<Item = &'static Scene> {
        let (first, then): (_, &[Scene]) = match self {
            Self::Script { all: true } => (MAIN, MORE),
            Self::Script { all: false } => (MAIN, &[]),
            Self::Real(_) => (REAL, &[]),
        };
        first.iter().chain(then)
    }
}

fn cast(stage: &Stage, args: &DemoArgs) -> Result<Cast, CommandError> {
    if args.real {
        Ok(Cast::Real(Client::find(stage, args.claude.as_deref())?))
    } else {
        Ok(Cast::Script { all: args.all })
    }
}

/// The scenes, each with its displayed lines.
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
            tell_outcome(ui, scene, &shown)?;
        }
        played.push((scene, shown));
    }
    Ok(played)
}

fn play(ui: &mut Ui, stage: &mut Stage, cast: &Cast, scene: &Scene) -> Result<Shown, CommandError> {
    let mut shown = Shown::default();
    for step in scene.steps {
        let before = stage.entries()?.len();
        let mut seen = play_step(ui, stage, cast, *step)?;
        let recorded = stage.entries()?.split_off(before);
        // The hook reports no failed write, so the demo checks that there are records.
        if recorded.is_empty() && !matches!(step, Step::Look(_)) {
            return Err(DemoError::NothingRecorded.into());
        }
        if let Step::Calls(calls) = step {
            let sent = stage.payloads(calls.payloads)?;
            match (scene.shows, calls.visible) {
                (Shows::Exchange, Visible::Setup) => {
                    seen.retain(|seen| !seen.is_expected_answer());
                }
                (Shows::Exchange, Visible::Exchange) => {
                    let project = stage.project().display().to_string();
                    let actions = sent.iter().filter_map(|payload| action(payload, &project));
                    seen.splice(0..0, actions);
                }
                (Shows::Exchange, Visible::Answers) => {}
                (Shows::Records, _) => seen.extend(dropped(sent.len(), recorded.len())),
            }
        }
        shown.recorded.extend(recorded.iter().map(|entry| Line::of(entry, &stage.project())));
        shown.seen.extend(seen);
    }
    Ok(shown)
}

/// A line with the numbers of calls and records. `None` if every call has a record.
fn dropped(calls: usize, records: usize) -> Option<Seen> {
    let text = format!("{} of the hook, {}", count(calls, "call"), count(records, "record"));
    (records < calls).then(|| Seen::detail(Speaker::Result, text))
}

fn play_step(
    ui: &Ui,
    stage: &mut Stage,
    cast: &Cast,
    step: Step,
) -> Result<Vec<Seen>, CommandError> {
    match (step, cast) {
        (Step::Calls(calls), _) => make(stage, calls),
        (Step::Check(status), _) => Ok(checked(&stage.check()?, status)),
        (Step::Command(command), _) => {
            let output = stage.verger(command.words, command.input)?;
            Ok(vec![line_of(&output, command)])
        }
        (Step::RealSession, Cast::Real(client)) => {
            let answer = client.run(stage)?;
            let text = format!("{} answers: {answer}", client.version);
            Ok(vec![Seen::detail(Speaker::Agent, text)])
        }
        (Step::RealSession, Cast::Script { .. }) => Ok(vec![]),
        (Step::Look(what), _) => look(ui, stage, what),
    }
}

/// Makes the hook calls and the agent's change to the project.
fn make(stage: &mut Stage, calls: Calls) -> Result<Vec<Seen>, CommandError> {
    let answers = answers(&stage.make(calls)?);
    let is_denied = answers.iter().any(|answer| answer.kind == AnswerKind::Denied);
    if let Some(effect) = calls.effect.filter(|_| !is_denied) {
        stage.apply(effect)?;
    }
    let mut seen = shown_answers(&answers, calls.expected);
    if seen.is_empty() {
        seen.extend(calls.result.map(|result| Seen::result(result.to_owned(), true)));
    }
    Ok(seen)
}

/// The line of a command's output that the scene shows.
fn line_of(output: &str, Command { speaker, head, shown, .. }: Command) -> Seen {
    let line = output.lines().map(str::trim).find(|line| line.starts_with(shown));
    match line {
        Some(line) => {
            let text = format!("{head}{}", short_ids(line));
            Seen { layout: Layout::OneLine, ..Seen::promised(speaker, text, Tone::Good) }
        }
        None => Seen::broken(speaker, output),
    }
}

/// The status of a verification, with its issues if there are any.
fn checked(verified: &Verified, expected: Status) -> Vec<Seen> {
    let issues: Vec<_> =
        verified.issues.iter().map(verger_gate::verification::Issue::line).collect();
    let details = if issues.is_empty() { verified.summary() } else { issues.join("; ") };
    let text = format!("runs the checks: {}, {details}", verified.status.as_str());
    let tone = if verified.status == Status::Green { Tone::Good } else { Tone::Bad };
    let seen = if verified.status == expected {
        Seen::promised(Speaker::Verger, text, tone)
    } else {
        Seen::broken(Speaker::Verger, &text)
    };
    vec![seen]
}

fn conclude(
    ui: &mut Ui,
    args: &DemoArgs,
    played: &Played,
    timing: &Timing,
    kept: Option<&Path>,
) -> Result<(), CommandError> {
    let kept = kept.map(|path| path.display().to_string());
    if ui.output() == Output::Json {
        let scenes: Value = played.iter().map(|(scene, shown)| scene_json(scene, shown)).collect();
        ui.json(&json!({ "scenes": scenes, "kept": kept }))?;
    }
    ui.note("")?;
    if let Some(median) = timing.median() {
        let (calls, median) = (count(timing.count, "call"), median.as_millis());
        let text = format!(
            "{calls} of the hook; the median took {median} ms, with the start of its process."
        );
        note(ui, &text)?;
    }
    match kept {
        Some(path) => note(ui, &format!("Everything is kept in {path}"))?,
        None => note(ui, "Everything that the demo made is removed.")?,
    }
    ui.note("")?;
    ui.note("Next:")?;
    let was_run =
        |command: &str| (args.all && command == ALL) || (args.real && command == WITH_REAL_CLIENT);
    for (command, purpose) in NEXT.iter().filter(|(command, _)| !was_run(command)) {
        for line in fitting(&format!("  {command:20}"), purpose, Some(width(ui))) {
            ui.note(line)?;
        }
    }
    let is_as_promised = played.iter().all(|(_, shown)| shown.is_as_promised());
    if is_as_promised { Ok(()) } else { Err(CommandError::Found) }
}

const ALL: &str = "verger demo --all";
const WITH_REAL_CLIENT: &str = "verger demo --real";

/// The commands to try next. The command that was run is left out.
const NEXT: &[(&str, &str)] = &[
    ("verger init", "connects verger to your agent; --dry-run shows the changes"),
    ("verger status", "shows what verger does in a project, and what needs you"),
    (ALL, "shows more scenes: records, secrets, limits, the log"),
    (WITH_REAL_CLIENT, "uses your own Claude Code with a scripted model, needs no key"),
    ("docs/", "in verger's repository has a page for each topic"),
];

fn note(ui: &mut Ui, text: &str) -> io::Result<()> {
    told_within(ui, text, "").into_iter().try_for_each(|line| ui.note(line))
}
