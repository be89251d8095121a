//! Suspects: learnings that may be wrong because code changed, each with the reason. They are
//! stored in a file beside the search index. The file is derived: without it, no learning is
//! suspect.

use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, Read as _};
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

use verger_memory::LearningId;

use crate::shared_file::opened;

const FILE: &str = "suspects";
/// The maximum number of bytes of a checksum in the file, including the byte after it.
const SUM_BYTES: u64 = 11;

/// The suspect learnings of a project.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Suspects {
    /// For each suspect learning, the reason.
    reasons: BTreeMap<LearningId, String>,
    /// A checksum of the set of suspects. It is zero for an empty set.
    pub(super) sum: u32,
    /// The checksum of the set before the last search for suspects.
    pub(super) before: u32,
    /// The learnings that the last search added to the set or removed from it.
    pub(super) moved: Vec<LearningId>,
}

/// The stored suspects in a directory. The file is read only when needed, because the checksum is
/// often enough.
#[derive(Debug)]
pub(super) struct KeptSuspects {
    dir: PathBuf,
    /// A checksum of the set of suspects. It is zero for an empty set.
    pub(super) sum: u32,
    whole: OnceCell<Suspects>,
}

impl KeptSuspects {
    pub(super) fn of(dir: &Path) -> Self {
        let sum = read_sum(dir).unwrap_or_default();
        Self { dir: dir.to_owned(), sum, whole: OnceCell::new() }
    }

    /// Reads all suspects with their reasons, once.
    pub(super) fn whole(&self) -> &Suspects {
        self.whole.get_or_init(|| Suspects::read(&self.dir))
    }

    /// The number of bytes that [`Self::moved_since`] reads.
    pub(super) fn unread_since(&self, sum: u32) -> u64 {
        if sum == self.sum {
            return 0;
        }
        fs::metadata(self.dir.join(FILE)).map_or(0, |metadata| metadata.len())
    }

    /// The learnings that became suspect, or are no longer suspect, since the set had the checksum
    /// `sum`. `None` if these learnings are unknown.
    pub(super) fn moved_since(&self, sum: u32) -> Option<&[LearningId]> {
        if sum == self.sum {
            return Some(&[]);
        }
        let whole = self.whole();
        (whole.sum == self.sum && whole.before == sum).then_some(&whole.moved)
    }
}

impl Suspects {
    /// Reads the suspects in a directory. Empty if the file is missing or damaged.
    pub fn read(dir: &Path) -> Self {
        let text = open(dir).and_then(|file| io::read_to_string(file).ok());
        text.and_then(|text| parse(&text)).unwrap_or_default()
    }

    /// The reason why a learning is suspect.
    pub fn reason(&self, learning: &LearningId) -> Option<&str> {
        self.reasons.get(learning).map(String::as_str)
    }

    /// The suspects after another search, which found these learnings with these reasons.
    #[must_use]
    pub fn followed_by(self, reasons: BTreeMap<LearningId, String>) -> Self {
        let sum = sum(&reasons);
        if sum == self.sum {
            return Self { reasons, ..self };
        }
        let only_in = |here: &BTreeMap<LearningId, String>, there: &BTreeMap<_, _>| {
            here.keys().filter(|id| !there.contains_key(*id)).cloned().collect()
        };
        let mut moved: Vec<_> = only_in(&self.reasons, &reasons);
        moved.extend::<Vec<_>>(only_in(&reasons, &self.reasons));
        Self { reasons, sum, before: self.sum, moved }
    }

    /// Saves the suspects in a directory.
    pub fn keep(&self, dir: &Path) -> io::Result<()> {
        if *self == Self::read(dir) {
            return Ok(());
        }
        DirBuilder::new().recursive(true).mode(0o700).create(dir)?;
        let new = dir.join(format!("{FILE}.{}.new", std::process::id()));
        fs::write(&new, self.write())?;
        fs::rename(new, dir.join(FILE))
    }

    /// Formats the content of the file: the checksum of the set, a checksum of the rest, the
    /// previous checksum of the set, the moved learnings, and each suspect with its reason.
    fn write(&self) -> String {
        let moved: Vec<_> = self.moved.iter().map(LearningId::as_str).collect();
        let mut text = format!("{}\n{}\n", self.before, moved.join(" "));
        for (learning, reason) in &self.reasons {
            let reason = reason.replace(char::is_control, " ");
            text.extend([learning.as_str(), " ", &reason, "\n"]);
        }
        format!("{} {}\n{text}", self.sum, crc32fast::hash(text.as_bytes()))
    }
}

fn open(dir: &Path) -> Option<File> {
    opened(&dir.join(FILE), OpenOptions::new().read(true)).ok()
}

/// Reads the first number of the file, which is the checksum of the set.
fn read_sum(dir: &Path) -> Option<u32> {
    let mut start = String::new();
    open(dir)?.take(SUM_BYTES).read_to_string(&mut start).ok()?;
    start.split_once(' ')?.0.parse().ok()
}

fn parse(text: &str) -> Option<Suspects> {
    let (first, text) = text.split_once('\n')?;
    let (_, checksum) = first.split_once(' ')?;
    if checksum.parse() != Ok(crc32fast::hash(text.as_bytes())) {
        return None;
    }
    let mut lines = text.lines();
    let before = lines.next()?.parse().ok()?;
    let moved = lines.next()?.split_whitespace().map(|id| id.parse().ok());
    let moved = moved.collect::<Option<_>>()?;
    let mut reasons = BTreeMap::new();
    for line in lines {
        let (id, reason) = line.split_once(' ')?;
        reasons.insert(id.parse().ok()?, reason.to_owned());
    }
    Some(Suspects { sum: sum(&reasons), reasons, before, moved })
}

fn sum(reasons: &BTreeMap<LearningId, String>) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    for learning in reasons.keys() {
        hasher.update(learning.as_str().as_bytes());
        hasher.update(b" ");
    }
    hasher.finalize()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reasons(ids: &[&str]) -> BTreeMap<LearningId, String> {
        ids.iter().map(|id| (id.parse().unwrap(), format!("{id}\tis gone\n"))).collect()
    }

    #[test]
    fn saved_suspects_are_read_with_the_moved_ones() {
        let dir = tempfile::tempdir().unwrap();
        let dir = dir.path().join("recall");
        Suspects::default().keep(&dir).unwrap();
        assert!(!dir.exists(), "nothing is kept of nothing");
        let first = Suspects::default().followed_by(reasons(&["learn-a", "learn-b"]));
        first.keep(&dir).unwrap();
        let second = Suspects::read(&dir).followed_by(reasons(&["learn-b", "learn-c"]));
        second.keep(&dir).unwrap();
        let read = Suspects::read(&dir);
        assert_eq!((read.sum, read.before), (second.sum, first.sum));
        let kept = KeptSuspects::of(&dir);
        assert_eq!(kept.sum, second.sum);
        assert_eq!(kept.moved_since(second.sum), Some(&[][..]));
        let len = fs::metadata(dir.join(FILE)).unwrap().len();
        assert_eq!((kept.unread_since(second.sum), kept.unread_since(first.sum)), (0, len));
        assert!(kept.whole.get().is_none(), "nobody asked");
        assert_eq!(kept.moved_since(first.sum), Some(&read.moved[..]));
        assert_eq!(kept.moved_since(0), None);
        assert_eq!(read.moved, ["learn-a", "learn-c"].map(|id| id.parse().unwrap()));
        assert_eq!(read.reason(&"learn-c".parse().unwrap()), Some("learn-c is gone "));
        assert_eq!(read.reason(&"learn-a".parse().unwrap()), None);
        let same = read.clone().followed_by(reasons(&["learn-b", "learn-c"]));
        assert_eq!((same.before, &same.moved), (first.sum, &read.moved));
        assert_eq!(Suspects::read(&dir).followed_by(BTreeMap::new()).sum, 0);
        let text = fs::read_to_string(dir.join(FILE)).unwrap();
        for at in 0..text.len() {
            fs::write(dir.join(FILE), &text[..at]).unwrap();
            assert_eq!(Suspects::read(&dir), Suspects::default(), "{at}");
        }
    }
}
