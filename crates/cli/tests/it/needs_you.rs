//! If a gate releases an agent unsatisfied, this stays visible until a person looks at it.

use verger_testkit::TerminalSize;

use crate::recorded::Recorded;
use crate::reviewed::Reviewed;

/// A session whose review gate refused three stops and allowed the fourth.
fn let_go() -> Reviewed {
    let mut reviewed = Reviewed::wanted();
    reviewed.write("a.txt", "changed");
    for _ in 0..4 {
        reviewed.stop();
    }
    reviewed
}

/// The part of `verger status` about items that need a person.
fn needs(recorded: &Recorded) -> String {
    let status = recorded.verger(&["status"]).stdout;
    let mut lines = status.lines().skip_while(|line| !line.starts_with("needs you"));
    let of_release = lines.by_ref().filter(|line| !line.contains("Claude Code"));
    of_release.filter(|line| !line.ends_with("verger init")).collect::<Vec<_>>().join("\n")
}

fn start(recorded: &mut Recorded, session: &str) -> String {
    recorded.answered(session, "SessionStart", r#""source":"startup""#)
}

#[test]
fn a_release_stays_in_status_until_a_person_has_seen_it() {
    let mut reviewed = let_go();
    insta::assert_snapshot!(needs(&reviewed), @"
    needs you       session 1111 was released by the review gate: the agent made no progress while its stops were refused, 0 s ago
      do            verger why --last --session 1111; after you have looked: verger status --seen
    needs you       session 1111 claimed to be done without a green check 3 s ago: this work was not verified yet
      do            verger why 000000CH; if its work is unchanged: verger verify --session 1111, in ~/project; after you have looked: verger status --seen
    ");
    let sessions = reviewed.verger(&["session", "list"]).stdout;
    assert!(sessions.contains("released by an unsatisfied gate: review"), "{sessions}");
    let stats = reviewed.verger(&["stats", "review"]).stdout;
    let last = "1 session released by an unsatisfied gate: see verger status";
    assert_eq!(stats.lines().last(), Some(last));
    let refused = reviewed.verger(&["status", "--seen"]);
    assert_eq!((refused.stdout.as_str(), refused.code), ("", 4), "{refused}");
    reviewed.tick();
    let seen = reviewed.at_terminal(&["status", "--seen"], TerminalSize::USUAL).stdout;
    assert!(seen.contains("seen: session 1111 was released by the review gate"), "{seen}");
    assert!(!needs(&reviewed).contains("unsatisfied"), "{}", needs(&reviewed));
    let sessions = reviewed.verger(&["session", "list"]).stdout;
    assert!(!sessions.contains("unsatisfied"), "{sessions}");
    assert_eq!(start(&mut reviewed, "2222"), "", "seen is seen");
}

/// A session that claimed to be done in mode observe, and ended.
fn claimed() -> Reviewed {
    let mut claimed = Reviewed::prompted("fix it");
    claimed.write("a.txt", "changed");
    assert_eq!(claimed.stop(), "");
    claimed.event("1111", "SessionEnd", r#""reason":"other""#);
    claimed
}

#[test]
fn a_claim_stays_in_status_until_a_person_has_seen_it() {
    let mut claimed = claimed();
    insta::assert_snapshot!(needs(&claimed), @"
    needs you     session 1111 claimed to be done without a green check 1 s ago: this work was not verified yet
      do          verger why 000000CH; if its work is unchanged: verger verify --session 1111, in ~/project; after you have looked: verger status --seen
    ");
    // The work is no longer what the agent claimed to be done, so no check can confirm the claim.
    claimed.environment.write("a.txt", "other work");
    claimed.tick();
    let seen = claimed.at_terminal(&["status", "--seen"], TerminalSize::USUAL).stdout;
    assert_eq!(seen.trim(), "seen: session 1111 claimed to be done without a green check");
    assert!(!needs(&claimed).contains("claimed"), "{}", needs(&claimed));
    let shown = claimed.verger(&["session", "show", "1111"]).stdout;
    assert!(!shown.contains("claimed as done"), "{shown}");
    let seen = claimed.at_terminal(&["status", "--seen"], TerminalSize::USUAL).stdout;
    assert!(seen.contains("no agent was released"), "{seen}");
    claimed.tick();
    claimed.environment.write("a.txt", "changed again");
    claimed.stop();
    assert!(needs(&claimed).contains("claimed to be done"), "a later claim counts again");
}

#[test]
fn the_command_of_a_claim_explains_the_claim() {
    let claimed = claimed();
    let needs = needs(&claimed);
    let command = needs.lines().find_map(|line| line.split_once("verger why ")).unwrap().1;
    let id = command.split_whitespace().next().unwrap().trim_end_matches([';', ',']);
    let explained = claimed.verger(&["why", id]).success().stdout;
    let first = explained.lines().next().unwrap();
    insta::assert_snapshot!(first, @"Recorded: verification: idle -> claimed; the agent wanted to stop without a green verification: this work was not verified yet.");
    assert!(explained.contains("stop.requested at 1111:"), "{explained}");
}

#[test]
fn the_next_session_of_the_project_shows_it_once() {
    let mut reviewed = let_go();
    insta::assert_snapshot!(start(&mut reviewed, "2222"), @r#"{"systemMessage":"verger: WARNING: an agent stopped in this project although a gate was not satisfied:\n- session 1111: released by the review gate: the agent made no progress while its stops were refused\nDetails: verger status. After you have looked: verger status --seen"}"#);
    assert_eq!(start(&mut reviewed, "3333"), "");
    assert_ne!(needs(&reviewed), "", "a notice may go by unseen");
}

#[test]
fn an_agent_may_not_say_that_a_person_has_looked() {
    let mut reviewed = let_go();
    let input = serde_json::json!({ "command": "verger status --seen 2>&1" });
    let answer = reviewed.tool(crate::reviewed::By::Main, "Bash", &input);
    assert!(answer.contains("\"permissionDecision\":\"deny\""), "{answer}");
}
