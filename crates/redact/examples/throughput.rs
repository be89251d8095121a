//! Prints how long the search for secrets takes per megabyte: for ordinary text, for text full of
//! secrets, and for text that is meant to be slow.
#![expect(clippy::print_stdout, reason = "the program prints its results")]

use std::hint::black_box;
use std::time::Instant;

const MEGABYTE: usize = 1_000_000;
const ROUNDS: usize = 5;

fn main() {
    let ordinary = include_str!("../corpus/independent-ordinary.txt");
    let secrets = include_str!("../corpus/independent-secrets.jsonl");
    report("ordinary lines", ordinary);
    report("ordinary lines as a JSON string", &format!("{ordinary:?}"));
    report("nothing but secrets", secrets);
    for unit in [
        "a",
        "-",
        "sk-",
        "=",
        "\"",
        "eyJ",
        "-----BEGIN ",
        "\\",
        "%",
        "token=",
        "token:\"",
        "cookie=",
        "password: ",
        "a://b:",
        "-----BEGIN PRIVATE KEY-----",
        "key\"",
        "[redacted:",
        "eyJaaaaaaaaaaaaa.",
        "authorization: ",
        " -p candle",
        "az -p candle",
        "echo a|",
        "identified by 'a",
        "token for a",
        "token\"{",
        "é",
    ] {
        report(unit, unit);
    }
}

/// Repeats `unit` to a megabyte and prints the best time of a few rounds.
fn report(name: &str, unit: &str) {
    let text = unit.repeat(MEGABYTE.div_ceil(unit.len()));
    let mut best = f64::INFINITY;
    let mut found = 0;
    for _ in 0..ROUNDS {
        #[expect(clippy::disallowed_methods, reason = "the program measures time")]
        let start = Instant::now();
        found = black_box(verger_redact::find(black_box(&text), &[])).len();
        best = best.min(start.elapsed().as_secs_f64());
    }
    let megabytes = f64::from(u32::try_from(text.len()).unwrap_or(u32::MAX)) / 1e6;
    println!("{:8.2} ms/MB {found:8} found  {name:?}", best * 1000.0 / megabytes);
}
