//! Tests with several real processes on one session. Each process runs this test binary again, with
//! its role in an environment variable.
#![expect(clippy::disallowed_methods, reason = "starts this test binary again")]

use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::Duration;

use verger_event::{Draft, EventId, Session, SessionKey};
use verger_store::conformance::{key, tool};
use verger_store::{Append, Options, Receipt, Sessions, Turn};
use verger_store_local::{LocalStore, Point, Probe};

use crate::death::{assert_whole, eventful};
use crate::sandbox::{POINTS, Sandbox, call, clean, ids, observation};

const ROLE: &str = "STORE_TEST_ROLE";
const ROOT: &str = "STORE_TEST_ROOT";
const NUMBER: &str = "STORE_TEST_NUMBER";

fn start(role: &str, root: &Path, number: usize) -> (Child, BufReader<ChildStdout>) {
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "processes::plays_its_role_when_it_is_given_one", "--nocapture"])
        .envs([(ROLE, role), (NUMBER, &number.to_string())])
        .env(ROOT, root)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let output = BufReader::new(child.stdout.take().unwrap());
    (child, output)
}

/// The output lines of a process before the line `word`, or all of them if `word` does not come.
fn said(output: &mut impl BufRead, word: &str) -> Vec<String> {
    let mut lines = vec![];
    for line in output.lines() {
        let line = line.unwrap();
        if line == word {
            break;
        }
        lines.push(line);
    }
    lines
}

/// The entry point of the processes. Does nothing in a normal test run, which sets no role.
#[test]
fn plays_its_role_when_it_is_given_one() {
    let Ok(role) = std::env::var(ROLE) else { return };
    let root = std::env::var_os(ROOT).unwrap();
    let number: usize = std::env::var(NUMBER).unwrap().parse().unwrap();
    let (root, key) = (Path::new(&root), key("s"));
    match role.as_str() {
        "hold" => hold(root, &key),
        "write" => write(root, &key, number),
        "append" => append(root, &key, number),
        "write until killed" => write_until_killed(root, &key, number),
        "die" => die(root, &key, POINTS[number]),
        other => panic!("{other}"),
    }
}

/// A call whose record id is different in every process.
fn own(key: &SessionKey, process: usize, n: usize) -> Draft {
    let mut draft = call(key, n);
    draft.id = EventId::new(draft.at, ((process as u128) << 32) + n as u128 + 1_000_000);
    draft.event = tool(&draft.id.to_string(), serde_json::json!({ "n": n }));
    draft
}

fn say(word: &str) {
    let mut output = std::io::stdout();
    writeln!(output, "{word}").unwrap();
    output.flush().unwrap();
}

fn hold(root: &Path, key: &SessionKey) {
    let store = LocalStore::open(root, Options::default()).unwrap();
    let turn = store.open::<Session>(key).unwrap();
    say("held");
    std::io::stdin().read_to_end(&mut vec![]).unwrap();
    drop(turn);
}

fn write(root: &Path, key: &SessionKey, process: usize) {
    // The wait for the lock is short, so that some records are spilled.
    let options = Options { lock_wait: Duration::from_millis(2), ..Options::default() };
    let store = LocalStore::open(root, options).unwrap();
    say("ready");
    std::io::stdin().read_to_end(&mut vec![]).unwrap();
    for n in 0..50 {
        store.open::<Session>(key).unwrap().commit(vec![own(key, process, n)]).unwrap();
    }
}

fn append(root: &Path, key: &SessionKey, process: usize) {
    let options = Options { lock_wait: Duration::from_millis(2), ..Options::default() };
    let store = LocalStore::open(root, options).unwrap();
    say("ready");
    std::io::stdin().read_to_end(&mut vec![]).unwrap();
    for n in 0..20 {
        store.append(key, vec![own(key, process, n)]).unwrap();
    }
}

#[test]
fn nothing_is_lost_when_16_processes_append_at_once() {
    let (log, key) = (Sandbox::new(), key("s"));
    let mut writers: Vec<_> = (0..16).map(|n| start("append", &log.root(), n)).collect();
    for (_, output) in &mut writers {
        said(output, "ready");
    }
    for (child, _) in &mut writers {
        drop(child.stdin.take());
    }
    for (mut child, _) in writers {
        assert!(child.wait().unwrap().success());
    }
    log.commit(&key, &[]);
    assert_eq!(log.verify(&key), clean(16 * 20));
    assert_eq!(ids(&log.read(&key)).len(), 16 * 20);
}

fn write_until_killed(root: &Path, key: &SessionKey, process: usize) {
    let options = Options { lock_wait: Duration::from_millis(2), ..Options::default() };
    let store = LocalStore::open(root, options).unwrap();
    for n in 0.. {
        let draft = own(key, process, n);
        let id = draft.id;
        store.open::<Session>(key).unwrap().commit(vec![draft]).unwrap();
        say(&format!("wrote {id}"));
    }
}

struct KilledAt(Point);

impl Probe for KilledAt {
    fn reached(&self, point: Point) {
        if point == self.0 {
            let own = rustix::process::getpid();
            rustix::process::kill_process(own, rustix::process::Signal::KILL).unwrap();
        }
    }
}

fn die(root: &Path, key: &SessionKey, point: Point) {
    let store = LocalStore::with_probe(root, Options::default(), KilledAt(point)).unwrap();
    let mut draft = observation(key, "new");
    draft.id = the_new_one(&draft);
    store.open::<Session>(key).unwrap().commit(vec![draft]).unwrap();
    say("survived");
}

fn the_new_one(draft: &Draft) -> EventId {
    EventId::new(draft.at, 77_777_777)
}

#[test]
fn a_lock_held_by_another_process_makes_a_turn_spill() {
    let (log, key) = (Sandbox::new(), key("s"));
    let (mut holder, mut output) = start("hold", &log.root(), 0);
    said(&mut output, "held");
    let draft = call(&key, 1);
    assert_eq!(log.commit(&key, std::slice::from_ref(&draft)), Receipt::Spilled);
    drop(holder.stdin.take());
    assert!(holder.wait().unwrap().success());
    assert_eq!(log.commit(&key, &[]), Receipt::Logged { last_seq: 1 });
    assert_eq!(log.read(&key), [crate::sandbox::record(1, &draft)]);
}

#[test]
fn sixteen_processes_on_one_session_lose_nothing() {
    let (log, key) = (Sandbox::new(), key("s"));
    let mut writers: Vec<_> = (0..16).map(|n| start("write", &log.root(), n)).collect();
    for (_, output) in &mut writers {
        said(output, "ready");
    }
    // Closing their standard input starts all processes at once.
    for (child, _) in &mut writers {
        drop(child.stdin.take());
    }
    for (child, output) in &mut writers {
        said(output, "");
        assert!(child.wait().unwrap().success());
    }
    assert_eq!(log.commit(&key, &[]), Receipt::Logged { last_seq: 800 });
    assert_eq!(log.verify(&key), clean(800));
    let found = ids(&log.read(&key));
    assert_eq!((found.len(), found.values().max()), (800, Some(&1)));
    log.assert_folds_agree(&key);
}

#[test]
fn processes_that_are_killed_lose_nothing_that_they_acknowledged() {
    let (log, key) = (Sandbox::new(), key("s"));
    let mut acknowledged = vec![];
    for round in 0..6 {
        let mut writers: Vec<_> =
            (0..4).map(|n| start("write until killed", &log.root(), 10 * round + n)).collect();
        for (n, (child, output)) in writers.iter_mut().enumerate() {
            let is_ack = |line: &String| line.starts_with("wrote ");
            let lines = output.by_ref().lines().map(Result::unwrap).filter(is_ack);
            acknowledged.extend(lines.take(5 + 7 * n));
            child.kill().unwrap();
            // Complete lines that the process printed before it was killed count too.
            let rest = output.by_ref().lines().map(Result::unwrap).filter(is_ack);
            acknowledged.extend(rest.filter(|line| line.len() == "wrote ".len() + 26));
            child.wait().unwrap();
        }
    }
    log.commit(&key, &[]);
    let found = ids(&log.read(&key));
    assert!(acknowledged.len() > 300, "{}", acknowledged.len());
    for line in acknowledged {
        let id: EventId = line["wrote ".len()..].parse().unwrap();
        assert_eq!(found.get(&id), Some(&1), "{id}");
    }
    let faults = log.verify(&key).faults.len();
    assert!(faults <= 24, "{faults} faults after 24 kills");
    log.assert_folds_agree(&key);
}

#[test]
fn a_process_killed_at_any_point_leaves_a_log_that_is_whole() {
    for (number, point) in POINTS.into_iter().enumerate() {
        let (log, key) = (Sandbox::new(), key("s"));
        let before = eventful(&log, &key);
        let (mut child, mut output) = start("die", &log.root(), number);
        let lines = said(&mut output, "survived");
        assert!(!child.wait().unwrap().success(), "{point:?}: {lines:?}");
        let entries = log.read(&key);
        let new = entries.iter().find_map(|entry| match entry {
            verger_store::Entry::Record(r) if r.draft.id == the_new_one(&r.draft) => {
                Some(r.draft.clone())
            }
            _ => None,
        });
        let is_written = !matches!(point, Point::Locked | Point::Folded | Point::BeforeWrite);
        assert_eq!(new.is_some(), is_written, "{point:?}");
        let new = new.unwrap_or_else(|| observation(&key, "never written"));
        assert_whole(&log, &key, &before, &new);
    }
}
