//! The table of all keys. To add a key, add one entry here and one row to the table test.

use serde_json::Value as Json;
use verger_event::{BackendKind, GuardMode, TicketSystem, VerificationDepth};
use verger_gate::verification::Requirement;
use verger_gate::{delegation, drift, habits, learning, review, verification};
use verger_memory::BackendSource;
use verger_memory::ranking::Strategy;

use crate::choice::PlainHabitMode;
use crate::layers::{Origin, Setting};
use crate::learning_value::{Order, Several, Share, more_words_are_stricter};
use crate::problem::ProblemKind;
use crate::program_value::ProgramCommand;
use crate::rendering::toml_text;
use crate::review_value::{TemplateChoice, TemplateWeights};
use crate::rule::{
    Class, FALSE_IS_STRICTER, FEWER_IS_STRICTER, LAYERS_ADD_UP, Offer, Rule,
    SHORTER_IS_STRICTER_THAN_NO_LIMIT, TRUE_IS_STRICTER, first_stands, less_is_stricter,
    more_is_stricter,
};
use crate::value::Value;

const HABIT: &str = "deny is stricter than advise, advise than off";
const REWRITABLE_HABIT: &str =
    "deny is stricter than rewrite, rewrite than advise, advise than off";

/// A key without its value's type, so that all keys fit into one table.
pub(crate) struct Key {
    pub(crate) section: &'static str,
    pub(crate) name: &'static str,
    /// The documentation line, with the space that follows `///`.
    pub(crate) doc: &'static str,
    pub(crate) class: Class,
    pub(crate) stricter: Option<&'static str>,
    pub(crate) expected: fn() -> String,
    pub(crate) take: fn(&mut Settings, Offer<'_>, &str) -> Result<(), ProblemKind>,
    pub(crate) json: fn(&Settings) -> Json,
    pub(crate) origins: fn(&Settings) -> (&Origin, &[Origin]),
    /// Whether this key is at least as strict in the first settings as in the second settings.
    #[cfg(test)]
    pub(crate) is_as_strict: fn(&Settings, &Settings) -> bool,
}

impl Key {
    pub(crate) fn path(&self) -> String {
        format!("{}.{}", self.section, self.name)
    }

    pub(crate) fn is_at(&self, path: &str) -> bool {
        path.split_once('.') == Some((self.section, self.name))
    }

    /// The value in the syntax of a file. Empty for an optional value that isn't set.
    pub(crate) fn render(&self, settings: &Settings) -> String {
        toml_text(&(self.json)(settings))
    }

    pub(crate) fn variable(&self) -> String {
        format!("VERGER_{}_{}", self.section, self.name).to_ascii_uppercase()
    }
}

/// Declares all sections and keys. A section has documentation, field, struct and keys. A key has
/// documentation, name, type, default, rule and bounds.
macro_rules! keys {
    ($(
        $(#[doc = $section_doc:literal])*
        $section:ident: $Section:ident {
            $(
                #[doc = $doc:literal]
                $name:ident: $type:ty = $default:expr, $rule:expr, $bounds:expr;
            )*
        }
    )*) => {
        /// All settings, resolved.
        #[derive(Debug, Clone, PartialEq, Eq)]
        pub struct Settings {
            $( $(#[doc = $section_doc])* pub $section: $Section, )*
        }

        $(
            $(#[doc = $section_doc])*
            #[derive(Debug, Clone, PartialEq, Eq)]
            pub struct $Section {
                $( #[doc = $doc] pub $name: Setting<$type>, )*
            }
        )*

        impl Default for Settings {
            fn default() -> Self {
                Self {
                    $( $section: $Section { $( $name: Setting::by_default($default), )* }, )*
                }
            }
        }

        pub(crate) const SECTIONS: &[&str] = &[$(stringify!($section)),*];

        pub(crate) static KEYS: &[Key] = &[$($({
            static RULE: Rule<$type> = $rule;
            static BOUNDS: <$type as Value>::Bounds = $bounds;
            const CLASS: (Class, Option<&'static str>) = {
                let rule: Rule<$type> = $rule;
                (rule.class(), rule.stricter())
            };
            Key {
                section: stringify!($section),
                name: stringify!($name),
                doc: $doc,
                class: CLASS.0,
                stricter: CLASS.1,
                expected: || <$type as Value>::expected(&BOUNDS),
                take: |settings, offer, key| {
                    RULE.take(&mut settings.$section.$name, offer, key, &BOUNDS)
                },
                json: |settings| settings.$section.$name.value.to_json(),
                origins: |settings| {
                    let setting = &settings.$section.$name;
                    (&setting.origin, &setting.joined)
                },
                #[cfg(test)]
                is_as_strict: |settings, than| {
                    let (one, other) = (&settings.$section.$name, &than.$section.$name);
                    RULE.is_as_strict(&one.value, &other.value)
                },
            }
        },)*)*];
    };
}

keys! {
    /// The records of agents' actions, and their readers.
    record: RecordSettings {
        /// Record what agents do.
        enabled: bool = true, Rule::TightenOnly(TRUE_IS_STRICTER), ();
        /// The role written into every record, for example "reviewer".
        role: Option<String> = None, Rule::Free, ();
        /// Further readers of the records; when empty, their owner alone.
        readers: Vec<String> = Vec::new(), Rule::TightenOnly(FEWER_IS_STRICTER), ();
    }
    /// The user.
    user: UserSettings {
        /// The name written into every record; when absent, git's identity.
        name: Option<String> = None, Rule::NeedsTrust, ();
    }
    /// Secrets, which are removed before a record is written.
    redact: RedactSettings {
        /// Further key names whose values are secret.
        key_names: Vec<String> = Vec::new(), Rule::TightenOnly(LAYERS_ADD_UP), ();
    }
    /// How records are stored.
    store: StoreSettings {
        /// How long a hook waits for a session's lock, in milliseconds.
        lock_wait_ms: u64 = 200, Rule::Free, 0..=2000;
    }
    /// When work has to be reviewed, by whom, and what an approval is worth.
    review: ReviewSettings {
        /// Which tasks need a review: those whose prompt begins with a trigger, all, or none.
        mode: review::Mode = review::Mode::Prompt,
            Rule::TightenOnly(more_is_stricter("always is stricter than prompt, prompt than never")), ();
        /// Words that ask for a review at the beginning of a prompt.
        triggers: Vec<String> = vec!["#review".to_owned(), "#roz".to_owned()],
            Rule::TightenOnly(LAYERS_ADD_UP), ();
        /// Tools that need an approval, for example `Bash:gh issue close*` or `mcp__tissue__close*`.
        gated_tools: Vec<String> = Vec::new(), Rule::TightenOnly(LAYERS_ADD_UP), ();
        /// How long an approval counts for gated tools: for the session, a prompt, or one call.
        scope: review::Scope = review::Scope::Prompt,
            Rule::TightenOnly(more_is_stricter("tool is stricter than prompt, prompt than session")), ();
        /// After how many seconds an approval no longer counts for gated tools; when absent, never.
        approval_ttl_seconds: Option<u64> = None,
            Rule::TightenOnly(SHORTER_IS_STRICTER_THAN_NO_LIMIT), 1..=31_536_000;
        /// If no reviewer could decide: the agent may stop with a warning, or is still blocked.
        on_unavailable: review::OnUnavailable = review::OnUnavailable::Release,
            Rule::TightenOnly(more_is_stricter("block is stricter")), ();
        /// Globs of files that are left out of reviews.
        ignore: Vec<String> = Vec::new(), Rule::NeedsTrust, ();
        /// The program that verger runs as the reviewer; when absent, a subagent reviews.
        reviewer: Option<ProgramCommand> = None, Rule::UserOnly, ();
        /// How long that program may take, in seconds.
        reviewer_timeout_seconds: u64 = 600, Rule::TightenOnly(more_is_stricter("longer is stricter")), 10..=7200;
        /// The template of the message to a blocked agent.
        template: TemplateChoice = TemplateChoice::built_in(), Rule::Free, ();
        /// How often each template is chosen at random; the weight of others is 1.
        template_weights: TemplateWeights = TemplateWeights::default(), Rule::Free, ();
        /// Makes the random choice of templates repeatable.
        template_seed: Option<u64> = None, Rule::Free, 0..=4_294_967_295;
    }
    /// When an agent has to write down learnings.
    learning: LearningSettings {
        /// Whether the agent must write a reflection before it stops once a ticket was closed.
        mode: learning::Mode = learning::Mode::On,
            Rule::TightenOnly(more_is_stricter("on is stricter")), ();
        /// Allow small changes without a reflection.
        auto_skip: bool = true, Rule::TightenOnly(FALSE_IS_STRICTER), ();
        /// A change of fewer lines than this is small.
        auto_skip_lines: u64 = 5, Rule::TightenOnly(less_is_stricter("fewer is stricter")), 0..=100_000;
        /// Small changes: always skip the reflection, ask the agent once, or never skip it.
        auto_skip_decider: learning::Small = learning::Small::IsAskedOnce,
            Rule::TightenOnly(more_is_stricter("never is stricter than agent, agent than always")), ();
    }
    /// The ticket systems, whose closed tickets mark finished work.
    tickets: TicketSettings {
        /// In which order systems are looked for; the first that is found has the current ticket.
        order: Order<TicketSystem> = Order::of_words(), Rule::NeedsTrust, ();
        /// Tickets of tissue, in `.tissue/`.
        tissue: bool = true, Rule::TightenOnly(TRUE_IS_STRICTER), ();
        /// Tickets of beads, in `.beads/`.
        beads: bool = true, Rule::TightenOnly(TRUE_IS_STRICTER), ();
        /// The agent's own to-do list; closing its last item counts as closing a ticket.
        tasks: bool = false, Rule::TightenOnly(TRUE_IS_STRICTER), ();
        /// Without a ticket system: ask for a reflection when a session changed enough lines.
        session: bool = false, Rule::TightenOnly(TRUE_IS_STRICTER), ();
    }
    /// Where learnings are kept.
    backends: BackendSettings {
        /// In which order storage places are looked for; the first that is found is used.
        order: Order<BackendSource> = Order::of_words(), Rule::Free, ();
        /// The storage place to use; when absent, the first that is found.
        choice: Option<BackendKind> = None, Rule::Free, ();
        /// The daily log of Total Recall, in `memory/`.
        total_recall: bool = true, Rule::Free, ();
        /// The file `.verger/learnings.md`.
        markdown: bool = true, Rule::Free, ();
    }
    /// When unused learnings are archived.
    decay: DecaySettings {
        /// Archive a learning after this many days without a use.
        passive_duration_days: u64 = 90, Rule::Free, 1..=36_500;
        /// Never archive a learning whose share of uses per showing is at least this.
        immunity_hit_rate: Share = Share::thousandths(800), Rule::Free, ();
    }
    /// Which learnings an agent gets, and how many.
    recall: RecallSettings {
        /// Give agents the learnings that match their prompts and tool calls.
        enabled: bool = true, Rule::TightenOnly(FALSE_IS_STRICTER), ();
        /// Tell agents also about earlier tasks in the project.
        tasks: bool = true, Rule::TightenOnly(FALSE_IS_STRICTER), ();
        /// How many learnings a session gets at once.
        max_injections: u64 = 5, Rule::TightenOnly(less_is_stricter("fewer is stricter")), 1..=50;
        /// How well a learning must match before it is given.
        strategy: Strategy = Strategy::Moderate, Rule::Free, ();
        /// How many tokens verger may add to a session at once.
        budget_tokens: u64 = 1500, Rule::TightenOnly(less_is_stricter("fewer is stricter")), 100..=20_000;
    }
    /// Which commands agents may run.
    guard: GuardSettings {
        /// Whether the guard is off, only records its verdicts, or enforces them.
        mode: GuardMode = GuardMode::Observe,
            Rule::TightenOnly(more_is_stricter("enforce is stricter than observe, observe than off")), ();
        /// Names of built-in rules against destructive commands to switch off.
        allow_dangerous: Vec<String> = Vec::new(), Rule::UserOnly, ();
        /// A program that judges commands that no rule matches; when absent, they aren't judged.
        opinion: Option<ProgramCommand> = None, Rule::UserOnly, ();
    }
    /// Undo points, which are made before a call that may destroy work.
    undo: UndoSettings {
        /// Save the working tree before a call that the guard would deny or ask about.
        enabled: bool = true, Rule::TightenOnly(TRUE_IS_STRICTER), ();
        /// How large a file may be to be saved, in MiB.
        max_file_mib: u64 = 20, Rule::NeedsTrust, 1..=512;
        /// How much one undo point may add to the repository, in MiB.
        max_total_mib: u64 = 500, Rule::NeedsTrust, 1..=16_384;
        /// How many undo points of a working tree are kept.
        keep_points: u64 = 50, Rule::NeedsTrust, 1..=10_000;
        /// For how many days an undo point is kept.
        keep_days: u64 = 14, Rule::NeedsTrust, 1..=3650;
        /// How long making an undo point may take, in milliseconds.
        time_limit_ms: u64 = 1500, Rule::NeedsTrust, 100..=30_000;
    }
    /// When finished work has to be verified, and how.
    verification: VerificationSettings {
        /// When an agent may not stop unverified: never, never but record claims, if it claims to be done, or always after changes.
        mode: verification::Mode = verification::Mode::Observe,
            Rule::TightenOnly(more_is_stricter("always is stricter than claims, claims than observe, observe than off")), ();
        /// Which tests a verification runs unless the risk requires more: `quick_tests`, all, or acceptance too.
        depth: VerificationDepth = VerificationDepth::Quick,
            Rule::TightenOnly(more_is_stricter("deep is stricter than standard, standard than quick")), ();
        /// Conditions for finished work, in addition to lint, format, types and stubs.
        require: Several<Requirement> = Several::of(&[
            Requirement::Tests,
            Requirement::NoRegressions,
            Requirement::OpenTasks,
        ]), Rule::TightenOnly(more_words_are_stricter()), ();
        /// Further tools whose failure requires a verification, for example `Bash:npm run e2e*`.
        watch: Vec<String> = Vec::new(), Rule::TightenOnly(LAYERS_ADD_UP), ();
        /// The command that lints; when absent, one detected from project files.
        lint: Option<ProgramCommand> = None, Rule::NeedsTrust, ();
        /// The command that checks the format; it must not change files.
        format: Option<ProgramCommand> = None, Rule::NeedsTrust, ();
        /// The command that checks types.
        types: Option<ProgramCommand> = None, Rule::NeedsTrust, ();
        /// The command that runs the tests.
        tests: Option<ProgramCommand> = None, Rule::NeedsTrust, ();
        /// A command that runs a smaller set of tests, for the depth quick; when absent, quick runs all tests.
        quick_tests: Option<ProgramCommand> = None, Rule::NeedsTrust, ();
        /// Commands that run acceptance tests.
        acceptance: Vec<ProgramCommand> = Vec::new(), Rule::NeedsTrust, ();
        /// How long each of these commands may take, in seconds.
        timeout_seconds: u64 = 900, Rule::Free, 1..=14_400;
    }
    /// Which agents do the work, and which delegate it.
    delegation: DelegationSettings {
        /// Whether an agent that should delegate is ignored, reminded, or blocked.
        mode: delegation::Mode = delegation::Mode::Off,
            Rule::TightenOnly(more_is_stricter("enforce is stricter than warn, warn than off")), ();
        /// How many tiers there are: conductor and musicians, or section leaders between them.
        tiers: u64 = 2, Rule::NeedsTrust, 2..=3;
        /// The role of main agents; when absent, `AGENT_ROLE` or the marker decides.
        role: Option<delegation::Role> = None, Rule::TightenOnly(first_stands()), ();
        /// A file that makes the main agents of its project conductors, for example `.conductor`.
        marker: Option<String> = None, Rule::TightenOnly(first_stands()), ();
        /// The use of a work tool from which on a leading agent is reminded.
        remind_at: u64 = 3, Rule::TightenOnly(less_is_stricter("fewer is stricter")), 1..=100;
        /// The use of a work tool that is denied.
        deny_at: u64 = 5, Rule::TightenOnly(less_is_stricter("fewer is stricter")), 1..=100;
        /// For how long a use counts, in seconds.
        window_seconds: u64 = 600, Rule::TightenOnly(more_is_stricter("longer is stricter")), 1..=86_400;
        /// The tools that count as work; when empty, shell commands and file changes.
        work_tools: Vec<String> = Vec::new(), Rule::TightenOnly(LAYERS_ADD_UP), ();
        /// Files and directories whose change does not count, for example `notes` or `*.lock`.
        allow_paths: Vec<String> = Vec::new(), Rule::NeedsTrust, ();
        /// Plans and documents, which a section leader may write.
        doc_paths: Vec<String> = ["docs", "plans", "*.md"].map(str::to_owned).into(),
            Rule::NeedsTrust, ();
    }
    /// Broken limits that the person typed, and repeated failures.
    drift: DriftSettings {
        /// Whether drift is ignored, only recorded, or also reported to the agent.
        mode: drift::Mode = drift::Mode::Observe,
            Rule::TightenOnly(more_is_stricter("correct is stricter than observe, observe than off")), ();
        /// After how many batches of tool calls drift is checked.
        every: u64 = 3, Rule::Free, 1..=100;
        /// A program that scores the session instead of verger, for example with a model.
        scorer: Option<ProgramCommand> = None, Rule::UserOnly, ();
        /// How long the scorer may take, in seconds. The agent waits for it.
        scorer_seconds: u64 = 10, Rule::UserOnly, 1..=60;
        /// A program that finds further limits in prompts, for example with a model.
        reader: Option<ProgramCommand> = None, Rule::UserOnly, ();
        /// How long the reader may take, in seconds. The prompt waits for it.
        reader_seconds: u64 = 10, Rule::UserOnly, 1..=20;
    }
    /// Notifications for the person.
    notify: NotifySettings {
        /// The program that runs when an agent is held, is released from a gate unsatisfied, or waits for you; the text is its last argument.
        command: Option<ProgramCommand> = None, Rule::UserOnly, ();
    }
    /// Habits of agents that a user may not want.
    habits: HabitSettings {
        /// Staging everything: `git add -A`, `git add .`, `git commit -a`.
        add_all: PlainHabitMode = PlainHabitMode::OFF, Rule::TightenOnly(more_is_stricter(HABIT)), ();
        /// Naming a coding agent as an author of a commit or a pull request.
        attribution: habits::Mode = habits::Mode::Off, Rule::TightenOnly(more_is_stricter(REWRITABLE_HABIT)), ();
        /// Committing what looks like a secret.
        staged_secrets: PlainHabitMode = PlainHabitMode::OFF, Rule::TightenOnly(more_is_stricter(HABIT)), ();
        /// Replacing or deleting a protected branch of a remote.
        force_push: PlainHabitMode = PlainHabitMode::OFF, Rule::TightenOnly(more_is_stricter(HABIT)), ();
        /// Opening a pull request that is not a draft.
        draft_pr: habits::Mode = habits::Mode::Off, Rule::TightenOnly(more_is_stricter(REWRITABLE_HABIT)), ();
        /// Merging a pull request, or other work into a protected branch.
        merge: PlainHabitMode = PlainHabitMode::OFF, Rule::TightenOnly(more_is_stricter(HABIT)), ();
        /// `grep -r` and `find -name` where rg and fd are installed.
        search_tools: PlainHabitMode = PlainHabitMode::OFF, Rule::TightenOnly(more_is_stricter(HABIT)), ();
        /// Building or testing the whole project as a subagent.
        subagent_builds: PlainHabitMode = PlainHabitMode::OFF, Rule::TightenOnly(more_is_stricter(HABIT)), ();
        /// The branches that are protected; `*` stands for any text.
        protected_branches: Vec<String> = ["main", "master", "release*"].map(str::to_owned).into(),
            Rule::TightenOnly(LAYERS_ADD_UP), ();
    }
    /// How long gates block an agent.
    gates: GateSettings {
        /// How often a gate blocks in one task before it lets the agent stop with a warning.
        max_blocks: u64 = 3, Rule::TightenOnly(more_is_stricter("more is stricter")), 1..=7;
        /// How long a gate that let the agent stop doesn't block again, in seconds.
        cooldown_seconds: u64 = 300, Rule::TightenOnly(less_is_stricter("shorter is stricter")), 0..=86_400;
    }
    /// How a session's events are shown.
    trace: TraceSettings {
        /// How many events `verger session trace` shows of a session: the first 10 and the newest.
        max_events: u64 = 500, Rule::Free, 20..=1_000_000;
    }
}
