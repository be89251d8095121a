//! `verger stats`.

use verger_event::{ContentHash, SubagentId, Timestamp};
use verger_gate::blocks::{Block, Mark};
use verger_gate::review::{
    Change, Decision, Outcome, Proof, Refusal, ReleasedBy, Review, ReviewerId, Say, Step,
    TokenHash, events,
};

use crate::recorded::Recorded;

/// Records the gate changes of a started session, one after the other.
struct Gate {
    recorded: Recorded,
    session: &'static str,
    review: Review,
}

impl Gate {
    fn of(mut recorded: Recorded, session: &'static str) -> Self {
        recorded.event(session, "UserPromptSubmit", r#""prompt_id":"p1","prompt":"fix it""#);
        Self { recorded, session, review: Review::default() }
    }

    fn change(&mut self, change: Change) {
        let step = Step { changes: vec![change], say: Say::Nothing };
        let at = Timestamp::from_millis(0);
        for event in events(&self.review, &step, at) {
            self.recorded.own_event(self.session, 1, |_| event);
        }
        self.review = step.applied_to(&self.review, at);
    }

    fn hold(&mut self, template: &str) {
        let mark = Mark { content: ContentHash::new("c0ffee"), findings: None };
        let block = Block { number: 1, at: Timestamp::from_millis(0), mark };
        self.change(Change::Held { block, template: template.to_owned() });
    }

    fn start(&mut self) {
        let proof = Proof::Token(TokenHash::of("vrt_1"));
        let content = ContentHash::new("c0ffee");
        self.change(Change::ReviewerStarted { reviewer: reviewer(), proof, content });
    }

    fn decide(&mut self, outcome: Outcome) {
        let (summary, message) = ("said".to_owned(), Some("more".to_owned()));
        let decision = Decision { outcome, summary, message, opinions: None };
        let content = ContentHash::new("c0ffee");
        self.change(Change::Decided { reviewer: reviewer(), decision, content });
    }

    fn release(&mut self, by: ReleasedBy) {
        self.change(Change::Released { by, reason: None });
    }
}

fn reviewer() -> ReviewerId {
    ReviewerId::Subagent(SubagentId::new("r1"))
}

/// Two sessions with every result of a review and every kind of release.
fn reviewed() -> Recorded {
    let mut gate = Gate::of(Recorded::nothing(), "1111");
    gate.hold("default");
    gate.hold("default");
    gate.start();
    gate.decide(Outcome::Issues);
    gate.hold("blunt");
    gate.start();
    gate.decide(Outcome::Complete);
    gate.hold("blunt");
    gate.start();
    gate.hold("blunt");
    gate.start();
    gate.change(Change::Refused { why: Refusal::OtherSession });
    gate.hold("blunt");
    gate.release(ReleasedBy::Breaker);
    gate.hold("default");
    gate.decide(Outcome::Unavailable);
    gate.release(ReleasedBy::Unavailable);
    let mut gate = Gate::of(gate.recorded, "2222");
    gate.decide(Outcome::Complete);
    gate.release(ReleasedBy::Person);
    gate.release(ReleasedBy::Limit);
    gate.hold("default");
    gate.recorded
}

#[test]
fn nothing_is_said_plainly() {
    let recorded = Recorded::two_sessions();
    insta::assert_snapshot!(recorded.verger(&["stats", "review"]), @"
    nothing recorded yet: no stop was refused and nothing was reviewed within 30 days
    a prompt that begins with #review asks for a review; verger config show review shows when else a review is needed
    ");
    insta::assert_snapshot!(recorded.verger(&["stats", "review", "--quiet"]), @"nothing recorded yet: no stop was refused and nothing was reviewed within 30 days");
    insta::assert_snapshot!(recorded.verger(&["stats", "review", "--json"]), @r#"{"all":{"attempts":0,"blocks_per_approval":null,"decisions":{"complete":0,"issues":0,"unavailable":0},"first_block_to_approval_ms":{"median":null,"p90":null},"outcomes":{"bad_session_id":0,"no_decision":0,"not_spawned":0,"pending":0,"success":0},"passed_uncompared":0,"released":{"breaker":0,"limit":0,"person":0,"unavailable":0},"success_rate":null},"days":30,"let_go":[],"since_ms":1792175968000,"templates":[]}"#);
}

#[test]
fn templates_are_compared() {
    let recorded = reviewed();
    insta::assert_snapshot!(recorded.verger(&["stats", "review"]), @"
    reviews within 30 days
                                       blunt  default   all
    stops refused                          4        4     8
      reviewed then                        1        2     3
      no reviewer started                  1        1     2
      reviewer did not decide              1        0     1
      decided for another session          1        0     1
      still open                           0        1     1
    reviewed, not counting open ones    25 %     67 %  43 %
    approved                               1        0     2
    issues found                           0        1     1
    review not possible                    0        1     1
    refusals per approval                3.0        -   3.0
    first refusal to approval, median    7 s        -   7 s
      90 % within                        7 s        -   7 s
    released, no progress                  1        0     1
    released, too many refused stops       0        0     1
    released, review not possible          0        1     1
    released by a person                   0        0     1
    2 sessions released by an unsatisfied gate: see verger status
    ");
    insta::assert_snapshot!(recorded.verger(&["stats", "review", "--days", "1", "--json"]), @r#"{"all":{"attempts":8,"blocks_per_approval":3.0,"decisions":{"complete":2,"issues":1,"unavailable":1},"first_block_to_approval_ms":{"median":7000,"p90":7000},"outcomes":{"bad_session_id":1,"no_decision":1,"not_spawned":2,"pending":1,"success":3},"passed_uncompared":0,"released":{"breaker":1,"limit":1,"person":1,"unavailable":1},"success_rate":0.42857142857142855},"days":1,"let_go":[{"agent":"claude","at_ms":1794767991000,"by":"limit","gate":"review","project":"149d121308a57831c2283e2f6efb7bf6","reason":"too many stops in a row were refused","session":"2222"},{"agent":"claude","at_ms":1794767979000,"by":"breaker","gate":"review","project":"149d121308a57831c2283e2f6efb7bf6","reason":"the agent made no progress while its stops were refused","session":"1111"},{"agent":"claude","at_ms":1794767984000,"by":"unavailable","gate":"review","project":"149d121308a57831c2283e2f6efb7bf6","reason":"the review could not be made","session":"1111"}],"since_ms":1794681592000,"templates":[{"attempts":4,"blocks_per_approval":3.0,"decisions":{"complete":1,"issues":0,"unavailable":0},"first_block_to_approval_ms":{"median":7000,"p90":7000},"outcomes":{"bad_session_id":1,"no_decision":1,"not_spawned":1,"pending":0,"success":1},"passed_uncompared":0,"released":{"breaker":1,"limit":0,"person":0,"unavailable":0},"success_rate":0.25,"template":"blunt"},{"attempts":4,"blocks_per_approval":null,"decisions":{"complete":0,"issues":1,"unavailable":1},"first_block_to_approval_ms":{"median":null,"p90":null},"outcomes":{"bad_session_id":0,"no_decision":0,"not_spawned":1,"pending":1,"success":2},"passed_uncompared":0,"released":{"breaker":0,"limit":0,"person":0,"unavailable":1},"success_rate":0.6666666666666666,"template":"default"}]}"#);
}

#[test]
fn older_records_are_left_out_and_lasting_records_stay() {
    let mut recorded = reviewed();
    recorded.pass_days(10);
    let before = recorded.verger(&["stats", "review"]).success().stdout;
    let old = recorded.verger(&["stats", "review", "--days", "5"]).success().stdout;
    assert_eq!(
        old.lines().next(),
        Some("nothing recorded yet: no stop was refused and nothing was reviewed within 5 days")
    );
    assert_eq!(recorded.verger(&["log", "clean", "--before", "5d", "--yes"]).code, 0);
    insta::assert_snapshot!(recorded.verger(&["stats", "review"]), @"
    reviews within 30 days
                                      all
    approved                            2
    issues found                        1
    review not possible                 1
    released, no progress               1
    released, too many refused stops    1
    released, review not possible       1
    released by a person                1
    ");
    assert_ne!(recorded.verger(&["stats", "review"]).success().stdout, before);
}

#[test]
fn days_are_a_number_of_days() {
    let recorded = Recorded::nothing();
    for days in ["0", "-1", "a", "40000"] {
        assert_eq!(recorded.verger(&["stats", "review", "--days", days]).code, 2, "{days}");
    }
}
