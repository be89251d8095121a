//! Generates ordinary lines by filling the slots of hand-written templates with made-up words,
//! numbers and hashes.
//!
//! A template file is a list of sections: `# <name> <lines>` followed by one template per line.
//! Each section yields the stated number of lines by repeating its templates in order.

use crate::rng::{ALNUM, BASE64, HEX, LOWER, Rng};

pub(crate) fn lines(templates: &str, rng: &mut Rng) -> String {
    let mut out = String::new();
    for section in templates.split("\n# ") {
        let mut rows = section.lines();
        let Some(heading) = rows.next() else { continue };
        let count = heading.rsplit(' ').next().and_then(|count| count.parse().ok()).unwrap_or(0);
        let rows: Vec<&str> = rows.filter(|row| !row.is_empty()).collect();
        for row in rows.iter().cycle().take(count) {
            fill(row, rng, &mut out);
            out.push('\n');
        }
    }
    out
}

/// Copies `template`, replacing each `‹slot›`.
fn fill(template: &str, rng: &mut Rng, out: &mut String) {
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('‹') {
        out.push_str(before);
        let Some((slot, tail)) = after.split_once('›') else { break };
        out.push_str(&value(slot, rng));
        rest = tail;
    }
    out.push_str(rest);
}

fn value(slot: &str, rng: &mut Rng) -> String {
    let (name, size) = slot.split_once(':').unwrap_or((slot, ""));
    let size: usize = size.parse().unwrap_or(8);
    match name {
        "w" => word(rng),
        "W" => capital(&word(rng)),
        "snake" => [word(rng), word(rng)].join("_"),
        "SNAKE" => [word(rng), word(rng)].join("_").to_uppercase(),
        "kebab" => [word(rng), word(rng)].join("-"),
        "camel" => format!("{}{}", word(rng), capital(&word(rng))),
        "Camel" => format!("{}{}", capital(&word(rng)), capital(&word(rng))),
        "path" => [word(rng), word(rng), word(rng)].join("/"),
        "prose" => {
            let count = rng.between(size / 2 + 1, size);
            let words: Vec<String> = (0..count).map(|_| prose_word(rng)).collect();
            words.join(" ")
        }
        "n" => rng.between(0, 10_usize.pow(u32::try_from(size.min(9)).unwrap_or(3))).to_string(),
        "ver" => format!("{}.{}.{}", rng.below(9), rng.below(40), rng.below(30)),
        "hex" => rng.string(HEX, size),
        "b64" => rng.string(BASE64, size),
        "alnum" => rng.string(ALNUM, size),
        "letter" => rng.string(LOWER, 1),
        "uuid" => [8, 4, 4, 4, 12].map(|length| rng.string(HEX, length)).join("-"),
        "day" => format!("2024-{:02}-{:02}", rng.between(1, 12), rng.between(1, 28)),
        "time" => {
            format!("{:02}:{:02}:{:02}", rng.below(24), rng.below(60), rng.below(60))
        }
        "ip" => format!("10.{}.{}.{}", rng.below(255), rng.below(255), rng.below(255)),
        "svg" => svg_path(size, rng),
        unknown => format!("‹{unknown}›"),
    }
}

fn capital(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

fn svg_path(points: usize, rng: &mut Rng) -> String {
    let mut out = String::from("M0 0");
    for _ in 0..points {
        out.push_str(rng.pick(&["l", "c", "h", "v", "L", " ", ","]));
        out.push_str(&rng.below(48).to_string());
        out.push('.');
        out.push_str(&rng.below(999).to_string());
    }
    out.push('z');
    out
}

fn prose_word(rng: &mut Rng) -> String {
    const COMMON: &[&str] = &[
        "the", "a", "of", "to", "and", "is", "in", "that", "each", "when", "for", "with", "may",
        "before", "after", "must", "one", "value", "file", "request",
    ];
    if rng.below(2) == 0 { rng.pick(COMMON).to_owned() } else { word(rng) }
}

/// A common technical word, or a pronounceable made-up word.
fn word(rng: &mut Rng) -> String {
    const WORDS: &[&str] = &[
        "user", "index", "cache", "build", "parser", "buffer", "stream", "widget", "render",
        "node", "graph", "queue", "worker", "config", "session", "handler", "client", "server",
        "event", "store", "record", "field", "table", "query", "image", "layout", "cursor",
        "token", "report", "schema", "module", "router", "filter", "batch", "retry", "limit",
        "metric", "sample", "branch", "commit", "review", "window", "panel", "string", "number",
    ];
    if rng.below(3) > 0 {
        return rng.pick(WORDS).to_owned();
    }
    let mut out = String::new();
    for _ in 0..rng.between(2, 3) {
        out.push_str(rng.pick(&[
            "ba", "cor", "del", "fen", "gra", "lo", "mi", "nor", "pel", "qui", "ras", "sto", "tal",
            "ver", "wen", "zu",
        ]));
    }
    out
}
