//! What is forbidden in some case only, and what in every case.

use verger_drift::goal::Constraint::{NoNewDependencies, NoPushes, NotTopic};
use verger_drift::goal::Topic;

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
        "テストが落ちたら、絶対に、src/b.rs は触らないで",
        "テストが落ちたら src/b.rs は触らないで、push もしないで",
        "その場合、src/b.rs は触らないで",
        "テストが落ちたらもう src/b.rs は触らないで",
        "If needed, don't touch src/b.rs, and never push.",
        "If a test shows a real bug mark it xfail with a reason, dont fix it, i want to see them first",
        "No mocks etc. If a test in tests/a.rs shows a bug, mark it, don't touch it.",
        "If the tests fail tell me, don't touch src/b.rs",
        "Don't touch src/b.rs, if the tests fail.",
        "Fix src/a.rs, don't change src/b.rs, if you can do without it.",
        "Leave src/b.rs alone if the tests pass.",
        "本物のバグなら xfail にして、触らないで",
        "バグなら src/b.rs は触らないで",
        "テストが落ちたらスキップして、触らないで",
        "src/b.rs は触らないで、テストが落ちたら",
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

#[test]
fn what_holds_even_in_a_case_holds_always() {
    check(&[
        ("いかなる場合も src/b.rs は触らないで", &[not("src/b.rs")]),
        ("いかなる場合においても、src/b.rs は触らないで", &[not("src/b.rs")]),
        ("テストが失敗した場合でも src/b.rs は触らないで", &[not("src/b.rs")]),
        ("テストが失敗した場合にも、src/b.rs は触らないで", &[not("src/b.rs")]),
        ("テストが失敗した場合であっても src/b.rs は触らないで", &[not("src/b.rs")]),
        ("今回の場合、src/b.rs は触らないで", &[not("src/b.rs")]),
        ("In no case touch src/b.rs", &[not("src/b.rs")]),
        ("In no case should you touch src/b.rs.", &[not("src/b.rs")]),
        ("On no account change src/b.rs.", &[not("src/b.rs")]),
    ]);
}

#[test]
fn what_waits_for_the_persons_word_is_forbidden_until_then() {
    check(&[
        ("許可がない場合は src/b.rs を触らないで", &[not("src/b.rs")]),
        ("私の指示がない場合、push しないで", &[NoPushes]),
        ("指示がない限り src/b.rs は触らないで", &[not("src/b.rs")]),
    ]);
}

#[test]
fn a_case_ends_with_what_is_to_be_done_then() {
    check(&[
        ("テストが通ったらコミットして、ただし push はしないで", &[NoPushes]),
        ("テストが通ったらコミットして、pushはしないで", &[NoPushes]),
        ("テストが落ちる場合は直して、src/b.rs は触らないで", &[not("src/b.rs")]),
        ("テストが落ちたら、直してください、src/b.rs は触らないで", &[not("src/b.rs")]),
        ("If the tests pass, commit, but do not push.", &[NoPushes]),
        ("Don't touch src/b.rs - if the build fails, ask me.", &[not("src/b.rs")]),
        ("Don't touch src/b.rs, if the build fails, ask me.", &[not("src/b.rs")]),
        ("Don't touch src/b.rs, if the build fails tell me.", &[not("src/b.rs")]),
        ("Don't touch src/b.rs. If the build fails, ask me.", &[not("src/b.rs")]),
        ("No mocks etc. Don't touch src/b.rs.", &[not("src/b.rs")]),
        ("src/b.rs は触らないで、テストが落ちたら教えて", &[not("src/b.rs")]),
        ("それなら src/b.rs は触らないで", &[not("src/b.rs")]),
        ("src/b.rs は触ってはならない。src/b.rs は触らないで", &[not("src/b.rs")]),
        ("If needed, add helpers to src/util.rs, no new dependencies.", &[NoNewDependencies]),
        ("If needed, add helpers to src/util.rs, don't touch src/b.rs.", &[not("src/b.rs")]),
    ]);
}

#[test]
fn a_condition_on_what_the_agent_does_forbids_it() {
    check(&[
        ("Clean up src/a.rs, provided that you don't touch src/b.rs.", &[not("src/b.rs")]),
        ("Clean up src/a.rs, as long as you do not touch src/b.rs.", &[not("src/b.rs")]),
    ]);
}

#[test]
fn the_file_that_is_worked_on_meanwhile_is_not_forbidden() {
    check(&[
        ("src/a.rs を直すなら src/b.rs は触らないで。", &[not("src/b.rs")]),
        ("src/a.rs を修正するなら src/b.rs は触らないで。", &[not("src/b.rs")]),
        ("src/a.rs を直すときは src/b.rs は触らないで。", &[not("src/b.rs")]),
        ("src/a.rs を修正する際は src/b.rs は触らないで。", &[not("src/b.rs")]),
        ("`src/a.rs` を直すのに `src/b.rs` は触らないで。", &[not("src/b.rs")]),
        ("src/a.rs を直すときはテストは触らないで。", &[NotTopic(Topic::Tests)]),
    ]);
}
