//! Tests of messages, each with the statement that is a claim, or with none.

use super::*;

#[track_caller]
fn check(examples: &[(&str, Option<&str>)]) {
    for (message, expected) in examples {
        let expected = expected.map(|words| Claim::Words(words.to_owned()));
        assert_eq!(claim(message), expected, "{message}");
    }
}

#[test]
fn the_marker_counts_whatever_else_is_said_unless_it_is_quoted() {
    for message in ["Two tests still fail.\n\n[[VERIFY:done]]", "Şimdi bitti. [[VERIFY:done]]"] {
        assert_eq!(claim(message), Some(Claim::Marker));
    }
    check(&[
        ("End with `[[VERIFY:done]]` and the gate looks.", None),
        ("```\n[[VERIFY:done]]\n```", None),
        ("> [[VERIFY:done]]", None),
    ]);
}

#[test]
fn english_deeds_and_states_open_a_claim() {
    check(&[
        ("Sure. Fixed the parser. It was a typo.", Some("fixed the parser.")),
        ("The parser is fixed.", Some("the parser is fixed.")),
        ("I've now added `retry`.", Some("i've now added code.")),
        ("**Done** — see [the PR](https://example.com/1).", Some("done — see the pr.")),
        ("Found it and fixed it.", Some("found it and fixed it.")),
        ("Handoff written to `notes.md`.", Some("handoff written to code.")),
        ("Both are now merged into `main`.", Some("both are now merged into code.")),
        ("All four docs are in place.", Some("all four docs are in place.")),
        ("Everything is green.", Some("everything is green.")),
        ("The worktree is clean.", None),
        ("The page is ready in a second.", None),
        ("Here's what I did:\n- one\n- two", Some("here's what i did:")),
        ("The cache keeps rows that are updated at night.", None),
        ("Nothing has been changed.", None),
        ("The log says \"done\".", None),
        ("Is it fixed?", None),
        ("It should be added to the docs.", None),
        ("Yes, implemented since June.", None),
    ]);
}

#[test]
fn english_instructions_and_adjectives_are_no_claims() {
    check(&[
        ("Set the variable before you start the server.", None),
        ("Split the file into two and import both.", None),
        ("Cut the release branch first, then tag it.", None),
        ("I split the file into two.", Some("i split the file into two.")),
        ("We've now set the limit.", Some("we've now set the limit.")),
        ("Fixed costs are included in the total.", None),
        ("Closed issues have a label.", None),
        ("Removed in v2.", None),
        ("Fixed in 1.4.0 and later.", None),
        ("Fixed in 3 places.", Some("fixed in 3 places.")),
        ("Fixed — the cause was a typo.", Some("fixed — the cause was a typo.")),
        ("Fixed - it was a typo.", Some("fixed - it was a typo.")),
        ("Fixed and everything is green.", Some("fixed and everything is green.")),
        ("Updated pages that are stale.", Some("updated pages that are stale.")),
        ("Opened the log. It shows 3 errors.", None),
        ("I've sent a request. It returns 404.", None),
        ("Opened a PR for it.", Some("opened a pr for it.")),
        ("Opened it: example/app#7", Some("opened it: example/app#7")),
        ("Opened https://example.com/a/pull/7.", Some("opened https://example.com/a/pull/7.")),
    ]);
}

#[test]
fn a_missing_part_after_a_claim_takes_it_back() {
    check(&[
        ("I fixed the parser. 2 tests still fail.", None),
        ("I fixed the parser. One test is still failing.", None),
        ("I added the endpoint. The frontend is not implemented yet.", None),
        ("I added the endpoint. Paging isn't implemented.", None),
        ("Made good progress. The parser still needs work.", None),
        ("Made good progress.", None),
        ("I changed the parser. It still needs a test.", None),
        ("I fixed the parser. The rule was not implemented.", Some("i fixed the parser.")),
        ("I fixed the upload that still failed.", Some("i fixed the upload that still failed.")),
        ("修正しました。テストが1件失敗しています。", None),
        ("画面を追加しました。検索は実装していません。", None),
        ("修正しました。失敗していたテストも通ります。", Some("修正しました。")),
    ]);
}

#[test]
fn a_part_of_the_work_is_no_claim() {
    check(&[
        ("3 of 5 modules are converted.", None),
        ("Converted 18 of the 26 scripts.", None),
        ("Phase 1 complete.", None),
        ("Review complete. Two findings.", None),
        ("Converted all components except the chart.", None),
        ("Fixed the first crash. Moving on to the second.", None),
        ("The lexer is done. Next I'll write the parser.", None),
        ("I added the form. Resuming an upload isn't there yet.", None),
        ("I couldn't get it to build. I reverted my changes.", None),
        ("Build job applied. Waiting for the pod to start.", None),
    ]);
}

#[test]
fn next_steps_ci_and_courtesy_do_not_take_a_claim_back() {
    let claims = Some("fixed and pushed.");
    check(&[
        ("Fixed and pushed. CI is running.", claims),
        ("Fixed and pushed. CI is still running; three checks remain.", claims),
        ("Fixed and pushed. Next is the printer.", claims),
        ("Fixed and pushed. The old module remains, it is still used for exports.", claims),
        ("Fixed and pushed. Shall I go on with the printer?", claims),
        ("Fixed and pushed. Want me to open a PR?", claims),
        ("Fixed and pushed. I couldn't run the app here.", claims),
        ("Fixed and pushed. I'll report when the checks finish.", claims),
        ("Fixed and pushed.\n- left the old name alone\n- `b` is still missing upstream", claims),
        ("The PR is open with two reviews running. I'll report what they find.", None),
    ]);
}

#[test]
fn japanese_deeds_open_a_claim() {
    check(&[
        ("修正しました。", Some("修正しました。")),
        ("実装完了です。次はM3です。", Some("実装完了です。")),
        (
            "PR を作成しました: https://example.com/1",
            Some("pr を作成しました: https://example.com/1"),
        ),
        ("修正しました。ついでに名前も変えましょうか？", Some("修正しました。")),
        ("修正しました。CI を実行中です。", Some("修正しました。")),
        (
            "削除しました。`pagefind` は引き続き使用されているため残しています。",
            Some("削除しました。"),
        ),
        ("修正してよろしいでしょうか。", None),
        ("修正しますか？", None),
        ("変更内容を確認しました。", None),
        ("了解しました。", None),
        ("原因を特定しました。`a.ts` です。", None),
        ("1つ目の不具合は修正しました。2つ目を調べています。", None),
        ("翻訳を追加しました。韓国語は未着手です。", None),
        ("画面を変更しました。テストも確認します。", None),
        ("プッシュできませんでした。", None),
        ("変更はありませんでした。", None),
        ("修正は不要でした。", None),
        ("設定の問題でした。", None),
        ("実装されていませんでした。", None),
        ("修正しました。設定の問題でした。", Some("修正しました。")),
    ]);
}

#[test]
fn korean_has_a_few_words_and_other_languages_the_marker_only() {
    check(&[
        ("릴리스 완료.", Some("릴리스 완료.")),
        ("분석 완료했습니다.", None),
        ("수정 완료. CI 대기 중.", None),
        ("Düzelttim ve gönderdim.", None),
    ]);
}

#[test]
fn a_deed_at_the_end_counts_and_one_in_the_middle_does_not() {
    let answer = "The cache is keyed by path. Two callers share a key. Both write. ";
    check(&[
        (&format!("{answer}I've added a lock."), Some("i've added a lock.")),
        (&format!("{answer}I've added a lock. It is slow. It is fair."), None),
    ]);
}

#[test]
fn a_long_message_is_read_from_both_ends() {
    let middle = "テ".repeat(MAX_READ_BYTES);
    check(&[
        (&format!("{middle}\n{middle}\nFixed."), Some("fixed.")),
        (&format!("Fixed.\n{middle}\nI'm now adding tests.\n{middle}"), Some("fixed.")),
        (&format!("Fixed.\n{middle}\n{middle}\nI'm now adding tests."), None),
    ]);
}
