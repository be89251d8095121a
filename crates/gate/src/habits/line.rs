//! A shell line in the form that habits need: its commands, their directories, and the
//! surroundings.

use verger_shell::{Inside, Script, Word};

use super::signed::Signatures;
use crate::permission::{Ground, Moves, bare_name, root_of};

/// A line that an agent wants to run, with its context.
#[derive(Clone, Copy)]
pub struct Scene<'a> {
    /// The line.
    pub script: &'a Script,
    /// The directories of the line.
    pub ground: &'a Ground<'a>,
    /// The agent that wants to run it.
    pub caller: Caller,
    /// The signatures of coding agents.
    pub signatures: &'a Signatures<'a>,
    /// Facts of the system, looked up on demand.
    pub surroundings: &'a dyn Surroundings,
}

/// The kind of agent that wants to run a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Caller {
    /// The main agent.
    Main,
    /// A subagent.
    Subagent,
}

/// Facts of the system that are looked up only when a habit depends on them.
pub trait Surroundings {
    /// The branch that is checked out in a directory.
    fn branch(&self, directory: &str) -> Option<String>;

    /// Whether the directory is the top directory of a repository.
    fn is_top(&self, directory: &str) -> bool;

    /// Whether a program with this name is installed.
    fn is_installed(&self, program: &str) -> bool;
}

/// The scene, and the directory changes of the line.
pub(super) struct Line<'a> {
    pub(super) scene: &'a Scene<'a>,
    moves: Moves,
}

/// A command of the line.
#[derive(Clone, Copy)]
pub(super) struct Call<'s> {
    pub(super) index: usize,
    /// All words; the program's name is the first.
    pub(super) argv: &'s [Word],
}

impl<'a> Line<'a> {
    pub(super) fn new(scene: &'a Scene<'a>) -> Self {
        Self { scene, moves: Moves::of(scene.script, scene.ground) }
    }

    pub(super) fn script(&self) -> &'a Script {
        self.scene.script
    }

    /// The calls of these programs on this machine. If the variables of a command are known, the
    /// result has the parse with their values instead of the command itself.
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

    /// The most likely working directory of a command.
    pub(super) fn directory(&self, index: usize) -> String {
        let root = root_of(self.scene.script, index);
        self.moves.before(root).next_back().unwrap_or(".").to_owned()
    }

    /// The absolute path of `path` in a directory.
    pub(super) fn path(&self, directory: &str, path: &str) -> String {
        Ground { cwd: Some(directory), ..*self.scene.ground }.absolute(path)
    }

    /// Whether one command comes before another on the line.
    pub(super) fn is_before(&self, one: usize, other: usize) -> bool {
        let place = |index| (root_of(self.scene.script, index), index);
        place(one) < place(other)
    }

    /// Whether a directory is the top directory of the project or of a repository.
    pub(super) fn is_whole_project(&self, directory: &str) -> bool {
        self.scene.ground.root == Some(directory) || self.scene.surroundings.is_top(directory)
    }
}
