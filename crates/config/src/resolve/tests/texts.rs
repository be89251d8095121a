//! Tests of the messages of problems, and of the settings that are still used when there are
//! problems.

use super::{Case, USER};
use crate::{MAX_FILE_BYTES, MAX_NAME_BYTES, MAX_PROBLEMS, Problem, Settings};

#[test]
fn values_remember_where_they_come_from() {
    let case = Case::user("[redact]\nkey_names = ['pin']\n[record]\nreaders = ['ann', 'bob']\n")
        .untrusted("# ours\n\n[record]\nrole = 'author'\nreaders = []\n\n[redact]\nkey_names = ['puk', 'pin']\n")
        .variable("VERGER_RECORD_ROLE", "reviewer")
        .variable("VERGER_REDACT_KEY_NAMES", "pin");
    insta::assert_snapshot!(case.summary(), @r#"
    record.role = "reviewer" from VERGER_RECORD_ROLE
    record.readers = [] from .verger/config.toml:5
    redact.key_names = ["pin", "puk"] from ~/.config/verger/config.toml:2 + .verger/config.toml:8
    "#);
}

#[test]
fn unknown_names_are_reported_with_the_nearest_known_name() {
    let case = Case::user(
        "enabled = true\n[record]\n  enabeld = true\nname = 'x'\nrole = 'author'\n\n[recrod]\nrole = 'y'\n\
         [proxy]\nport = 8080\n[store]\n\"lock wait\" = 1\n[user.deep]\nname = 'x'\n",
    )
    .variable("VERGER_RECORD_ENABELD", "true")
    .variable("VERGER_record_role", "x")
    .variable("VERGER_PROXY", "x");
    insta::assert_snapshot!(case.summary(), @r#"
    ~/.config/verger/config.toml:1:1: unknown key "enabled"; did you mean "record.enabled"?
    ~/.config/verger/config.toml:3:3: unknown key "record.enabeld"; did you mean "record.enabled"?
    ~/.config/verger/config.toml:4:1: unknown key "record.name"; did you mean "user.name"?
    ~/.config/verger/config.toml:7:2: unknown section "recrod", its keys are ignored; did you mean "record"?
    ~/.config/verger/config.toml:9:2: unknown section "proxy", its keys are ignored
    ~/.config/verger/config.toml:12:1: unknown key "store.lock wait"; did you mean "store.lock_wait_ms"?
    ~/.config/verger/config.toml:13:7: unknown section "user.deep", its keys are ignored
    VERGER_RECORD_ENABELD: no setting is read from this variable; did you mean "VERGER_RECORD_ENABLED"?
    VERGER_record_role: no setting is read from this variable; did you mean "VERGER_RECORD_ROLE"?
    VERGER_PROXY: no setting is read from this variable
    record.role = "author" from ~/.config/verger/config.toml:5
    "#);
}

#[test]
fn rejected_values_name_the_reason_and_where_to_set_them() {
    let case = Case::user("[record]\nreaders = ['ann']\n")
        .untrusted("record = { enabled = false, readers = ['ann', 'eve'] }\nuser.name = 'eve'\n")
        .variable("VERGER_RECORD_ENABLED", "false")
        .variable("VERGER_USER_NAME", "eve");
    insta::assert_snapshot!(case.summary(), @r#"
    .verger/config.toml:1:12: "record.enabled" can only be made stricter here (true is stricter); set it in your user config.toml
    .verger/config.toml:1:29: "record.readers" can only be made stricter here (entries can be removed, not added); set it in your user config.toml
    .verger/config.toml:2:6: "user.name" is ignored because this project is not trusted; `verger trust` shows the project's settings and trusts it
    VERGER_RECORD_ENABLED: "record.enabled" can only be made stricter here (true is stricter); set it in your user config.toml
    VERGER_USER_NAME: "user.name" is ignored in the environment; set it in your user config.toml
    record.readers = ["ann"] from ~/.config/verger/config.toml:2
    "#);
}

#[test]
fn a_bad_value_is_described_but_not_repeated() {
    let long = "x".repeat(MAX_NAME_BYTES + 1);
    let many: Vec<String> = (0..65).map(|number| format!("'{number}'")).collect();
    let case = Case::user(format!(
        "record.enabled = 'hunter2'\nrecord.role = '{long}'\nuser = 5\nuser.name = ''\n\
         record.readers = [{}]\nredact.key_names = ['a', 7]\nstore.lock_wait_ms = 2001\n",
        many.join(", ")
    ))
    .variable("VERGER_STORE_LOCK_WAIT_MS", "hunter2");
    insta::assert_snapshot!(case.summary(), @r#"
    ~/.config/verger/config.toml:1:8: bad value for "record.enabled": expected true or false, found a string
    ~/.config/verger/config.toml:2:8: bad value for "record.role": expected a string of 1 to 256 bytes without control characters, found a string of 257 bytes
    ~/.config/verger/config.toml:3:1: bad value for "user": expected a table, found an integer
    ~/.config/verger/config.toml:4:6: bad value for "user.name": expected a string of 1 to 256 bytes without control characters, found an empty string
    ~/.config/verger/config.toml:5:8: bad value for "record.readers": expected at most 64 strings of 1 to 256 bytes without control characters, found more entries
    ~/.config/verger/config.toml:6:8: bad value for "redact.key_names": expected at most 64 strings of 1 to 256 bytes without control characters, found an integer in it
    ~/.config/verger/config.toml:7:7: bad value for "store.lock_wait_ms": expected an integer from 0 to 2000, found 2001
    VERGER_STORE_LOCK_WAIT_MS: bad value for "store.lock_wait_ms": expected an integer from 0 to 2000, found other text
    "#);
}

#[test]
fn a_wrong_word_is_answered_with_the_words_there_are() {
    let case = Case::user(
        "[review]\nmode = 'allways'\nscope = 'hunter2'\non_unavailable = 3\n\
         template = 'not an id'\nreviewer = { comand = ['x'] }\n",
    )
    .variable("VERGER_REVIEW_MODE", "nevr");
    insta::assert_snapshot!(case.summary(), @r#"
    ~/.config/verger/config.toml:2:1: bad value for "review.mode": expected "never", "prompt" or "always", found other text; did you mean "always"?
    ~/.config/verger/config.toml:3:1: bad value for "review.scope": expected "session", "prompt" or "tool", found other text
    ~/.config/verger/config.toml:4:1: bad value for "review.on_unavailable": expected "release" or "block", found an integer
    ~/.config/verger/config.toml:5:1: bad value for "review.template": expected "random", or the id of a template: 1 to 32 letters, digits, "_" and "-", found other text
    ~/.config/verger/config.toml:6:1: bad value for "review.reviewer": expected { command = ["program", "argument"] } with at most 64 strings of 1 to 4096 bytes without control characters, found a table without "command"
    VERGER_REVIEW_MODE: bad value for "review.mode": expected "never", "prompt" or "always", found other text; did you mean "never"?
    "#);
    let (_, problems) = case.resolve();
    let nearest: Vec<_> = problems.iter().map(Problem::nearest).collect();
    assert_eq!(nearest, [Some("always"), None, None, None, None, Some("never")]);
}

#[test]
fn a_table_is_written_on_one_line_or_dotted() {
    let case = Case::user(
        "[review]\nreviewer.command = ['codex', 'exec']\ntemplate_weights = { short = 2, mine = 1 }\n",
    );
    insta::assert_snapshot!(case.summary(), @r#"
    review.reviewer = { command = ["codex", "exec"] } from ~/.config/verger/config.toml:2
    review.template_weights = { mine = 1, short = 2 } from ~/.config/verger/config.toml:3
    "#);
    let case = Case::user("[review.template_weights]\nshort = 2\n[review]\nmode = 'always'\n");
    insta::assert_snapshot!(case.summary(), @r#"
    ~/.config/verger/config.toml:1:9: "review.template_weights" is a key of "review": write template_weights = { ... } below [review]
    review.mode = "always" from ~/.config/verger/config.toml:4
    "#);
}

#[test]
fn programs_are_read_only_from_the_users_file() {
    let case = Case::user("[review]\nreviewer = { command = ['mine'] }\n")
        .trusted("[review]\nreviewer = { command = ['theirs'] }\nignore = ['*.lock']\n")
        .variable("VERGER_REVIEW_REVIEWER", "x");
    insta::assert_snapshot!(case.summary(), @r#"
    .verger/config.toml:2:1: "review.reviewer" is ignored in a project, trusted or not; set it in your user config.toml
    VERGER_REVIEW_REVIEWER: "review.reviewer" is ignored in the environment; set it in your user config.toml
    review.ignore = ["*.lock"] from .verger/config.toml:3
    review.reviewer = { command = ["mine"] } from ~/.config/verger/config.toml:2
    "#);
}

#[test]
fn layers_add_to_a_default_which_the_user_replaces() {
    let project = "[review]\ntriggers = ['#qa']\n";
    let summary = |case: Case| case.untrusted(project).summary();
    insta::assert_snapshot!(summary(Case::default()), @r##"review.triggers = ["#review", "#roz", "#qa"] from default + .verger/config.toml:2"##);
    insta::assert_snapshot!(summary(Case::user("[review]\ntriggers = ['#check']\n")), @r##"review.triggers = ["#check", "#qa"] from ~/.config/verger/config.toml:2 + .verger/config.toml:2"##);
    insta::assert_snapshot!(summary(Case::user("[review]\ntriggers = []\n")), @r##"review.triggers = ["#qa"] from ~/.config/verger/config.toml:2 + .verger/config.toml:2"##);
}

#[test]
fn an_entry_that_means_nothing_is_named_by_its_place() {
    let case = Case::user("[review]\ngated_tools = ['Bash:bd close*']\n")
        .untrusted("[review]\ngated_tools = ['Bash:(']\n");
    let (settings, _) = case.resolve();
    let gated = &settings.review.gated_tools;
    let problem = gated.bad_entry("review.gated_tools", 2, "a bracket is open".to_owned());
    insta::assert_snapshot!(problem, @r#"~/.config/verger/config.toml:2 + .verger/config.toml:2: entry 2 of "review.gated_tools" is ignored: a bracket is open"#);
}

#[test]
fn the_first_of_two_equal_keys_counts() {
    let case = Case::user(
        "[record]\nrole = 'one'\n\n[store]\nlock_wait_ms = 1\n[record]\nrole = 'two'\nenabled = false\n\
         [[store]]\nlock_wait_ms = 2\n",
    );
    insta::assert_snapshot!(case.summary(), @r#"
    ~/.config/verger/config.toml:6:2: section "record" also begins on line 1; both are used
    ~/.config/verger/config.toml:7:1: "record.role" is set twice; line 2 is used
    ~/.config/verger/config.toml:9:3: section "store" is not a list; write [store]
    ~/.config/verger/config.toml:10:1: "store.lock_wait_ms" is set twice; line 5 is used
    record.enabled = false from ~/.config/verger/config.toml:8
    record.role = "one" from ~/.config/verger/config.toml:2
    store.lock_wait_ms = 1 from ~/.config/verger/config.toml:5
    "#);
}

#[test]
fn a_broken_statement_costs_only_itself() {
    let mut outcomes = Vec::new();
    for (name, text) in [
        ("word", "[record]\nenabled = flase\nrole = 'kept'\n"),
        ("no equals", "[record]\nenabled\nrole = 'kept'\n"),
        ("no value", "[record]\nenabled =\nrole = 'kept'\n"),
        ("open string", "[record]\nreaders = [\"x\nrole = 'kept'\n"),
        ("open array", "[record]\nreaders = [\n  'x',\n\n[store]\nlock_wait_ms = 7\n"),
        ("array closed late", "[record]\nreaders = ['x'\nrole = 'kept'\nenabled = []]\n"),
        ("missing comma", "[record]\nreaders = [\n  'x'\n  'y'\n]\nrole = 'kept'\n"),
        ("open text", "user.name = '''ann\n[record]\nrole = 'kept'\n"),
        ("open table", "record = { enabled = false\n[store]\nlock_wait_ms = 7\n"),
        (
            "conflict",
            "[record]\n<<<<<<< ours\nrole = 'one'\n=======\nrole = 'two'\n>>>>>>> theirs\n",
        ),
        ("header", "[user]\n[record\nrole = 'lost'\n[store]\nlock_wait_ms = 7\n"),
        ("carriage returns", "[record]\r\nrole = 'kept'\r\n\r\n"),
        ("byte order mark", "\u{feff}[record]\nenabled = ?\nrole = 'kept'"),
        ("nothing", "\n# only a comment"),
    ] {
        let summary = Case::user(text).summary().replace(USER, "");
        outcomes.push(format!("{name}\n{summary}\n"));
    }
    insta::assert_snapshot!(outcomes.join("\n"), @r#"
    word
    :2:11: syntax error: invalid boolean, expected `false`
    record.role = "kept" from :3

    no equals
    :2:8: syntax error: key with no value, expected `=`
    record.role = "kept" from :3

    no value
    :2:10: syntax error: string values must be quoted, expected literal string
    record.role = "kept" from :3

    open string
    :2:11: syntax error: the bracket or quote that opens here is never closed
    record.role = "kept" from :3

    open array
    :2:11: syntax error: the bracket or quote that opens here is never closed
    store.lock_wait_ms = 7 from :6

    array closed late
    :3:1: syntax error: missing comma between array elements, expected `,`
    :4:13: syntax error: unexpected key or value, expected newline, `#`
    record.role = "kept" from :3

    missing comma
    :4:3: syntax error: missing comma between array elements, expected `,`
    record.role = "kept" from :6

    open text
    :1:13: syntax error: the bracket or quote that opens here is never closed
    record.role = "kept" from :3

    open table
    :1:10: syntax error: the bracket or quote that opens here is never closed
    store.lock_wait_ms = 7 from :3

    conflict
    :2:9: syntax error: key with no value, expected `=`
    :4:2: syntax error: extra `=`, expected nothing
    :5:1: "record.role" is set twice; line 3 is used
    :6:9: syntax error: key with no value, expected `=`
    record.role = "one" from :3

    header
    :2:8: syntax error: unclosed table, expected `]`; the keys up to the next section are ignored
    store.lock_wait_ms = 7 from :5

    carriage returns
    record.role = "kept" from :2

    byte order mark
    :2:11: syntax error: string values must be quoted, expected literal string
    record.role = "kept" from :3

    nothing
    "#);
}

#[test]
fn a_file_that_is_no_text_does_not_hide_the_other_layers() {
    let case = Case::user(b"[record]\nrole = '\xff'\n")
        .untrusted(vec![b'#'; MAX_FILE_BYTES + 1])
        .variable("VERGER_RECORD_ROLE", "reviewer");
    insta::assert_snapshot!(case.summary(), @r#"
    ~/.config/verger/config.toml:2:9: the file is not UTF-8 from here on and is ignored
    .verger/config.toml: the file is larger than 1048576 bytes and is ignored
    record.role = "reviewer" from VERGER_RECORD_ROLE
    "#);
}

#[test]
fn problems_are_bounded() {
    let unknown = "x = 1\n".repeat(100) + "store.lock_wait_ms = 7\n";
    let (settings, problems) = Case::user(unknown).resolve();
    assert_eq!((settings.store.lock_wait_ms.value, problems.len()), (7, MAX_PROBLEMS + 1));
    insta::assert_snapshot!(problems[MAX_PROBLEMS], @"~/.config/verger/config.toml:65:1: 36 more problems are not listed");

    let broken = "x = [\n".repeat(100) + "store.lock_wait_ms = 7\n";
    let (settings, problems) = Case::user(broken).resolve();
    assert_eq!((settings, problems.len()), (Settings::default(), MAX_PROBLEMS));
    insta::assert_snapshot!(problems[MAX_PROBLEMS - 1], @"~/.config/verger/config.toml:64:5: syntax error: the bracket or quote that opens here is never closed; too many errors, the rest of the file is ignored");
}
