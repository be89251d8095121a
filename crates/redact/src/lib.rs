//! Finds secrets in text and replaces each by its type and a short keyed hash.
//!
//! The text is usually a JSON document, often with other documents escaped in its strings. So a
//! finding never includes a quote or an escape sequence of the document. Replacing every finding
//! gives a valid document with the same structure.
//!
//! Only one kind of value changes its type: a number that is a password, as in
//! `{"password":83920174}`. It becomes a string with the same kind of quotes as its key.
//!
//! Finding secrets doesn't need the key for the hashes. A caller reads that key only if there is
//! something to replace:
//!
//! ```
//! let text = r#"{"command":"curl -H 'Authorization: Bearer 4Zb9xQ27LmNc81KsVtRw'"}"#;
//! let findings = verger_redact::find(text, &[]);
//! let clean = verger_redact::replace(text, &findings, &[7; 32]);
//! assert_eq!(
//!     clean,
//!     r#"{"command":"curl -H 'Authorization: Bearer [redacted:authorization:c9ac7f4d]'"}"#
//! );
//! ```
//!
//! The scan is one pass over words and the signs between them. Each recognizer reads a bounded
//! number of bytes ahead before it decides. The scan continues after a finding, so the time is
//! linear in the length of any text.

mod finding;
mod header;
mod jwt;
mod key_name;
mod key_value;
mod link;
mod marker;
mod pem;
mod plausibility;
mod program;
mod provider;
mod randomness;
mod reviewer_token;
mod scan;
mod symbol;
mod url;
mod value;
mod wording;

pub use finding::{Finding, SecretKind};
pub use marker::{redact, replace};
pub use scan::find;
