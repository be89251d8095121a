//! `verger uninstall`: removes verger from an agent's files.

use std::cmp::Reverse;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use clap::Args;
use serde_json::{Value, json};
use verger_agent::{AGENTS, AgentSpec};
use verger_engine::{Home, State};
use verger_store::ReadLog;
use verger_store_local::Index;

use crate::config::user_file;
use crate::doctor::registration::Registered;
use crate::install::diff::{TAB, unified};
use crate::install::inspect::inspect;
use crate::install::own_files::{INDEX, RECORDED, settings};
use crate::install::places::OwnPlaces;
use crate::install::receipt::Receipt;
use crate::install::removal::{Removal, Scope, SharedSettings, plan};
use crate::install::{AgentChoice, products, transaction};
use crate::invocation::authority::Consent;
use crate::invocation::command_error::CommandError;
use crate::invocation::context::Context;
use crate::render::output::{Output, Ui, count};
use crate::render::progress::Step;
use crate::undo::leftovers::{self as undo_leftovers, RepositoryPoints};

/// Take verger out of your agents and remove its programs.
///
/// Finds everything that any version of verger wrote into the files of Claude Code, Codex, Gemini
/// CLI and Copilot CLI. The recorded sessions and your verger
/// settings stay; --purge removes them too. Undo points hold your work: they stay and are listed,
/// unless you add --purge-undo-points.
#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is an option of the command line")]
pub(crate) struct UninstallArgs {
    /// Also remove the hooks in the settings that the people of this project share.
    ///
    /// Without it, they stay and are listed.
    #[arg(long)]
    project: bool,

    /// Also remove the log, your personal learnings and verger's settings for good; needs --yes.
    #[arg(long, conflicts_with = "names")]
    purge: bool,

    /// With --purge: also remove all undo points that verger knows of, for good.
    ///
    /// These are the undo points in the repositories of the log, and those in verger's own
    /// directory.
    #[arg(long, requires = "purge")]
    purge_undo_points: bool,

    /// Show what would be changed; change nothing.
    #[arg(long)]
    dry_run: bool,

    #[command(flatten)]
    agents: AgentChoice,

    #[command(flatten)]
    consent: Consent,
}

pub(crate) fn uninstall(
    ui: &mut Ui,
    context: &Context,
    args: &UninstallArgs,
) -> Result<(), CommandError> {
    let agents = args.agents.named().unwrap_or_else(|| AGENTS.iter().collect());
    uninstall_agents(ui, context, args, &agents)
}

/// The planned changes for the agents whose files can be used.
struct Planned {
    removal: Removal,
    /// Folders of verger's own.
    own: Vec<PathBuf>,
    /// The agents with which verger is registered.
    registered: Vec<&'static AgentSpec>,
    usable: Vec<&'static AgentSpec>,
}

impl Planned {
    /// Leaves out agents whose files cannot be used, with a warning: a broken file of one agent must
    /// not keep verger registered with the others.
    fn new(
        ui: &Ui,
        context: &Context,
        agents: &[&'static AgentSpec],
        receipt: &Receipt,
        scope: Scope,
    ) -> Result<Self, CommandError> {
        let (mut removal, mut own) = (Removal::default(), vec![]);
        let (mut registered, mut usable) = (vec![], vec![]);
        for agent in agents {
            let places = context.places(agent)?;
            let planned = match plan(&places, receipt, scope) {
                Ok(planned) => planned,
                Err(problem) if agents.len() > 1 => {
                    let problem = CommandError::from(problem);
                    ui.warn(&format!(
                        "{} was left out: {problem}; correct the file, then run verger uninstall again",
                        agent.install.product
                    ));
                    continue;
                }
                Err(problem) => return Err(problem.into()),
            };
            usable.push(*agent);
            if !planned.changes.is_empty() || places.user_folder.exists() {
                registered.push(*agent);
            }
            removal.extend(planned);
            own.push(places.user_folder);
        }
        Ok(Self { removal, own, registered, usable })
    }
}

pub(super) fn uninstall_agents(
    ui: &mut Ui,
    context: &Context,
    args: &UninstallArgs,
    agents: &[&'static AgentSpec],
) -> Result<(), CommandError> {
    let (home, places) = (context.home()?, context.own_places()?);
    let scope = if args.project { Scope::Shared } else { Scope::Personal };
    let _lock = home.data.is_dir().then(|| user_file::lock(&home.data)).transpose()?;
    let receipt = Receipt::read(&places);
    let Planned { removal, mut own, registered, usable } =
        Planned::new(ui, context, agents, &receipt, scope)?;
    let is_complete = usable.len() == agents.len();
    let agents = &usable[..];
    own.splice(0..0, removal.leftovers.clone());
    transaction::check(&removal.changes)?;
    let sessions = Sessions::of(ui, context, &home);
    // The log names the repositories with undo points, so they are looked up before the log is
    // removed.
    let points = if args.purge { known_points(ui, context, &home) } else { vec![] };
    if args.purge && !args.consent.yes && !args.dry_run {
        let what = sessions.what();
        let points = points.iter().map(RepositoryPoints::text).collect::<Vec<_>>();
        let kept = match (points.is_empty(), args.purge_undo_points) {
            (true, _) => String::new(),
            (false, true) => format!(", and {}", points.join(", ")),
            (false, false) => {
                format!("; {} stay unless you add --purge-undo-points", points.join(", "))
            }
        };
        return Err(CommandError::Refused {
            message: format!("--purge removes {what} in {} for good{kept}", home.data.display()),
            hint: "verger uninstall --purge --yes".to_owned(),
        });
    }
    let is_in_use = is_in_use_beside(context, agents, &receipt)?;
    let shared = removal.shared.iter().map(|shared| shared.path.as_path());
    let kept_receipt = receipt.limited_to(shared).filter(|_| !args.purge);
    if !is_in_use {
        own.push(places.programs.clone());
        if kept_receipt.is_none() {
            own.extend([places.backups.clone(), places.receipt.clone()]);
        }
        if args.purge {
            own.extend(purged(&home));
            own.extend(args.purge_undo_points.then(|| home.undo_copies()));
        } else if sessions.recorded == Some(0) {
            own.extend(INDEX.iter().map(|name| home.data.join(name)));
        }
    }
    own.retain(|path| path.symlink_metadata().is_ok());
    if args.dry_run {
        show(ui, &removal, &own, &points, args.purge_undo_points)?;
        return if is_complete { Ok(()) } else { Err(CommandError::Found) };
    }
    transaction::apply(&removal.changes)?;
    let mut failed = vec![];
    let step = Step::new(ui, "removing files and undo points");
    own.retain(|path| match remove(path) {
        Ok(()) => true,
        Err(source) => {
            failed.push((path.clone(), source.to_string()));
            false
        }
    });
    let (mut removed_points, mut left_points) = (vec![], vec![]);
    for repository in points {
        if !args.purge_undo_points {
            left_points.push(repository);
            continue;
        }
        match undo_leftovers::remove(context, &repository.root) {
            Ok(_) => removed_points.push(repository),
            Err(why) => left_points.push(RepositoryPoints { points: Err(why), ..repository }),
        }
    }
    drop(step);
    if is_in_use {
        let mut receipt = receipt.clone();
        for agent in agents {
            receipt.forget(agent);
        }
        receipt.write(&places)?;
    } else if let Some(kept) = kept_receipt {
        kept.write(&places)?;
    }
    for directory in emptied(&receipt, &home) {
        // Fails if the directory is not empty, so that other files stay.
        drop(fs::remove_dir(directory));
    }
    let is_whole = failed.is_empty() && is_complete;
    let report = Report {
        agents,
        registered: &registered,
        home: &home,
        removal: &removal,
        own: &own,
        is_in_use,
        failed: &failed,
        removed_points: &removed_points,
        left_points: &left_points,
        sessions: &sessions,
    };
    report.print(ui)?;
    if is_whole { Ok(()) } else { Err(CommandError::Found) }
}

/// The repositories with undo points. An unreadable log causes only a warning, because it must not
/// prevent the uninstallation.
fn known_points(ui: &Ui, context: &Context, home: &Home) -> Vec<RepositoryPoints> {
    if !home.data.exists() {
        return vec![];
    }
    let _step = Step::new(ui, "looking for undo points in repositories");
    let known = context.open_store(ui).and_then(|store| undo_leftovers::known(context, &store));
    known.unwrap_or_else(|error| {
        ui.warn(&format!("undo points may be left in repositories: {error}"));
        vec![]
    })
}

/// Whether verger stays registered with another agent. That agent needs verger's programs.
fn is_in_use_beside(
    context: &Context,
    agents: &[&AgentSpec],
    receipt: &Receipt,
) -> Result<bool, CommandError> {
    for other in AGENTS.iter().filter(|one| agents.iter().all(|agent| agent.name != one.name)) {
        let installation = inspect(&context.places(other)?, &context.environment);
        if receipt.paths(other).next().is_some() || Registered::of(&installation) != Registered::No
        {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The paths that `--purge` removes: the recorded data, the index, and the user's settings of
/// verger.
fn purged(home: &Home) -> Vec<PathBuf> {
    let data = RECORDED.iter().chain(INDEX);
    let mut paths: Vec<_> = data.map(|name| home.data.join(name)).collect();
    paths.extend(settings(home));
    paths
}

/// Directories that verger created or filled and that may be empty now, inner directories first.
fn emptied(receipt: &Receipt, home: &Home) -> impl Iterator<Item = PathBuf> {
    let recorded = RECORDED.iter().map(|name| home.data.join(name));
    // Commands that ran in parallel may have recorded an outer directory after an inner one.
    let mut made = receipt.directories().to_vec();
    made.sort_by_key(|directory| Reverse(directory.components().count()));
    recorded.chain([home.data.clone(), home.config.clone()]).chain(made)
}

fn remove(path: &Path) -> io::Result<()> {
    let is_directory = path.symlink_metadata().is_ok_and(|metadata| metadata.is_dir());
    if is_directory { fs::remove_dir_all(path) } else { fs::remove_file(path) }
}

struct Sessions {
    /// `None` if the log cannot be read.
    recorded: Option<usize>,
    live: usize,
}

impl Sessions {
    /// Counts the sessions. An unreadable log causes only a warning, because it must not prevent
    /// the uninstallation.
    fn of(ui: &Ui, context: &Context, home: &Home) -> Self {
        if !home.data.exists() {
            return Self { recorded: Some(0), live: 0 };
        }
        Self::count(ui, context).unwrap_or_else(|error| {
            ui.warn(&format!("the log cannot be read: {error}"));
            Self { recorded: None, live: 0 }
        })
    }

    fn count(ui: &Ui, context: &Context) -> Result<Self, CommandError> {
        let store = context.open_store(ui)?;
        if store.segments()?.is_empty() {
            // The index is not created just to count sessions.
            return Ok(Self { recorded: Some(0), live: 0 });
        }
        let now = context.clock.now();
        Ok(Index::current::<State, _>(&store, |index| {
            let recorded = Some(index.count_sessions()?);
            Ok(Self { recorded, live: index.count_live(now)? })
        })?)
    }

    fn what(&self) -> String {
        match self.recorded {
            Some(recorded) => count(recorded, "recorded session"),
            None => "the log".to_owned(),
        }
    }
}

fn show(
    ui: &mut Ui,
    removal: &Removal,
    own: &[PathBuf],
    points: &[RepositoryPoints],
    purges_points: bool,
) -> Result<(), CommandError> {
    if ui.output() == Output::Json {
        let diffs: Vec<_> = removal
            .changes
            .iter()
            .map(|change| json!({ "path": change.path, "diff": unified(change).join("\n") }))
            .collect();
        return Ok(ui.json(&json!({ "would_change": diffs, "would_remove": own, "undo_points": points_json(points) }))?);
    }
    for path in own {
        ui.line(format!("would remove {}", path.display()))?;
    }
    let verb = if purges_points { "remove" } else { "leave" };
    for repository in points {
        ui.line(format!("would {verb} {}", repository.text()))?;
    }
    for line in removal.changes.iter().flat_map(unified) {
        ui.line(line.replace('\t', TAB))?;
    }
    if own.is_empty() && removal.changes.is_empty() {
        ui.line("nothing of verger is installed")?;
    }
    Ok(())
}

fn points_json(points: &[RepositoryPoints]) -> Vec<Value> {
    let of_repository = |repository: &RepositoryPoints| json!({ "root": repository.root, "points": repository.points.as_ref().ok() });
    points.iter().map(of_repository).collect()
}

/// The report of an uninstallation.
struct Report<'a> {
    agents: &'a [&'static AgentSpec],
    /// Those that verger was registered with.
    registered: &'a [&'static AgentSpec],
    home: &'a Home,
    removal: &'a Removal,
    own: &'a [PathBuf],
    /// Whether verger stays registered with another agent, so that its own files stay.
    is_in_use: bool,
    /// The files that could not be removed, and the reasons.
    failed: &'a [(PathBuf, String)],
    removed_points: &'a [RepositoryPoints],
    left_points: &'a [RepositoryPoints],
    sessions: &'a Sessions,
}

impl Report<'_> {
    fn print(&self, ui: &mut Ui) -> Result<(), CommandError> {
        let Self { agents, registered, removal, own, sessions, .. } = *self;
        let left = self.left();
        if ui.output() == Output::Json {
            let changed: Vec<_> = removal.changes.iter().map(|change| &change.path).collect();
            let left = left.iter().map(|(what, remedy)| json!({ "what": what, "remove": remedy }));
            let left: Vec<_> = left.collect();
            return Ok(ui.json(
                &json!({ "changed": changed, "removed": own, "left": left, "live_sessions": sessions.live,
                    "undo_points_removed": points_json(self.removed_points) }),
            )?);
        }
        let product = products(registered);
        if removal.changes.is_empty() && own.is_empty() {
            ui.line(format!("nothing of verger was registered with {}", products(agents)))?;
        } else if registered.is_empty() {
            ui.line("verger was not registered; its own files were removed")?;
        } else {
            ui.line(format!("verger is no longer registered with {product}"))?;
        }
        for change in &removal.changes {
            let verb = if change.after.is_some() { "cleaned" } else { "removed" };
            ui.note(format!("  {verb}  {}", change.path.display()))?;
        }
        for path in own {
            ui.note(format!("  removed  {}", path.display()))?;
        }
        for repository in self.removed_points {
            ui.note(format!("  removed  {}", repository.text()))?;
        }
        for (what, remedy) in &left {
            ui.note(format!("left: {what}"))?;
            ui.note(format!("      {remedy}"))?;
        }
        let is_hook_gone = own.iter().any(|path| path.ends_with("bin"));
        if sessions.live > 0 && is_hook_gone && !registered.is_empty() {
            let live = count(sessions.live, "session");
            ui.warn(&format!(
                "{live} may still run: {product} will report a missing hook and continue"
            ));
        }
        Ok(())
    }

    /// The files that stay, each with the command that removes it.
    fn left(&self) -> Vec<(String, String)> {
        let Self { home, removal, sessions, .. } = *self;
        let mut left = vec![];
        for (path, why) in self.failed {
            let what = format!("{}, which could not be removed: {why}", path.display());
            left.push((what, format!("rm -r {}", path.display())));
        }
        if sessions.recorded != Some(0) && home.data.join("log").exists() {
            let what = format!("{} in {}", sessions.what(), home.data.display());
            left.push((what, "verger uninstall --purge --yes".to_owned()));
        } else if home.data.exists() && !holds_only_kept_files(home) && !self.is_in_use {
            let what = format!("files that are not verger's in {}", home.data.display());
            left.push((what, format!("ls -a {}", home.data.display())));
        }
        let copies = home.undo_copies();
        if copies.exists() {
            let what =
                format!("undo points of files outside of repositories in {}", copies.display());
            left.push((what, format!("rm -r {}", copies.display())));
        }
        for repository in self.left_points {
            left.push((repository.text(), repository.remedy()));
        }
        if home.config.exists() {
            let what = format!("your settings of verger in {}", home.config.display());
            left.push((what, format!("rm -r {}", home.config.display())));
        }
        for SharedSettings { path, elsewhere } in &removal.shared {
            let (project, change_directory) = match elsewhere {
                None => ("this project", String::new()),
                Some(root) => ("its project", format!("cd {} && ", root.display())),
            };
            let what = format!("hooks in {}, which {project} shares", path.display());
            left.push((what, format!("{change_directory}verger uninstall --project")));
        }
        for (path, command) in &removal.foreign {
            let what = format!("a hook of your own in {}: {command}", path.display());
            left.push((what, "remove this hook by hand".to_owned()));
        }
        left
    }
}

/// Whether the data directory holds only copies of files, which are undo points, and the receipt
/// with its backups, which are needed to clean a project's shared settings later.
fn holds_only_kept_files(home: &Home) -> bool {
    let places = OwnPlaces::of(home);
    let kept = [home.undo_copies(), places.receipt, places.backups];
    let Ok(mut entries) = fs::read_dir(&home.data) else { return false };
    entries.all(|entry| entry.is_ok_and(|entry| kept.contains(&entry.path())))
}
