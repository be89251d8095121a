//! Tests of editing configuration files: texts before and after an edit, and property tests with
//! random texts.

use proptest::prelude::*;

use super::*;
use crate::{Layers, ListedSetting, Source, resolve};

fn key(path: &str) -> KeyName {
    KeyName::parse(path).unwrap_or_else(|problem| panic!("{problem}"))
}

#[track_caller]
fn check_set(before: &str, path: &str, value: &str, after: &str) {
    let value = key(path).canonical(value).unwrap();
    assert_eq!(key(path).set_in(before, &value).as_deref(), Ok(after));
}

#[track_caller]
fn check_unset(before: &str, path: &str, after: &str) {
    assert_eq!(key(path).unset_in(before), Ok(Unset::Removed(after.to_owned())));
}

#[test]
fn conflicting_files_stay_unchanged_and_the_error_names_the_line() {
    for (text, line) in [
        ("record = 3\n", 1),
        ("# mine\nrecord = [1]\n[store]\n", 2),
        ("[store]\n\n[record.role]\nx = 1\n", 3),
        ("[[record.role]]\nx = 1\n", 1),
        ("user.name = 'me'\nrecord.role.x = 1\n", 2),
        ("[record]\nrole.x = 1\n", 1),
        ("record = { role.x = 1 }\n", 1),
    ] {
        let message = "record.role cannot be set: it conflicts with text in this file".to_owned();
        let error = EditError { line, column: 1, message };
        assert_eq!(key("record.role").set_in(text, "\"a\""), Err(error), "{text:?}");
    }
}

#[test]
fn a_value_is_put_where_a_person_would_put_it() {
    check_set("", "record.role", "author", "[record]\nrole = \"author\"\n");
    check_set("# mine\n", "record.role", "a", "# mine\n\n[record]\nrole = \"a\"\n");
    check_set("[record]", "record.role", "a", "[record]\nrole = \"a\"\n");
    check_set(
        "[record] # who\nenabled = true\n\n# next\n[store]\nlock_wait_ms = 7\n",
        "record.role",
        "a",
        "[record] # who\nenabled = true\nrole = \"a\"\n\n# next\n[store]\nlock_wait_ms = 7\n",
    );
    check_set(
        "[store]\r\n  lock_wait_ms = 7 # long\r\n",
        "store.lock_wait_ms",
        "9",
        "[store]\r\n  lock_wait_ms = 9 # long\r\n",
    );
    check_set("[store]\r\n", "record.role", "a", "[store]\r\n\r\n[record]\r\nrole = \"a\"\r\n");
    check_set(
        "record.enabled = true",
        "record.role",
        "a",
        "record.enabled = true\nrecord.role = \"a\"\n",
    );
    check_set(
        "record = {enabled=true}\n",
        "record.role",
        "a",
        "record = { role = \"a\",enabled=true}\n",
    );
    check_set("record = {}\n", "record.role", "a", "record = { role = \"a\" }\n");
    check_set("record = { role = 'b' }\n", "record.role", "a", "record = { role = \"a\" }\n");
    check_set(
        "\u{feff}[redact]\nkey_names = [ # all\n  'pin',\n]\n",
        "redact.key_names",
        "puk",
        "\u{feff}[redact]\nkey_names = [\"puk\"]\n",
    );
    check_set(
        "[review]\nreviewer = { # mine\n command = ['a'] } # why\nmode = 'always'\n",
        "review.reviewer",
        "{ command = ['b', 'c'] }",
        "[review]\nreviewer = { command = [\"b\", \"c\"] } # why\nmode = 'always'\n",
    );
    check_set(
        "[foreign]\nrole = 'x'\n",
        "record.role",
        "a",
        "[foreign]\nrole = 'x'\n\n[record]\nrole = \"a\"\n",
    );
}

#[test]
fn a_value_is_taken_out_and_nothing_else() {
    check_unset(
        "[record]\n# why\nrole = 'a' # who\nenabled = true\n",
        "record.role",
        "[record]\n# why\nenabled = true\n",
    );
    check_unset(
        "record.role = 'a'\r\nrecord.enabled = true",
        "record.role",
        "record.enabled = true",
    );
    check_unset("record = { role = 'a' }\n", "record.role", "record = { }\n");
    check_unset(
        "record = { role = 'a', enabled = true }\n",
        "record.role",
        "record = { enabled = true }\n",
    );
    check_unset(
        "record = { enabled = true, role = 'a' }\n",
        "record.role",
        "record = { enabled = true }\n",
    );
    check_unset(
        "[review]\nreviewer = { command = ['a'] }\nmode = 'always'\n",
        "review.reviewer",
        "[review]\nmode = 'always'\n",
    );
    check_unset(
        "[review]\ntemplate_weights.a = 1\nmode = 'always'\ntemplate_weights.b = 2\n",
        "review.template_weights",
        "[review]\nmode = 'always'\n",
    );
    assert_eq!(key("record.role").unset_in("[record]\n[store]\n"), Ok(Unset::Absent));
}

#[test]
fn a_broken_file_is_left_alone_and_its_line_named() {
    let broken = "[record]\nrole = 'a'\nrole = 'b'\n";
    let error = key("record.role").set_in(broken, "\"c\"").unwrap_err();
    insta::assert_snapshot!(error, @"line 3, column 1: duplicate key");
    let error = key("record.role").unset_in("[record]\nrole = [\n").unwrap_err();
    insta::assert_snapshot!(error, @"line 2, column 9: unclosed array, expected `]`");
}

#[test]
fn values_are_typed_as_in_a_file_or_as_in_a_variable() {
    for (path, typed, expected) in [
        ("record.enabled", "true", Ok("true")),
        ("record.enabled", "0", Ok("false")),
        (
            "record.enabled",
            "yes",
            Err("bad value for \"record.enabled\": expected true or false, found other text"),
        ),
        ("record.role", "reviewer", Ok("\"reviewer\"")),
        ("record.role", "'reviewer'", Ok("\"reviewer\"")),
        ("record.role", "true", Ok("\"true\"")),
        (
            "record.role",
            "7\nrecord.enabled = false",
            Err(
                "bad value for \"record.role\": expected a string of 1 to 256 bytes without control characters, found a control character",
            ),
        ),
        (
            "record.role",
            "",
            Err(
                "bad value for \"record.role\": expected a string of 1 to 256 bytes without control characters, found nothing",
            ),
        ),
        ("redact.key_names", "pin, puk", Ok("[\"pin\", \"puk\"]")),
        ("redact.key_names", "['pin']", Ok("[\"pin\"]")),
        ("redact.key_names", "[]", Ok("[]")),
        (
            "redact.key_names",
            "['pin', 7]",
            Err(
                "bad value for \"redact.key_names\": expected at most 64 strings of 1 to 256 bytes without control characters, found an integer in it",
            ),
        ),
        ("review.mode", "always", Ok("\"always\"")),
        ("review.mode", "'always'", Ok("\"always\"")),
        (
            "review.mode",
            "alway",
            Err(
                "bad value for \"review.mode\": expected \"never\", \"prompt\" or \"always\", found other text; did you mean \"always\"?",
            ),
        ),
        (
            "review.reviewer",
            "{command=['codex', 'exec']}",
            Ok("{ command = [\"codex\", \"exec\"] }"),
        ),
        (
            "review.reviewer",
            "{command=[]}",
            Err(
                "bad value for \"review.reviewer\": expected { command = [\"program\", \"argument\"] } with at most 64 strings of 1 to 4096 bytes without control characters, found an empty command",
            ),
        ),
        ("review.template_weights", "short=2, mine=0", Ok("{ mine = 0, short = 2 }")),
        ("review.template_weights", "{ short = 2 }", Ok("{ short = 2 }")),
        ("review.template_weights", "{}", Ok("{}")),
        ("review.template", "random", Ok("\"random\"")),
        ("store.lock_wait_ms", "2_000", Ok("2000")),
        (
            "store.lock_wait_ms",
            "2001",
            Err(
                "bad value for \"store.lock_wait_ms\": expected an integer from 0 to 2000, found 2001",
            ),
        ),
    ] {
        let read = key(path).canonical(typed).map_err(|problem| problem.to_string());
        assert_eq!(read.as_deref().map_err(String::as_str), expected, "{path} {typed:?}");
    }
    let unknown = KeyName::parse("record.roel").map(KeyName::path).unwrap_err();
    insta::assert_snapshot!(unknown, @r#"unknown key "record.roel"; did you mean "record.role"?"#);
}

/// A random configuration file that sets some keys in any valid syntax.
fn file() -> impl Strategy<Value = String> {
    let line = prop_oneof![
        Just("# a comment = 1".to_owned()),
        Just(String::new()),
        Just("  [record]  # who".to_owned()),
        Just("[store]".to_owned()),
        Just("[ \"user\" ]".to_owned()),
        Just("role = 'x' # why".to_owned()),
        Just("enabled=true".to_owned()),
        Just("lock_wait_ms   = 7".to_owned()),
        Just("name = \"\"\"a\n# no comment\n\"\"\"".to_owned()),
        Just("readers = [\n 'ann', # one\n]".to_owned()),
        Just("record.role = 'y'".to_owned()),
        Just("redact = { }".to_owned()),
        Just("redact = {key_names=['a']}".to_owned()),
        Just("record = { enabled = true, role = 'x' }".to_owned()),
        Just("[review]".to_owned()),
        Just("reviewer = { command = ['a'] }".to_owned()),
        Just("review.template_weights.a = 1".to_owned()),
        Just("review.template_weights.b = 2".to_owned()),
        Just("review = { template_weights = { a = 1 }, mode = 'never' }".to_owned()),
    ];
    (proptest::collection::vec(line, 0..8), prop_oneof![Just("\n"), Just("\r\n")])
        .prop_map(|(lines, newline)| lines.join(newline))
}

const TYPED: &[(&str, &str)] = &[
    ("record.enabled", "false"),
    ("record.role", "some one"),
    ("record.readers", "ann, eve"),
    ("user.name", "me"),
    ("redact.key_names", "pin"),
    ("store.lock_wait_ms", "12"),
    ("review.mode", "always"),
    ("review.reviewer", "{ command = ['codex', 'exec'] }"),
    ("review.template_weights", "short = 2"),
];

/// The resolved value of the key `path`, and the values of all other keys.
fn in_force(text: &str, path: &str) -> (String, Vec<String>) {
    let user = Some(Source { file: "config.toml", bytes: text.as_bytes() });
    let (settings, _) = resolve(&Layers { user, ..Layers::default() });
    let (this, others): (Vec<_>, Vec<_>) = settings.list().partition(|listed| listed.path == path);
    let value = |listed: ListedSetting<'_>| listed.value;
    (this.into_iter().map(value).collect(), others.into_iter().map(value).collect())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn setting_a_key_changes_only_that_key(
        text in file(),
        (path, typed) in prop::sample::select(TYPED),
    ) {
        let value = key(path).canonical(typed).unwrap();
        let Ok(after) = key(path).set_in(&text, &value) else {
            // The random text is not valid TOML, so it must not be edited.
            return Ok(());
        };
        let (_, others) = in_force(&text, path);
        prop_assert_eq!(in_force(&after, path), (value.clone(), others.clone()));
        // Setting the key to the same value again must find it and change nothing.
        prop_assert_eq!(key(path).set_in(&after, &value), Ok(after.clone()));
        let Ok(Unset::Removed(without)) = key(path).unset_in(&after) else {
            panic!("it was set: {after:?}");
        };
        let (absent, _) = in_force("", path);
        prop_assert_eq!(in_force(&without, path), (absent, others));
    }

    #[test]
    fn lines_that_do_not_hold_the_key_are_kept(text in file()) {
        let role = key("record.role");
        let Ok(after) = role.set_in(&text, "\"new\"") else { return Ok(()) };
        let kept = |text: &str| -> Vec<String> {
            let lines = text.split('\n').filter(|line| !line.contains("role") && !line.is_empty());
            lines.map(str::to_owned).collect()
        };
        let before = kept(&text);
        let added: Vec<_> = kept(&after).into_iter().filter(|line| !before.contains(line)).collect();
        let sections = ["[record]", "[record]\r", "\r"];
        let last = text.split('\n').next_back().map(|line| format!("{line}\r"));
        prop_assert!(added.iter().all(|line| sections.contains(&line.as_str()) || Some(line) == last.as_ref()), "{:?}", added);
        let mut rest = kept(&after).into_iter();
        prop_assert!(before.iter().all(|line| rest.any(|other| other.trim_end() == line.trim_end())));
    }
}
