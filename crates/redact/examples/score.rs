//! Prints the score of secret detection on one half of the corpus (`score dev` or `score second`),
//! or on the independent set (`score independent`).
//!
//! With a second argument, the program also prints the missed secrets, and the texts that were
//! replaced by mistake.
#![expect(clippy::print_stdout, reason = "the program prints its results")]

#[path = "../tests/redact/corpus.rs"]
mod corpus;
#[path = "../tests/redact/independent.rs"]
mod independent;
#[path = "../tests/redact/made_lines.rs"]
mod made_lines;
#[path = "../tests/redact/made_secrets.rs"]
mod made_secrets;
#[path = "../tests/redact/rng.rs"]
mod rng;

use std::collections::BTreeMap;
use std::env;

use corpus::{Half, HalfName, Ordinary, Score, Tally, Wrapping, ordinary, score};

fn main() {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let (score, ordinary) = match arguments.first().map(String::as_str) {
        Some("independent") => (independent::score(), independent::ordinary()),
        Some("second") => scores(HalfName::Second),
        _ => scores(HalfName::Dev),
    };
    let alone = percentage(ordinary.touched_alone.len(), ordinary.lines);
    let in_documents = percentage(ordinary.touched_in_documents, ordinary.lines);
    println!("| | cases | caught | exact |\n|---|---|---|---|");
    row("all", score.all);
    for (wrapping, tally) in &score.by_wrapping {
        row(wrapping_name(*wrapping), *tally);
    }
    println!("\nordinary lines: {}, touched {alone:.2} %", ordinary.lines);
    println!("in documents of forty lines: touched {in_documents:.2} %");
    println!("documents that no longer parse: {}", score.broken.len());
    table("kind", &score.by_kind);
    table("context", &score.by_context);
    if arguments.len() > 1 {
        for (kind, context, text) in &score.missed {
            println!("missed {kind} in {context}: {text}");
        }
        for line in &ordinary.touched_alone {
            println!("touched: {line}");
        }
    }
}

fn scores(half: HalfName) -> (Score, Ordinary) {
    let half = Half::of(half);
    (score(&half), ordinary(&half))
}

fn wrapping_name(wrapping: Wrapping) -> &'static str {
    match wrapping {
        Wrapping::Plain => "as it is",
        Wrapping::Document => "in a JSON document",
        Wrapping::DocumentInDocument => "in a document in a document",
    }
}

fn table(heading: &str, rows: &BTreeMap<String, Tally>) {
    println!("\n| {heading} | cases | caught | exact |\n|---|---|---|---|");
    for (name, tally) in rows {
        row(name, *tally);
    }
}

fn row(name: &str, tally: Tally) {
    let (caught, exact) =
        (percentage(tally.caught, tally.cases), percentage(tally.exact, tally.cases));
    println!("| {name} | {} | {caught:.1} % | {exact:.1} % |", tally.cases);
}

fn percentage(part: usize, whole: usize) -> f64 {
    let number = |count: usize| f64::from(u32::try_from(count).unwrap_or(u32::MAX));
    100.0 * number(part) / number(whole.max(1))
}
