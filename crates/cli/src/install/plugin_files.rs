//! The plugin and its marketplace, which verger carries and writes itself.

use std::borrow::Cow;
use std::fs;
use std::io;
use std::path::Path;

use verger_agent::Guarding;

use super::agent;
use crate::user_file::{self, NotReplaced};

/// A file of the marketplace.
pub(crate) struct PluginFile {
    /// Below the marketplace's directory.
    pub(crate) path: &'static str,
    /// Where the guard does not enforce.
    pub(crate) text: &'static str,
    purpose: Purpose,
}

/// The file that registers the hooks.
const HOOKS: &str = "plugin/hooks/hooks.json";

/// What the agent does with a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Purpose {
    Read,
    Start,
}

pub(crate) const FILES: &[PluginFile] = &[
    PluginFile {
        path: ".claude-plugin/marketplace.json",
        text: include_str!("../../../../.claude-plugin/marketplace.json"),
        purpose: Purpose::Read,
    },
    PluginFile {
        path: "plugin/.claude-plugin/plugin.json",
        text: include_str!("../../../../plugin/.claude-plugin/plugin.json"),
        purpose: Purpose::Read,
    },
    PluginFile {
        path: "plugin/README.md",
        text: include_str!("../../../../plugin/README.md"),
        purpose: Purpose::Read,
    },
    PluginFile {
        path: "plugin/agents/reviewer.md",
        text: include_str!("../../../../plugin/agents/reviewer.md"),
        purpose: Purpose::Read,
    },
    PluginFile {
        path: "plugin/skills/maintain/SKILL.md",
        text: include_str!("../../../../plugin/skills/maintain/SKILL.md"),
        purpose: Purpose::Read,
    },
    PluginFile {
        path: "plugin/skills/observe/SKILL.md",
        text: include_str!("../../../../plugin/skills/observe/SKILL.md"),
        purpose: Purpose::Read,
    },
    PluginFile {
        path: "plugin/skills/reflect/SKILL.md",
        text: include_str!("../../../../plugin/skills/reflect/SKILL.md"),
        purpose: Purpose::Read,
    },
    PluginFile {
        path: "plugin/skills/review/SKILL.md",
        text: include_str!("../../../../plugin/skills/review/SKILL.md"),
        purpose: Purpose::Read,
    },
    PluginFile {
        path: "plugin/skills/search/SKILL.md",
        text: include_str!("../../../../plugin/skills/search/SKILL.md"),
        purpose: Purpose::Read,
    },
    PluginFile {
        path: "plugin/skills/skip/SKILL.md",
        text: include_str!("../../../../plugin/skills/skip/SKILL.md"),
        purpose: Purpose::Read,
    },
    PluginFile {
        path: "plugin/skills/status/SKILL.md",
        text: include_str!("../../../../plugin/skills/status/SKILL.md"),
        purpose: Purpose::Read,
    },
    PluginFile {
        path: "plugin/skills/verify/SKILL.md",
        text: include_str!("../../../../plugin/skills/verify/SKILL.md"),
        purpose: Purpose::Read,
    },
    PluginFile {
        path: HOOKS,
        text: include_str!("../../../../plugin/hooks/hooks.json"),
        purpose: Purpose::Read,
    },
    PluginFile {
        path: "plugin/hooks/launch",
        text: include_str!("../../../../plugin/hooks/launch"),
        purpose: Purpose::Start,
    },
];

impl PluginFile {
    fn text(&self, guarding: Guarding) -> Cow<'static, str> {
        match guarding {
            Guarding::Enforcing if self.path == HOOKS => agent().plugin_hooks(guarding).into(),
            Guarding::Enforcing | Guarding::Watching => self.text.into(),
        }
    }

    fn is_current(&self, marketplace: &Path, guarding: Guarding) -> bool {
        let path = marketplace.join(self.path);
        fs::read(&path).is_ok_and(|bytes| bytes == self.text(guarding).as_bytes())
            && (self.purpose == Purpose::Read || user_file::is_runnable(&path))
    }
}

/// How the plugin's hooks are registered, where they are those of this version.
pub(crate) fn guarding(marketplace: &Path) -> Option<Guarding> {
    let hooks = FILES.iter().find(|file| file.path == HOOKS)?;
    [Guarding::Watching, Guarding::Enforcing]
        .into_iter()
        .find(|guarding| hooks.is_current(marketplace, *guarding))
}

/// The files that are missing or not those of this version.
pub(crate) fn stale(marketplace: &Path, guarding: Guarding) -> Vec<&'static PluginFile> {
    FILES.iter().filter(|file| !file.is_current(marketplace, guarding)).collect()
}

/// Writes what is not current. What starts the hooks comes before what registers them.
pub(crate) fn write(marketplace: &Path, guarding: Guarding) -> Result<(), NotReplaced> {
    for file in stale(marketplace, guarding).into_iter().rev() {
        let replace = match file.purpose {
            Purpose::Read => user_file::replace,
            Purpose::Start => user_file::replace_program,
        };
        replace(&marketplace.join(file.path), file.text(guarding).as_bytes())?;
    }
    Ok(())
}

/// Removes all of them.
pub(crate) fn remove(marketplace: &Path) -> Result<(), NotReplaced> {
    match fs::remove_dir_all(marketplace) {
        Err(source) if source.kind() != io::ErrorKind::NotFound => {
            Err(NotReplaced::Io { action: "remove", path: marketplace.to_owned(), source })
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
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
        let manifest: serde_json::Value = serde_json::from_str(manifest.text).unwrap();
        assert_eq!(manifest["version"], env!("CARGO_PKG_VERSION"));
    }
}
