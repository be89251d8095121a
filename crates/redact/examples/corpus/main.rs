//! Writes the generated part of the corpus: `secrets.jsonl` and `ordinary.txt` of each half.
//!
//! The contexts and the templates of ordinary lines are written by hand and only read here. Two
//! runs give the same bytes: every choice comes from a seeded generator, one per half, so a change
//! of the corpus shows as a change of these sources or of the templates.

mod ordinary;
mod rng;
mod secrets;

use std::fs;
use std::io;
use std::path::Path;

use rng::Rng;

/// The half the detection is developed against, or the half it is scored on afterwards.
#[derive(Clone, Copy)]
enum Half {
    Dev,
    HeldOut,
}

impl Half {
    fn folder(self) -> &'static str {
        match self {
            Self::Dev => "dev",
            Self::HeldOut => "held-out",
        }
    }

    fn seed(self) -> u64 {
        match self {
            Self::Dev => 0x0dd_ba11,
            Self::HeldOut => 0xc0_ffee_5eed,
        }
    }
}

fn main() -> io::Result<()> {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus");
    for half in [Half::Dev, Half::HeldOut] {
        let folder = corpus.join(half.folder());
        let mut rng = Rng::new(half.seed());
        fs::write(folder.join("secrets.jsonl"), secrets::jsonl(half, &mut rng))?;
        let templates = fs::read_to_string(folder.join("ordinary-templates.txt"))?;
        fs::write(folder.join("ordinary.txt"), ordinary::lines(&templates, &mut rng))?;
    }
    Ok(())
}
