//! A backend in memory, for tests.

use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use verger_event::Timestamp;
use verger_memory::Learning;
use verger_memory::text::{parse, render};

use crate::backend::{Backend, BackendKind, Health, Source, SourceState, mark_of};
use crate::mark::Mark;
use crate::piece_text::entries;
use crate::shared_file::{FileError, Piece};

/// A backend that keeps learnings in memory only.
#[derive(Debug, Default)]
pub struct InMemory {
    text: Mutex<String>,
}

const LOCATION: &str = "(memory)";

impl Backend for InMemory {
    fn kind(&self) -> BackendKind {
        BackendKind::InMemory
    }

    fn location(&self) -> PathBuf {
        LOCATION.into()
    }

    fn health(&self) -> Result<Health, FileError> {
        Ok(Health::Ready)
    }

    fn append(&self, learnings: &[Learning]) -> Result<(), FileError> {
        let mut text = self.text.lock().unwrap_or_else(PoisonError::into_inner);
        for learning in learnings {
            text.push('\n');
            text.push_str(&render(learning));
        }
        Ok(())
    }

    fn sources(&self) -> Vec<PathBuf> {
        vec![self.location()]
    }

    fn read(&self, known: &[(PathBuf, Mark)]) -> Vec<Source> {
        let text = self.text.lock().unwrap_or_else(PoisonError::into_inner);
        let (path, bytes) = (self.location(), text.as_bytes());
        let tail = crc32fast::hash(bytes);
        let mark = Mark { len: bytes.len() as u64, lines: text.lines().count(), modified: 0, tail };
        if mark_of(known, &path) == Some(&mark) {
            return vec![Source { path, state: SourceState::Same }];
        }
        let piece = Piece { bytes: bytes.to_owned(), first_line: 1, mark };
        let read = entries(&piece, |text| parse(text, Timestamp::from_millis(0)));
        vec![Source { path, state: SourceState::Whole(read) }]
    }
}
