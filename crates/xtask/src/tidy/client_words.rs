//! Checks that only the crate of the adapters contains a client's tool names and payload keys. Such
//! a literal in another crate would be a rule for one client only.

use super::Finding;
use super::modules::Part;
use super::tree::{File, Tree};

/// The file that lists the clients' words.
const LIST: &str = "crates/agent/src/client_words.rs";

/// The paths of code in which a literal may contain such a word, with reasons. Test code may always
/// contain one.
const ALLOWED: &[(&str, &str)] = &[
    ("crates/agent/", "the adapters live here"),
    ("crates/chores/", "benches, soaks and replays play a client"),
    ("crates/cli/src/commands/demo/", "the demo plays a client"),
    ("crates/testkit/", "tests play a client"),
    ("crates/upstream/", "it is the model service that a client talks to"),
    ("crates/xtask/", "the check's own tests"),
];

/// The clients' words, grouped by the constants that contain them.
struct Words<'a> {
    tools: Vec<&'a str>,
    keys: Vec<&'a str>,
}

pub(crate) fn clients_words_stay_in_one_crate(tree: &Tree) -> Vec<Finding> {
    let Some(words) = tree.file(LIST).map(Words::of) else {
        return vec![Finding::in_file(LIST, "the list of the clients' words is missing")];
    };
    if words.tools.is_empty() || words.keys.is_empty() {
        return vec![Finding::in_file(LIST, "the list of the clients' words cannot be read")];
    }
    let mut findings = Vec::new();
    let production = tree.rust_files().filter(|file| file.part == Some(Part::Production));
    for file in production.filter(|file| !is_allowed(&file.path)) {
        for (number, line) in file.numbered().filter(|(_, line)| !line.is_test) {
            let word = line.literals.iter().find_map(|literal| words.word_in(literal));
            if let Some(word) = word {
                let advice = format!("`{word}` is a client's word: match on `ToolUse` instead");
                findings.push(Finding::at(&file.path, number, advice));
            }
        }
    }
    findings
}

impl<'a> Words<'a> {
    fn of(list: &'a File) -> Self {
        let mut words = Self { tools: vec![], keys: vec![] };
        let mut into = None;
        for line in list.lines.iter().filter(|line| !line.is_test) {
            into = match line.code.as_str() {
                code if code.contains("const TOOL_NAMES") => Some(&mut words.tools),
                code if code.contains("const PAYLOAD_KEYS") => Some(&mut words.keys),
                _ => into,
            };
            if let Some(words) = &mut into {
                words.extend(line.literals.iter().map(String::as_str));
            }
        }
        words
    }

    /// The client's word that a literal contains, if any. It is a tool name (the whole literal, or
    /// its part before a colon), or a payload key anywhere in the literal.
    fn word_in(&self, literal: &str) -> Option<&'a str> {
        let name = literal.split_once(':').map_or(literal, |(name, _)| name);
        let tool = self.tools.iter().find(|tool| **tool == name);
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let key = || {
            let mut parts = literal.split(|c| !is_word(c));
            parts.find_map(|part| self.keys.iter().find(|key| **key == part))
        };
        tool.or_else(key).copied()
    }
}

fn is_allowed(path: &str) -> bool {
    ALLOWED.iter().any(|(folder, _)| path.starts_with(folder))
}

#[cfg(test)]
mod tests {
    use super::super::test_tree::tree_of;
    use super::*;

    const WORDS: &str = "pub const TOOL_NAMES: &[&str] = &[\n    \"Bash\",\n    \"Write\",\n];\n\
        pub const PAYLOAD_KEYS: &[&str] = &[\"file_path\"];\n#[cfg(test)]\nmod tests {\n    const X: &str = \"x\";\n}\n";

    fn lines(files: &[(&str, &str)]) -> Vec<Option<usize>> {
        let found = clients_words_stay_in_one_crate(&tree_of(files));
        found.into_iter().map(|finding| finding.line).collect()
    }

    #[test]
    fn a_clients_word_in_a_literal_of_production_code_is_found() {
        let lib = "fn a() {\n    b(\"Bash\");\n    b(\"Bash:gh*\");\n    b(\"Write it down, file_paths too\");\n    \
            b(r#\"{\"file_path\": 1}\"#);\n    // \"Bash\"\n    x.file_path();\n}\n\
            #[cfg(test)]\nmod tests {\n    const B: &str = \"Bash\";\n}\n";
        let tests = "const B: &str = \"Bash\";";
        let files = [
            (LIST, WORDS),
            ("crates/sample/src/lib.rs", lib),
            ("crates/sample/tests/it.rs", tests),
        ];
        assert_eq!(lines(&files), [Some(2), Some(3), Some(5)]);
    }

    #[test]
    fn a_list_that_is_missing_or_empty_is_found() {
        assert_eq!(lines(&[("crates/sample/src/lib.rs", "")]), [None]);
        assert_eq!(lines(&[(LIST, "pub const TOOL_NAMES: &[&str] = &[];")]), [None]);
    }
}
