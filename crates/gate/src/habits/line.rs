//! A line as habits look at it: its commands, where each runs, and what is around it.

use verger_shell::{Inside, Script, Word};

use super::signed::Signatures;
use crate::permission::{Ground, Moves, bare_name, root_of};

/// A line that an agent wants to run, and what is around it.
#[derive(Clone, Copy)]
pub struct Scene<'a> {
    /// The line.
    pub script: &'a Script,
    /// Where it runs.
    pub ground: &'a Ground<'a>,
    /// Who wants to run it.
    pub caller: Caller,
    /// How coding agents sign.
    pub signatures: &'a Signatures<'a>,
    /// What only the system can tell.
    pub surroundings: &'a dyn Surroundings,
}

/// Who wants to run a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Caller {
    /// The main agent.
    Main,
    /// One of its subagents.
    Subagent,
}

/// What is looked up only when a habit depends on it.
pub trait Surroundings {
    /// The branch that is checked out in a directory.
    fn branch(&self, directory: &str) -> Option<String>;

    /// Whether the directory is the top of a repository, and not one within it.
    fn is_top(&self, directory: &str) -> bool;

    /// Whether there is a program of this name.
    fn is_installed(&self, program: &str) -> bool;
}

/// The scene, with where the line goes.
pub(super) struct Line<'a> {
    pub(super) scene: &'a Scene<'a>,
    moves: Moves,
}

/// A command of the line that counts.
#[derive(Clone, Copy)]
pub(super) struct Call<'s> {
    pub(super) index: usize,
    /// All words, the program's name first.
    pub(super) argv: &'s [Word],
}

impl<'a> Line<'a> {
    pub(super) fn new(scene: &'a Scene<'a>) -> Self {
        Self { scene, moves: Moves::of(scene.script, scene.ground) }
    }

    pub(super) fn script(&self) -> &'a Script {
        self.scene.script
    }

    /// The calls of these programs on this machine, each once: of a command whose variables are
    /// known, the one in which they are put in.
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

    /// Where a command runs, as far as the line tells.
    pub(super) fn directory(&self, index: usize) -> String {
        let root = root_of(self.scene.script, index);
        self.moves.before(root).next_back().unwrap_or(".").to_owned()
    }

    /// A path that is named in a directory.
    pub(super) fn path(&self, directory: &str, path: &str) -> String {
        Ground { cwd: Some(directory), ..*self.scene.ground }.absolute(path)
    }

    /// Whether one command stands before another on the line.
    pub(super) fn is_before(&self, one: usize, other: usize) -> bool {
        let place = |index| (root_of(self.scene.script, index), index);
        place(one) < place(other)
    }

    /// Whether a directory is the whole project, and not a part of it.
    pub(super) fn is_whole_project(&self, directory: &str) -> bool {
        self.scene.ground.root == Some(directory) || self.scene.surroundings.is_top(directory)
    }
}
