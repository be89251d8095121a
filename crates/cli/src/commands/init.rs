//! `verger init`: registers verger with an agent.

mod session_reflections;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use clap::Args;
use serde_json::{Value, json};
use verger_agent::{AGENTS, AgentSpec, Guarding};
use verger_exec::Deadline;

use crate::config::user_file;
use crate::doctor::coverage::gaps;
use crate::doctor::surroundings;
use crate::install::diff::{TAB, unified};
use crate::install::guarding::guarding_wanted;
use crate::install::hook_build::{BUILD_LIMIT, find_or_build};
use crate::install::hook_program::{self, Copied};
use crate::install::hook_trust::trust_hooks;
use crate::install::inspect::{Program, inspect};
use crate::install::parts::{Addition, LeftOut, OptionalPart, additions};
use crate::install::places::{OwnPlaces, Places};
use crate::install::plugin_files;
use crate::install::receipt::{Receipt, missing_above};
use crate::install::setup::{Changes, Coverage, Level, Planner, carry_out, covered};
use crate::install::transaction::{self, FileChange};
use crate::install::{AgentChoice, agents_here, products};
use crate::invocation::authority::Consent;
use crate::invocation::command_error::CommandError;
use crate::invocation::context::Context;
use crate::render::output::{Output, Ui};
use crate::render::table::Table;

/// Record and check your coding agents from now on.
///
/// Registers verger with every agent that it finds (Claude Code, Codex, Gemini CLI, Copilot CLI):
/// its program is on the PATH, or its directory exists. --agent names others. Without options: for
/// all your projects, with Claude Code by a plugin, with the others by hooks in your own files. A
/// copy of verger-hook and the plugin go into verger's data directory. Every other byte of your
/// files stays as it is, a backup is kept, and `verger uninstall` puts everything back. Run it again
/// after an update.
///
/// With --local or --project, verger is registered by hooks in the files of the current project.
/// If verger is registered for all your projects already, nothing is changed: with two
/// registrations every event would be recorded twice. For the same reason, a wider registration
/// replaces --local hooks.
#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is an option of the command line")]
pub(crate) struct InitArgs {
    /// Only for you, in this project, for Claude Code: hooks in .claude/settings.local.json.
    #[arg(long, conflicts_with = "project")]
    local: bool,

    /// For everyone in this project: hooks in the files that its people share.
    ///
    /// These are .claude/settings.json, .codex/hooks.json, .gemini/settings.json and
    /// .github/hooks/verger.json. Where verger is not installed, the hooks do nothing.
    #[arg(long)]
    project: bool,

    /// Show what would be changed; change nothing.
    #[arg(long)]
    dry_run: bool,

    /// Parts to leave out; default: none.
    #[arg(long, value_name = "PART", value_enum, value_delimiter = ',')]
    without: Vec<OptionalPart>,

    /// Also trust verger's hooks in Codex, which runs no others; default: you trust them there.
    #[arg(long)]
    trust_hooks: bool,

    /// The verger-hook program to install; default: the one beside verger.
    #[arg(long, value_name = "PATH")]
    hook: Option<PathBuf>,

    #[command(flatten)]
    agents: AgentChoice,

    #[command(flatten)]
    consent: Consent,
}

impl InitArgs {
    fn level(&self) -> Level {
        match (self.local, self.project) {
            (true, _) => Level::Local,
            (_, true) => Level::Project,
            _ => Level::User,
        }
    }

    fn left_out(&self) -> LeftOut {
        self.without.iter().copied().collect()
    }
}

pub(crate) fn init(ui: &mut Ui, context: &Context, args: &InitArgs) -> Result<(), CommandError> {
    let agents = args.agents.named().map_or_else(|| agents_here(context), Ok)?;
    if agents.is_empty() {
        let known = |agent: &AgentSpec| format!("{} ({})", agent.install.product, agent.name);
        let known: Vec<_> = AGENTS.iter().map(known).collect();
        return Err(CommandError::Usage {
            message: format!("no coding agent was found; verger knows {}", known.join(", ")),
            hint: "install one first, or name one: verger init --agent NAME".to_owned(),
        });
    }
    init_agents(ui, context, args, &agents)?;
    if args.dry_run { Ok(()) } else { session_reflections::offer(ui, context, args.consent) }
}

pub(super) fn init_agents(
    ui: &mut Ui,
    context: &Context,
    args: &InitArgs,
    agents: &[&'static AgentSpec],
) -> Result<(), CommandError> {
    let level = args.level();
    let (mut wanted, mut left) = (vec![], vec![]);
    let has_file =
        |agent: &AgentSpec| level != Level::Local || agent.install.local_settings.is_some();
    // With no agent left, the plan says why.
    let has_any = agents.iter().any(|agent| has_file(agent));
    for agent in agents {
        if has_any && !has_file(agent) {
            let product = agent.install.product;
            ui.warn(&format!(
                "{product} was left out: it has no file for one person's hooks in a project"
            ));
            continue;
        }
        let places = context.places(agent)?;
        match covered(&places, level) {
            Some(covered) => left.push((*agent, covered)),
            None => wanted.push(places),
        }
    }
    let unusable = leave_out_unusable(ui, context, args, &mut wanted)?;
    let mut covered = vec![];
    for (agent, coverage) in left {
        let product = (agents.len() > 1).then_some(agent.install.product);
        let by = already_on(ui, product, coverage)?;
        covered.push(json!({ "agent": agent.name, "by": by }));
    }
    let agents: Vec<_> = wanted.iter().map(|places| places.agent).collect();
    if agents.is_empty() {
        if ui.output() == Output::Json {
            ui.json(&json!({ "covered": covered, "changed": [] }))?;
        }
        return Ok(());
    }
    let hook = match &args.hook {
        Some(hook) => hook.clone(),
        None => find_or_build(ui, &context.environment, Deadline::after(BUILD_LIMIT))?,
    };
    let left_out = args.left_out();
    let prepared = Prepared::new(context, &agents, (level, left_out.clone()), Some(&hook))?;
    if args.dry_run {
        let added = Added { agents: &agents, level, left_out: &left_out, covered: &covered };
        show(ui, &prepared.own_files()?, &prepared.files(), &added)?;
        return if unusable == 0 { Ok(()) } else { Err(CommandError::Found) };
    }
    let inspected = |places: &Places| inspect(places, &context.environment);
    let was_off = wanted.iter().any(|places| inspected(places).is_switched_off());
    let (copied, files) = register(ui, context, &agents, (level, left_out.clone()), Some(&hook))?;
    if level == Level::User && was_off {
        ui.warn("the plugin was switched off; it is on again");
    }
    let mut trusting = vec![];
    if args.trust_hooks {
        for places in &wanted {
            trusting.extend(trust_hooks(context, places)?);
        }
    }
    warn(ui, context, &wanted);
    let added = Added { agents: &agents, level, left_out: &left_out, covered: &covered };
    let is_trusted = args.trust_hooks;
    let programs = hook_program::copies(&hook, &context.own_places()?.hook_program);
    let report = Report {
        added,
        copied,
        programs: &programs,
        files: &files,
        is_trusted,
        trusting: &trusting,
    };
    report.print(ui, context)?;
    if unusable == 0 { Ok(()) } else { Err(CommandError::Found) }
}

/// Leaves out agents that were found but whose files cannot be used, with a warning, and counts
/// them. If no agent is left or agents were named, the registration fails instead.
fn leave_out_unusable(
    ui: &Ui,
    context: &Context,
    args: &InitArgs,
    wanted: &mut Vec<Places>,
) -> Result<usize, CommandError> {
    if args.agents.named().is_some() {
        return Ok(0);
    }
    let receipt = Receipt::read(&context.own_places()?);
    let (guarding, left_out) = (guarding_wanted(context)?, args.left_out());
    let problem = |places: &Places| {
        let planner = Planner { places, receipt: &receipt };
        planner.plan(args.level(), guarding, &left_out, "").err().map(CommandError::from)
    };
    let problems: Vec<_> = wanted.iter().map(problem).collect();
    let unusable = problems.iter().flatten().count();
    if unusable == wanted.len() {
        return Ok(0);
    }
    for (places, problem) in wanted.iter().zip(&problems) {
        if let Some(problem) = problem {
            ui.warn(&format!("{} was left out: {problem}", places.agent.install.product));
        }
    }
    let mut is_usable = problems.iter().map(Option::is_none);
    wanted.retain(|_| is_usable.next().unwrap_or_default());
    Ok(unusable)
}

/// Registers verger with agents. A lock keeps other `verger` processes from changing the files
/// meanwhile.
pub(super) fn register(
    ui: &Ui,
    context: &Context,
    agents: &[&'static AgentSpec],
    extent: (Level, LeftOut),
    hook: Option<&Path>,
) -> Result<(Copied, Vec<FileChange>), CommandError> {
    let missing = missing_above(&context.own_places()?.receipt);
    context.open_store(ui)?;
    let _lock = user_file::lock(&context.home()?.data)?;
    let prepared = Prepared::new(context, agents, extent, hook)?;
    Ok((prepared.carry_out(missing)?, prepared.files()))
}

/// The changes to make, after the check that all of them are possible.
struct Prepared {
    level: Level,
    left_out: LeftOut,
    guarding: Guarding,
    own: OwnPlaces,
    program: PathBuf,
    receipt: Receipt,
    agents: Vec<(Places, Changes)>,
    now_ms: u64,
}

impl Prepared {
    fn new(
        context: &Context,
        agents: &[&'static AgentSpec],
        (level, left_out): (Level, LeftOut),
        hook: Option<&Path>,
    ) -> Result<Self, CommandError> {
        let own = context.own_places()?;
        let program = hook_program::find(hook)?;
        hook_program::check(&program, &context.environment)?;
        let receipt = Receipt::read(&own);
        let now_ms = context.clock.now().as_millis();
        let guarding = guarding_wanted(context)?;
        let planned = |agent: &&'static AgentSpec| {
            let places = context.places(agent)?;
            let planner = Planner { places: &places, receipt: &receipt };
            let changes = planner.plan(level, guarding, &left_out, &iso_time(now_ms))?;
            Ok::<_, CommandError>((places, changes))
        };
        let agents = agents.iter().map(planned).collect::<Result<_, _>>()?;
        let prepared = Self { level, left_out, guarding, own, program, receipt, agents, now_ms };
        transaction::check(&prepared.files())?;
        Ok(prepared)
    }

    /// Verger's own files that would be written.
    fn own_files(&self) -> Result<Vec<PathBuf>, CommandError> {
        let mut written = hook_program::would_write(&self.program, &self.own.hook_program)?;
        let is_stale = |places: &&Places| {
            let stale = plugin_files::stale_without(places, self.guarding, &self.left_out);
            !stale.is_empty()
                || !places.user_folder.is_dir()
                || plugin_files::left_out(places) != self.left_out
        };
        if self.level == Level::User {
            let stale = self.agents.iter().map(|(places, _)| places).filter(is_stale);
            written.extend(stale.map(|places| places.user_folder.clone()));
        }
        Ok(written)
    }

    fn files(&self) -> Vec<FileChange> {
        let changes = self.agents.iter().flat_map(|(_, changes)| changes);
        changes.map(|(change, _)| change.clone()).collect()
    }

    /// Makes the changes. `made` are the directories that were already created for them.
    fn carry_out(&self, made: Vec<PathBuf>) -> Result<Copied, CommandError> {
        let copied = hook_program::install(&self.program, &self.own.hook_program)?;
        for (places, _) in &self.agents {
            match self.level {
                Level::User => {
                    plugin_files::leave_out(places, &self.left_out)?;
                    plugin_files::write(places, self.guarding)?;
                }
                // Hooks of a project do nothing while the folder is there. No settings name it any
                // more.
                Level::Local | Level::Project => plugin_files::remove(&places.user_folder)?,
            }
        }
        self.write(made)?;
        Ok(copied)
    }

    fn write(&self, made: Vec<PathBuf>) -> Result<(), CommandError> {
        let files = self.files();
        if files.is_empty() && made.is_empty() {
            return Ok(());
        }
        let mut receipt = self.receipt.clone();
        receipt.remember_directories(made);
        for (places, changes) in &self.agents {
            if !changes.is_empty() || receipt.written_at(places.agent).is_none() {
                receipt.remember(places, changes, self.now_ms)?;
            }
        }
        carry_out(&self.own, &self.receipt, &receipt, &files)
    }
}

/// Warns about problems that prevent recording or cause duplicate records.
fn warn(ui: &Ui, context: &Context, agents: &[Places]) {
    let mut warnings = vec![];
    for places in agents {
        let installation = inspect(places, &context.environment);
        if let Program::Broken { path, problem } = &installation.program {
            let path = path.display();
            warnings.push(format!(
                "nothing will be recorded: {path} cannot be started (is its disk mounted noexec?): \
                 {problem}"
            ));
        }
        if surroundings::on_path("verger", &context.environment).is_none() {
            let missing = "verger is not on the PATH: agents cannot run it (verger doctor)";
            warnings.push(missing.to_owned());
        }
        for obstacle in installation.obstacles(places.agent) {
            warnings.push(format!("nothing will be recorded: {obstacle}"));
        }
        if let Ok(home) = context.home() {
            let gaps = gaps(places.agent, &context.settings(&home).settings);
            let product = places.agent.install.product;
            warnings.extend(gaps.iter().map(|gap| gap.text(product)));
        }
        if installation.is_doubled() {
            for (file, _) in installation.settings_with_hooks() {
                let path = file.path.display();
                warnings.push(format!(
                    "{path} also has verger's hooks: some events will be recorded twice"
                ));
            }
        }
    }
    let mut told = BTreeSet::new();
    warnings.iter().filter(|warning| told.insert(*warning)).for_each(|warning| ui.warn(warning));
}

/// Reports that an agent is already registered in another way, and returns the name of that way.
/// `product` is the agent's name if there are several agents.
fn already_on(
    ui: &mut Ui,
    product: Option<&str>,
    covered: Coverage,
) -> Result<&'static str, CommandError> {
    let (by, what, remedy) = match covered {
        Coverage::Plugin => (
            "plugin",
            "verger's plugin is on for all your projects, this one included",
            "To have verger in this project only: verger uninstall, then run this command again.",
        ),
        Coverage::User => (
            "user",
            "your own settings have verger's hooks for all your projects",
            "To have verger in this project only: verger uninstall, then this again.",
        ),
        Coverage::Project => (
            "project",
            "this project's shared settings have verger's hooks",
            "To have them for yourself only: verger uninstall --project, then run this command again.",
        ),
        Coverage::PluginOff => {
            return Err(CommandError::Usage {
                message: "verger's plugin is installed and switched off".to_owned(),
                hint: "to switch it on: verger init; to use hooks of one project only: verger \
                       uninstall, then run this command again"
                    .to_owned(),
            });
        }
    };
    if ui.output() == Output::Text {
        let of = product.map(|product| format!("{product}: ")).unwrap_or_default();
        ui.line(format!("{of}{what}; nothing was changed"))?;
        ui.note(remedy)?;
    }
    Ok(by)
}

/// The agents that get parts, and the level and exceptions of the registration.
struct Added<'a> {
    agents: &'a [&'static AgentSpec],
    level: Level,
    left_out: &'a LeftOut,
    /// The agents that are registered in another way, for JSON output.
    covered: &'a [Value],
}

impl Added<'_> {
    fn print(&self, ui: &mut Ui) -> Result<(), CommandError> {
        for agent in self.agents {
            ui.note(format!(
                "{} gets these parts, with their cost in the model's context:",
                agent.install.product
            ))?;
            let mut table = Table::default();
            for added in additions(agent, self.level, self.left_out) {
                let name = format!("  {}", added.part.as_str());
                table.row(&name, format!("{}: {}", added.cost(), added.names_text()));
            }
            for part in self.left_out {
                table.row(format!("  no {}", part.as_str()), part.loss());
            }
            if ui.has_notes() {
                table.print(ui)?;
            }
        }
        Ok(())
    }

    fn to_json(&self) -> Value {
        let of = |agent: &&'static AgentSpec| {
            let additions = additions(agent, self.level, self.left_out);
            let additions: Vec<_> = additions.iter().map(Addition::to_json).collect();
            json!({ "agent": agent.name, "parts": additions })
        };
        self.agents.iter().map(of).collect()
    }
}

fn show(
    ui: &mut Ui,
    written: &[PathBuf],
    files: &[FileChange],
    added: &Added<'_>,
) -> Result<(), CommandError> {
    if ui.output() == Output::Json {
        let diffs: Vec<_> = files
            .iter()
            .map(|change| json!({ "path": change.path, "diff": unified(change).join("\n") }))
            .collect();
        return Ok(ui.json(&json!({
            "would_change": diffs,
            "would_write": written,
            "adds": added.to_json(),
            "covered": added.covered,
        }))?);
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
    added.print(ui)
}

/// The report of a registration.
struct Report<'a> {
    added: Added<'a>,
    copied: Copied,
    /// The paths of the installed programs.
    programs: &'a [PathBuf],
    files: &'a [FileChange],
    /// Whether agents trust the hooks already, if that can be recorded for them.
    is_trusted: bool,
    /// The files in which that was recorded.
    trusting: &'a [PathBuf],
}

impl Report<'_> {
    /// The step that is left to the person before the agent runs the hooks.
    fn consent_step(&self, agent: &AgentSpec) -> Option<&'static str> {
        if self.is_trusted && agent.install.trust.is_some() {
            return None;
        }
        match self.added.level {
            Level::User => agent.install.consent,
            Level::Local | Level::Project => agent.install.project_consent,
        }
    }

    fn print(&self, ui: &mut Ui, context: &Context) -> Result<(), CommandError> {
        let Self { added: Added { agents, level, .. }, copied, programs, files, .. } = *self;
        let hook_program = context.own_places()?.hook_program;
        if ui.output() == Output::Json {
            return Ok(ui.json(&self.to_json(&hook_program))?);
        }
        let product = products(agents);
        let extent = match level {
            Level::User => "for all your projects",
            Level::Local => "for you in this project",
            Level::Project => "for everybody in this project who has verger",
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
        for path in programs {
            ui.note(format!("  {verb}  {}", path.display()))?;
        }
        if !files.is_empty() || copied != Copied::Current {
            self.added.print(ui)?;
        }
        for path in self.trusting {
            ui.note(format!("  trusted    {}", path.display()))?;
        }
        let steps = agents.iter().filter_map(|agent| self.consent_step(agent));
        for step in steps.filter(|_| !files.is_empty()) {
            ui.note(step)?;
        }
        if context.environment.get("VERGER_HOME").is_some() {
            ui.note(format!("{product} must be started with the same VERGER_HOME."))?;
        }
        if level == Level::Local && files.iter().any(|change| change.before.is_none()) {
            ui.note("Keep the new file out of git: it is only for you.")?;
        }
        ui.note(format!(
            "Next: start {product} (sessions that run already are not recorded), then verger doctor"
        ))?;
        Ok(ui.note("To remove verger again: verger uninstall")?)
    }

    /// The steps that are left to the person, for programs.
    fn consents(&self) -> Value {
        let step = |agent: &&AgentSpec| {
            let step = self.consent_step(agent)?;
            Some(json!({ "agent": agent.name, "step": step }))
        };
        self.added.agents.iter().filter_map(step).collect()
    }

    fn to_json(&self, hook_program: &Path) -> Value {
        let changed = self
            .files
            .iter()
            .map(|change| json!({ "path": change.path, "created": change.before.is_none() }));
        json!({
            "adds": self.added.to_json(),
            "covered": self.added.covered,
            "agents": self.added.agents.iter().map(|agent| agent.name).collect::<Vec<_>>(),
            "consent": self.consents(),
            "trusted": self.trusting,
            "level": match self.added.level {
                Level::User => "user",
                Level::Local => "local",
                Level::Project => "project",
            },
            "changed": changed.collect::<Vec<_>>(),
            "program": {
                "path": hook_program,
                "version": crate::VERSION,
                "copied": self.copied != Copied::Current,
            },
        })
    }
}

/// Formats a time like the agent does.
fn iso_time(millis: u64) -> String {
    let at = i64::try_from(millis).ok().and_then(|ms| jiff::Timestamp::from_millisecond(ms).ok());
    at.unwrap_or_default().strftime("%Y-%m-%dT%H:%M:%S.%3fZ").to_string()
}
