//! `verger guard suggest`: suggests rules for calls that a person approved repeatedly.

use std::path::Path;

use clap::Args;
use serde_json::json;
use verger_config::{MAX_RULE_FILE_BYTES, Source, read_rules};
use verger_gate::permission::{Suggestion, suggestions};

use crate::config::user_file;
use crate::guard::approvals::Approvals;
use crate::guard::local::{Assumed, LocalGuard, RuleSet};
use crate::guard::rule_text::{From, WrittenRule};
use crate::invocation::command_error::CommandError;
use crate::invocation::context::{Context, tell_passed_over};
use crate::render::output::{Output, Ui};
use crate::render::progress::Meter;
use crate::sessions::event_picker::each_record;
use crate::sessions::recent::RecentArgs;

/// Propose rules for commands that you keep approving.
///
/// A rule is proposed for a command that you approved three times or more. It matches only the
/// subcommand and the options that you approved. Nothing changes until you accept a proposal at a
/// terminal. The rule is then added at the end of your guard.toml; everything else in the file
/// stays as it is.
#[derive(Debug, Args)]
pub(crate) struct SuggestArgs {
    /// The proposal to show or to accept.
    name: Option<String>,

    /// Add the proposed rule to your guard.toml.
    #[arg(long, requires = "name")]
    accept: bool,

    #[command(flatten)]
    recent: RecentArgs,
}

pub(super) fn suggest(
    ui: &mut Ui,
    context: &Context,
    args: &SuggestArgs,
) -> Result<(), CommandError> {
    let lines = approved(ui, context, args)?;
    let local_guard = LocalGuard::here(context, Assumed::Trusted)?;
    let rules = RuleSet::of(&local_guard);
    let mut suggested = suggestions(lines.iter().map(String::as_str), &rules.rules());
    if let Some(name) = &args.name {
        suggested.retain(|suggestion| suggestion.rule().name == name);
        let Some(suggestion) = suggested.first() else {
            return Err(CommandError::Usage {
                message: format!("no proposal is called {name:?}"),
                hint: "verger guard suggest lists the proposals".to_owned(),
            });
        };
        if args.accept {
            return accept(ui, context, suggestion);
        }
    }
    report(ui, &suggested)
}

fn approved(ui: &Ui, context: &Context, args: &SuggestArgs) -> Result<Vec<String>, CommandError> {
    let store = context.open_store(ui)?;
    let segments = args.recent.segments(context, &store)?;
    let mut meter = Meter::new(ui, "reading segment");
    let mut lines = Vec::new();
    for (done, segment) in (1..).zip(&segments) {
        let mut approvals = Approvals::default();
        each_record(&store, segment, &mut |record| approvals.add(&record))?;
        lines.extend(approvals.into_lines());
        meter.update(done, segments.len());
    }
    drop(meter);
    tell_passed_over(ui, &store);
    Ok(lines)
}

fn written(suggestion: &Suggestion) -> WrittenRule<'_> {
    WrittenRule {
        rule: suggestion.rule(),
        matches: suggestion.matches.iter().map(String::as_str).collect(),
        not_matches: suggestion.not_matches.iter().map(String::as_str).collect(),
        from: From::User,
    }
}

fn report(ui: &mut Ui, suggested: &[Suggestion]) -> Result<(), CommandError> {
    if ui.output() == Output::Json {
        let suggested = suggested.iter().map(|suggestion| {
            let mut value = written(suggestion).to_json();
            value["times"] = json!(suggestion.times);
            value
        });
        return Ok(ui.json(&json!({ "suggestions": suggested.collect::<Vec<_>>() }))?);
    }
    for suggestion in suggested {
        ui.line(format!("# approved {} times", suggestion.times))?;
        for line in written(suggestion).to_toml().lines() {
            ui.line(line)?;
        }
        ui.line("")?;
    }
    Ok(ui.note(match suggested {
        [] => "no command that you approved often fits a narrow rule".to_owned(),
        [first, ..] => {
            format!(
                "verger guard suggest --accept {} adds it to your guard.toml",
                first.rule().name
            )
        }
    })?)
}

fn accept(ui: &mut Ui, context: &Context, suggestion: &Suggestion) -> Result<(), CommandError> {
    let home = context.home()?;
    let path = home.guard_file();
    let _lock = user_file::lock(&home.config)?;
    let before = read(&path)?;
    let rule = written(suggestion).to_toml();
    let blank = match before.as_str() {
        "" => "",
        text if text.ends_with('\n') => "\n",
        _ => "\n\n",
    };
    let after = format!("{before}{blank}{rule}");
    let names = |text: &str| -> Vec<String> {
        let (tables, _) = read_rules(Source { file: "", bytes: text.as_bytes() });
        tables.into_iter().map(|table| table.name).collect()
    };
    let name = suggestion.rule().name;
    let wanted = [names(&before), vec![name.to_owned()]].concat();
    if after.len() > MAX_RULE_FILE_BYTES || names(&after) != wanted {
        return Err(left_alone(&path, "a rule at the end of the file would have no effect"));
    }
    user_file::replace(&path, after.as_bytes())?;
    if ui.output() == Output::Json {
        let file = path.display().to_string();
        return Ok(ui.json(&json!({ "accepted": name, "file": file }))?);
    }
    ui.line(format!("added {name} to {}", path.display()))?;
    Ok(ui.note("verger guard rules --check runs its examples")?)
}

fn read(path: &Path) -> Result<String, CommandError> {
    let bytes = match std::fs::read(path) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Vec::new(),
        Err(error) => return Err(left_alone(path, &error.to_string())),
    };
    String::from_utf8(bytes).map_err(|_| left_alone(path, "it is not UTF-8"))
}

fn left_alone(path: &Path, why: &str) -> CommandError {
    CommandError::Usage {
        message: format!("{} was not changed: {why}", path.display()),
        hint: "verger guard rules --check shows what is wrong with the file".to_owned(),
    }
}
