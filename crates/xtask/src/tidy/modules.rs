//! Finds the source files of a crate: the root files of its targets, and the files that these reach
//! by `mod` declarations.

use std::collections::BTreeMap;

use super::source::Line;

/// Whether a file is compiled into the programs that users run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Part {
    Test,
    Production,
}

/// The root file of a cargo target.
#[derive(Debug, Clone)]
pub(crate) struct Target {
    /// The path of the root file, relative to the workspace.
    pub(crate) path: String,
    pub(crate) kind: TargetKind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TargetKind {
    /// A library, program or build script.
    Production,
    IntegrationTest,
    /// A benchmark or example.
    Other,
}

/// Every file that is reached from the targets. A file that both production code and tests use
/// counts as production code.
pub(crate) fn reach(
    targets: &[Target],
    source_of: impl Fn(&str) -> Option<(Vec<Line>, String)>,
) -> BTreeMap<String, Part> {
    let mut reached = BTreeMap::new();
    let mut open: Vec<(String, Part, bool)> = targets
        .iter()
        .map(|target| {
            let part = match target.kind {
                TargetKind::Production => Part::Production,
                TargetKind::IntegrationTest | TargetKind::Other => Part::Test,
            };
            (target.path.clone(), part, true)
        })
        .collect();
    while let Some((path, part, is_root)) = open.pop() {
        let Some((lines, text)) = source_of(&path) else { continue };
        if reached.get(&path).is_some_and(|known| *known >= part) {
            continue;
        }
        reached.insert(path.clone(), part);
        for declared in declarations(&lines, &text) {
            let part = if declared.is_test { Part::Test } else { part };
            for candidate in declared.candidates(&path, is_root) {
                let is_mod_rs = candidate.ends_with("/mod.rs");
                open.push((candidate, part, is_mod_rs));
            }
        }
    }
    reached
}

#[derive(Debug, PartialEq, Eq)]
struct Declaration {
    /// The names of the surrounding inline modules, followed by the module's own name.
    names: Vec<String>,
    /// The path that `#[path = "..."]` or `include!("...")` gives, if there is one.
    explicit: Option<String>,
    is_test: bool,
}

impl Declaration {
    /// The paths at which the compiler looks for the module's file.
    fn candidates(&self, declared_in: &str, is_root: bool) -> Vec<String> {
        let (folder, file) = declared_in.rsplit_once('/').unwrap_or(("", declared_in));
        if let Some(explicit) = &self.explicit {
            return vec![normalise(&format!("{folder}/{explicit}"))];
        }
        let base = if is_root || file == "mod.rs" {
            folder.to_owned()
        } else {
            format!("{folder}/{}", file.trim_end_matches(".rs"))
        };
        let module = format!("{base}/{}", self.names.join("/"));
        vec![format!("{module}.rs"), format!("{module}/mod.rs")]
    }
}

fn normalise(path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    parts.join("/")
}

fn declarations(lines: &[Line], text: &str) -> Vec<Declaration> {
    let mut found = Vec::new();
    let mut inline: Vec<(String, u32)> = Vec::new();
    let mut depth = 0;
    let mut explicit = None;
    let mut before = ["", ""];
    for (line, raw) in lines.iter().zip(text.split('\n')) {
        if line.code.contains("path = \"") || line.code.contains("include!(\"") {
            explicit = raw.split('"').nth(1).map(str::to_owned);
        }
        if line.code.contains("include!(\"") {
            found.push(Declaration {
                names: Vec::new(),
                explicit: explicit.take(),
                is_test: line.is_test,
            });
        }
        for token in tokens(&line.code) {
            let module = (before[0] == "mod").then(|| before[1].to_owned());
            match (token, module) {
                (";", Some(name)) => {
                    let mut names: Vec<_> = inline.iter().map(|(name, _)| name.clone()).collect();
                    names.push(name);
                    let explicit = explicit.take();
                    found.push(Declaration { names, explicit, is_test: line.is_test });
                }
                ("{", module) => {
                    depth += 1;
                    inline.extend(module.map(|name| (name, depth)));
                }
                ("}", _) => {
                    inline.pop_if(|(_, opened_at)| *opened_at == depth);
                    depth = depth.saturating_sub(1);
                }
                _ => {}
            }
            before = [before[1], token];
        }
    }
    found
}

/// Splits code into words and single punctuation marks.
fn tokens(code: &str) -> impl Iterator<Item = &str> {
    let mut rest = code.trim_start();
    std::iter::from_fn(move || {
        let first = rest.chars().next()?;
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let end = if is_word(first) {
            rest.find(|c| !is_word(c)).unwrap_or(rest.len())
        } else {
            first.len_utf8()
        };
        let (token, after) = rest.split_at(end);
        rest = after.trim_start();
        Some(token)
    })
}

#[cfg(test)]
mod tests {
    use super::super::source::scan;
    use super::*;

    fn reached(files: &[(&str, &str)], targets: &[(&str, TargetKind)]) -> Vec<(String, Part)> {
        let targets: Vec<_> = targets
            .iter()
            .map(|(path, kind)| Target { path: (*path).to_owned(), kind: *kind })
            .collect();
        let source_of = |path: &str| {
            files
                .iter()
                .find(|(known, _)| *known == path)
                .map(|(_, text)| (scan(text), (*text).to_owned()))
        };
        reach(&targets, source_of).into_iter().collect()
    }

    #[test]
    fn modules_are_found_beside_a_root_and_below_other_files() {
        let files = [
            ("c/src/lib.rs", "mod a;\n// mod ghost;\npub(crate) mod b { mod inner; }"),
            ("c/src/a.rs", "mod deep;\n#[cfg(test)]\nmod tests;"),
            ("c/src/a/deep.rs", ""),
            ("c/src/a/tests.rs", ""),
            ("c/src/b/inner.rs", ""),
            ("c/src/ghost.rs", ""),
        ];
        let expected = [
            ("c/src/a.rs", Part::Production),
            ("c/src/a/deep.rs", Part::Production),
            ("c/src/a/tests.rs", Part::Test),
            ("c/src/b/inner.rs", Part::Production),
            ("c/src/lib.rs", Part::Production),
        ]
        .map(|(path, part)| (path.to_owned(), part));
        assert_eq!(reached(&files, &[("c/src/lib.rs", TargetKind::Production)]), expected);
    }

    #[test]
    fn a_path_attribute_and_an_include_are_followed() {
        let files = [
            ("c/tests/it.rs", "#[path = \"../shared/env.rs\"]\nmod env;\ninclude!(\"gen.rs\");"),
            ("c/shared/env.rs", ""),
            ("c/tests/gen.rs", ""),
        ];
        let expected = ["c/shared/env.rs", "c/tests/gen.rs", "c/tests/it.rs"]
            .map(|path| (path.to_owned(), Part::Test));
        assert_eq!(reached(&files, &[("c/tests/it.rs", TargetKind::IntegrationTest)]), expected);
    }

    #[test]
    fn files_shared_by_production_and_tests_are_production() {
        let files = [("c/src/lib.rs", "mod a;"), ("c/src/a.rs", "")];
        let targets = [("c/src/a.rs", TargetKind::Other), ("c/src/lib.rs", TargetKind::Production)];
        let parts: Vec<_> = reached(&files, &targets).into_iter().map(|(_, part)| part).collect();
        assert_eq!(parts, [Part::Production, Part::Production]);
    }
}
