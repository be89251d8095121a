//! What the output of a command, shown in a block of code, says about the work.

use super::sentence::{Sentence, is_in};
use super::signal::Signal;

/// What the output says: that tests passed, or that something went wrong.
pub(super) fn signals(output: &Sentence) -> Vec<Signal> {
    if went_wrong(output) {
        vec![Signal::Broke]
    } else if went_well(output) {
        vec![Signal::Shown]
    } else {
        vec![]
    }
}

/// "56 passed", "ok  app/store 3.877s", "py312: OK".
fn went_well(output: &Sentence) -> bool {
    let counts = output
        .words()
        .windows(2)
        .any(|two| two[0].parse::<u64>().is_ok() && is_in("passed, passing, ok", &two[1]));
    let is_ok =
        |line: &str| line.starts_with("ok ") || line.contains(": ok") || line.contains(".. ok");
    counts || output.text().lines().any(is_ok)
}

/// "error[E0277]: ...", "3 failed", "panicked at".
fn went_wrong(output: &Sentence) -> bool {
    const STARTS: [&str; 7] =
        ["error", "fatal", "panic", "traceback", "failed", "failure", "exception"];
    let words = output.words();
    let counts = words.windows(2).any(|two| {
        let is_some = |word: &str| word.parse::<u64>().is_ok_and(|count| count > 0);
        let is_bad = |word| is_in("failed, failing, failures, failure, errors, error", word);
        (is_some(&two[0]) && is_bad(&two[1])) || (is_bad(&two[0]) && is_some(&two[1]))
    });
    let begins = output
        .text()
        .lines()
        .any(|line| STARTS.iter().any(|start| line.trim_start().starts_with(start)));
    counts || begins
}

#[cfg(test)]
mod tests {
    use super::super::sentence::sentences;
    use super::*;

    #[test]
    fn a_run_that_went_well_is_told_from_one_that_did_not() {
        for (output, expected) in [
            ("56 passed in 4.12s", vec![Signal::Shown]),
            ("test result: ok. 118 passed; 0 failed", vec![Signal::Shown]),
            ("ok  app/store  3.877s", vec![Signal::Shown]),
            ("12 passed, 1 failed", vec![Signal::Broke]),
            ("db1 : ok=37 failed=1", vec![Signal::Broke]),
            ("error[E0277]: not satisfied", vec![Signal::Broke]),
            ("timeout: 60", vec![]),
        ] {
            let found = sentences(&format!("```\n{output}\n```"));
            assert_eq!(found.iter().flat_map(signals).collect::<Vec<_>>(), expected, "{output}");
        }
    }
}
