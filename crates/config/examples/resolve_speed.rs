//! Measures `resolve`: with no layers, and with a user and a project file of 2 KB each.

use std::hint::black_box;
use std::time::Instant;

use verger_config::{Layers, Project, ProjectTrust, Source, resolve};

const ROUNDS: u32 = 20_000;

#[expect(clippy::print_stdout, reason = "the figures are what this program is for")]
fn main() {
    let text = two_kilobytes();
    let source = Source { file: "config.toml", bytes: text.as_bytes() };
    let files = Layers {
        user: Some(source),
        project: Some(Project { source, trust: ProjectTrust::Untrusted }),
        environment: &[],
    };
    for (name, layers) in [
        ("no layers", Layers::default()),
        ("one file", Layers { user: Some(source), ..Layers::default() }),
        ("two files", files),
    ] {
        let nanoseconds = measure(&layers);
        println!("{name}: {}.{:03} µs", nanoseconds / 1000, nanoseconds % 1000);
    }
    println!("each file: {} bytes", text.len());
}

#[expect(clippy::disallowed_methods, reason = "a measurement reads the clock")]
fn measure(layers: &Layers<'_>) -> u128 {
    let start = Instant::now();
    for _ in 0..ROUNDS {
        black_box(resolve(black_box(layers)));
    }
    start.elapsed().as_nanos() / u128::from(ROUNDS)
}

/// Every key, the lists filled, and comments as people write them.
fn two_kilobytes() -> String {
    let names = |stem: &str| {
        let lines: Vec<String> =
            (0..24).map(|number| format!("  \"{stem}-{number:02}@example.org\",\n")).collect();
        lines.concat()
    };
    format!(
        "# What is recorded, and for whom.\n[record]\nenabled = true\nrole = \"reviewer\"\n\
         readers = [\n{}]\n\n# Who I am.\n[user]\nname = \"someone\"\n\n[redact]\n\
         # Names that only our own services use.\nkey_names = [\n{}]\n\n[store]\n\
         lock_wait_ms = 1_000 # a slow disk\n{}",
        names("a-reader-of-records"),
        names("a-secret"),
        "# A comment that explains the line above it.\n".repeat(6),
    )
}
