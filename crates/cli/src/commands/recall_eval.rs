//! `verger recall-eval`: ranks documents from a file for queries from a file, as the hook does for
//! prompts.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};

use clap::Args;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::json;
use tempfile::TempDir;
use verger_event::Timestamp;
use verger_recall::{Document, Place, Query, Recall, RecallError, Writer};

use crate::invocation::command_error::CommandError;
use crate::render::output::{Output, Ui};

/// Rank documents for queries, to measure recall's search.
///
/// Both files have one JSON object per line. Documents have id and text, and optionally title,
/// tags, files, speaker, date, caption, session and seq, group, ts. Queries have id and text, and
/// optionally files, group, before. Prints one line per query (one object with --json) with the ids
/// of the documents, best first. A query is compared with the documents of its group; if there are
/// none, with those of each group.
#[derive(Debug, Args)]
pub(crate) struct RecallEvalArgs {
    /// The documents.
    documents: PathBuf,
    /// The queries.
    queries: PathBuf,
    /// How many documents to print for a query.
    #[arg(long, default_value_t = 100)]
    limit: usize,
    /// Print only documents that fit, and say for how many queries there is one.
    #[arg(long)]
    fit: bool,
}

#[derive(Debug, Deserialize)]
struct DocumentLine {
    id: String,
    text: String,
    #[serde(default)]
    group: String,
    #[serde(default)]
    title: String,
    #[serde(default)]
    tags: Vec<String>,
    #[serde(default)]
    files: Vec<String>,
    #[serde(default)]
    speaker: String,
    #[serde(default)]
    date: String,
    #[serde(default)]
    caption: String,
    session: Option<String>,
    #[serde(default)]
    seq: u64,
    #[serde(default)]
    ts: u64,
}

#[derive(Debug, Deserialize)]
struct QueryLine {
    id: String,
    text: String,
    #[serde(default)]
    group: String,
    #[serde(default)]
    files: Vec<String>,
    before: Option<u64>,
}

pub(crate) fn recall_eval(ui: &mut Ui, args: &RecallEvalArgs) -> Result<(), CommandError> {
    let mut groups: BTreeMap<String, Vec<Document>> = BTreeMap::new();
    for line in lines::<DocumentLine>(&args.documents)? {
        groups.entry(line.group.clone()).or_default().push(line.into_document());
    }
    let indexes = Indexes::build(&groups)?;
    let (mut queries, mut answered) = (0u32, 0u32);
    let mut answers = vec![];
    for line in lines::<QueryLine>(&args.queries)? {
        let ranked = indexes.rank(&line, args)?;
        queries += 1;
        answered += u32::from(!ranked.is_empty());
        let answer = json!({ "query": line.id, "ranked": ranked });
        match ui.output() {
            Output::Json => answers.push(answer),
            Output::Text => ui.json(&answer)?,
        }
    }
    if ui.output() == Output::Json {
        ui.json(&json!({ "queries": answers }))?;
    }
    if args.fit {
        let share = 100.0 * f64::from(answered) / f64::from(queries.max(1));
        ui.tell(&format!(
            "{answered} of {queries} queries have a matching learning ({share:.1} %)"
        ));
    }
    Ok(())
}

/// The indexes, one per group. A group corresponds to a project.
struct Indexes {
    _dir: TempDir,
    by_group: BTreeMap<String, Recall>,
}

impl Indexes {
    fn build(groups: &BTreeMap<String, Vec<Document>>) -> Result<Self, CommandError> {
        let dir = tempfile::tempdir()?;
        let mut by_group = BTreeMap::new();
        for (number, (group, documents)) in groups.iter().enumerate() {
            let place = dir.path().join(number.to_string());
            Writer::wait(&place)?.rebuild(b"", documents)?;
            by_group.extend(Recall::open(&place)?.map(|recall| (group.clone(), recall)));
        }
        Ok(Self { _dir: dir, by_group })
    }

    fn rank(&self, line: &QueryLine, args: &RecallEvalArgs) -> Result<Vec<String>, RecallError> {
        let before = line.before.map(seconds);
        let query = Query {
            texts: vec![(&line.text, 1.0)],
            files: line.files.iter().map(String::as_str).collect(),
            now: before,
            before,
        };
        let mut ranked = vec![];
        for recall in self.of_group(&line.group) {
            for hit in recall.search(&query, args.limit, &|_| true)? {
                if hit.fits() || !args.fit {
                    ranked.push((hit.score, recall.stored(&hit)?.id));
                }
            }
        }
        ranked.sort_by(|(one, _), (other, _)| other.total_cmp(one));
        Ok(ranked.into_iter().take(args.limit).map(|(_, id)| id).collect())
    }

    fn of_group(&self, group: &str) -> Vec<&Recall> {
        let own = self.by_group.get(group);
        own.map_or_else(|| self.by_group.values().collect(), |recall| vec![recall])
    }
}

impl DocumentLine {
    fn into_document(self) -> Document {
        let sequence = self.seq;
        Document {
            id: self.id,
            kind: 0,
            mark: 0,
            title: self.title,
            body: format!("{}\n{}", self.text, self.caption),
            tags: self.tags,
            files: self.files,
            author: self.speaker,
            date: self.date,
            at: seconds(self.ts),
            place: self.session.map(|session| Place { session, sequence }),
            payload: vec![],
        }
    }
}

fn seconds(seconds: u64) -> Timestamp {
    Timestamp::from_millis(seconds.saturating_mul(1000))
}

fn lines<T: DeserializeOwned>(path: &Path) -> Result<Vec<T>, CommandError> {
    let unreadable = |error: io::Error| CommandError::Usage {
        message: format!("cannot read {}: {error}", path.display()),
        hint: "verger recall-eval --help".into(),
    };
    let file = BufReader::new(File::open(path).map_err(unreadable)?);
    let mut values = vec![];
    for (number, line) in (1..).zip(file.lines()) {
        let line = line.map_err(unreadable)?;
        if line.trim().is_empty() {
            continue;
        }
        values.push(serde_json::from_str(&line).map_err(|error| CommandError::Usage {
            message: format!("{}:{number}: {error}", path.display()),
            hint: "verger recall-eval --help".into(),
        })?);
    }
    Ok(values)
}
