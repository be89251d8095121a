//! Finds markers of unfinished work, and shortcuts that weaken a test.

use super::Finding;
use super::tree::{File, Tree};

pub(crate) fn nothing_is_unfinished(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for file in tree.rust_files() {
        for (number, line) in file.numbered() {
            let comment = line.comment.as_ref().map(|comment| comment.text.as_str());
            let words = comment.unwrap_or_default().split(|c: char| !c.is_alphanumeric());
            let mark = words.into_iter().find(|word| UNFINISHED_WORDS.contains(word));
            let code = UNFINISHED_CODE.iter().find(|code| line.code.contains(**code)).copied();
            if let Some(mark) = mark.or(code) {
                let advice =
                    format!("finish it instead of `{mark}`, or open an issue and delete it");
                findings.push(Finding::at(&file.path, number, advice));
            }
        }
    }
    findings
}

const UNFINISHED_WORDS: &[&str] = &["TODO", "FIXME", "XXX", "HACK"];
const UNFINISHED_CODE: &[&str] = &["todo!", "unimplemented!"];

pub(crate) fn expect_instead_of_allow(tree: &Tree) -> Vec<Finding> {
    let advice = "use `expect` with a reason: it tells when it is no longer needed";
    find_code(tree, |_, _| true, &["#[allow(", "#![allow("], |_| advice.to_owned())
}

pub(crate) fn tests_take_no_shortcuts(tree: &Tree) -> Vec<Finding> {
    let patterns: Vec<&str> = SHORTCUTS.iter().map(|(pattern, _)| *pattern).collect();
    let is_test = |file: &File, is_test_line: bool| file.is_test() || is_test_line;
    find_code(tree, is_test, &patterns, |found| {
        let shortcut = SHORTCUTS.iter().find(|(pattern, _)| *pattern == found);
        shortcut.map(|(_, advice)| (*advice).to_owned()).unwrap_or_default()
    })
}

const SHORTCUTS: &[(&str, &str)] = &[
    ("#[ignore", "run it or delete it: a test that does not run protects nothing"),
    (", ignore)]", "run it or delete it: a test that does not run protects nothing"),
    ("sleep(", "wait for the thing itself, with a deadline"),
    ("#[should_panic", "assert on the value: any panic would pass"),
    ("#[serial", "give the test its own environment instead of its own turn"),
    ("set_var(", "pass the environment as a value: tests share the process"),
];

fn find_code(
    tree: &Tree,
    applies: impl Fn(&File, bool) -> bool,
    patterns: &[&str],
    advice: impl Fn(&str) -> String,
) -> Vec<Finding> {
    let mut findings = Vec::new();
    for file in tree.rust_files() {
        for (number, line) in file.numbered().filter(|(_, line)| applies(file, line.is_test)) {
            let found = patterns.iter().find(|pattern| line.code.contains(**pattern));
            findings.extend(found.map(|found| Finding::at(&file.path, number, advice(found))));
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::super::test_tree::tree_of;
    use super::*;

    fn lines(findings: Vec<Finding>) -> Vec<(String, Option<usize>)> {
        findings.into_iter().map(|finding| (finding.path, finding.line)).collect()
    }

    const LIB: &str = "crates/sample/src/lib.rs";
    const TEST: &str = "crates/sample/tests/it.rs";

    #[test]
    fn unfinished_work_is_found_in_comments_and_code_but_not_in_strings() {
        let text = "// TODO: later\nfn a() { todo!() }\nconst B: &str = \"TODO\";\n// mastodon\n";
        let found = lines(nothing_is_unfinished(&tree_of(&[(LIB, text)])));
        assert_eq!(found, [(LIB.to_owned(), Some(1)), (LIB.to_owned(), Some(2))]);
    }

    #[test]
    fn allow_is_found_in_both_forms_and_expect_is_not() {
        let text = "#![allow(dead_code)]\n#[allow(unused)]\n#[expect(unused, reason = \"x\")]\n";
        let found = lines(expect_instead_of_allow(&tree_of(&[(LIB, text)])));
        assert_eq!(found, [(LIB.to_owned(), Some(1)), (LIB.to_owned(), Some(2))]);
    }

    #[test]
    fn shortcuts_are_found_in_test_files_and_test_modules_only() {
        let test = "#[test]\n#[ignore]\nfn a() {\n    std::thread::sleep(second);\n}\n";
        let lib = "fn back_off() { sleep(1) }\n#[cfg(test)]\nmod tests {\n    #[should_panic]\n}\n";
        let found = lines(tests_take_no_shortcuts(&tree_of(&[(LIB, lib), (TEST, test)])));
        assert_eq!(
            found,
            [(LIB.to_owned(), Some(4)), (TEST.to_owned(), Some(2)), (TEST.to_owned(), Some(4))]
        );
    }
}
