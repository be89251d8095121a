//! The repository whose working tree is compared, and the git commands that run for it.
//!
//! None of the user's files is written: git reads the user's index, and writes only to a copy of
//! the index in a private directory. No clean filter runs, because a filter is an arbitrary program
//! and could hide a change. So a file with a filter is compared by its raw bytes.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::os::unix::ffi::OsStringExt as _;
use std::path::{Path, PathBuf};

use verger_exec::{Deadline, Output, Program};

use crate::git::Git;
use crate::git_settings::Settings;
use crate::project::{PathReason, path_from, reason_of, refusal};
use crate::tree_error::TreeError;

/// The size limit of git's output. If a tree's output is longer, the tree has too many changes to
/// review.
const MAX_ANSWER_BYTES: u64 = 16 * 1024 * 1024;

/// Git settings that override the repository's own, so that they can't change the comparison. Git
/// trusts no cached state, writes no files beside the index, and doesn't fail on line endings.
const SETTINGS: &[&str] = &[
    "core.checkStat=default",
    "core.ignoreStat=false",
    "core.safecrlf=false",
    "core.splitIndex=false",
    "core.trustctime=true",
    "index.skipHash=true",
    "index.sparse=false",
];

const EMPTY_TREE_SHA1: &str = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";
const EMPTY_TREE_SHA256: &str = "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321";

/// The locations of a repository's directories.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) top_level: PathBuf,
    pub(crate) git_dir: PathBuf,
    /// The id of the empty tree, used in place of a commit on a branch without commits.
    pub(crate) empty_tree: &'static str,
}

impl Place {
    /// The length of the repository's object ids in bytes.
    pub(crate) fn id_bytes(&self) -> usize {
        self.empty_tree.len() / 2
    }
}

/// Finds the repository of a directory.
pub(crate) fn find_place(
    cwd: &Path,
    git: &Git,
    deadline: Deadline<'_>,
) -> Result<Place, PathReason> {
    let cwd = cwd.canonicalize().map_err(|_| PathReason::NoDirectory)?;
    let arguments = ["rev-parse", "--show-object-format", "--absolute-git-dir", "--show-toplevel"];
    let output = git.run(&cwd, arguments, deadline).map_err(|error| reason_of(&error))?;
    if !output.status.success() {
        return Err(refusal(&output, &cwd));
    }
    let lines: Vec<_> = output.stdout.split(|byte| *byte == b'\n').collect();
    let canonical = |path: &[u8]| path_from(path)?.canonicalize().ok();
    let (git_dir, top_level) = if let [_, git_dir, top_level, b""] = lines[..] {
        (canonical(git_dir), canonical(top_level))
    } else {
        // Each path is asked for separately, so more than one line of output means that the path
        // contains a newline.
        let ask = |what| {
            let output = git.run(&cwd, ["rev-parse", what], deadline);
            let output = output.map_err(|error| reason_of(&error))?;
            Ok(output.stdout.strip_suffix(b"\n").and_then(canonical))
        };
        (ask("--absolute-git-dir")?, ask("--show-toplevel")?)
    };
    let top_level = top_level.filter(|path| cwd.starts_with(path));
    let is_sha256 = lines.first().is_some_and(|format| *format == b"sha256");
    Ok(Place {
        top_level: top_level.ok_or(PathReason::Broken)?,
        git_dir: git_dir.ok_or(PathReason::Broken)?,
        empty_tree: if is_sha256 { EMPTY_TREE_SHA256 } else { EMPTY_TREE_SHA1 },
    })
}

/// A series of git commands in the top level of a working tree. All share one deadline.
pub(crate) struct Asking<'a> {
    git: &'a Git,
    top_level: &'a Path,
    deadline: Deadline<'static>,
    /// Environment variables in addition to those that git always gets.
    variables: Vec<(OsString, OsString)>,
    settings: Settings,
}

impl<'a> Asking<'a> {
    pub(crate) fn begin(
        git: &'a Git,
        top_level: &'a Path,
        deadline: Deadline<'static>,
    ) -> Result<Self, TreeError> {
        // Settings of the repository could name another working tree.
        let variables = vec![("GIT_WORK_TREE".into(), top_level.into())];
        let mut asking =
            Self { git, top_level, deadline, variables, settings: Settings::default() };
        let answer =
            asking.answer_or("read the settings", &[1], Settings::QUESTION, None, vec![])?;
        asking.settings = Settings::parse(&answer.unwrap_or_default());
        asking.variables.extend(asking.settings.no_filters());
        Ok(asking)
    }

    pub(crate) fn top_level(&self) -> &Path {
        self.top_level
    }

    pub(crate) fn git(&self) -> &Git {
        self.git
    }

    pub(crate) fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Runs git and returns its output. Fails if git fails. `index` is the path of an index file to
    /// use instead of the user's index.
    pub(crate) fn answer(
        &self,
        step: &'static str,
        arguments: &[&str],
        index: Option<&Path>,
        input: Vec<u8>,
    ) -> Result<Vec<u8>, TreeError> {
        match self.answer_or(step, &[], arguments, index, input)? {
            Some(answer) => Ok(answer),
            None => Err(TreeError::Answer { step }),
        }
    }

    /// Like `answer`, but returns `None` if git exits with one of the codes in `nothing`.
    pub(crate) fn answer_or(
        &self,
        step: &'static str,
        nothing: &[i32],
        arguments: &[&str],
        index: Option<&Path>,
        input: Vec<u8>,
    ) -> Result<Option<Vec<u8>>, TreeError> {
        let program = self.program(arguments, index).whole_output(MAX_ANSWER_BYTES);
        let program = if input.is_empty() { program } else { program.input(input) };
        let output = program.run(self.deadline)?;
        if output.status.success() {
            return Ok(Some(output.stdout));
        }
        if output.status.code().is_some_and(|code| nothing.contains(&code)) {
            return Ok(None);
        }
        Err(refused(step, &output))
    }

    fn program(&self, arguments: &[&str], index: Option<&Path>) -> Program {
        let index = index.map(|index| (OsStr::new("GIT_INDEX_FILE"), index.as_os_str()));
        self.git
            .program(self.top_level)
            .args(SETTINGS.iter().flat_map(|setting| ["-c", setting]))
            .args(arguments)
            .envs(self.variables.iter().map(|(name, value)| (name, value)))
            .envs(index)
    }

    /// Like `answer`, but returns only the beginning of git's output, at most `max_bytes` + 1
    /// bytes.
    pub(crate) fn first_part(
        &self,
        step: &'static str,
        arguments: &[&str],
        index: Option<&Path>,
        max_bytes: u64,
    ) -> Result<Vec<u8>, TreeError> {
        let limit = max_bytes.saturating_add(1);
        let program = self.program(arguments, index).first_output(limit);
        let output = program.run(self.deadline)?;
        // Git may fail because verger stopped reading its output.
        if output.status.success() || output.stdout.len() as u64 == limit {
            return Ok(output.stdout);
        }
        Err(refused(step, &output))
    }

    /// Makes git write objects to `directory` only. Git still reads the repository's objects.
    pub(crate) fn with_private_objects(mut self, directory: &Path) -> Result<Self, TreeError> {
        let step = "find the objects";
        let arguments = ["rev-parse", "--path-format=absolute", "--git-path", "objects"];
        let answer = self.answer(step, &arguments, None, vec![])?;
        let objects = answer.strip_suffix(b"\n").ok_or(TreeError::Answer { step })?;
        self.variables.push(("GIT_OBJECT_DIRECTORY".into(), directory.into()));
        let quoted = OsString::from_vec(quoted(objects));
        self.variables.push(("GIT_ALTERNATE_OBJECT_DIRECTORIES".into(), quoted));
        Ok(self)
    }

    /// Lets git run the filters that the user configured, as in a normal checkout.
    pub(crate) fn with_filters(mut self) -> Self {
        let disabled = self.settings.no_filters();
        self.variables.retain(|variable| !disabled.contains(variable));
        self
    }

    /// Like `answer`, for an output that may be longer than the usual limit by `bytes`.
    pub(crate) fn long_answer(
        &self,
        step: &'static str,
        arguments: &[&str],
        input: Vec<u8>,
        bytes: u64,
    ) -> Result<Vec<u8>, TreeError> {
        let limit = bytes.saturating_add(MAX_ANSWER_BYTES);
        let program = self.program(arguments, None).whole_output(limit).input(input);
        let output = program.run(self.deadline)?;
        if output.status.success() { Ok(output.stdout) } else { Err(refused(step, &output)) }
    }

    /// Runs git with a file as its standard input. The file may be larger than the memory.
    pub(crate) fn fed(&self, arguments: &[&str], input: File) -> Result<Output, TreeError> {
        Ok(self.program(arguments, None).input_file(input).run(self.deadline)?)
    }

    pub(crate) fn is_late(&self) -> bool {
        self.deadline.is_over()
    }

    /// Every branch, tag and remote branch: the id of its object, and its name.
    pub(crate) fn references(&self) -> Result<Vec<(String, String)>, TreeError> {
        let arguments = [
            "for-each-ref",
            "--format=%(objectname) %(refname)",
            "refs/heads",
            "refs/remotes",
            "refs/tags",
        ];
        let step = "list the references";
        let answer = self.answer(step, &arguments, None, vec![])?;
        let lines = String::from_utf8_lossy(&answer);
        let pairs = lines.lines().map(|line| {
            let (id, name) = line.split_once(' ')?;
            Some((id.to_owned(), name.to_owned()))
        });
        pairs.collect::<Option<_>>().ok_or(TreeError::Answer { step })
    }
}

/// Quotes a path for git. In this form the path may contain any bytes.
pub(crate) fn quoted(path: &[u8]) -> Vec<u8> {
    let mut quoted = vec![b'"'];
    for &byte in path {
        match byte {
            b'"' | b'\\' => quoted.extend([b'\\', byte]),
            b'\n' => quoted.extend(b"\\n"),
            byte => quoted.push(byte),
        }
    }
    quoted.push(b'"');
    quoted
}

pub(crate) fn refused(step: &'static str, output: &Output) -> TreeError {
    let message = String::from_utf8_lossy(&output.stderr).trim().chars().take(500).collect();
    TreeError::Refused { step, message }
}
