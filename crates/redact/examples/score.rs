//! Prints the score of the detection on one half of the corpus, `score dev` or `score held-out`, or
//! on the second set, `score blind`.
//! With a second argument, also prints what was missed and what was touched by mistake.
#![expect(clippy::print_stdout, reason = "printing is what it is for")]

#[path = "../tests/redact/blind.rs"]
mod blind;
#[path = "../tests/redact/corpus.rs"]
mod corpus;

use std::collections::BTreeMap;
use std::env;

use corpus::{DEV, HELD_OUT, Tally, Wrapping, ordinary, score};

fn main() {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let (score, ordinary) = match arguments.first().map(String::as_str) {
        Some("blind") => (blind::score(), blind::ordinary()),
        Some("held-out") => (score(&HELD_OUT), ordinary(&HELD_OUT)),
        _ => (score(&DEV), ordinary(&DEV)),
    };
    let (alone, in_documents) = (ordinary.alone_share(), ordinary.in_documents_share());
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
    let (caught, exact) = (tally.caught_share(), tally.exact_share());
    println!("| {name} | {} | {caught:.1} % | {exact:.1} % |", tally.cases);
}
