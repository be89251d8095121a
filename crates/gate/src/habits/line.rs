//! A shell line as habits see it: its commands, the directory of each, and the surroundings.

use verger_shell::{Inside, Script, Word};

use super::signed::Signatures;
use crate::permission::{Ground, Moves, bare_name, root_of};

/// A line that an agent wants to run, with its context.
#[derive(Clone, Copy)]
pub struct Scene<'a> {
    /// The line.
    pub script: &'a Script,
    /// The directory and environment that it runs in.
    pub ground: &'a Ground<'a>,
    /// The agent that wants to run it.
    pub caller: Caller,
    /// The signatures of coding agents.
    pub signatures: &'a Signatures<'a>,
    /// Facts of the system, looked up on demand.
    pub surroundings: &'a dyn Surroundings,
}

/// The agent that wants to run a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Caller {
    /// The main agent.
    Main,
    /// One of its subagents.
    Subagent,
}

/// Facts of the system that are looked up only when a habit depends on them.
pub trait Surroundings {
    /// The branch that is checked out in a directory.
    fn branch(&self, directory: &str) -> Option<String>;

    /// Whether the directory is the top of a repository, and not a directory within it.
    fn is_top(&self, directory: &str) -> bool;

    /// Whether a program with this name is installed.
    fn is_installed(&self, program: &str) -> bool;
}

/// The scene with the line's changes of directory.
pub(super) struct Line<'a> {
    pub(super) scene: &'a Scene<'a>,
    moves: Moves,
}

/// A command of the line that counts.
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

    /// The calls of these programs on this machine, each once. If a command's variables are known,
    /// it is the call with their values.
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

    /// The working directory of a command, as far as the line shows it.
    pub(super) fn directory(&self, index: usize) -> String {
        let root = root_of(self.scene.script, index);
        self.moves.before(root).next_back().unwrap_or(".").to_owned()
    }

    /// A path relative to a directory.
    pub(super) fn path(&self, directory: &str, path: &str) -> String {
        Ground { cwd: Some(directory), ..*self.scene.ground }.absolute(path)
    }

    /// Whether one command comes before another on the line.
    pub(super) fn is_before(&self, one: usize, other: usize) -> bool {
        let place = |index| (root_of(self.scene.script, index), index);
        place(one) < place(other)
    }

    /// Whether a directory is the top of the project.
    pub(super) fn is_whole_project(&self, directory: &str) -> bool {
        self.scene.ground.root == Some(directory) || self.scene.surroundings.is_top(directory)
    }
}
