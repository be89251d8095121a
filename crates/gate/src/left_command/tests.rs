use serde_json::json;
use verger_event::Reference;
use verger_event::Releaser;

use super::*;

const SESSION: &str = "f0357e9b-fb48";

#[track_caller]
fn check(line: &str, expected: &str) {
    let read = LeftLine::read(line, &SessionId::new(SESSION), SkipIs::Agents);
    let found = match read {
        LeftLine::None => "-".to_owned(),
        LeftLine::Refused(why) => format!("{why:?}"),
        LeftLine::Command(LeftCommand { command, arguments, stdin }) => {
            assert!(arguments.contains(&command), "{line}");
            let stdin = stdin.map(|text| format!(" < {text:?}")).unwrap_or_default();
            format!("{}{stdin}", arguments.join(" "))
        }
    };
    assert_eq!(found, expected, "{line}");
}

#[test]
fn an_agents_command_that_keeps_something_is_run_with_its_own_words_for_its_own_session() {
    let own = "--session=f0357e9b-fb48";
    check("verger observe 'a b'", &format!("observe {own} a b"));
    check("verger --quiet observe a --author x", &format!("--quiet observe {own} a --author x"));
    check("verger observe --session f0357e9b-fb48 a", &format!("observe {own} a"));
    check("verger observe a --session=f0357e9b", &format!("observe {own} a"));
    check("verger observe -- --session x", &format!("observe {own} -- --session x"));
    check("verger ref learn-1 learn-2", &format!("ref {own} learn-1 learn-2"));
    check("verger skip --gate learning", &format!("skip {own} --gate learning"));
    check("verger reflect <<'EOF'\n{}\nEOF", &format!("reflect {own} < {:?}", "{}\n"));
    check("printf '%s' '{}' | verger reflect", &format!("reflect {own} < {:?}", "{}"));
    check(
        "verger decide complete fine --token t",
        &format!("decide {own} complete fine --token t"),
    );
}

#[test]
fn a_command_that_is_not_alone_is_refused() {
    for line in [
        "verger observe a; ls",
        "cd x && verger observe a",
        "verger observe \"$X\"",
        "verger observe $(cat note)",
        "verger reflect < file",
        "cat file | verger reflect",
        "verger reflect <<EOF\n$X\nEOF",
        "verger observe a 2>f",
        "verger observe a | head",
        "/tmp/verger observe a",
        "./verger observe a",
        "PATH=/tmp verger observe a",
        "VERGER_HOME=/tmp/x verger observe a",
        "env verger observe a",
        "sh -c 'verger observe a'",
        "verger observe a &",
        "verger decide complete",
        "verger decide complete fine --force",
    ] {
        check(line, "NotPlain");
    }
}

#[test]
fn other_sessions_are_not_written_to() {
    for line in [
        "verger observe a --session 11111111",
        "verger observe a --session=11111111",
        "verger observe a --session f0357e9b-fb48-41",
        "verger observe a --session ''",
        "verger observe --session=f0357e9b --session 1 a",
        "verger reflect --session 1 <<'EOF'\n{}\nEOF",
        "verger decide complete fine --session 1 --token t",
    ] {
        check(line, "OtherSession");
    }
}

#[test]
fn nothing_else_is_ever_run() {
    for line in [
        "ls",
        "cat left.txt",
        "echo verger observe a",
        "verger status",
        "verger why --last",
        "verger why --last | head",
        "verger learn search 'a note' 2>&1",
        "cd x && verger status",
        "verger review run",
        "verger context",
        "verger init --yes",
        "verger config set learning.mode off",
        "verger trust --yes",
        "verger log clean --yes",
        "verger learn archive --unused --yes",
        "verger skip --gate review",
        "verger release review",
        "verger skip --gate learning --gate review",
        "verger skip",
        "verger observe a; verger init",
        "verger-hook claude Stop",
        "verger hook claude Stop",
        "verger $X",
    ] {
        check(line, "-");
    }
    let skip = "verger skip --gate learning";
    let kept = LeftLine::read(skip, &SessionId::new(SESSION), SkipIs::Persons);
    assert_eq!(kept, LeftLine::None, "the user keeps skipping");
}

#[test]
fn an_event_after_the_call_counts_as_the_commands_event() {
    let call = ToolCall::shell("").with_id("t1");
    let is_kept = |line: &str, events: &[Event]| {
        let read = LeftLine::read(line, &SessionId::new(SESSION), SkipIs::Agents);
        let LeftLine::Command(command) = read else { panic!("{line}: {read:?}") };
        let mut kept = KeptSince::new(&call, &command);
        for event in events {
            kept.read(event);
        }
        kept.is_kept()
    };
    let asked = Event::ToolRequested(call.clone());
    let note = |text: &str| Event::ObservationRecorded { text: text.to_owned(), author: None };
    let observe = "verger observe ' a note '";
    assert!(is_kept(observe, &[asked.clone(), note("a note")]));
    assert!(!is_kept(observe, &[asked.clone(), note("another")]));
    assert!(!is_kept(observe, &[note("a note"), asked.clone()]), "an earlier one");
    assert!(!is_kept(observe, &[note("a note")]));
    let seen = Event::LearningSeen {
        learning: "learn-1".to_owned(),
        fate: Fate::Referenced,
        how: Some(Reference::Explicit),
    };
    assert!(is_kept("verger ref learn-1", &[asked.clone(), seen.clone()]));
    assert!(!is_kept("verger ref learn-2", &[asked.clone(), seen]));
    let released = |gate: &'static str| Event::GateReleased {
        gate: gate.into(),
        by: Releaser::Agent,
        reason: String::new(),
    };
    assert!(is_kept("verger skip --gate learning", &[asked.clone(), released("learning")]));
    assert!(!is_kept("verger skip --gate learning", &[asked.clone(), released("review")]));
    let reflection = |summary: &str| Event::ReflectionRecorded {
        learnings: vec![],
        rejected: 0,
        kept: vec![json!({ "summary": summary })],
        rejections: vec![],
        tickets: vec![],
    };
    let reflect = "verger reflect <<'EOF'\n{\"summary\": \"one\"}\nEOF";
    assert!(is_kept(reflect, &[asked.clone(), reflection("one")]));
    assert!(!is_kept(reflect, &[asked, reflection("two")]));
}

#[test]
fn of_calls_without_an_id_the_last_with_the_same_line_counts() {
    let line = "verger observe 'a note'";
    let read = LeftLine::read(line, &SessionId::new(SESSION), SkipIs::Agents);
    let LeftLine::Command(command) = read else { panic!("{read:?}") };
    let is_kept = |events: &[&Event]| {
        let call = ToolCall::shell(line);
        let mut kept = KeptSince::new(&call, &command);
        for event in events {
            kept.read(event);
        }
        kept.is_kept()
    };
    let asked = Event::ToolRequested(ToolCall::shell(line));
    let other = Event::ToolRequested(ToolCall::shell("ls"));
    let note = Event::ObservationRecorded { text: "a note".to_owned(), author: None };
    assert!(is_kept(&[&asked, &note]));
    assert!(is_kept(&[&asked, &other, &note]));
    assert!(!is_kept(&[&other, &note]));
    assert!(!is_kept(&[&asked, &note, &asked]), "the second call has no record yet");
    assert!(is_kept(&[&asked, &note, &asked, &note]));
}
