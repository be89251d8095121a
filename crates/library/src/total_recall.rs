//! The Total Recall backend: verger writes learnings to daily logs, and people promote them to
//! registers.

use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use rustix::fs::Access;
use verger_event::Timestamp;
use verger_memory::text::daily;
use verger_memory::{Learning, moment};

use crate::backend::{Backend, BackendKind, Health, Source, SourceState, mark_of};
use crate::local_time::LocalTime;
use crate::mark::Mark;
use crate::piece_text::entries;
use crate::shared_file::{FileError, Ground, Reading, SharedFile, failed};

const MEMORY: &str = "memory";
const DAILY: &str = "memory/daily";
const REGISTERS: &str = "memory/registers";
const ARCHIVE: &str = "memory/archive";
const RULES: &str = "rules/total-recall.md";
const HEADING: &str = "## Learnings";

/// The number of days whose daily logs are read, including today.
const DAYS: u64 = 14;

/// Whether archived learnings are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Archive {
    Left,
    Read,
}

/// The backend with the daily logs and registers of Total Recall in a project.
#[derive(Debug, Clone)]
pub struct TotalRecall {
    ground: Ground,
    now: LocalTime,
    archive: Archive,
}

impl TotalRecall {
    pub fn new(ground: &Ground, now: LocalTime, archive: Archive) -> Self {
        Self { ground: ground.clone(), now, archive }
    }

    /// Finds the file with Total Recall's rules. A project has this file if it uses Total Recall:
    /// it is the project's own file, or one in an agent's directory.
    pub fn rules(root: &Path, agent_directories: &[&str]) -> Option<PathBuf> {
        // Any file of this name counts, even if it isn't a directory. Using it then reports an
        // error.
        if root.join(MEMORY).symlink_metadata().is_err() {
            return None;
        }
        let agents = agent_directories.iter().map(|directory| root.join(directory));
        let places = [root.to_owned()].into_iter().chain(agents);
        places.map(|place| place.join(RULES)).find(|rules| rules.is_file())
    }

    fn today(&self) -> SharedFile {
        SharedFile::new(&self.ground, format!("{DAILY}/{}.md", self.now.date()))
    }

    /// The names of the files to read: the daily logs of the last days, the latest first, and then
    /// the registers.
    fn names(&self) -> Vec<Result<String, (&'static str, io::Error)>> {
        let first = self.now.days_before(DAYS - 1).date();
        let mut names = Vec::new();
        let mut add = |directory: &'static str, is_wanted: &dyn Fn(&str) -> bool| {
            let found = markdown_files(&self.ground.root.join(directory));
            match found {
                Ok(mut stems) => {
                    stems.retain(|stem| is_wanted(stem));
                    stems.sort_by(|a, b| b.cmp(a));
                    names.extend(stems.iter().map(|stem| Ok(format!("{directory}/{stem}.md"))));
                }
                Err(error) => names.push(Err((directory, error))),
            }
        };
        add(DAILY, &|stem| day(stem).is_some() && stem >= first.as_str());
        add(REGISTERS, &|_| true);
        if self.archive == Archive::Read {
            add(ARCHIVE, &|_| true);
            add(DAILY, &|stem| day(stem).is_some() && stem < first.as_str());
        }
        names
    }

    fn read_file(
        &self,
        relative: &str,
        mark: Option<&Mark>,
    ) -> Result<Option<SourceState>, FileError> {
        match SharedFile::new(&self.ground, relative).read(mark)? {
            Reading::Missing => Ok(None),
            Reading::Same => Ok(Some(SourceState::Same)),
            // Other programs write other formats to these files. So the whole file must be read to
            // find the beginnings of entries.
            Reading::Appended(_) => self.read_file(relative, None),
            Reading::Whole(piece) => {
                let stem = Path::new(relative).file_stem().and_then(|stem| stem.to_str());
                let day = stem.and_then(day).unwrap_or_else(|| piece.mark.modified_at());
                Ok(Some(SourceState::Whole(entries(&piece, |text| daily::parse(text, day)))))
            }
        }
    }
}

impl Backend for TotalRecall {
    fn kind(&self) -> BackendKind {
        BackendKind::TotalRecall
    }

    fn location(&self) -> PathBuf {
        self.today().path()
    }

    fn health(&self) -> Result<Health, FileError> {
        let memory = self.ground.root.join(MEMORY);
        let access = rustix::fs::access(&memory, Access::READ_OK | Access::WRITE_OK);
        access.map_err(|error| failed("read and write", memory)(error.into()))?;
        self.today().is_there().map(|_| Health::Ready)
    }

    fn append(&self, learnings: &[Learning]) -> Result<(), FileError> {
        let memory = self.ground.root.join(MEMORY);
        // If the directory is missing, a person removed it, so it isn't created again.
        if let Err(error) = fs::read_dir(&memory) {
            return Err(failed("open", memory)(error));
        }
        if learnings.is_empty() {
            return Ok(());
        }
        let today = self.today();
        let is_under_heading = match today.read(None)? {
            Reading::Whole(piece) => ends_under_heading(&String::from_utf8_lossy(&piece.bytes)),
            _ => false,
        };
        let clock = self.now.clock();
        let mut text = String::new();
        if !is_under_heading {
            text.push('\n');
            text.push_str(HEADING);
            text.push('\n');
        }
        for learning in learnings {
            text.push('\n');
            text.push_str(&daily::render(learning, &clock));
        }
        let file = today.append(&format!("# {}\n", self.now.date()), &text)?;
        file.sync_data().map_err(failed("sync", today.path()))
    }

    fn sources(&self) -> Vec<PathBuf> {
        self.names().into_iter().flatten().map(|name| self.ground.root.join(name)).collect()
    }

    fn read(&self, known: &[(PathBuf, Mark)]) -> Vec<Source> {
        let mut sources = Vec::new();
        for name in self.names() {
            let (relative, state) = match name {
                Ok(relative) => {
                    let path = self.ground.root.join(&relative);
                    let read = self.read_file(&relative, mark_of(known, &path));
                    (relative, read.unwrap_or_else(|error| Some(SourceState::Unreadable(error))))
                }
                Err((directory, error)) => {
                    let error = failed("list", self.ground.root.join(directory))(error);
                    (directory.to_owned(), Some(SourceState::Unreadable(error)))
                }
            };
            let path = self.ground.root.join(relative);
            sources.extend(state.map(|state| Source { path, state }));
        }
        sources
    }
}

/// The names, without extension, of the Markdown files in a directory. Empty if the directory is
/// missing.
fn markdown_files(directory: &Path) -> io::Result<Vec<String>> {
    let entries = match fs::read_dir(directory) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        other => other?,
    };
    let mut stems = Vec::new();
    for entry in entries {
        let name = entry?.file_name();
        stems.extend(name.to_str().and_then(|name| name.strip_suffix(".md")).map(str::to_owned));
    }
    Ok(stems)
}

/// The day of the daily log with this file stem. `None` if the file is not a daily log.
fn day(stem: &str) -> Option<Timestamp> {
    (stem.len() == 10).then(|| moment::read(stem))?
}

fn ends_under_heading(text: &str) -> bool {
    let heading = text.lines().rev().find(|line| line.starts_with("## ") || line.starts_with("# "));
    heading.is_some_and(|line| line.trim_end() == HEADING)
}
