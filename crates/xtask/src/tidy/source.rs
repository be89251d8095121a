//! Parses Rust source for the checks. For each line, it finds the code, the comment, and whether
//! the line is only compiled for tests. No full Rust parser is needed to distinguish strings from
//! comments.

/// One line of a Rust file, parsed for the checks.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(crate) struct Line {
    /// The code of the line, without comments and without the content of literals.
    pub(crate) code: String,
    pub(crate) comment: Option<Comment>,
    /// The contents of the literals that begin on the line, as written in the source.
    pub(crate) literals: Vec<String>,
    /// Whether the line belongs to an item under `#[cfg(test)]`.
    pub(crate) is_test: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Comment {
    /// The text of the comment after the slashes, with its leading space.
    pub(crate) text: String,
    pub(crate) is_doc: bool,
}

pub(crate) fn scan(text: &str) -> Vec<Line> {
    let mut scanner = Scanner { lines: vec![Line::default()], rest: text };
    while let Some(next) = scanner.rest.chars().next() {
        scanner.step(next);
    }
    let mut lines = scanner.lines;
    mark_test_items(&mut lines);
    lines
}

struct Scanner<'a> {
    lines: Vec<Line>,
    rest: &'a str,
}

impl Scanner<'_> {
    fn step(&mut self, next: char) {
        if self.rest.starts_with("//") {
            self.line_comment();
        } else if self.rest.starts_with("/*") {
            self.block_comment();
        } else if let Some(hashes) = raw_string_hashes(self.rest) {
            self.raw_string(hashes);
        } else if next == '"' {
            self.string();
        } else if next == '\'' {
            self.quote();
        } else if is_word(next) {
            // A whole word is read at once, because the `r` at the end of `var` doesn't begin a raw
            // string.
            let end = self.rest.find(|c| !is_word(c)).unwrap_or(self.rest.len());
            self.take(end, Kind::Code);
        } else {
            self.take(next.len_utf8(), Kind::Code);
        }
    }

    fn line_comment(&mut self) {
        let end = self.rest.find('\n').unwrap_or(self.rest.len());
        let (slashes, is_doc) = if self.rest.starts_with("////") {
            (2, false)
        } else if self.rest.starts_with("///") || self.rest.starts_with("//!") {
            (3, true)
        } else {
            (2, false)
        };
        let text = self.rest[slashes..end].to_owned();
        self.line().comment = Some(Comment { text, is_doc });
        self.rest = &self.rest[end..];
    }

    fn block_comment(&mut self) {
        let is_doc = self.rest.starts_with("/**") || self.rest.starts_with("/*!");
        let mut depth = 0;
        let mut end = self.rest.len();
        let mut at = 0;
        while at < self.rest.len() {
            let here = &self.rest[at..];
            if here.starts_with("/*") {
                depth += 1;
                at += 2;
            } else if here.starts_with("*/") {
                depth -= 1;
                at += 2;
                if depth == 0 {
                    end = at;
                    break;
                }
            } else {
                at += here.chars().next().map_or(1, char::len_utf8);
            }
        }
        self.take(end, Kind::Comment { is_doc });
    }

    fn raw_string(&mut self, hashes: usize) {
        let opening = self.rest.find('"').map_or(self.rest.len(), |quote| quote + 1);
        let closing = format!("\"{}", "#".repeat(hashes));
        let length = self.rest[opening..].find(&closing).unwrap_or(self.rest.len() - opening);
        self.quoted(opening, length, closing.len());
    }

    fn string(&mut self) {
        let mut length = 0;
        let mut is_escaped = false;
        for c in self.rest[1..].chars() {
            if c == '"' && !is_escaped {
                break;
            }
            is_escaped = c == '\\' && !is_escaped;
            length += c.len_utf8();
        }
        self.quoted(1, length, 1);
    }

    /// Reads a character literal, or the single quote of a lifetime.
    fn quote(&mut self) {
        let mut after = self.rest[1..].chars();
        let length = match (after.next(), after.next(), after.next()) {
            (Some('\\'), Some(escaped), _) => {
                let from = 2 + escaped.len_utf8();
                self.rest[from..].find('\'').map(|end| from + end - 1)
            }
            (Some(c), Some('\''), _) => Some(c.len_utf8()),
            _ => None,
        };
        match length {
            Some(length) => self.quoted(1, length, 1),
            None => self.take(1, Kind::Code),
        }
    }

    /// Reads a literal. Its quotes are kept as code, and its content is stored separately.
    fn quoted(&mut self, opening: usize, length: usize, closing: usize) {
        self.take(opening, Kind::Code);
        let literal = self.rest[..length].to_owned();
        self.line().literals.push(literal);
        self.take(length, Kind::Dropped);
        self.take(closing.min(self.rest.len()), Kind::Code);
    }

    fn take(&mut self, length: usize, kind: Kind) {
        let (taken, rest) = self.rest.split_at(length);
        self.rest = rest;
        for (index, part) in taken.split('\n').enumerate() {
            if index > 0 {
                self.lines.push(Line::default());
            }
            match kind {
                Kind::Code => self.line().code.push_str(part),
                Kind::Comment { is_doc } => {
                    self.line().comment = Some(Comment { text: part.to_owned(), is_doc });
                }
                Kind::Dropped => {}
            }
        }
    }

    fn line(&mut self) -> &mut Line {
        if self.lines.is_empty() {
            self.lines.push(Line::default());
        }
        let last = self.lines.len() - 1;
        &mut self.lines[last]
    }
}

#[derive(Clone, Copy)]
enum Kind {
    Code,
    Comment { is_doc: bool },
    Dropped,
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// The number of hashes of a raw string that begins here. `None` if there is no raw string.
fn raw_string_hashes(rest: &str) -> Option<usize> {
    let after = ["r", "br", "cr"].iter().find_map(|prefix| {
        rest.strip_prefix(prefix).filter(|after| after.starts_with(['"', '#']))
    })?;
    let hashes = after.len() - after.trim_start_matches('#').len();
    after[hashes..].starts_with('"').then_some(hashes)
}

/// Marks the lines of items under `#[cfg(test)]`. An item ends when its braces are balanced, or at
/// a semicolon outside of braces.
fn mark_test_items(lines: &mut [Line]) {
    let mut index = 0;
    while index < lines.len() {
        let compact: String = lines[index].code.chars().filter(|c| !c.is_whitespace()).collect();
        if !(compact.starts_with("#[cfg(test)]") || compact.starts_with("#[cfg(all(test,")) {
            index += 1;
            continue;
        }
        let mut item = ItemEnd::default();
        while index < lines.len() {
            lines[index].is_test = true;
            let code = &lines[index].code;
            let ended = item.ends_in(code);
            index += 1;
            if ended {
                break;
            }
        }
    }
}

/// Finds the end of an item. The item may begin with attributes.
#[derive(Default)]
struct ItemEnd {
    brackets: u32,
    braces: u32,
}

impl ItemEnd {
    fn ends_in(&mut self, code: &str) -> bool {
        for c in code.chars() {
            match c {
                '[' | '(' => self.brackets += 1,
                ']' | ')' => self.brackets = self.brackets.saturating_sub(1),
                '{' => self.braces += 1,
                '}' => {
                    self.braces = self.braces.saturating_sub(1);
                    if self.braces == 0 && self.brackets == 0 {
                        return true;
                    }
                }
                ';' if self.braces == 0 && self.brackets == 0 => return true,
                _ => {}
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(text: &str) -> Vec<String> {
        scan(text).into_iter().map(|line| line.code).collect()
    }

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        assert_eq!(code(text), expected);
    }

    #[test]
    fn strings_and_comments_are_not_code() {
        check("let a = \"// no\"; // yes", &["let a = \"\"; "]);
        check("let a = \"say \\\"hi\\\" // no\";", &["let a = \"\";"]);
        check("let a = r#\"one \" two\nthree\"#;", &["let a = r#\"", "\"#;"]);
        check("let var\"\" = br\"x\";", &["let var\"\" = br\"\";"]);
        check("a /* b\n /* c */ d */ e", &["a ", " e"]);
    }

    #[test]
    fn lifetimes_are_not_character_literals() {
        check("fn f<'a>(x: &'a str) -> char { '\"' }", &["fn f<'a>(x: &'a str) -> char { '' }"]);
        check("let c = '\\''; let d = '\\u{41}'; // x", &["let c = ''; let d = ''; "]);
    }

    #[test]
    fn an_unfinished_literal_ends_with_the_file() {
        check("let a = \"open", &["let a = \""]);
        check("let a = r#\"open\"", &["let a = r#\""]);
        check("/* open", &[""]);
        check("let a = '", &["let a = '"]);
    }

    #[test]
    fn comments_know_whether_they_are_documentation() {
        let comments: Vec<_> = scan("//! a\n/// b\n// c\n//// d")
            .into_iter()
            .map(|line| line.comment.map(|comment| (comment.text, comment.is_doc)))
            .collect();
        let expected = [(" a", true), (" b", true), (" c", false), ("// d", false)]
            .map(|(text, is_doc)| Some((text.to_owned(), is_doc)));
        assert_eq!(comments, expected);
    }

    #[test]
    fn items_under_cfg_test_are_marked_to_their_end() {
        let text = "fn a() {}\n#[cfg(test)]\nmod tests {\n    fn b() { }\n}\nfn c() {}\n\
                    #[cfg(test)]\nmod other;\nfn d() {}";
        let tests: Vec<_> = scan(text).iter().map(|line| line.is_test).collect();
        assert_eq!(tests, [false, true, true, true, true, false, true, true, false]);
    }
}
