//! `verger trust`: which projects may say what runs and what counts.

use std::path::{Path, PathBuf};

use clap::Args;
use serde_json::{Value, json};
use verger_config::{
    Class, KeyReference, Layers, ListedSetting, Origin, Project, ProjectTrust, Source, TrustedFile,
    reference, resolve,
};
use verger_event::Timestamp;
use verger_hook::{ConfigFile, ConfigFiles, content_hash, read_bounded, read_trust};

use crate::authority::Consent;
use crate::command_error::CommandError;
use crate::context::Context;
use crate::moment::local_time;
use crate::ui::{Answer, Output, Tone, Ui};
use crate::{trust_file, user_file};

/// Let a project's .verger/config.toml count in full, as it is now.
///
/// Shows the file and the keys in it that need trust. Trust is bound to its path and its content: a
/// file that changes or moves has to be trusted again.
#[derive(Debug, Args)]
pub(crate) struct TrustArgs {
    /// A directory of the project; the current one otherwise.
    path: Option<PathBuf>,

    /// List what is trusted, and whether it is still what was trusted.
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
        return list(ui, context);
    }
    let place = match &args.path {
        Some(path) => context.directory()?.join(path),
        None => context.directory()?.to_owned(),
    };
    if args.revoke { revoke(ui, context, &place) } else { give(ui, context, &place, args.consent) }
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
    let Some(project) = files.project else { return Err(no_project(place)) };
    let (file, keys) = (&project.file, needing_trust(&project.file));
    let entry = trust_file::entry(file, context)?;
    show(ui, file, &keys)?;
    if project.trust == ProjectTrust::Untrusted {
        if ui.confirm(consent, &format!("trust {} as it is now?", file.path.display()))?
            == Answer::No
        {
            if ui.output() == Output::Json {
                ui.json(&given_json(&entry, (project.trust, ProjectTrust::Untrusted), &keys))?;
            }
            ui.note("not trusted; nothing was changed")?;
            return Err(CommandError::Found);
        }
        let lock = user_file::lock(&home.config)?;
        let entry = entry.clone();
        trust_file::change(&lock, &home, |list| list.trust(entry))?;
    }
    if ui.output() == Output::Json {
        let trust = (project.trust, ProjectTrust::Trusted);
        return Ok(ui.json(&given_json(&entry, trust, &keys))?);
    }
    Ok(ui.note(match project.trust {
        ProjectTrust::Trusted => "it was trusted already, as it is now",
        ProjectTrust::Untrusted => "trusted, until the file changes or moves",
    })?)
}

fn no_project(place: &Path) -> CommandError {
    CommandError::Usage {
        message: format!("no project with a .verger/config.toml at {}", place.display()),
        hint: "verger trust DIRECTORY, or verger config set KEY VALUE --project to make the file"
            .to_owned(),
    }
}

/// A key that counts only when the project is trusted, as the file sets it.
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

fn show(ui: &mut Ui, file: &ConfigFile, keys: &[NeedingTrust]) -> Result<(), CommandError> {
    if ui.output() == Output::Json {
        return Ok(());
    }
    ui.note(format!("{}:", file.path.display()))?;
    for line in String::from_utf8_lossy(&file.bytes).lines() {
        ui.note(format!("  | {line}"))?;
    }
    ui.line(match keys.len() {
        0 => "no key in it needs trust".to_owned(),
        1 => "1 key in it needs trust:".to_owned(),
        some => format!("{some} keys in it need trust:"),
    })?;
    for NeedingTrust { key, value, line, .. } in keys {
        ui.line(format!("  {} = {value}  (line {line}: {})", key.path, key.doc))?;
    }
    Ok(())
}

fn given_json(
    entry: &TrustedFile,
    (was, now): (ProjectTrust, ProjectTrust),
    keys: &[NeedingTrust],
) -> Value {
    let keys: Vec<_> = keys
        .iter()
        .map(|NeedingTrust { key, json, line, .. }| {
            json!({ "key": key.path, "value": json, "line": line })
        })
        .collect();
    let word = |trust| match trust {
        ProjectTrust::Trusted => "trusted",
        ProjectTrust::Untrusted => "untrusted",
    };
    json!({
        "file": entry.file,
        "sha256": entry.sha256,
        "was": word(was),
        "now": word(now),
        "keys": keys,
    })
}

fn list(ui: &mut Ui, context: &Context) -> Result<(), CommandError> {
    let list = read_trust(&context.home()?)?;
    if ui.output() == Output::Json {
        let trusted: Vec<_> = list
            .iter()
            .map(|entry| {
                json!({
                    "file": entry.file,
                    "sha256": entry.sha256,
                    "trusted_at_ms": entry.trusted_at_ms,
                    "state": state(entry),
                })
            })
            .collect();
        return Ok(ui.json(&json!({ "trusted": trusted }))?);
    }
    for entry in list.iter() {
        let at = local_time(Timestamp::from_millis(entry.trusted_at_ms));
        let state = state(entry);
        let tone = if state == "trusted" { Tone::Good } else { Tone::Bad };
        ui.toned_line(&[
            (Tone::Faint, &at),
            (tone, &format!("  {state:<7}  ")),
            (Tone::Plain, &entry.file),
        ])?;
    }
    Ok(ui.note(match list.iter().count() {
        0 => "no project is trusted; verger trust DIRECTORY trusts one",
        _ => "verger trust --revoke DIRECTORY takes trust back",
    })?)
}

/// Whether the file is still what was trusted, as a hook would find it.
fn state(entry: &TrustedFile) -> &'static str {
    let path = Path::new(&entry.file);
    let is_in_place = path.canonicalize().is_ok_and(|real| real == path);
    match read_bounded(path) {
        Ok(Some(bytes)) if is_in_place && content_hash(&bytes) == entry.sha256 => "trusted",
        Ok(None) => "gone",
        Ok(Some(_)) | Err(_) => "changed",
    }
}

fn revoke(ui: &mut Ui, context: &Context, place: &Path) -> Result<(), CommandError> {
    let home = context.home()?;
    let files = ConfigFiles::read(&home, Some(place), &context.environment);
    // What is not there any more can only be named as the list names it.
    let named = place.canonicalize().unwrap_or_else(|_| place.to_owned());
    let meant = [Some(named.join(".verger/config.toml")), files.project.map(|p| p.file.path)];
    let is_meant = |entry: &TrustedFile| {
        let file = Path::new(&entry.file);
        file == named || meant.iter().flatten().any(|meant| file == meant)
    };
    let lock = user_file::lock(&home.config)?;
    let revoked = trust_file::change(&lock, &home, |list| list.revoke(is_meant))?;
    if revoked.is_empty() {
        return Err(CommandError::Usage {
            message: format!("nothing that is trusted is at {}", place.display()),
            hint: "verger trust --list".to_owned(),
        });
    }
    if ui.output() == Output::Json {
        let files: Vec<_> = revoked.iter().map(|entry| &entry.file).collect();
        return Ok(ui.json(&json!({ "revoked": files }))?);
    }
    for entry in &revoked {
        ui.line(format!("no longer trusted: {}", entry.file))?;
    }
    Ok(())
}
