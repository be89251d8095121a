//! Converts start trees to text and back. The text of an idle session's start tree is stored in the
//! log instead of a directory.

use std::path::Path;

use crate::private::{Scratch, read_private};
use crate::start_tree::{self, Start, StartTree};
use crate::tree_error::TreeError;
use crate::{begun, fields};

/// The maximum length of a start tree's text. The files of a longer one stay in the private
/// directory.
const MAX_PACKED_BYTES: u64 = 256 * 1024;

/// The files of a start tree, as text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PackedStart {
    /// The id of the start tree.
    pub id: String,
    /// The state of the working tree at the start, in its own format.
    pub start: String,
    /// The lines that were already changed when the task started, in their own format.
    pub begun: Option<String>,
}

/// Returns the files of a start tree as text. `None` if they are too long or not text.
pub fn pack_start(tree: &StartTree, private_dir: &Path) -> Option<PackedStart> {
    let text = |name: &str| fields::to_text(read_private(private_dir, name, MAX_PACKED_BYTES)?);
    Start::load(tree, private_dir)?;
    let begun = begun::file_name(tree);
    let begun = if private_dir.join(&begun).exists() { Some(text(&begun)?) } else { None };
    Some(PackedStart { id: tree.id.clone(), start: text(&start_tree::file_name(&tree.id))?, begun })
}

/// Whether the files of a start tree are in the private directory.
pub fn has_start(tree: &StartTree, private_dir: &Path) -> bool {
    private_dir.join(start_tree::file_name(&tree.id)).exists()
}

/// Writes the files of a start tree back. Does nothing if `packed` belongs to another start tree
/// than `tree`.
pub fn unpack_start(
    tree: &StartTree,
    packed: &PackedStart,
    private_dir: &Path,
) -> Result<(), TreeError> {
    let start = fields::from_text(&packed.start);
    if tree.id != packed.id || start_tree::id_of(&start) != tree.id {
        return Ok(());
    }
    let scratch = Scratch::new(private_dir)?;
    if let Some(begun) = &packed.begun {
        scratch.publish(&begun::file_name(tree), &fields::from_text(begun))?;
    }
    scratch.publish(&start_tree::file_name(&tree.id), &start)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::reflog::LogMark;
    use crate::version::Differences;

    #[test]
    fn a_start_is_unpacked_only_as_the_tree_that_it_was() {
        let directory = tempfile::tempdir().unwrap();
        let (from, to) = (directory.path().join("from"), directory.path().join("to"));
        let bytes = Start {
            head: None,
            base: "4b825dc".to_owned(),
            git_dir: "/r/.git".into(),
            project: "main".into(),
            log: LogMark::at_end(Path::new("/missing")),
            tips: ["1234".to_owned()].into(),
            stashes: BTreeSet::new(),
            differences: Differences::new(),
        }
        .to_bytes();
        let id = start_tree::id_of(&bytes);
        let tree = StartTree { root: "/r".to_owned(), head: None, id };
        assert_eq!(pack_start(&tree, &from), None);
        let scratch = Scratch::new(&from).unwrap();
        scratch.publish(&start_tree::file_name(&tree.id), &bytes).unwrap();
        scratch.publish(&begun::file_name(&tree), b"src/a.rs\x001 2,3 4\x00").unwrap();
        let packed = pack_start(&tree, &from).unwrap();
        assert_eq!(packed.begun.as_deref(), Some("src/a.rs\n1 2,3 4\n"));

        let other = PackedStart { start: packed.start.replace("main", "mean"), ..packed.clone() };
        unpack_start(&tree, &other, &to).unwrap();
        assert!(!has_start(&tree, &to));
        unpack_start(&tree, &packed, &to).unwrap();
        assert!(has_start(&tree, &to));
        assert_eq!(Start::load(&tree, &to), Start::load(&tree, &from));
        assert_eq!(begun::load_begun(&tree, &to), begun::load_begun(&tree, &from));
        assert_eq!(pack_start(&tree, &to), Some(packed));
    }

    #[test]
    fn a_start_with_a_path_that_text_cannot_hold_is_not_packed() {
        assert_eq!(fields::to_text(b"a\nb\0".to_vec()), None);
        assert_eq!(fields::to_text(b"a\xffb\0".to_vec()), None);
        assert_eq!(fields::to_text("ä\0b\0".into()), Some("ä\nb\n".to_owned()));
        assert_eq!(fields::from_text("ä\nb\n"), "ä\0b\0".as_bytes());
    }
}
