//! The help of `verger` itself: the commands for people, in groups.

use clap::Command;
use clap::builder::styling::Styles;

/// The commands for people: each group with its heading, in the order of the help.
pub const GROUPS: &[(&str, &[&str])] = &[
    ("Set up", &["init", "uninstall", "doctor", "config", "trust", "demo"]),
    ("See", &["status", "session", "why", "drift", "tasks", "stats", "log"]),
    ("Act", &["verify", "release", "undo", "guard"]),
    ("Learn", &["learn"]),
];

/// Wide enough for the longest name of a command.
const NAME_WIDTH: usize = 9;

/// The command line with its commands in groups. The help lists them by a template, because clap
/// has only one heading for all subcommands.
pub(super) fn with_groups(command: Command) -> Command {
    let template = template(&command);
    command.help_template(template)
}

fn template(command: &Command) -> String {
    let styles = Styles::default();
    let (header, literal) = (styles.get_header(), styles.get_literal());
    let row = |name: &&str| {
        let about = command.find_subcommand(name)?.get_about()?;
        Some(format!("  {literal}{name:<NAME_WIDTH$}{literal:#}  {about}\n"))
    };
    let group = |(heading, names): &(&str, &[&str])| {
        let rows: String = names.iter().filter_map(row).collect();
        format!("{header}{heading}:{header:#}\n{rows}\n")
    };
    let groups: String = GROUPS.iter().map(group).collect();
    format!(
        "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{groups}{header}Options:{header:#}\n{{options}}{{after-help}}"
    )
}
