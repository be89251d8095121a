use verger_event::ProjectId;

use super::*;

const HOUR: u64 = 60 * 60 * 1000;
const NOW: Timestamp = Timestamp::from_millis(1_794_767_961_000);

#[test]
fn a_session_was_left_that_did_not_end_and_in_which_nothing_happened_for_a_while() {
    let ago = |millis: u64| Some(Timestamp::from_millis(NOW.as_millis() - millis));
    let to_come = |millis: u64| Some(Timestamp::from_millis(NOW.as_millis() + millis));
    let left = |at: Option<Timestamp>| Stage::Left { at: at.unwrap() };
    let ended = Life::Ended { reason: "other".into() };
    let here = Some(ProjectId::new("p"));
    let cases = [
        (Life::Running, ago(0), &here, Stage::GoesOn),
        (Life::Running, ago(6 * HOUR - 1), &here, Stage::GoesOn),
        (Life::Running, ago(6 * HOUR), &here, left(ago(6 * HOUR))),
        (Life::Running, ago(9000 * HOUR), &here, left(ago(9000 * HOUR))),
        // The clock was set back.
        (Life::Running, to_come(6 * HOUR - 1), &here, Stage::GoesOn),
        (Life::Running, to_come(6 * HOUR), &here, left(to_come(6 * HOUR))),
        (
            Life::Running,
            Some(Timestamp::from_millis(u64::MAX)),
            &here,
            left(to_come(u64::MAX - NOW.as_millis())),
        ),
        (Life::Running, ago(9000 * HOUR), &None, Stage::Over),
        (Life::Running, None, &here, Stage::Over),
        (Life::Unseen, ago(9 * HOUR), &here, Stage::Over),
        (ended.clone(), ago(0), &here, Stage::Over),
        (ended, ago(9 * HOUR), &here, Stage::Over),
    ];
    for (life, last_at, project, expected) in cases {
        let mut session = Session::default();
        (session.life, session.last_at, session.project) = (life, last_at, project.clone());
        assert_eq!(Stage::of(&session, NOW), expected, "{session:?}");
    }
}

#[test]
fn what_is_settled_is_kept_and_what_cannot_be_read_of_it_is_not() {
    let dir = tempfile::tempdir().unwrap();
    let place = dir.path().join("left");
    assert_eq!(Settled::read(&place), Settled::default());
    let settled = Settled([("claude-a".to_owned(), 7), ("claude-b".to_owned(), 0)].into());
    settled.keep(&place).unwrap();
    assert_eq!(Settled::read(&place), settled);
    let file = place.join("settled");
    for (torn, expected) in [
        (&b"claude-a 7\nclaude-b"[..], vec![("claude-a", 7)]),
        (b"claude-a -7\n\n 5\nclaude-b 0", vec![("", 5), ("claude-b", 0)]),
        (b"\xff\xfe", vec![]),
        (b"", vec![]),
    ] {
        std::fs::write(&file, torn).unwrap();
        let expected = expected.into_iter().map(|(stem, bytes)| (stem.to_owned(), bytes));
        assert_eq!(Settled::read(&place), Settled(expected.collect()), "{torn:?}");
    }
    std::fs::remove_file(&file).unwrap();
    std::fs::create_dir(&file).unwrap();
    assert_eq!(Settled::read(&place), Settled::default());
    assert!(settled.keep(&place).is_err());
}
