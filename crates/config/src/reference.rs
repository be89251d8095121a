//! Lists all keys for the documentation, and all resolved settings.

use crate::keys::{KEYS, Key, Settings};
use crate::layers::Origin;
use crate::rule::Class;

/// A key as the documentation describes it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyReference {
    /// The key's path, for example `record.enabled`.
    pub path: String,
    /// A description of the possible values, for example `true or false`.
    pub expected: String,
    /// The default value in the syntax of a file. Empty if the key has no default value.
    pub default: String,
    pub class: Class,
    /// The meaning of "stricter" for a tighten-only key.
    pub stricter: Option<&'static str>,
    pub doc: &'static str,
    /// The name of the key's environment variable, for example `VERGER_RECORD_ENABLED`.
    pub variable: String,
}

/// Every key, in the order of the table in `keys.rs`.
pub fn reference() -> impl Iterator<Item = KeyReference> {
    let defaults = Settings::default();
    KEYS.iter().map(move |key| KeyReference {
        path: key.path(),
        expected: (key.expected)(),
        default: key.render(&defaults),
        class: key.class,
        stricter: key.stricter,
        doc: key.doc.trim_ascii(),
        variable: key.variable(),
    })
}

/// A resolved setting, as a list of settings shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedSetting<'a> {
    pub path: String,
    /// The value in the syntax of a file. Empty if an optional value isn't set.
    pub value: String,
    /// The value as JSON, for programs. `null` if an optional value isn't set.
    pub json: serde_json::Value,
    pub class: Class,
    pub origin: &'a Origin,
    pub joined: &'a [Origin],
}

impl ListedSetting<'_> {
    /// Whether the file with this name set the value or a part of it.
    pub fn comes_from(&self, file: &str) -> bool {
        self.joined.iter().chain([self.origin]).any(|origin| match origin {
            Origin::User { file: known, .. } | Origin::Project { file: known, .. } => {
                **known == *file
            }
            Origin::Default | Origin::Environment { .. } => false,
        })
    }
}

impl Settings {
    /// Every setting, in the order of the table in `keys.rs`.
    pub fn list(&self) -> impl Iterator<Item = ListedSetting<'_>> {
        KEYS.iter().map(|key| self.listed(key))
    }

    /// The settings with these paths, in the order of the table in `keys.rs`. The values of other
    /// settings are not rendered.
    pub fn list_of(&self, paths: &[&str]) -> impl Iterator<Item = ListedSetting<'_>> {
        let is_wanted = |key: &&Key| paths.iter().any(|path| key.is_at(path));
        KEYS.iter().filter(is_wanted).map(|key| self.listed(key))
    }

    fn listed(&self, key: &Key) -> ListedSetting<'_> {
        let (origin, joined) = (key.origins)(self);
        let (value, json) = (key.render(self), (key.json)(self));
        ListedSetting { path: key.path(), value, json, class: key.class, origin, joined }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(key: &KeyReference) -> String {
        let stricter = key.stricter.map(|stricter| format!(" ({stricter})"));
        format!(
            "{} | {} | {} | {} | {}{} | {}",
            key.path,
            key.variable,
            key.expected,
            key.default,
            key.class,
            stricter.unwrap_or_default(),
            key.doc,
        )
    }

    #[test]
    fn the_reference_says_all_there_is_to_know_about_a_key() {
        let rows: Vec<String> = reference().map(|key| row(&key)).collect();
        insta::assert_snapshot!(rows.join("\n"), @r##"
        record.enabled | VERGER_RECORD_ENABLED | true or false | true | tighten-only (true is stricter) | Record what agents do.
        record.role | VERGER_RECORD_ROLE | a string of 1 to 256 bytes without control characters |  | free | The role written into every record, for example "reviewer".
        record.readers | VERGER_RECORD_READERS | at most 64 strings of 1 to 256 bytes without control characters | [] | tighten-only (entries can be removed, not added) | Further readers of the records; when empty, their owner alone.
        user.name | VERGER_USER_NAME | a string of 1 to 256 bytes without control characters |  | needs trust | The name written into every record; when absent, git's identity.
        redact.key_names | VERGER_REDACT_KEY_NAMES | at most 64 strings of 1 to 256 bytes without control characters | [] | tighten-only (the lists of all files are joined) | Further key names whose values are secret.
        store.lock_wait_ms | VERGER_STORE_LOCK_WAIT_MS | an integer from 0 to 2000 | 200 | free | How long a hook waits for a session's lock, in milliseconds.
        review.mode | VERGER_REVIEW_MODE | "never", "prompt" or "always" | "prompt" | tighten-only (always is stricter than prompt, prompt than never) | Which tasks need a review: those whose prompt begins with a trigger, all, or none.
        review.triggers | VERGER_REVIEW_TRIGGERS | at most 64 strings of 1 to 256 bytes without control characters | ["#review", "#roz"] | tighten-only (the lists of all files are joined) | Words that ask for a review at the beginning of a prompt.
        review.gated_tools | VERGER_REVIEW_GATED_TOOLS | at most 64 strings of 1 to 256 bytes without control characters | [] | tighten-only (the lists of all files are joined) | Tools that need an approval, for example `Bash:gh issue close*` or `mcp__tissue__close*`.
        review.scope | VERGER_REVIEW_SCOPE | "session", "prompt" or "tool" | "prompt" | tighten-only (tool is stricter than prompt, prompt than session) | How long an approval counts for gated tools: for the session, a prompt, or one call.
        review.approval_ttl_seconds | VERGER_REVIEW_APPROVAL_TTL_SECONDS | an integer from 1 to 31536000 |  | tighten-only (shorter is stricter, and any limit stricter than none) | After how many seconds an approval no longer counts for gated tools; when absent, never.
        review.on_unavailable | VERGER_REVIEW_ON_UNAVAILABLE | "release" or "block" | "release" | tighten-only (block is stricter) | If no reviewer could decide: the agent may stop with a warning, or is still blocked.
        review.ignore | VERGER_REVIEW_IGNORE | at most 64 strings of 1 to 256 bytes without control characters | [] | needs trust | Globs of files that are left out of reviews.
        review.reviewer | VERGER_REVIEW_REVIEWER | { command = ["program", "argument"] } with at most 64 strings of 1 to 4096 bytes without control characters |  | user only | The program that verger runs as the reviewer; when absent, a subagent reviews.
        review.reviewer_timeout_seconds | VERGER_REVIEW_REVIEWER_TIMEOUT_SECONDS | an integer from 10 to 7200 | 600 | tighten-only (longer is stricter) | How long that program may take, in seconds.
        review.template | VERGER_REVIEW_TEMPLATE | "random", or the id of a template: 1 to 32 letters, digits, "_" and "-" | "default" | free | The template of the message to a blocked agent.
        review.template_weights | VERGER_REVIEW_TEMPLATE_WEIGHTS | { id = weight } with at most 64 ids of templates and whole numbers from 0 to 1000 | {} | free | How often each template is chosen at random; the weight of others is 1.
        review.template_seed | VERGER_REVIEW_TEMPLATE_SEED | an integer from 0 to 4294967295 |  | free | Makes the random choice of templates repeatable.
        learning.mode | VERGER_LEARNING_MODE | "off" or "on" | "on" | tighten-only (on is stricter) | Whether the agent must write a reflection before it stops once a ticket was closed.
        learning.auto_skip | VERGER_LEARNING_AUTO_SKIP | true or false | true | tighten-only (false is stricter) | Allow small changes without a reflection.
        learning.auto_skip_lines | VERGER_LEARNING_AUTO_SKIP_LINES | an integer from 0 to 100000 | 5 | tighten-only (fewer is stricter) | A change of fewer lines than this is small.
        learning.auto_skip_decider | VERGER_LEARNING_AUTO_SKIP_DECIDER | "always", "agent" or "never" | "agent" | tighten-only (never is stricter than agent, agent than always) | Small changes: always skip the reflection, ask the agent once, or never skip it.
        tickets.order | VERGER_TICKETS_ORDER | some of ["tissue", "beads", "tasks", "session"], each once | ["tissue", "beads", "tasks", "session"] | needs trust | In which order systems are looked for; the first that is found has the current ticket.
        tickets.tissue | VERGER_TICKETS_TISSUE | true or false | true | tighten-only (true is stricter) | Tickets of tissue, in `.tissue/`.
        tickets.beads | VERGER_TICKETS_BEADS | true or false | true | tighten-only (true is stricter) | Tickets of beads, in `.beads/`.
        tickets.tasks | VERGER_TICKETS_TASKS | true or false | false | tighten-only (true is stricter) | The agent's own to-do list; closing its last item counts as closing a ticket.
        tickets.session | VERGER_TICKETS_SESSION | true or false | false | tighten-only (true is stricter) | Without a ticket system: ask for a reflection when a session changed enough lines.
        backends.order | VERGER_BACKENDS_ORDER | some of ["config", "total-recall", "markdown"], each once | ["config", "total-recall", "markdown"] | free | In which order storage places are looked for; the first that is found is used.
        backends.choice | VERGER_BACKENDS_CHOICE | "total-recall" or "markdown" |  | free | The storage place to use; when absent, the first that is found.
        backends.total_recall | VERGER_BACKENDS_TOTAL_RECALL | true or false | true | free | The daily log of Total Recall, in `memory/`.
        backends.markdown | VERGER_BACKENDS_MARKDOWN | true or false | true | free | The file `.verger/learnings.md`.
        decay.passive_duration_days | VERGER_DECAY_PASSIVE_DURATION_DAYS | an integer from 1 to 36500 | 90 | free | Archive a learning after this many days without a use.
        decay.immunity_hit_rate | VERGER_DECAY_IMMUNITY_HIT_RATE | a number from 0 to 1 | 0.8 | free | Never archive a learning whose share of uses per showing is at least this.
        recall.enabled | VERGER_RECALL_ENABLED | true or false | true | tighten-only (false is stricter) | Give agents the learnings that match their prompts and tool calls.
        recall.tasks | VERGER_RECALL_TASKS | true or false | true | tighten-only (false is stricter) | Tell agents also about earlier tasks in the project.
        recall.max_injections | VERGER_RECALL_MAX_INJECTIONS | an integer from 1 to 50 | 5 | tighten-only (fewer is stricter) | How many learnings a session gets at once.
        recall.strategy | VERGER_RECALL_STRATEGY | "conservative", "moderate" or "aggressive" | "moderate" | free | How well a learning must match before it is given.
        recall.budget_tokens | VERGER_RECALL_BUDGET_TOKENS | an integer from 100 to 20000 | 1500 | tighten-only (fewer is stricter) | How many tokens verger may add to a session at once.
        guard.mode | VERGER_GUARD_MODE | "off", "observe" or "enforce" | "observe" | tighten-only (enforce is stricter than observe, observe than off) | Whether the guard is off, only records its verdicts, or enforces them.
        guard.allow_dangerous | VERGER_GUARD_ALLOW_DANGEROUS | at most 64 strings of 1 to 256 bytes without control characters | [] | user only | Names of built-in rules against destructive commands to switch off.
        guard.opinion | VERGER_GUARD_OPINION | { command = ["program", "argument"] } with at most 64 strings of 1 to 4096 bytes without control characters |  | user only | A program that judges commands that no rule matches; when absent, they aren't judged.
        undo.enabled | VERGER_UNDO_ENABLED | true or false | true | tighten-only (true is stricter) | Save the working tree before a call that the guard would deny or ask about.
        undo.max_file_mib | VERGER_UNDO_MAX_FILE_MIB | an integer from 1 to 512 | 20 | needs trust | How large a file may be to be saved, in MiB.
        undo.max_total_mib | VERGER_UNDO_MAX_TOTAL_MIB | an integer from 1 to 16384 | 500 | needs trust | How much one undo point may add to the repository, in MiB.
        undo.keep_points | VERGER_UNDO_KEEP_POINTS | an integer from 1 to 10000 | 50 | needs trust | How many undo points of a working tree are kept.
        undo.keep_days | VERGER_UNDO_KEEP_DAYS | an integer from 1 to 3650 | 14 | needs trust | For how many days an undo point is kept.
        undo.time_limit_ms | VERGER_UNDO_TIME_LIMIT_MS | an integer from 100 to 30000 | 1500 | needs trust | How long making an undo point may take, in milliseconds.
        verification.mode | VERGER_VERIFICATION_MODE | "off", "observe", "claims" or "always" | "observe" | tighten-only (always is stricter than claims, claims than observe, observe than off) | When an agent may not stop unverified: never, never but record claims, if it claims to be done, or always after changes.
        verification.depth | VERGER_VERIFICATION_DEPTH | "quick", "standard" or "deep" | "quick" | tighten-only (deep is stricter than standard, standard than quick) | Which tests a verification runs unless the risk requires more: `quick_tests`, all, or acceptance too.
        verification.require | VERGER_VERIFICATION_REQUIRE | some of ["acceptance", "tests", "no_regressions", "open_tasks", "committed", "review"], each once | ["tests", "no_regressions", "open_tasks"] | tighten-only (the lists of all files are joined) | Conditions for finished work, in addition to lint, format, types and stubs.
        verification.watch | VERGER_VERIFICATION_WATCH | at most 64 strings of 1 to 256 bytes without control characters | [] | tighten-only (the lists of all files are joined) | Further tools whose failure requires a verification, for example `Bash:npm run e2e*`.
        verification.lint | VERGER_VERIFICATION_LINT | { command = ["program", "argument"] } with at most 64 strings of 1 to 4096 bytes without control characters |  | needs trust | The command that lints; when absent, one detected from project files.
        verification.format | VERGER_VERIFICATION_FORMAT | { command = ["program", "argument"] } with at most 64 strings of 1 to 4096 bytes without control characters |  | needs trust | The command that checks the format; it must not change files.
        verification.types | VERGER_VERIFICATION_TYPES | { command = ["program", "argument"] } with at most 64 strings of 1 to 4096 bytes without control characters |  | needs trust | The command that checks types.
        verification.tests | VERGER_VERIFICATION_TESTS | { command = ["program", "argument"] } with at most 64 strings of 1 to 4096 bytes without control characters |  | needs trust | The command that runs the tests.
        verification.quick_tests | VERGER_VERIFICATION_QUICK_TESTS | { command = ["program", "argument"] } with at most 64 strings of 1 to 4096 bytes without control characters |  | needs trust | A command that runs a smaller set of tests, for the depth quick; when absent, quick runs all tests.
        verification.acceptance | VERGER_VERIFICATION_ACCEPTANCE | a list of at most 12 { command = ["program", "argument"] } with at most 64 strings of 1 to 4096 bytes without control characters | [] | needs trust | Commands that run acceptance tests.
        verification.timeout_seconds | VERGER_VERIFICATION_TIMEOUT_SECONDS | an integer from 1 to 14400 | 900 | free | How long each of these commands may take, in seconds.
        delegation.mode | VERGER_DELEGATION_MODE | "off", "warn" or "enforce" | "off" | tighten-only (enforce is stricter than warn, warn than off) | Whether an agent that should delegate is ignored, reminded, or blocked.
        delegation.tiers | VERGER_DELEGATION_TIERS | an integer from 2 to 3 | 2 | needs trust | How many tiers there are: conductor and musicians, or section leaders between them.
        delegation.role | VERGER_DELEGATION_ROLE | "musician", "section_leader" or "conductor" |  | tighten-only (it can be set if no other file sets it, but not changed) | The role of main agents; when absent, `AGENT_ROLE` or the marker decides.
        delegation.marker | VERGER_DELEGATION_MARKER | a string of 1 to 256 bytes without control characters |  | tighten-only (it can be set if no other file sets it, but not changed) | A file that makes the main agents of its project conductors, for example `.conductor`.
        delegation.remind_at | VERGER_DELEGATION_REMIND_AT | an integer from 1 to 100 | 3 | tighten-only (fewer is stricter) | The use of a work tool from which on a leading agent is reminded.
        delegation.deny_at | VERGER_DELEGATION_DENY_AT | an integer from 1 to 100 | 5 | tighten-only (fewer is stricter) | The use of a work tool that is denied.
        delegation.window_seconds | VERGER_DELEGATION_WINDOW_SECONDS | an integer from 1 to 86400 | 600 | tighten-only (longer is stricter) | For how long a use counts, in seconds.
        delegation.work_tools | VERGER_DELEGATION_WORK_TOOLS | at most 64 strings of 1 to 256 bytes without control characters | [] | tighten-only (the lists of all files are joined) | The tools that count as work; when empty, shell commands and file changes.
        delegation.allow_paths | VERGER_DELEGATION_ALLOW_PATHS | at most 64 strings of 1 to 256 bytes without control characters | [] | needs trust | Files and directories whose change does not count, for example `notes` or `*.lock`.
        delegation.doc_paths | VERGER_DELEGATION_DOC_PATHS | at most 64 strings of 1 to 256 bytes without control characters | ["docs", "plans", "*.md"] | needs trust | Plans and documents, which a section leader may write.
        drift.mode | VERGER_DRIFT_MODE | "off", "observe" or "correct" | "observe" | tighten-only (correct is stricter than observe, observe than off) | Whether drift is ignored, only recorded, or also reported to the agent.
        drift.every | VERGER_DRIFT_EVERY | an integer from 1 to 100 | 3 | free | After how many batches of tool calls drift is checked.
        drift.scorer | VERGER_DRIFT_SCORER | { command = ["program", "argument"] } with at most 64 strings of 1 to 4096 bytes without control characters |  | user only | A program that scores the session instead of verger, for example with a model.
        drift.scorer_seconds | VERGER_DRIFT_SCORER_SECONDS | an integer from 1 to 60 | 10 | user only | How long the scorer may take, in seconds. The agent waits for it.
        drift.reader | VERGER_DRIFT_READER | { command = ["program", "argument"] } with at most 64 strings of 1 to 4096 bytes without control characters |  | user only | A program that finds further limits in prompts, for example with a model.
        drift.reader_seconds | VERGER_DRIFT_READER_SECONDS | an integer from 1 to 20 | 10 | user only | How long the reader may take, in seconds. The prompt waits for it.
        notify.command | VERGER_NOTIFY_COMMAND | { command = ["program", "argument"] } with at most 64 strings of 1 to 4096 bytes without control characters |  | user only | The program that runs when an agent is held, is released from a gate unsatisfied, or waits for you; the text is its last argument.
        habits.add_all | VERGER_HABITS_ADD_ALL | "off", "advise" or "deny" | "off" | tighten-only (deny is stricter than advise, advise than off) | Staging everything: `git add -A`, `git add .`, `git commit -a`.
        habits.attribution | VERGER_HABITS_ATTRIBUTION | "off", "advise", "rewrite" or "deny" | "off" | tighten-only (deny is stricter than rewrite, rewrite than advise, advise than off) | Naming a coding agent as an author of a commit or a pull request.
        habits.staged_secrets | VERGER_HABITS_STAGED_SECRETS | "off", "advise" or "deny" | "off" | tighten-only (deny is stricter than advise, advise than off) | Committing what looks like a secret.
        habits.force_push | VERGER_HABITS_FORCE_PUSH | "off", "advise" or "deny" | "off" | tighten-only (deny is stricter than advise, advise than off) | Replacing or deleting a protected branch of a remote.
        habits.draft_pr | VERGER_HABITS_DRAFT_PR | "off", "advise", "rewrite" or "deny" | "off" | tighten-only (deny is stricter than rewrite, rewrite than advise, advise than off) | Opening a pull request that is not a draft.
        habits.merge | VERGER_HABITS_MERGE | "off", "advise" or "deny" | "off" | tighten-only (deny is stricter than advise, advise than off) | Merging a pull request, or other work into a protected branch.
        habits.search_tools | VERGER_HABITS_SEARCH_TOOLS | "off", "advise" or "deny" | "off" | tighten-only (deny is stricter than advise, advise than off) | `grep -r` and `find -name` where rg and fd are installed.
        habits.subagent_builds | VERGER_HABITS_SUBAGENT_BUILDS | "off", "advise" or "deny" | "off" | tighten-only (deny is stricter than advise, advise than off) | Building or testing the whole project as a subagent.
        habits.protected_branches | VERGER_HABITS_PROTECTED_BRANCHES | at most 64 strings of 1 to 256 bytes without control characters | ["main", "master", "release*"] | tighten-only (the lists of all files are joined) | The branches that are protected; `*` stands for any text.
        gates.max_blocks | VERGER_GATES_MAX_BLOCKS | an integer from 1 to 7 | 3 | tighten-only (more is stricter) | How often a gate blocks in one task before it lets the agent stop with a warning.
        gates.cooldown_seconds | VERGER_GATES_COOLDOWN_SECONDS | an integer from 0 to 86400 | 300 | tighten-only (shorter is stricter) | How long a gate that let the agent stop doesn't block again, in seconds.
        trace.max_events | VERGER_TRACE_MAX_EVENTS | an integer from 20 to 1000000 | 500 | free | How many events `verger session trace` shows of a session: the first 10 and the newest.
        "##);
    }
}
