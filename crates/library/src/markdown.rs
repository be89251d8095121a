//! The Markdown backend: learnings in the project's `.verger/learnings.md` and in a person's own
//! file.

use std::fs::OpenOptions;
use std::io::Write;
use std::path::{Path, PathBuf};

use verger_memory::text::{parse, render};
use verger_memory::{Learning, Scope};

use crate::backend::{Backend, BackendKind, Entries, Health, Source, SourceState, mark_of};
use crate::mark::Mark;
use crate::piece_text::entries;
use crate::shared_file::{FileError, Ground, Piece, Reading, SharedFile, failed};

const LEARNINGS: &str = ".verger/learnings.md";
const PERSONAL: &str = "personal-learnings.md";
const HEADING: &str = "# Learnings\n";

/// The name of the file in which git's attributes are set, and the attributes. With them, git
/// merges files of two branches by lines, which is correct because both branches only append.
const ATTRIBUTES_FILE: &str = ".gitattributes";
const ATTRIBUTES: &str = "learnings.md merge=union\nstats.log merge=union\n";

/// A backend with one file of learnings in Markdown.
#[derive(Debug, Clone)]
pub struct Markdown {
    kind: BackendKind,
    file: SharedFile,
}

impl Markdown {
    /// The backend with a project's file. `ground` has the project's root.
    pub fn of_project(ground: &Ground) -> Self {
        Self { kind: BackendKind::Markdown, file: SharedFile::new(ground, LEARNINGS) }
    }

    /// The backend with the person's own file, in verger's data directory.
    pub fn personal(ground: &Ground) -> Self {
        Self { kind: BackendKind::Personal, file: SharedFile::new(&ground.in_data(), PERSONAL) }
    }

    fn attributes_say_union(&self) -> bool {
        let read = self.file.beside(ATTRIBUTES_FILE).read(None);
        let Ok(Reading::Whole(piece)) = read else { return false };
        String::from_utf8_lossy(&piece.bytes).contains("merge=union")
    }

    fn read_file(&self, mark: Option<&Mark>) -> Result<Option<SourceState>, FileError> {
        match self.file.read(mark)? {
            Reading::Missing => Ok(None),
            Reading::Same => Ok(Some(SourceState::Same)),
            Reading::Whole(piece) => Ok(Some(SourceState::Whole(self.learnings(&piece)))),
            Reading::Appended(piece) if begins_an_entry(&piece) => {
                Ok(Some(SourceState::Appended(self.learnings(&piece))))
            }
            // The new text may continue the last entry, so the whole file is read again.
            Reading::Appended(_) => self.read_file(None),
        }
    }

    /// Parses the learnings of a file. In a person's own file, the scope of every learning is
    /// personal, whatever the text says.
    fn learnings(&self, piece: &Piece) -> Entries {
        let undated = piece.mark.modified_at();
        let mut entries = entries(piece, |text| parse(text, undated));
        if self.kind == BackendKind::Personal {
            for placed in &mut entries.learnings {
                placed.learning.scope = Scope::Personal;
            }
        }
        entries
    }
}

impl Backend for Markdown {
    fn kind(&self) -> BackendKind {
        self.kind
    }

    fn location(&self) -> PathBuf {
        self.file.path()
    }

    fn health(&self) -> Result<Health, FileError> {
        if !self.file.is_there()? {
            return Ok(Health::New);
        }
        let is_merged = self.kind == BackendKind::Personal || self.attributes_say_union();
        Ok(if is_merged { Health::Ready } else { Health::NoMergeAttribute })
    }

    fn append(&self, learnings: &[Learning]) -> Result<(), FileError> {
        if learnings.is_empty() {
            return Ok(());
        }
        let text: String =
            learnings.iter().flat_map(|one| ["\n".to_owned(), render(one)]).collect();
        // The log will refer to these learnings, so the file must be on the disk before that.
        let file = self.file.append(HEADING, &text)?;
        file.sync_data().map_err(failed("sync", self.file.path()))?;
        if self.kind == BackendKind::Markdown {
            add_attributes(&self.file.path());
        }
        Ok(())
    }

    fn sources(&self) -> Vec<PathBuf> {
        Some(self.file.path()).filter(|path| path.exists()).into_iter().collect()
    }

    fn read(&self, known: &[(PathBuf, Mark)]) -> Vec<Source> {
        let path = self.file.path();
        let read = self.read_file(mark_of(known, &path));
        let state = read.unwrap_or_else(|error| Some(SourceState::Unreadable(error)));
        state.map(|state| Source { path, state }).into_iter().collect()
    }
}

fn begins_an_entry(piece: &Piece) -> bool {
    piece.bytes.trim_ascii_start().starts_with(b"## ")
}

/// Creates the attributes file if there is none. An existing file belongs to the user and isn't
/// changed. Learnings are stored even if the attribute is missing, and [`Backend::health`] reports
/// that.
pub(crate) fn add_attributes(beside: &Path) {
    let path = beside.with_file_name(ATTRIBUTES_FILE);
    let made = OpenOptions::new().write(true).create_new(true).open(path);
    drop(made.and_then(|mut file| file.write_all(ATTRIBUTES.as_bytes())));
}
