//! Learnings as test data: fixed ones and arbitrary ones.

use proptest::prelude::*;
use verger_event::{EventId, SessionId, Timestamp};

use crate::learning::{Learning, Provenance};
use crate::learning_id::LearningId;
use crate::words::{Category, Confidence, Criterion, Scope};

/// A learning in which every field has a value.
pub(crate) fn full() -> Learning {
    Learning {
        id: "learn-01M7G83FEM0000000000000007".parse().unwrap(),
        category: Category::Pitfall,
        summary: "Retry of `save` doubles the row".to_owned(),
        detail: "The key is made per attempt.\n\n---\n## 鍵は一度だけ作る \r\n".to_owned(),
        scope: Scope::Team,
        confidence: Confidence::High,
        criteria: vec![Criterion::BehaviorChanging, Criterion::StableFact],
        tags: vec!["retry".to_owned(), "冪等".to_owned()],
        files: vec!["src/save.rs".to_owned()],
        symbols: vec!["Saver::save".to_owned()],
        supersedes: vec!["learn-abc123".parse().unwrap()],
        created: Timestamp::from_millis(1_794_767_961_556),
        provenance: Provenance {
            session: Some(SessionId::new("f0357e9b-fb48-41a1-afb7-88e26c9c25cd")),
            ticket: Some("beads:vg-17".to_owned()),
            events: vec!["01M7G83FEM0000000000000007".parse().unwrap()],
            commit: Some("2fd4e1c67a2d28fced849ee1bb76e7391b93eb12".to_owned()),
        },
    }
}

/// A learning with only the required fields.
pub(crate) fn bare() -> Learning {
    Learning {
        id: "learn-abc123".parse().unwrap(),
        category: Category::Domain,
        scope: Scope::Project,
        confidence: Confidence::Low,
        criteria: vec![],
        tags: vec![],
        files: vec![],
        symbols: vec![],
        supersedes: vec![],
        created: Timestamp::from_millis(0),
        provenance: Provenance::default(),
        ..full()
    }
}

/// Texts from characters that are hard to escape.
pub(crate) fn any_text() -> impl Strategy<Value = String> {
    const HARD: &[&str] = &[
        "\n",
        "\n\n",
        "\r\n",
        "\r",
        " ",
        "  ",
        "\t",
        "---",
        "## x",
        "# y",
        "### z",
        "```",
        "~~~~",
        "> q",
        ">",
        ">\"",
        "\"",
        "\\",
        "\\n",
        "|",
        ", ",
        "{#learn-a}",
        "{#",
        "}",
        "<!-- learn-a -->",
        "- id: learn-b",
        "category: pitfall",
        "| tags: x",
        "<<<<<<< HEAD",
        "=======",
        ">>>>>>> b",
        "[14:32] **Pitfall** (grove:learn-a): x",
        "#tag",
        "日本語",
        "\u{2028}",
        "\u{85}",
        "\u{feff}",
        "\u{202e}",
        "\0",
        "é",
        "a",
        "word ",
        "12",
    ];
    let piece = prop_oneof![
        8 => proptest::sample::select(HARD).prop_map(str::to_owned),
        1 => any::<String>(),
    ];
    proptest::collection::vec(piece, 0..12).prop_map(|pieces| pieces.concat())
}

fn any_word<T: Copy + std::fmt::Debug>(all: &'static [T]) -> impl Strategy<Value = T> {
    proptest::sample::select(all)
}

fn any_texts() -> impl Strategy<Value = Vec<String>> {
    proptest::collection::vec(any_text(), 0..3)
}

prop_compose! {
    pub(crate) fn any_id()(text in "learn-[A-Za-z0-9_-]{1,4}") -> LearningId {
        text.parse().unwrap()
    }
}

prop_compose! {
    fn any_provenance()(
        session in proptest::option::of(any_text()),
        ticket in proptest::option::of(any_text()),
        events in proptest::collection::vec(any::<(u32, u64)>(), 0..3),
        commit in proptest::option::of(any_text()),
    ) -> Provenance {
        Provenance {
            session: session.map(SessionId::new),
            ticket,
            events: events
                .into_iter()
                .map(|(at, random)| EventId::new(Timestamp::from_millis(at.into()), random.into()))
                .collect(),
            commit,
        }
    }
}

prop_compose! {
    /// An arbitrary learning, including those that a reflection wouldn't accept.
    pub(crate) fn any_learning()(
        id in any_id(),
        words in (any_word(Category::ALL), any_word(Scope::ALL), any_word(Confidence::ALL)),
        criteria in proptest::collection::vec(any_word(Criterion::ALL), 0..3),
        said in (any_text(), any_text()),
        lists in (any_texts(), any_texts(), any_texts()),
        supersedes in proptest::collection::vec(any_id(), 0..3),
        created in any::<u64>(),
        provenance in any_provenance(),
    ) -> Learning {
        Learning {
            id,
            category: words.0,
            summary: said.0,
            detail: said.1,
            scope: words.1,
            confidence: words.2,
            criteria,
            tags: lists.0,
            files: lists.1,
            symbols: lists.2,
            supersedes,
            created: Timestamp::from_millis(created),
            provenance,
        }
    }
}
