//! Builds messages to agents and people about calls that the guard denied, asked about, or noticed.

use super::OWN_FILES;
use super::judgement::{Finding, Judgement};
use crate::template::fill;

/// The rule name in findings about a call whose payload couldn't be parsed.
pub const HIDDEN_CALL: &str = "hidden-call";

/// The name of the rule against reading credentials.
pub(super) const READ_CREDENTIALS: &str = "read-credentials";

impl Judgement {
    /// The finding about a write to verger's own files or an agent's settings.
    pub fn own_files(&self) -> Option<&Finding> {
        self.findings.iter().find(|finding| finding.rule == OWN_FILES)
    }

    /// Whether the finding that determines the triage is a read of credentials. Such a read
    /// destroys nothing.
    pub fn reads_credentials(&self) -> bool {
        self.decided.rule == READ_CREDENTIALS
    }
}

/// The message to the agent about a denied call. It never names the command with which a person
/// releases the call.
pub fn deny(found: &Finding) -> String {
    let template = if found.rule == OWN_FILES {
        include_str!("../../templates/permission/own.md")
    } else if found.rule == HIDDEN_CALL {
        include_str!("../../templates/permission/hidden.md")
    } else {
        include_str!("../../templates/permission/deny.md")
    };
    filled(template, found)
}

/// The question to the person about a call. If the client can't ask a person, the agent gets this
/// text.
pub fn ask(found: &Finding) -> String {
    filled(include_str!("../../templates/permission/ask.md"), found)
}

/// The person's notice that a call was denied. The agent doesn't see this notice.
pub fn denied_notice(found: &Finding) -> String {
    filled(include_str!("../../templates/permission/notice-denied.md"), found)
}

/// The person's notice of a call that runs although its endangered files couldn't be saved for
/// undo. `why` says why they are endangered. The agent doesn't see it.
pub fn unsaved_notice(why: &str, unsaved: &str) -> String {
    let template = include_str!("../../templates/permission/notice-unsaved.md");
    fill(template, &[("why", why), ("unsaved", unsaved)])
}

/// The person's notice of a call that names files which its undo point lacks. `why` says why they
/// are endangered. The agent doesn't see it.
pub fn left_out_notice(why: &str, left_out: &str) -> String {
    let template = include_str!("../../templates/permission/notice-left-out.md");
    fill(template, &[("why", why), ("left_out", left_out)])
}

/// A sentence for the question to the person, if the undo point of the call lacks files that the
/// call names.
pub fn left_out_reason(left_out: &str) -> String {
    format!(" No undo point has these files, so they could not be restored: {left_out}.")
}

/// The message to the agent about a call that runs although its undo point lacks files that the
/// call names.
pub fn left_out_context(left_out: &str) -> String {
    fill(include_str!("../../templates/permission/context-left-out.md"), &[("left_out", left_out)])
}

/// The person's notice of a released call that doesn't run because its files couldn't be saved. The
/// agent doesn't see it.
pub fn unsaved_release_notice(unsaved: &str) -> String {
    let template = include_str!("../../templates/permission/notice-unsaved-release.md");
    fill(template, &[("unsaved", unsaved)])
}

fn filled(template: &str, Finding { rule, why, instead, .. }: &Finding) -> String {
    let instead =
        instead.as_ref().map(|instead| format!(" Instead: {instead}.")).unwrap_or_default();
    fill(template, &[("why", why), ("rule", rule), ("instead", &instead)])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::permission::Triage;

    fn found(rule: &str, why: &str, instead: Option<&str>) -> Finding {
        Finding {
            triage: Triage::Deny,
            rule: rule.to_owned(),
            why: why.to_owned(),
            instead: instead.map(str::to_owned),
            command: None,
        }
    }

    #[test]
    fn a_denial_says_what_happened_and_what_to_do_instead() {
        let reset = found(
            "git-reset-hard",
            "it throws away what is not committed",
            Some("git stash keeps it"),
        );
        insta::assert_snapshot!(deny(&reset), @"verger: this did not run: it throws away what is not committed (rule git-reset-hard). Instead: git stash keeps it. Do not try another spelling of the same thing; this is recorded. If exactly this call is needed, say so: a person can let it run.");
        insta::assert_snapshot!(deny(&found("rm-root", "it removes the system", None)), @"verger: this did not run: it removes the system (rule rm-root). Do not try another spelling of the same thing; this is recorded. If exactly this call is needed, say so: a person can let it run.");
        insta::assert_snapshot!(ask(&reset), @"verger: a person should look at this before it runs: it throws away what is not committed (rule git-reset-hard). Instead: git stash keeps it.");
        insta::assert_snapshot!(denied_notice(&reset), @"verger denied a call of the agent: it throws away what is not committed (rule git-reset-hard). `verger why --last` explains it; to let it run once: verger guard allow-once");
        insta::assert_snapshot!(unsaved_notice("it throws away what is not committed (rule git-reset-hard)", "the disk is full"), @"verger could not save the files before a call of the agent, so the call cannot be undone: the disk is full. The call: it throws away what is not committed (rule git-reset-hard). `verger why --last` explains it.");
        insta::assert_snapshot!(unsaved_release_notice("the disk is full"), @"verger did not run a call of the agent that you had released, because the files could not be saved before it: the disk is full. Your release remains valid. To run it without an undo point: verger config set undo.enabled false");
        insta::assert_snapshot!(left_out_notice("it throws away what is not committed (rule git-reset-hard)", "data (too large: 7 bytes)"), @"verger saved files before a call of the agent, but not all files that it may destroy: data (too large: 7 bytes). Those could not be restored. The call: it throws away what is not committed (rule git-reset-hard). `verger undo show` lists the saved files.");
        insta::assert_snapshot!(left_out_reason("data (too large: 7 bytes)"), @" No undo point has these files, so they could not be restored: data (too large: 7 bytes).");
        insta::assert_snapshot!(left_out_context("data (too large: 7 bytes)"), @"verger: this call may destroy files that no undo point has, so they could not be restored: data (too large: 7 bytes). If one of them was lost and is still needed, tell the person now.");
        let own = found(OWN_FILES, "it writes to an agent's settings", None);
        insta::assert_snapshot!(deny(&own), @"verger: this did not run: it writes to an agent's settings. Those files say what agents may do, so only a person changes them. If you think a change is needed, tell the person which one and why, and go on with your work.");
        let hidden = found(HIDDEN_CALL, "the payload is not JSON", None);
        insta::assert_snapshot!(deny(&hidden), @"verger: this did not run, because verger could not check it: the payload is not JSON. Repeat the same call; if that does not help, tell the person: verger's log has the reason.");
    }

    #[test]
    fn an_agent_is_never_told_how_to_lift_the_guard() {
        for rule in ["git-reset-hard", OWN_FILES, HIDDEN_CALL] {
            let found = found(rule, "it is so", Some("do that"));
            for text in [deny(&found), ask(&found)] {
                for word in
                    ["allow-once", "guard.mode", "config set", "trust", "skip", "verger release"]
                {
                    assert!(!text.contains(word), "{text}");
                }
            }
        }
    }
}
