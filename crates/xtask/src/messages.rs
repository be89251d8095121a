//! Generates a page with all messages of the programs: the texts in the production code of the
//! crates that users run.
//!
//! A text is a string literal with at least three words. The page also contains keys and formats
//! that look like a text. Help texts are in the reference of commands. Texts composed from single
//! words aren't found.

use std::collections::BTreeSet;

use crate::failure::Failure;
use crate::tidy::{Part, Tree};
use crate::workspace::Root;

/// Crates that are left out because users don't run them, and the invented session of the demo.
const LEFT_OUT: &[&str] = &[
    "crates/chores/",
    "crates/xtask/",
    "crates/testkit/",
    "crates/upstream/",
    "crates/cli/src/commands/demo/scenes/",
];
const MIN_WORDS: usize = 3;

/// Generates the page with all texts, by crate and file.
///
/// # Errors
///
/// If the files of the workspace can't be listed or read.
pub fn page(root: &Root) -> Result<String, Failure> {
    Ok(render(&Tree::load(root)?))
}

fn render(tree: &Tree) -> String {
    let mut page = "# Messages\n\nMade by `cargo xtask generate` from the code: every text of at least three words that \
        verger can show to people or agents, by file. `{}` stands for a value. Help texts are in \
        [commands](commands.md).\n"
        .to_owned();
    let is_left_out = |path: &str| LEFT_OUT.iter().any(|folder| path.starts_with(folder));
    for file in tree.rust_files().filter(|file| file.part == Some(Part::Production)) {
        let lines = file.lines.iter().filter(|line| !line.is_test && !is_reason(&line.code));
        let texts: BTreeSet<_> = lines
            .flat_map(|line| &line.literals)
            .map(|text| on_one_line(text))
            .filter(|text| is_text(text))
            .collect();
        if is_left_out(&file.path) || texts.is_empty() {
            continue;
        }
        page.extend(["\n## ", file.path.trim_start_matches("crates/"), "\n\n"]);
        for text in &texts {
            page.extend(["- ``", text, "``\n"]);
        }
    }
    page
}

/// Whether a line of code has the reason of an `#[expect]`, which is a text for developers.
fn is_reason(code: &str) -> bool {
    code.contains("reason = \"")
}

/// Joins the lines of a literal that has several. Their indentation is dropped, as the compiler
/// does.
fn on_one_line(text: &str) -> String {
    text.replace("\\n", " ").replace("\\\n", " ").split_whitespace().collect::<Vec<_>>().join(" ")
}

fn is_text(text: &str) -> bool {
    let is_word = |word: &&str| word.chars().filter(|c| c.is_alphabetic()).count() >= 2;
    text.split(' ').filter(is_word).count() >= MIN_WORDS
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::tree_of;

    #[test]
    fn the_page_has_the_texts_of_production_code_once() {
        let lib = "#[expect(dead_code, reason = \"one two three four\")]\nfn a() {\n    b(\"the log is \\\n    \
            missing\");\n    b(\"two words\");\n    b(\"the log is missing\");\n}\n#[cfg(test)]\nmod tests {\n    \
            const A: &str = \"one two three\";\n}\n";
        let page = render(&tree_of(&[
            ("crates/sample/src/lib.rs", lib),
            ("crates/sample/tests/it.rs", "const A: &str = \"one two three\";"),
        ]));
        let (_, texts) = page.split_once("\n## ").unwrap();
        assert_eq!(texts, "sample/src/lib.rs\n\n- ``the log is missing``\n");
    }
}
