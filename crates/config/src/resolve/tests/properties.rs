//! Property tests of resolving settings, with random input.

use proptest::collection::vec;
use proptest::prelude::*;

use super::Case;
use crate::MAX_PROBLEMS;
use crate::keys::{KEYS, Key};

const VALUES: &[&str] = &[
    "true",
    "false",
    "0",
    "2000",
    "1",
    "'ann'",
    "'eve'",
    "ann",
    "ann,eve",
    "[]",
    "['ann']",
    "['ann', 'eve']",
    "['pin']",
    "['puk']",
    "{}",
    "'always'",
    "never",
    "'session'",
    "'tool'",
    "'block'",
    "{ command = ['x'] }",
    "{ a = 1 }",
    "a=1",
    "",
    "[",
    "{",
    "\"",
    "'",
    "'''",
    "\"\"\"",
];

/// A random text that resembles a value. It is often a valid value of some key.
fn value() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => prop::sample::select(VALUES).prop_map(str::to_owned),
        1 => "\\PC{0,12}",
    ]
}

/// A random text that resembles a line of a configuration file. It is often a valid line.
fn line() -> impl Strategy<Value = String> {
    let path = prop::sample::select(KEYS.iter().map(Key::path).collect::<Vec<_>>());
    let name = prop::sample::select(KEYS.iter().map(|key| key.name).collect::<Vec<_>>());
    let section = prop::sample::select(KEYS.iter().map(|key| key.section).collect::<Vec<_>>());
    prop_oneof![
        4 => (path, value()).prop_map(|(path, value)| format!("{path} = {value}")),
        4 => (name, value()).prop_map(|(name, value)| format!("{name} = {value}")),
        2 => section.clone().prop_map(|section| format!("[{section}]")),
        1 => (section, value()).prop_map(|(section, value)| format!("{section} = {{ {value}")),
        1 => "\\PC{0,12}",
        1 => any::<String>(),
    ]
}

fn file() -> impl Strategy<Value = String> {
    vec(line(), 0..12).prop_map(|lines| lines.join("\n"))
}

fn environment() -> impl Strategy<Value = Vec<(String, String)>> {
    let variable = prop::sample::select(KEYS.iter().map(Key::variable).collect::<Vec<_>>());
    vec((prop_oneof![4 => variable, 1 => "VERGER_[A-Z_]{0,12}"], value()), 0..6)
}

fn with_environment(case: Case, environment: &[(String, String)]) -> Case {
    environment.iter().fold(case, |case, (name, value)| case.variable(name, value))
}

proptest! {
    #[test]
    fn any_bytes_are_a_configuration(user in vec(any::<u8>(), 0..200), text in any::<String>()) {
        let case = Case::user(user).untrusted(text.as_str());
        let (_, problems) = case.variable(format!("VERGER_{text}"), text).resolve();
        for problem in problems {
            let text = problem.to_string();
            prop_assert!(!text.contains(char::is_control), "{:?}", text);
        }
    }

    #[test]
    fn an_untrusted_project_and_the_environment_never_loosen(
        user in file(),
        project in file(),
        environment in environment(),
    ) {
        let (alone, _) = Case::user(user.as_str()).resolve();
        let case = Case::user(user).untrusted(project);
        let (settings, _) = with_environment(case, &environment).resolve();
        for key in KEYS {
            prop_assert!((key.is_as_strict)(&settings, &alone), "{} {:?}", key.path(), settings);
        }
    }

    #[test]
    fn the_environment_never_loosens_what_a_trusted_project_says(
        user in file(),
        project in file(),
        environment in environment(),
    ) {
        let case = Case::user(user).trusted(project);
        let (below, _) = case.resolve();
        let (settings, _) = with_environment(case, &environment).resolve();
        for key in KEYS {
            prop_assert!((key.is_as_strict)(&settings, &below), "{} {:?}", key.path(), settings);
        }
    }

    #[test]
    fn a_whole_section_counts_whatever_stands_before_it(
        before in vec(
            prop_oneof![any::<String>(), value().prop_map(|value| format!("x = {value}"))],
            0..8,
        )
    ) {
        let text = format!("{}\n[store]\nlock_wait_ms = 7\n", before.join("\n"));
        let (settings, problems) = Case::user(text.as_str()).resolve();
        prop_assert!(problems.len() < MAX_PROBLEMS);
        prop_assert_eq!(settings.store.lock_wait_ms.value, 7, "{:?} {:?}", text, problems);
    }
}
