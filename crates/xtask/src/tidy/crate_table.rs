//! Checks the table of crates in ARCHITECTURE.md, which must match the existing crates.

use std::collections::BTreeSet;

pub(crate) const DOCUMENT: &str = "ARCHITECTURE.md";

#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Row {
    pub(crate) name: String,
    pub(crate) kind: String,
    pub(crate) may_depend_on: BTreeSet<String>,
    pub(crate) line: usize,
}

/// The rows of the first table with the columns `crate`, `kind`, ..., `may depend on`. The table of
/// planned crates has other columns and is ignored.
pub(crate) fn rows(markdown: &str) -> Vec<Row> {
    (1..)
        .zip(markdown.lines())
        .skip_while(|(_, line)| !is_heading(line))
        .take_while(|(_, line)| line.starts_with('|'))
        .filter_map(|(number, line)| row(number, line))
        .collect()
}

fn is_heading(line: &str) -> bool {
    let cells = cells(line);
    matches!(cells.as_slice(), ["crate", "kind", .., "may depend on"])
}

fn row(number: usize, line: &str) -> Option<Row> {
    let cells = cells(line);
    let [name, kind, .., allowed] = cells.as_slice() else { return None };
    Some(Row {
        name: quoted(name).next()?.to_owned(),
        kind: (*kind).to_owned(),
        may_depend_on: quoted(allowed).map(str::to_owned).collect(),
        line: number,
    })
}

fn cells(line: &str) -> Vec<&str> {
    line.trim().trim_matches('|').split('|').map(str::trim).collect()
}

fn quoted(cell: &str) -> impl Iterator<Item = &str> {
    cell.split('`').skip(1).step_by(2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_table_of_existing_crates_is_read() {
        let markdown = "# A\n\n| crate | kind | owns | may depend on |\n|---|---|---|---|\n\
                        | `event` | pure | ids, `Event` | nothing |\n\
                        | `agent` | pure | wire | `event`, `shell` |\n\n\
                        | planned crate | owns |\n|---|---|\n| `gate` | gates |\n";
        let row = |name: &str, allowed: &[&str], line| Row {
            name: name.to_owned(),
            kind: "pure".to_owned(),
            may_depend_on: allowed.iter().map(|name| (*name).to_owned()).collect(),
            line,
        };
        assert_eq!(rows(markdown), [row("event", &[], 5), row("agent", &["event", "shell"], 6)]);
        assert_eq!(rows("no table here"), []);
    }
}
