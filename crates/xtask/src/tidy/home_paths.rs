//! Finds paths in the tree that exist only on one developer's machine.

use super::Finding;
use super::tree::Tree;

/// The name of the user's home folder in fixtures and examples.
const NEUTRAL_USER: &str = "dev";

pub(crate) fn no_path_of_a_developers_machine(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for file in &tree.files {
        for (number, line) in (1..).zip(file.text.lines()) {
            if let Some(path) = personal_path(line) {
                let advice = format!("`{path}` is somebody's machine: use /home/{NEUTRAL_USER}");
                findings.push(Finding::at(&file.path, number, advice));
            }
        }
    }
    findings
}

fn personal_path(line: &str) -> Option<String> {
    ["/home", "/Users", "/root"].iter().find_map(|start| {
        line.match_indices(start).find_map(|(at, _)| {
            let begins_a_path = !line[..at].ends_with(is_path_character);
            let after = &line[at + start.len()..];
            let is_whole_name = !after.starts_with(|c: char| c != '/' && is_path_character(c));
            let user: String = after
                .strip_prefix('/')
                .unwrap_or_default()
                .chars()
                .take_while(|c| *c != '/' && is_path_character(*c))
                .collect();
            let is_personal = match *start {
                "/root" => true,
                "/home" => !user.is_empty() && user != NEUTRAL_USER,
                _ => !user.is_empty(),
            };
            (begins_a_path && is_whole_name && is_personal).then(|| format!("{start}/{user}"))
        })
    })
}

fn is_path_character(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '/' | '_' | '-' | '.')
}

#[cfg(test)]
mod tests {
    use super::super::test_tree::tree_of;
    use super::*;

    #[test]
    fn a_personal_path_is_found_in_any_file() {
        let tree = tree_of(&[
            ("docs/a.md", "see\n/home/alice/x"),
            ("fixtures/b.json", "{\"cwd\":\"/Users/bob/x\"}"),
            ("c.sh", "cd /root"),
            ("d.md", "/home/dev/project and /home/<name> and /home/$USER"),
            ("e.rs", "let a = \"crate/root/b\"; let b = \"https://x.test/home/alice\";"),
            ("f.rs", "let a = \"/rooted\"; let b = \"/homes/alice\";"),
        ]);
        let found: Vec<_> = no_path_of_a_developers_machine(&tree)
            .into_iter()
            .map(|finding| (finding.path, finding.line))
            .collect();
        let expected = [("docs/a.md", 2), ("fixtures/b.json", 1), ("c.sh", 1)]
            .map(|(path, line)| (path.to_owned(), Some(line)));
        assert_eq!(found, expected);
    }
}
