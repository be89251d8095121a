//! Builds the person's notices about agents that a gate let stop although the gate wasn't
//! satisfied.

use verger_event::{ReleaseOfSession, UnsatisfiedRelease};

use crate::template::fill;

/// The source name of these notices in records.
pub const NAME: &str = "let-go";

/// The maximum number of releases that are listed when a session starts.
const MAX_SHOWN: usize = 5;

/// The gate and the reason of one release in words, without the session.
pub fn words(release: &UnsatisfiedRelease) -> String {
    format!("released by the {} gate: {}", release.gate.as_str(), release.reason)
}

/// The person's notice, at the start of a session, about releases in earlier sessions.
pub fn notice(releases: &[ReleaseOfSession]) -> String {
    let line = |one: &ReleaseOfSession| {
        format!("- session {}: {}", one.session.session.word(), words(&one.release))
    };
    let mut lines: Vec<_> = releases.iter().rev().take(MAX_SHOWN).map(line).collect();
    if releases.len() > MAX_SHOWN {
        lines.push(format!("- and {} more", releases.len() - MAX_SHOWN));
    }
    let count = match releases.len() {
        1 => "an agent stopped".to_owned(),
        more => format!("agents stopped {more} times"),
    };
    let template = include_str!("../templates/let-go.md");
    fill(template, &[("count", &count), ("releases", &lines.join("\n"))])
}

/// The person's notice that records were lost. It is shown when an agent wants to stop, because
/// gates decide from records, so their decisions may be wrong.
pub fn notice_of_loss(why: &str) -> String {
    fill(include_str!("../templates/loss.md"), &[("why", why)])
}

#[cfg(test)]
mod tests {
    use verger_event::{Releaser, SessionId, SessionKey, Timestamp};

    use super::*;

    fn released(session: &str) -> ReleaseOfSession {
        ReleaseOfSession {
            session: SessionKey {
                agent: "claude".parse().unwrap(),
                session: SessionId::new(session),
            },
            release: UnsatisfiedRelease {
                gate: "review".into(),
                by: Releaser::Breaker,
                at: Timestamp::from_millis(1),
                reason: "it was told three times".to_owned(),
            },
        }
    }

    #[test]
    fn a_notice_names_the_latest_sessions_and_the_command() {
        insta::assert_snapshot!(notice(&[released("s1")]), @"
        verger: WARNING: an agent stopped in this project although a gate was not satisfied:
        - session s1: released by the review gate: it was told three times
        Details: verger status. After you have looked: verger status --seen
        ");
        let many: Vec<_> = (1..=7).map(|number| released(&format!("s{number}"))).collect();
        insta::assert_snapshot!(notice(&many), @"
        verger: WARNING: agents stopped 7 times in this project although a gate was not satisfied:
        - session s7: released by the review gate: it was told three times
        - session s6: released by the review gate: it was told three times
        - session s5: released by the review gate: it was told three times
        - session s4: released by the review gate: it was told three times
        - session s3: released by the review gate: it was told three times
        - and 2 more
        Details: verger status. After you have looked: verger status --seen
        ");
    }
}
