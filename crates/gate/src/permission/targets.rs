//! Judges the names of build targets and of package scripts.

use verger_shell::Word;

use super::scene::Scene;

/// Words in the names of targets that build, check or test.
const BUILDS: &str = "build test tests testing lint linter type types typecheck typing tsc check checks format \
    fmt prettier eslint unit e2e integration coverage cov compile bundle verify validate bench \
    benchmark benchmarks docs doc ci spec specs style stylelint jest vitest mocha cypress \
    playwright pytest mypy ruff flake8 clippy vet all assemble classes jar package help quick \
    smoke debug typescript rubocop phpunit phpstan analyse analyze static clang tidy";

/// Words in the names of targets that do more than build, check or test, such as publishing or
/// removing.
const DOES_MORE: &str = "dev start serve server deploy deployment publish release releases preview clean reset \
    install uninstall migrate migration migrations seed push upload fix update updates upgrade \
    bump version eject docker image setup init bootstrap launch run sync destroy delete remove \
    drop prune wipe purge nuke up down stop restart kill tunnel ssh exec shell console open \
    commit tag tags undeploy apply generate codegen gen provision rollback restore backup \
    import export dist distclean db database sudo root prod production staging accept record \
    snapshot snapshots overwrite force local remote live sign notarize store cloud aws gcp \
    azure k8s kubernetes helm terraform write";

/// Variables of make that only change its output or mode.
const VARIABLES: &[&str] =
    &["V", "VERBOSE", "CI", "DEBUG", "RELEASE", "COVERAGE", "JOBS", "NO_COLOR"];

/// Whether the name is that of a target that builds, checks or tests.
pub(super) fn is_target(name: &str) -> bool {
    if let Some((variable, value)) = name.split_once('=') {
        let is_plain = value.bytes().all(|byte| byte.is_ascii_alphanumeric());
        return VARIABLES.contains(&variable) && is_plain;
    }
    // The number of jobs in `make -j 8` may look like a target.
    if !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_digit()) {
        return true;
    }
    let is_plain = name.chars().all(|c| c.is_ascii_alphanumeric() || ":-_./@+".contains(c));
    let words = words(name);
    is_plain
        && !words.is_empty()
        && words.iter().any(|word| is_among(BUILDS, word))
        && !does_more(name)
}

/// Whether the name is that of a target that publishes, starts or removes something.
pub(super) fn does_more(name: &str) -> bool {
    words(name).iter().any(|word| is_among(DOES_MORE, word))
}

fn is_among(list: &str, word: &str) -> bool {
    list.split(' ').any(|known| known == word)
}

/// The words in names such as `test:unit`, `build-docs` and `assembleDebug`, in lower case.
fn words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut is_new = true;
    for c in name.chars() {
        if !c.is_ascii_alphanumeric() {
            is_new = true;
            continue;
        }
        if is_new || c.is_ascii_uppercase() {
            words.push(String::new());
        }
        is_new = false;
        if let Some(word) = words.last_mut() {
            word.push(c.to_ascii_lowercase());
        }
    }
    words
}

/// Whether the words are the name of a script that builds, checks or tests, and harmless arguments
/// for the script.
pub(super) fn is_script(words: &[&Word], scene: &Scene<'_>) -> bool {
    // After one of these words, another task begins: `mise run lint ::: deploy`.
    let is_next = |word: &&Word| matches!(word.text(), ":::" | "+++");
    words.split_first().is_some_and(|(name, rest)| {
        name.literal().is_some_and(|name| !name.contains('=') && is_target(name))
            && !rest.iter().any(is_next)
            && rest.iter().all(|word| is_inside(word, scene))
    })
}

/// Whether the word is a file or a name in the project, but not a file with credentials. A word
/// with `@` at its start is rejected, because it may name a file with more arguments.
pub(super) fn is_inside(word: &Word, scene: &Scene<'_>) -> bool {
    // The word may name a test in a file: `tests/a.py::test_key`.
    let file = word.text().split("::").next().unwrap_or_default();
    !word.text().starts_with('@')
        && super::files::is_known(word)
        && !word.text().contains("://")
        && !super::paths::is_secret(file)
        && scene.is_inside(word.text())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell_what_is_made() {
        let cases = [
            ("test", true),
            ("test:unit", true),
            ("build-docs", true),
            ("assembleDebug", true),
            (":app:test", true),
            ("typecheck", true),
            ("V=1", true),
            ("8", true),
            ("dev", false),
            ("deploy", false),
            ("test:update", false),
            ("lint:fix", false),
            ("installDebug", false),
            ("clean", false),
            ("migrate", false),
            ("anything", false),
            ("SHELL=x", false),
            ("V=$(x)", false),
            ("test; x", false),
            ("test && x", false),
            ("", false),
        ];
        for (name, expected) in cases {
            assert_eq!(is_target(name), expected, "{name}");
        }
    }
}
