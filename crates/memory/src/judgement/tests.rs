use proptest::prelude::*;
use verger_event::SessionId;

use super::*;
use crate::candidate::Candidate;
use crate::reflection::{EXAMPLE, Reflection, SCHEMA};
use crate::samples::any_text;
use crate::words::{Category, Confidence, Criterion, Scope};

fn good() -> Candidate {
    let texts = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect();
    Candidate {
        category: "pitfall".to_owned(),
        summary: "Retrying save() doubles the row".to_owned(),
        detail: "The key is made per attempt; make it before the loop.".to_owned(),
        scope: None,
        criteria: texts(&["behavior-changing"]),
        tags: texts(&["retry"]),
        files: vec![],
        symbols: vec![],
        supersedes: vec![],
    }
}

fn judged(offers: Vec<Offered>, known: &[(&str, &str)]) -> Judgement {
    judged_after(&["Use tabs in the Makefile of the orders table"], offers, known)
}

/// The judgement in a session with these prompts.
fn judged_after(prompts: &[&str], offers: Vec<Offered>, known: &[(&str, &str)]) -> Judgement {
    let prompts: Vec<_> = prompts.iter().map(|prompt| (*prompt).to_owned()).collect();
    let known: Vec<(LearningId, &str)> =
        known.iter().map(|(id, summary)| (id.parse().unwrap(), *summary)).collect();
    let known: Vec<_> = known.iter().map(|(id, summary)| Known { id, summary }).collect();
    let provenance = Provenance { session: Some(SessionId::new("s")), ..Provenance::default() };
    let origin =
        Origin { provenance: &provenance, prompts: &prompts, now: Timestamp::from_millis(7) };
    let mut number = 0;
    judge(offers, &known, origin, &mut || {
        number += 1;
        format!("learn-{number}").parse().unwrap()
    })
}

fn judged_all(candidates: &[Candidate], known: &[(&str, &str)]) -> Judgement {
    let offer =
        |candidate: &Candidate| Offered { candidate: candidate.clone(), unreadable: vec![] };
    judged(candidates.iter().map(offer).collect(), known)
}

/// The problems of an otherwise valid candidate after `change`, each as `field: problem`.
fn faults(change: impl Fn(&mut Candidate)) -> Vec<String> {
    let mut candidate = good();
    change(&mut candidate);
    let judgement = judged_all(&[candidate], &[]);
    let rejected = judgement.rejected.into_iter();
    rejected
        .flat_map(|turned| turned.rejected.reasons)
        .map(|reason| format!("{}: {}", reason.field, reason.says))
        .collect()
}

#[test]
fn a_good_candidate_becomes_a_learning() {
    let learning = Learning {
        id: "learn-1".parse().unwrap(),
        category: Category::Pitfall,
        summary: good().summary,
        detail: good().detail,
        scope: Scope::Project,
        confidence: Confidence::High,
        criteria: vec![Criterion::BehaviorChanging],
        tags: vec!["retry".to_owned()],
        files: vec![],
        symbols: vec![],
        supersedes: vec![],
        created: Timestamp::from_millis(7),
        provenance: Provenance { session: Some(SessionId::new("s")), ..Provenance::default() },
    };
    let expected = Judgement { learnings: vec![learning], ..Judgement::default() };
    assert_eq!(judged_all(&[good()], &[]), expected);
}

#[test]
fn limits_hold_to_the_character() {
    let summary = |text: String| faults(|candidate| candidate.summary.clone_from(&text));
    let detail = |text: String| faults(|candidate| candidate.detail.clone_from(&text));
    let tags = |count: usize| faults(|candidate| candidate.tags = vec!["t".to_owned(); count]);
    for (found, expected) in [
        (summary("鍵".repeat(9)), "summary: has 9 characters: write 10 to 200"),
        (summary("鍵".repeat(10)), ""),
        (summary("鍵".repeat(200)), ""),
        (summary("鍵".repeat(201)), "summary: has 201 characters: write 10 to 200"),
        (summary("  \n ".to_owned()), "summary: is missing: write 10 to 200 characters"),
        (detail("鍵".repeat(19)), "detail: has 19 characters: write 20 to 2000"),
        (detail("鍵".repeat(20)), ""),
        (detail("鍵".repeat(2000)), ""),
        (detail("鍵".repeat(2001)), "detail: has 2001 characters: write 20 to 2000"),
        (
            detail(format!(" {}", good().summary.to_uppercase())),
            "detail: repeats the summary: write how to use the learning",
        ),
        (tags(0), "tags: has 0 entries: give 1 to 10"),
        (tags(1), ""),
        (tags(10), ""),
        (tags(11), "tags: has 11 entries: give 1 to 10"),
    ] {
        assert_eq!(found.join("; "), expected);
    }
}

#[test]
fn every_fault_of_a_candidate_is_told_at_once() {
    let found = faults(|candidate| {
        candidate.category = "mood".to_owned();
        candidate.summary = "short".to_owned();
        candidate.tags = vec![" ".to_owned()];
        candidate.criteria = vec!["stable_fact".to_owned(), "because".to_owned()];
        candidate.files = vec!["f".repeat(301)];
        candidate.supersedes = vec!["x".to_owned()];
    });
    let expected = [
        "category: \"mood\" is not a known category; use one of pattern, pitfall, convention, dependency, process, domain, debugging",
        "summary: has 5 characters: write 10 to 200",
        "tags: has an empty entry: remove it or fill it",
        "criteria: \"because\" is not a known criterion; use one of behavior_changing, decision_rationale, stable_fact, explicit_request",
        "files: has an entry of 301 characters: the limit is 300",
        "supersedes: \"x\" is not the id of a learning, such as learn-01M7G83FEM0000000000000007",
    ];
    assert_eq!(found, expected);
    let none = faults(|candidate| candidate.criteria = vec![]);
    assert_eq!(
        none,
        [
            "criteria: has no entry: claim at least one of behavior_changing, decision_rationale, stable_fact, explicit_request"
        ]
    );
}

#[test]
fn an_unknown_scope_is_taken_for_project_with_a_remark() {
    let candidate = Candidate { scope: Some("world".to_owned()), ..good() };
    let judgement = judged_all(&[candidate], &[]);
    assert_eq!(judgement.learnings[0].scope, Scope::Project);
    let says = "\"world\" is not a known scope; use one of project, team, personal, ephemeral; project is used instead";
    let remark = Remark { candidate: 1, field: "scope".to_owned(), says: says.to_owned() };
    assert_eq!(judgement.remarks, [remark]);
}

#[test]
fn plausible_claims_decide_the_confidence() {
    let confidence = |criteria: &[&str], detail: &str| {
        let criteria = criteria.iter().map(|word| (*word).to_owned()).collect();
        let summary = "A row of the `orders` table".to_owned();
        let candidate = Candidate { criteria, summary, detail: detail.to_owned(), ..good() };
        judged_all(&[candidate], &[]).learnings[0].confidence
    };
    let fact = "The orders table is partitioned by month.";
    assert_eq!(confidence(&["stable_fact"], fact), Confidence::High);
    assert_eq!(confidence(&["stable_fact", "explicit_request"], fact), Confidence::Medium);
    assert_eq!(confidence(&["explicit_request", "decision_rationale"], fact), Confidence::Low);
}

#[test]
fn a_request_counts_if_a_prompt_has_its_words() {
    let offer = |summary: &str, detail: &str, criteria: &[&str]| {
        let criteria = criteria.iter().map(|word| (*word).to_owned()).collect();
        let (summary, detail) = (summary.to_owned(), detail.to_owned());
        let candidate = Candidate { summary, detail, criteria, ..good() };
        vec![Offered { candidate, unreadable: vec![] }]
    };
    let not_asked = "explicit_request is not accepted: no prompt of this session has half of the words of the summary or of the detail; use the person's words, or claim another criterion";
    let prompts =
        ["fix the login page", "and please indent Makefiles with tabs, never with spaces"];
    let tabs = "The user wants tabs for indenting the Makefile";
    let of_detail = ("Makefile style", "The user asked: indent Makefiles with tabs.");
    let push = "The user asked never to push to main on Friday";
    let japanese = "Makefileのインデントはタブにする";
    let why = "The reason is how make reads it.";
    for (prompts, summary, detail, criteria, expected) in [
        (&prompts[..], tabs, why, &["explicit_request"][..], Ok((1, None))),
        (&prompts, of_detail.0, of_detail.1, &["explicit_request"], Ok((1, None))),
        (
            &["Makefileのインデントは、今後タブにしてください"],
            japanese,
            why,
            &["explicit_request"],
            Ok((1, None)),
        ),
        (&prompts, push, why, &["explicit_request"], Err(not_asked)),
        (&[], tabs, why, &["explicit_request"], Err(not_asked)),
        (&prompts, push, why, &["stable_fact", "explicit_request"], Ok((1, Some(not_asked)))),
        (&prompts, push, why, &["stable_fact"], Ok((1, None))),
    ] {
        let judgement = judged_after(prompts, offer(summary, detail, criteria), &[]);
        let found = match &judgement.rejected[..] {
            [] => {
                let learning = &judgement.learnings[0];
                let remark = judgement.remarks.first().map(|remark| remark.says.as_str());
                Ok((learning.criteria.len(), remark))
            }
            [turned, ..] => Err(turned.rejected.reasons[0].says.as_str()),
        };
        assert_eq!(found, expected, "{summary} {criteria:?} {prompts:?}");
    }
}

#[test]
fn known_and_repeated_candidates_are_rejected_and_the_rest_accepted() {
    let other = Candidate { summary: "Use --locked for cargo in CI".to_owned(), ..good() };
    let again = Candidate { summary: "use `--locked` for cargo in CI.".to_owned(), ..good() };
    let empty = Candidate {
        summary: "Always write good tests".to_owned(),
        detail: "Tests help to find bugs and improve quality.".to_owned(),
        ..good()
    };
    let judgement = judged_all(
        &[good(), other, again, empty],
        &[("learn-k", "Retrying save() doubles the row.")],
    );
    let reasons: Vec<_> = judgement
        .rejected
        .iter()
        .map(|turned| (turned.candidate, turned.rejected.reasons[0].says.as_str()))
        .collect();
    let expected = [
        (
            1,
            "says the same as learn-k (\"Retrying save() doubles the row.\"): name that learning in `used`, or write what is new, or put learn-k in `supersedes` if the new learning replaces it",
        ),
        (3, "says the same as \"Use --locked for cargo in CI\" in this reflection: leave one out"),
        (
            4,
            "is vague: name a file, a command, an identifier, a value, a tool or the text of an error here or in the detail",
        ),
    ];
    assert_eq!(reasons, expected);
    assert_eq!(judgement.learnings.len(), 1);
}

#[test]
fn a_learning_may_replace_the_one_it_resembles() {
    let candidate = |id: &str| Candidate { supersedes: vec![id.to_owned()], ..good() };
    let known = [("learn-k", "Retrying save() doubles the row.")];
    let judgement = judged_all(&[candidate("learn-k")], &known);
    assert_eq!(judgement.learnings[0].supersedes, ["learn-k".parse().unwrap()]);
    assert_eq!((judgement.rejected.len(), judgement.remarks.len()), (0, 0));
    let stranger = judged_all(&[candidate("learn-x")], &[]);
    assert_eq!(stranger.remarks[0].says, "learn-x is not an active learning here; kept as written");
}

#[test]
fn unreadable_fields_are_faults_and_are_told_once() {
    let unreadable = vec![Reason { field: "tags".to_owned(), says: "is no list".to_owned() }];
    let candidate = Candidate { tags: vec![], category: String::new(), ..good() };
    let judgement = judged(vec![Offered { candidate, unreadable }], &[]);
    let fields: Vec<_> =
        judgement.rejected[0].rejected.reasons.iter().map(|reason| reason.field.as_str()).collect();
    assert_eq!(fields, ["tags", "category"]);
}

#[test]
fn the_example_passes_as_it_stands() {
    let judgement = judged(Reflection::read(EXAMPLE).unwrap().offers, &[]);
    assert_eq!((judgement.rejected, judgement.remarks), (vec![], vec![]));
    assert_eq!(judgement.learnings[0].confidence, Confidence::High);
}

#[test]
fn the_schema_says_what_is_checked() {
    let schema: serde_json::Value = serde_json::from_str(SCHEMA).unwrap();
    let fields = &schema["properties"]["candidates"]["items"]["properties"];
    assert_eq!(fields["category"]["enum"], serde_json::json!(Category::WORDS));
    assert_eq!(fields["scope"]["enum"], serde_json::json!(Scope::WORDS));
    assert_eq!(fields["criteria"]["items"]["enum"], serde_json::json!(Criterion::WORDS));
    assert_eq!(schema["properties"]["candidates"]["maxItems"], crate::reflection::MAX_CANDIDATES);
}

proptest! {
    #[test]
    fn no_text_breaks_a_reflection(pieces in proptest::collection::vec(any_text(), 0..6)) {
        let text = pieces.join("\n");
        for text in [text.clone(), format!("## {text}\n- category: domain | tags: a\n\n{text}")] {
            if let Ok(reflection) = Reflection::read(&text) {
                let offered = reflection.offers.len();
                let judgement = judged(reflection.offers, &[("learn-k", &text)]);
                prop_assert_eq!(judgement.learnings.len() + judgement.rejected.len(), offered);
            }
        }
    }

    #[test]
    fn likeness_has_no_direction_and_no_text_breaks_it(a in any_text(), b in any_text()) {
        prop_assert_eq!(say_the_same(&a, &b), say_the_same(&b, &a));
        prop_assert!(say_the_same(&a, &a));
    }
}
