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
        // The last event is in the future: the clock was set back.
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
fn looks_are_kept_and_lines_that_cannot_be_read_are_left_out() {
    let look = |bytes, next| Look { bytes, next };
    let at = |millis| NextLook::At(Timestamp::from_millis(millis));
    let looks = |looks: &[(&str, Look)]| {
        Looks(looks.iter().map(|(stem, look)| ((*stem).to_owned(), *look)).collect())
    };
    let dir = tempfile::tempdir().unwrap();
    let place = dir.path().join("left");
    assert_eq!(Looks::read(&place), Looks::default());
    let both = looks(&[("claude-a", look(7, at(5))), ("claude-b", look(0, NextLook::IfItGrows))]);
    both.keep(&place).unwrap();
    assert_eq!(Looks::read(&place), both);
    let file = place.join(LOOKS);
    for (torn, expected) in [
        (&b"claude-a 7 -\nclaude-b 0"[..], looks(&[("claude-a", look(7, NextLook::IfItGrows))])),
        (b"claude-a -7 -\n\n\nclaude-b 0 9", looks(&[("claude-b", look(0, at(9)))])),
        (b"\xff\xfe", Looks::default()),
        (b"", Looks::default()),
    ] {
        std::fs::write(&file, torn).unwrap();
        assert_eq!(Looks::read(&place), expected, "{torn:?}");
    }
    std::fs::remove_file(&file).unwrap();
    std::fs::create_dir(&file).unwrap();
    assert_eq!(Looks::read(&place), Looks::default());
    assert!(both.keep(&place).is_err());
}

#[test]
fn a_look_is_due_when_its_time_comes_or_the_segment_grows() {
    let at = NextLook::At(NOW);
    let earlier = Timestamp::from_millis(NOW.as_millis() - 1);
    let due = |next, bytes, now| Look { bytes: 7, next }.is_due(bytes, now);
    assert!(due(at, 7, NOW) && due(at, 8, earlier) && due(NextLook::IfItGrows, 8, NOW));
    assert!(!due(at, 7, earlier) && !due(NextLook::IfItGrows, 7, NOW));
}
