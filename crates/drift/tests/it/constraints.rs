//! What instructions are taken to forbid.

use std::collections::BTreeSet;

use verger_drift::PathPattern;
use verger_drift::goal::{Allowed, Constraint, Goal, Topic};

use Constraint::{
    NoCommits, NoDeletions, NoEdits, NoNewDependencies, NoPushes, NoReformatting, NoVersionBumps,
    NotExisting, NotTopic,
};

fn constraints(prompts: &[&str]) -> Vec<Constraint> {
    let mut goal = Goal::default();
    for prompt in prompts {
        goal.hear(prompt, Some("/home/dev/app"));
    }
    goal.constraints
}

fn not(path: &str) -> Constraint {
    Constraint::NotPath(PathPattern::new(path))
}

fn only(path: &str) -> Constraint {
    Constraint::Only(vec![Allowed::Path(PathPattern::new(path))])
}

fn named(words: &[&str]) -> Topic {
    Topic::Named(words.iter().map(|word| (*word).to_owned()).collect::<BTreeSet<_>>())
}

fn check(cases: &[(&str, &[Constraint])]) {
    let wrong: Vec<String> = cases
        .iter()
        .map(|(prompt, expected)| (prompt, expected, constraints(&[prompt])))
        .filter(|(_, expected, found)| *expected != found)
        .map(|(prompt, expected, found)| format!("{prompt}\n    {found:?}\n    {expected:?}"))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn places_are_forbidden_in_many_words() {
    check(&[
        ("Add a filter. Don't touch anything in legacy/.", &[not("legacy/")]),
        (
            "Don't change package.json or the lockfile.",
            &[not("package.json"), NotTopic(Topic::Build)],
        ),
        ("Leave everything in vendor/ as it is.", &[not("vendor/")]),
        ("Keep src/legacy untouched.", &[not("src/legacy")]),
        ("app/models/user.rb is off limits.", &[not("app/models/user.rb")]),
        ("the public API must not change (openapi.yaml stays as it is)", &[not("openapi.yaml")]),
        ("stay out of infra/", &[not("infra/")]),
        ("Keep your hands off infra/.", &[not("infra/")]),
        ("I'd rather you didn't touch vendor/.", &[not("vendor/")]),
        ("generated/ は編集不可", &[not("generated/")]),
        ("config/app.yml には手を入れないで", &[not("config/app.yml")]),
        ("Do not touch the public API (include/imgload.h).", &[not("include/imgload.h")]),
        ("package.json は変更禁止", &[not("package.json")]),
        ("legacy/ には手を付けないで", &[not("legacy/")]),
    ]);
}

#[test]
fn what_files_have_in_common_is_forbidden_by_a_word() {
    check(&[
        ("I don't want the test itself changed, the race is elsewhere.", &[NotTopic(Topic::Tests)]),
        (
            "Don't touch the schema and no new dependencies.",
            &[NotTopic(Topic::Schema), NoNewDependencies],
        ),
        ("Leave the tests alone, they are correct.", &[NotTopic(Topic::Tests)]),
        ("Fix it without touching the database schema.", &[NotTopic(Topic::Schema)]),
        ("No changes to the frontend.", &[NotTopic(named(&["fronte"]))]),
        ("hands off the session store though", &[NotTopic(named(&["sess", "stor"]))]),
        ("Keep the existing tests unchanged.", &[NotExisting(Topic::Tests)]),
        ("Never edit migrations that already ran.", &[NotExisting(Topic::Schema)]),
        ("テストは変更しないでください。", &[NotTopic(Topic::Tests)]),
        ("既存のテストには触らないで。", &[NotExisting(Topic::Tests)]),
        ("CSSは触らないでください。", &[NotTopic(Topic::Styles)]),
        ("DBのスキーマは絶対に変更しないこと。", &[NotTopic(Topic::Schema)]),
        ("DB のマイグレーションは追加しないで", &[NotTopic(Topic::Schema)]),
        ("フロントエンドは触らないで", &[NotTopic(named(&["fronte"]))]),
    ]);
}

#[test]
fn only_some_places_may_change() {
    let with_tests = Constraint::Only(vec![
        Allowed::Path(PathPattern::new("src/config")),
        Allowed::Topic(Topic::Tests),
    ]);
    check(&[
        ("Do it in src/parser.rs and nowhere else.", &[only("src/parser.rs")]),
        ("src/api だけ直して", &[only("src/api")]),
        ("Only edit files under src/parser.", &[only("src/parser")]),
        ("Change only src/config.ts.", &[only("src/config.ts")]),
        ("Just change README.md, nothing else.", &[only("README.md")]),
        ("Please restrict yourself to packages/ui.", &[only("packages/ui")]),
        ("Nothing outside crates/parser may change.", &[only("crates/parser")]),
        ("Only src/config may change, plus tests.", &[with_tests]),
        (
            "Docs only, no code changes.",
            &[Constraint::Only(vec![Allowed::Topic(Topic::Documents)])],
        ),
        ("src/api 以外は変更しないでください", &[only("src/api")]),
        ("src/api だけ変更してください", &[only("src/api")]),
        ("README以外は編集しないでください", &[only("README")]),
    ]);
}

#[test]
fn acts_are_forbidden() {
    let outside = Constraint::NoNewFiles { outside: Some(PathPattern::new("src/payment")) };
    check(&[
        ("Parse it. No new dependencies.", &[NoNewDependencies]),
        ("Fix it without adding new packages.", &[NoNewDependencies]),
        ("Use only the standard library.", &[NoNewDependencies]),
        ("新しいライブラリは入れないで", &[NoNewDependencies]),
        ("依存関係を増やさずに実装して", &[NoNewDependencies]),
        ("Do not commit, I will do that myself.", &[NoCommits]),
        ("Don't commit or tag anything.", &[NoCommits]),
        ("Don't push yet.", &[NoPushes]),
        ("コミットはしないでください", &[NoCommits]),
        ("プッシュはまだしないで", &[NoPushes]),
        ("Do not create new files.", &[Constraint::NoNewFiles { outside: None }]),
        ("no new files outside src/payment", &[outside]),
        ("Don't bump the version.", &[NoVersionBumps]),
        ("package.jsonのバージョンは上げないで。", &[NoVersionBumps]),
        ("don't reformat anything", &[NoReformatting]),
        ("Don't delete any files.", &[NoDeletions]),
        ("don't run cargo fmt", &[Constraint::NotRun("cargo fmt".to_owned())]),
        ("Do not run `make deploy`.", &[Constraint::NotRun("make deploy".to_owned())]),
        ("no `unsafe`", &[Constraint::NotUse("unsafe".to_owned())]),
        ("Don't use lodash.", &[Constraint::NotUse("lodash".to_owned())]),
    ]);
}

#[test]
fn only_an_answer_is_wanted() {
    let prompts = [
        "I only want an explanation, don't edit anything.",
        "Just explain how it works, do not modify any files.",
        "Analyse it. Read only: no edits.",
        "Plan only: how would you split it?",
        "Don't write any code yet, I want to read the plan first.",
        "why is it slow? don't change anything yet",
        "コードは変更せず、原因だけ教えて",
        "計画だけ書いて。実装はまだしないで。",
        "コードはまだ変更しないでください。",
    ];
    for prompt in prompts {
        assert_eq!(constraints(&[prompt]), [NoEdits], "{prompt}");
    }
}

#[test]
fn what_is_wanted_is_not_forbidden_by_standing_beside_it() {
    check(&[
        ("Refactor src/lib.rs without touching web/", &[not("web/")]),
        ("Leave web/ alone and fix src/a.rs", &[not("web/")]),
        ("The headers in include/ are frozen - leave them alone.", &[not("include/")]),
        ("Without changing the public API, refactor src/lib.rs", &[]),
        ("Keep src/b.rs as it is, change src/a.rs", &[not("src/b.rs")]),
        ("Don't edit src/gen.rs directly, change build.rs instead", &[not("src/gen.rs")]),
        ("Don't forget to update docs/api.md and CHANGELOG.md", &[]),
        ("The CLI must not delete files without asking: fix src/rm.rs", &[]),
        ("The button in web/button.tsx must not change its color on hover. Fix that.", &[]),
        ("The function should not change the input list in src/sort.py. Fix it.", &[]),
        ("テストは変更せずに src/auth.rs のバグを直してください", &[NotTopic(Topic::Tests)]),
        ("src/a.rs を変更せずに src/b.rs を修正してください", &[not("src/a.rs")]),
    ]);
}

#[test]
fn how_something_is_used_is_in_no_place() {
    check(&[
        ("Split it up, but leave the public API of UploadClient as it is.", &[]),
        ("Don't change the signature of `load`.", &[]),
        ("Don't change the public API of crates/parser (semver!).", &[]),
        ("Please don't alter the behaviour of src/cache.rs.", &[]),
        ("依存は増やさない、pkg/ 以下の公開関数のシグネチャは変えない", &[NoNewDependencies]),
        ("src/cache.rs の挙動は変えないで", &[]),
        ("The tests must keep passing as they are.", &[]),
    ]);
}

/// What programs must not do is not what the agent must not do.
#[test]
fn a_not_is_not_always_a_prohibition() {
    let prompts = [
        "Please do not modify the public API.",
        "Do not refactor unrelated code.",
        "The config format must not change.",
        "Don't worry about the tests.",
        "Do not forget to add a test.",
        "Don't hesitate to ask.",
        "It should not crash when the list is empty.",
        "The button should not be visible for guests.",
        "Users must not be able to change their email.",
        "It fails only in src/foo.rs when run twice.",
        "The function must not return null.",
        "Make sure we don't break the existing behaviour.",
        "Without the flag it should print nothing.",
        "I can't log in, the page stays blank.",
        "There is no test for it, add one.",
        "There are no new messages shown.",
        "We cannot change the version on production.",
        "Why is there no cache?",
        "No behaviour change.",
        "公開APIは変えないで",
        "挙動は変えないこと",
        "エラーが出ないようにして",
        "空のときに落ちないようにしてください",
        "ユーザーが見つからない場合は何もしない",
        "削除しないと容量が足りない",
    ];
    for prompt in prompts {
        assert_eq!(constraints(&[prompt]), [], "{prompt}");
    }
}

#[test]
fn later_instructions_add_to_what_is_forbidden_lift_it_or_end_it() {
    let task = "Upgrade the time crate in the workspace. Leave crates/ffi alone.";
    assert_eq!(constraints(&[task, "go on"]), [not("crates/ffi")]);
    assert_eq!(constraints(&[task, "also don't push"]), [NoPushes, not("crates/ffi")]);
    assert_eq!(constraints(&[task, "ok, you may change crates/ffi"]), []);
    let plan = "Plan only: how would you split it?";
    assert_eq!(constraints(&[plan, "sounds good, go ahead"]), []);
    let next = "Now something else: the export of invoices is broken, repair it.";
    assert_eq!(
        constraints(&["Fix it. Only src/a may change, and don't commit.", next]),
        [NoCommits]
    );
    let tests = "Now something else: write tests for the invoices export.";
    assert_eq!(constraints(&["Fix the sum. Don't change the tests.", tests]), []);
}

/// A part of what is forbidden may be allowed.
#[test]
fn what_is_allowed_again_is_allowed_alone() {
    let mut goal = Goal::default();
    goal.hear("Upgrade time. Leave crates/ffi alone.", None);
    goal.hear("for that you may change crates/ffi/Cargo.toml, but nothing else in there", None);
    assert_eq!(
        (goal.constraints, goal.allowed),
        (vec![not("crates/ffi")], vec![not("crates/ffi/Cargo.toml")])
    );
}
