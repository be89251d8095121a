//! Finds the code in a Markdown file.

/// A fenced code block.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Block<'a> {
    /// The nearest heading above the block, without its `#`.
    pub(crate) heading: &'a str,
    /// The language that the opening fence names.
    pub(crate) language: &'a str,
    /// The block's lines with their numbers, from 1.
    pub(crate) lines: Vec<(usize, &'a str)>,
}

pub(crate) struct Code<'a> {
    pub(crate) blocks: Vec<Block<'a>>,
    /// Inline code outside of blocks, each with the number of the line on which it begins.
    pub(crate) inline: Vec<(usize, String)>,
}

pub(crate) fn code(text: &str) -> Code<'_> {
    let mut found = Code { blocks: vec![], inline: vec![] };
    let mut heading = "";
    let mut open: Option<Block<'_>> = None;
    let mut paragraph = vec![];
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
                paragraph.push((number, line));
                continue;
            }
        }
        found.inline.append(&mut spans(&mut paragraph));
    }
    found.inline.append(&mut spans(&mut paragraph));
    found
}

/// Finds the inline code of a paragraph. Inline code may continue on the next line, but not after
/// an empty line.
fn spans(paragraph: &mut Vec<(usize, &str)>) -> Vec<(usize, String)> {
    let mut found = vec![];
    let mut open: Option<(usize, String)> = None;
    for (number, line) in paragraph.drain(..) {
        if line.trim().is_empty() {
            open = None;
        }
        for (index, piece) in line.split('`').enumerate() {
            match &mut open {
                Some((_, span)) if index == 0 => {
                    span.push(' ');
                    span.push_str(piece.trim_start());
                }
                Some(_) => found.extend(open.take()),
                None if index > 0 => open = Some((number, piece.to_owned())),
                None => {}
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
        let text = "# A\nsay `a b` and `c`, `d\n  e`, a ` alone\n\n`f`\n```sh\n# no heading, `no` code\nx\n```\n## B\n```\ny\n```\n";
        let code = code(text);
        let block = |heading, language, lines| Block { heading, language, lines };
        assert_eq!(
            code.blocks,
            [
                block("A", "sh", vec![(7, "# no heading, `no` code"), (8, "x")]),
                block("B", "", vec![(12, "y")]),
            ]
        );
        let inline: Vec<_> =
            code.inline.iter().map(|(line, span)| (*line, span.as_str())).collect();
        assert_eq!(inline, [(2, "a b"), (2, "c"), (2, "d e"), (5, "f")]);
    }
}
