//! The test suite for all stores. The tests of a store call [`conformance_tests!`] with an
//! expression that creates an empty store.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use serde_json::{Value, json};
use verger_event::{
    Access, Actor, Circumstance, Draft, Event, EventId, Fold, Origin, ProjectId, Record, Session,
    SessionId, SessionKey, Standing, Timestamp, ToolCall, VergerPart,
};

use crate::{
    Entry, FollowLog, Following, ReadLog, Receipt, RemoveError, Retention, Sessions, Store, Turn,
};

/// Declares one test for every property. `$make` is an expression that returns `(store, guard)`:
/// an empty store that redacts [`conformance::SECRET`](SECRET), and a value that must live as
/// long as the store.
#[macro_export]
macro_rules! conformance_tests {
    ($make:expr) => {
        $crate::conformance_tests! { @each $make;
            records_are_numbered_from_one_in_the_order_they_were_committed
            a_turn_sees_what_every_turn_before_it_committed
            committing_nothing_changes_nothing
            sessions_are_kept_apart
            a_session_may_have_any_id
            no_record_is_lost_when_many_commit_at_once
            a_payload_of_any_size_is_read_back
            a_secret_is_written_nowhere_and_missed_by_no_fold
            a_kind_that_is_not_known_is_kept
            durable_records_are_also_in_the_project
            a_session_is_removed_only_when_its_durable_records_are_safe
            a_packed_session_goes_on_as_it_was
            an_append_is_read_back_and_folded
            an_append_that_is_repeated_changes_nothing
            no_record_is_lost_when_16_threads_append_at_once
            a_follower_gets_what_is_new_in_every_session_once_and_in_order
            a_follower_is_woken_by_an_append
        }
    };
    (@each $make:expr; $($property:ident)*) => {$(
        #[test]
        fn $property() {
            let (store, _guard) = $make;
            $crate::conformance::$property(&store);
        }
    )*};
}

/// A text that the tested store must redact everywhere.
pub const SECRET: &str = "ghp_abcdefghijklmnopqrstuvwxyz0123456789";

static NEXT: AtomicU64 = AtomicU64::new(1);

/// The key of a session of the agent `tester` with this id.
pub fn key(session: &str) -> SessionKey {
    let agent = "tester".parse().unwrap_or_else(|bad| panic!("{bad}"));
    SessionKey { agent, session: SessionId::new(session) }
}

/// A draft in this session, with a unique id.
pub fn draft(key: &SessionKey, event: Event) -> Draft {
    let n = NEXT.fetch_add(1, Ordering::Relaxed);
    let at = Timestamp::from_millis(1_794_767_961_556 + n);
    Draft {
        id: EventId::new(at, n.into()),
        at,
        origin: Origin {
            agent: key.agent.clone(),
            agent_version: None,
            session: key.session.clone(),
            actor: Actor::Main { agent_type: None },
            user: Some("dev".to_owned()),
            role: None,
            project: Some(ProjectId::new("b0b1")),
            circumstance: Circumstance::default(),
        },
        standing: Standing::default(),
        access: Access::default(),
        event,
    }
}

/// The request of a tool call with this id and input.
pub fn tool(id: &str, input: Value) -> Event {
    Event::ToolRequested(ToolCall::mcp("server", "tool", input).with_id(id))
}

fn observation(text: &str) -> Event {
    Event::ObservationRecorded { text: text.to_owned(), author: None }
}

#[track_caller]
fn commit(store: &impl Sessions, key: &SessionKey, drafts: Vec<Draft>) -> Receipt {
    ok(ok(store.open::<Session>(key)).commit(drafts))
}

#[track_caller]
fn ok<T, E: std::fmt::Debug>(result: Result<T, E>) -> T {
    result.unwrap_or_else(|error| panic!("{error:?}"))
}

fn entries(store: &impl ReadLog, key: &SessionKey) -> Vec<Entry> {
    let mut entries = vec![];
    ok(store.read(key, &mut |entry| entries.push(entry)));
    entries
}

fn sessions(store: &impl ReadLog) -> BTreeSet<SessionKey> {
    let stems = ok(store.session_stems());
    stems.iter().filter_map(|stem| ok(store.key_of(stem))).collect()
}

/// The entries that a reader gets if the log has exactly these drafts.
fn numbered(drafts: &[Draft]) -> Vec<Entry> {
    (1..)
        .zip(drafts)
        .map(|(seq, draft)| Entry::Record(Box::new(Record { seq, draft: draft.clone() })))
        .collect()
}

fn replayed(entries: &[Entry]) -> Session {
    let mut session = Session::default();
    for entry in entries {
        if let Entry::Record(record) = entry {
            session.apply(record);
        }
    }
    session
}

macro_rules! properties {
    ($($name:ident($store:ident) $body:block)*) => {$(
        #[doc = concat!("See [`conformance_tests!`]: `", stringify!($name), "`.")]
        pub fn $name($store: &(impl Store + FollowLog + Retention + Sync)) $body
    )*};
}

properties! {
    records_are_numbered_from_one_in_the_order_they_were_committed(store) {
        let key = key("ordered");
        let drafts: Vec<_> = (0..5).map(|n| draft(&key, tool(&format!("t{n}"), json!(n)))).collect();
        assert_eq!(commit(store, &key, drafts[..2].to_vec()), Receipt::Logged { last_seq: 2 });
        assert_eq!(commit(store, &key, drafts[2..].to_vec()), Receipt::Logged { last_seq: 5 });
        assert_eq!(entries(store, &key), numbered(&drafts));
    }

    a_turn_sees_what_every_turn_before_it_committed(store) {
        let key = key("folded");
        for n in 0..50 {
            let replayed = replayed(&entries(store, &key));
            let turn = ok(store.open::<Session>(&key));
            assert_eq!(*turn.state(), replayed);
            assert_eq!(turn.state().events, n);
            ok(turn.commit(vec![draft(&key, tool(&format!("t{n}"), json!({ "n": n })))]));
        }
    }

    committing_nothing_changes_nothing(store) {
        let key = key("nothing");
        assert_eq!(commit(store, &key, vec![]), Receipt::Logged { last_seq: 0 });
        assert_eq!(entries(store, &key), vec![]);
    }

    sessions_are_kept_apart(store) {
        let (one, two) = (key("one"), key("two"));
        let (first, second) = (draft(&one, tool("a", json!(1))), draft(&two, tool("b", json!(2))));
        commit(store, &one, vec![first.clone()]);
        commit(store, &two, vec![second.clone()]);
        assert_eq!(entries(store, &one), numbered(&[first]));
        assert_eq!(entries(store, &two), numbered(&[second]));
        let sessions = sessions(store);
        assert_eq!(sessions, [one, two].into());
    }

    a_session_may_have_any_id(store) {
        let long = "x".repeat(500);
        let ids = ["", "..", "../../escape", "a/b", "UPPER", "upper", "nul\0", "\n", "é", &long];
        for id in ids {
            let key = key(id);
            let draft = draft(&key, tool("t", json!(id)));
            commit(store, &key, vec![draft.clone()]);
            assert_eq!(entries(store, &key), numbered(&[draft]), "{id:?}");
        }
        let sessions = sessions(store);
        assert_eq!(sessions, ids.into_iter().map(key).collect());
    }

    no_record_is_lost_when_many_commit_at_once(store) {
        let key = key("parallel");
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    for _ in 0..25 {
                        let mut draft = draft(&key, tool("t", json!(null)));
                        // Each call gets its own id. With a common id, a call could be dropped as a
                        // duplicate.
                        draft.event = tool(&draft.id.to_string(), json!("x".repeat(200)));
                        commit(store, &key, vec![draft]);
                    }
                });
            }
        });
        // Turns without the lock have spilled their records. This commit merges them.
        commit(store, &key, vec![]);
        let seqs: Vec<_> = entries(store, &key)
            .into_iter()
            .map(|entry| match entry {
                Entry::Record(record) => record.seq,
                other => panic!("{other:?}"),
            })
            .collect();
        assert_eq!(seqs, (1..=200).collect::<Vec<_>>());
    }

    a_payload_of_any_size_is_read_back(store) {
        let key = key("sizes");
        let sizes = [0, 1, 60_000, 65_000, 65_535, 65_536, 70_000, 3_000_000];
        let drafts: Vec<_> = sizes
            .iter()
            .map(|&size| draft(&key, tool(&format!("t{size}"), json!("\u{e9}".repeat(size / 2)))))
            .collect();
        for draft in &drafts {
            commit(store, &key, vec![draft.clone()]);
        }
        assert_eq!(entries(store, &key), numbered(&drafts));
    }

    a_secret_is_written_nowhere_and_missed_by_no_fold(store) {
        let key = key("secret");
        let mut secret = draft(&key, Event::Warned {
            area: VergerPart::Store.into(),
            message: format!("push to {SECRET} failed"),
        });
        secret.origin.circumstance.cwd = Some(format!("/tmp/{SECRET}"));
        secret.origin.user = Some(SECRET.to_owned());
        commit(store, &key, vec![secret]);
        let state = ok(store.open::<Session>(&key)).state().clone();
        let read = entries(store, &key);
        assert_eq!(state, replayed(&read));
        let everything = format!("{state:?} {read:?}");
        assert_eq!(everything.matches(&SECRET[4..20]).count(), 0, "{everything}");
    }

    a_kind_that_is_not_known_is_kept(store) {
        let key = key("unknown");
        let payload = json!({ "by": ["eagle"] });
        let unknown = draft(&key, Event::Unknown { kind: "moon.landed".to_owned(), payload });
        commit(store, &key, vec![unknown.clone()]);
        assert_eq!(entries(store, &key), numbered(&[unknown]));
    }

    durable_records_are_also_in_the_project(store) {
        let (one, two) = (key("d1"), key("d2"));
        let durable = [draft(&one, observation("first")), draft(&two, observation("second"))];
        commit(store, &one, vec![durable[0].clone(), draft(&one, tool("t", json!(1)))]);
        commit(store, &two, vec![durable[1].clone()]);
        let mut project = vec![];
        ok(store.read_project(&ProjectId::new("b0b1"), &mut |entry| project.push(entry)));
        assert_eq!(project, numbered(&durable));
        assert_eq!((ok(store.settle(&one)), ok(store.settle(&two))), (0, 0));
    }

    a_packed_session_goes_on_as_it_was(store) {
        let key = key("packed");
        for n in 0..40 {
            commit(store, &key, vec![draft(&key, tool(&format!("t{n}"), json!(n)))]);
        }
        assert!(!ok(store.pack(&key, 39)));
        let before: Session = ok(store.folded(&key.file_stem()));
        assert!(ok(store.pack(&key, 40)));
        assert_eq!(ok(store.folded::<Session>(&key.file_stem())), before);
        commit(store, &key, vec![draft(&key, tool("last", json!(1)))]);
        assert_eq!(ok(store.folded::<Session>(&key.file_stem())), replayed(&entries(store, &key)));
        assert_eq!(entries(store, &key).len(), 41);
    }

    a_session_is_removed_only_when_its_durable_records_are_safe(store) {
        let key = key("removed");
        commit(store, &key, vec![draft(&key, observation("keep me"))]);
        match store.remove(&key) {
            Ok(()) => {}
            Err(RemoveError::Unsettled { count }) => panic!("{count} unsettled after a commit"),
            Err(error @ (RemoveError::Recent | RemoveError::Store(_))) => panic!("{error}"),
        }
        assert_eq!(entries(store, &key), vec![]);
        let mut kept = 0;
        ok(store.read_project(&ProjectId::new("b0b1"), &mut |_| kept += 1));
        assert_eq!(kept, 1);
    }

    an_append_is_read_back_and_folded(store) {
        let key = key("appended");
        let drafts = [draft(&key, observation("durable")), draft(&key, tool("t", json!(1)))];
        assert_eq!(ok(store.append(&key, drafts.to_vec())), Receipt::Logged { last_seq: 2 });
        assert_eq!(entries(store, &key), numbered(&drafts));
        let state = ok(store.open::<Session>(&key)).state().clone();
        assert_eq!(state, replayed(&entries(store, &key)));
        let mut project = vec![];
        ok(store.read_project(&ProjectId::new("b0b1"), &mut |entry| project.push(entry)));
        assert_eq!(project, numbered(&drafts[..1]));
    }

    an_append_that_is_repeated_changes_nothing(store) {
        let key = key("repeated");
        let drafts: Vec<_> = (0..4).map(|n| draft(&key, tool(&format!("t{n}"), json!(n)))).collect();
        ok(store.append(&key, drafts[..3].to_vec()));
        assert_eq!(ok(store.append(&key, drafts[..3].to_vec())), Receipt::Logged { last_seq: 3 });
        assert_eq!(ok(store.append(&key, drafts[1..].to_vec())), Receipt::Logged { last_seq: 4 });
        assert_eq!(entries(store, &key), numbered(&drafts));
    }

    no_record_is_lost_when_16_threads_append_at_once(store) {
        let key = key("crowd");
        std::thread::scope(|scope| {
            for _ in 0..16 {
                scope.spawn(|| {
                    for _ in 0..10 {
                        let mut draft = draft(&key, tool("t", json!(null)));
                        draft.event = tool(&draft.id.to_string(), json!("x".repeat(200)));
                        ok(store.append(&key, vec![draft.clone()]));
                        // A caller that doesn't know whether the append succeeded repeats it.
                        ok(store.append(&key, vec![draft]));
                    }
                });
            }
        });
        // Appends without the lock have spilled their records. This commit merges them.
        commit(store, &key, vec![]);
        let mut ids: Vec<_> = entries(store, &key)
            .into_iter()
            .map(|entry| match entry {
                Entry::Record(record) => record.draft.id,
                other => panic!("{other:?}"),
            })
            .collect();
        ids.sort();
        ids.dedup();
        assert_eq!((ids.len(), entries(store, &key).len()), (160, 160));
    }

    a_follower_gets_what_is_new_in_every_session_once_and_in_order(store) {
        let (old, new) = (key("followed"), key("begun while followed"));
        commit(store, &old, vec![draft(&old, tool("before", json!(0)))]);
        let mut following = ok(store.follow());
        assert_eq!(ok(following.next(Duration::ZERO)), []);
        let drafts: Vec<_> = (0..3).map(|n| draft(&old, tool(&format!("t{n}"), json!(n)))).collect();
        let of_new = draft(&new, tool("n", json!(1)));
        commit(store, &old, drafts[..2].to_vec());
        commit(store, &new, vec![of_new.clone()]);
        ok(store.append(&old, drafts[2..].to_vec()));
        let mut given = followed(&mut following, 4);
        given.sort_by_key(|record| (record.draft.origin.session != old.session, record.seq));
        let expected = drafts.into_iter().zip(2..).chain([(of_new, 1)]);
        let expected: Vec<_> = expected.map(|(draft, seq)| Record { seq, draft }).collect();
        assert_eq!(given, expected);
        assert_eq!(ok(following.next(Duration::ZERO)), []);
    }

    a_follower_is_woken_by_an_append(store) {
        let key = key("woken");
        let mut following = ok(store.follow());
        std::thread::scope(|scope| {
            let waiting = scope.spawn(move || followed(&mut following, 20));
            for n in 0..20 {
                ok(store.append(&key, vec![draft(&key, tool(&format!("t{n}"), json!(n)))]));
            }
            let seqs: Vec<_> = waiting.join().unwrap_or_else(|_| panic!("no follower")).iter().map(|record| record.seq).collect();
            assert_eq!(seqs, (1..=20).collect::<Vec<_>>());
        });
    }
}

/// Waits until `expected` new records were returned. If there are fewer, the test fails and shows
/// them.
fn followed(following: &mut impl Following, expected: usize) -> Vec<Record> {
    let mut given = vec![];
    let mut in_vain = 0;
    while given.len() < expected && in_vain < 100 {
        let more = ok(following.next(Duration::from_secs(10)));
        in_vain += usize::from(more.is_empty());
        given.extend(more);
    }
    given
}

#[cfg(test)]
mod tests {
    use super::SECRET;
    use crate::MemoryStore;

    fn redact(text: &str) -> Option<String> {
        text.contains(SECRET).then(|| text.replace(SECRET, "[redacted]"))
    }

    conformance_tests!((MemoryStore::new(redact), ()));
}
