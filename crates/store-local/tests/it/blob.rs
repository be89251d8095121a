//! Tests of payloads that are too large for a line.

use std::fs;
use std::path::PathBuf;

use serde_json::json;
use sha2::{Digest, Sha256};
use verger_event::stored::MAX_LINE_BYTES;
use verger_event::{Draft, Event, Session, hex};
use verger_store::conformance::{SECRET, draft, key, tool};
use verger_store::{Entry, ReadLog};
use verger_store_local::Fault;

use crate::sandbox::{Sandbox, clean, numbered, record, with_faults};

fn blobs(log: &Sandbox) -> Vec<PathBuf> {
    let mut files = log.files("");
    files.retain(|path| path.starts_with(log.root().join("blobs")));
    files
}

fn sized(key: &verger_event::SessionKey, size: usize) -> Draft {
    draft(key, tool(&format!("t{size}"), json!("x".repeat(size))))
}

#[test]
fn no_line_is_longer_than_the_limit_and_a_payload_goes_to_a_blob_only_near_it() {
    let (log, key) = (Sandbox::new(), key("s"));
    let drafts: Vec<_> =
        (MAX_LINE_BYTES - 900..MAX_LINE_BYTES + 40).step_by(7).map(|n| sized(&key, n)).collect();
    for draft in &drafts {
        log.commit(&key, std::slice::from_ref(draft));
    }
    let bytes = fs::read(log.segment()).unwrap();
    let longest = bytes.split_inclusive(|&b| b == b'\n').map(<[u8]>::len).max().unwrap();
    assert!(
        (MAX_LINE_BYTES - 200..=MAX_LINE_BYTES).contains(&longest),
        "the longest line has {longest} bytes"
    );
    assert_eq!(log.read(&key), numbered(&drafts));
    assert_eq!(log.verify(&key), clean(drafts.len() as u64));
    log.assert_folds_agree(&key);
}

#[test]
fn a_blob_is_named_by_what_is_in_it_and_kept_once() {
    let (log, key) = (Sandbox::new(), key("s"));
    let drafts = [sized(&key, 100_000), sized(&key, 100_000)];
    log.commit(&key, &drafts);
    let files = blobs(&log);
    assert_eq!(files.len(), 1);
    let name = hex(&Sha256::digest(fs::read(&files[0]).unwrap()));
    assert_eq!(files[0], log.root().join("blobs").join(&name[..2]).join(&name));
    assert_eq!(log.read(&key), numbered(&drafts));
}

#[test]
fn a_missing_or_changed_blob_is_reported_and_its_record_says_which_it_was() {
    let (log, key) = (Sandbox::new(), key("s"));
    let drafts = [sized(&key, 100_000), sized(&key, 10)];
    log.commit(&key, &drafts);
    let file = blobs(&log).remove(0);
    let sha256 = file.file_name().unwrap().to_str().unwrap().to_owned();
    let whole = fs::read(&file).unwrap();
    let mut without = drafts[0].clone();
    without.event = Event::Unknown {
        kind: "tool.requested".to_owned(),
        payload: json!({ "missing_blob": { "sha256": sha256, "bytes": whole.len() } }),
    };
    let mut changed = whole.clone();
    changed[50_000] ^= 1;
    let longer = [whole.as_slice(), b" "].concat();
    for damaged in [None, Some(&changed), Some(&longer), Some(&vec![])] {
        match damaged {
            Some(bytes) => fs::write(&file, bytes).unwrap(),
            None => fs::remove_file(&file).unwrap(),
        }
        assert_eq!(log.read(&key), [record(1, &without), record(2, &drafts[1])]);
        let fault = Fault::BadBlob { seq: 1, sha256: sha256.clone() };
        assert_eq!(log.verify(&key), with_faults(2, vec![fault]));
        assert_eq!(log.store.replay::<Session>(&key.file_stem()).unwrap().events, 2);
    }
    fs::remove_file(&file).unwrap();
    fs::create_dir(&file).unwrap();
    assert_eq!(log.read(&key), [record(1, &without), record(2, &drafts[1])]);
    fs::remove_dir(&file).unwrap();

    let again = sized(&key, 100_000);
    log.commit(&key, std::slice::from_ref(&again));
    assert_eq!(fs::read(&file).unwrap(), whole, "the next payload like it mends the blob");
    assert_eq!(log.read(&key), [record(1, &drafts[0]), record(2, &drafts[1]), record(3, &again)]);
}

#[test]
fn a_secret_in_a_large_payload_is_in_no_file() {
    let (log, key) = (Sandbox::new(), key("s"));
    let text = format!("{}\nexport TOKEN={SECRET}\n{}", "a ".repeat(40_000), "b ".repeat(40_000));
    let large = draft(&key, tool("t", json!({ "command": text })));
    log.commit(&key, std::slice::from_ref(&large));
    log.spill(&key, &[draft(&key, tool("u", json!({ "other": text })))]);
    assert_eq!(blobs(&log).len(), 2);
    for file in log.files("") {
        let bytes = fs::read(&file).unwrap();
        let found = bytes.windows(20).any(|window| window == &SECRET.as_bytes()[4..24]);
        assert!(!found, "{}", file.display());
    }
    assert_eq!(log.verify(&key).faults, vec![]);
    match &log.read(&key)[..] {
        [Entry::Record(record), Entry::Spilled(_)] => match &record.draft.event {
            Event::ToolRequested(call) => {
                let command = call.rest["command"].as_str().unwrap();
                assert_eq!((&command[..4], command.matches("[redacted:").count()), ("a a ", 1));
            }
            other => panic!("{other:?}"),
        },
        other => panic!("{other:?}"),
    }
}

#[test]
fn an_envelope_of_hostile_text_still_makes_a_line_that_is_read_back() {
    let (log, key) = (Sandbox::new(), key("s"));
    let mut hostile = sized(&key, 70_000);
    let text = || "\u{1}".repeat(20_000);
    hostile.origin.user = Some(text());
    hostile.origin.role = Some(text());
    hostile.origin.agent_version = Some(text());
    hostile.origin.circumstance.cwd = Some(text());
    hostile.origin.circumstance.effort = Some(text());
    hostile.origin.circumstance.permission_mode = Some(text());
    log.commit(&key, std::slice::from_ref(&hostile));
    assert_eq!(log.verify(&key), clean(1));
    match &log.read(&key)[..] {
        [Entry::Record(record)] => assert_eq!(record.draft.event, hostile.event),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_file_in_place_of_the_blobs_costs_the_payload_and_not_the_record() {
    let (log, key) = (Sandbox::new(), key("s"));
    let large = sized(&key, 100_000);
    log.commit(&key, std::slice::from_ref(&large));
    let file = blobs(&log).remove(0);
    let sha256 = file.file_name().unwrap().to_str().unwrap().to_owned();
    fs::remove_dir_all(log.root().join("blobs")).unwrap();
    fs::write(log.root().join("blobs"), "").unwrap();
    let small = sized(&key, 10);
    log.commit(&key, std::slice::from_ref(&small));
    log.commit(&key, &[sized(&key, 100_000)]);
    assert_eq!(log.store.take_unfinished().len(), 1);
    let faults = [1, 3].map(|seq| Fault::BadBlob { seq, sha256: sha256.clone() });
    assert_eq!(log.verify(&key), with_faults(3, faults.to_vec()));
    assert_eq!(log.read(&key)[1], record(2, &small));
}
