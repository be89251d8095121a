//! `verger stats verification`.

use serde_json::json;
use verger_event::{ContentHash, Timestamp};
use verger_gate::blocks::{Block, Mark};
use verger_gate::verification::{
    Ask, Change, Depth, FailingTests, ReleasedBy, Say, Status, Step, Trigger, Verification,
    Verified, events,
};

use crate::recorded::Recorded;

/// Records changes of a session's verification gate, one after the other.
struct Gate {
    recorded: Recorded,
    session: &'static str,
    verification: Verification,
}

impl Gate {
    fn of(mut recorded: Recorded, session: &'static str) -> Self {
        recorded.event(session, "UserPromptSubmit", r#""prompt_id":"p1","prompt":"fix it""#);
        Self { recorded, session, verification: Verification::default() }
    }

    fn stop(&mut self, message: &str) {
        let fields = format!(r#""prompt_id":"p1","last_assistant_message":{}"#, json!(message));
        self.recorded.event(self.session, "Stop", &fields);
    }

    fn change(&mut self, change: Change) {
        let step = Step { changes: vec![change], say: Say::Nothing };
        let at = Timestamp::from_millis(0);
        for event in events(&self.verification, &step, at) {
            self.recorded.own_event(self.session, 1, |_| event);
        }
        self.verification = step.applied_to(&self.verification, at);
    }

    fn hold(&mut self, trigger: Trigger) {
        let mark = Mark { content: ContentHash::new("c0ffee"), findings: None };
        let block = Block { number: 1, at: Timestamp::from_millis(0), mark };
        self.change(Change::Held { block, ask: Ask { trigger, depth: Depth::Quick } });
    }

    fn verify(&mut self, status: Status) {
        let verified = Verified {
            run: "run".to_owned(),
            depth: Depth::Quick,
            content: ContentHash::new("c0ffee"),
            status,
            lasting: None,
            checks: vec![],
            issues: vec![],
            more_issues: 0,
            next_steps: vec![],
            failing_tests: FailingTests::none(),
            ran_tests: None,
            tree_changed: vec![],
            no_regressions: None,
            plan: None,
        };
        self.change(Change::Verified { verified: Box::new(verified) });
    }

    fn release(&mut self, by: ReleasedBy) {
        self.change(Change::Released { by, reason: None });
    }
}

fn said() -> Trigger {
    Trigger::Claim { words: "it is done".to_owned() }
}

/// Two sessions with all kinds of gate changes.
fn verified() -> Recorded {
    let mut gate = Gate::of(Recorded::nothing(), "1111");
    gate.stop("Which of the two files do you mean?");
    gate.stop("The parser is fixed.");
    gate.hold(said());
    gate.verify(Status::Red);
    gate.stop("Fixed.\n\n[[VERIFY:done]]");
    gate.hold(Trigger::Marker);
    gate.verify(Status::Green);
    gate.change(Change::Satisfied);
    gate.hold(Trigger::Failure { what: "cargo test".to_owned() });
    gate.release(ReleasedBy::Breaker);
    let mut gate = Gate::of(gate.recorded, "2222");
    gate.hold(Trigger::Always);
    gate.verify(Status::Incomplete);
    gate.release(ReleasedBy::Limit);
    gate.hold(said());
    gate.release(ReleasedBy::Person);
    gate.recorded
}

#[test]
fn everything_that_happened_is_counted_once() {
    let recorded = verified();
    insta::assert_snapshot!(recorded.verger(&["stats", "verification"]), @"
    verification within 30 days
                                      all
    stops                               3
      said that the work is done        2
    stops refused                       5
      because of what the agent said    3
      because of what failed            1
      because every task is verified    1
    verifications                       3
      green                             1
      red                               1
      incomplete                        1
    passed, nothing left to verify      2
    released, no progress               1
    released, too many refused stops    1
    released by a person                1
    ");
    insta::assert_snapshot!(recorded.verger(&["stats", "verification", "--days", "1", "--json"]), @r#"{"claims":2,"claims_without_green":0,"days":1,"refused":{"all":5,"always":1,"claim":3,"failure":1},"released":{"breaker":1,"limit":1,"person":1,"untrusted":0},"satisfied":2,"since_ms":1794681584000,"stops":3,"verifications":{"green":1,"incomplete":1,"red":1}}"#);
    let all = recorded.verger(&["stats", "--json"]).success().stdout;
    let all: serde_json::Value = serde_json::from_str(&all).unwrap();
    let alone = recorded.verger(&["stats", "verification", "--json"]).success().stdout;
    assert_eq!(all["verification"].to_string(), alone.trim_end());
}

#[test]
fn nothing_is_said_plainly() {
    let recorded = Recorded::two_sessions();
    insta::assert_snapshot!(recorded.verger(&["stats", "verification"]), @"
    nothing recorded yet: no stop was refused for a verification, and none ran, within 30 days
    verger config show verification.mode shows the mode
    ");
    insta::assert_snapshot!(recorded.verger(&["stats", "verification", "--json"]), @r#"{"claims":1,"claims_without_green":0,"days":30,"refused":{"all":0,"always":0,"claim":0,"failure":0},"released":{"breaker":0,"limit":0,"person":0,"untrusted":0},"satisfied":0,"since_ms":1792175968000,"stops":1,"verifications":{"green":0,"incomplete":0,"red":0}}"#);
}

#[test]
fn older_records_are_left_out_and_lasting_records_stay() {
    let mut recorded = verified();
    recorded.pass_days(10);
    let old = recorded.verger(&["stats", "verification", "--days", "5", "--quiet"]);
    insta::assert_snapshot!(old, @"nothing recorded yet: no stop was refused for a verification, and none ran, within 5 days");
    assert_eq!(recorded.verger(&["log", "clean", "--before", "5d", "--yes"]).code, 0);
    insta::assert_snapshot!(recorded.verger(&["stats", "verification", "--quiet"]), @"
                                      all
    verifications                       3
      green                             1
      red                               1
      incomplete                        1
    released, no progress               1
    released, too many refused stops    1
    released by a person                1
    ");
}
