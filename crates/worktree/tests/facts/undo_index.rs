//! Tests that restoring the staged changes writes only the index entries that differ.

use verger_worktree::undo::{self, Point, Selection};

use crate::undo::Undoing;

fn changes(undoing: &Undoing, point: &Point) -> Vec<String> {
    let changes = undo::staged_changes(&undoing.path(""), &undoing.ground.git(), point).unwrap();
    changes.iter().map(|path| path.display().to_string()).collect()
}

#[test]
fn a_sparse_checkout_stays_one() {
    for form in ["--no-sparse-index", "--sparse-index"] {
        let undoing = Undoing::new();
        undoing.write("other/d", "d\n");
        undoing.git(&["add", "--all"]);
        undoing.git(&["commit", "--quiet", "--message", "more"]);
        undoing.git(&["sparse-checkout", "set", "--cone", form, "other"]);
        undoing.write("a", "staged\n");
        undoing.git(&["add", "a"]);
        undoing.write("a", "worked on\n");
        let seen = || undoing.said(&["ls-files", "-t", "--full-name"]);
        let status = || undoing.said(&["status", "--porcelain"]);
        let before = (seen(), status());
        assert_eq!(before, ("H a\nH b\nS dir/c\nH other/d\n".to_owned(), "MM a\n".to_owned()));
        let point = undoing.save();
        undoing.git(&["reset", "--quiet", "--hard"]);
        undoing.restore(&point, &Selection::default());
        assert_eq!(changes(&undoing, &point), ["a"], "{form}");
        undoing.restore_index(&point);
        assert_eq!((seen(), status()), before, "{form}");
    }
}

#[test]
fn files_outside_a_sparse_checkout_stay_outside_when_a_branch_was_moved() {
    let undoing = Undoing::new();
    undoing.write("dir/c", "second\n");
    undoing.git(&["commit", "--quiet", "--all", "--message", "more"]);
    undoing.git(&["update-index", "--skip-worktree", "dir/c"]);
    std::fs::remove_file(undoing.path("dir/c")).unwrap();
    let point = undoing.save();
    undoing.git(&["update-ref", "HEAD", "HEAD~1"]);
    undoing.git(&["read-tree", "--reset", "HEAD"]);
    undoing.git(&["update-index", "--skip-worktree", "dir/c"]);
    undoing.restore_index(&point);
    assert_eq!(undoing.said(&["ls-files", "-t"]), "H a\nH b\nS dir/c\n");
    assert_eq!(undoing.said(&["show", ":dir/c"]), "second\n");
}

#[test]
fn flags_of_other_entries_stay() {
    let undoing = Undoing::new();
    undoing.git(&["update-index", "--assume-unchanged", "b"]);
    undoing.write("intended", "to be added\n");
    undoing.git(&["add", "--intent-to-add", "intended"]);
    undoing.write("a", "staged\n");
    undoing.git(&["add", "a"]);
    let seen = || (undoing.said(&["ls-files", "-v"]), undoing.said(&["status", "--porcelain"]));
    let before = seen();
    assert_eq!(before.1, "M  a\n A intended\n");
    let point = undoing.save();
    undoing.git(&["restore", "--staged", "a"]);
    assert_eq!(changes(&undoing, &point), ["a"]);
    undoing.restore_index(&point);
    assert_eq!(seen(), before);
    assert_eq!(changes(&undoing, &point), Vec::<String>::new());
}

#[test]
fn an_index_that_is_as_it_was_is_not_written() {
    let undoing = Undoing::new();
    undoing.write("a", "staged\n");
    undoing.git(&["add", "a"]);
    let point = undoing.save();
    let index = || std::fs::metadata(undoing.path(".git/index")).unwrap().modified().unwrap();
    let before = index();
    undoing.restore_index(&point);
    assert_eq!(index(), before);
}
