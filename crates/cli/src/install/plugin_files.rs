//! The plugin and its marketplace. Their files are built into verger, which writes them itself.

use std::borrow::Cow;
use std::fs;
use std::io;
use std::path::Path;

use verger_agent::{AgentSpec, Guarding};

use super::parts::{LeftOut, OptionalPart};
use super::places::Places;
use crate::config::user_file::{self, NotReplaced};

/// A file of the marketplace.
pub(crate) struct PluginFile {
    /// The path below the marketplace's directory.
    pub(crate) path: &'static str,
    content: Content,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Content {
    Text(&'static str),
    /// A text that the agent starts as a program.
    Program(&'static str),
    /// The file that registers the agent's hooks.
    Hooks,
}

const HOOKS: PluginFile = PluginFile { path: "plugin/hooks/hooks.json", content: Content::Hooks };

pub(crate) const FILES: &[PluginFile] = &[
    PluginFile {
        path: ".claude-plugin/marketplace.json",
        content: Content::Text(include_str!("../../../../.claude-plugin/marketplace.json")),
    },
    PluginFile {
        path: "plugin/.claude-plugin/plugin.json",
        content: Content::Text(include_str!("../../../../plugin/.claude-plugin/plugin.json")),
    },
    PluginFile {
        path: "plugin/README.md",
        content: Content::Text(include_str!("../../../../plugin/README.md")),
    },
    PluginFile {
        path: "plugin/agents/reviewer.md",
        content: Content::Text(include_str!("../../../../plugin/agents/reviewer.md")),
    },
    PluginFile {
        path: "plugin/skills/maintain/SKILL.md",
        content: Content::Text(include_str!("../../../../plugin/skills/maintain/SKILL.md")),
    },
    PluginFile {
        path: "plugin/skills/observe/SKILL.md",
        content: Content::Text(include_str!("../../../../plugin/skills/observe/SKILL.md")),
    },
    PluginFile {
        path: "plugin/skills/reflect/SKILL.md",
        content: Content::Text(include_str!("../../../../plugin/skills/reflect/SKILL.md")),
    },
    PluginFile {
        path: "plugin/skills/review/SKILL.md",
        content: Content::Text(include_str!("../../../../plugin/skills/review/SKILL.md")),
    },
    PluginFile {
        path: "plugin/skills/search/SKILL.md",
        content: Content::Text(include_str!("../../../../plugin/skills/search/SKILL.md")),
    },
    PluginFile {
        path: "plugin/skills/skip/SKILL.md",
        content: Content::Text(include_str!("../../../../plugin/skills/skip/SKILL.md")),
    },
    PluginFile {
        path: "plugin/skills/status/SKILL.md",
        content: Content::Text(include_str!("../../../../plugin/skills/status/SKILL.md")),
    },
    PluginFile {
        path: "plugin/skills/verify/SKILL.md",
        content: Content::Text(include_str!("../../../../plugin/skills/verify/SKILL.md")),
    },
    HOOKS,
    PluginFile {
        path: "plugin/hooks/launch",
        content: Content::Program(include_str!("../../../../plugin/hooks/launch")),
    },
];

/// A file in the marketplace's directory with the parts that the user left out, one per line.
/// Removing the marketplace also removes this file.
const LEFT_OUT: &str = "left-out";

impl PluginFile {
    /// The text of the file. `None` if the text depends on the registration.
    pub(super) fn plain_text(&self) -> Option<&'static str> {
        match self.content {
            Content::Text(text) | Content::Program(text) => Some(text),
            Content::Hooks => None,
        }
    }

    fn part(&self) -> Option<OptionalPart> {
        OptionalPart::of_file(self.path, self.plain_text()?)
    }

    fn text(&self, agent: &AgentSpec, guarding: Guarding) -> Cow<'static, str> {
        match self.content {
            Content::Text(text) | Content::Program(text) => text.into(),
            Content::Hooks => agent.plugin_hooks(guarding).into(),
        }
    }

    fn is_current(&self, places: &Places, guarding: Guarding) -> bool {
        let path = places.user_folder.join(self.path);
        let text = self.text(places.agent, guarding);
        fs::read(&path).is_ok_and(|bytes| bytes == text.as_bytes())
            && (!matches!(self.content, Content::Program(_)) || user_file::is_runnable(&path))
    }
}

/// The guard's mode of the plugin's hooks. `None` if the hooks are not those of this version.
pub(crate) fn guarding(places: &Places) -> Option<Guarding> {
    [Guarding::Watching, Guarding::Enforcing]
        .into_iter()
        .find(|guarding| HOOKS.is_current(places, *guarding))
}

/// The parts that the installation leaves out.
pub(crate) fn left_out(places: &Places) -> LeftOut {
    let text = fs::read_to_string(places.user_folder.join(LEFT_OUT)).unwrap_or_default();
    text.lines().filter_map(OptionalPart::parse).collect()
}

/// Leaves these parts out of this and of later installations.
pub(crate) fn leave_out(places: &Places, parts: &LeftOut) -> Result<(), NotReplaced> {
    if left_out(places) == *parts {
        return Ok(());
    }
    let text: String = parts.iter().flat_map(|part| [part.as_str(), "\n"]).collect();
    user_file::replace(&places.user_folder.join(LEFT_OUT), text.as_bytes())
}

/// The files that are missing, from another version, or of a part that is left out.
pub(crate) fn stale(places: &Places, guarding: Guarding) -> Vec<&'static PluginFile> {
    stale_without(places, guarding, &left_out(places))
}

/// Like [`stale`], as if these parts were left out.
pub(crate) fn stale_without(
    places: &Places,
    guarding: Guarding,
    left_out: &LeftOut,
) -> Vec<&'static PluginFile> {
    let is_stale = |file: &&PluginFile| match file.part() {
        Some(part) if left_out.contains(&part) => places.user_folder.join(file.path).exists(),
        _ => !file.is_current(places, guarding),
    };
    let files = places.agent.install.plugin.map_or(&[][..], |_| FILES);
    files.iter().filter(is_stale).collect()
}

/// Writes the outdated files and removes files of left-out parts. Programs are written before the
/// file that registers them.
pub(crate) fn write(places: &Places, guarding: Guarding) -> Result<(), NotReplaced> {
    make_folder(&places.user_folder)?;
    let left_out = left_out(places);
    for file in stale_without(places, guarding, &left_out).into_iter().rev() {
        if file.part().is_some_and(|part| left_out.contains(&part)) {
            remove_file(&places.user_folder.join(file.path))?;
            continue;
        }
        let replace = match file.content {
            Content::Text(_) | Content::Hooks => user_file::replace,
            Content::Program(_) => user_file::replace_program,
        };
        let text = file.text(places.agent, guarding);
        replace(&places.user_folder.join(file.path), text.as_bytes())?;
    }
    Ok(())
}

fn make_folder(folder: &Path) -> Result<(), NotReplaced> {
    let (action, path) = ("create", folder.to_owned());
    fs::create_dir_all(folder).map_err(|source| NotReplaced::Io { action, path, source })
}

/// Removes a file, and its directory if nothing else is in it.
fn remove_file(path: &Path) -> Result<(), NotReplaced> {
    fs::remove_file(path).map_err(|source| NotReplaced::Io {
        action: "remove",
        path: path.to_owned(),
        source,
    })?;
    // Fails if the directory contains other files.
    drop(path.parent().map(fs::remove_dir));
    Ok(())
}

/// Removes the whole folder.
pub(crate) fn remove(folder: &Path) -> Result<(), NotReplaced> {
    match fs::remove_dir_all(folder) {
        Err(source) if source.kind() != io::ErrorKind::NotFound => {
            Err(NotReplaced::Io { action: "remove", path: folder.to_owned(), source })
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use verger_agent::CLAUDE;

    use super::*;

    #[test]
    fn every_file_of_the_plugin_is_carried() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let mut found = Vec::new();
        let mut folders = vec![root.join("plugin"), root.join(".claude-plugin")];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    folders.push(path);
                } else {
                    found.push(path.strip_prefix(&root).unwrap().to_str().unwrap().to_owned());
                }
            }
        }
        found.sort();
        let mut carried: Vec<_> = FILES.iter().map(|file| file.path.to_owned()).collect();
        carried.sort();
        assert_eq!(found, carried);
    }

    #[test]
    fn the_plugin_has_the_version_of_the_program() {
        let manifest = FILES.iter().find(|file| file.path.ends_with("plugin.json")).unwrap();
        let manifest: serde_json::Value =
            serde_json::from_str(&manifest.text(&CLAUDE, Guarding::Watching)).unwrap();
        assert_eq!(manifest["version"], env!("CARGO_PKG_VERSION"));
    }
}
