//! Verger's block in a file of rules. Bytes outside of the block are kept. Pure: texts in, texts
//! out.

const BEGIN: &str =
    "# The rules of verger: `verger init` writes them, `verger uninstall` removes them.\n";
const END: &str = "# The end of verger's rules.\n";

/// The text with these rules in verger's block. No rules: without the block.
pub(crate) fn with_rules(text: &str, rules: Option<&str>) -> String {
    let Some(rules) = rules else { return without_rules(text) };
    let block = format!("{BEGIN}{rules}{END}");
    match block_of(text) {
        Some((start, end)) => [&text[..start], &block, &text[end..]].concat(),
        None if text.is_empty() || text.ends_with('\n') => format!("{text}{block}"),
        None => format!("{text}\n{block}"),
    }
}

/// The text without verger's block.
pub(crate) fn without_rules(text: &str) -> String {
    match block_of(text) {
        Some((start, end)) => [&text[..start], &text[end..]].concat(),
        None => text.to_owned(),
    }
}

/// The byte range of the block.
fn block_of(text: &str) -> Option<(usize, usize)> {
    let end = text.find(END)?;
    let start = text[..end].rfind(BEGIN)?;
    Some((start, end + END.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_block_is_changed() {
        for text in ["", "mine = 1\n", "mine = 1\r\n\r\n"] {
            let with = with_rules(text, Some("a\n"));
            assert_eq!(with, format!("{text}{BEGIN}a\n{END}"));
            assert_eq!(with_rules(&with, Some("a\n")), with);
            assert_eq!(with_rules(&with, Some("b\n")), format!("{text}{BEGIN}b\n{END}"));
            assert_eq!(with_rules(&with, None), text);
            assert_eq!(without_rules(&format!("{with}later\n")), format!("{text}later\n"));
        }
        assert_eq!(with_rules("mine", Some("a\n")), format!("mine\n{BEGIN}a\n{END}"));
    }

    #[test]
    fn a_block_without_its_end_is_left_alone() {
        for text in [BEGIN, END, "# verger\n", &format!("{END}{BEGIN}")] {
            assert_eq!(without_rules(text), text);
        }
    }
}
