//! `verger config set` and `unset`: change one key in one file and keep every other byte.

use std::path::PathBuf;

use clap::Args;
use serde_json::json;
use verger_config::{EditError, KeyName, Problem, ProjectTrust, Unset};
use verger_engine::Home;
use verger_engine::{ConfigFile, ConfigFiles, ProjectFile};
use verger_worktree::root_without_git;

use crate::config::setting_text::{origin_text, setting_json};
use crate::config::trust_file;
use crate::config::user_file;
use crate::config::user_file::Lock;
use crate::install::guarding;
use crate::invocation::authority::Consent;
use crate::invocation::command_error::CommandError;
use crate::invocation::context::Context;
use crate::render::output::{Output, Ui};

const GUARD_MODE: &str = "guard.mode";

/// Set a key in your config.toml, or in the project's.
///
/// Comments and everything else in the file stay as they are. A value that has no effect in that
/// file is refused.
#[derive(Debug, Args)]
pub(crate) struct SetArgs {
    /// The key, such as record.role; `verger config show` lists them.
    key: String,

    /// Plain text, a list separated by commas, or the value as written in TOML.
    #[arg(allow_hyphen_values = true)]
    value: String,

    #[command(flatten)]
    target: Target,
}

/// Remove a key from your config.toml, or from the project's.
#[derive(Debug, Args)]
pub(crate) struct UnsetArgs {
    /// The key, such as record.role.
    key: String,

    #[command(flatten)]
    target: Target,
}

#[derive(Debug, Args)]
struct Target {
    /// In the project's .verger/config.toml.
    #[arg(long)]
    project: bool,

    #[command(flatten)]
    consent: Consent,
}

impl SetArgs {
    /// Checks that the key exists and that the value fits it.
    pub(super) fn check(&self) -> Result<(), CommandError> {
        KeyName::parse(&self.key)?.canonical(&self.value)?;
        Ok(())
    }
}

impl UnsetArgs {
    /// Checks that the key exists.
    pub(super) fn check(&self) -> Result<(), CommandError> {
        KeyName::parse(&self.key)?;
        Ok(())
    }
}

pub(super) fn set(ui: &mut Ui, context: &Context, args: &SetArgs) -> Result<(), CommandError> {
    set_in(ui, context, &args.target, (&args.key, &args.value))
}

/// Sets a key in the user's file, after a person has confirmed it.
pub(in crate::commands) fn set_for_user(
    ui: &mut Ui,
    context: &Context,
    key: &str,
    value: &str,
) -> Result<(), CommandError> {
    let target = Target { project: false, consent: Consent { yes: true } };
    set_in(ui, context, &target, (key, value))
}

fn set_in(
    ui: &mut Ui,
    context: &Context,
    target: &Target,
    (key, value): (&str, &str),
) -> Result<(), CommandError> {
    let key = KeyName::parse(key)?;
    let value = key.canonical(value)?;
    let mut edit = Edit::begin(context, target)?;
    let text = key.set_in(edit.text()?, &value).map_err(|error| edit.broken(&error))?;
    edit.put(key, text)?;
    edit.save(context)?;
    edit.register(ui, context, key)?;
    edit.tell(ui, context, key, Done::Set)
}

pub(super) fn unset(ui: &mut Ui, context: &Context, args: &UnsetArgs) -> Result<(), CommandError> {
    let key = KeyName::parse(&args.key)?;
    let mut edit = Edit::begin(context, &args.target)?;
    match key.unset_in(edit.text()?).map_err(|error| edit.broken(&error))? {
        Unset::Absent => edit.tell(ui, context, key, Done::Nothing),
        Unset::Removed(text) => {
            edit.put(key, text)?;
            edit.save(context)?;
            edit.register(ui, context, key)?;
            edit.tell(ui, context, key, Done::Unset)
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Done {
    Set,
    Unset,
    Nothing,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Layer {
    User,
    Project,
}

/// The file to change, and the files that are resolved together with it.
struct Edit {
    lock: Lock,
    home: Home,
    files: ConfigFiles,
    layer: Layer,
    path: PathBuf,
}

impl Edit {
    fn begin(context: &Context, target: &Target) -> Result<Self, CommandError> {
        let (home, directory) = (context.home()?, context.directory()?);
        let lock = user_file::lock(&home.config)?;
        let files = ConfigFiles::read(&home, Some(directory), &context.environment);
        let (layer, path) = match (&files.project, target.project) {
            (_, false) => (Layer::User, home.config_file()),
            (Some(project), true) => (Layer::Project, project.file.path.clone()),
            (None, true) => {
                let user_home = context.environment.get("HOME").map(PathBuf::from);
                let root = root_without_git(directory, user_home.as_deref());
                (Layer::Project, root.join(".verger/config.toml"))
            }
        };
        let edit = Self { lock, home, files, layer, path };
        // A file that exists but could not be read must not be overwritten.
        let is_refused = match edit.layer {
            Layer::User => edit.path.exists(),
            Layer::Project => !edit.files.problems.is_empty(),
        };
        if edit.file().is_none() && is_refused {
            return Err(CommandError::Usage {
                message: edit.files.problems.join("; "),
                hint: format!("ls -ld {}", edit.path.display()),
            });
        }
        Ok(edit)
    }

    fn file(&self) -> Option<&ConfigFile> {
        match self.layer {
            Layer::User => self.files.user.as_ref(),
            Layer::Project => self.files.project.as_ref().map(|project| &project.file),
        }
    }

    fn text(&self) -> Result<&str, CommandError> {
        let bytes = self.file().map_or(&[][..], |file| &file.bytes);
        std::str::from_utf8(bytes).map_err(|_| CommandError::Usage {
            message: format!("{} is not UTF-8 and was not changed", self.path.display()),
            hint: "verger config show names the line".to_owned(),
        })
    }

    fn broken(&self, error: &EditError) -> CommandError {
        let EditError { line, column, message } = error;
        let path = self.path.display();
        CommandError::Usage {
            message: format!("{path}:{line}:{column}: {message}; the file was not changed"),
            hint: format!(
                "fix line {line}; until then, verger config show shows the settings in effect"
            ),
        }
    }

    /// Replaces the file's text in memory. Fails if the key would have no effect in the file.
    fn put(&mut self, key: KeyName, text: String) -> Result<(), CommandError> {
        let file = ConfigFile { path: self.path.clone(), bytes: text.into_bytes() };
        match self.layer {
            Layer::User => self.files.user = Some(file),
            Layer::Project => {
                // A new project file is trusted, because a person writes it. An existing file keeps
                // its trust.
                let trust = self.files.project.as_ref().map(|project| project.trust);
                let trust = trust.unwrap_or(ProjectTrust::Trusted);
                self.files.project = Some(ProjectFile { file, trust });
            }
        }
        let (_, problems) = self.files.resolve_with(&[]);
        let name = self.path.display().to_string();
        let is_refusal =
            |problem: &Problem| problem.file() == Some(&name) && problem.key() == Some(&key.path());
        match problems.into_iter().find(is_refusal) {
            None => Ok(()),
            Some(problem) => Err(problem.kind.into()),
        }
    }

    fn save(&self, context: &Context) -> Result<(), CommandError> {
        let Some(file) = self.file() else { return Ok(()) };
        user_file::replace(&file.path, &file.bytes)?;
        let trust = self.files.project.as_ref().map(|project| project.trust);
        if self.layer == Layer::Project && trust == Some(ProjectTrust::Trusted) {
            let entry = trust_file::entry(file, context)?;
            trust_file::change(&self.lock, &self.home, |list| list.trust(entry))?;
        }
        Ok(())
    }

    /// Registers the hooks again if the guard's mode was changed, because the registration contains
    /// it.
    fn register(&self, ui: &mut Ui, context: &Context, key: KeyName) -> Result<(), CommandError> {
        if self.layer != Layer::User || key.path() != GUARD_MODE {
            return Ok(());
        }
        let registered = guarding::apply(context)?;
        for path in &registered.written {
            ui.note(format!("updated verger's hooks in {}", path.display()))?;
        }
        if !registered.written.is_empty() {
            ui.note("sessions that already run keep the earlier hooks until they restart")?;
        }
        for step in registered.consent_steps {
            ui.note(step)?;
        }
        Ok(())
    }

    /// Prints the effective value. It may differ from the new value, because another layer may
    /// override the key.
    fn tell(
        &self,
        ui: &mut Ui,
        context: &Context,
        key: KeyName,
        done: Done,
    ) -> Result<(), CommandError> {
        let loaded = self.files.resolve(&context.environment);
        let (path, file) = (key.path(), self.path.display());
        let Some(setting) = loaded.settings.list().find(|setting| setting.path == path) else {
            return Ok(());
        };
        let counts = setting.comes_from(&file.to_string());
        if ui.output() == Output::Json {
            let done = match done {
                Done::Set => "set",
                Done::Unset => "unset",
                Done::Nothing => "nothing",
            };
            ui.json(&json!({
                "done": done,
                "file": file.to_string(),
                "in_force": setting_json(&setting),
            }))?;
            return Ok(());
        }
        ui.note(match done {
            Done::Set => format!("{path} is set in {file}"),
            Done::Unset => format!("{path} is no longer set in {file}"),
            Done::Nothing => format!("{path} was not set in {file}"),
        })?;
        let origin = origin_text(&setting);
        Ok(ui.line(match &*setting.value {
            "" => "effective value: none".to_owned(),
            value if done == Done::Set && !counts => {
                format!("another value takes precedence: {value}, from {origin}")
            }
            value => format!("effective value: {value}, from {origin}"),
        })?)
    }
}
