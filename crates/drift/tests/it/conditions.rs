//! What is forbidden in some case only, and what in every case.

use verger_drift::goal::Constraint::NoPushes;

use crate::constraints::{check, constraints, not};

#[test]
fn what_is_forbidden_in_a_case_that_may_come_is_not_held_against_anybody() {
    for prompt in [
        "If the tests fail, don't touch src/b.rs.",
        "If the tests fail don't touch src/b.rs",
        "Fix src/a.rs. If that breaks the build, do not change src/b.rs, and never push.",
        "If possible, don't touch src/b.rs",
        "If the migration is needed, do not add dependencies.",
        "Unless the tests fail, do not touch src/b.rs.",
        "Unless it is really broken, only touch src/a.rs.",
        "Should the tests fail, do not touch src/b.rs.",
        "In case the build breaks, don't push.",
        "When the tests fail, don't touch src/b.rs.",
        "As long as the tests pass, leave src/b.rs alone.",
        "テストが落ちたら src/b.rs は触らないで",
        "テストが落ちたら、src/b.rs は触らないで",
        "テストが失敗した場合は src/b.rs を変更しないでください",
        "ビルドが通らなければ、プッシュしないで",
        "直せないなら src/b.rs は変更しないで",
        "src/b.rs は、テストが落ちたら触らないで",
    ] {
        assert_eq!(constraints(&[prompt]), [], "{prompt}");
    }
}

#[test]
fn what_is_forbidden_in_every_case_is_forbidden() {
    check(&[
        ("Don't touch src/b.rs, even if the tests fail.", &[not("src/b.rs")]),
        ("Even if the tests fail, don't touch src/b.rs.", &[not("src/b.rs")]),
        ("Whatever happens, do not touch src/b.rs.", &[not("src/b.rs")]),
        ("No matter what, don't touch src/b.rs.", &[not("src/b.rs")]),
        ("Whether the tests pass or not, don't touch src/b.rs.", &[not("src/b.rs")]),
        ("Unless I say so, do not push.", &[NoPushes]),
        ("When fixing this, don't touch src/b.rs.", &[not("src/b.rs")]),
        ("When you are done, do not push.", &[NoPushes]),
        ("If you have questions, ask, but don't touch src/b.rs.", &[not("src/b.rs")]),
        ("If you have time, add a test, and don't touch src/b.rs.", &[not("src/b.rs")]),
        ("If the tests fail, tell me. Don't touch src/b.rs.", &[not("src/b.rs")]),
        ("src/b.rs should not be changed.", &[not("src/b.rs")]),
        ("テストが落ちても src/b.rs は触らないで", &[not("src/b.rs")]),
        ("何があっても、src/b.rs は触らないで", &[not("src/b.rs")]),
        ("終わったら push しないで", &[NoPushes]),
        ("src/b.rs は触ってはいけない", &[not("src/b.rs")]),
        ("src/a.rs を直さなければならないが、src/b.rs は触らないで", &[not("src/b.rs")]),
    ]);
}
