//! A command line in the form that habits need: its commands, their directories, and facts about
//! the system.

use verger_shell::{Inside, Script, Word};

use super::signed::Signatures;
use crate::permission::{Ground, Moves, bare_name, root_of};

/// A command line that an agent wants to run, with its context.
#[derive(Clone, Copy)]
pub struct Scene<'a> {
    /// The parsed command line.
    pub script: &'a Script,
    /// The directories from which the paths on the command line are resolved.
    pub ground: &'a Ground<'a>,
    /// The agent that wants to run the command line.
    pub caller: Caller,
    /// The signatures of coding agents.
    pub signatures: &'a Signatures<'a>,
    /// Facts about the system, which are looked up on demand.
    pub surroundings: &'a dyn Surroundings,
}

/// The kind of agent that wants to run a command line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Caller {
    /// The main agent.
    Main,
    /// A subagent.
    Subagent,
}

/// Facts about the system that are looked up only when a habit depends on them.
pub trait Surroundings {
    /// The branch that is checked out in a directory.
    fn branch(&self, directory: &str) -> Option<String>;

    /// Whether the directory is the top directory of a repository.
    fn is_top(&self, directory: &str) -> bool;

    /// Whether a program with this name is installed.
    fn is_installed(&self, program: &str) -> bool;
}

/// A scene, and the directory changes of its command line.
pub(super) struct Line<'a> {
    pub(super) scene: &'a Scene<'a>,
    moves: Moves,
}

/// A command of the command line.
#[derive(Clone, Copy)]
pub(super) struct Call<'s> {
    pub(super) index: usize,
    /// All words of the command. The first word is the program's name.
    pub(super) argv: &'s [Word],
}

impl<'a> Line<'a> {
    pub(super) fn new(scene: &'a Scene<'a>) -> Self {
        Self { scene, moves: Moves::of(scene.script, scene.ground) }
    }

    pub(super) fn script(&self) -> &'a Script {
        self.scene.script
    }

    /// The commands that run these programs on this machine. If the variables of a command are
    /// known, the result has the variants with their values instead of the command itself.
    pub(super) fn calls(&self, programs: &[&str]) -> impl Iterator<Item = Call<'a>> {
        let script = self.scene.script;
        (0..script.commands.len()).filter_map(move |index| {
            let command = &script.commands[index];
            let is_counted = command.inside != Inside::Readings && !script.runs_elsewhere(index);
            let name = bare_name(command).filter(|_| is_counted)?;
            let argv = &command.argv[..];
            programs.contains(&name.as_str()).then_some(Call { index, argv })
        })
    }

    /// The most likely working directory of the command with this index.
    pub(super) fn directory(&self, index: usize) -> String {
        let root = root_of(self.scene.script, index);
        self.moves.before(root).next_back().unwrap_or(".").to_owned()
    }

    /// The absolute path of `path` as seen from `directory`.
    pub(super) fn path(&self, directory: &str, path: &str) -> String {
        Ground { cwd: Some(directory), ..*self.scene.ground }.absolute(path)
    }

    /// Whether the command `one` comes before the command `other` on the command line.
    pub(super) fn is_before(&self, one: usize, other: usize) -> bool {
        let place = |index| (root_of(self.scene.script, index), index);
        place(one) < place(other)
    }

    /// Whether a directory is the top directory of the project or of a repository.
    pub(super) fn is_whole_project(&self, directory: &str) -> bool {
        self.scene.ground.root == Some(directory) || self.scene.surroundings.is_top(directory)
    }
}
