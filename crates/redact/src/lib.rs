//! Finds secrets in text and replaces each by its type and a short keyed hash.
//!
//! The text is usually one JSON document, often with other documents escaped inside its strings.
//! A finding therefore never holds a quote or an escape sequence that the document needs: replacing
//! every finding leaves a valid document of the same shape. The one value that changes its type is a
//! number that is a password: `{"password":83920174}` gets a string in its place, quoted as its key is.
//!
//! Finding does not need the key, so a caller reads it only when there is something to replace:
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
//! The scan is one pass over words and the signs between them. Each recogniser looks a bounded
//! distance ahead before it decides, and what it takes is not read again, so the time is linear in
//! the text whatever the text is.

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
