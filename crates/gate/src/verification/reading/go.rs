//! Parses the events of `go test -json`, one JSON object a line.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;

use super::Names;

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Told<'a> {
    #[serde(borrow)]
    action: &'a str,
    package: Option<String>,
    test: Option<String>,
}

pub(super) fn failing(stdout: &str) -> Names {
    // If a package failed without a failed test, it couldn't be built, or its test program exited
    // early.
    let mut packages: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut ended = BTreeSet::new();
    // A line that isn't an event comes from another program.
    let events = stdout.lines().filter_map(|line| serde_json::from_str::<Told<'_>>(line).ok());
    for Told { action, package, test } in events {
        let Some(package) = package.filter(|_| action == "fail") else { continue };
        match test {
            Some(test) => packages.entry(package).or_default().extend([test]),
            None => ended.extend([package]),
        }
    }
    if ended.is_empty() {
        return Err("the tests failed before any package finished".to_owned());
    }
    if let Some(package) = ended.iter().find(|package| !packages.contains_key(*package)) {
        return Err(format!("package {package} failed without naming a test"));
    }
    let named = packages
        .iter()
        .flat_map(|(package, tests)| tests.iter().map(move |test| format!("{package} {test}")));
    Ok(named.collect())
}

/// The number of tests that ended and weren't skipped. Each subtest counts.
pub(super) fn ran(stdout: &str) -> Option<u64> {
    let events = stdout.lines().filter_map(|line| serde_json::from_str::<Told<'_>>(line).ok());
    let mut has_package = false;
    let mut count = 0;
    for Told { action, package, test } in events {
        let is_end = matches!(action, "pass" | "fail");
        // `go test` reports a package without tests as skipped.
        has_package |= package.is_some() && (is_end || action == "skip");
        count += u64::from(is_end && test.is_some());
    }
    has_package.then_some(count)
}

#[cfg(test)]
mod tests {
    use super::*;

    const RUN: &str = r#"{"Time":"2026-01-01T00:00:00Z","Action":"start","Package":"example/a"}
{"Action":"run","Package":"example/a","Test":"TestOne"}
{"Action":"output","Package":"example/a","Test":"TestOne","Output":"    a_test.go:6: \"no\"\n"}
{"Action":"fail","Package":"example/a","Test":"TestOne/sub","Elapsed":0}
{"Action":"fail","Package":"example/a","Test":"TestOne","Elapsed":0}
{"Action":"fail","Package":"example/a","Elapsed":0.01}
{"Action":"pass","Package":"example/b","Test":"TestTwo","Elapsed":0}
{"Action":"pass","Package":"example/b","Elapsed":0.01}
"#;

    #[test]
    fn tests_are_named_with_their_package() {
        let names = ["example/a TestOne", "example/a TestOne/sub"];
        assert_eq!(failing(RUN), Ok(names.map(str::to_owned).into()));
        let noisy = format!("go: downloading example.com/c v1.0.0\n{RUN}");
        assert_eq!(failing(&noisy), Ok(names.map(str::to_owned).into()));
    }

    #[test]
    fn tests_that_ended_are_counted() {
        let empty = r#"{"Action":"start","Package":"example/d"}
{"Action":"output","Package":"example/d","Output":"?   \texample/d\t[no test files]\n"}
{"Action":"skip","Package":"example/d","Elapsed":0}
"#;
        let filtered = r#"{"Action":"pass","Package":"example/a","Elapsed":0.01}"#;
        assert_eq!(ran(&format!("{RUN}{empty}")), Some(3));
        assert_eq!([ran(empty), ran(filtered)], [Some(0), Some(0)]);
        assert_eq!(ran("go: cannot find main module\n"), None);
    }

    #[test]
    fn a_package_that_names_no_test_leaves_all_unknown() {
        let built = r#"{"ImportPath":"example/c","Action":"build-fail"}
{"Action":"fail","Package":"example/c","Elapsed":0,"FailedBuild":"example/c"}"#;
        let why = "package example/c failed without naming a test".to_owned();
        assert_eq!(failing(&format!("{RUN}{built}\n")), Err(why));
        let why = "the tests failed before any package finished".to_owned();
        assert_eq!(failing(""), Err(why));
    }
}
