//! Tests of undo points of files with a filter program, such as git-lfs, that is missing or fails.
//! Saving doesn't need the program, and nothing is lost.

use std::fs;
use std::path::Path;

use verger_worktree::undo::{self, Restored, Selection};

use crate::undo::{Undoing, exact, is_protected};

/// The name of the file that the test's filter creates when it runs.
const TRACE: &str = "filter-ran";
const FAILS: &str = "touch filter-ran; exit 1";
const MISSING: &str = "no-such-program-as-git-lfs";

/// Git settings of filters that are missing or fail.
const BROKEN: [&[(&str, &str)]; 6] = [
    &[("clean", MISSING), ("smudge", MISSING), ("required", "true")],
    &[("clean", FAILS), ("smudge", FAILS), ("required", "true")],
    &[("process", MISSING), ("required", "true")],
    &[("process", FAILS), ("required", "true")],
    &[("smudge", FAILS), ("required", "true")],
    &[("required", "true")],
];

/// A repository with a file as git-lfs leaves it: the commit has a pointer, the disk has the
/// content. Then the filter gets the configuration `settings`.
fn with_filter(settings: &[(&str, &str)]) -> Undoing {
    let undoing = Undoing::new();
    undoing.git(&["config", "filter.lfs.clean", "echo pointer; cat > /dev/null"]);
    undoing.write(".gitattributes", "*.bin filter=lfs -text\n");
    undoing.write("large.bin", "what the pointer stands for\n");
    // The file is older than the index, so git considers it unchanged without reading it.
    assert!(undoing.ground.shell("work", "touch -d 2020-01-01 large.bin"));
    undoing.git(&["add", "--all"]);
    undoing.git(&["commit", "--quiet", "--message", "pointer"]);
    assert_eq!(undoing.said(&["show", "HEAD:large.bin"]), "pointer\n");
    undoing.git(&["config", "--remove-section", "filter.lfs"]);
    for (name, value) in settings {
        undoing.git(&["config", &format!("filter.lfs.{name}"), value]);
    }
    undoing
}

#[test]
fn changed_files_are_saved_and_restored_without_their_filter() {
    for settings in BROKEN {
        let undoing = with_filter(settings);
        // The file keeps its length, so git has to read it.
        undoing.write("large.bin", "WHAT the pointer stands for\n");
        undoing.write("new.bin", "untracked\n");
        undoing.write("a", "worked on\n");
        let before = undoing.files();
        let saved = undoing.try_save("work", &undoing.ground.git());
        let point = saved.unwrap_or_else(|error| panic!("{settings:?}: {error}")).point;
        assert_eq!(point.left_out, []);
        for path in ["a", "large.bin", "new.bin"] {
            undoing.write(path, "ruined\n");
        }
        undoing.restore(&point, &exact());
        assert_eq!(undoing.files(), before, "{settings:?}");
        assert!(!undoing.path(TRACE).exists(), "{settings:?}");
    }
}

#[test]
fn files_that_need_a_broken_filter_are_named_and_all_others_restored() {
    // If no filter that can fail is configured, git checks out the version in the commit.
    for settings in BROKEN.into_iter().filter(|settings| settings.len() > 1) {
        let undoing = with_filter(settings);
        for name in ["a", "new"] {
            undoing.write(name, "worked on\n");
        }
        let git = undoing.ground.git();
        let before = undoing.files();
        let point = undoing.try_save("work", &git).unwrap().point;
        for name in ["a", "b", "dir/c", "large.bin", "new"] {
            fs::remove_file(undoing.path(name)).unwrap();
        }
        let now = undoing.try_save("work", &git).unwrap().point;
        assert!(!undoing.path(TRACE).exists(), "{settings:?}");
        let (work, selection) = (undoing.path(""), Selection::default());
        let plan = undo::plan(&work, &git, &point, &now, &selection, &is_protected).unwrap();
        let restored = undo::restore(&work, &git, &point, &plan, &mut |_| ()).unwrap();
        let Restored { written, removed, failed } = restored;
        let failed: Vec<_> = failed.iter().map(|(path, _)| path.as_path()).collect();
        assert_eq!(
            (written, removed, &failed[..]),
            (4, 0, &[Path::new("large.bin")][..]),
            "{settings:?}"
        );
        let (mut after, mut expected) = (undoing.files(), before);
        // A restore runs the filter, as any checkout does.
        after.retain(|(path, _)| !path.ends_with(TRACE));
        expected.retain(|(path, _)| !path.ends_with("large.bin"));
        assert_eq!(after, expected, "{settings:?}");
    }
}
