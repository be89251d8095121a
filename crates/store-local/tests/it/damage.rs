//! Tests with any damage to the bytes of a segment: every intact record is still read, the next
//! commit works, and `verify` reports exactly the damage. There are ten thousand cases.

use std::fs;
use std::os::unix::fs::FileExt;
use std::path::PathBuf;

use serde_json::json;
use verger_event::VergerPart;
use verger_event::stored::{Damage, LineHash, seal};
use verger_event::{Draft, Event, PromptOrigin, Session, SessionKey};
use verger_store::conformance::{draft, key};
use verger_store::{
    Entry, Loss, ReadLog, Receipt, Retention, SegmentName, Sessions as _, StoreError, Turn as _,
};
use verger_store_local::Fault;

use crate::sandbox::{
    Numbers, Sandbox, call, calls, clean, fold_of, numbered, overwrite, record, with_faults,
};

/// A log of six records. Its snapshot covers the first three.
struct Subject {
    log: Sandbox,
    key: SessionKey,
    drafts: Vec<Draft>,
    segment: PathBuf,
    bytes: Vec<u8>,
    /// The lines of the segment, without their newlines.
    lines: Vec<Vec<u8>>,
    snapshot: (PathBuf, Vec<u8>),
}

impl Subject {
    fn new() -> Self {
        let (log, key) = (Sandbox::new(), key("s"));
        let prompt = |text: &str| Event::PromptSubmitted {
            origin: PromptOrigin::Person,
            prompt: text.to_owned(),
        };
        let warned =
            Event::Warned { area: VergerPart::Store.into(), message: "é \"\\\n".to_owned() };
        let drafts = vec![
            draft(&key, prompt("do it")),
            call(&key, 1),
            call(&key, 2),
            draft(&key, warned),
            call(&key, 3),
            draft(&key, Event::SessionEnded { reason: verger_event::EndReason::Clear }),
        ];
        log.commit(&key, &drafts[..3]);
        log.store.rebuild_snapshot::<Session>(&key.file_stem()).unwrap();
        log.commit(&key, &drafts[3..]);
        let segment = log.segment();
        let bytes = fs::read(&segment).unwrap();
        let lines = bytes.split(|&b| b == b'\n').map(<[u8]>::to_vec).take(6).collect();
        let path = log.file(".json");
        let snapshot = (path.clone(), fs::read(path).unwrap());
        Self { log, key, drafts, segment, bytes, lines, snapshot }
    }

    /// The offset in the segment at which a line begins.
    fn start_of(&self, line: usize) -> usize {
        self.lines[..line].iter().map(|line| line.len() + 1).sum()
    }

    /// The expected entries and faults. They are found only by comparing the bytes with the lines
    /// that were written.
    fn expected(&self, bytes: &[u8]) -> (Vec<Entry>, Vec<Fault>) {
        let (mut entries, mut faults, mut last, mut offset) = (vec![], vec![], 0, 0);
        for text in bytes.split(|&b| b == b'\n') {
            match self.lines.iter().position(|line| line == text) {
                Some(index) => {
                    let seq = index as u64 + 1;
                    entries.push(record(seq, &self.drafts[index]));
                    if seq != last + 1 {
                        faults.push(Fault::Misnumbered { seq, expected: last + 1 });
                        faults.push(Fault::BrokenChain { seq });
                    }
                    last = seq;
                }
                None if text.is_empty() => {}
                None => {
                    let damage = Damage::Checksum;
                    entries.push(Entry::Bad { offset, damage });
                    faults.push(Fault::BadLine { offset, damage });
                }
            }
            offset += text.len() as u64 + 1;
        }
        (entries, faults)
    }

    #[track_caller]
    fn check(&self, bytes: &[u8], what: &str) {
        let (log, key) = (&self.log, &self.key);
        overwrite(&self.segment, bytes);
        overwrite(&self.snapshot.0, &self.snapshot.1);
        // The lock's note has the segment's length, which the model of expected faults ignores.
        fs::remove_file(self.segment.with_extension("lock")).unwrap();
        let (mut expected, faults) = self.expected(bytes);
        assert_eq!(log.read(key), expected, "{what}");
        let records = expected.iter().filter(|e| matches!(e, Entry::Record(_))).count() as u64;
        assert_eq!(log.verify(key), with_faults(records, faults.clone()), "{what}");
        let stem = key.file_stem();
        assert_eq!(log.store.folded::<Session>(&stem).unwrap(), fold_of(&expected), "{what}");

        let last_seq = 1 + expected.iter().rev().find_map(seq_of).unwrap_or_default();
        let next = call(key, 7);
        assert_eq!(log.commit(key, std::slice::from_ref(&next)), Receipt::Logged { last_seq });
        expected.push(record(last_seq, &next));
        assert_eq!(log.read(key), expected, "{what}");
        assert_eq!(log.verify(key), with_faults(records + 1, faults), "{what}");
        let state = fold_of(&expected);
        assert_eq!(log.store.folded::<Session>(&stem).unwrap(), state, "{what}");
        assert_eq!(log.store.replay::<Session>(&stem).unwrap(), state, "{what}");
    }
}

fn seq_of(entry: &Entry) -> Option<u64> {
    match entry {
        Entry::Record(record) => Some(record.seq),
        _ => None,
    }
}

#[test]
fn a_segment_cut_off_at_any_byte_of_its_last_records_goes_on() {
    let subject = Subject::new();
    for end in subject.start_of(3)..=subject.bytes.len() {
        subject.check(&subject.bytes[..end], &format!("cut at {end}"));
    }
}

#[test]
fn a_changed_byte_anywhere_in_the_last_records_costs_that_record_alone() {
    let subject = Subject::new();
    let mut numbers = Numbers(1);
    for _ in 0..3 {
        for at in subject.start_of(3)..subject.bytes.len() {
            let mut bytes = subject.bytes.clone();
            let mask = u8::try_from(1 + numbers.below(255)).unwrap();
            bytes[at] ^= mask;
            subject.check(&bytes, &format!("byte {at} xor {mask}"));
        }
    }
}

#[test]
fn whatever_is_put_between_the_last_records_or_over_them_is_passed_over() {
    let subject = Subject::new();
    let mut numbers = Numbers(2);
    for case in 0..4_200 {
        let mut bytes = subject.bytes.clone();
        for _ in 0..=numbers.below(2) {
            let from = subject.start_of(3).min(bytes.len());
            let at = from + numbers.below(bytes.len() - from + 1);
            hurt(&mut bytes, at, &mut numbers);
        }
        subject.check(&bytes, &format!("case {case}"));
    }
}

/// Damages the bytes near `at` in one of the ways in which crashes, editors and other programs
/// damage a file.
fn hurt(bytes: &mut Vec<u8>, at: usize, numbers: &mut Numbers) {
    let line_end = |bytes: &[u8]| {
        bytes[at..].iter().position(|&b| b == b'\n').map_or(bytes.len(), |found| at + found)
    };
    let put = |bytes: &mut Vec<u8>, with: Vec<u8>| drop(bytes.splice(at..at, with));
    match numbers.below(10) {
        // Simulates a file system that lost the content of blocks but kept the length.
        0 => put(bytes, vec![0; 1 + numbers.below(300)]),
        1 => {
            let end = line_end(bytes);
            bytes[at..end].fill(0);
        }
        2 => {
            let end = line_end(bytes);
            bytes.insert(end, b'\r');
        }
        // Removes the byte at `at`, but none at the end of the file: the byte before the end may
        // belong to a record that the snapshot covers.
        3 => drop(bytes.drain(at..bytes.len().min(at + 1))),
        4 => put(bytes, b"\n".to_vec()),
        5 => put(bytes, b"\n\n\r\n{}\nnull\n[".to_vec()),
        6 => {
            let noise = (0..=u8::MAX).map(|n| n.wrapping_mul(37)).take(numbers.below(200));
            put(bytes, noise.chain([b'\n']).collect());
        }
        7 if numbers.below(20) == 0 => put(bytes, vec![b'x'; 65_530 + numbers.below(12)]),
        7 | 8 => bytes.truncate(at.max(1)),
        _ => {
            let end = line_end(bytes);
            let again = bytes[at..end].to_vec();
            put(bytes, again);
        }
    }
}

#[test]
fn a_line_too_long_for_a_record_is_passed_over_wherever_reading_begins() {
    let (log, key) = (Sandbox::new(), key("s"));
    let drafts = calls(&key, 2);
    log.commit(&key, &drafts[..1]);
    let mut bytes = fs::read(log.segment()).unwrap();
    let mut giant = serde_json::to_vec(&json!({ "v": 2, "pad": "x".repeat(100_000) })).unwrap();
    giant = seal(giant);
    let offset = bytes.len() as u64;
    bytes.extend(&giant);
    fs::write(log.segment(), &bytes).unwrap();
    log.commit(&key, &drafts[1..]);
    let damage = Damage::Checksum;
    let expected = [record(1, &drafts[0]), Entry::Bad { offset, damage }, record(2, &drafts[1])];
    assert_eq!(log.read(&key), expected);
    log.assert_folds_agree(&key);
}

#[test]
fn a_last_record_that_lost_only_its_newline_counts() {
    let (log, key) = (Sandbox::new(), key("s"));
    let drafts = calls(&key, 3);
    log.commit(&key, &drafts[..2]);
    let bytes = fs::read(log.segment()).unwrap();
    fs::write(log.segment(), &bytes[..bytes.len() - 1]).unwrap();
    assert_eq!(log.state(&key).events, 2);
    assert_eq!(log.commit(&key, &drafts[2..]), Receipt::Logged { last_seq: 3 });
    assert_eq!(log.read(&key), numbered(&drafts));
    assert_eq!(log.verify(&key), clean(3));
}

#[test]
fn a_torn_tail_is_healed_by_the_next_writer_and_stays_one_bad_line() {
    let (log, key) = (Sandbox::new(), key("s"));
    let drafts = calls(&key, 3);
    log.commit(&key, &drafts[..2]);
    let bytes = fs::read(log.segment()).unwrap();
    let second = 1 + bytes.iter().position(|&b| b == b'\n').unwrap();
    fs::write(log.segment(), &bytes[..bytes.len() - 30]).unwrap();
    assert_eq!(log.commit(&key, &drafts[2..]), Receipt::Logged { last_seq: 2 });
    let bad = Fault::BadLine { offset: second as u64, damage: Damage::Checksum };
    assert_eq!(log.verify(&key), with_faults(2, vec![bad]));
    let after = fs::read(log.segment()).unwrap();
    assert_eq!(after[..bytes.len() - 30], bytes[..bytes.len() - 30], "nothing is rewritten");
}

#[test]
fn a_damaged_first_line_takes_no_more_with_it_than_the_lines_up_to_the_next_whole_one_need() {
    let (log, key) = (Sandbox::new(), key("5e55"));
    let drafts = calls(&key, 70);
    log.commit(&key, &drafts);
    let mut bytes = fs::read(log.segment()).unwrap();
    bytes[10] ^= 1;
    fs::write(log.segment(), &bytes).unwrap();
    let mut expected = vec![Entry::Bad { offset: 0, damage: Damage::Checksum }];
    for (seq, draft) in (2..).zip(&drafts[1..]) {
        let mut draft = draft.clone();
        if seq < 65 {
            (draft.origin.user, draft.origin.project) = (None, None);
        }
        expected.push(record(seq, &draft));
    }
    assert_eq!(log.read(&key), expected);
}

#[test]
fn lines_of_a_newer_version_are_kept_counted_and_chained_over() {
    let (log, key) = (Sandbox::new(), key("s"));
    let drafts = calls(&key, 2);
    log.commit(&key, &drafts[..1]);
    let mut bytes = fs::read(log.segment()).unwrap();
    let numbered_line = seal(serde_json::to_vec(&json!({ "v": 7, "seq": 2 })).unwrap());
    let bare_line = seal(serde_json::to_vec(&json!({ "v": 8 })).unwrap());
    bytes.extend([numbered_line.as_slice(), bare_line.as_slice()].concat());
    fs::write(log.segment(), &bytes).unwrap();
    assert_eq!(log.commit(&key, &drafts[1..]), Receipt::Logged { last_seq: 4 });
    let expected = [
        record(1, &drafts[0]),
        Entry::Foreign { version: 7 },
        Entry::Foreign { version: 8 },
        record(4, &drafts[1]),
    ];
    assert_eq!(log.read(&key), expected);
    let report = log.verify(&key);
    assert_eq!((report.records, report.foreign, report.faults), (2, 2, vec![]));
    let text = fs::read_to_string(log.segment()).unwrap();
    let last: serde_json::Value = serde_json::from_str(text.lines().last().unwrap()).unwrap();
    assert_eq!(last["prev"], LineHash::of(bare_line.strip_suffix(b"\n").unwrap()).as_str());
}

#[test]
fn the_highest_sequence_number_there_is_stops_nobody() {
    let (log, key) = (Sandbox::new(), key("s"));
    log.commit(&key, &[]);
    let line = seal(serde_json::to_vec(&json!({ "v": 9, "seq": u64::MAX })).unwrap());
    fs::write(log.segment(), line).unwrap();
    let drafts = calls(&key, 20);
    assert_eq!(log.commit(&key, &drafts), Receipt::Logged { last_seq: u64::MAX });
    assert_eq!(log.state(&key).events, 20);
    log.verify(&key);
}

#[test]
fn a_project_whose_end_is_garbage_is_appended_to_behind_it() {
    let (log, key) = (Sandbox::new(), key("s"));
    let drafts =
        [crate::sandbox::observation(&key, "one"), crate::sandbox::observation(&key, "two")];
    log.commit(&key, &drafts[..1]);
    let segment = log.root().join("projects/b0b1.jsonl");
    let length = fs::metadata(&segment).unwrap().len();
    let garbage = vec![b'g'; 300 * 1024];
    let file = fs::OpenOptions::new().write(true).open(&segment).unwrap();
    file.write_all_at(&garbage, length).unwrap();
    log.commit(&key, &drafts[1..]);
    let damage = Damage::Checksum;
    let expected =
        [record(1, &drafts[0]), Entry::Bad { offset: length, damage }, record(2, &drafts[1])];
    assert_eq!(log.project(), expected);
    let report = log.store.verify(&SegmentName::Project("b0b1".to_owned())).unwrap();
    assert_eq!(report, with_faults(2, vec![Fault::BadLine { offset: length, damage }]));
    assert_eq!(log.store.settle(&key).unwrap(), 0);
}

#[test]
fn an_unreadable_segment_does_not_affect_others() {
    let log = Sandbox::new();
    let keys = [key("a1"), key("a2"), key("a3"), key("a4")];
    for key in &keys {
        log.commit(key, &calls(key, 2));
    }
    let [linked, replaced] = ["-a1.jsonl", "-a2.jsonl"].map(|ending| log.file(ending));
    fs::remove_file(&linked).unwrap();
    std::os::unix::fs::symlink(log.file("-a3.jsonl"), &linked).unwrap();
    fs::remove_file(&replaced).unwrap();
    fs::create_dir(&replaced).unwrap();
    let bucket = log.file("-a4.jsonl").parent().unwrap().to_owned();
    fs::remove_dir_all(&bucket).unwrap();
    fs::write(&bucket, "").unwrap();
    fs::write(log.root().join("projects"), "").unwrap();

    let names: Vec<_> = keys[..3].iter().map(|key| SegmentName::Session(key.file_stem())).collect();
    assert_eq!(log.store.segments().unwrap(), names);
    assert_eq!(log.verify(&keys[2]), clean(2));
    let problem = format!("open {}: it is not a file but Directory", replaced.display());
    assert_eq!(log.verify(&keys[1]), with_faults(0, vec![Fault::Unreadable { problem }]));
    let problem =
        format!("open {}: Too many levels of symbolic links (os error 40)", linked.display());
    assert_eq!(log.verify(&keys[0]), with_faults(0, vec![Fault::Unreadable { problem }]));
    let passed_over =
        |problems: Vec<StoreError>| problems.iter().map(ToString::to_string).collect::<Vec<_>>();
    let directories = [
        format!("use {}: it is not a directory", bucket.display()),
        format!("use {}: it is not a directory", log.root().join("projects").display()),
    ];
    assert_eq!(passed_over(log.store.take_unfinished()), directories);
    let stems = keys[..3].iter().map(SessionKey::file_stem).collect::<Vec<_>>();
    assert_eq!(log.store.session_stems().unwrap(), stems);
    assert_eq!(passed_over(log.store.take_unfinished()), directories);
}

#[test]
fn the_loss_of_the_last_records_is_noticed_by_what_else_knew_of_them() {
    let (log, key) = (Sandbox::new(), key("5e55"));
    for draft in calls(&key, 22) {
        log.commit(&key, &[draft]);
    }
    let bytes = fs::read(log.segment()).unwrap();
    let lines: Vec<_> = bytes.split_inclusive(|&b| b == b'\n').collect();
    let name = SegmentName::Session(key.file_stem());
    fs::write(log.segment(), lines[..21].concat()).unwrap();
    let cut = |is: usize| vec![Fault::Cut { was: bytes.len() as u64, is: is as u64 }];
    let found = cut(lines[..21].concat().len());
    assert_eq!(log.verify(&key), with_faults(21, found), "the snapshot is older");
    let expected = |expected_seq| vec![Fault::Shortened { expected_seq }];
    assert_eq!(log.store.verify_expecting(&name, 22).unwrap(), with_faults(21, expected(22)));
    fs::write(log.segment(), lines[..15].concat()).unwrap();
    assert_eq!(log.verify(&key), with_faults(15, expected(16)));
    log.commit(&key, &calls(&key, 3));
    assert_eq!(log.verify(&key), with_faults(18, expected(16)), "others stand in their place");
    fs::remove_file(log.segment()).unwrap();
    assert_eq!(log.verify(&key), with_faults(0, expected(18)));
}

/// The text of a lock file's note. It has the segment length 0, and names a call whose process is
/// gone.
#[expect(clippy::disallowed_methods, reason = "a process that ends at once, for a test")]
fn note_of_a_killed_call() -> String {
    let mut child = std::process::Command::new("true").spawn().unwrap();
    child.wait().unwrap();
    format!("{:<127}\n", format!("0 {}", child.id()))
}

#[test]
fn a_turn_tells_once_what_is_lost() {
    type Harm = fn(&Sandbox);
    let lock = |log: &Sandbox| log.segment().with_extension("lock");
    let length = |log: &Sandbox| fs::metadata(log.segment()).unwrap().len();
    let whole: Harm = |_| {};
    let cut: Harm = |log| {
        let file = fs::File::options().write(true).open(log.segment()).unwrap();
        file.set_len(100).unwrap();
    };
    let gone: Harm = |log| fs::remove_file(log.segment()).unwrap();
    let replaced: Harm = |log| {
        fs::remove_file(log.segment().with_extension("lock")).unwrap();
        fs::write(log.segment(), "").unwrap();
    };
    let garbled: Harm = |log| {
        let mut bytes = fs::read(log.segment()).unwrap();
        let at = bytes.len() - 20;
        bytes[at] ^= 1;
        fs::write(log.segment(), bytes).unwrap();
    };
    let killed: Harm = |log| {
        fs::write(log.segment().with_extension("lock"), note_of_a_killed_call()).unwrap();
    };
    for (what, harm, expected) in [
        ("whole", whole, None),
        ("cut", cut, Some(Loss::Cut { was: 0, is: 100 })),
        ("gone", gone, Some(Loss::Cut { was: 0, is: 0 })),
        ("replaced", replaced, Some(Loss::Altered)),
        ("garbled", garbled, Some(Loss::Damaged { lines: 1 })),
        ("killed", killed, Some(Loss::Unrecorded { calls: 1 })),
    ] {
        let (log, key) = (Sandbox::new(), key("5e55"));
        let drafts = calls(&key, 20);
        for draft in &drafts[..18] {
            log.commit(&key, std::slice::from_ref(draft));
        }
        let was = length(&log);
        assert!(lock(&log).exists());
        harm(&log);
        let expected: Vec<_> = expected
            .into_iter()
            .map(|loss| match loss {
                Loss::Cut { is, .. } => Loss::Cut { was, is },
                other => other,
            })
            .collect();
        let turn = log.store.open::<Session>(&key).unwrap();
        let told = turn.losses().to_vec();
        // The losses are still reported after the turn was suspended in between.
        turn.suspend();
        let turn = log.store.open::<Session>(&key).unwrap();
        assert_eq!(turn.losses(), told, "{what}");
        turn.commit(vec![drafts[18].clone()]).unwrap();
        let damaged: Vec<_> = told
            .into_iter()
            .filter(|loss| what == "garbled" || *loss != Loss::Damaged { lines: 1 })
            .collect();
        assert_eq!(damaged, expected, "{what}");
        let turn = log.store.open::<Session>(&key).unwrap();
        assert_eq!(turn.losses(), [], "{what}");
    }
}
