//! The commands, one file each.

mod completions;
mod config;
mod context;
mod decide;
mod demo;
mod doctor;
mod drift;
mod guard;
mod help;
mod hook;
mod init;
mod learn;
mod log;
mod observe;
mod recall;
mod recall_eval;
mod reference;
mod reflect;
mod release;
mod review;
mod session;
mod skip;
mod stats;
mod status;
mod tasks;
mod trust;
mod undo;
mod uninstall;
mod verify;
mod why;

pub use help::GROUPS;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};

use crate::invocation::authority::Invocation;
use crate::invocation::command_error::CommandError;
use crate::invocation::context::Context;
use crate::render::output::{Output, Ui, Volume};

/// Keeps coding agents honest, on course, safe, learning and in step.
///
/// Exit codes: 0 done, 1 something wrong was found, 2 the arguments do not fit, 3 verger's files or
/// the system failed, 4 only a person may do this, 5 it cannot be said yet.
#[derive(Debug, Parser)]
#[command(name = "verger", version, max_term_width = 100)]
pub(crate) struct Arguments {
    /// Print JSON for programs.
    #[arg(long, global = true)]
    json: bool,

    /// Print what was asked for and errors, nothing else.
    #[arg(long, short, global = true)]
    quiet: bool,

    #[command(subcommand)]
    command: Command,
}

/// In the order of the help; commands for agents and their programs come last and are hidden.
#[derive(Debug, Subcommand)]
enum Command {
    Init(init::InitArgs),
    Uninstall(uninstall::UninstallArgs),
    Doctor(doctor::DoctorArgs),
    #[command(subcommand)]
    Config(config::ConfigCommand),
    Trust(trust::TrustArgs),
    Demo(demo::DemoArgs),
    Status(status::StatusArgs),
    #[command(subcommand)]
    Session(session::SessionCommand),
    Why(why::WhyArgs),
    Drift(drift::DriftArgs),
    Tasks(tasks::TasksArgs),
    Stats(stats::StatsArgs),
    #[command(subcommand)]
    Log(log::LogCommand),
    Verify(verify::VerifyArgs),
    Release(release::ReleaseArgs),
    #[command(subcommand)]
    Undo(undo::UndoCommand),
    #[command(subcommand)]
    Guard(guard::GuardCommand),
    #[command(subcommand)]
    Learn(learn::LearnCommand),
    #[command(hide = true)]
    Hook(hook::HookArgs),
    #[command(hide = true)]
    Context(context::ContextArgs),
    #[command(hide = true)]
    Decide(decide::DecideArgs),
    #[command(subcommand, hide = true)]
    Review(review::ReviewCommand),
    #[command(hide = true)]
    Reflect(reflect::ReflectArgs),
    #[command(hide = true)]
    Observe(observe::ObserveArgs),
    #[command(hide = true)]
    Ref(reference::RefArgs),
    #[command(hide = true)]
    Recall(recall::RecallArgs),
    #[command(hide = true)]
    RecallEval(recall_eval::RecallEvalArgs),
    #[command(hide = true)]
    Skip(skip::SkipArgs),
    #[command(hide = true)]
    Completions(completions::CompletionsArgs),
}

impl Arguments {
    pub(crate) fn output(&self) -> Output {
        if self.json { Output::Json } else { Output::Text }
    }

    /// Checks arguments whose errors are reported before the check of who may run the command.
    pub(crate) fn check(&self) -> Result<(), CommandError> {
        match &self.command {
            Command::Config(command) => command.check(),
            _ => Ok(()),
        }
    }

    pub(crate) fn volume(&self) -> Volume {
        if self.quiet { Volume::Quiet } else { Volume::Normal }
    }
}

/// The command line's definition, for references and completions.
pub fn command_line() -> clap::Command {
    help::with_groups(Arguments::command())
}

/// All commands without subcommands, in order: each command's full name and its definition.
pub fn leaves() -> Vec<(String, clap::Command)> {
    let mut root = command_line();
    root.build();
    leaves_below(&root, "")
}

fn leaves_below(command: &clap::Command, path: &str) -> Vec<(String, clap::Command)> {
    let below = command.get_subcommands().filter(|below| below.get_name() != "help");
    let below: Vec<_> = below
        .flat_map(|below| {
            let path = format!("{path} {}", below.get_name());
            leaves_below(below, path.trim_start())
        })
        .collect();
    let is_one = below.is_empty() || (!path.is_empty() && !command.is_subcommand_required_set());
    let itself = is_one.then(|| (path.to_owned(), command.clone()));
    itself.into_iter().chain(below).collect()
}

/// Parses the command line. The [`Invocation`] determines who may run the command.
pub(crate) fn parse() -> Result<(Arguments, Invocation), clap::Error> {
    let matches = command_line().try_get_matches()?;
    let arguments = Arguments::from_arg_matches(&matches)?;
    Ok((arguments, Invocation::of(&matches)))
}

pub(crate) fn run(
    arguments: Arguments,
    ui: &mut Ui,
    context: &Context,
) -> Result<(), CommandError> {
    match arguments.command {
        Command::Init(args) => init::init(ui, context, &args),
        Command::Uninstall(args) => uninstall::uninstall(ui, context, &args),
        Command::Doctor(args) => doctor::doctor(ui, context, &args),
        Command::Config(command) => config::config(ui, context, &command),
        Command::Trust(args) => trust::trust(ui, context, &args),
        Command::Demo(args) => demo::demo(ui, context, &args),
        Command::Status(args) => status::status(ui, context, &args),
        Command::Session(command) => session::session(ui, context, &command),
        Command::Why(args) => why::why(ui, context, &args),
        Command::Drift(args) => drift::drift(ui, context, &args),
        Command::Tasks(args) => tasks::tasks(ui, context, &args),
        Command::Stats(args) => stats::stats(ui, context, &args),
        Command::Log(command) => log::log(ui, context, &command),
        Command::Verify(args) => verify::verify(ui, context, &args),
        Command::Release(args) => release::release(ui, context, &args),
        Command::Undo(command) => undo::undo(ui, context, &command),
        Command::Guard(command) => guard::guard(ui, context, &command),
        Command::Learn(command) => learn::learn(ui, context, &command),
        Command::Hook(args) => {
            hook::hook(args);
            Ok(())
        }
        Command::Context(args) => context::context(ui, context, &args),
        Command::Decide(args) => decide::decide(ui, context, &args),
        Command::Review(command) => review::review(ui, context, &command),
        Command::Reflect(args) => reflect::reflect(ui, context, &args),
        Command::Observe(args) => observe::observe(ui, context, &args),
        Command::Ref(args) => reference::refer(ui, context, &args),
        Command::Recall(args) => recall::recall(ui, context, &args),
        Command::RecallEval(args) => recall_eval::recall_eval(ui, &args),
        Command::Skip(args) => skip::skip(ui, context, &args),
        Command::Completions(args) => completions::completions(ui, &args),
    }
}

#[cfg(test)]
mod tests;
