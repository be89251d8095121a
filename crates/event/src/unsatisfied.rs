//! Releases of unsatisfied gates. They are kept until a person has seen them.

use serde::{Deserialize, Serialize};

use crate::{
    Event, Fold, GateName, Record, Releaser, ReviewDecision, SeenBy, SessionKey, Timestamp,
    VerificationStatus, tamed,
};

/// The name of the review gate.
pub const REVIEW_GATE: &str = "review";
/// The name of the verification gate.
pub const VERIFICATION_GATE: &str = "verification";
/// The name of the learning gate.
pub const LEARNING_GATE: &str = "learning";

/// Maximum number of releases that are kept for each session. The oldest are dropped first.
const MAX_KEPT: usize = 8;
/// Maximum number of sessions whose releases are kept for each project. The oldest are dropped
/// first.
const MAX_SESSIONS: usize = 32;
/// Maximum number of characters of a release's reason.
const MAX_REASON: usize = 200;

/// The release of an agent by a gate that was not satisfied.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct UnsatisfiedRelease {
    /// The name of the gate that released the agent.
    pub gate: GateName,
    /// The cause of the release.
    pub by: Releaser,
    /// The time of the release.
    pub at: Timestamp,
    /// The reason for the release, on one line.
    pub reason: String,
}

/// The releases of unsatisfied gates in a session that no person has seen yet, the oldest first.
///
/// A release is removed when its gate is satisfied or released by a person later in the session, or
/// when a person has seen the release.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct UnsatisfiedReleases(Vec<UnsatisfiedRelease>);

impl UnsatisfiedReleases {
    /// All releases, the oldest first.
    pub fn all(&self) -> &[UnsatisfiedRelease] {
        &self.0
    }

    /// Applies a record of the session. Applying the same record again changes nothing.
    pub fn apply(&mut self, record: &Record) {
        match &record.draft.event {
            Event::GateReleased { gate, by, reason } => match by {
                Releaser::Breaker
                | Releaser::Limit
                | Releaser::Unavailable
                | Releaser::Untrusted => {
                    self.add(UnsatisfiedRelease {
                        gate: gate.clone(),
                        by: *by,
                        at: record.draft.at,
                        reason: shortened(reason),
                    });
                }
                Releaser::Person => self.remove(gate.as_str()),
                // These releases need no attention: the settings allow the agent, or a small
                // change, to pass the gate.
                Releaser::Agent | Releaser::Auto => {}
            },
            Event::ReviewDecided { decision: ReviewDecision::Complete, .. } => {
                self.remove(REVIEW_GATE);
            }
            Event::VerificationRecorded { status: VerificationStatus::Green, .. } => {
                self.remove(VERIFICATION_GATE);
            }
            Event::ReflectionRecorded { .. } => self.remove(LEARNING_GATE),
            Event::ReleasesSeen { until, by: SeenBy::Person } => {
                self.0.retain(|release| release.at > *until);
            }
            _ => {}
        }
    }

    fn add(&mut self, release: UnsatisfiedRelease) {
        if self.0.contains(&release) {
            return;
        }
        if self.0.len() == MAX_KEPT {
            self.0.remove(0);
        }
        self.0.push(release);
    }

    fn remove(&mut self, gate: &str) {
        self.0.retain(|release| release.gate.as_str() != gate);
    }
}

fn shortened(reason: &str) -> String {
    tamed(reason).chars().take(MAX_REASON).collect()
}

/// The unsatisfied releases of all sessions of a project. They are folded from the records that
/// outlive their sessions.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct ProjectReleases {
    /// The sessions and their releases, the latest session last.
    sessions: Vec<(SessionKey, UnsatisfiedReleases)>,
    /// The time of the last release that the start of a session has shown.
    shown_until: Option<Timestamp>,
}

/// The release of an unsatisfied gate, and the session in which it happened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReleaseOfSession {
    /// The key of the session.
    pub session: SessionKey,
    /// The release of the gate.
    pub release: UnsatisfiedRelease,
}

impl ProjectReleases {
    /// The name of this fold, which its snapshots' file names contain.
    pub const NAME: &'static str = "releases";

    /// The releases that the start of a session has not shown yet, the oldest first.
    pub fn unshown(&self) -> Vec<ReleaseOfSession> {
        let all = self.sessions.iter().flat_map(|(session, releases)| {
            let of_session = move |release: &UnsatisfiedRelease| ReleaseOfSession {
                session: session.clone(),
                release: release.clone(),
            };
            releases.all().iter().map(of_session)
        });
        let is_new = |one: &ReleaseOfSession| Some(one.release.at) > self.shown_until;
        let mut unshown: Vec<_> = all.filter(is_new).collect();
        unshown.sort_by_key(|one| one.release.at);
        unshown
    }
}

impl Fold for ProjectReleases {
    const VERSION: u32 = 1;

    const KINDS: Option<&'static [&'static str]> = Some(&[
        "gate.released",
        "review.decided",
        "verification.recorded",
        "reflection.recorded",
        "releases.seen",
    ]);

    fn apply(&mut self, record: &Record) {
        let origin = &record.draft.origin;
        let key = SessionKey { agent: origin.agent.clone(), session: origin.session.clone() };
        match &record.draft.event {
            Event::ReleasesSeen { until, by: SeenBy::Notice } => {
                self.shown_until = self.shown_until.max(Some(*until));
            }
            event => {
                let known = self.sessions.iter().position(|(session, _)| *session == key);
                let at = match (known, event) {
                    (Some(at), _) => at,
                    (None, Event::GateReleased { .. }) => {
                        if self.sessions.len() == MAX_SESSIONS {
                            self.sessions.remove(0);
                        }
                        self.sessions.push((key, UnsatisfiedReleases::default()));
                        self.sessions.len() - 1
                    }
                    (None, _) => return,
                };
                self.sessions[at].1.apply(record);
                if self.sessions[at].1.all().is_empty() {
                    self.sessions.remove(at);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        Access, Actor, Circumstance, ContentHash, Draft, EventId, Origin, SessionId, Standing,
        VerificationDepth,
    };

    fn at(millis: u64, event: Event) -> Record {
        of_session("s", millis, event)
    }

    fn of_session(session: &str, millis: u64, event: Event) -> Record {
        let origin = Origin {
            agent: "claude".parse().unwrap(),
            agent_version: None,
            session: SessionId::new(session),
            actor: Actor::Main { agent_type: None },
            user: None,
            role: None,
            project: None,
            circumstance: Circumstance::default(),
        };
        let draft = Draft {
            id: EventId::new(Timestamp::from_millis(millis), u128::from(millis)),
            at: Timestamp::from_millis(millis),
            origin,
            standing: Standing::default(),
            access: Access::default(),
            event,
        };
        Record { seq: millis, draft }
    }

    fn released(gate: &'static str, by: Releaser) -> Event {
        Event::GateReleased { gate: gate.into(), by, reason: "why".to_owned() }
    }

    fn decided(decision: ReviewDecision) -> Event {
        Event::ReviewDecided {
            decision,
            summary: String::new(),
            message: None,
            content_hash: None,
            reviewer: None,
            opinions: None,
        }
    }

    fn verified(status: VerificationStatus) -> Event {
        Event::VerificationRecorded {
            status,
            depth: VerificationDepth::Deep,
            content_hash: ContentHash::new("a"),
            summary: String::new(),
            verified: serde_json::Value::Null,
        }
    }

    fn seen(until: u64, by: SeenBy) -> Event {
        Event::ReleasesSeen { until: Timestamp::from_millis(until), by }
    }

    /// The gates and times of the releases that are left after these events, which are one
    /// millisecond apart.
    fn left(events: impl IntoIterator<Item = Event>) -> Vec<(String, u64)> {
        let mut releases = UnsatisfiedReleases::default();
        for (millis, event) in (1..).zip(events) {
            releases.apply(&at(millis, event));
        }
        let entry = |one: &UnsatisfiedRelease| (one.gate.as_str().to_owned(), one.at.as_millis());
        releases.all().iter().map(entry).collect()
    }

    #[test]
    fn a_release_stays_until_the_gate_is_satisfied_or_a_person_has_seen_it() {
        use Releaser::{Agent, Auto, Breaker, Limit, Person, Unavailable};
        let review = |millis| ("review".to_owned(), millis);
        let verification = |millis| ("verification".to_owned(), millis);
        for (events, expected) in [
            (vec![released("review", Breaker)], vec![review(1)]),
            (vec![released("review", Limit)], vec![review(1)]),
            (vec![released("review", Unavailable)], vec![review(1)]),
            (vec![released("learning", Agent), released("learning", Auto)], vec![]),
            (vec![released("review", Person)], vec![]),
            (vec![released("review", Limit), released("review", Person)], vec![]),
            (
                vec![released("verification", Limit), released("review", Person)],
                vec![verification(1)],
            ),
            (vec![released("review", Limit), decided(ReviewDecision::Complete)], vec![]),
            (vec![released("review", Limit), decided(ReviewDecision::Issues)], vec![review(1)]),
            (vec![released("verification", Limit), verified(VerificationStatus::Green)], vec![]),
            (
                vec![released("verification", Limit), verified(VerificationStatus::Red)],
                vec![verification(1)],
            ),
            (vec![released("review", Limit), seen(1, SeenBy::Person)], vec![]),
            (vec![released("review", Limit), seen(1, SeenBy::Notice)], vec![review(1)]),
            (
                vec![
                    released("review", Limit),
                    released("review", Breaker),
                    seen(1, SeenBy::Person),
                ],
                vec![review(2)],
            ),
        ] {
            assert_eq!(left(events.clone()), expected, "{events:?}");
        }
    }

    #[test]
    fn a_record_that_comes_twice_counts_once_and_the_oldest_go_first() {
        let mut releases = UnsatisfiedReleases::default();
        for millis in 1..=10 {
            for _ in 0..2 {
                releases.apply(&at(millis, released("review", Releaser::Breaker)));
            }
        }
        let times: Vec<_> = releases.all().iter().map(|one| one.at.as_millis()).collect();
        assert_eq!(times, (3..=10).collect::<Vec<_>>());
    }

    #[test]
    fn a_project_knows_what_was_shown_and_what_is_still_open() {
        let mut project = ProjectReleases::default();
        let unshown = |project: &ProjectReleases| -> Vec<_> {
            let entry =
                |one: ReleaseOfSession| (one.session.session.as_str().to_owned(), one.release.at);
            project.unshown().into_iter().map(entry).collect()
        };
        let entry = |session: &str, millis| (session.to_owned(), Timestamp::from_millis(millis));
        project.apply(&of_session("a", 1, released("review", Releaser::Breaker)));
        project.apply(&of_session("b", 2, released("verification", Releaser::Limit)));
        project.apply(&of_session("b", 3, released("review", Releaser::Person)));
        assert_eq!(unshown(&project), [entry("a", 1), entry("b", 2)]);
        project.apply(&of_session("b", 4, verified(VerificationStatus::Green)));
        assert_eq!(unshown(&project), [entry("a", 1)]);
        project.apply(&of_session("c", 5, seen(1, SeenBy::Notice)));
        assert_eq!(unshown(&project), []);
        project.apply(&of_session("a", 6, released("review", Releaser::Breaker)));
        assert_eq!(unshown(&project), [entry("a", 6)]);
        project.apply(&of_session("a", 7, seen(6, SeenBy::Person)));
        assert_eq!(unshown(&project), []);
        for number in 0..40 {
            let released = released("review", Releaser::Limit);
            project.apply(&of_session(&number.to_string(), 10 + number, released));
        }
        assert_eq!(unshown(&project).len(), MAX_SESSIONS);
    }
}
