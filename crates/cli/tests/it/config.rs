//! `verger config`.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::PathBuf;

use crate::recorded::Recorded;

fn user_file(recorded: &Recorded) -> PathBuf {
    recorded.environment.verger_home().join("config/config.toml")
}

/// Layers of configuration that are merged, and two that have no effect.
fn layered() -> Recorded {
    let mut recorded = Recorded::nothing();
    recorded.environment.write(
        user_file(&recorded),
        "[redact]\nkey_names = ['pin']\n[record]\nroel = 'x'\nreaders = ['ann']\n",
    );
    recorded
        .environment
        .write(".verger/config.toml", "[redact]\nkey_names = ['puk']\n[user]\nname = 'eve'\n");
    recorded.environment.set("VERGER_RECORD_ROLE", "reviewer");
    recorded
}

#[test]
fn settings_are_shown_as_they_count_here() {
    let recorded = layered();
    insta::assert_snapshot!(recorded.verger(&["config", "show"]), @r##"
    record.enabled                   true
    record.role                      "reviewer"
    record.readers                   ["ann"]
    user.name                        -
    redact.key_names                 ["pin", "puk"]
    store.lock_wait_ms               200
    review.mode                      "prompt"
    review.triggers                  ["#review", "#roz"]
    review.gated_tools               []
    review.scope                     "prompt"
    review.approval_ttl_seconds      -
    review.on_unavailable            "release"
    review.ignore                    []
    review.reviewer                  -
    review.reviewer_timeout_seconds  600
    review.template                  "default"
    review.template_weights          {}
    review.template_seed             -
    learning.mode                    "on"
    learning.auto_skip               true
    learning.auto_skip_lines         5
    learning.auto_skip_decider       "agent"
    tickets.order                    ["tissue", "beads", "tasks", "session"]
    tickets.tissue                   true
    tickets.beads                    true
    tickets.tasks                    false
    tickets.session                  false
    backends.order                   ["config", "total-recall", "markdown"]
    backends.choice                  -
    backends.total_recall            true
    backends.markdown                true
    decay.passive_duration_days      90
    decay.immunity_hit_rate          0.8
    recall.enabled                   true
    recall.tasks                     true
    recall.max_injections            5
    recall.strategy                  "moderate"
    recall.budget_tokens             1500
    guard.mode                       "observe"
    guard.allow_dangerous            []
    guard.opinion                    -
    undo.enabled                     true
    undo.max_file_mib                20
    undo.max_total_mib               500
    undo.keep_points                 50
    undo.keep_days                   14
    undo.time_limit_ms               1500
    verification.mode                "observe"
    verification.depth               "quick"
    verification.require             ["tests", "no_regressions", "open_tasks"]
    verification.watch               []
    verification.lint                -
    verification.format              -
    verification.types               -
    verification.tests               -
    verification.quick_tests         -
    verification.acceptance          []
    verification.timeout_seconds     900
    delegation.mode                  "off"
    delegation.tiers                 2
    delegation.role                  -
    delegation.marker                -
    delegation.remind_at             3
    delegation.deny_at               5
    delegation.window_seconds        600
    delegation.work_tools            []
    delegation.allow_paths           []
    delegation.doc_paths             ["docs", "plans", "*.md"]
    drift.mode                       "observe"
    drift.every                      3
    drift.scorer                     -
    drift.scorer_seconds             10
    drift.reader                     -
    drift.reader_seconds             10
    notify.command                   -
    habits.add_all                   "off"
    habits.attribution               "off"
    habits.staged_secrets            "off"
    habits.force_push                "off"
    habits.draft_pr                  "off"
    habits.merge                     "off"
    habits.search_tools              "off"
    habits.subagent_builds           "off"
    habits.protected_branches        ["main", "master", "release*"]
    gates.max_blocks                 3
    gates.cooldown_seconds           300
    trace.max_events                 500
    ------- stderr -------
    verger: $ENV/home/.verger/config/config.toml:4:1: unknown key "record.roel"; did you mean "record.role"?
    verger: $ENV/home/project/.verger/config.toml:4:1: "user.name" is ignored because this project is not trusted; `verger trust` shows the project's settings and trusts it
    "##);
}

#[test]
fn settings_are_shown_with_where_they_come_from() {
    let recorded = layered();
    insta::assert_snapshot!(recorded.verger(&["config", "show", "--origin", "--quiet"]), @r##"
    record.enabled                   true                                       default
    record.role                      "reviewer"                                 VERGER_RECORD_ROLE
    record.readers                   ["ann"]                                    $ENV/home/.verger/config/config.toml:5
    user.name                        -                                          default
    redact.key_names                 ["pin", "puk"]                             $ENV/home/.verger/config/config.toml:2 + $ENV/home/project/.verger/config.toml:2
    store.lock_wait_ms               200                                        default
    review.mode                      "prompt"                                   default
    review.triggers                  ["#review", "#roz"]                        default
    review.gated_tools               []                                         default
    review.scope                     "prompt"                                   default
    review.approval_ttl_seconds      -                                          default
    review.on_unavailable            "release"                                  default
    review.ignore                    []                                         default
    review.reviewer                  -                                          default
    review.reviewer_timeout_seconds  600                                        default
    review.template                  "default"                                  default
    review.template_weights          {}                                         default
    review.template_seed             -                                          default
    learning.mode                    "on"                                       default
    learning.auto_skip               true                                       default
    learning.auto_skip_lines         5                                          default
    learning.auto_skip_decider       "agent"                                    default
    tickets.order                    ["tissue", "beads", "tasks", "session"]    default
    tickets.tissue                   true                                       default
    tickets.beads                    true                                       default
    tickets.tasks                    false                                      default
    tickets.session                  false                                      default
    backends.order                   ["config", "total-recall", "markdown"]     default
    backends.choice                  -                                          default
    backends.total_recall            true                                       default
    backends.markdown                true                                       default
    decay.passive_duration_days      90                                         default
    decay.immunity_hit_rate          0.8                                        default
    recall.enabled                   true                                       default
    recall.tasks                     true                                       default
    recall.max_injections            5                                          default
    recall.strategy                  "moderate"                                 default
    recall.budget_tokens             1500                                       default
    guard.mode                       "observe"                                  default
    guard.allow_dangerous            []                                         default
    guard.opinion                    -                                          default
    undo.enabled                     true                                       default
    undo.max_file_mib                20                                         default
    undo.max_total_mib               500                                        default
    undo.keep_points                 50                                         default
    undo.keep_days                   14                                         default
    undo.time_limit_ms               1500                                       default
    verification.mode                "observe"                                  default
    verification.depth               "quick"                                    default
    verification.require             ["tests", "no_regressions", "open_tasks"]  default
    verification.watch               []                                         default
    verification.lint                -                                          default
    verification.format              -                                          default
    verification.types               -                                          default
    verification.tests               -                                          default
    verification.quick_tests         -                                          default
    verification.acceptance          []                                         default
    verification.timeout_seconds     900                                        default
    delegation.mode                  "off"                                      default
    delegation.tiers                 2                                          default
    delegation.role                  -                                          default
    delegation.marker                -                                          default
    delegation.remind_at             3                                          default
    delegation.deny_at               5                                          default
    delegation.window_seconds        600                                        default
    delegation.work_tools            []                                         default
    delegation.allow_paths           []                                         default
    delegation.doc_paths             ["docs", "plans", "*.md"]                  default
    drift.mode                       "observe"                                  default
    drift.every                      3                                          default
    drift.scorer                     -                                          default
    drift.scorer_seconds             10                                         default
    drift.reader                     -                                          default
    drift.reader_seconds             10                                         default
    notify.command                   -                                          default
    habits.add_all                   "off"                                      default
    habits.attribution               "off"                                      default
    habits.staged_secrets            "off"                                      default
    habits.force_push                "off"                                      default
    habits.draft_pr                  "off"                                      default
    habits.merge                     "off"                                      default
    habits.search_tools              "off"                                      default
    habits.subagent_builds           "off"                                      default
    habits.protected_branches        ["main", "master", "release*"]             default
    gates.max_blocks                 3                                          default
    gates.cooldown_seconds           300                                        default
    trace.max_events                 500                                        default
    "##);
}

#[test]
fn a_part_of_the_settings_is_shown() {
    let recorded = layered();
    insta::assert_snapshot!(recorded.verger(&["config", "show", "record", "-q"]), @r#"
    record.enabled  true
    record.role     "reviewer"
    record.readers  ["ann"]
    "#);
    insta::assert_snapshot!(recorded.verger(&["config", "show", "redact.key_names", "--json"]), @r#"{"problems":["$ENV/home/.verger/config/config.toml:4:1: unknown key \"record.roel\"; did you mean \"record.role\"?","$ENV/home/project/.verger/config.toml:4:1: \"user.name\" is ignored because this project is not trusted; `verger trust` shows the project's settings and trusts it"],"settings":[{"class":"tighten-only","key":"redact.key_names","origins":[{"file":"$ENV/home/.verger/config/config.toml","layer":"user","line":2},{"file":"$ENV/home/project/.verger/config.toml","layer":"project","line":2}],"value":["pin","puk"]}]}"#);
    insta::assert_snapshot!(recorded.verger(&["config", "show", "record.roel"]), @r#"
    ------- stderr -------
    verger: unknown key "record.roel"; did you mean "record.role"?
    hint: verger config show record.role
    ------- exit code 2 -------
    "#);
    insta::assert_snapshot!(recorded.verger(&["config", "show", "nothing", "--json"]), @r#"
    ------- stderr -------
    {"error":"usage","hint":"verger config show --origin lists every key","message":"unknown key \"nothing\""}
    ------- exit code 2 -------
    "#);
}

#[test]
fn a_key_is_set_and_unset_and_the_rest_of_the_file_stays() {
    let recorded = Recorded::nothing();
    insta::assert_snapshot!(recorded.verger(&["config", "set", "record.role", "author", "--yes"]), @r#"
    record.role is set in $ENV/home/.verger/config/config.toml
    effective value: "author", from $ENV/home/.verger/config/config.toml:2
    "#);
    let file = user_file(&recorded);
    assert_eq!(fs::read_to_string(&file).unwrap(), "[record]\nrole = \"author\"\n");
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);

    fs::write(&file, "# mine\n[record]\nrole = 'x' # who\n").unwrap();
    insta::assert_snapshot!(recorded.verger(&["config", "set", "redact.key_names", "pin,puk", "--yes", "--json"]), @r#"{"done":"set","file":"$ENV/home/.verger/config/config.toml","in_force":{"class":"tighten-only","key":"redact.key_names","origins":[{"file":"$ENV/home/.verger/config/config.toml","layer":"user","line":6}],"value":["pin","puk"]}}"#);
    insta::assert_snapshot!(recorded.verger(&["config", "set", "record.role", "reviewer", "--yes", "--quiet"]), @r#"effective value: "reviewer", from $ENV/home/.verger/config/config.toml:3"#);
    insta::assert_snapshot!(fs::read_to_string(&file).unwrap(), @r#"
    # mine
    [record]
    role = "reviewer" # who

    [redact]
    key_names = ["pin", "puk"]
    "#);
    insta::assert_snapshot!(recorded.verger(&["config", "unset", "record.role", "--yes"]), @r#"
    record.role is no longer set in $ENV/home/.verger/config/config.toml
    effective value: none
    "#);
    insta::assert_snapshot!(recorded.verger(&["config", "unset", "record.role", "--yes"]), @r#"
    record.role was not set in $ENV/home/.verger/config/config.toml
    effective value: none
    "#);
    insta::assert_snapshot!(fs::read_to_string(&file).unwrap(), @r#"
    # mine
    [record]

    [redact]
    key_names = ["pin", "puk"]
    "#);
}

#[test]
fn words_and_tables_are_set_shown_and_unset() {
    let recorded = Recorded::nothing();
    let set = |key, value| recorded.verger(&["config", "set", key, value, "--yes", "-q"]);
    insta::assert_snapshot!(set("review.mode", "always"), @r#"effective value: "always", from $ENV/home/.verger/config/config.toml:2"#);
    insta::assert_snapshot!(set("review.reviewer", "{ command = ['codex', 'exec'] }"), @r#"effective value: { command = ["codex", "exec"] }, from $ENV/home/.verger/config/config.toml:3"#);
    insta::assert_snapshot!(set("review.template_weights", "default=3,short=1"), @"effective value: { default = 3, short = 1 }, from $ENV/home/.verger/config/config.toml:4");
    insta::assert_snapshot!(set("review.approval_ttl_seconds", "3600"), @"effective value: 3600, from $ENV/home/.verger/config/config.toml:5");
    insta::assert_snapshot!(fs::read_to_string(user_file(&recorded)).unwrap(), @r#"
    [review]
    mode = "always"
    reviewer = { command = ["codex", "exec"] }
    template_weights = { default = 3, short = 1 }
    approval_ttl_seconds = 3600
    "#);
    insta::assert_snapshot!(recorded.verger(&["config", "show", "review"]), @r##"
    review.mode                      "always"
    review.triggers                  ["#review", "#roz"]
    review.gated_tools               []
    review.scope                     "prompt"
    review.approval_ttl_seconds      3600
    review.on_unavailable            "release"
    review.ignore                    []
    review.reviewer                  { command = ["codex", "exec"] }
    review.reviewer_timeout_seconds  600
    review.template                  "default"
    review.template_weights          { default = 3, short = 1 }
    review.template_seed             -
    "##);
    insta::assert_snapshot!(recorded.verger(&["config", "show", "review.reviewer", "--json"]), @r#"{"problems":[],"settings":[{"class":"user only","key":"review.reviewer","origins":[{"file":"$ENV/home/.verger/config/config.toml","layer":"user","line":3}],"value":{"command":["codex","exec"]}}]}"#);
    insta::assert_snapshot!(recorded.verger(&["config", "unset", "review.reviewer", "--yes"]), @r#"
    review.reviewer is no longer set in $ENV/home/.verger/config/config.toml
    effective value: none
    "#);
    insta::assert_snapshot!(
        recorded.verger(&["config", "unset", "review.template_weights", "--yes", "--json"]),
        @r#"{"done":"unset","file":"$ENV/home/.verger/config/config.toml","in_force":{"class":"free","key":"review.template_weights","origins":[{"layer":"default"}],"value":{}}}"#
    );
}

#[test]
fn a_wrong_word_is_answered_with_the_command_for_the_right_one() {
    let recorded = Recorded::nothing();
    insta::assert_snapshot!(recorded.verger(&["config", "set", "review.mode", "alway", "--yes"]), @r#"
    ------- stderr -------
    verger: bad value for "review.mode": expected "never", "prompt" or "always", found other text; did you mean "always"?
    hint: verger config set review.mode always
    ------- exit code 2 -------
    "#);
    let reviewer =
        ["config", "set", "review.reviewer", "{ command = ['x'] }", "--project", "--yes"];
    insta::assert_snapshot!(recorded.verger(&reviewer), @r#"
    ------- stderr -------
    verger: "review.reviewer" is ignored in a project, trusted or not; set it in your user config.toml
    hint: verger config set review.reviewer VALUE, without --project
    ------- exit code 2 -------
    "#);
}

#[test]
fn a_layer_that_wins_is_named() {
    let mut recorded = Recorded::nothing();
    recorded.environment.set("VERGER_RECORD_ROLE", "reviewer");
    insta::assert_snapshot!(recorded.verger(&["config", "set", "record.role", "author", "--yes"]), @r#"
    record.role is set in $ENV/home/.verger/config/config.toml
    another value takes precedence: "reviewer", from VERGER_RECORD_ROLE
    "#);
}

#[test]
fn a_setting_without_effect_is_refused_and_not_written() {
    let recorded = Recorded::nothing();
    // The key and the value are checked before the terminal is asked for.
    for (key, value, expected) in
        [("record.roel", "x", 2), ("review.mode", "alway", 2), ("review.mode", "always", 4)]
    {
        assert_eq!(recorded.verger(&["config", "set", key, value]).code, expected, "{key}");
    }
    insta::assert_snapshot!(recorded.verger(&["config", "set", "record.roel", "x", "--yes"]), @r#"
    ------- stderr -------
    verger: unknown key "record.roel"; did you mean "record.role"?
    hint: verger config show record.role
    ------- exit code 2 -------
    "#);
    insta::assert_snapshot!(recorded.verger(&["config", "set", "store.lock_wait_ms", "-1", "--yes"]), @r#"
    ------- stderr -------
    verger: bad value for "store.lock_wait_ms": expected an integer from 0 to 2000, found -1
    hint: verger config show store.lock_wait_ms --origin
    ------- exit code 2 -------
    "#);
    insta::assert_snapshot!(
        recorded.verger(&["config", "set", "record.enabled", "false", "--project", "--yes", "--json"]),
        @r#"
        ------- stderr -------
        {"error":"usage","hint":"verger config set record.enabled VALUE, without --project","message":"\"record.enabled\" can only be made stricter here (true is stricter); set it in your user config.toml"}
        ------- exit code 2 -------
        "#
    );
    assert!(!user_file(&recorded).exists());
    assert!(!recorded.environment.project().join(".verger").exists());

    let file = recorded.environment.write(".verger/config.toml", "[record]\nrole = 'x'\n");
    insta::assert_snapshot!(
        recorded.verger(&["config", "set", "user.name", "eve", "--project", "--yes"]),
        @r#"
        ------- stderr -------
        verger: "user.name" is ignored because this project is not trusted; `verger trust` shows the project's settings and trusts it
        hint: verger trust
        ------- exit code 2 -------
        "#
    );
    assert_eq!(fs::read_to_string(file).unwrap(), "[record]\nrole = 'x'\n");
}

#[test]
fn a_persons_change_keeps_a_project_trusted() {
    let recorded = Recorded::nothing();
    insta::assert_snapshot!(
        recorded.verger(&["config", "set", "user.name", "ann", "--project", "--yes"]),
        @r#"
        user.name is set in $ENV/home/project/.verger/config.toml
        effective value: "ann", from $ENV/home/project/.verger/config.toml:2
        "#
    );
    insta::assert_snapshot!(
        recorded.verger(&["config", "set", "record.role", "author", "--project", "--yes"]),
        @r#"
        record.role is set in $ENV/home/project/.verger/config.toml
        effective value: "author", from $ENV/home/project/.verger/config.toml:5
        "#
    );
    insta::assert_snapshot!(recorded.verger(&["config", "show", "user", "--origin"]), @r#"user.name  "ann"  $ENV/home/project/.verger/config.toml:2"#);
}

#[test]
fn a_file_that_cannot_be_edited_safely_is_left_alone() {
    let recorded = Recorded::nothing();
    let file = user_file(&recorded);
    let set = || recorded.verger(&["config", "set", "record.role", "x", "--yes"]);
    recorded.environment.write(&file, "[record]\nrole = 'half\n");
    insta::assert_snapshot!(set(), @"
    ------- stderr -------
    verger: $ENV/home/.verger/config/config.toml:2:13: invalid literal string, expected `'`; the file was not changed
    hint: fix line 2; until then, verger config show shows the settings in effect
    ------- exit code 2 -------
    ");
    recorded.environment.write(&file, b"[record]\nrole = '\xff'\n");
    insta::assert_snapshot!(set(), @r#"
    ------- stderr -------
    verger: $ENV/home/.verger/config/config.toml is not UTF-8 and was not changed
    hint: verger config show names the line
    ------- exit code 2 -------
    "#);
    recorded.environment.write(&file, "# mine\n");
    fs::set_permissions(&file, fs::Permissions::from_mode(0o400)).unwrap();
    insta::assert_snapshot!(set(), @r#"
    ------- stderr -------
    verger: cannot change $ENV/home/.verger/config/config.toml: it is read-only
    hint: chmod u+w $ENV/home/.verger/config/config.toml
    ------- exit code 3 -------
    "#);
    assert_eq!(fs::read_to_string(&file).unwrap(), "# mine\n");
    fs::remove_file(&file).unwrap();
    fs::create_dir(&file).unwrap();
    insta::assert_snapshot!(set(), @r#"
    ------- stderr -------
    verger: $ENV/home/.verger/config/config.toml: it is not a file
    hint: ls -ld $ENV/home/.verger/config/config.toml
    ------- exit code 2 -------
    "#);
}

#[test]
fn a_linked_file_stays_linked_and_keeps_its_mode() {
    let recorded = Recorded::nothing();
    let dotfile = recorded.environment.write("dotfiles/verger.toml", "# mine\r\n");
    fs::set_permissions(&dotfile, fs::Permissions::from_mode(0o640)).unwrap();
    fs::create_dir_all(user_file(&recorded).parent().unwrap()).unwrap();
    symlink(&dotfile, user_file(&recorded)).unwrap();
    assert_eq!(recorded.verger(&["config", "set", "record.role", "x", "--yes"]).code, 0);
    assert!(user_file(&recorded).is_symlink());
    assert_eq!(fs::metadata(&dotfile).unwrap().permissions().mode() & 0o777, 0o640);
    assert_eq!(fs::read_to_string(&dotfile).unwrap(), "# mine\r\n\r\n[record]\r\nrole = \"x\"\r\n");
    fs::remove_file(&dotfile).unwrap();
    insta::assert_snapshot!(recorded.verger(&["config", "set", "record.role", "x", "--yes"]), @r#"
    ------- stderr -------
    verger: cannot change $ENV/home/.verger/config/config.toml: it is a link to a file that is not there
    hint: ls -ld $ENV/home/.verger/config/config.toml
    ------- exit code 3 -------
    "#);
}
