//! What instructions are taken to forbid.

use std::collections::BTreeSet;

use verger_drift::PathPattern;
use verger_drift::goal::{Allowed, Constraint, Goal, Topic};

use Constraint::{
    NoCommits, NoDeletions, NoEdits, NoNewDependencies, NoPushes, NoReformatting, NoVersionBumps,
    NotExisting, NotTopic,
};

pub(crate) fn constraints(prompts: &[&str]) -> Vec<Constraint> {
    let mut goal = Goal::default();
    for prompt in prompts {
        goal.hear(prompt, Some("/home/dev/app"));
    }
    goal.constraints
}

pub(crate) fn not(path: &str) -> Constraint {
    Constraint::NotPath(PathPattern::new(path))
}

fn only(path: &str) -> Constraint {
    Constraint::Only(vec![Allowed::Path(PathPattern::new(path))])
}

fn named(words: &[&str]) -> Topic {
    Topic::Named(words.iter().map(|word| (*word).to_owned()).collect::<BTreeSet<_>>())
}

pub(crate) fn check(cases: &[(&str, &[Constraint])]) {
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
        ("No changes to the frontend.", &[NotTopic(named(&["frontend"]))]),
        ("hands off the session store though", &[NotTopic(named(&["session", "store"]))]),
        ("Keep the existing tests unchanged.", &[NotExisting(Topic::Tests)]),
        ("Never edit migrations that already ran.", &[NotExisting(Topic::Schema)]),
        ("テストは変更しないでください。", &[NotTopic(Topic::Tests)]),
        ("既存のテストには触らないで。", &[NotExisting(Topic::Tests)]),
        ("CSSは触らないでください。", &[NotTopic(Topic::Styles)]),
        ("DBのスキーマは絶対に変更しないこと。", &[NotTopic(Topic::Schema)]),
        ("DB のマイグレーションは追加しないで", &[NotTopic(Topic::Schema)]),
        ("フロントエンドは触らないで", &[NotTopic(named(&["フロントエンド"]))]),
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
    let text = "Where does the address end up? Write it down in docs/flow.md. Don't change code.";
    assert_eq!(constraints(&[text, "also look at src/mail.rs"]), [NotTopic(Topic::Code)]);
    assert_eq!(constraints(&[text, "sounds good, go ahead"]), []);
    assert_eq!(constraints(&[text, next]), []);
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

/// What is forbidden, and what is allowed all the same, as it is told.
fn told(prompt: &str) -> String {
    let mut goal = Goal::default();
    goal.hear(prompt, Some("/home/dev/app"));
    let forbidden = goal.constraints.iter().map(ToString::to_string);
    let allowed = goal.allowed.iter().map(|one| format!("but for: {one}"));
    forbidden.chain(allowed).collect::<Vec<_>>().join("; ")
}

fn check_told(cases: &[(&str, &str)]) {
    let wrong: Vec<String> = cases
        .iter()
        .map(|(prompt, expected)| (prompt, expected, told(prompt)))
        .filter(|(_, expected, found)| *expected != found)
        .map(|(prompt, expected, found)| format!("{prompt}\n    {found}\n    {expected}"))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What is excepted from all is forbidden, and what is excepted from nothing alone is allowed.
#[test]
fn an_exception_is_the_opposite_of_the_rest() {
    check_told(EXCEPTIONS);
}

#[test]
fn people_forbid_in_many_ways() {
    check_told(FORBIDDING);
}

/// What others do not do, what is there not, what the agent may decide, and how something is to be done.
#[test]
fn what_is_described_or_left_to_the_agent_is_not_forbidden() {
    let wrong: Vec<(&str, String)> = DESCRIBING
        .iter()
        .map(|prompt| (*prompt, told(prompt)))
        .filter(|(_, found)| !found.is_empty())
        .collect();
    assert_eq!(wrong, []);
}

const EXCEPTIONS: &[(&str, &str)] = &[
    ("src/a.rs と src/b.rs 以外は触らないで", "change only src/a.rs, src/b.rs"),
    ("src/a.rs、src/b.rs 以外は変更しないでください", "change only src/a.rs, src/b.rs"),
    ("Rename loadUser everywhere except legacy/", "do not change legacy/"),
    ("Rename loadUser everywhere but in legacy/", "do not change legacy/"),
    ("Update the license header in all files but legacy/", "do not change legacy/"),
    ("You can change anything other than src/gen.rs", "do not change src/gen.rs"),
    ("Feel free to edit everything except src/gen.rs", "do not change src/gen.rs"),
    ("Anything except src/gen.rs may be changed", "do not change src/gen.rs"),
    ("Fix the lint warnings in all files except for those in vendor/", "do not change vendor/"),
    ("Format all files apart from vendor/", "do not change vendor/"),
    ("Everything besides vendor/ is fair game", "do not change vendor/"),
    ("clean up all modules, excluding vendor/", "do not change vendor/"),
    ("clean up all modules with the exception of vendor/", "do not change vendor/"),
    ("clean up every module save for vendor/", "do not change vendor/"),
    ("Refactor everything except the tests", "do not change tests"),
    ("refactor everything but the tests", "do not change tests"),
    ("Change whatever you like except the docs", "do not change documentation"),
    ("Leave everything but src/a.rs alone", "change only src/a.rs"),
    ("Leave everything except src/a.rs as it is", "change only src/a.rs"),
    ("Touch nothing but src/a.rs", "change only src/a.rs"),
    ("Don't touch anything except src/a.rs", "change only src/a.rs"),
    ("Don't touch anything but src/a.rs", "change only src/a.rs"),
    ("Don't change any files other than src/a.rs", "change only src/a.rs"),
    ("No changes to anything but src/a.rs please", "change only src/a.rs"),
    ("Everything except src/a.rs is off limits", "change only src/a.rs"),
    ("Everything but src/a.rs stays untouched", "change only src/a.rs"),
    ("Nothing except src/a.rs may change", "change only src/a.rs"),
    ("never modify anything apart from src/a.rs", "change only src/a.rs"),
    ("Don't touch anything except the tests", "change only tests"),
    ("leave everything but the tests alone", "change only tests"),
    ("Don't touch src/ except for src/a.rs", "do not change src/; but for: do not change src/a.rs"),
    ("Don't touch src/ except src/a.rs", "do not change src/; but for: do not change src/a.rs"),
    ("legacy/ 以外すべてのファイルで loadUser を改名して", "do not change legacy/"),
    ("legacy/以外すべて直して", "do not change legacy/"),
    ("legacy/ 以外の全ファイルを修正してください", "do not change legacy/"),
    ("legacy/ 以外は自由に変更していいです", "do not change legacy/"),
    ("legacy/ 以外ならどこを変更しても構いません", "do not change legacy/"),
    ("legacy/ を除いてすべて整形して", "do not change legacy/"),
    ("legacy/ を除くすべてのファイルを更新して", "do not change legacy/"),
    ("src/a.rs 以外は変更しないで", "change only src/a.rs"),
    ("src/a.rs 以外変更禁止", "change only src/a.rs"),
    ("src/a.rs 以外のファイルには触らないでください", "change only src/a.rs"),
    ("src/a.rs 以外は全部そのままで", "change only src/a.rs"),
    ("src/a.rs を除いて変更しないで", "change only src/a.rs"),
    ("テスト以外すべて修正して", "do not change tests"),
    ("テスト以外を全部リファクタリングして", "do not change tests"),
    ("テスト以外は変更しないで", "change only tests"),
    ("テスト以外は触らないでください", "change only tests"),
    ("ログイン以外は触らないで、リダイレクトを直して", "change only what is named ログイン"),
    ("課金以外は変更しないで", "change only what is named 課金"),
    (
        "Do not add dependencies, except for serde.",
        "no new dependencies; but for: do not use serde",
    ),
    ("Do not touch src/b.rs (except for the imports)", ""),
    ("Do not touch src/b.rs except for its imports", ""),
];

const FORBIDDING: &[(&str, &str)] = &[
    (
        "Rules: new migration only, never edit anything already in db/migrations (they ran in prod).",
        "do not change existing schemas and migrations",
    ),
    (
        "add tests for the parser. production code must remain as is",
        "do not change production code",
    ),
    ("Leave the production code alone, please", "do not change production code"),
    ("the code in third_party/ is not ours to edit", "do not change third_party/"),
    ("gen/ is generated, don't hand edit it", "do not change gen/"),
    ("add logging to worker.py, but not to scheduler.py", "do not change scheduler.py"),
    ("fix it in api/, and not in web/", "do not change web/"),
    ("Stick to packages/core for this one.", "change only packages/core"),
    ("Don't upgrade anything while you're at it.", "do not raise versions"),
    ("Do not open a PR yet", "do not push"),
    ("テストを追加して。プロダクションコードは変更しないで", "do not change production code"),
    ("コミットしないで", "do not commit"),
    ("コミットはまだしないでください", "do not commit"),
    ("勝手にコミットしないこと", "do not commit"),
    ("コミット禁止", "do not commit"),
    ("コミットは不要です", "do not commit"),
    ("コミットは私がやります", "do not commit"),
    ("コミットやプッシュはしないでください", "do not commit; do not push"),
    ("pushはしないで", "do not push"),
    ("プッシュしないでね", "do not push"),
    ("mainへのプッシュは禁止です", "do not push"),
    ("テストは触らないで", "do not change tests"),
    ("テストコードは変更しないでください", "do not change tests"),
    ("テストを変えずに直して", "do not change tests"),
    ("src/b.rs は触らないで", "do not change src/b.rs"),
    ("src/b.rsには触れないでください", "do not change src/b.rs"),
    ("src/b.rs は変更しない", "do not change src/b.rs"),
    ("src/b.rs は変更対象外", "do not change src/b.rs"),
    ("src/b.rs はそのままにしておいて", "do not change src/b.rs"),
    ("src/a.rs を直して。src/b.rs は変更不可。", "do not change src/b.rs"),
    ("src/b.rs をいじらないで", "do not change src/b.rs"),
    ("src/b.rs を変更してはいけません", "do not change src/b.rs"),
    ("src/b.rs は編集しないでほしい", "do not change src/b.rs"),
    ("src/b.rs と src/c.rs は変更しないで", "do not change src/b.rs; do not change src/c.rs"),
    (
        "以下のファイルは変更しないでください：\n- src/b.rs\n- src/c.rs",
        "do not change src/b.rs; do not change src/c.rs",
    ),
    ("変更禁止:\n- src/b.rs\n- src/c.rs", "do not change src/b.rs; do not change src/c.rs"),
    ("src/a.rs だけを変更してください", "change only src/a.rs"),
    ("変更は src/a.rs のみでお願いします", "change only src/a.rs"),
    ("変更するのは src/a.rs だけにして", "change only src/a.rs"),
    ("src/a.rs のみ修正、コミットはしない", "do not commit; change only src/a.rs"),
    ("依存は追加しないでください", "no new dependencies"),
    ("ライブラリの追加は禁止", "no new dependencies"),
    ("外部ライブラリは使わずに", "no new dependencies"),
    ("新しいパッケージはインストールしないで", "no new dependencies"),
    ("新しいファイルは作らないで", "no new files"),
    ("ファイルを増やさないで", "no new files"),
    ("フォーマットはしないでください", "do not reformat"),
    ("関係ない行を整形しないで", "do not reformat"),
    ("ファイルは削除しないで", "delete nothing"),
    ("何も消さないで", "delete nothing"),
    ("cargo test は実行しないで", "do not run cargo test"),
    ("`make deploy` は実行しないでください", "do not run make deploy"),
    ("`unwrap` は使わないで", "do not use unwrap"),
    ("unwrapは使わないで", "do not use unwrap"),
    ("まだ何も変更しないで", "change nothing"),
    ("調査のみお願いします", "change nothing"),
    ("調査だけして、コードはいじらないで", "change nothing"),
    ("方針だけ教えてください。実装は不要です。", "change nothing"),
    ("レビューだけお願いします", "change nothing"),
    ("修正はせずに原因だけ教えて", "change nothing"),
    ("Fix src/a.rs. src/b.rsは触らないで", "do not change src/b.rs"),
    ("ログイン直して、pushはまだ", "do not push"),
    ("src/a.rs だけ変更して、他は触らないで", "change only src/a.rs"),
    ("Please do not push", "do not push"),
    ("For now don't push", "do not push"),
    ("this time don't push", "do not push"),
    ("You must not push", "do not push"),
    ("we don't push to main here", "do not push"),
    ("Fix the login and do not push", "do not push"),
    ("Fix the login but never push", "do not push"),
    ("fix it so far but please never ever push", "do not push"),
    ("I don't want you to push", "do not push"),
    ("nothing should be pushed", "do not push"),
    ("Nothing should be committed", "do not commit"),
    ("please avoid committing", "do not commit"),
    ("try to avoid committing anything", "do not commit"),
    ("be careful not to commit anything", "do not commit"),
    ("do not commit before I have looked at it", "do not commit"),
    ("leave it uncommitted", "do not commit"),
    ("I'll commit myself", "do not commit"),
    ("no commits please", "do not commit"),
    ("without committing", "do not commit"),
    ("no git commit", "do not commit"),
    ("Don't do any git commits", "do not commit"),
    ("Fix src/a.rs, don't touch src/b.rs", "do not change src/b.rs"),
    ("fix src/a.rs w/o touching src/b.rs", "do not change src/b.rs"),
    ("fix src/a.rs do not touch src/b.rs", "do not change src/b.rs"),
    ("DO NOT TOUCH src/b.rs!!!", "do not change src/b.rs"),
    ("Fix src/a.rs (not src/b.rs)", "do not change src/b.rs"),
    ("Fix it in src/a.rs, not in src/b.rs", "do not change src/b.rs"),
    ("src/b.rs must not be touched", "do not change src/b.rs"),
    ("src/b.rs should stay as it is", "do not change src/b.rs"),
    ("Please keep src/b.rs unchanged", "do not change src/b.rs"),
    ("Hands off src/b.rs", "do not change src/b.rs"),
    ("You are not allowed to change src/b.rs", "do not change src/b.rs"),
    ("No changes to src/b.rs", "do not change src/b.rs"),
    ("no edits in src/b.rs", "do not change src/b.rs"),
    ("src/b.rs: do not touch", "do not change src/b.rs"),
    ("src/b.rs (do not touch)", "do not change src/b.rs"),
    ("src/b.rs is not to be changed", "do not change src/b.rs"),
    ("don't touch src/b.rs or src/c.rs", "do not change src/b.rs; do not change src/c.rs"),
    ("don't touch src/b.rs and src/c.rs", "do not change src/b.rs; do not change src/c.rs"),
    ("Do not touch:\n- src/b.rs\n- src/c.rs", "do not change src/b.rs; do not change src/c.rs"),
    (
        "Don't change these files:\n\n* `src/b.rs`\n* `src/c.rs`\n\nThanks!",
        "do not change src/b.rs; do not change src/c.rs",
    ),
    ("don't touch any *.sql files", "do not change *.sql"),
    ("Never edit migrations/*.sql", "do not change migrations/*.sql"),
    ("leave **/*.generated.ts alone", "do not change **/*.generated.ts"),
    ("don't change anything under .github/", "do not change .github/"),
    ("Do not edit .env", "do not change .env"),
    ("don't touch Cargo.lock", "do not change Cargo.lock"),
    ("please dont change the tests, fix the code", "do not change tests"),
    ("The tests are right, do not \"fix\" them", "do not change tests"),
    ("Don't modify any test", "do not change tests"),
    ("make the tests pass without editing them", "do not change tests"),
    ("do it with the standard library only", "no new dependencies"),
    ("- stdlib net/http only", "no new dependencies"),
    ("- stdlib net/http only, a driver for sqlite is ok", "but for: no new dependencies"),
    ("standard library `encoding/json` only, please", "no new dependencies"),
    ("Don't add any crates", "no new dependencies"),
    ("don't pull in new deps", "no new dependencies"),
    ("no third party libs", "no new dependencies"),
    ("without any new npm packages", "no new dependencies"),
    ("zero dependencies please", "no new dependencies"),
    ("don't npm install anything", "no new dependencies"),
    ("Please don't add dependencies, we have enough of them", "no new dependencies"),
    ("don't run the formatter", "do not reformat"),
    ("Please do not reformat the file", "do not reformat"),
    ("no formatting changes", "do not reformat"),
    ("don't run prettier", "do not run prettier"),
    ("keep the formatting as it is", "do not reformat"),
    ("don't run cargo test", "do not run cargo test"),
    ("don't run the tests", "do not run tests"),
    ("Do not run `npm run build`, it takes an hour", "do not run npm run build"),
    ("don't change any code", "change nothing"),
    (
        "Where does it end up? Write it down in docs/flow.md. don't change code.",
        "do not change code",
    ),
    ("Write up what you find in docs/a.md, no code changes please", "do not change code"),
    ("Document it in README.md. Don't write any code yet.", "do not change code"),
    ("調べて docs/flow.md にまとめて。コードは変更しないで", "do not change code"),
    ("手順書をまとめて。実装はまだしないで", "do not change code"),
    ("Write it down in docs/flow.md. Don't change anything.", "change nothing"),
    ("Write it down in docs/flow.md, don't change anything, no code.", "change nothing"),
    ("Read docs/flow.md and tell me what is wrong. Don't change code.", "change nothing"),
    ("Explain src/a.rs, don't change code.", "change nothing"),
    ("docs/flow.md を読んで教えて。コードは変更しないで", "change nothing"),
    (
        "do NOT touch anything in Assets/Scenes or any .prefab / .asset file, Lena is on it",
        "do not change Assets/Scenes; do not change *.prefab; do not change *.asset",
    ),
    ("Don't touch .prefab/.asset files", "do not change *.prefab; do not change *.asset"),
    ("Leave all *.unity files alone", "do not change *.unity"),
    ("do not change any .unity file under Assets/", "do not change Assets/**/*.unity"),
    (".unity ファイルは変更しないで", "do not change *.unity"),
    ("Sum it up in docs/auth.md, but do not modify any source code.", "do not change code"),
    ("Put it into docs/auth.md, but do not modify any source code.", "do not change code"),
    ("Add a section to docs/ops.md; the code stays untouched.", "do not change code"),
    ("Explain it and leave the code alone", "change nothing"),
    (
        "Don't touch Assets/Scenes, .prefab or .asset files",
        "do not change Assets/Scenes; do not change *.prefab; do not change *.asset",
    ),
    (".prefab と .asset は触らないで", "do not change *.prefab; do not change *.asset"),
    (
        "the `carrier-api` module is published to partners and frozen until 2.0, so no changes in there at all, please.",
        "do not change carrier-api",
    ),
    ("the `carrier-api` module is frozen", "do not change carrier-api"),
    (
        "the Orders.Contracts project is published to other teams, do NOT change anything in it",
        "do not change orders.contracts",
    ),
    ("Add retries, e.g. in the worker project. Do not change anything in it that works", ""),
    ("src/api/ is frozen until the release.", "do not change src/api/"),
    ("No changes to the `carrier-api` module", "do not change carrier-api"),
    ("src/b.rs belongs to Mia. No changes in there, please.", "do not change src/b.rs"),
    ("It calls into vendor/lib.js, don't change anything in there", "do not change vendor/lib.js"),
    ("vendor/ comes from upstream, so stay out of there", "do not change vendor/"),
    ("`carrier-api` モジュールは凍結中なので、そこは変更しないで", "do not change carrier-api"),
    ("src/api は凍結中です", "do not change src/api"),
    ("src/b.rs は他のチームのもの。そこは触らないで", "do not change src/b.rs"),
    ("Don't change the .map() call of the loop", "do not change what is named map"),
    (
        "Write tests for src/a.rs. Don't change the code under test.",
        "do not change production code",
    ),
    ("Don't touch src/b.rs, if you do the release is late", "do not change src/b.rs"),
    ("docs/ must stay the same", "do not change docs/"),
    ("src/b.rs has to stay as it was", "do not change src/b.rs"),
    ("Don't do anything yet, just tell me your plan", "change nothing"),
    ("Explain only. No code.", "change nothing"),
    ("read-only please", "change nothing"),
    ("This is a read-only task.", "change nothing"),
    ("what would you change? Do not edit files", "change nothing"),
    ("Review src/a.rs but don't change it", "do not change src/a.rs"),
    ("review the code, do not fix anything", "change nothing"),
    ("just answer, no edits", "change nothing"),
    ("do not create any new files", "no new files"),
    ("Don't add new files", "no new files"),
    ("don't delete anything", "delete nothing"),
    ("never delete files", "delete nothing"),
    ("do not bump versions", "do not raise versions"),
    ("leave the version alone", "do not raise versions"),
    ("don't use unwrap", "do not use unwrap"),
    ("no unwrap() please", "do not use unwrap"),
    ("Avoid `any`", "do not use any"),
    ("pls dont push thx", "do not push"),
    ("don’t push", "do not push"),
    ("don`t push", "do not push"),
    ("and one more thing, never push to origin", "do not push"),
    ("Commit when done but don't push.", "do not push"),
    ("you can edit files but do not commit them", "do not commit"),
    ("do not commit or push anything", "do not commit; do not push"),
    ("Don't commit, don't push.", "do not commit; do not push"),
    ("No commits, no pushes.", "do not commit; do not push"),
    ("As I said, do not touch src/b.rs", "do not change src/b.rs"),
    ("I told you not to touch src/b.rs", "do not change src/b.rs"),
    ("it is important that you do not touch src/b.rs", "do not change src/b.rs"),
    ("make sure you don't touch src/b.rs", "do not change src/b.rs"),
    ("make sure not to touch src/b.rs", "do not change src/b.rs"),
    ("make sure src/b.rs is not changed", "do not change src/b.rs"),
    ("Ensure src/b.rs stays untouched", "do not change src/b.rs"),
    ("whatever you do, don't touch src/b.rs", "do not change src/b.rs"),
    ("under no circumstances touch src/b.rs", "do not change src/b.rs"),
    ("please don't touch `src/b.rs` since Mia is working on it", "do not change src/b.rs"),
    ("Mia is working on src/b.rs, so don't touch it", "do not change src/b.rs"),
    ("src/b.rs belongs to another team, leave it alone", "do not change src/b.rs"),
    ("src/b.rs is generated, don't edit it by hand", "do not change src/b.rs"),
    ("fix the bug in src/a.rs; src/b.rs is off-limits", "do not change src/b.rs"),
    ("Constraints:\n- don't touch src/b.rs", "do not change src/b.rs"),
    (
        "Rules:\n1. Don't touch src/b.rs\n2. Don't push\n3. No new dependencies",
        "do not change src/b.rs; do not push; no new dependencies",
    ),
    (
        "Please fix the login.\n\nDo not:\n- touch src/b.rs\n- push\n- add dependencies",
        "do not change src/b.rs; do not push; no new dependencies",
    ),
    ("All of docs/ must remain as is", "do not change docs/"),
    ("I would rather you did not change docs/", "do not change docs/"),
    ("docs/ should not be touched", "do not change docs/"),
    ("no touching docs/", "do not change docs/"),
    ("there must be no changes in docs/", "do not change docs/"),
    ("you shouldn't change docs/", "do not change docs/"),
    ("you can't change docs/", "do not change docs/"),
    ("You cannot touch docs/", "do not change docs/"),
    ("we must not change docs/", "do not change docs/"),
    ("You may only change docs/", "change only docs/"),
    ("only docs/ please", "change only docs/"),
    ("changes in docs/ only", "change only docs/"),
    ("The change should be limited to docs/", "change only docs/"),
    ("Work exclusively in docs/", "change only docs/"),
    ("keep your changes inside docs/", "change only docs/"),
    ("only modify files in docs/", "change only docs/"),
    ("Only modify src/a.rs and src/b.rs", "change only src/a.rs, src/b.rs"),
    ("Only change these files:\n- src/a.rs\n- src/b.rs", "change only src/a.rs, src/b.rs"),
    ("Fix the typo in src/a.rs and nothing else", "change only src/a.rs"),
    ("just src/a.rs, nothing else", "change only src/a.rs"),
    ("Don't change anything. What does src/a.rs do?", "change nothing"),
    ("I just want to understand src/a.rs, don't modify it", "do not change src/a.rs"),
    ("without making any changes, tell me how it works", "change nothing"),
    ("don't make any changes", "change nothing"),
    ("make no changes", "change nothing"),
    ("No changes please, only a review", "change nothing"),
    ("don't start coding yet", "change nothing"),
    ("do not write code, just think about it", "change nothing"),
    ("please no new deps", "no new dependencies"),
    ("use what we already have, no additional libraries", "no new dependencies"),
    ("don't introduce a new dependency for that", "no new dependencies"),
    ("Avoid adding dependencies", "no new dependencies"),
    ("Don't create new files, put it into src/a.rs", "no new files"),
    ("don't use regex", "do not use regex"),
    ("Please implement it without using lodash", "do not use lodash"),
    ("do not run rustfmt on the file", "do not run rustfmt"),
    ("Fix src/login.rs with no changes to src/b.rs.", "do not change src/b.rs"),
    ("Fix src/login.rs, no edits in src/b.rs please", "do not change src/b.rs"),
    (
        "Do not touch: src/b.rs, src/c.rs and the docs.",
        "do not change src/b.rs; do not change src/c.rs; do not change documentation",
    ),
    ("Please don't change: the tests", "do not change tests"),
    ("Off limits: src/b.rs, src/c.rs", "do not change src/b.rs; do not change src/c.rs"),
    ("Don't touch the tests in tests/old, but update tests/new.", "do not change tests/old"),
    ("Don't change any tests under tests/old", "do not change tests/old"),
    ("Do NOT, under any circumstances, modify src/b.rs!", "do not change src/b.rs"),
    ("Please do not, for any reason, touch src/b.rs", "do not change src/b.rs"),
    ("src/b.rs は絶対に変更しないように", "do not change src/b.rs"),
    ("src/b.rs には触らないようにしてください", "do not change src/b.rs"),
    ("src/b.rs、docs/a.md はそのままで", "do not change src/b.rs; do not change docs/a.md"),
    ("src/b.rs、docs/a.md は触らないで", "do not change src/b.rs; do not change docs/a.md"),
    ("src/a.rs を src/b.rs に触れずに直して", "do not change src/b.rs"),
    ("src/b.rs を変更せずに src/a.rs を直して", "do not change src/b.rs"),
    (
        "Neither src/a.rs nor src/b.rs may be changed",
        "do not change src/a.rs; do not change src/b.rs",
    ),
    ("Change neither src/a.rs nor src/b.rs", "do not change src/a.rs; do not change src/b.rs"),
    ("Instead of changing src/b.rs, fix src/a.rs", "do not change src/b.rs"),
    ("Fix src/a.rs instead of touching src/b.rs", "do not change src/b.rs"),
    ("Fix src/a.rs rather than editing src/b.rs", "do not change src/b.rs"),
    ("Do not touch src/b.rs even if the tests fail", "do not change src/b.rs"),
    ("Don't push unless I tell you to", "do not push"),
    (
        "Write a test for src/a.rs that covers the empty list, don't change src/a.rs",
        "do not change src/a.rs",
    ),
    ("Add a section to README.md: keep it short, don't touch src/b.rs", "do not change src/b.rs"),
    ("Add a note to README.md and do not touch src/b.rs", "do not change src/b.rs"),
    ("変更禁止：src/b.rs", "do not change src/b.rs"),
    ("Only change these files: src/a.rs, src/b.rs", "change only src/a.rs, src/b.rs"),
    ("Don't touch the config schema", "do not change what is named config schema"),
    (
        "Fix src/login.rs, but don't touch anything else in src/",
        "do not change src/; but for: do not change src/login.rs",
    ),
    (
        "Fix src/a.rs as described in docs/plan.md. Leave everything else as it is.",
        "change only src/a.rs",
    ),
    ("Fix README.md. Don't touch any other files.", "change only README.md"),
    (
        "Don't touch billing or the admin pages.",
        "do not change what is named billing; do not change what is named admin",
    ),
    (
        "Don't touch the schema or the tests",
        "do not change schemas and migrations; do not change tests",
    ),
    ("Skip src/b.rs", "do not change src/b.rs"),
    ("Ignore src/b.rs", "do not change src/b.rs"),
    (
        "Rename loadUser everywhere, but skip legacy/ and vendor/",
        "do not change legacy/; do not change vendor/",
    ),
    ("Fix src/login.rs, but don't touch anything else.", "change only src/login.rs"),
    ("Fix src/login.rs and leave everything else alone", "change only src/login.rs"),
    ("Fix src/login.rs, everything else stays as it is", "change only src/login.rs"),
    ("Fix src/login.rs. Everything else stays as it is.", "change only src/login.rs"),
    ("Fix src/login.rs. Don't touch anything else.", "change only src/login.rs"),
    ("課金には触らないで", "do not change what is named 課金"),
    ("課金まわりは触らないで", "do not change what is named 課金まわり"),
    ("Don't touch billing", "do not change what is named billing"),
    ("Leave the generated code alone", "do not change what is named generated"),
    (
        "マイグレーションは新規追加のみ。既存のものは編集しないでください",
        "do not change existing schemas and migrations",
    ),
    (
        "スキーマは追加だけにして、既存のものは変更しないで",
        "do not change existing schemas and migrations",
    ),
    ("設定ファイル（config/*.yml）以外は変更しないで", "change only config/*.yml"),
    ("設定ファイル（config/*.yml）は変更しないで", "do not change config/*.yml"),
    ("README だけ更新して", "change only README"),
    ("generated files (gen/) are generated, don't hand edit them", "do not change gen/"),
];

const DESCRIBING: &[&str] = &[
    "packages from internal/registry only",
    "import modules under vendor/ only",
    "クライアントはmainにプッシュしない",
    "クライアントは main に push しない仕様です",
    "ユーザーは設定ファイルを編集できない",
    "パーサーはコメントに触れない",
    "テストはディスクに書き込まない",
    "ファイルがないときは何も変更しない",
    "コミットがまだ表示されない",
    "コミットのハッシュが取れない場合はエラーを表示しないでください",
    "ユーザーがmainにプッシュしないようにして",
    "プッシュ通知がまだ届かないので直して",
    "サーバーはファイルを削除しない",
    "設定画面を読み取り専用にして",
    "読み取り専用モードを追加して",
    "依存関係を表示しないようにして",
    "新しいファイルが作成されない不具合を直して",
    "ログインしていないユーザーには編集させない",
    "このAPIはデータを変更しないので、キャッシュできます",
    "バージョンを表示しないで",
    "できればテストは変更しないで",
    "必要な場合だけ src/b.rs を変更して",
    "テストが通るまでコミットしないで",
    "公開APIを壊さないで",
    "既存の動作は変えないでください",
    "警告は気にしないで",
    "遠慮しないで聞いて",
    "忘れないで CHANGELOG.md を更新して",
    "clients do not push to main",
    "Users can't edit the config file",
    "the parser does not touch comments",
    "tests never write to disk",
    "tests never commit to the repository",
    "It should not crash when config.toml is missing",
    "Our workers do not commit the transaction",
    "The script should not push to the remote",
    "the CLI must not commit anything",
    "Make sure clients never push to main",
    "Ensure that users do not edit the config file",
    "Fix the bug where clients do not push to main",
    "Add a check that workers never delete files",
    "The server runs without touching the disk",
    "Some users don't commit their changes before they switch branches",
    "There are no dependencies between the modules",
    "No commits are shown in the history view",
    "Make the settings page read-only for guests",
    "Add a read-only mode to the editor",
    "The email field is read only, make it editable",
    "There is no code for the logout route",
    "Just look at the logs and fix the crash",
    "refactor to avoid changing the config twice",
    "customers do not change their password, remind them",
    "don't commit until the tests pass",
    "Only touch src/b.rs if you must",
    "Don't touch src/b.rs unless you have to",
    "do not weaken or delete tests",
    "don't change the public API",
    "no breaking changes",
    "keep it backwards compatible",
    "do not add comments",
    "don't over-engineer it",
    "Don't ask me questions, just do it",
    "don't stop until everything is green",
    "never mind the warnings",
    "do not use mocks for the database, use the real one",
    "can you not use so many comments",
    "The page does not update when I click save, and nothing is shown in the console.",
    "Nothing is pushed to the queue when the worker restarts",
    "The button has no effect",
    "I can't change the theme, it always jumps back to light",
    "Add a \"do not disturb\" toggle to the profile menu",
    "Rename the label \"Don't push\" to \"Skip push\"",
    "The error says \"you must not change the primary key\". Why?",
    "Log a warning: 'do not edit this file'",
    "When the user says \"never commit\", the bot commits anyway. Fix that in src/bot.ts",
    "Error: Cannot modify src/b.rs because it is read-only\n\nfix this",
    "fatal: not a git repository\nwhat now?",
    "error: do not touch src/b.rs while the lock is held\n    at lock.rs:12",
    "```\n// do not edit src/gen.rs\n```\nwhere does this comment come from?",
    "users must never see the admin page",
    "API clients should not need to change their config",
    "Don't let users edit src/b.rs through the web editor",
    "don't allow pushes to main from the UI",
    "The linter must not change files outside src/",
    "prevent the deploy job from running without approval",
    "Make sure the migration doesn't delete files",
    "why don't we commit the lockfile?",
    "why can't I edit docs/a.md?",
    "Do you not push automatically?",
    "did you not run the tests?",
    "is it possible to do it without changing package.json?",
    "Don't you think src/b.rs is too long?",
    "The form should not submit without a name",
    "without a config file it crashes",
    "Without cargo test passing nothing should be merged",
    "Remove the 'no commits yet' placeholder",
    "show \"no changes\" when the diff is empty",
    "Handle the case of no dependencies",
    "There should be no commits in the list older than a year",
    "support repos with no commits",
    "no, use redis instead",
    "no that's wrong, change src/a.rs back",
    "No worries. Now fix src/b.rs",
    "not sure if src/b.rs is right, check it",
    "not only src/a.rs but also src/b.rs",
    "Not src/a.rs alone is slow, src/b.rs is too",
    "src/a.rs is not in sync with src/b.rs",
    "I only see the error in src/b.rs",
    "This only happens in src/a.rs on Windows",
    "It is only called from src/a.rs",
    "Only admins may edit docs/a.md",
    "Only run the tests in tests/api",
    "Don't add any comments to the code",
    "do not add type annotations",
    "don't rename public functions",
    "Don't rewrite src/a.rs, just fix the loop",
    "do not break src/a.rs",
    "don't remove the tests in tests/a.rs",
    "don't spend too much time on src/b.rs",
    "Don't assume src/b.rs is right",
    "do not change the return type of load in src/a.rs",
    "don't change how src/a.rs handles errors",
    "Don't just change src/a.rs, also change src/b.rs.",
    "Do not only change src/a.rs, change src/b.rs as well",
    "Do not change src/a.rs only; change src/b.rs too.",
    "Do not touch src/b.rs unless the tests fail.",
    "Don't change src/b.rs if the tests pass",
    "Fix the bug where we don't commit the transaction in src/db.rs, and commit the fix",
    "There is a case in which you don't push the metrics",
    "テストを変更しないで済むなら変更しないで",
    "src/b.rs に触らずに済むなら触らないで",
    "src/billing.rs 以外も変更していい",
    "src/billing.rs 以外も直してください",
    "Add a rule to AGENTS.md: do not touch src/b.rs",
    "Add a comment to src/a.rs: do not edit src/b.rs",
    "Implement docs/plan.md. Don't touch any other files.",
    "Don't add new dependencies except dev dependencies",
    "Add a rule to AGENTS.md: do not touch src/b.rs, never push",
    "Instead of changing the color in src/b.rs, change the font",
    "ユーザーが src/b.rs を変更しないようにして",
    "Write a test that checks we do not change config/x.yml",
    "Add an assertion that we never change config/x.yml",
    "You don't need to touch src/b.rs",
    "you don't have to change src/b.rs for that",
    "There's no need to change src/b.rs",
    "Ignore the warnings",
    "Ignore the errors in src/b.rs and fix src/a.rs",
    "Make the walker skip src/gen.rs",
    "Skip the empty lines in src/parse.rs",
    "Use a map instead of a list in src/b.rs",
    "EditMode tests must stay green",
    "In web/form.tsx the user can type, but no changes in it are saved. Fix that.",
    "The values of config/app.yml are not applied: no changes there have any effect",
    "Fix the crash in src/a.rs. Nothing in there is tested.",
    "出力は変えないで",
    "src/api.rs の互換性は変えないで",
    "The tests should remain passing",
    "src/cache.rs has to stay fast",
    "src/api.rs must stay compatible with 1.x",
    "DB table can stay `Clients`, map it",
    "JSON contracts v1 must stay the same on the wire!",
    "src/api.rs must stay the same for callers",
    "Keep the export unchanged for the users",
    "Leave src/api.rs as it is from the outside",
    "don't change the contracts on the wire",
    "the screen is frozen when I click save",
    "The app in web/app.ts is frozen after the login",
    "凍結中のアカウントを一覧に出して",
    "There are no changes in the list, fix that",
    "A test in tests/a.rs shows a bug, don't fix it",
    "Bugs in src/b.rs: list them, don't fix them",
];
