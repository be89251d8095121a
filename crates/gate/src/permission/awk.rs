//! Decides whether an `awk` program only prints. A harmless program starts no program, writes no
//! file, reads only the files in its arguments, and doesn't read the environment.

/// Whether the awk program is harmless, whichever way an ambiguous `/` is parsed.
pub(super) fn is_harmless(program: &str) -> bool {
    const WORDS: &[&str] = &["system", "getline", "ENVIRON", "ARGV", "ARGC", "PROCINFO", "@"];
    if WORDS.iter().any(|word| program.contains(word)) {
        return false;
    }
    let mut scan =
        Scan { rest: program, before: Before::Start, divides: false, depth: 0, prints: None };
    let Some(found) = scan.run() else { return false };
    // A slash may be a division or the start of a pattern. If one was ambiguous, the scan may have
    // mistaken code for a string. Then the program must contain no `|` and no `>`.
    match found {
        Found::Nothing => !scan.divides || !program.contains(['|', '>']),
        Found::Writes => false,
    }
}

#[derive(Debug, PartialEq, Eq)]
enum Found {
    Nothing,
    Writes,
}

/// The kind of token before a slash. After a value, a slash is a division. After any other token,
/// it starts a pattern.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Before {
    Value,
    Start,
    /// An ambiguous token. After `x++`, a slash is a division, but after the `+` of `x +`, it
    /// starts a pattern.
    Unsure,
}

struct Scan<'a> {
    rest: &'a str,
    before: Before,
    divides: bool,
    depth: usize,
    /// The depth of parentheses at the `print` of the current statement. `None` if it has no
    /// `print`.
    prints: Option<usize>,
}

impl Scan<'_> {
    /// Scans the whole program. `None` if the program is ambiguous, or ends within a string or a
    /// pattern.
    fn run(&mut self) -> Option<Found> {
        while let Some(c) = self.rest.chars().next() {
            let next = self.rest[c.len_utf8()..].chars().next();
            match c {
                '"' => self.skip('"')?,
                '/' if self.before == Before::Start => self.skip('/')?,
                '/' if self.before == Before::Unsure => return None,
                '\\' => return None,
                '#' => self.rest = self.rest.find('\n').map_or("", |end| &self.rest[end..]),
                '|' if next == Some('|') => self.operator(2),
                '|' => return Some(Found::Writes),
                '>' if next == Some('=') => self.operator(2),
                '>' if next == Some('>') => return Some(Found::Writes),
                '>' if self.prints.is_some_and(|depth| self.depth <= depth) => {
                    return Some(Found::Writes);
                }
                _ if c.is_ascii_alphanumeric() || c == '_' => self.word(),
                _ => self.sign(c),
            }
        }
        Some(Found::Nothing)
    }

    /// Skips the string or pattern at the current position, up to the character `end`.
    fn skip(&mut self, end: char) -> Option<()> {
        let mut chars = self.rest.char_indices().skip(1);
        loop {
            match chars.next()? {
                (_, '\\') => {
                    chars.next()?;
                }
                (_, '\n') => return None,
                // Only some versions of awk end the pattern at a slash in brackets.
                (_, '[') if end == '/' => {
                    let bracket = chars.by_ref().take_while(|(_, c)| *c != ']');
                    if bracket.into_iter().any(|(_, c)| c == '/') {
                        return None;
                    }
                }
                (at, c) if c == end => {
                    self.rest = &self.rest[at + 1..];
                    self.before = Before::Value;
                    return Some(());
                }
                _ => {}
            }
        }
    }

    fn operator(&mut self, length: usize) {
        self.before = Before::Start;
        self.rest = &self.rest[length..];
    }

    fn word(&mut self) {
        let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '.';
        let length = self.rest.find(|c| !is_part(c)).unwrap_or(self.rest.len());
        let word = &self.rest[..length];
        if matches!(word, "print" | "printf") {
            self.prints = Some(self.depth);
        }
        self.before = match word {
            "print" | "printf" | "return" | "in" | "else" | "case" | "do" | "exit" => Before::Start,
            _ => Before::Value,
        };
        self.rest = &self.rest[length..];
    }

    fn sign(&mut self, c: char) {
        match c {
            '(' => self.depth += 1,
            ')' => self.depth = self.depth.saturating_sub(1),
            ';' | '{' | '}' => self.prints = None,
            '/' => self.divides = true,
            _ => {}
        }
        match c {
            ' ' | '\t' => {}
            ')' | ']' | '$' => self.before = Before::Value,
            '(' | '{' | '}' | ';' | ',' | '!' | '~' | '&' | '\n' => self.before = Before::Start,
            _ => self.before = Before::Unsure,
        }
        self.rest = &self.rest[c.len_utf8()..];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_that_only_print_are_harmless() {
        let cases = [
            ("{print $1}", true),
            ("NR>=10 && NR<=40", true),
            ("$3 > 100 {print $1, $2}", true),
            ("/foo|bar/ {print FILENAME\": \"FNR}", true),
            ("{ if ($1 > 5) print $0 }", true),
            ("{s+=$1} END {print s/NR}", true),
            ("BEGIN{FS=\"|\"} {print $2}", true),
            ("{print (a > b)}", true),
            ("!seen[$0]++", true),
            ("{ printf \"%s > %s\\n\", $1, $2 }", true),
            ("length($0) > 100", true),
            ("{print > \"out\"}", false),
            ("{print $1 >> \"out\"}", false),
            ("{print(a,b) > \"out\"}", false),
            ("{if (x) print > \"out\"}", false),
            ("{print | \"sh\"}", false),
            ("{\"cmd\" | getline x}", false),
            ("BEGIN{system(\"rm\")}", false),
            ("BEGIN{print ENVIRON[\"X\"]}", false),
            ("@load \"filefuncs\"", false),
            ("{print a / \"/ ; print > \\\"x\\\"\"}", false),
            ("{print \"x}", false),
            ("{print $1,\n$2 > \"x\"}", false),
            ("{x++ /1; print \"a\" > \"out\"; y= 1/ 2}", false),
            ("{printf \"x\" |& \"sh\"}", false),
        ];
        for (program, expected) in cases {
            assert_eq!(is_harmless(program), expected, "{program}");
        }
    }
}
