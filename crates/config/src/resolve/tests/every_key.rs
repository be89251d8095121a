//! The table test: each key in each layer, under the rule of its class, with bad values.

use super::{Case, USER};
use crate::keys::{KEYS, Key};
use crate::layers::{Layers, Origin};
use crate::rule::Class;
use crate::{Problem, Settings, resolve};

/// Values of one key, as they stand in a file and in a variable.
struct Samples {
    path: &'static str,
    /// What the user's file says in the cases below.
    user: (&'static str, &'static str),
    /// A value that any layer of the key's class may give on top of `user`.
    allowed: (&'static str, &'static str),
    /// `allowed` on top of `user`, as rendered: differs where layers add up.
    together: &'static str,
    /// A value that a tighten-only key refuses on top of `user`.
    looser: Option<(&'static str, &'static str)>,
    bad: &'static [&'static str],
    bad_variable: Option<&'static str>,
}

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
];

fn line(key: &Key, value: &str) -> String {
    format!("{} = {value}\n", key.path())
}

fn rendered(settings: &Settings, key: &Key) -> String {
    (key.render)(settings)
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

        check_taken(&trusted, key, samples.together);
        match key.class {
            Class::Free | Class::TightenOnly => {
                check_taken(&untrusted, key, samples.together);
                check_taken(&by_variable, key, samples.together);
            }
            Class::NeedsTrust => {
                check_refused(&untrusted, key, "untrusted");
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

/// Samples are written the way values are rendered, except where they are about spelling.
fn canonical(value: &str) -> String {
    value.replace('_', "")
}

#[test]
fn every_key_refuses_a_bad_value_and_keeps_the_lower_one() {
    for (key, samples) in KEYS.iter().zip(SAMPLES) {
        let user = Case::user(line(key, samples.user.0));
        for bad in samples.bad {
            check_refused(&user.clone().trusted(line(key, bad)), key, "bad-value");
            let (settings, problems) = Case::user(line(key, bad)).resolve();
            assert_eq!(settings, Settings::default(), "{} = {bad}", key.path());
            assert_eq!(problems.len(), 1, "{} = {bad}", key.path());
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
    assert_eq!((settings, problems), (Settings::default(), Vec::new()));
}
