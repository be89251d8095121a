//! Redacts secrets in text. The hashes that replace them are made with the key of this
//! installation.

use std::io::{Read, Write};
use std::sync::OnceLock;

use crate::dir::Dir;

const KEY_FILE: &str = "redaction.key";

/// Redacts secrets. The key is read only when a secret is found, which is rare.
pub(crate) struct Redaction {
    key_names: Vec<String>,
    key: OnceLock<[u8; 32]>,
}

impl Redaction {
    pub(crate) fn new(key_names: Vec<String>) -> Self {
        Self { key_names, key: OnceLock::new() }
    }

    /// The text with its secrets redacted. `None` if it has no secrets.
    pub(crate) fn redact(&self, root: &Dir, text: &str) -> Option<String> {
        let findings = verger_redact::find(text, &self.key_names);
        if findings.is_empty() {
            return None;
        }
        let key = self.key.get_or_init(|| stored_key(root).unwrap_or_else(random_key));
        Some(verger_redact::replace(text, &findings, key))
    }
}

/// The installation's key; creates it if it is missing. Returns `None` if no key can be stored. The
/// caller then uses a temporary key, with which a secret gets another hash than in earlier records.
/// Secrets are still redacted.
fn stored_key(root: &Dir) -> Option<[u8; 32]> {
    if let Some(key) = read_key(root) {
        return Some(key);
    }
    let key = random_key();
    let temporary = format!("{KEY_FILE}.{}.new", std::process::id());
    let mut file = root.create(&temporary).ok()?;
    file.write_all(&key).ok()?;
    // Two processes may create a key at the same time. The process that renames its file first
    // wins.
    drop(root.rename_unless_there(&temporary, KEY_FILE));
    drop(root.remove(&temporary));
    read_key(root)
}

fn read_key(root: &Dir) -> Option<[u8; 32]> {
    let mut key = [0; 32];
    root.read(KEY_FILE).ok()??.read_exact(&mut key).ok().map(|()| key)
}

fn random_key() -> [u8; 32] {
    let mut key = [0; 32];
    let mut filled = 0;
    while filled < key.len() {
        match rustix::rand::getrandom(&mut key[filled..], rustix::rand::GetRandomFlags::empty()) {
            Ok(read) => filled += read,
            Err(rustix::io::Errno::INTR) => {}
            // An error here doesn't happen on supported systems. The key would then be the same on
            // every installation.
            Err(_) => break,
        }
    }
    key
}
