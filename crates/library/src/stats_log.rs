//! The append-only statistics logs: the project's log, which a team shares with git, and a person's
//! own log.

use verger_memory::stats::{Log, StatsLine, parse, render};
use verger_memory::text::Problem;

use crate::mark::Mark;
use crate::markdown::add_attributes;
use crate::piece_text::text;
use crate::shared_file::{FileError, Ground, Piece, Reading, SharedFile};
use crate::untold::{TellError, Untold};

const PROJECT: &str = ".verger/stats.log";
const PERSONAL: &str = "personal-stats.log";

/// An append-only statistics log.
#[derive(Debug, Clone)]
pub struct StatsLog {
    owner: Owner,
    file: SharedFile,
    untold: Untold,
}

#[derive(Debug, Clone, Copy)]
enum Owner {
    Project,
    Person,
}

/// The result of reading a statistics log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StatsReading {
    /// The log doesn't exist.
    Missing,
    /// The log has no lines after the mark.
    Same,
    /// The lines after the mark, and the new mark.
    Appended(Log, Mark),
    /// All lines, because there was no mark or the log was replaced. Also the new mark.
    Whole(Log, Mark),
}

impl StatsLog {
    /// The statistics log of a project. `ground` has the project's root.
    pub fn of_project(ground: &Ground) -> Self {
        Self::new(Owner::Project, ground, PROJECT)
    }

    /// The person's own statistics log, in verger's data directory.
    pub fn personal(ground: &Ground) -> Self {
        Self::new(Owner::Person, &ground.in_data(), PERSONAL)
    }

    fn new(owner: Owner, ground: &Ground, relative: &str) -> Self {
        let file = SharedFile::new(ground, relative);
        let untold = Untold::of(&ground.data, &file.path());
        Self { owner, file, untold }
    }

    pub fn file(&self) -> &SharedFile {
        &self.file
    }

    /// Appends all lines or none. Lines that couldn't be written earlier are appended before them.
    pub fn append(&self, lines: &[StatsLine]) -> Result<(), FileError> {
        let waiting = self.untold.take();
        let text = [&waiting.text, &render(lines)[..]].concat();
        if text.is_empty() {
            return Ok(());
        }
        self.file.append("", &text)?;
        waiting.remove();
        if let Owner::Project = self.owner {
            add_attributes(&self.file.path());
        }
        Ok(())
    }

    /// Appends lines that must be counted eventually. If the log can't be written now, the lines
    /// are stored in verger's data directory and appended later.
    pub fn tell(&self, lines: &[StatsLine]) -> Result<(), TellError> {
        let Err(error) = self.append(lines) else { return Ok(()) };
        Err(match self.untold.keep(lines) {
            Ok(()) => TellError::Later(error),
            Err(_) => TellError::Never(error),
        })
    }

    /// Reads the lines after the mark `since`, or all lines if there is no mark.
    pub fn read(&self, since: Option<&Mark>) -> Result<StatsReading, FileError> {
        Ok(match self.file.read(since)? {
            Reading::Missing => StatsReading::Missing,
            Reading::Same => StatsReading::Same,
            Reading::Appended(piece) => StatsReading::Appended(log(&piece), piece.mark),
            Reading::Whole(piece) => StatsReading::Whole(log(&piece), piece.mark),
        })
    }
}

fn log(piece: &Piece) -> Log {
    let (text, not_text) = text(&piece.bytes);
    let mut log = parse(&text, piece.first_line);
    let before = piece.first_line - 1;
    for mut problem in not_text {
        problem.line += before;
        if !log.problems.iter().any(|known| known.line == problem.line) {
            log.problems.push(problem);
        }
    }
    Problem::sort(&mut log.problems);
    log
}
