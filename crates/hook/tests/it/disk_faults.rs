//! Tests a full disk, a disk that can't be written to, and other objects in place of the log's
//! files.

use std::fs::{self, File, Permissions};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::json;
use verger_event::Event;
use verger_store::Entry;
use verger_testkit::{captured, changed};

use crate::log::Log;
use crate::scene::{SESSION, Scene, key, session_file};
use crate::stage::HOOK;

/// The payload of a new call. Its description has this many bytes.
fn payload(id: &str, bytes: usize) -> String {
    let input = json!({ "command": "a command", "description": "some words".repeat(bytes / 10) });
    changed("PreToolUse-Bash", &[("tool_use_id", json!(id)), ("tool_input", input)])
}

fn data(scene: &Scene) -> PathBuf {
    scene.environment.verger_home().join("data")
}

/// The file of the scene's session with this extension.
fn file_of_session(scene: &Scene, ending: &str) -> PathBuf {
    session_file(&scene.environment, ending)
}

/// The command that runs another command in its own mount namespace. `None` if the system doesn't
/// allow that.
pub(crate) fn own_mounts() -> Option<&'static [&'static str]> {
    let candidates: [&[&str]; 2] =
        [&["unshare", "--mount"], &["unshare", "--user", "--map-root-user", "--mount"]];
    candidates.into_iter().find(|words| {
        let mut command = Command::new(words[0]);
        command.args(&words[1..]).args(["mount", "-t", "tmpfs", "none", "/mnt"]);
        command.stdout(Stdio::null()).stderr(Stdio::null());
        command.status().is_ok_and(|status| status.success())
    })
}

/// Runs the hook with verger's directory on a small separate disk, to which the log is copied
/// first. After the run, the disk's content is copied to `after`. Returns `None` if the system
/// doesn't allow mounts.
fn on_small_disk(scene: &mut Scene, between: &str, stdin: &str) -> Option<Log> {
    let mounts = own_mounts()?;
    let after = scene.environment.root().join("after");
    fs::create_dir(&after).unwrap();
    fs::set_permissions(&after, Permissions::from_mode(0o700)).unwrap();
    // The script itself prints nothing, so all output comes from the hook.
    let script = format!(
        r#"set -e
        cp -a "$VERGER_HOME" "$TMPDIR/seed"
        mount -t tmpfs -o size=256k,mode=700 none "$VERGER_HOME"
        cp -a "$TMPDIR/seed/." "$VERGER_HOME/"
        rm -r "$TMPDIR/seed"
        {between}
        code=0
        "{HOOK}" claude PreToolUse || code=$?
        mount -o remount,rw "$VERGER_HOME"
        rm -f "$VERGER_HOME/filler"
        cp -a "$VERGER_HOME/data/." "$0"
        exit $code"#
    );
    let mut command = scene.environment.command(mounts[0]);
    command.args(&mounts[1..]).args(["sh", "-c", &script]).arg(&after);
    let start = Instant::now();
    let output = scene.environment.run_command(command, stdin);
    assert_eq!(output.success().to_string(), "");
    assert!(start.elapsed() < Duration::from_secs(3), "it took {:?}", start.elapsed());
    scene.settle();
    Some(Log::in_directory(&after))
}

const FILL: &str = r#"cat /dev/zero > "$VERGER_HOME/filler" 2> /dev/null || true"#;

#[test]
fn on_a_full_disk_the_agent_goes_on_and_the_log_stays_whole() {
    for bytes in [10_000, 60_000, 200_000] {
        let mut scene = Scene::new();
        let before = scene.log().records(&key(SESSION));
        let Some(log) = on_small_disk(&mut scene, FILL, &payload("toolu_new", bytes)) else {
            return;
        };
        let mut after = log.records(&key(SESSION));
        // If there was room for a warning, it was recorded.
        after.retain(|record| !matches!(record.draft.event, Event::Warned { .. }));
        assert_eq!(after, before, "{bytes}");
        assert_eq!(log.faults(), []);
    }
}

#[test]
fn a_disk_without_room_for_a_blob_still_takes_a_warning() {
    let mut scene = Scene::new();
    let before = scene.log().records(&key(SESSION));
    let Some(log) = on_small_disk(&mut scene, "", &payload("toolu_new", 1_000_000)) else { return };
    assert_eq!(log.faults(), []);
    let halves = scene.environment.run("find", ["../../after/blobs", "-type", "f"], "");
    assert_eq!(halves.success().stdout, "", "nothing half-written is left behind");
    let after = log.records(&key(SESSION));
    assert_eq!(after[..before.len()], before);
    let warnings: Vec<_> = after[before.len()..]
        .iter()
        .map(|record| match &record.draft.event {
            Event::Warned { area, message } => {
                (area.to_string(), message.contains("No space left"))
            }
            event => panic!("{event:?}"),
        })
        .collect();
    assert_eq!(warnings, [("hook PreToolUse".to_owned(), true)]);
}

#[test]
fn failures_after_the_commit_are_warnings_in_the_session() {
    let scene = Scene::new();
    let sessions = data(&scene).join("sessions");
    if sessions.exists() {
        fs::remove_dir_all(&sessions).unwrap();
    }
    fs::write(&sessions, "in the way of every snapshot").unwrap();
    for n in 0..20 {
        let tool = payload(&format!("toolu_{n}"), 100);
        drop(scene.call_within(Duration::ZERO, &["claude", "PreToolUse"], tool));
    }
    let records = scene.log().records(&key(SESSION));
    let kinds = |kind: &str| records.iter().filter(|r| r.draft.event.kind() == kind).count();
    assert_eq!(kinds("tool.requested"), 21);
    assert!(kinds("warning.raised") > 0);
    assert_eq!(scene.log().faults(), []);
}

#[test]
fn in_a_read_only_directory_the_agent_goes_on_and_the_log_stays_whole() {
    let mut scene = Scene::new();
    let before = scene.log().records(&key(SESSION));
    let read_only = r#"mount -o remount,ro "$VERGER_HOME""#;
    let Some(log) = on_small_disk(&mut scene, read_only, &payload("toolu_new", 100)) else {
        return;
    };
    assert_eq!(log.records(&key(SESSION)), before);
    assert_eq!(log.faults(), []);
}

#[test]
fn a_lock_that_is_not_given_back_delays_a_call_a_little_and_loses_nothing() {
    let scene = Scene::new();
    let lock = File::open(file_of_session(&scene, "lock")).unwrap();
    lock.lock().unwrap();
    let limit = Duration::from_millis(200);
    let called = scene.call_within(limit, &["claude", "PreToolUse"], payload("toolu_1", 100));
    assert!(called.took >= limit, "it waited {:?}", called.took);
    scene.call_within(limit, &["claude", "PostToolUse"], captured("PostToolUse-Bash").to_string());
    let entries = Log::of(&scene.environment).entries(&key(SESSION));
    let spilled = |entries: &[Entry]| {
        entries.iter().map(|entry| matches!(entry, Entry::Spilled(_))).collect::<Vec<_>>()
    };
    assert_eq!(spilled(&entries), [false, false, false, false, true, true]);
    lock.unlock().unwrap();
    scene.call("PreToolUse", payload("toolu_2", 100));
    let entries = scene.log().entries(&key(SESSION));
    assert_eq!(spilled(&entries), [false; 7]);
    assert_eq!(scene.news(), ["tool.requested", "tool.succeeded", "tool.requested"]);
    let numbers: Vec<_> = scene.log().all().iter().map(|record| record.seq).collect();
    assert_eq!(numbers, [1, 2, 3, 4, 5, 6, 7]);
}

/// Reports one call twice. The first report doesn't get the lock, and the second report doesn't
/// see the first one's spilled record, as if both waited at the same time.
#[track_caller]
fn reported_twice(scene: &Scene, before_second: impl FnOnce(&File)) {
    let lock = File::open(file_of_session(scene, "lock")).unwrap();
    lock.lock().unwrap();
    let limit = Duration::from_millis(200);
    scene.call_within(limit, &["claude", "PreToolUse"], payload("toolu_1", 100));
    let spill = file_of_session(scene, "spill");
    let name = fs::read_dir(&spill).unwrap().next().unwrap().unwrap().file_name();
    let kept = scene.environment.verger_home().join("kept");
    fs::rename(spill.join(&name), &kept).unwrap();
    before_second(&lock);
    scene.call_within(limit, &["claude", "PreToolUse"], payload("toolu_1", 100));
    lock.unlock().unwrap();
    fs::create_dir_all(&spill).unwrap();
    fs::set_permissions(&spill, Permissions::from_mode(0o700)).unwrap();
    fs::rename(&kept, spill.join(&name)).unwrap();
    scene.call("PreToolUse", payload("toolu_2", 100));
}

#[test]
fn two_reports_that_both_miss_the_lock_are_recorded_once() {
    let scene = Scene::new();
    reported_twice(&scene, |_| {});
    assert_eq!(scene.news(), ["tool.requested"; 2]);
}

#[test]
fn a_report_that_missed_the_lock_is_dropped_when_another_got_it() {
    let scene = Scene::new();
    reported_twice(&scene, |lock| lock.unlock().unwrap());
    assert_eq!(scene.news(), ["tool.requested"; 2]);
}

/// Moves `path` away, puts a link to it in its place, calls the hook, and moves it back. Returns
/// the new records.
#[track_caller]
fn behind_a_link(path: impl FnOnce(&Scene) -> PathBuf) -> Vec<String> {
    let mut scene = Scene::new();
    let path = path(&scene);
    let elsewhere = scene.environment.root().join("elsewhere");
    fs::rename(&path, &elsewhere).unwrap();
    symlink(&elsewhere, &path).unwrap();
    scene.settle();
    scene.call("PreToolUse", payload("toolu_new", 100));
    fs::remove_file(&path).unwrap();
    fs::rename(&elsewhere, &path).unwrap();
    scene.news()
}

#[test]
fn a_link_in_place_of_a_directory_is_not_followed() {
    // Nothing is recorded, because even a warning would be written through the link.
    assert_eq!(behind_a_link(data), Vec::<String>::new());
    assert_eq!(behind_a_link(|scene| data(scene).join("log")), Vec::<String>::new());
    let bucket = |scene: &Scene| file_of_session(scene, "jsonl").parent().unwrap().to_owned();
    let bucket = behind_a_link(bucket);
    assert_eq!(bucket.len(), 1, "{bucket:?}");
    assert!(bucket[0].ends_with(": it is a symbolic link"), "{bucket:?}");
}

#[test]
fn a_link_in_place_of_a_file_is_not_followed() {
    for ending in ["jsonl", "lock"] {
        let news = behind_a_link(|scene| file_of_session(scene, ending));
        assert_eq!(news.len(), 1, "{ending}: {news:?}");
        assert!(news[0].starts_with("warning: hook PreToolUse: open $ENV"), "{news:?}");
    }
}

#[test]
fn a_link_in_place_of_what_is_spilled_is_not_followed() {
    let mut scene = Scene::new();
    let elsewhere = scene.environment.root().join("elsewhere");
    fs::create_dir(&elsewhere).unwrap();
    let lock = file_of_session(&scene, "lock");
    symlink(&elsewhere, lock.with_extension("spill")).unwrap();
    scene.settle();
    let lock = File::open(lock).unwrap();
    lock.lock().unwrap();
    let limit = Duration::from_millis(200);
    scene.call_within(limit, &["claude", "PreToolUse"], payload("toolu_new", 100));
    lock.unlock().unwrap();
    fs::remove_file(file_of_session(&scene, "spill")).unwrap();
    let news = scene.news();
    assert_eq!(news.len(), 1, "{news:?}");
    assert!(news[0].ends_with(": it is a symbolic link"), "{news:?}");
}

#[test]
fn a_dangling_link_makes_no_file_where_it_points() {
    let mut scene = Scene::new();
    let segment = file_of_session(&scene, "jsonl");
    let kept = segment.with_extension("kept");
    fs::rename(&segment, &kept).unwrap();
    symlink(scene.environment.root().join("nothing"), &segment).unwrap();
    scene.settle();
    scene.call("PreToolUse", payload("toolu_new", 100));
    fs::rename(&kept, &segment).unwrap();
    assert_eq!(scene.news().len(), 1);
}

/// Calls the hook while a pipe is in the place of a file. Returns the new records.
#[track_caller]
fn behind_a_pipe(place: impl FnOnce(&Scene) -> PathBuf) -> Vec<String> {
    let scene = Scene::new();
    let path = place(&scene);
    let kept = scene.environment.verger_home().join("kept");
    let was_there = path.exists();
    if was_there {
        fs::rename(&path, &kept).unwrap();
    }
    make_pipe(&scene, &path);
    scene.call("PreToolUse", payload("toolu_new", 100));
    fs::remove_file(&path).unwrap();
    if was_there {
        fs::rename(&kept, &path).unwrap();
    }
    scene.news()
}

fn make_pipe(scene: &Scene, path: &Path) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    let made = scene.environment.run("mkfifo", [path], "");
    assert_eq!(made.success().to_string(), "");
}

#[test]
fn a_pipe_in_place_of_a_file_holds_nobody_up() {
    for ending in ["jsonl", "lock"] {
        let news = behind_a_pipe(|scene| file_of_session(scene, ending));
        assert_eq!(news.len(), 1, "{ending}: {news:?}");
        assert!(news[0].contains("it is not a file but Fifo"), "{news:?}");
    }
    // A snapshot is only a cache. If it can't be read, the segment is read instead.
    let snapshot = |scene: &Scene| data(scene).join(format!("sessions/claude-{SESSION}.json"));
    assert_eq!(behind_a_pipe(snapshot), ["tool.requested"]);
}

#[test]
fn a_directory_that_others_may_write_to_is_not_used() {
    let scene = Scene::new();
    fs::set_permissions(data(&scene), Permissions::from_mode(0o777)).unwrap();
    scene.call("PreToolUse", payload("toolu_new", 100));
    fs::set_permissions(data(&scene), Permissions::from_mode(0o700)).unwrap();
    assert_eq!(scene.news(), Vec::<String>::new());
}

#[test]
fn a_file_in_place_of_the_directory_is_left_alone() {
    let scene = Scene::new();
    let kept = scene.environment.verger_home().join("kept");
    fs::rename(data(&scene), &kept).unwrap();
    fs::write(data(&scene), "mine").unwrap();
    scene.call("PreToolUse", payload("toolu_new", 100));
    assert_eq!(fs::read_to_string(data(&scene)).unwrap(), "mine");
    fs::remove_file(data(&scene)).unwrap();
    fs::rename(&kept, data(&scene)).unwrap();
    assert_eq!(scene.news(), Vec::<String>::new());
}

#[test]
fn a_torn_last_line_is_passed_over_and_the_next_record_follows_it() {
    let scene = Scene::new();
    let segment = file_of_session(&scene, "jsonl");
    let whole = fs::read(&segment).unwrap();
    fs::write(&segment, [&whole[..], &whole[..100]].concat()).unwrap();
    scene.call("PreToolUse", payload("toolu_new", 100));
    let log = Log::of(&scene.environment);
    assert_eq!(log.faults().len(), 1, "{:?}", log.faults());
    let numbers: Vec<_> = log.records(&key(SESSION)).iter().map(|record| record.seq).collect();
    assert_eq!(numbers, [1, 2, 3, 4, 5, 6], "the last is the warning");
}

#[test]
fn files_of_the_hook_are_private() {
    let scene = Scene::new();
    scene.call("PreToolUse", payload("toolu_new", 200_000));
    let mut open = vec![data(&scene)];
    let mut modes = Vec::new();
    while let Some(path) = open.pop() {
        let metadata = path.symlink_metadata().unwrap();
        let kind = if metadata.is_dir() { "directory" } else { "file" };
        modes.push((kind, metadata.permissions().mode() & 0o777));
        if metadata.is_dir() {
            open.extend(fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()));
        }
    }
    modes.sort_unstable();
    modes.dedup();
    assert_eq!(modes, [("directory", 0o700), ("file", 0o600)]);
}
