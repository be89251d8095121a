//! Something for people to read, which may be written where no code may change.

use super::super::clauses::Sentence;
use super::super::phrases;
use super::forbids;
use crate::paths::{FileKind, named_in};

/// Whether something for people to read is to be written: "write it down in docs/a.md", docs/a.md にまとめて.
pub(super) fn is_asked_for(sentences: &[Sentence], root: Option<&str>) -> bool {
    const WRITES: &[&str] = &[
        "write",
        "put",
        "save",
        "document",
        "summarize",
        "summarise",
        "sum",
        "note",
        "record",
        "collect",
        "draft",
        "add",
        "create",
        "update",
        "describe",
        "list",
        "report",
    ];
    const WRITTEN: &[&str] = &["に", "へ", "を作", "を書", "を更新", "を追加", "を用意", "として"];
    const TEXTS: &[&str] = &[
        "adr",
        "docs",
        "documentation",
        "readme",
        "changelog",
        "runbook",
        "ドキュメント",
        "手順書",
    ];
    let is_text = |path: &String| FileKind::of(path) == FileKind::Document;
    let asks = |clause: &Sentence| {
        let lower = clause.lower.as_str();
        let behind = phrases::find(lower, WRITES).map(|(at, len)| &lower[at + len..]);
        let texts: Vec<String> = named_in(&clause.text, root).into_iter().filter(is_text).collect();
        let is_written = |path: &String| {
            let path = path.to_lowercase();
            let rest = lower
                .split_once(path.as_str())
                .map(|(_, rest)| rest.trim_start_matches(['`', ' ']));
            behind.is_some_and(|behind| behind.contains(&path))
                || rest.is_some_and(|rest| WRITTEN.iter().any(|written| rest.starts_with(written)))
        };
        texts.iter().any(is_written)
            || behind.is_some_and(|behind| phrases::has(behind, TEXTS))
            || TEXTS
                .iter()
                .any(|text| !text.is_ascii() && lower.contains(text) && is_said_to_write(lower))
    };
    let mut clauses = sentences.iter().flat_map(Sentence::clauses);
    clauses.any(|clause| asks(&clause) && !forbids(&clause, root))
}

fn is_said_to_write(lower: &str) -> bool {
    phrases::has(
        lower,
        &["書いて", "まとめて", "作って", "作成して", "更新して", "追記して", "残して"],
    )
}
