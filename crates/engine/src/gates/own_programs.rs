//! Finds verger's own programs on a command line, under any name. Only the client may start the
//! hook program and the plugin's launcher, and an agent must run `verger` by its own name.
//!
//! A program is verger's if it is one of the installed files or has the same content. Names in
//! `PATH` and globs are resolved. Programs that a script or another program starts are not found.

use std::collections::BTreeSet;
use std::fs::{self, Metadata};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use verger_gate::OwnCommand;
use verger_gate::authority::Audience;
use verger_gate::permission::{fits_name, is_known_program};
use verger_shell::{Command, Script, Word};

use crate::{Environment, Home};

/// Maximum number of a glob's matches, and of a command's words, that are checked.
const MAX_LOOKED_AT: usize = 64;

/// Programs that copy, link or move a file to another name.
const COPIES: &[&str] = &["cp", "gcp", "ln", "gln", "mv", "gmv", "install", "ginstall", "rsync"];

/// Programs whose first operand is a program.
const RUNS_FILE: &[&str] = &["sh", "bash", "dash", "zsh", "ksh", ".", "source"];

/// The names that are reported for verger's programs.
const HOOK_PROGRAM: &str = "verger-hook";
const PROGRAM: &str = "verger";

/// A command line that runs or copies one of verger's programs under another name.
pub(crate) fn renamed_program(
    script: &Script,
    cwd: Option<&str>,
    home: &Home,
    environment: &Environment,
) -> Option<OwnCommand> {
    let search = Search { directories: directories(script, cwd), home, environment };
    script.commands.iter().find_map(|command| search.command(command))
}

/// The directories in which the words of a command line are looked up.
struct Search<'a> {
    directories: Vec<PathBuf>,
    home: &'a Home,
    environment: &'a Environment,
}

/// The directories that the command line may run in: the agent's, and those that the line changes
/// to.
fn directories(script: &Script, cwd: Option<&str>) -> Vec<PathBuf> {
    let cwd = PathBuf::from(cwd.unwrap_or("/"));
    let goes = script.commands.iter().filter(|command| command.runs("cd") || command.runs("pushd"));
    let targets = goes.filter_map(|command| command.argv.get(1)?.literal());
    let targets: Vec<_> = targets.take(MAX_LOOKED_AT).map(|target| cwd.join(target)).collect();
    [cwd].into_iter().chain(targets).collect()
}

impl Search<'_> {
    fn command(&self, command: &Command) -> Option<OwnCommand> {
        let (program, rest) = command.argv.split_first()?;
        // `OwnCommand` handles commands that use verger's own names.
        if command.runs(PROGRAM) || command.runs(HOOK_PROGRAM) {
            return None;
        }
        let name = command.program().unwrap_or_default();
        if COPIES.contains(&name) {
            let mut files = rest.iter().take(MAX_LOOKED_AT).flat_map(|word| self.files(word));
            return files.find_map(|file| self.is_file_of_ours(&file)).map(Ours::not_agents);
        }
        let started = if RUNS_FILE.contains(&name) {
            rest.iter().find(|word| !word.text().starts_with('-'))
        } else {
            Some(program)
        };
        let files = started.map(|word| self.files(word)).unwrap_or_default();
        files.iter().find_map(|file| self.is_ours(file)).map(Ours::not_agents)
    }

    /// The files that a word may name.
    fn files(&self, word: &Word) -> Vec<PathBuf> {
        let text = word.text();
        let text = match (text.strip_prefix("~/"), self.environment.get("HOME")) {
            (Some(below), Some(home)) => Path::new(&home).join(below).display().to_string(),
            _ => text.to_owned(),
        };
        match (word, text.rsplit_once('/')) {
            (Word::Literal(_), None) if is_known_program(&text) => Vec::new(),
            (Word::Literal(_), None) => self.on_path(&text),
            (Word::Literal(_), Some(_)) => self.joined(&text),
            (Word::Spread(_), Some((folder, pattern))) => {
                self.joined(folder).iter().flat_map(|folder| listed(folder, pattern)).collect()
            }
            (Word::Spread(_), None) => {
                self.directories.iter().flat_map(|folder| listed(folder, &text)).collect()
            }
            (Word::Dynamic(_), _) => Vec::new(),
        }
    }

    fn joined(&self, path: &str) -> Vec<PathBuf> {
        let all: BTreeSet<_> = self.directories.iter().map(|folder| folder.join(path)).collect();
        all.into_iter().collect()
    }

    /// The word as a file in the command line's directories, and as the program that the shell
    /// finds in `PATH`.
    fn on_path(&self, name: &str) -> Vec<PathBuf> {
        let path = self.environment.get("PATH").unwrap_or_default();
        let found = std::env::split_paths(&path).map(|folder| folder.join(name));
        let found = found.take(MAX_LOOKED_AT).find(|file| file.is_file());
        self.joined(name).into_iter().chain(found).collect()
    }

    fn ours(&self) -> [(PathBuf, Ours); 4] {
        let data = &self.home.data;
        [
            // This process is the hook program, whatever its path is.
            (PathBuf::from("/proc/self/exe"), Ours::Hook),
            (data.join("bin").join(HOOK_PROGRAM), Ours::Hook),
            (data.join("marketplace/plugin/hooks/launch"), Ours::Hook),
            (data.join("bin").join(PROGRAM), Ours::Cli),
        ]
    }

    /// Whether the file is one of verger's programs or a copy of one.
    fn is_ours(&self, file: &Path) -> Option<Ours> {
        let found = regular(file)?;
        let is_same = |(ours, _): &(PathBuf, Ours)| {
            regular(ours).is_some_and(|known| {
                is_one_file(&found, &known)
                    || (found.len() == known.len()
                        && matches!((fs::read(file), fs::read(ours)), (Ok(a), Ok(b)) if a == b))
            })
        };
        self.ours().into_iter().find(is_same).map(|(_, ours)| ours)
    }

    /// Whether the file itself is one of verger's installed programs.
    fn is_file_of_ours(&self, file: &Path) -> Option<Ours> {
        let found = regular(file)?;
        let is_same = |(ours, _): &(PathBuf, Ours)| {
            regular(ours).is_some_and(|known| is_one_file(&found, &known))
        };
        self.ours().into_iter().find(is_same).map(|(_, ours)| ours)
    }
}

/// One of verger's programs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Ours {
    Hook,
    Cli,
}

impl Ours {
    fn not_agents(self) -> OwnCommand {
        let (command, audience) = match self {
            Self::Hook => (HOOK_PROGRAM, Audience::Client),
            Self::Cli => (PROGRAM, Audience::Ground),
        };
        OwnCommand::NotAgents { command: command.to_owned(), audience }
    }
}

/// The metadata of a regular file. An empty file is no program.
fn regular(path: &Path) -> Option<Metadata> {
    fs::metadata(path).ok().filter(|found| found.is_file() && found.len() > 0)
}

fn is_one_file(one: &Metadata, other: &Metadata) -> bool {
    (one.dev(), one.ino()) == (other.dev(), other.ino())
}

/// The files in a directory whose names match the pattern.
fn listed(folder: &Path, pattern: &str) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let fits = |path: &PathBuf| {
        path.file_name().is_some_and(|name| fits_name(pattern, &name.to_string_lossy()))
    };
    let paths = entries.take(MAX_LISTED).filter_map(|entry| Some(entry.ok()?.path()));
    paths.filter(fits).take(MAX_LOOKED_AT).collect()
}

/// Maximum number of a directory's entries that are read.
const MAX_LISTED: usize = 4096;

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn our_programs_are_known_under_any_name() {
        let root = tempfile::tempdir().unwrap();
        let root = root.path().canonicalize().unwrap();
        let data = root.join("data");
        for (path, content) in [
            ("data/bin/verger-hook", "the hook"),
            ("data/bin/verger", "the cli"),
            ("data/marketplace/plugin/hooks/launch", "the launcher"),
            ("p/x", "the hook"),
            ("p/y", "the cli"),
            ("p/other", "the hoop"),
            ("p/empty", ""),
            ("path/tool", "the hook"),
        ] {
            fs::create_dir_all(root.join(path).parent().unwrap()).unwrap();
            fs::write(root.join(path), content).unwrap();
        }
        symlink(data.join("bin/verger-hook"), root.join("p/link")).unwrap();
        let home = Home { data: data.clone(), config: root.join("config") };
        let path = root.join("path").into_os_string();
        let environment: Environment = [("PATH".into(), path)].into_iter().collect();
        let cwd = root.join("p").display().to_string();
        let found = |line: &str| {
            let line = line.replace("DATA", &data.display().to_string());
            let script = verger_shell::read(&line);
            match renamed_program(&script, Some(&cwd), &home, &environment) {
                Some(OwnCommand::NotAgents { command, .. }) => command,
                None => "-".to_owned(),
                Some(other) => panic!("{other:?}"),
            }
        };
        for (line, expected) in [
            ("./x claude SubagentStart plugin < forged.json", HOOK_PROGRAM),
            ("printf '{}' | ./x claude SubagentStart", HOOK_PROGRAM),
            ("exec ./link claude SubagentStart < forged.json", HOOK_PROGRAM),
            ("DATA/bin/verger-ho* claude SubagentStart < forged.json", HOOK_PROGRAM),
            ("DATA/marketplace/plugin/hooks/launch claude SubagentStart", HOOK_PROGRAM),
            ("sh DATA/marketplace/plugin/hooks/launch claude Stop", HOOK_PROGRAM),
            ("cd DATA/marketplace/plugin/hooks && ./launch claude Stop", HOOK_PROGRAM),
            ("cp DATA/bin/verger-hook /tmp/x", HOOK_PROGRAM),
            ("ln -s DATA/bin/verger-h* y", HOOK_PROGRAM),
            ("tool claude Stop", HOOK_PROGRAM),
            ("./y release review", PROGRAM),
            ("./other claude Stop", "-"),
            ("./empty", "-"),
            ("./x.sh", "-"),
            ("ls DATA/bin", "-"),
            ("cat x", "-"),
            ("cp x z", "-"),
            ("verger status", "-"),
        ] {
            assert_eq!(found(line), expected, "{line}");
        }
    }
}
