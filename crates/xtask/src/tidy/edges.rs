//! Checks the dependencies between crates against the table in ARCHITECTURE.md. Also checks that
//! some packages are not linked into pure crates and the hook program.

use std::collections::BTreeSet;

use super::Finding;
use super::crate_table::{self, DOCUMENT, Row};
use super::tree::{Crate, PREFIX, Tree};

const KINDS: &[&str] = &["pure", "contract", "adapter", "surface", "support"];

/// The crate that the tests of every crate may use, whatever the table says.
const TEST_SUPPORT: &str = "testkit";

/// Packages for runtimes, networks, databases, operating systems and randomness. Crates without
/// input and output must not use them.
const IMPURE: &[&str] = &[
    "async-std",
    "chrono",
    "crossbeam-channel",
    "curl",
    "dirs",
    "fs2",
    "fs4",
    "getrandom",
    "git2",
    "gix",
    "hyper",
    "ignore",
    "libsqlite3-sys",
    "mio",
    "native-tls",
    "nix",
    "notify",
    "openssl",
    "openssl-sys",
    "rand",
    "reqwest",
    "rusqlite",
    "rustix",
    "rustls",
    "smol",
    "sqlx",
    "tempfile",
    "tokio",
    "ureq",
    "walkdir",
];

/// Packages that make a program start slowly or reach the network. The hook program must not use
/// them.
const TOO_HEAVY_FOR_A_HOOK: &[&str] = &[
    "async-io",
    "async-std",
    "aws-lc-rs",
    "aws-lc-sys",
    "curl",
    "git2",
    "h2",
    "http",
    "hyper",
    "libgit2-sys",
    "libsqlite3-sys",
    "mio",
    "native-tls",
    "openssl",
    "openssl-sys",
    "regex",
    "reqwest",
    "ring",
    "rusqlite",
    "rustls",
    "smol",
    "sqlx",
    "tokio",
    "tracing-subscriber",
    "ureq",
];

const HOOK: &str = "hook";

/// The maximum number of packages linked into the hook program, including our own. The hook starts
/// on every event of every agent, so a higher number requires a measurement of the start-up time.
/// The only exception is a crate that is split off from another of our crates.
const HOOK_PACKAGES: usize = 50;

pub(crate) fn table_is_complete(tree: &Tree) -> Vec<Finding> {
    let rows = rows(tree);
    if rows.is_empty() {
        let advice = "add the table with the columns crate, kind, owns, may depend on";
        return vec![Finding::in_file(DOCUMENT, advice)];
    }
    let mut findings = Vec::new();
    for member in &tree.crates {
        if !rows.iter().any(|row| row.name == member.name) {
            let advice = format!("add a row for the crate `{}` to the crate table", member.name);
            findings.push(Finding::in_file(DOCUMENT, advice));
        }
        if member.folder != format!("crates/{}", member.name) {
            let advice = format!("name the folder and the package alike: crates/{}", member.name);
            findings.push(Finding::in_file(&member.folder, advice));
        }
    }
    let names: BTreeSet<&str> = rows.iter().map(|row| row.name.as_str()).collect();
    for row in &rows {
        let mut say = |advice: String| findings.push(Finding::at(DOCUMENT, row.line, advice));
        if !tree.crates.iter().any(|member| member.name == row.name) {
            say(format!("`{}` is no crate: move the row to the planned crates", row.name));
        }
        if !KINDS.contains(&row.kind.as_str()) {
            say(format!("`{}` is no kind of crate: use one of {}", row.kind, KINDS.join(", ")));
        }
        if rows.iter().filter(|other| other.name == row.name).count() > 1 {
            say(format!("`{}` has more than one row: keep one", row.name));
        }
        for target in row.may_depend_on.iter().filter(|name| !names.contains(name.as_str())) {
            say(format!("`{target}` has no row: remove it from the last column"));
        }
    }
    findings
}

pub(crate) fn edges_are_in_the_table(tree: &Tree) -> Vec<Finding> {
    let rows = rows(tree);
    let mut findings = Vec::new();
    for member in &tree.crates {
        let Some(row) = rows.iter().find(|row| row.name == member.name) else { continue };
        for dependency in &member.dependencies {
            let Some(name) = dependency.package.strip_prefix(PREFIX) else { continue };
            let is_test_support = dependency.is_dev && name == TEST_SUPPORT;
            if is_test_support || row.may_depend_on.contains(name) {
                continue;
            }
            let advice = format!(
                "`{}` may not depend on `{name}`: move the code, or change the table in {DOCUMENT} \
                 deliberately",
                member.name
            );
            findings.push(Finding::in_file(&format!("{}/Cargo.toml", member.folder), advice));
        }
    }
    findings
}

pub(crate) fn pure_crates_stay_pure(tree: &Tree) -> Vec<Finding> {
    let rows = rows(tree);
    let is_pure = |member: &&Crate| {
        let row = rows.iter().find(|row| row.name == member.name);
        row.is_some_and(|row| row.kind == "pure" || row.kind == "contract")
    };
    tree.crates.iter().filter(is_pure).flat_map(|member| linked(member, IMPURE)).collect()
}

pub(crate) fn hook_stays_small(tree: &Tree) -> Vec<Finding> {
    let Some(hook) = tree.crates.iter().find(|member| member.name == HOOK) else {
        return Vec::new();
    };
    let mut findings = linked(hook, TOO_HEAVY_FOR_A_HOOK);
    let count = hook.closure.len();
    if count > HOOK_PACKAGES {
        let advice = format!(
            "{count} packages are linked into the hook program, {HOOK_PACKAGES} are allowed: see \
             `cargo tree -p verger-hook -e normal,no-proc-macro`"
        );
        findings.push(Finding::in_file(&format!("{}/Cargo.toml", hook.folder), advice));
    }
    findings
}

fn linked(member: &Crate, forbidden: &[&str]) -> Vec<Finding> {
    let manifest = format!("{}/Cargo.toml", member.folder);
    forbidden
        .iter()
        .filter(|package| member.closure.contains(**package))
        .map(|package| {
            let advice = format!(
                "`{}` must not link `{package}`: see `cargo tree -p {PREFIX}{} -e normal -i {package}`",
                member.name, member.name
            );
            Finding::in_file(&manifest, advice)
        })
        .collect()
}

fn rows(tree: &Tree) -> Vec<Row> {
    tree.file(DOCUMENT).map(|file| crate_table::rows(&file.text)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::super::test_tree::{crate_named, needs, tree_with};
    use super::super::tree::Dependency;
    use super::*;

    const TABLE: &str = "| crate | kind | owns | may depend on |\n|---|---|---|---|\n\
                         | `event` | pure | ids | nothing |\n\
                         | `hook` | surface | program | `event` |\n";

    fn tree(table: &str, change: impl FnOnce(&mut [Crate])) -> Tree {
        let mut crates = vec![crate_named("event"), crate_named("hook")];
        change(&mut crates);
        tree_with(&[(DOCUMENT, table)], crates)
    }

    fn advice(findings: Vec<Finding>) -> Vec<String> {
        findings.into_iter().map(|finding| finding.advice).collect()
    }

    #[test]
    fn a_table_that_matches_the_crates_is_complete() {
        assert_eq!(table_is_complete(&tree(TABLE, |_| ())), []);
    }

    #[test]
    fn a_missing_table_row_or_crate_is_found() {
        assert_eq!(table_is_complete(&tree("", |_| ())).len(), 1);
        let short = TABLE.lines().take(3).collect::<Vec<_>>().join("\n");
        assert_eq!(
            advice(table_is_complete(&tree(&short, |_| ()))),
            ["add a row for the crate `hook` to the crate table"]
        );
        let long =
            format!("{TABLE}| `gate` | blue | gates | `shell` |\n| `hook` | pure | x | - |\n");
        assert_eq!(
            table_is_complete(&tree(&long, |_| ())),
            [
                Finding::at(DOCUMENT, 4, "`hook` has more than one row: keep one"),
                Finding::at(DOCUMENT, 5, "`gate` is no crate: move the row to the planned crates"),
                Finding::at(
                    DOCUMENT,
                    5,
                    "`blue` is no kind of crate: use one of pure, contract, adapter, surface, support"
                ),
                Finding::at(DOCUMENT, 5, "`shell` has no row: remove it from the last column"),
                Finding::at(DOCUMENT, 6, "`hook` has more than one row: keep one"),
            ]
        );
    }

    #[test]
    fn a_folder_is_named_like_its_package() {
        let tree = tree(TABLE, |crates| crates[0].folder = "crates/events".to_owned());
        assert_eq!(
            table_is_complete(&tree),
            [Finding::in_file(
                "crates/events",
                "name the folder and the package alike: crates/event"
            )]
        );
    }

    #[test]
    fn an_edge_that_is_not_in_the_table_is_found() {
        let tree = tree(TABLE, |crates| {
            crates[0].dependencies = vec![needs("verger-hook"), needs("serde")];
            crates[1].dependencies = vec![needs("verger-event")];
        });
        assert_eq!(
            edges_are_in_the_table(&tree),
            [Finding::in_file(
                "crates/event/Cargo.toml",
                "`event` may not depend on `hook`: move the code, or change the table in \
                 ARCHITECTURE.md deliberately"
            )]
        );
    }

    #[test]
    fn tests_may_use_the_test_kit_but_programs_may_not() {
        let dev = |package| Dependency { is_dev: true, ..needs(package) };
        let of_tests = tree(TABLE, |crates| crates[0].dependencies = vec![dev("verger-testkit")]);
        assert_eq!(edges_are_in_the_table(&of_tests), []);
        let other_dev = tree(TABLE, |crates| crates[0].dependencies = vec![dev("verger-hook")]);
        assert_eq!(edges_are_in_the_table(&other_dev).len(), 1);
        let normal = tree(TABLE, |crates| crates[1].dependencies = vec![needs("verger-testkit")]);
        assert_eq!(edges_are_in_the_table(&normal).len(), 1);
    }

    #[test]
    fn a_pure_crate_that_links_a_database_is_found_however_deep() {
        let tree = tree(TABLE, |crates| {
            for member in crates {
                member.closure.insert("rusqlite".to_owned());
            }
        });
        let paths: Vec<_> =
            pure_crates_stay_pure(&tree).into_iter().map(|finding| finding.path).collect();
        assert_eq!(paths, ["crates/event/Cargo.toml"]);
    }

    #[test]
    fn a_hook_that_links_too_much_is_found() {
        assert_eq!(hook_stays_small(&tree(TABLE, |_| ())), []);
        let heavy = tree(TABLE, |crates| {
            crates[1].closure.insert("tokio".to_owned());
        });
        assert_eq!(hook_stays_small(&heavy).len(), 1);
        let many = tree(TABLE, |crates| {
            crates[1].closure.extend((0..HOOK_PACKAGES).map(|number| format!("package-{number}")));
        });
        assert_eq!(hook_stays_small(&many).len(), 1);
    }
}
