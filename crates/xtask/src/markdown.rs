//! The code in a Markdown file.

/// A fenced block.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Block<'a> {
    /// The nearest heading above it, without its marks.
    pub(crate) heading: &'a str,
    /// What stands after the opening fence.
    pub(crate) language: &'a str,
    /// Its lines with their numbers, as people count them.
    pub(crate) lines: Vec<(usize, &'a str)>,
}

pub(crate) struct Code<'a> {
    pub(crate) blocks: Vec<Block<'a>>,
    /// What stands between single backticks outside of blocks, with its line.
    pub(crate) inline: Vec<(usize, &'a str)>,
}

pub(crate) fn code(text: &str) -> Code<'_> {
    let mut found = Code { blocks: vec![], inline: vec![] };
    let mut heading = "";
    let mut open: Option<Block<'_>> = None;
    for (number, line) in (1..).zip(text.lines()) {
        match (open.take(), line.strip_prefix("```")) {
            (Some(block), Some(_)) => found.blocks.push(block),
            (Some(mut block), None) => {
                block.lines.push((number, line));
                open = Some(block);
            }
            (None, Some(language)) => {
                open = Some(Block { heading, language, lines: vec![] });
            }
            (None, None) => {
                if line.starts_with('#') {
                    heading = line.trim_start_matches('#').trim();
                }
                let spans = line.split('`').skip(1).step_by(2);
                found.inline.extend(spans.map(|span| (number, span)));
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_know_their_heading_and_inline_code_its_line() {
        let text =
            "# A\nsay `a b` and `c`\n```sh\n# no heading, `no` code\nx\n```\n## B\n```\ny\n```\n";
        let code = code(text);
        let block = |heading, language, lines| Block { heading, language, lines };
        assert_eq!(
            code.blocks,
            [
                block("A", "sh", vec![(4, "# no heading, `no` code"), (5, "x")]),
                block("B", "", vec![(9, "y")]),
            ]
        );
        assert_eq!(code.inline, [(2, "a b"), (2, "c")]);
    }
}
