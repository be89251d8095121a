//! Tests of near-duplicates: properties of any two summaries, and cases for each feature.

use std::collections::BTreeSet;

use proptest::prelude::*;

use super::*;

#[test]
fn equal_texts_are_the_same_whatever_they_are_made_of() {
    for text in ["", "the of and", "!!!", "Обновить индекс", "인덱스를 다시 만든다", "日本語"]
    {
        assert!(say_the_same(text, text), "{text}");
    }
    assert!(say_the_same("The  of AND", "the of and"));
}

#[test]
fn a_reason_against_wins_over_any_likeness() {
    let table = [
        ("The upload limit is 10 MB", "The upload limit is 100 MB"),
        ("Set cache_ttl to 0 in tests", "Set retry_limit to 0 in tests"),
        ("Run cargo test --doc in CI", "Run cargo test --release in CI"),
        ("Config is read from src/a.toml", "Config is read from src/b.toml"),
        ("Tests may use the network", "Tests may not use the network"),
        ("Call init() before connect()", "Call connect() before init()"),
        ("Logs are kept for 30 days", "Logs are kept for 30 months"),
        ("Sessions are stored in Redis", "Sessions are stored in Postgres"),
        ("Enable strict mode everywhere", "Disable strict mode everywhere"),
        ("Tests pass on macOS", "Tests pass on macOS but fail on Linux"),
        ("Rebase shared branches before the release", "Shared branches must not be rebased"),
        ("Never log the session token", "Log the session token on every failed login attempt"),
        (
            "Imports from web are forbidden in the api package",
            "The web package may import from the api package",
        ),
        (
            "Every migration has a script that seeds it",
            "The seed script needs the migrations to have run first",
        ),
        ("The unit price is gross", "The unit price is net, the total gross"),
        ("The unit price is gross", "Totals are gross but unit prices are net"),
        ("Mount the volume read-write in development", "The volume should be mounted as read-only"),
        ("A restart may lose events", "Events can be reordered on restart"),
        (
            "Sharing one socket between threads corrupts the frames",
            "Sharing one socket between threads does not corrupt the frames",
        ),
        (
            "Old snapshots are kept when a volume is deleted",
            "Old snapshots are removed when a volume is deleted",
        ),
        ("The worker retries failed jobs", "The worker never retries failed jobs"),
        ("The hook runs before the commit", "The hook runs after the commit"),
        ("The nightly sweep purges expired sessions", "The nightly sweep keeps expired sessions"),
        (
            "テストを並列実行する",
            "テスト用データベースは並列実行で共有されるため、テーブル名を分ける",
        ),
        ("テストは順番に実行する", "テストはアルファベット順ではなくランダムに実行される"),
        ("テストではモックを使う", "テストではモックを使わない"),
        ("ログはUTCで出力する", "ログはJSTで出力する"),
    ];
    for (a, b) in table {
        assert!(!say_the_same(a, b), "{a} / {b}");
        assert!(!say_the_same(b, a), "{b} / {a}");
    }
}

#[test]
fn form_order_spelling_and_additions_do_not_matter() {
    let table = [
        (
            "Run the seed script before the server starts",
            "The seed script has to run before starting the server.",
        ),
        ("Prices are stored in cents", "Store prices as cents"),
        (
            "Hot reload does not see shared/",
            "Hot reload does not see shared/, so restart the dev server",
        ),
        ("The parser is case-insensitive for keywords", "Keywords are parsed case-insensitively"),
        ("Seperate the reciept parser", "Separate the receipt parser"),
        ("Adress lookups are cached per tenant", "Address lookups are cached per tenant"),
        ("PRs need 2 approvals", "Pull requests need two approvals"),
        ("Never deploy the worker without a lock", "Take a lock to deploy the worker"),
        (
            "The billing job must not run twice in parallel, it takes a lock",
            "A lock keeps the billing job from running twice in parallel",
        ),
        ("Release tags must be spaceless", "There must not be any spaces in release tags"),
        (
            "The indexer fails to boot without the schema file",
            "Without the schema file the indexer cannot start",
        ),
        (
            "Expired sessions are purged by the nightly sweep",
            "The nightly sweep erases expired sessions",
        ),
        (
            "The k8s cfg folder of the service holds tmp files",
            "Temporary files of the service are in the Kubernetes config directory",
        ),
        ("画像は事前にリサイズしてからアップロードする", "画像をアップロードする前にリサイズする"),
        ("DBのインデックスを使う", "データベースのインデックスを使用する"),
    ];
    for (a, b) in table {
        assert!(say_the_same(a, b), "{a} / {b}");
        assert!(say_the_same(b, a), "{b} / {a}");
    }
}

#[test]
fn each_offered_summary_is_compared() {
    let mut offered =
        NearDuplicates::of(&["Prices are in cents", "Use tabs", "Store prices as cents"]);
    assert_eq!(offered.like("Prices are stored in cents"), [0, 2]);
    assert!(offered.like("Weights are stored in grams").is_empty());
}

/// Earlier comparisons in the same batch don't change the result.
#[test]
fn the_order_within_a_batch_does_not_matter() {
    let texts = [
        "Prices are in cents",
        "Use tabs",
        "Store prices as cents",
        "Never store prices as cents",
        "Shared branches must not be rebased",
        "Rebase shared branches before the release",
        "Prices are stored in cents",
        "テストを並列実行する",
        "テストは並列で実行する",
    ];
    let pairs_of = |texts: &[&str]| {
        let mut offered = NearDuplicates::of(texts);
        let like = |known: &&str| {
            let like = offered.like(known).into_iter().map(|index| texts[index].to_owned());
            like.map(|text| (text, (*known).to_owned())).collect::<Vec<_>>()
        };
        texts.iter().flat_map(like).collect::<BTreeSet<_>>()
    };
    let expected = pairs_of(&texts);
    let alone = texts.iter().flat_map(|a| texts.iter().map(move |b| (*a, *b)));
    let alone = alone.filter(|(a, b)| say_the_same(a, b));
    assert_eq!(alone.map(|(a, b)| (a.to_owned(), b.to_owned())).collect::<BTreeSet<_>>(), expected);
    let mut turned = texts;
    for _ in 0..texts.len() {
        turned.rotate_left(1);
        assert_eq!(pairs_of(&turned), expected);
        let reversed: Vec<_> = turned.iter().rev().copied().collect();
        assert_eq!(pairs_of(&reversed), expected);
    }
}

/// Arbitrary text, and texts from few words, so that two texts often share some.
fn text() -> impl Strategy<Value = String> {
    let word = prop::sample::select(vec![
        "the",
        "not",
        "without",
        "first",
        "only",
        "cache",
        "caches",
        "cached",
        "--fix",
        "src/a.rs",
        "30",
        "60",
        "seconds",
        "run",
        "before",
        "Redis",
        "database",
        "db",
        "enable",
        "disable",
        "テスト",
        "実行",
        "しない",
        "user_id",
        "tokens",
        "env",
        "environment",
    ]);
    let sentence = prop::collection::vec(word, 0..9).prop_map(|words| words.join(" "));
    prop_oneof![sentence, ".{0,40}"]
}

proptest! {
    #[test]
    fn it_has_no_direction_and_no_case(a in text(), b in text()) {
        let is_same = say_the_same(&a, &b);
        prop_assert_eq!(say_the_same(&b, &a), is_same);
        prop_assert_eq!(say_the_same(&a.to_ascii_uppercase(), &b), is_same);
        prop_assert!(say_the_same(&a, &a));
    }

    /// If the quick check rejects two summaries, the whole measure does too.
    #[test]
    fn beginnings_lose_nothing(a in text(), b in text()) {
        let mut lexicon = Lexicon::default();
        let [a, b] = [a, b].map(|text| Offered::read(&text, &mut lexicon));
        let is_same = measure::is_same(&a.aligned(&b));
        prop_assert!(!is_same || measure::may_be_same(&a.sentence, &b.sentence));
        prop_assert!(!is_same || measure::may_be_same(&b.sentence, &a.sentence));
    }
}

#[test]
fn long_texts_are_compared_to_their_beginning_only() {
    let letters = "a".repeat(10_000);
    let words: Vec<_> = (0..1_000).map(|number| format!("word{number} stem")).collect();
    let words = words.join(" ");
    let kanji = "検".repeat(10_000);
    for a in [&letters, &words, &kanji] {
        assert!(Sentence::read(a, &mut Lexicon::default()).words.len() <= 64);
        for b in [&letters, &words, &kanji] {
            assert_eq!(say_the_same(a, b), a == b);
        }
    }
}
