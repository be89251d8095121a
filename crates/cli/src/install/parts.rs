//! The parts that `verger init` adds to an agent, and the cost of each in the agent's context.

use std::collections::BTreeSet;

use clap::ValueEnum;
use serde_json::{Value, json};
use verger_agent::AgentSpec;

use super::agent_commands;
use super::plugin_files::FILES;
use super::setup::Level;

/// The approximate number of bytes of text per token.
const BYTES_PER_TOKEN: usize = 4;

/// A part that `verger init` adds to an agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Part {
    Hooks,
    Optional(OptionalPart),
}

/// A part that can be left out. Without hooks there is no registration.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, ValueEnum)]
pub(crate) enum OptionalPart {
    /// The commands of verger that agents may run without asking.
    Permissions,
    /// Instructions that the model can load.
    Skills,
    /// Commands that only people type.
    Commands,
    /// The reviewer.
    Subagent,
}

/// The parts that are left out.
pub(crate) type LeftOut = BTreeSet<OptionalPart>;

/// One installed part.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Addition {
    pub(crate) part: Part,
    pub(crate) names: Vec<String>,
    /// The number of bytes that the client adds to each request to the model.
    context_bytes: usize,
}

impl OptionalPart {
    const ALL: [Self; 4] = [Self::Permissions, Self::Skills, Self::Commands, Self::Subagent];

    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Permissions => "permissions",
            Self::Skills => "skills",
            Self::Commands => "commands",
            Self::Subagent => "subagent",
        }
    }

    pub(crate) fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|part| part.as_str() == word)
    }

    /// The optional part that a file of the plugin belongs to. `None` if the file is always
    /// installed.
    pub(crate) fn of_file(path: &str, text: &str) -> Option<Self> {
        if path.starts_with("plugin/agents/") {
            Some(Self::Subagent)
        } else if path.starts_with("plugin/skills/") {
            let is_for_people = field(text, "disable-model-invocation") == Some("true");
            Some(if is_for_people { Self::Commands } else { Self::Skills })
        } else {
            None
        }
    }

    /// The effect of leaving the part out.
    pub(crate) fn loss(self) -> &'static str {
        match self {
            Self::Permissions => "the client asks before an agent runs a command of verger",
            Self::Skills => "agents know verger's commands only from its messages",
            Self::Commands => "/verger:status and /verger:maintain are missing",
            Self::Subagent => "reviews need a program: verger config set review.reviewer",
        }
    }
}

impl Part {
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Hooks => "hooks",
            Self::Optional(part) => part.as_str(),
        }
    }
}

impl Addition {
    pub(crate) fn tokens(&self) -> usize {
        self.context_bytes.div_ceil(BYTES_PER_TOKEN)
    }

    /// The cost of the part, in words.
    pub(crate) fn cost(&self) -> String {
        match (self.part, self.tokens()) {
            (Part::Hooks, _) => "0 tokens until they send a message".to_owned(),
            (_, 0) => "0 tokens".to_owned(),
            (_, tokens) => format!("about {tokens} tokens"),
        }
    }

    pub(crate) fn names_text(&self) -> String {
        match self.part {
            Part::Optional(OptionalPart::Permissions) => {
                format!("{} commands of verger that agents run without asking", self.names.len())
            }
            _ => self.names.join(", "),
        }
    }

    pub(crate) fn to_json(&self) -> Value {
        json!({ "part": self.part.as_str(), "names": self.names, "context_tokens": self.tokens() })
    }
}

/// The parts that are added to an agent. Only the plugin has skills, commands and a subagent.
pub(crate) fn additions(agent: &AgentSpec, level: Level, left_out: &LeftOut) -> Vec<Addition> {
    let events = agent.registered_events().map(|(event, _)| event.name.to_owned());
    let mut additions =
        vec![Addition { part: Part::Hooks, names: events.collect(), context_bytes: 0 }];
    for part in OptionalPart::ALL.into_iter().filter(|part| !left_out.contains(part)) {
        let mut names = vec![];
        let mut context_bytes = 0;
        if part == OptionalPart::Permissions {
            let permission = |command| match level {
                Level::User => agent.install.permission_name(command),
                Level::Local | Level::Project => agent.install.permission(command),
            };
            names.extend(agent_commands().into_iter().filter_map(permission));
        }
        let has_plugin = level == Level::User && agent.install.plugin.is_some();
        for file in FILES.iter().filter(|_| has_plugin) {
            let Some(text) = file.plain_text() else { continue };
            if OptionalPart::of_file(file.path, text) != Some(part) {
                continue;
            }
            let name = field(text, "name").unwrap_or(file.path);
            let shown = if part == OptionalPart::Commands { "/verger:" } else { "verger:" };
            names.push(format!("{shown}{name}"));
            if part != OptionalPart::Commands {
                context_bytes += listing(name, text).len();
            }
        }
        if !names.is_empty() {
            additions.push(Addition { part: Part::Optional(part), names, context_bytes });
        }
    }
    additions
}

/// The line that the client shows to the model for a skill or a subagent.
fn listing(name: &str, text: &str) -> String {
    let description = field(text, "description").unwrap_or_default();
    let tools = field(text, "tools").map(|tools| format!(" (Tools: {tools})")).unwrap_or_default();
    format!("- verger:{name}: {description}{tools}\n")
}

/// A field of the front matter of a Markdown file.
fn field<'t>(text: &'t str, name: &str) -> Option<&'t str> {
    let (front, _) = text.strip_prefix("---\n")?.split_once("\n---")?;
    front.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "))
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use verger_agent::CLAUDE;

    use super::*;

    fn rows(level: Level, left_out: &LeftOut) -> Vec<String> {
        let additions = additions(&CLAUDE, level, left_out);
        let row = |added: &Addition| {
            let names = match added.part {
                Part::Hooks => format!("{} events", added.names.len()),
                Part::Optional(_) => added.names_text(),
            };
            format!("| {} | {names} | {} |", added.part.as_str(), added.cost())
        };
        additions.iter().map(row).collect()
    }

    #[test]
    fn the_readme_lists_what_init_adds() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../README.md");
        let readme = fs::read_to_string(path).unwrap();
        for row in rows(Level::User, &LeftOut::new()) {
            assert!(readme.contains(&row), "README.md lacks the line\n{row}");
        }
    }

    #[test]
    fn a_part_that_is_left_out_is_not_added() {
        let names = |level, left_out: &[OptionalPart]| {
            let left_out = left_out.iter().copied().collect();
            let additions = additions(&CLAUDE, level, &left_out);
            additions.iter().map(|added| added.part.as_str()).collect::<Vec<_>>()
        };
        assert_eq!(
            names(Level::User, &[]),
            ["hooks", "permissions", "skills", "commands", "subagent"]
        );
        assert_eq!(
            names(Level::User, &[OptionalPart::Skills, OptionalPart::Subagent]),
            ["hooks", "permissions", "commands"]
        );
        assert_eq!(names(Level::Local, &[]), ["hooks", "permissions"]);
        assert_eq!(names(Level::User, &OptionalPart::ALL), ["hooks"]);
    }
}
