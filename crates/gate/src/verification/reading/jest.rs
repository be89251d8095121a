//! Parses the JSON of jest and vitest. It is one object on standard output, after any other text.

use std::collections::BTreeSet;

use serde::Deserialize;

use super::{Names, counted};

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Report {
    num_failed_tests: u64,
    num_passed_tests: Option<u64>,
    test_results: Vec<File>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct File {
    name: String,
    status: Option<String>,
    #[serde(default)]
    assertion_results: Vec<Assertion>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Assertion {
    full_name: String,
    status: String,
}

pub(super) fn failing(stdout: &str) -> Names {
    let Some(report) = report(stdout) else {
        return Err("the runner wrote no JSON report".to_owned());
    };
    let mut names = BTreeSet::new();
    let mut listed = 0;
    for file in &report.test_results {
        let before = listed;
        for test in file.assertion_results.iter().filter(|test| test.status == "failed") {
            listed += 1;
            names.insert(format!("{} {}", file.name, test.full_name));
        }
        if listed == before && file.status.as_deref() == Some("failed") {
            return Err(format!("{} failed without naming a test", file.name));
        }
    }
    counted(names, listed, report.num_failed_tests)
}

/// The number of tests that ran. Pending and todo tests don't count.
pub(super) fn ran(stdout: &str) -> Option<u64> {
    let report = report(stdout)?;
    Some(report.num_passed_tests?.saturating_add(report.num_failed_tests))
}

fn report(stdout: &str) -> Option<Report> {
    let starts = stdout
        .match_indices('{')
        .map(|(at, _)| at)
        .filter(|&at| at == 0 || stdout.as_bytes().get(at - 1) == Some(&b'\n'));
    starts.into_iter().find_map(|at| {
        let mut values = serde_json::Deserializer::from_str(&stdout[at..]).into_iter::<Report>();
        values.next()?.ok()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const REPORT: &str = r#"{"numFailedTests":2,"numPassedTests":1,"numPendingTests":3,"success":false,"testResults":[
      {"name":"a.test.js","status":"failed","assertionResults":[
        {"fullName":"sum adds","status":"failed","title":"adds"},
        {"fullName":"sum works","status":"passed","title":"works"},
        {"fullName":"sum adds","status":"failed","title":"adds"}]},
      {"name":"b.test.js","status":"passed","assertionResults":[]}]}"#;

    #[test]
    fn tests_are_named_with_their_file() {
        let names = ["a.test.js sum adds"];
        let noisy = format!("\n> project@1.0.0 test\n> jest --json\n\n{REPORT}\n");
        for stdout in [REPORT, &noisy] {
            assert_eq!(failing(stdout), Ok(names.map(str::to_owned).into()));
        }
    }

    #[test]
    fn those_that_passed_or_failed_ran() {
        assert_eq!(ran(REPORT), Some(3));
        let none =
            r#"{"numFailedTests":0,"numPassedTests":0,"numPendingTests":9,"testResults":[]}"#;
        assert_eq!(ran(none), Some(0));
        assert_eq!(ran(r#"{"numFailedTests":0,"testResults":[]}"#), None);
        assert_eq!(ran("Error: no test specified\n"), None);
    }

    #[test]
    fn a_file_that_names_no_test_leaves_all_unknown() {
        let broken =
            REPORT.replace("b.test.js\",\"status\":\"passed", "b.test.js\",\"status\":\"failed");
        let why = "b.test.js failed without naming a test".to_owned();
        assert_eq!(failing(&broken), Err(why));
        let why = "the runner wrote no JSON report".to_owned();
        assert_eq!(failing("Error: no test specified\n{}\n"), Err(why));
    }
}
