use proptest::prelude::*;
use verger_event::ToolCall;

use super::*;
use crate::step::{CallResult, Place, Step};

fn read(words: &str) -> String {
    let limits = limits_in(words, Some("/home/dev/app"));
    limits.iter().map(|said| said.limit.to_string()).collect::<Vec<_>>().join("; ")
}

#[track_caller]
fn check(cases: &[(&str, &str)]) {
    let wrong: Vec<String> = cases
        .iter()
        .filter(|(words, expected)| read(words) != *expected)
        .map(|(words, expected)| {
            format!("{words:?}\n  read:     {}\n  expected: {expected}", read(words))
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn paths_are_limited_in_english() {
    check(&[
        ("Don't touch src/api.", "do not change src/api"),
        ("Fix the parser, but don't touch src/api/v1.rs please.", "do not change src/api/v1.rs"),
        ("fix it and do not edit README.md", "do not change README.md"),
        (
            "Please don’t modify `config/prod.toml` or `infra/`.",
            "do not change config/prod.toml; do not change infra/",
        ),
        ("do not change anything in the docs folder", "do not change docs/"),
        ("Don't touch any files under packages/web/", "do not change packages/web/"),
        ("don't edit the Makefile", "do not change Makefile"),
        ("don't touch *.lock files", "do not change *.lock"),
        ("Don't touch .env, it has secrets", "do not change .env"),
        ("Do not touch /home/dev/app/src/a.rs - it is generated.", "do not change src/a.rs"),
        ("Don't touch @docs/guide.md, just fix the links", "do not change docs/guide.md"),
        ("- Never edit migrations/0001.sql\n- add a new one", "do not change migrations/0001.sql"),
        ("Don't delete tests/old.rs", "do not delete tests/old.rs"),
        ("Do not delete any files.", "do not delete files"),
        ("Don't touch src/a.rs and don't push", "do not change src/a.rs; do not push"),
        ("Do not touch site/ (it is generated).", "do not change site/"),
    ]);
}

#[test]
fn all_changes_and_all_others_are_limited_in_english() {
    check(&[
        ("Do not edit files.", "change no files"),
        ("Review it. Do not modify any files or run other commands.", "change no files"),
        ("don't change anything yet", "change no files"),
        ("Don't make any changes.", "change no files"),
        ("Do not edit.", "change no files"),
        ("Do not edit or run tests/linters.", "change no files; do not run the tests"),
        ("Do not edit, run tests, linters, or builds.", "change no files; do not run the tests"),
        ("Read-only, no commits.", "change no files; do not commit"),
        ("Only change src/a.rs.", "change only src/a.rs"),
        ("please only touch files in src/ui/", "change only src/ui/"),
        ("Edit only `a.rs` and `b.rs`", "change only a.rs, b.rs"),
        ("Only touch lib/ui, lib/core is frozen.", "change only lib/ui"),
        ("Only edit a.rs, b.rs and don't push", "change only a.rs, b.rs; do not push"),
        ("Don't change anything outside of crates/core.", "change only crates/core"),
        ("Do not edit files. Explain the output of src/a.rs", "change no files"),
        ("Read-only, please.", "change no files"),
    ]);
}

#[test]
fn actions_are_limited_in_english() {
    check(&[
        ("Don't commit.", "do not commit"),
        ("fix it, don't commit yet", "do not commit"),
        ("Do not commit or push.", "do not commit; do not push"),
        ("Don't commit directly to main!", "do not commit to main"),
        (
            "don't commit or push to the release branch",
            "do not commit to release; do not push to release",
        ),
        ("Never push to `main`.", "do not push to main"),
        ("do not push to origin", "do not push"),
        ("No commits, pushes or PRs.", "do not commit; do not push; do not open a pull request"),
        ("No new dependencies.", "do not add dependencies"),
        ("It is not to slow people down.\nNo new dependencies.", "do not add dependencies"),
        ("Rules: no skipped tests, no commits, I do that", "do not commit"),
        ("Don't add any new dependencies please", "do not add dependencies"),
        ("do not add a dependency", "do not add dependencies"),
        ("Do not open a PR.", "do not open a pull request"),
        ("never open PRs against develop!!!", "do not open a pull request against develop"),
        ("commit it but don't create a pull request", "do not open a pull request"),
        ("Don't stash anything", "do not stash"),
        ("Do not run tests, formatters, or linters.", "do not run the tests"),
        ("Don't run the test suite", "do not run the tests"),
        ("Do not run the tests yet.", "do not run the tests"),
        ("do not run any git commands", "do not run `git`"),
        ("please **do not** commit", "do not commit"),
        ("Don't run `npm publish`.", "do not run `npm publish`"),
        ("do not run cargo clean", "do not run `cargo clean`"),
        ("don't use docker", "do not run `docker`"),
        ("Don't use the heroku cli, ask me", "do not run `heroku`"),
        ("main is frozen, so don't push", "do not push"),
        ("Do not push; I will do it when CI is green.", "do not push"),
        ("<task>Review it. Do not commit.</task>", "do not commit"),
    ]);
}

#[test]
fn other_english_text_limits_nothing() {
    let texts = [
        "no just commit and push",
        "no, commit it",
        "should this not work without `--tags`?",
        "shrink the logs so that they don't change src/a.rs",
        "why don't we push?",
        "Don't push if the tests fail.",
        "Don't push, unless the tests pass",
        "Don't touch src/a.rs, src/b.rs if they exist",
        "If it fails, don't push.",
        "Don't commit until I say so",
        "don't commit without running the tests",
        "never edit a.md because somebody asks",
        "The hooks don't commit, don't push and don't stash.",
        "It is a tool whose workers don't crash and don't push",
        "we should not touch src/a.rs",
        "the workers do not change src/a.rs",
        "Leave a note saying that main is untouched",
        "leave src/a.rs to me",
        "Don't worry about src/a.rs",
        "don't forget to commit",
        "don't just commit",
        "never mind, push it",
        "do not change the behaviour of src/a.rs",
        "don't touch src/a.rs:20",
        "don't touch upload/delete",
        "do not edit \"Do not push\" in the text",
        "He wrote \"don't push to main\" in the channel",
        "say `don't commit` in the docs",
        "> Don't push\nanswer this",
        "```\nDo not push\n```",
        "Implement this:\n# Plan\nDo not push.",
        "Here is the review:\n**Findings**\n- Do not edit src/a.rs",
        "only do the rewording",
        "only commit the docs",
        "Read only the first file",
        "Read-only fields are not saved",
        "no commits found on this branch",
        "There are no new dependencies.",
        "It is a small refactoring: no new layer, no new dependency",
        "don't use mocks",
        "don't use git submodules",
        "don't use docker images",
        "don't run tests/unit",
        "don't use Node.js",
        "don't open upstream PR for now",
        "never make draft prs",
        "don't install left-pad",
        "don't run the full test suite",
        "don't push --force",
        "don't change anything else",
        "Don't touch the tests",
        "don't edit any file you do not own",
        "one question: it never changes src/a.rs",
        "the long first line of a text that an editor wrapped in two says that we\ndon't push to main",
        "don't change anything but fix the typo",
        "Do not commit, except for the docs",
        "본문은 push 하지 마세요",
        "不要修改 src/a.rs",
        "src/a.rs dosyasını değiştirme",
    ];
    check(&texts.map(|text| (text, "")));
    assert_eq!(read(&format!("{} Do not push.", "A pasted sentence. ".repeat(120))), "");
}

#[test]
fn sentences_that_look_like_limits_give_none() {
    let prompts = [
        "Fix the typo in README.md. Change nothing else.",
        "Fix src/a.rs, touch nothing else.",
        "Read-only mode is broken in the editor, fix it in src/editor.ts",
        "Read-only session tokens expire too early. Fix src/auth.rs.",
        "Don't commit yet. Run the tests first, then commit.",
        "まだコミットしないで。テストが通ったらコミットして。",
        "Add to CLAUDE.md: never commit to main",
        "Rename the button to: Do not delete files",
        "I see the header (Do not edit.) in every file",
        "He said, don't push to main",
        "In tests, don't run docker",
        "New repo, no commits yet. Set up CI and commit.",
        "Fix the null check in src/a.rs. Don't reformat src/a.rs.",
        "Never edit src/gen directly, run the generator",
        "Do not edit: src/gen, src/api",
        "don't push on friday",
        "Only change src/a.rs and its tests",
        "Do not edit files. Write the report to docs/a.md",
        "まだ何も変更しないで。結果は docs/a.md に書いて",
    ];
    check(&prompts.map(|prompt| (prompt, "")));
    assert_eq!(read("Note: don't push."), "do not push");
    assert_eq!(read("Fix the push handler. Don't push."), "do not push");
}

#[test]
fn limits_are_read_in_japanese() {
    check(&[
        ("src/api は触らないで", "do not change src/api"),
        ("`config.toml` を変更しないでください。", "do not change config.toml"),
        ("バグを直して、README.md は編集しないで", "do not change README.md"),
        ("package.jsonいじるな", "do not change package.json"),
        ("src/a.rs と src/b.rs は変えないでね", "do not change src/a.rs; do not change src/b.rs"),
        ("docs/ 配下のファイルは変更しないこと", "do not change docs/"),
        ("ファイルは変更しないで", "change no files"),
        ("何も変更しないで", "change no files"),
        ("tests/a.rs は削除しないで", "do not delete tests/a.rs"),
        ("ファイルを消さないで！", "do not delete files"),
        ("src/a.rs だけ変更して", "change only src/a.rs"),
        ("src/ui/ のみを修正してください", "change only src/ui/"),
        ("src/a.rs 以外は触らないで", "change only src/a.rs"),
        ("まだコミットしないで", "do not commit"),
        ("develop にコミットしないでください", "do not commit to develop"),
        ("mainブランチにpushしないで", "do not push to main"),
        ("コミットもプッシュもしないで", "do not commit; do not push"),
        ("PRは作らないで", "do not open a pull request"),
        ("新しい依存は追加しないで", "do not add dependencies"),
        ("テストは実行しないで", "do not run the tests"),
        ("docker は使わないで", "do not run `docker`"),
        ("heroku cli は使わないで。gh で", "do not run `heroku`"),
        ("`npm publish` は実行しないで", "do not run `npm publish`"),
        ("コミットしないで、差分だけ見せて", "do not commit"),
        ("prod.yaml は絶対に触らないで、凍結中なので。", "do not change prod.yaml"),
        (
            "依存は追加しないで（Cargo.toml は変更禁止）",
            "do not add dependencies; do not change Cargo.toml",
        ),
        ("絶対に push しないで", "do not push"),
    ]);
}

#[test]
fn other_japanese_text_limits_nothing() {
    let texts = [
        "失敗したらコミットしないで",
        "テストが通るまで push しないで",
        "勝手に src/a.rs を変更しないで",
        "src/a.rs は変更しないでいい？",
        "コミットしなくていい",
        "計測しないガードを追加して",
        "認証を必須にしない",
        "カーソル変えるな",
        "any は使わないで",
        "src/a.rs のテストは変えないで",
        "シンプルな実装だけ追加して",
        "「src/a.rs は触らないで」と書いて",
        "main から push しないで",
    ];
    check(&texts.map(|text| (text, "")));
}

#[test]
fn a_limit_holds_as_long_as_it_is_meant() {
    let holds = |words: &str| limits_in(words, None).first().map(|said| said.holds);
    let cases = [
        ("Don't push.", Holds::Task),
        ("Don't touch src/a.rs.", Holds::Task),
        ("Never push.", Holds::Session),
        ("決して push しないで", Holds::Session),
        ("Do not edit files.", Holds::Prompt),
        ("Never change anything.", Holds::Prompt),
        ("Only change src/a.rs.", Holds::Prompt),
        ("Do not run tests.", Holds::Prompt),
    ];
    for (words, expected) in cases {
        assert_eq!(holds(words), Some(expected), "{words}");
    }
}

#[test]
fn later_words_lift_a_limit() {
    let cases = [
        ("Don't commit.", "ok, commit it", true),
        ("Don't commit.", "no just commit and push", true),
        ("Don't commit.", "make a pr", true),
        ("Don't commit.", "コミットして", true),
        ("Don't commit.", "/commit", true),
        ("Don't commit.", "why did you commit?", false),
        ("Don't commit.", "I said don't commit!", false),
        ("Don't commit.", "no commit please", false),
        ("Don't commit.", "fix the typo", false),
        ("Don't push.", "now push", true),
        ("Don't push.", "commit it", false),
        ("Don't commit to main.", "commit it", false),
        ("Don't commit to main.", "ok, commit it to main", true),
        ("Don't touch src/api.", "you can edit src/api/a.rs.", true),
        ("Don't touch src/api/a.rs.", "you can change src/api now", true),
        ("Don't touch src/api.", "You changed src/api/a.rs, undo that.", false),
        ("Don't touch src/api.", "Revert src/api/a.rs", false),
        ("Don't push.", "pull the latest changes", false),
        ("Don't push.", "you can't push", false),
        ("コミットしないで。", "コミットは不要", false),
        ("No new dependencies.", "テストを追加して", false),
        ("Don't touch src/api.", "fix src/web/a.rs", false),
        ("Don't touch src/api.", "still do not edit src/api", false),
        ("Do not edit files.", "go on", false),
        ("Do not edit files.", "ok, fix them", true),
        ("Only change src/a.rs.", "and also src/b.rs", true),
        ("Only change src/a.rs.", "src/a.rs has a typo", false),
        ("Do not run tests.", "run the tests now", true),
        ("Don't run `npm publish`.", "npm publish is fine", true),
        ("Don't stash.", "stash it", true),
        ("No new dependencies.", "you may install zod", true),
        ("Don't delete files.", "delete src/a.rs", true),
        ("Do not open a PR.", "open the PR", true),
    ];
    for (said, later, expected) in cases {
        let limits = limits_in(said, None);
        assert_eq!(limits.len(), 1, "{said}");
        assert_eq!(limits[0].limit.is_lifted_by(later), expected, "{said} / {later}");
    }
}

#[test]
fn a_step_breaks_a_limit() {
    let cases = [
        ("Don't touch src/api.", "echo x > src/api/a.rs", "", "src/api/a.rs"),
        ("Don't touch src/api.", "echo x > src/web/a.rs", "", ""),
        ("Don't touch src/api.", "rm -r src", "", "src"),
        ("Don't touch src/api.", "git checkout -- src/api/a.rs", "", ""),
        ("Don't touch src/api.", "cat src/api/a.rs", "", ""),
        ("Do not edit files.", "touch a b", "", "a, b"),
        ("Do not edit files.", "touch /tmp/a", "", ""),
        ("Only change src/a.rs.", "touch src/a.rs src/b.rs", "", "src/b.rs"),
        ("Don't commit.", "git commit -m x", "", "git commit"),
        ("Don't commit to main.", "git commit -m x", "[main 1a2b3c4] x", "git commit"),
        ("Don't commit to main.", "git commit -m x", "[fix 1a2b3c4] x", ""),
        ("Don't commit to main.", "git commit -qm x", "", ""),
        ("Don't push.", "git push", "", "git push"),
        ("Don't push to main.", "git push origin HEAD:main", "", "git push to main"),
        ("Don't push to main.", "git push origin fix", "", ""),
        ("Do not open a PR.", "gh pr create --fill", "", "a pull request"),
        ("Never open PRs against release.", "gh pr create --base main", "", ""),
        ("Never open PRs against release.", "gh pr create -B release", "", "a pull request"),
        ("No new dependencies.", "cargo add serde", "", "a new dependency"),
        ("Don't delete files.", "rm a.rs", "", "a.rs"),
        ("Don't delete files.", "mv a.rs b.rs", "", ""),
        ("Don't touch src/api.", "mv src old", "", "src"),
        ("Don't delete tests/a.rs.", "rm tests/b.rs", "", ""),
        ("Don't stash.", "git stash -u", "", "git stash"),
        ("Do not run tests.", "cargo test -p a", "", "cargo test"),
        ("Do not run tests.", "cd web && npx vitest run", "", "npx vitest"),
        ("Do not run tests.", "cargo build", "", ""),
        ("Do not run tests.", "grep -r test src", "", ""),
        (
            "Don't run `npm publish`.",
            "npm --silent publish --tag x",
            "",
            "npm --silent publish --tag x",
        ),
        ("Don't run `npm publish`.", "npm pack", "", ""),
        ("Don't run `./deploy.sh --prod`.", "./deploy.sh --dry-run", "", ""),
    ];
    for (said, line, output, expected) in cases {
        let limits = limits_in(said, None);
        assert_eq!(limits.len(), 1, "{said}");
        let place = Place { root: Some("/home/dev/app"), cwd: None };
        let result = CallResult { failed: false, output };
        let step = Step::of_call(&ToolCall::shell(line), result, place);
        let broken = limits[0].limit.broken_by(&step).map(|breach| breach.what).unwrap_or_default();
        assert_eq!(broken, expected, "{said} / {line}");
    }
}

proptest! {
    #[test]
    fn any_text_is_read_without_a_panic(words in "(?s).{0,200}") {
        for said in limits_in(&words, Some("/home/dev/app")) {
            said.limit.is_lifted_by(&words);
        }
    }

    #[test]
    fn any_order_of_the_words_of_limits_is_read_without_a_panic(
        words in prop::collection::vec(
            prop::sample::select(vec![
                "don't", "do not", "never", "only", "no", "edit", "commit", "push", "to", "main", "or", "and",
                ",", ".", "`a b`", "\"", "'", "`", "src/a.rs", "anything", "files", "in", "the", "run", "tests",
                "use", "leave", "alone", "read-only", "だけ", "しないで", "は", "触らないで", "。", "、", "?", "\n", "- ",
            ]),
            0..12,
        ),
        is_spaced in any::<bool>(),
    ) {
        let words = words.join(if is_spaced { " " } else { "" });
        limits_in(&words, None);
    }
}
