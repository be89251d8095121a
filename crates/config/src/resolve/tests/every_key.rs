//! The table test: checks each key in each layer, according to the rule of its class, and with
//! invalid values.

use super::{Case, USER};
use crate::keys::{KEYS, Key};
use crate::layers::{Layers, Origin};
use crate::rule::Class;
use crate::{Problem, Settings, resolve};

/// Sample values of one key, each in the syntax of a file and of a variable.
struct Samples {
    path: &'static str,
    /// The value that the user's file sets.
    user: (&'static str, &'static str),
    /// A second value, for a later layer. Every layer that may set the key accepts it when the
    /// user's file has `user`.
    allowed: (&'static str, &'static str),
    /// The resolved value when layers have `user` and `allowed`, in rendered form. It differs from
    /// `allowed` if layers are joined.
    together: &'static str,
    /// A value that a tighten-only key rejects from a later layer when the user's file has `user`.
    looser: Option<(&'static str, &'static str)>,
    bad: &'static [&'static str],
    bad_variable: Option<&'static str>,
}

/// Invalid values for a key whose value is a program.
const NO_PROGRAMS: &[&str] = &[
    "\"check\"",
    "[\"check\"]",
    "{}",
    "{ command = [] }",
    "{ command = \"check\" }",
    "{ command = [\"a\", 1] }",
    "{ command = [\"a\"], shell = true }",
    "{ command = [\"a\\u0000\"] }",
];

const SAMPLES: &[Samples] = &[
    Samples {
        path: "record.enabled",
        user: ("true", "true"),
        allowed: ("true", "1"),
        together: "true",
        looser: Some(("false", "false")),
        bad: &["\"true\"", "1", "[true]", "{ on = true }", "1979-05-27", "1.0"],
        bad_variable: Some("yes"),
    },
    Samples {
        path: "record.role",
        user: ("\"author\"", "author"),
        allowed: ("\"reviewer\"", "reviewer"),
        together: "\"reviewer\"",
        looser: None,
        bad: &["\"\"", "7", "\"a\\u0007\"", "[\"a\"]"],
        bad_variable: Some("a\u{7}"),
    },
    Samples {
        path: "record.readers",
        user: ("[\"ann\", \"bob\"]", "ann,bob"),
        allowed: ("[\"bob\"]", "bob"),
        together: "[\"bob\"]",
        looser: Some(("[\"bob\", \"eve\"]", "bob, eve")),
        bad: &["\"ann\"", "[7]", "[\"\"]", "[[\"ann\"]]"],
        bad_variable: Some("ann\u{7}"),
    },
    Samples {
        path: "user.name",
        user: ("\"ann\"", "ann"),
        allowed: ("\"bob\"", "bob"),
        together: "\"bob\"",
        looser: None,
        bad: &["\"\"", "false", "\"a\\nb\""],
        bad_variable: None,
    },
    Samples {
        path: "redact.key_names",
        user: ("[\"pin\"]", "pin"),
        allowed: ("[\"puk\", \"puk\"]", "puk"),
        together: "[\"pin\", \"puk\"]",
        looser: None,
        bad: &["\"pin\"", "[\"pin\", true]"],
        bad_variable: Some("\u{1b}"),
    },
    Samples {
        path: "store.lock_wait_ms",
        user: ("0", "0"),
        allowed: ("2_000", "2000"),
        together: "2000",
        looser: None,
        bad: &["2001", "-1", "1.5", "\"200\"", "99999999999999999999999999999999999999999999"],
        bad_variable: Some("soon"),
    },
    Samples {
        path: "review.mode",
        user: ("\"prompt\"", "prompt"),
        allowed: ("\"always\"", "always"),
        together: "\"always\"",
        looser: Some(("\"never\"", "never")),
        bad: &["\"sometimes\"", "\"Prompt\"", "true", "[\"prompt\"]"],
        bad_variable: Some("off"),
    },
    Samples {
        path: "review.triggers",
        user: ("[\"#check\"]", "#check"),
        allowed: ("[\"#qa\", \"#check\"]", "#qa"),
        together: "[\"#check\", \"#qa\"]",
        looser: None,
        bad: &["\"#check\"", "[\"\"]"],
        bad_variable: Some("#a\tb"),
    },
    Samples {
        path: "review.gated_tools",
        user: ("[\"Bash:bd close*\"]", "Bash:bd close*"),
        allowed: ("[\"mcp__tissue__close*\"]", "mcp__tissue__close*"),
        together: "[\"Bash:bd close*\", \"mcp__tissue__close*\"]",
        looser: None,
        bad: &["\"Bash\"", "[{ tool = \"Bash\" }]"],
        bad_variable: Some("a\tb"),
    },
    Samples {
        path: "review.scope",
        user: ("\"prompt\"", "prompt"),
        allowed: ("\"tool\"", "tool"),
        together: "\"tool\"",
        looser: Some(("\"session\"", "session")),
        bad: &["\"call\"", "1"],
        bad_variable: Some("none"),
    },
    Samples {
        path: "review.approval_ttl_seconds",
        user: ("3600", "3600"),
        allowed: ("60", "60"),
        together: "60",
        looser: Some(("3601", "3601")),
        bad: &["0", "31_536_001", "\"60\"", "-5"],
        bad_variable: Some("1h"),
    },
    Samples {
        path: "review.on_unavailable",
        user: ("\"release\"", "release"),
        allowed: ("\"block\"", "block"),
        together: "\"block\"",
        looser: None,
        bad: &["\"open\"", "false"],
        bad_variable: Some("pass"),
    },
    Samples {
        path: "review.ignore",
        user: ("[\"*.lock\"]", "*.lock"),
        allowed: ("[\"dist/**\"]", "dist/**"),
        together: "[\"dist/**\"]",
        looser: None,
        bad: &["\"*.lock\"", "[1]"],
        bad_variable: None,
    },
    Samples {
        path: "review.reviewer",
        user: ("{ command = [\"check\", \"-v\", \"-v\"] }", ""),
        allowed: ("{ command = [\"other\"] }", ""),
        together: "",
        looser: None,
        bad: NO_PROGRAMS,
        bad_variable: None,
    },
    Samples {
        path: "review.reviewer_timeout_seconds",
        user: ("600", "600"),
        allowed: ("601", "601"),
        together: "601",
        looser: Some(("599", "599")),
        bad: &["9", "7201", "\"600\""],
        bad_variable: Some("long"),
    },
    Samples {
        path: "review.template",
        user: ("\"short\"", "short"),
        allowed: ("\"random\"", "random"),
        together: "\"random\"",
        looser: None,
        bad: &["\"\"", "\"../x\"", "\"a b\"", "\"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\"", "7"],
        bad_variable: Some("a/b"),
    },
    Samples {
        path: "review.template_weights",
        user: ("{ default = 3, short = 0 }", "default=3,short=0"),
        allowed: ("{ mine = 1_000 }", "mine = 1000"),
        together: "{ mine = 1000 }",
        looser: None,
        bad: &[
            "{ a = -1 }",
            "{ a = 1001 }",
            "{ a = \"1\" }",
            "{ \"a b\" = 1 }",
            "{ a.b = 1 }",
            "3",
            "[1]",
        ],
        bad_variable: Some("a"),
    },
    Samples {
        path: "review.template_seed",
        user: ("7", "7"),
        allowed: ("8", "8"),
        together: "8",
        looser: None,
        bad: &["-1", "4294967296", "\"7\""],
        bad_variable: Some("x"),
    },
    Samples {
        path: "learning.mode",
        user: ("\"off\"", "off"),
        allowed: ("\"on\"", "on"),
        together: "\"on\"",
        looser: None,
        bad: &["\"maybe\"", "true"],
        bad_variable: Some("maybe"),
    },
    Samples {
        path: "learning.auto_skip",
        user: ("false", "false"),
        allowed: ("false", "0"),
        together: "false",
        looser: Some(("true", "true")),
        bad: &["\"true\"", "1"],
        bad_variable: Some("yes"),
    },
    Samples {
        path: "learning.auto_skip_lines",
        user: ("5", "5"),
        allowed: ("0", "0"),
        together: "0",
        looser: Some(("6", "6")),
        bad: &["-1", "100001", "\"5\""],
        bad_variable: Some("few"),
    },
    Samples {
        path: "learning.auto_skip_decider",
        user: ("\"agent\"", "agent"),
        allowed: ("\"never\"", "never"),
        together: "\"never\"",
        looser: Some(("\"always\"", "always")),
        bad: &["\"person\"", "false"],
        bad_variable: Some("person"),
    },
    Samples {
        path: "tickets.order",
        user: ("[\"beads\", \"tissue\", \"tasks\", \"session\"]", "beads"),
        allowed: ("[\"session\"]", "session"),
        together: "[\"session\", \"tissue\", \"beads\", \"tasks\"]",
        looser: None,
        bad: &["\"beads\"", "[\"jira\"]", "[\"beads\", \"beads\"]", "[7]", "[\"\"]"],
        bad_variable: None,
    },
    Samples {
        path: "tickets.tissue",
        user: ("true", "true"),
        allowed: ("true", "1"),
        together: "true",
        looser: Some(("false", "false")),
        bad: &["\"true\"", "1"],
        bad_variable: Some("yes"),
    },
    Samples {
        path: "tickets.beads",
        user: ("true", "true"),
        allowed: ("true", "1"),
        together: "true",
        looser: Some(("false", "false")),
        bad: &["\"true\"", "1"],
        bad_variable: Some("yes"),
    },
    Samples {
        path: "tickets.tasks",
        user: ("true", "true"),
        allowed: ("true", "1"),
        together: "true",
        looser: Some(("false", "false")),
        bad: &["\"true\"", "1"],
        bad_variable: Some("yes"),
    },
    Samples {
        path: "tickets.session",
        user: ("true", "true"),
        allowed: ("true", "1"),
        together: "true",
        looser: Some(("false", "false")),
        bad: &["\"true\"", "1"],
        bad_variable: Some("yes"),
    },
    Samples {
        path: "backends.order",
        user: ("[\"markdown\", \"config\", \"total-recall\"]", "markdown"),
        allowed: ("[\"total-recall\"]", "total-recall"),
        together: "[\"total-recall\", \"config\", \"markdown\"]",
        looser: None,
        bad: &["\"markdown\"", "[\"sqlite\"]"],
        bad_variable: Some("markdown,sqlite"),
    },
    Samples {
        path: "backends.choice",
        user: ("\"markdown\"", "markdown"),
        allowed: ("\"total-recall\"", "total-recall"),
        together: "\"total-recall\"",
        looser: None,
        bad: &["\"config\"", "7"],
        bad_variable: Some("sqlite"),
    },
    Samples {
        path: "backends.total_recall",
        user: ("true", "true"),
        allowed: ("false", "0"),
        together: "false",
        looser: None,
        bad: &["\"true\"", "1"],
        bad_variable: Some("yes"),
    },
    Samples {
        path: "backends.markdown",
        user: ("true", "true"),
        allowed: ("false", "0"),
        together: "false",
        looser: None,
        bad: &["\"true\"", "1"],
        bad_variable: Some("yes"),
    },
    Samples {
        path: "decay.passive_duration_days",
        user: ("90", "90"),
        allowed: ("30", "30"),
        together: "30",
        looser: None,
        bad: &["0", "36501", "\"90\""],
        bad_variable: Some("long"),
    },
    Samples {
        path: "decay.immunity_hit_rate",
        user: ("0.8", "0.8"),
        allowed: ("1", "1"),
        together: "1.0",
        looser: None,
        bad: &["-0.1", "1.1", "nan", "inf", "\"0.8\""],
        bad_variable: Some("most"),
    },
    Samples {
        path: "recall.enabled",
        user: ("false", "false"),
        allowed: ("false", "0"),
        together: "false",
        looser: Some(("true", "true")),
        bad: &["\"true\"", "1"],
        bad_variable: Some("yes"),
    },
    Samples {
        path: "recall.tasks",
        user: ("false", "false"),
        allowed: ("false", "0"),
        together: "false",
        looser: Some(("true", "true")),
        bad: &["\"true\"", "1"],
        bad_variable: Some("yes"),
    },
    Samples {
        path: "recall.max_injections",
        user: ("5", "5"),
        allowed: ("1", "1"),
        together: "1",
        looser: Some(("6", "6")),
        bad: &["0", "51", "\"5\""],
        bad_variable: Some("many"),
    },
    Samples {
        path: "recall.strategy",
        user: ("\"moderate\"", "moderate"),
        allowed: ("\"aggressive\"", "aggressive"),
        together: "\"aggressive\"",
        looser: None,
        bad: &["\"bold\"", "1"],
        bad_variable: Some("bold"),
    },
    Samples {
        path: "recall.budget_tokens",
        user: ("1500", "1500"),
        allowed: ("100", "100"),
        together: "100",
        looser: Some(("1501", "1501")),
        bad: &["99", "20001", "\"1500\""],
        bad_variable: Some("many"),
    },
    Samples {
        path: "guard.mode",
        user: ("\"observe\"", "observe"),
        allowed: ("\"enforce\"", "enforce"),
        together: "\"enforce\"",
        looser: Some(("\"off\"", "off")),
        bad: &["\"on\"", "true", "[\"enforce\"]"],
        bad_variable: Some("on"),
    },
    Samples {
        path: "guard.allow_dangerous",
        user: ("[\"a\"]", "a"),
        allowed: ("[\"b\"]", "b"),
        together: "[\"b\"]",
        looser: None,
        bad: &["\"a\"", "[1]"],
        bad_variable: None,
    },
    Samples {
        path: "guard.opinion",
        user: ("{ command = [\"check\", \"-v\", \"-v\"] }", ""),
        allowed: ("{ command = [\"other\"] }", ""),
        together: "",
        looser: None,
        bad: NO_PROGRAMS,
        bad_variable: None,
    },
    Samples {
        path: "undo.enabled",
        user: ("true", "true"),
        allowed: ("true", "1"),
        together: "true",
        looser: Some(("false", "0")),
        bad: &["1", "\"yes\""],
        bad_variable: Some("yes"),
    },
    Samples {
        path: "undo.max_file_mib",
        user: ("20", "20"),
        allowed: ("40", "40"),
        together: "40",
        looser: None,
        bad: &["0", "513", "\"20\""],
        bad_variable: None,
    },
    Samples {
        path: "undo.max_total_mib",
        user: ("500", "500"),
        allowed: ("900", "900"),
        together: "900",
        looser: None,
        bad: &["0", "16_385", "\"500\""],
        bad_variable: None,
    },
    Samples {
        path: "undo.keep_points",
        user: ("50", "50"),
        allowed: ("10", "10"),
        together: "10",
        looser: None,
        bad: &["0", "10_001", "\"50\""],
        bad_variable: None,
    },
    Samples {
        path: "undo.keep_days",
        user: ("14", "14"),
        allowed: ("30", "30"),
        together: "30",
        looser: None,
        bad: &["0", "3651", "\"14\""],
        bad_variable: None,
    },
    Samples {
        path: "undo.time_limit_ms",
        user: ("5000", "5000"),
        allowed: ("9000", "9000"),
        together: "9000",
        looser: None,
        bad: &["99", "30_001", "\"5000\""],
        bad_variable: None,
    },
    Samples {
        path: "verification.mode",
        user: ("\"claims\"", "claims"),
        allowed: ("\"always\"", "always"),
        together: "\"always\"",
        looser: Some(("\"off\"", "off")),
        bad: &["\"on\"", "true"],
        bad_variable: Some("claim"),
    },
    Samples {
        path: "verification.depth",
        user: ("\"standard\"", "standard"),
        allowed: ("\"deep\"", "deep"),
        together: "\"deep\"",
        looser: Some(("\"quick\"", "quick")),
        bad: &["\"full\"", "3"],
        bad_variable: Some("thorough"),
    },
    Samples {
        path: "verification.require",
        user: ("[\"tests\"]", "tests"),
        allowed: ("[\"committed\"]", "committed"),
        together: "[\"tests\", \"committed\"]",
        looser: None,
        bad: &["\"tests\"", "[\"tests\", \"tests\"]", "[\"lint\"]", "[7]"],
        bad_variable: Some("lint"),
    },
    Samples {
        path: "verification.watch",
        user: ("[\"Bash:make ci\"]", "Bash:make ci"),
        allowed: ("[\"mcp__ci__run\"]", "mcp__ci__run"),
        together: "[\"Bash:make ci\", \"mcp__ci__run\"]",
        looser: None,
        bad: &["\"Bash:make ci\"", "[1]"],
        bad_variable: Some("a\u{7}"),
    },
    Samples {
        path: "verification.lint",
        user: ("{ command = [\"check\", \"-v\", \"-v\"] }", ""),
        allowed: ("{ command = [\"other\"] }", ""),
        together: "{ command = [\"other\"] }",
        looser: None,
        bad: &[
            "\"check\"",
            "[\"check\"]",
            "{ command = [] }",
            "{ command = [\"a\"], shell = true }",
        ],
        bad_variable: None,
    },
    Samples {
        path: "verification.format",
        user: ("{ command = [\"check\", \"-v\", \"-v\"] }", ""),
        allowed: ("{ command = [\"other\"] }", ""),
        together: "{ command = [\"other\"] }",
        looser: None,
        bad: &[
            "\"check\"",
            "[\"check\"]",
            "{ command = [] }",
            "{ command = [\"a\"], shell = true }",
        ],
        bad_variable: None,
    },
    Samples {
        path: "verification.types",
        user: ("{ command = [\"check\", \"-v\", \"-v\"] }", ""),
        allowed: ("{ command = [\"other\"] }", ""),
        together: "{ command = [\"other\"] }",
        looser: None,
        bad: &[
            "\"check\"",
            "[\"check\"]",
            "{ command = [] }",
            "{ command = [\"a\"], shell = true }",
        ],
        bad_variable: None,
    },
    Samples {
        path: "verification.tests",
        user: ("{ command = [\"check\", \"-v\", \"-v\"] }", ""),
        allowed: ("{ command = [\"other\"] }", ""),
        together: "{ command = [\"other\"] }",
        looser: None,
        bad: &[
            "\"check\"",
            "[\"check\"]",
            "{ command = [] }",
            "{ command = [\"a\"], shell = true }",
        ],
        bad_variable: None,
    },
    Samples {
        path: "verification.quick_tests",
        user: ("{ command = [\"check\", \"-v\", \"-v\"] }", ""),
        allowed: ("{ command = [\"other\"] }", ""),
        together: "{ command = [\"other\"] }",
        looser: None,
        bad: &[
            "\"check\"",
            "[\"check\"]",
            "{ command = [] }",
            "{ command = [\"a\"], shell = true }",
        ],
        bad_variable: None,
    },
    Samples {
        path: "verification.acceptance",
        user: ("[{ command = [\"check\", \"-v\"] }, { command = [\"again\"] }]", ""),
        allowed: ("[{ command = [\"other\"] }]", ""),
        together: "[{ command = [\"other\"] }]",
        looser: None,
        bad: &["\"check\"", "{ command = [\"a\"] }", "[\"a\"]", "[{ command = [] }]"],
        bad_variable: None,
    },
    Samples {
        path: "verification.timeout_seconds",
        user: ("60", "60"),
        allowed: ("90", "90"),
        together: "90",
        looser: None,
        bad: &["0", "14401", "\"60\""],
        bad_variable: Some("soon"),
    },
    Samples {
        path: "delegation.mode",
        user: ("\"warn\"", "warn"),
        allowed: ("\"enforce\"", "enforce"),
        together: "\"enforce\"",
        looser: Some(("\"off\"", "off")),
        bad: &["\"on\"", "true"],
        bad_variable: Some("deny"),
    },
    Samples {
        path: "delegation.tiers",
        user: ("2", "2"),
        allowed: ("3", "3"),
        together: "3",
        looser: None,
        bad: &["1", "4", "\"2\""],
        bad_variable: None,
    },
    Samples {
        path: "delegation.role",
        user: ("\"section_leader\"", "section_leader"),
        allowed: ("\"section_leader\"", "section_leader"),
        together: "\"section_leader\"",
        looser: Some(("\"conductor\"", "conductor")),
        bad: &["\"leader\"", "1"],
        bad_variable: Some("boss"),
    },
    Samples {
        path: "delegation.marker",
        user: ("\".conductor\"", ".conductor"),
        allowed: ("\".conductor\"", ".conductor"),
        together: "\".conductor\"",
        looser: Some(("\"other\"", "other")),
        bad: &["\"\"", "1", "[\".conductor\"]"],
        bad_variable: Some("a\tb"),
    },
    Samples {
        path: "delegation.remind_at",
        user: ("3", "3"),
        allowed: ("1", "1"),
        together: "1",
        looser: Some(("4", "4")),
        bad: &["0", "101", "\"3\""],
        bad_variable: Some("soon"),
    },
    Samples {
        path: "delegation.deny_at",
        user: ("5", "5"),
        allowed: ("4", "4"),
        together: "4",
        looser: Some(("6", "6")),
        bad: &["0", "101", "\"5\""],
        bad_variable: Some("never"),
    },
    Samples {
        path: "delegation.window_seconds",
        user: ("600", "600"),
        allowed: ("3_600", "3600"),
        together: "3600",
        looser: Some(("60", "60")),
        bad: &["0", "86_401", "\"600\""],
        bad_variable: Some("10m"),
    },
    Samples {
        path: "delegation.work_tools",
        user: ("[\"Edit\"]", "Edit"),
        allowed: ("[\"Read\"]", "Read"),
        together: "[\"Edit\", \"Read\"]",
        looser: None,
        bad: &["\"Edit\"", "[1]"],
        bad_variable: Some("a\tb"),
    },
    Samples {
        path: "delegation.allow_paths",
        user: ("[\"notes\"]", "notes"),
        allowed: ("[\"plans\"]", "plans"),
        together: "[\"plans\"]",
        looser: None,
        bad: &["\"notes\"", "[1]"],
        bad_variable: None,
    },
    Samples {
        path: "delegation.doc_paths",
        user: ("[\"docs\"]", "docs"),
        allowed: ("[\"doc\"]", "doc"),
        together: "[\"doc\"]",
        looser: None,
        bad: &["\"docs\"", "[1]"],
        bad_variable: None,
    },
    Samples {
        path: "drift.mode",
        user: ("\"observe\"", "observe"),
        allowed: ("\"correct\"", "correct"),
        together: "\"correct\"",
        looser: Some(("\"off\"", "off")),
        bad: &["\"on\"", "true"],
        bad_variable: Some("deny"),
    },
    Samples {
        path: "drift.every",
        user: ("5", "5"),
        allowed: ("2", "2"),
        together: "2",
        looser: None,
        bad: &["0", "101", "\"3\""],
        bad_variable: Some("often"),
    },
    Samples {
        path: "drift.scorer",
        user: ("{ command = [\"check\", \"-v\", \"-v\"] }", ""),
        allowed: ("{ command = [\"other\"] }", ""),
        together: "",
        looser: None,
        bad: NO_PROGRAMS,
        bad_variable: None,
    },
    Samples {
        path: "drift.scorer_seconds",
        user: ("20", "20"),
        allowed: ("30", "30"),
        together: "20",
        looser: None,
        bad: &["0", "61", "\"10\""],
        bad_variable: None,
    },
    Samples {
        path: "drift.reader",
        user: ("{ command = [\"check\", \"-v\", \"-v\"] }", ""),
        allowed: ("{ command = [\"other\"] }", ""),
        together: "",
        looser: None,
        bad: NO_PROGRAMS,
        bad_variable: None,
    },
    Samples {
        path: "drift.reader_seconds",
        user: ("15", "15"),
        allowed: ("5", "5"),
        together: "15",
        looser: None,
        bad: &["0", "21", "\"10\""],
        bad_variable: None,
    },
    Samples {
        path: "notify.command",
        user: ("{ command = [\"check\", \"-v\", \"-v\"] }", ""),
        allowed: ("{ command = [\"other\"] }", ""),
        together: "",
        looser: None,
        bad: NO_PROGRAMS,
        bad_variable: None,
    },
    Samples {
        path: "habits.add_all",
        user: ("\"advise\"", "advise"),
        allowed: ("\"deny\"", "deny"),
        together: "\"deny\"",
        looser: Some(("\"off\"", "off")),
        bad: &["\"rewrite\"", "true"],
        bad_variable: Some("on"),
    },
    Samples {
        path: "habits.attribution",
        user: ("\"rewrite\"", "rewrite"),
        allowed: ("\"deny\"", "deny"),
        together: "\"deny\"",
        looser: Some(("\"advise\"", "advise")),
        bad: &["\"warn\"", "true"],
        bad_variable: Some("on"),
    },
    Samples {
        path: "habits.staged_secrets",
        user: ("\"advise\"", "advise"),
        allowed: ("\"deny\"", "deny"),
        together: "\"deny\"",
        looser: Some(("\"off\"", "off")),
        bad: &["\"rewrite\"", "true"],
        bad_variable: Some("on"),
    },
    Samples {
        path: "habits.force_push",
        user: ("\"advise\"", "advise"),
        allowed: ("\"deny\"", "deny"),
        together: "\"deny\"",
        looser: Some(("\"off\"", "off")),
        bad: &["\"rewrite\"", "true"],
        bad_variable: Some("on"),
    },
    Samples {
        path: "habits.draft_pr",
        user: ("\"rewrite\"", "rewrite"),
        allowed: ("\"deny\"", "deny"),
        together: "\"deny\"",
        looser: Some(("\"advise\"", "advise")),
        bad: &["\"warn\"", "true"],
        bad_variable: Some("on"),
    },
    Samples {
        path: "habits.merge",
        user: ("\"advise\"", "advise"),
        allowed: ("\"deny\"", "deny"),
        together: "\"deny\"",
        looser: Some(("\"off\"", "off")),
        bad: &["\"rewrite\"", "true"],
        bad_variable: Some("on"),
    },
    Samples {
        path: "habits.search_tools",
        user: ("\"advise\"", "advise"),
        allowed: ("\"deny\"", "deny"),
        together: "\"deny\"",
        looser: Some(("\"off\"", "off")),
        bad: &["\"rewrite\"", "true"],
        bad_variable: Some("on"),
    },
    Samples {
        path: "habits.subagent_builds",
        user: ("\"advise\"", "advise"),
        allowed: ("\"deny\"", "deny"),
        together: "\"deny\"",
        looser: Some(("\"off\"", "off")),
        bad: &["\"rewrite\"", "true"],
        bad_variable: Some("on"),
    },
    Samples {
        path: "habits.protected_branches",
        user: ("[\"main\"]", "main"),
        allowed: ("[\"stable-*\"]", "stable-*"),
        together: "[\"main\", \"stable-*\"]",
        looser: None,
        bad: &["\"main\"", "[1]"],
        bad_variable: Some("a\tb"),
    },
    Samples {
        path: "gates.max_blocks",
        user: ("3", "3"),
        allowed: ("7", "7"),
        together: "7",
        looser: Some(("2", "2")),
        bad: &["0", "8", "\"3\""],
        bad_variable: Some("many"),
    },
    Samples {
        path: "gates.cooldown_seconds",
        user: ("300", "300"),
        allowed: ("0", "0"),
        together: "0",
        looser: Some(("301", "301")),
        bad: &["-1", "86401", "\"300\""],
        bad_variable: Some("soon"),
    },
    Samples {
        path: "trace.max_events",
        user: ("500", "500"),
        allowed: ("20", "20"),
        together: "20",
        looser: None,
        bad: &["19", "1_000_001", "\"all\""],
        bad_variable: Some("all"),
    },
];

fn line(key: &Key, value: &str) -> String {
    format!("{} = {value}\n", key.path())
}

fn rendered(settings: &Settings, key: &Key) -> String {
    key.render(settings)
}

#[track_caller]
fn check_refused(case: &Case, key: &Key, code: &str) {
    let below = Case { user: case.user.clone(), ..Case::default() };
    let (expected, _) = below.resolve();
    let (settings, problems) = case.resolve();
    let codes: Vec<&str> = problems.iter().map(Problem::code).collect();
    assert_eq!((settings, codes), (expected, vec![code]), "{} {case:?}", key.path());
}

#[track_caller]
fn check_taken(case: &Case, key: &Key, value: &str) {
    let (settings, problems) = case.resolve();
    let problems: Vec<String> = problems.iter().map(ToString::to_string).collect();
    assert_eq!((rendered(&settings, key).as_str(), problems), (value, vec![]), "{case:?}");
}

#[test]
fn every_key_has_samples() {
    let keys: Vec<String> = KEYS.iter().map(Key::path).collect();
    let samples: Vec<&str> = SAMPLES.iter().map(|samples| samples.path).collect();
    assert_eq!(keys, samples);
}

#[test]
fn every_key_obeys_its_class_in_every_layer() {
    for (key, samples) in KEYS.iter().zip(SAMPLES) {
        let user = Case::user(line(key, samples.user.0));
        let allowed = line(key, samples.allowed.0);
        let variable = key.variable();
        let by_variable = user.clone().variable(&variable, samples.allowed.1);
        let trusted = user.clone().trusted(allowed.as_str());
        let untrusted = user.clone().untrusted(allowed.as_str());

        match key.class {
            Class::Free | Class::TightenOnly => {
                check_taken(&trusted, key, samples.together);
                check_taken(&untrusted, key, samples.together);
                check_taken(&by_variable, key, samples.together);
            }
            Class::NeedsTrust => {
                check_taken(&trusted, key, samples.together);
                check_refused(&untrusted, key, "untrusted");
                check_refused(&by_variable, key, "not-from-environment");
            }
            Class::UserOnly => {
                check_refused(&trusted, key, "not-from-project");
                check_refused(&untrusted, key, "not-from-project");
                check_refused(&by_variable, key, "not-from-environment");
            }
        }
        if let Some((in_file, in_variable)) = samples.looser {
            assert_eq!(key.class, Class::TightenOnly, "{}", key.path());
            let looser = line(key, in_file);
            check_refused(&user.clone().trusted(looser.as_str()), key, "loosening");
            check_refused(&user.clone().untrusted(looser.as_str()), key, "loosening");
            check_refused(&user.variable(&variable, in_variable), key, "loosening");
            let (settings, problems) = Case::user(looser).resolve();
            assert_eq!((rendered(&settings, key), problems.len()), (canonical(in_file), 0));
        }
    }
}

/// The form in which a sample's value is rendered. Most samples are written in this form, except
/// those that test other spellings.
fn canonical(value: &str) -> String {
    if value.starts_with(|first: char| first.is_ascii_digit()) {
        value.replace('_', "")
    } else {
        value.to_owned()
    }
}

#[test]
fn every_key_refuses_a_bad_value_and_keeps_the_lower_one() {
    for (key, samples) in KEYS.iter().zip(SAMPLES) {
        let user = Case::user(line(key, samples.user.0));
        for bad in samples.bad {
            if key.class != Class::UserOnly {
                check_refused(&user.clone().trusted(line(key, bad)), key, "bad-value");
            }
            let (settings, problems) = Case::user(line(key, bad)).resolve();
            let codes: Vec<&str> = problems.iter().map(Problem::code).collect();
            assert_eq!((settings, codes), (Settings::default(), vec!["bad-value"]), "{bad}");
        }
        if let Some(bad) = samples.bad_variable {
            check_refused(&user.variable(key.variable(), bad), key, "bad-value");
        }
    }
}

#[test]
fn the_user_alone_decides_what_tightening_starts_from() {
    for (key, samples) in KEYS.iter().zip(SAMPLES) {
        let (settings, problems) = Case::user(line(key, samples.user.0)).resolve();
        let (origin, joined) = (key.origins)(&settings);
        assert_eq!(rendered(&settings, key), canonical(samples.user.0));
        assert_eq!(*origin, Origin::User { file: USER.into(), line: 1 });
        assert_eq!((joined.len(), problems.len()), (0, 0));
    }
}

#[test]
fn variables_are_unique_and_not_reserved() {
    let mut variables: Vec<String> = KEYS.iter().map(Key::variable).collect();
    variables.sort();
    variables.dedup();
    assert_eq!(variables.len(), KEYS.len());
    for variable in &variables {
        let (_, problems) = Case::default().variable(variable, "\u{7}").resolve();
        assert_eq!(problems.len(), 1, "{variable}");
    }
}

#[test]
fn reserved_and_foreign_variables_are_passed_over() {
    let case = Case::default()
        .variable("VERGER_HOME", "x")
        .variable("VERGER_TEST_ANYTHING", "x")
        .variable("VERGER", "x")
        .variable("PATH", "x")
        .variable("VERGER_RECORD_ROLE", "")
        .variable("VERGER_STORE_LOCK_WAIT_MS", "");
    assert_eq!(case.resolve(), (Settings::default(), Vec::new()));
}

#[test]
fn without_layers_everything_is_as_by_default() {
    let (settings, problems) = resolve(&Layers::default());
    assert_eq!((*settings, problems), (Settings::default(), Vec::new()));
}
