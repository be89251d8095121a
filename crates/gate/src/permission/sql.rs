//! Decides whether SQL statements lose data.

/// The maximum number of bytes of a text that are searched.
const MAX_TEXT: usize = 16 * 1024;

/// Whether a statement drops or empties something, or changes rows without a condition.
pub(super) fn loses_data(text: &str) -> bool {
    let end = (0..=MAX_TEXT.min(text.len())).rev().find(|at| text.is_char_boundary(*at));
    let text = bare(&text[..end.unwrap_or_default()]);
    // A word may begin with an option before the SQL: `-cDROP ...`, `--command=DROP ...`.
    text.split(';').any(|statement| {
        let words: Vec<&str> = statement.split_whitespace().collect();
        statement_loses(&words)
    })
}

fn statement_loses(words: &[&str]) -> bool {
    let [first, rest @ ..] = words else { return false };
    let first = first.rsplit(['=', '(']).next().unwrap_or_default();
    let first = first.strip_prefix("-c").or_else(|| first.strip_prefix("-e")).unwrap_or(first);
    let has = |word: &str| rest.contains(&word);
    match first {
        "drop" => rest.first().is_some_and(|what| DROPPED.contains(what)),
        "truncate" => !rest.is_empty(),
        "delete" => has("from") && !has("where"),
        "update" => has("set") && !has("where"),
        "alter" => rest.windows(2).any(|pair| matches!(pair, ["drop", "column" | "partition"])),
        "begin" | "start" | "explain" | "with" | "use" | "set" => {
            let start =
                rest.iter().position(|word| matches!(*word, "drop" | "truncate" | "delete"));
            start.is_some_and(|at| statement_loses(&rest[at..]))
        }
        _ => false,
    }
}

const DROPPED: &[&str] = &[
    "table",
    "tables",
    "database",
    "schema",
    "keyspace",
    "index",
    "view",
    "materialized",
    "collection",
    "column",
    "column_family",
    "user",
    "role",
    "owned",
    "tablespace",
    "sequence",
    "type",
    "function",
    "extension",
    "measurement",
    "series",
    "bucket",
    "temporary",
];

/// The SQL in lower case, without comments and quoted texts. Names in double quotes stay.
fn bare(text: &str) -> String {
    let mut bare = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let skipped = match c {
            '\'' => end_of(&rest[1..], "'").map(|end| 1 + end),
            '-' if rest.starts_with("-- ") => end_of(rest, "\n").or(Some(rest.len())),
            '/' if rest.starts_with("/*") => end_of(&rest[2..], "*/").map(|end| 2 + end),
            _ => None,
        };
        if let Some(skipped) = skipped {
            bare.push(' ');
            rest = &rest[skipped..];
        } else {
            bare.push(c.to_ascii_lowercase());
            rest = &rest[c.len_utf8()..];
        }
    }
    bare
}

fn end_of(text: &str, mark: &str) -> Option<usize> {
    text.find(mark).map(|at| at + mark.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_statements_that_lose_data_are_found() {
        for text in [
            "DROP TABLE users",
            "drop database app;",
            "select 1; DrOp /* */ TaBlE users",
            "TRUNCATE sessions",
            "delete from users",
            "DELETE FROM users;",
            "update users set admin = true",
            "--command=drop schema public cascade",
            "-cdrop table x",
            "alter table users drop column name",
            "begin; truncate table a; commit",
        ] {
            assert!(loses_data(text), "{text}");
        }
        for text in [
            "",
            "select count(*) from users",
            "select 'drop table users'",
            "delete from users where id = 4",
            "update users set a = 1 where id = 2",
            "-- drop table users\nselect 1",
            "alter table users add column dropped text",
            "drop",
            "app",
        ] {
            assert!(!loses_data(text), "{text}");
        }
    }
}
