//! Masks a reviewer's token in messages about a command's own arguments.

use verger_redact::{SecretKind, find};

/// The text with `[token]` for every token.
pub(crate) fn mask_tokens(text: &str) -> String {
    let (mut clean, mut copied) = (String::with_capacity(text.len()), 0);
    for token in find(text, &[]).iter().filter(|found| found.kind == SecretKind::ReviewerToken) {
        clean.push_str(&text[copied..token.range.start]);
        clean.push_str("[token]");
        copied = token.range.end;
    }
    clean.push_str(&text[copied..]);
    clean
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_left_out_wherever_they_stand() {
        let token = format!("vrt_{}", "ab34".repeat(8));
        for (text, expected) in [
            ("nothing".to_owned(), "nothing"),
            (format!("unexpected argument '{token}' found"), "unexpected argument '[token]' found"),
            (format!("--token={token}"), "--token=[token]"),
            (format!("é{token}{token}é"), "é[token][token]é"),
        ] {
            assert_eq!(mask_tokens(&text), expected);
        }
    }
}
