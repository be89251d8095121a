//! `verger trust`: trusts a project. Agents may then build and test in the project, and all of its
//! configuration takes effect.

mod list;
mod revoke;

use std::path::{Path, PathBuf};

use clap::Args;
use serde_json::{Value, json};
use verger_config::{
    Class, KeyReference, Layers, ListedSetting, Origin, Project, ProjectTrust, Source, TrustedFile,
    TrustedWorktree, reference, resolve,
};
use verger_engine::{ConfigFile, ConfigFiles, ProjectFile, read_trust};
use verger_worktree::shared_root;

use crate::config::trust_file;
use crate::config::user_file;
use crate::invocation::authority::Consent;
use crate::invocation::command_error::CommandError;
use crate::invocation::context::Context;
use crate::render::output::{Answer, Output, Ui};

/// Trust a project: agents may build and test in it.
///
/// All settings of its .verger/config.toml then take effect. Where the guard enforces its rules,
/// commands that build or test the project run without a question. Mind that tests run the agent's
/// code, which can do everything that you can. Linked worktrees of the same repository are trusted
/// too.
///
/// The file and its keys that need trust are shown. Trust holds for its path and its content: a
/// file that changes or moves has to be trusted again.
#[derive(Debug, Args)]
pub(crate) struct TrustArgs {
    /// A directory of the project; default: the current one.
    path: Option<PathBuf>,

    /// List the trusted projects and files, and whether they changed since.
    #[arg(long, conflicts_with_all = ["revoke", "path"])]
    list: bool,

    /// Take trust back.
    #[arg(long)]
    revoke: bool,

    #[command(flatten)]
    consent: Consent,
}

pub(crate) fn trust(ui: &mut Ui, context: &Context, args: &TrustArgs) -> Result<(), CommandError> {
    if args.list {
        return list::list(ui, context);
    }
    let place = match &args.path {
        Some(path) => context.directory()?.join(path),
        None => context.directory()?.to_owned(),
    };
    if args.revoke {
        revoke::revoke(ui, context, &place)
    } else {
        give(ui, context, &place, args.consent)
    }
}

/// The project to trust, and its current trust.
struct Asked {
    worktree: TrustedWorktree,
    worktree_was: ProjectTrust,
    file: Option<AskedFile>,
}

struct AskedFile {
    file: ConfigFile,
    was: ProjectTrust,
    entry: TrustedFile,
    keys: Vec<NeedingTrust>,
}

impl Asked {
    fn is_given(&self) -> bool {
        let file = self.file.as_ref().map_or(ProjectTrust::Trusted, |file| file.was);
        (self.worktree_was, file) == (ProjectTrust::Trusted, ProjectTrust::Trusted)
    }
}

fn give(
    ui: &mut Ui,
    context: &Context,
    place: &Path,
    consent: Consent,
) -> Result<(), CommandError> {
    let home = context.home()?;
    let files = ConfigFiles::read(&home, Some(place), &context.environment);
    for problem in &files.problems {
        ui.warn(problem);
    }
    let Some(root) = context.root_of(place) else { return Err(no_directory(place)) };
    let worktree = trust_file::worktree(&shared_root(&root), context)?;
    let is_trusted = read_trust(&home)?.trusts_worktree(&worktree.root);
    let worktree_was = if is_trusted { ProjectTrust::Trusted } else { ProjectTrust::Untrusted };
    let file = files.project.map(|ProjectFile { file, trust }| {
        let (keys, entry) = (needing_trust(&file), trust_file::entry(&file, context)?);
        Ok::<_, CommandError>(AskedFile { file, was: trust, entry, keys })
    });
    let asked = Asked { worktree, worktree_was, file: file.transpose()? };
    show(ui, &asked)?;
    if !asked.is_given() {
        if ui.confirm(consent, &format!("trust {}?", asked.worktree.root))? == Answer::No {
            if ui.output() == Output::Json {
                ui.json(&asked.to_json(None))?;
            }
            ui.note("not trusted; nothing was changed")?;
            return Err(CommandError::Found);
        }
        let lock = user_file::lock(&home.config)?;
        trust_file::change(&lock, &home, |list| {
            list.trust_worktree(asked.worktree.clone());
            if let Some(file) = &asked.file {
                list.trust(file.entry.clone());
            }
        })?;
    }
    if ui.output() == Output::Json {
        return Ok(ui.json(&asked.to_json(Some(ProjectTrust::Trusted)))?);
    }
    Ok(ui.note(match (asked.is_given(), &asked.file) {
        (true, _) => "already trusted, with this content",
        (false, Some(_)) => "trusted; the configuration file is trusted until it changes or moves",
        (false, None) => "trusted",
    })?)
}

fn no_directory(place: &Path) -> CommandError {
    CommandError::Usage {
        message: format!("there is no directory {}", place.display()),
        hint: "verger trust DIRECTORY".to_owned(),
    }
}

/// A key of the project's file that takes effect only if the project is trusted.
struct NeedingTrust {
    key: KeyReference,
    value: String,
    json: Value,
    line: u32,
}

fn needing_trust(file: &ConfigFile) -> Vec<NeedingTrust> {
    let source = Source { file: "", bytes: &file.bytes };
    let project = Some(Project { source, trust: ProjectTrust::Trusted });
    let (settings, _) = resolve(&Layers { project, ..Layers::default() });
    let set = |(setting, key): (ListedSetting<'_>, KeyReference)| match setting.origin {
        Origin::Project { line, .. } if key.class == Class::NeedsTrust => {
            Some(NeedingTrust { key, value: setting.value, json: setting.json, line: *line })
        }
        _ => None,
    };
    settings.list().zip(reference()).filter_map(set).collect()
}

fn show(ui: &mut Ui, asked: &Asked) -> Result<(), CommandError> {
    if ui.output() == Output::Json {
        return Ok(());
    }
    ui.line(format!(
        "{}: agents may build and test here; tests run the agent's code",
        asked.worktree.root
    ))?;
    let Some(AskedFile { file, keys, .. }) = &asked.file else { return Ok(()) };
    ui.note(format!("{}:", file.path.display()))?;
    for line in String::from_utf8_lossy(&file.bytes).lines() {
        ui.note(format!("  | {line}"))?;
    }
    ui.line(match keys.len() {
        0 => "no key in the file needs trust".to_owned(),
        1 => "1 key in the file needs trust:".to_owned(),
        some => format!("{some} keys in the file need trust:"),
    })?;
    for NeedingTrust { key, value, line, .. } in keys {
        ui.line(format!("  {} = {value}  (line {line}: {})", key.path, key.doc))?;
    }
    Ok(())
}

impl Asked {
    /// `now` is the trust after the command, if it may have changed.
    fn to_json(&self, now: Option<ProjectTrust>) -> Value {
        let word = |trust| match trust {
            ProjectTrust::Trusted => "trusted",
            ProjectTrust::Untrusted => "untrusted",
        };
        let change = |was: ProjectTrust| (word(was), word(now.unwrap_or(was)));
        let (was, is) = change(self.worktree_was);
        let file = self.file.as_ref().map(|AskedFile { entry, keys, was, .. }| {
            let keys = keys.iter().map(|NeedingTrust { key, json, line, .. }| {
                json!({ "key": key.path, "value": json, "line": line })
            });
            let (was, is) = change(*was);
            json!({
                "file": entry.file,
                "sha256": entry.sha256,
                "was": was,
                "now": is,
                "keys": keys.collect::<Vec<_>>(),
            })
        });
        json!({
            "worktree": { "root": self.worktree.root, "was": was, "now": is },
            "config": file,
        })
    }
}
