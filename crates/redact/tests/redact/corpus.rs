//! Generates a half of the corpus, puts its secrets in their contexts and scores the detection.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use verger_redact::{find, redact};

use crate::rng::Rng;
use crate::{made_lines, made_secrets};

pub(crate) const KEY: [u8; 32] = [7; 32];
/// The length of the pieces of a secret that are searched for. No piece may remain in the result.
const PIECE: usize = 8;
const LINES_PER_DOCUMENT: usize = 40;

#[derive(Clone, Copy)]
pub(crate) enum HalfName {
    Dev,
    Second,
}

/// A half of the corpus. Its secrets and lines are generated from a seed, so they are always the
/// same.
pub(crate) struct Half {
    secrets: Vec<Secret>,
    contexts: Vec<Context>,
    ordinary: String,
}

impl Half {
    pub(crate) fn of(name: HalfName) -> Self {
        let (seed, contexts_file, templates) = match name {
            HalfName::Dev => (
                0x0dd_ba11,
                include_str!("../../corpus/dev/contexts.txt"),
                include_str!("../../corpus/dev/ordinary-templates.txt"),
            ),
            HalfName::Second => (
                0xc0_ffee_5eed,
                include_str!("../../corpus/second/contexts.txt"),
                include_str!("../../corpus/second/ordinary-templates.txt"),
            ),
        };
        let mut rng = Rng::new(seed);
        let secrets = made_secrets::secrets(name, &mut rng);
        let ordinary = made_lines::lines(templates, &mut rng);
        Self { secrets, contexts: contexts(contexts_file), ordinary }
    }
}

/// The way in which the text of a case is wrapped before the detection gets it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Wrapping {
    Plain,
    Document,
    DocumentInDocument,
}

impl Wrapping {
    pub(crate) const ALL: [Self; 3] = [Self::Plain, Self::Document, Self::DocumentInDocument];

    fn wrap(self, text: &str) -> String {
        match self {
            Self::Plain => text.to_owned(),
            Self::Document => json!({ "tool": "Bash", "command": text }).to_string(),
            Self::DocumentInDocument => {
                json!({ "event": "call", "body": Self::Document.wrap(text) }).to_string()
            }
        }
    }

    fn unwrap(self, text: &str) -> Option<String> {
        match self {
            Self::Plain => Some(text.to_owned()),
            Self::Document => field(text, "command"),
            Self::DocumentInDocument => Self::Document.unwrap(&field(text, "body")?),
        }
    }
}

fn field(document: &str, name: &str) -> Option<String> {
    let document: Value = serde_json::from_str(document).ok()?;
    document.get(name)?.as_str().map(str::to_owned)
}

/// A secret as it is placed in a context.
pub(crate) struct Secret {
    pub(crate) kind: &'static str,
    /// The class of contexts in which the secret may be placed.
    pub(crate) class: &'static str,
    /// The words of the name of the secret's key.
    pub(crate) name: &'static str,
    pub(crate) text: String,
    /// The parts of `text` that are secret.
    pub(crate) parts: Vec<String>,
}

struct Context {
    name: String,
    classes: Vec<String>,
    template: String,
}

#[derive(Clone, Copy, Default)]
pub(crate) struct Tally {
    pub(crate) cases: usize,
    pub(crate) caught: usize,
    /// The number of cases in which the secret and nothing else was replaced.
    pub(crate) exact: usize,
}

impl Tally {
    fn add(&mut self, outcome: Outcome) {
        self.cases += 1;
        self.caught += usize::from(outcome != Outcome::Missed);
        self.exact += usize::from(outcome == Outcome::Exact);
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Outcome {
    Missed,
    Caught,
    Exact,
}

#[derive(Default)]
pub(crate) struct Score {
    pub(crate) all: Tally,
    pub(crate) by_kind: BTreeMap<String, Tally>,
    pub(crate) by_context: BTreeMap<String, Tally>,
    pub(crate) by_wrapping: BTreeMap<Wrapping, Tally>,
    /// The cases in which a part of the secret remained, as kind, context and resulting text.
    pub(crate) missed: Vec<(String, String, String)>,
    /// The documents that can't be parsed any more after the replacement.
    pub(crate) broken: Vec<String>,
}

impl Score {
    pub(crate) fn add(&mut self, kind: &str, context: &str, outcome: Outcome) {
        self.all.add(outcome);
        self.by_kind.entry(kind.to_owned()).or_default().add(outcome);
        self.by_context.entry(context.to_owned()).or_default().add(outcome);
    }
}

#[derive(Default)]
pub(crate) struct Ordinary {
    pub(crate) lines: usize,
    /// The lines that changed when each line was a separate text.
    pub(crate) touched_alone: Vec<String>,
    /// The number of lines that changed when forty lines were a string in a document.
    pub(crate) touched_in_documents: usize,
}

pub(crate) fn score(half: &Half) -> Score {
    let mut score = Score::default();
    for secret in &half.secrets {
        let is_for = |context: &&Context| context.classes.iter().any(|class| class == secret.class);
        for context in half.contexts.iter().filter(is_for) {
            let text = place(secret, &context.template);
            for wrapping in Wrapping::ALL {
                let wrapped = wrapping.wrap(&text);
                let outcome = outcome(secret, &wrapped, wrapping, &mut score);
                if outcome == Outcome::Missed {
                    let redacted = redact(&wrapped, &[], &KEY).into_owned();
                    score.missed.push((secret.kind.to_owned(), context.name.clone(), redacted));
                }
                score.add(secret.kind, &context.name, outcome);
                score.by_wrapping.entry(wrapping).or_default().add(outcome);
            }
        }
    }
    score
}

fn outcome(secret: &Secret, text: &str, wrapping: Wrapping, score: &mut Score) -> Outcome {
    let spelled: Vec<String> =
        secret.parts.iter().flat_map(|part| [part.clone(), percent_encoded(part)]).collect();
    assert!(spelled.iter().any(|part| survives(part, text)), "the secret is not in {text}");
    let redacted = redact(text, &[], &KEY);
    let Some(inner) = wrapping.unwrap(&redacted) else {
        score.broken.push(redacted.into_owned());
        return Outcome::Missed;
    };
    if spelled.iter().any(|part| survives(part, &redacted) || survives(part, &inner)) {
        return Outcome::Missed;
    }
    let is_exact = find(text, &[])
        .iter()
        .all(|f| spelled.iter().any(|part| part.contains(&text[f.range.clone()])));
    if is_exact { Outcome::Exact } else { Outcome::Caught }
}

pub(crate) fn survives(secret: &str, text: &str) -> bool {
    let secret = secret.as_bytes();
    let windows = secret.windows(PIECE.min(secret.len()));
    let text = text.as_bytes();
    windows.into_iter().any(|piece| memchr::memmem::find(text, piece).is_some())
}

pub(crate) fn ordinary(half: &Half) -> Ordinary {
    ordinary_lines(&half.ordinary)
}

pub(crate) fn ordinary_lines(text: &str) -> Ordinary {
    let lines: Vec<&str> = text.lines().collect();
    let touched = lines.iter().filter(|line| !find(line, &[]).is_empty());
    let touched_alone = touched.map(ToString::to_string).collect();
    let mut touched_in_documents = 0;
    for chunk in lines.chunks(LINES_PER_DOCUMENT) {
        let document = Wrapping::Document.wrap(&chunk.join("\n"));
        let inner = Wrapping::Document.unwrap(&redact(&document, &[], &KEY)).unwrap_or_default();
        let kept: Vec<&str> = inner.lines().collect();
        touched_in_documents +=
            chunk.iter().enumerate().filter(|(index, line)| kept.get(*index) != Some(line)).count();
    }
    Ordinary { lines: lines.len(), touched_alone, touched_in_documents }
}

fn contexts(file: &str) -> Vec<Context> {
    let sections = file.trim_start_matches("@ ").split("\n@ ");
    let parsed = sections.filter_map(|section| {
        let (heading, template) = section.split_once('\n')?;
        let (name, classes) = heading.split_once(": ")?;
        let classes = classes.split(' ').map(str::to_owned).collect();
        let template = template.trim_end_matches('\n').to_owned();
        Some(Context { name: name.to_owned(), classes, template })
    });
    parsed.collect()
}

fn place(secret: &Secret, template: &str) -> String {
    let mut out: Vec<String> = Vec::new();
    for line in template.lines() {
        let line = spell_name(line, secret.name);
        match line.split_once("«secret") {
            None => out.push(line),
            Some((before, rest)) => {
                let (mode, after) = rest.split_once('»').unwrap_or((rest, ""));
                match mode {
                    "" => {
                        out.extend(
                            secret.text.lines().map(|part| format!("{before}{part}{after}")),
                        );
                    }
                    "%" => out.push(format!("{before}{}{after}", percent_encoded(&secret.text))),
                    join => out.push(format!("{before}{}{after}", secret.text.replace('\n', join))),
                }
            }
        }
    }
    out.join("\n")
}

fn spell_name(line: &str, name: &str) -> String {
    let words: Vec<&str> = name.split(' ').collect();
    let titles: Vec<String> =
        words.iter().map(|word| format!("{}{}", word[..1].to_uppercase(), &word[1..])).collect();
    line.replace("«name»", &words.join("_"))
        .replace("«NAME»", &words.join("_").to_uppercase())
        .replace("«nameCamel»", &format!("{}{}", words[0], titles[1..].concat()))
        .replace("«NameCamel»", &titles.concat())
        .replace("«name-»", &words.join("-"))
        .replace("«Name-»", &titles.join("-"))
        .replace("«name.»", &words.join("."))
}

fn percent_encoded(text: &str) -> String {
    let encoded = text.bytes().map(|byte| {
        if byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte) {
            char::from(byte).to_string()
        } else {
            format!("%{byte:02X}")
        }
    });
    encoded.collect()
}
