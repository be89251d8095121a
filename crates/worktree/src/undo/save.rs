//! Saves the working tree as an undo point.

use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::Path;
use std::thread;

use super::about::About;
use super::contents::Contents;
use super::import::{Commit, Import};
use super::points::{Point, delete, expired, list};
use super::removal::shared;
use super::{MAX_NAMED, NoUndo, REFERENCES, REUSE_MS, SCRATCH, Saved, Saving};
use crate::git::Git;
use crate::head::head;
use crate::private::Scratch;
use crate::repository::{Asking, Place, find_place, refused};
use crate::tree_error::TreeError;
use crate::working_tree::WorkingTree;

/// Arguments of `git fast-import`. File names that are invalid on other systems are allowed. A few
/// objects are stored loose, as after a fetch. No reflog is created.
const IMPORT: &[&str] = &[
    "-c",
    "core.logAllRefUpdates=false",
    // Fast compression is enough, because git's maintenance compresses the objects again.
    "-c",
    "core.compression=1",
    "-c",
    "pack.compression=1",
    "-c",
    "core.protectHFS=false",
    "-c",
    "core.protectNTFS=false",
    "-c",
    "fastimport.unpackLimit=100",
    "fast-import",
    "--quiet",
    "--done",
];
const STEP: &str = "save the working tree";

/// Saves the working tree of `cwd` as an undo point.
pub fn save(cwd: &Path, git: &Git, saving: &Saving<'_>) -> Result<Saved, NoUndo> {
    let deadline = git.deadline();
    let place = find_place(cwd, git, deadline)?;
    let root = place.top_level.clone();
    let scratch = Scratch::new(&place.git_dir.join(SCRATCH))?;
    let asking = Asking::begin(git, &place.top_level, deadline)?;
    let (tree, points) = thread::scope(|scope| {
        let points = scope.spawn(|| list(&asking));
        let tree = WorkingTree::look(&asking, &place.git_dir, &scratch, place.id_bytes());
        (tree, points.join().unwrap_or(Err(TreeError::Answer { step: STEP })))
    });
    let ((status, submodules), points) = (tree?.into_parts(), points?);
    let stream = scratch.path("stream");
    let writing = || TreeError::files("write", &stream);
    let file = File::create(&stream).map_err(writing())?;
    let reference = format!("{REFERENCES}{}", saving.id);
    let mut import = Import::new(BufWriter::new(file), reference, saving.id);
    let contents = Contents::write(&mut import, &status, &submodules, &asking, saving)?;
    let base = status.head.as_deref();
    note(&mut import, base, &contents);
    let last = points.iter().find(|point| point.root == root);
    if let Some(point) = last.filter(|point| stands(point, &import.content(), saving)) {
        return Ok(Saved {
            point: point.clone(),
            is_reused: true,
            kept_in: shared(&place.git_dir),
        });
    }
    let about = About {
        head: base.map(str::to_owned),
        branch: head(&place.top_level).branch,
        session: saving.session.clone(),
        on: saving.on,
        why: saving.why.clone(),
        has_index: !contents.index.is_empty(),
        has_unmerged: !contents.unmerged.is_empty(),
        left_out: contents.left_out.iter().take(MAX_NAMED).cloned().collect(),
        more_left_out: contents.left_out.len().saturating_sub(MAX_NAMED) as u64,
        ..About::new(root, import.content())
    };
    write_commits(import, base, &contents, &about).map_err(writing())?;
    run(&asking, &place, &stream)?;
    let points = list(&asking)?;
    let point = points.iter().find(|point| point.id == saving.id).cloned();
    let point = point.ok_or(TreeError::Answer { step: STEP })?;
    // If a point can't be removed now, the next save tries again.
    drop(delete(&asking, &expired(points, saving.retention, saving.id.made_at())));
    scratch.sweep();
    Ok(Saved { point, is_reused: false, kept_in: shared(&place.git_dir) })
}

fn note<W: Write>(import: &mut Import<W>, base: Option<&str>, contents: &Contents) {
    import.note(base.unwrap_or_default().as_bytes());
    for entries in [&contents.files, &contents.index, &contents.unmerged] {
        import.note_entries(entries);
        import.note(b"");
    }
    import.note(format!("{:?}", contents.left_out).as_bytes());
}

/// Whether an earlier point can be reused: it has the same content and isn't too old.
fn stands(point: &Point, content: &str, saving: &Saving<'_>) -> bool {
    point.content == content && saving.id.made_at().millis_since(point.id.made_at()) < REUSE_MS
}

fn write_commits<W: Write>(
    mut import: Import<W>,
    base: Option<&str>,
    contents: &Contents,
    about: &About,
) -> std::io::Result<()> {
    let mut other_parents = vec![];
    for (message, base, entries) in [
        ("Index of an undo point of verger\n", base, &contents.index),
        ("Unfinished merge of an undo point of verger\n", None, &contents.unmerged),
    ] {
        if !entries.is_empty() {
            let commit = Commit { message, base, other_parents: &[], entries };
            other_parents.push(import.commit(&commit)?);
        }
    }
    let (message, entries) = (&about.message(), &contents.files);
    import.commit(&Commit { message, base, other_parents: &other_parents, entries })?;
    import.done()
}

fn run(asking: &Asking<'_>, place: &Place, stream: &Path) -> Result<(), TreeError> {
    let input = File::open(stream).map_err(TreeError::files("read", stream))?;
    let output = asking.fed(IMPORT, input)?;
    if output.status.success() {
        return Ok(());
    }
    remove_report(&String::from_utf8_lossy(&output.stderr), &place.git_dir);
    Err(refused(STEP, &output))
}

/// Removes the crash report that a failed `git fast-import` leaves in the git directory.
fn remove_report(message: &str, git_dir: &Path) {
    let names = message.match_indices("fast_import_crash_").map(|(at, name)| {
        let digits = message[at + name.len()..].bytes().take_while(u8::is_ascii_digit).count();
        &message[at..at + name.len() + digits]
    });
    for name in names {
        // The crash report may not exist.
        drop(fs::remove_file(git_dir.join(name)));
    }
}
