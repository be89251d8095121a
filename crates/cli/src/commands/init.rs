//! `verger init`: registers verger with an agent.

use std::path::{Path, PathBuf};

use clap::Args;
use serde_json::{Value, json};
use verger_agent::Guarding;
use verger_exec::Deadline;

use crate::authority::Consent;
use crate::checkup::surroundings;
use crate::command_error::CommandError;
use crate::context::Context;
use crate::hook_build::{BUILD_LIMIT, find_or_build};
use crate::hook_program::{self, Copied};
use crate::install::diff::{TAB, unified};
use crate::install::guarding::guarding_wanted;
use crate::install::inspect::{Installation, Program, inspect};
use crate::install::places::Places;
use crate::install::plugin_files;
use crate::install::receipt::{Receipt, missing_above};
use crate::install::setup::{Changes, Coverage, Level, covered, plan};
use crate::install::transaction::{self, FileChange};
use crate::install::{agent, agent_commands};
use crate::ui::{Output, Ui};
use crate::user_file;

/// Register verger with Claude Code, so that its sessions are recorded.
///
/// Without options: for all your projects, by a plugin in your own settings. A copy of verger-hook
/// and the plugin go into verger's data directory. Every other byte of your files stays as it is,
/// a backup is kept, and `verger uninstall` puts everything back. Run it again after an update.
///
/// With --local or --project: by hooks in the settings of the project you are in, for where plugins
/// cannot be used. When the plugin is on already, this does nothing: the plugin covers every
/// project, and two registrations would report everything twice. For the same reason a wider
/// registration takes the place of --local hooks.
#[derive(Debug, Args)]
pub(crate) struct InitArgs {
    /// Only for you, only in this project: hooks in .claude/settings.local.json.
    #[arg(long, conflicts_with = "project")]
    local: bool,

    /// For everybody in this project: hooks in .claude/settings.json. Where verger is not installed
    /// they do nothing.
    #[arg(long)]
    project: bool,

    /// Show what would be changed; change nothing.
    #[arg(long)]
    dry_run: bool,

    /// The verger-hook to install; otherwise the one beside verger.
    #[arg(long, value_name = "PATH")]
    hook: Option<PathBuf>,

    #[command(flatten)]
    _consent: Consent,
}

impl InitArgs {
    fn level(&self) -> Level {
        match (self.local, self.project) {
            (true, _) => Level::Local,
            (_, true) => Level::Project,
            _ => Level::User,
        }
    }
}

pub(crate) fn init(ui: &mut Ui, context: &Context, args: &InitArgs) -> Result<(), CommandError> {
    let (agent, level) = (agent(), args.level());
    let places = context.places()?;
    if let Some(covered) = covered(agent, &places, level) {
        return already_on(ui, covered);
    }
    let hook = match &args.hook {
        Some(hook) => hook.clone(),
        None => find_or_build(ui, &context.environment, Deadline::after(BUILD_LIMIT))?,
    };
    let prepared = Prepared::new(context, level, Some(&hook))?;
    if args.dry_run {
        return show(ui, &prepared.own_files()?, &prepared.files());
    }
    let was_off = inspect(agent, &places, &context.environment).is_switched_off();
    let (copied, files) = register(ui, context, level, Some(&hook))?;
    if level == Level::User && was_off {
        ui.warn("its plugin was switched off; it is on again");
    }
    warn(ui, context, &inspect(agent, &places, &context.environment));
    report(ui, context, &places, (level, copied, &files))
}

/// Registers verger while no other `verger` does.
pub(super) fn register(
    ui: &Ui,
    context: &Context,
    level: Level,
    hook: Option<&Path>,
) -> Result<(Copied, Vec<FileChange>), CommandError> {
    let missing = missing_above(&context.places()?.receipt);
    context.open_store(ui)?;
    let _lock = user_file::lock(&context.home()?.data)?;
    let prepared = Prepared::new(context, level, hook)?;
    Ok((prepared.carry_out(missing)?, prepared.files()))
}

/// Everything that is about to be done, found to be possible.
struct Prepared {
    level: Level,
    guarding: Guarding,
    places: Places,
    program: PathBuf,
    receipt: Receipt,
    changes: Changes,
    now_ms: u64,
}

impl Prepared {
    fn new(context: &Context, level: Level, hook: Option<&Path>) -> Result<Self, CommandError> {
        let (agent, places) = (agent(), context.places()?);
        let program = hook_program::find(hook)?;
        hook_program::check(&program, &context.environment)?;
        let receipt = Receipt::read(&places);
        let now_ms = context.clock.now().as_millis();
        let commands = agent_commands();
        let guarding = guarding_wanted(context)?;
        let asked = (&commands[..], &*iso_time(now_ms));
        let changes = plan(agent, &places, &receipt, (level, guarding), asked)?;
        let prepared = Self { level, guarding, places, program, receipt, changes, now_ms };
        transaction::check(&prepared.files())?;
        Ok(prepared)
    }

    /// What would be written of verger's own.
    fn own_files(&self) -> Result<Vec<PathBuf>, CommandError> {
        let places = &self.places;
        let mut written = hook_program::outdated(&self.program, &places.hook_program)?;
        let is_stale = || !plugin_files::stale(&places.marketplace, self.guarding).is_empty();
        if self.level == Level::User && is_stale() {
            written.push(places.marketplace.clone());
        }
        Ok(written)
    }

    fn files(&self) -> Vec<FileChange> {
        self.changes.iter().map(|(change, _)| change.clone()).collect()
    }

    /// `made` are the directories that were made to get here.
    fn carry_out(&self, made: Vec<PathBuf>) -> Result<Copied, CommandError> {
        let copied = hook_program::install(&self.program, &self.places.hook_program)?;
        match self.level {
            Level::User => plugin_files::write(&self.places.marketplace, self.guarding)?,
            // Hooks in settings stand back while it is there, and no settings name it any more.
            Level::Local | Level::Project => plugin_files::remove(&self.places.marketplace)?,
        }
        self.write(made)?;
        Ok(copied)
    }

    /// The receipt comes first: it is true of files that were not changed, too.
    fn write(&self, made: Vec<PathBuf>) -> Result<(), CommandError> {
        if self.changes.is_empty() && made.is_empty() {
            return Ok(());
        }
        let mut receipt = self.receipt.clone();
        receipt.remember_directories(made);
        receipt.remember(&self.places, &self.changes, self.now_ms)?;
        receipt.write(&self.places)?;
        transaction::apply(&self.files()).inspect_err(|_| {
            // What could not be done is what is told.
            drop(self.receipt.write(&self.places));
        })?;
        Ok(())
    }
}

/// What could surprise, as far as it can be seen.
fn warn(ui: &Ui, context: &Context, installation: &Installation) {
    if let Program::Broken { path, problem } = &installation.program {
        let path = path.display();
        ui.warn(&format!(
            "nothing will be recorded: {path} cannot be started (is its disk mounted noexec?): \
             {problem}"
        ));
    }
    if surroundings::find("verger", &context.environment).is_none() {
        ui.warn("verger is not on the PATH: agents cannot ask it anything (verger doctor)");
    }
    for obstacle in installation.obstacles(agent()) {
        ui.warn(&format!("nothing will be recorded: {obstacle}"));
    }
    if installation.is_doubled() {
        for (file, _) in installation.settings_with_hooks() {
            let path = file.path.display();
            ui.warn(&format!(
                "{path} has hooks of verger, too: some events will be recorded twice"
            ));
        }
    }
}

fn already_on(ui: &mut Ui, covered: Coverage) -> Result<(), CommandError> {
    let (by, what, remedy) = match covered {
        Coverage::Plugin => (
            "plugin",
            "verger's plugin is on for all your projects, this one included",
            "To have verger in this project only: verger uninstall, then this again.",
        ),
        Coverage::Project => (
            "project",
            "this project's shared settings have verger's hooks",
            "To have them for yourself only: verger uninstall --project, then this again.",
        ),
        Coverage::PluginOff => {
            return Err(CommandError::Usage {
                message: "verger's plugin is installed and switched off".to_owned(),
                hint: "verger init switches it on; verger uninstall makes room for hooks of one \
                       project"
                    .to_owned(),
            });
        }
    };
    if ui.output() == Output::Json {
        return Ok(ui.json(&json!({ "covered_by": by, "changed": [] }))?);
    }
    ui.line(format!("{what}; nothing was changed"))?;
    Ok(ui.note(remedy)?)
}

fn show(ui: &mut Ui, written: &[PathBuf], files: &[FileChange]) -> Result<(), CommandError> {
    if ui.output() == Output::Json {
        let diffs: Vec<_> = files
            .iter()
            .map(|change| json!({ "path": change.path, "diff": unified(change).join("\n") }))
            .collect();
        return Ok(ui.json(&json!({ "would_change": diffs, "would_write": written }))?);
    }
    for path in written {
        ui.line(format!("would write {}", path.display()))?;
    }
    for line in files.iter().flat_map(unified) {
        ui.line(line.replace('\t', TAB))?;
    }
    if files.is_empty() && written.is_empty() {
        ui.line("nothing would be changed")?;
    }
    Ok(())
}

fn report(
    ui: &mut Ui,
    context: &Context,
    places: &Places,
    (level, copied, files): (Level, Copied, &[FileChange]),
) -> Result<(), CommandError> {
    if ui.output() == Output::Json {
        return Ok(ui.json(&report_json(places, level, copied, files))?);
    }
    let product = agent().install.product;
    let extent = match level {
        Level::User => "for all your projects",
        Level::Local => "for you in this project",
        Level::Project => "for everybody in this project who has it",
    };
    if files.is_empty() && copied == Copied::Current {
        ui.line(format!("verger is registered with {product} {extent}; nothing was changed"))?;
    } else {
        ui.line(format!("verger is registered with {product} {extent}"))?;
    }
    for change in files {
        let verb = match (&change.before, &change.after) {
            (None, _) => "created",
            (_, None) => "removed",
            _ => "changed",
        };
        ui.note(format!("  {verb}    {}", change.path.display()))?;
    }
    let verb = match copied {
        Copied::Current => "current  ",
        Copied::Installed => "installed",
        Copied::Replaced => "replaced ",
    };
    ui.note(format!("  {verb}  {}", places.hook_program.display()))?;
    if context.environment.get("VERGER_HOME").is_some() {
        ui.note(format!("{product} must be started with the same VERGER_HOME."))?;
    }
    if level == Level::Local && files.iter().any(|change| change.before.is_none()) {
        ui.note("Keep the new file out of git: it is only for you.")?;
    }
    ui.note(format!(
        "Next: start {product} (sessions that run already are not recorded), then verger doctor"
    ))?;
    Ok(ui.note("To take it out again: verger uninstall")?)
}

fn report_json(places: &Places, level: Level, copied: Copied, files: &[FileChange]) -> Value {
    let changed: Vec<_> = files
        .iter()
        .map(|change| json!({ "path": change.path, "created": change.before.is_none() }))
        .collect();
    json!({
        "agent": agent().name,
        "level": match level {
            Level::User => "user",
            Level::Local => "local",
            Level::Project => "project",
        },
        "changed": changed,
        "program": {
            "path": places.hook_program,
            "version": crate::VERSION,
            "copied": copied != Copied::Current,
        },
    })
}

/// As the agent writes moments.
fn iso_time(millis: u64) -> String {
    let at = i64::try_from(millis).ok().and_then(|ms| jiff::Timestamp::from_millisecond(ms).ok());
    at.unwrap_or_default().strftime("%Y-%m-%dT%H:%M:%S.%3fZ").to_string()
}
