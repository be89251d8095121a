//! A command with its context: its command line, and the directories in which it may run.

use std::borrow::Cow;

use verger_shell::{Command, Inside, Place, Script, Word};

use super::directories::Directories;
use super::files;
use super::paths::{Ground, is_below, is_of_somebody};

/// A command that is judged, and its context.
#[derive(Debug, Clone, Copy)]
pub(super) struct Scene<'a> {
    pub(super) script: &'a Script,
    pub(super) index: usize,
    /// The words of the command that is judged.
    pub(super) argv: &'a [Word],
    pub(super) ground: &'a Ground<'a>,
    pub(super) directories: &'a Directories,
}

impl<'a> Scene<'a> {
    pub(super) fn command(&self) -> &'a Command {
        &self.script.commands[self.index]
    }

    /// Whether the command is a variant of another command with the values of its variables. A
    /// value may have been a glob.
    pub(super) fn is_reading(&self) -> bool {
        match self.command().place {
            Place::Within(outer) => self.script.commands[outer].inside == Inside::Readings,
            Place::Line => false,
        }
    }

    /// The words after the program.
    pub(super) fn words(&self) -> &'a [Word] {
        self.argv.get(1..).unwrap_or_default()
    }

    /// The scene of another command on the same command line.
    pub(super) fn at(&self, index: usize) -> Self {
        Self { index, argv: &self.script.commands[index].argv, ..*self }
    }

    /// The scene of the last command of another script, in the same directories. `None` if that
    /// script has no command.
    pub(super) fn at_end_of(&self, script: &'a Script) -> Option<Self> {
        let last = script.commands.len().checked_sub(1)?;
        Some(Self { script, ..*self }.at(last))
    }

    /// The absolute paths that a word may mean, one for each possible directory. `None` if they are
    /// known only when the command line runs.
    pub(super) fn paths(&self, path: &str) -> Option<Vec<String>> {
        if is_of_somebody(path) {
            return None;
        }
        let is_absolute = path.starts_with(['/', '~', '$']);
        match self.directories {
            Directories::Hidden if !is_absolute => None,
            Directories::Hidden => Some(vec![self.ground.absolute(path)]),
            Directories::Known(known) if is_absolute || known.len() == 1 => {
                Some(vec![self.from(known.first().map_or(".", |first| first)).absolute(path)])
            }
            Directories::Known(known) => {
                Some(known.iter().map(|directory| self.from(directory).absolute(path)).collect())
            }
        }
    }

    fn from<'d>(&self, directory: &'d str) -> Ground<'d>
    where
        'a: 'd,
    {
        Ground { cwd: Some(directory), ..*self.ground }
    }

    /// Whether the path is in the project, from each possible directory of the command line.
    pub(super) fn is_inside(&self, path: &str) -> bool {
        !path.starts_with(['~', '$'])
            && self
                .paths(path)
                .is_some_and(|paths| paths.iter().all(|path| self.ground.is_in_project(path)))
    }

    /// Whether a command may read the file without asking, because its name is known and it has no
    /// credentials.
    pub(super) fn is_harmless_file(&self, word: &Word) -> bool {
        files::is_harmless(word, self)
    }

    /// Whether a command may list the file by name. The file may contain credentials, but it must
    /// not be in a directory for credentials.
    pub(super) fn is_harmless_name(&self, word: &Word) -> bool {
        files::is_harmless_name(word, self)
    }

    /// Whether a search is narrow: neither the working directory nor the searched paths include the
    /// whole home, because credentials are there.
    pub(super) fn is_narrow(&self, searched: &[&Word]) -> bool {
        let home = self.ground.absolute("~");
        let is_wide = |path: &str| {
            let paths = self.paths(path);
            paths.is_none_or(|paths| paths.iter().any(|path| is_below(&home, path)))
        };
        !is_wide(".") && !searched.iter().any(|word| is_wide(word.text()))
    }

    /// The directories in which the command may work. `named` are the directories in its options.
    /// `None` if a directory is unknown.
    pub(super) fn work_directories(&self, named: &[&str]) -> Option<Vec<String>> {
        let Directories::Known(known) = self.directories else { return None };
        let mut all = known.clone();
        for directory in named {
            let from: Cow<'_, [String]> = Cow::Borrowed(known);
            all.extend(from.iter().map(|base| self.from(base).absolute(directory)));
        }
        Some(all)
    }
}
