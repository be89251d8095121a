//! The parts of a command that a rule requires.
//!
//! A rule's `with` is a list of atoms that all have to be present; `|` separates alternatives:
//!
//! | atom | is present if |
//! |---|---|
//! | `-f`, `--force` | the option is given: alone, among other letters, or shortened |
//! | `--prune=now`, `-X=DELETE` | the option is given with this value; `*` matches any text |
//! | `-o=<system-file>` | the option is given with a path of this class |
//! | `--` | the word `--` ends the options |
//! | `<root>`, `<home>`, ... | an operand is a path of this class; see [`super::paths`] |
//! | `of=<device>` | an operand is this prefix and a path of this class |
//! | `><device>` | the last operand is a path of this class; `>-1`: the last word is `-1` |
//! | `%https://*` | a package runner starts this: `npx x`, `deno run x`, `uvx --from x` |
//! | `<sql>` | an argument or the input has SQL statements that lose data |
//! | `~drop+table` | an argument or the input has the words in this order, in any case |
//! | `force*`, `:*` | an operand is this text; `*` matches any text |
//! | `=refs/*` | the only operand is this text |
//! | `!ATOM` | the atom isn't present |

use std::borrow::Cow;

use verger_shell::{Glob, Word};

use super::paths::{Ground, is_of_class};
use super::sql;

/// The part of a command that a rule tests: the words after the subcommands, and the text that the
/// command line gives to the command's standard input.
#[derive(Debug, Clone, Copy)]
pub(super) struct Seen<'a> {
    pub(super) words: &'a [Word],
    pub(super) fed: Option<&'a str>,
}

impl Seen<'_> {
    /// Whether all atoms in `with` are present.
    pub(super) fn has_all(&self, with: &str, ground: &Ground<'_>) -> bool {
        with.split_ascii_whitespace().all(|alternatives| match alternatives.strip_prefix('!') {
            Some(unwanted) => !self.has_any(unwanted, ground),
            None => self.has_any(alternatives, ground),
        })
    }

    /// Whether an atom in `with` that is an option is present.
    pub(super) fn has_an_option(&self, with: &str, ground: &Ground<'_>) -> bool {
        let mut atoms = with.split_ascii_whitespace().flat_map(|atoms| atoms.split('|'));
        atoms.any(|atom| atom.starts_with('-') && self.has(atom, ground))
    }

    fn has_any(&self, alternatives: &str, ground: &Ground<'_>) -> bool {
        alternatives.split('|').any(|atom| self.has(atom, ground))
    }

    fn has(&self, atom: &str, ground: &Ground<'_>) -> bool {
        let words = self.words;
        match atom {
            "--" => return words.iter().any(|word| word.text() == "--"),
            "<sql>" => return self.texts().any(sql::loses_data),
            _ => {}
        }
        if let Some(phrase) = atom.strip_prefix('~') {
            return self.texts().any(|text| says(text, phrase));
        }
        if let Some(pattern) = atom.strip_prefix('%') {
            return started(words).any(|word| is_value(pattern, &word, ground));
        }
        if let Some(pattern) = atom.strip_prefix('=') {
            let mut operands = operands(words);
            let only = operands.next().filter(|_| operands.next().is_none());
            return only.is_some_and(|word| is_value(pattern, word, ground));
        }
        if let Some(pattern) = atom.strip_prefix('>') {
            let is_word = pattern.starts_with('-');
            let last = if is_word { words.last() } else { operands(words).last() };
            return last.is_some_and(|word| is_value(pattern, word, ground));
        }
        if atom.starts_with('-') {
            let (name, value) = match atom.split_once('=') {
                Some((name, value)) => (name, Some(value)),
                None => (atom, None),
            };
            return has_option(words, name, value, ground);
        }
        operands(words).any(|word| is_value(atom, word, ground))
    }

    fn texts(&self) -> impl Iterator<Item = &str> {
        self.words.iter().map(Word::text).chain(self.fed)
    }
}

/// Whether the word matches the pattern. A pattern is a path class, a prefix and a path class, or a
/// text with `*`.
fn is_value(pattern: &str, word: &Word, ground: &Ground<'_>) -> bool {
    let Some((start, class)) = pattern.strip_suffix('>').and_then(|rest| rest.split_once('<'))
    else {
        return Glob::fits(pattern, word.text());
    };
    match word.text().strip_prefix(start) {
        Some(_) if start.is_empty() => is_of_class(class, word, ground),
        Some(rest) => is_of_class(class, &like(word, rest), ground),
        None => false,
    }
}

/// A word with the text of a part, of the same kind as `word`.
pub(super) fn like(word: &Word, text: &str) -> Word {
    match word {
        Word::Literal(_) => Word::Literal(text.to_owned()),
        Word::Dynamic(_) => Word::Dynamic(text.to_owned()),
        Word::Spread(_) => Word::Spread(text.to_owned()),
    }
}

fn has_option(words: &[Word], name: &str, value: Option<&str>, ground: &Ground<'_>) -> bool {
    let end = words.iter().position(|word| word.text() == "--").unwrap_or(words.len());
    words[..end].iter().enumerate().any(|(at, word)| {
        let Some(attached) = attached(name, word.text()) else { return false };
        let Some(value) = value else { return true };
        let is_it = |word: &Word| is_value(value, word, ground);
        match attached {
            "" => words.get(at + 1).is_some_and(is_it),
            attached => is_it(&like(word, attached)),
        }
    })
}

/// The value attached to the option, or an empty text. `None` if the word is another option.
pub(super) fn attached<'t>(wanted: &str, text: &'t str) -> Option<&'t str> {
    if wanted.starts_with("--") {
        let (name, value) = text.split_once('=').unwrap_or((text, ""));
        // Long options may be shortened to three letters or more. Shorter forms are too ambiguous.
        let is_it = name == wanted || (name.len() >= 5 && wanted.starts_with(name));
        return is_it.then_some(value);
    }
    let letter = wanted.strip_prefix('-')?;
    if letter.chars().count() != 1 {
        // An option with one dash and a whole name, as `find` and `java` have.
        return (text == wanted).then_some("");
    }
    let letters = text.strip_prefix('-').filter(|letters| !letters.starts_with('-'))?;
    let (_, after) = letters.split_once(letter)?;
    Some(after)
}

pub(super) fn operands(words: &[Word]) -> impl Iterator<Item = &Word> {
    let end = words.iter().position(|word| word.text() == "--").unwrap_or(words.len());
    words.iter().enumerate().filter_map(move |(at, word)| {
        (at > end || (at != end && !word.text().starts_with('-'))).then_some(word)
    })
}

/// The programs and packages that a package runner starts: its first operand, and the packages in
/// its options. Later operands are arguments of the started program.
fn started(words: &[Word]) -> impl Iterator<Item = Cow<'_, Word>> {
    const RUN: &[&str] = &["run", "x", "exec", "dlx", "tool", "shell", "develop"];
    const PACKAGES: &[&str] = &["-p", "--package", "--from", "--spec", "--with", "--python"];
    let is_run = |word: &Word| RUN.contains(&word.text());
    let is_value = |at: usize| at > 0 && PACKAGES.contains(&words[at - 1].text());
    let is_first =
        |at: usize| !words[at].text().starts_with('-') && !is_value(at) && !is_run(&words[at]);
    let first = (0..words.len()).find(|at| is_first(*at)).unwrap_or(words.len());
    let last = words.len().min(first + 1);
    words[..last].iter().filter_map(|word| match word.text().split_once('=') {
        Some((option, package)) if PACKAGES.contains(&option) => {
            Some(Cow::Owned(like(word, package)))
        }
        _ if word.text().starts_with('-') => None,
        _ => Some(Cow::Borrowed(word)),
    })
}

/// Whether the words of the phrase, which `+` joins, occur in the text in this order. Case is
/// ignored.
pub(super) fn says(text: &str, phrase: &str) -> bool {
    let text = text.to_ascii_lowercase();
    let mut left = text.as_str();
    phrase.split('+').all(|word| match position(left, word) {
        Some(end) => {
            left = &left[end..];
            true
        }
        None => false,
    })
}

fn position(text: &str, word: &str) -> Option<usize> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let found = text.match_indices(word).find(|(at, _)| {
        let before = text[..*at].chars().next_back();
        let after = text[at + word.len()..].chars().next();
        let starts_open = !word.starts_with(is_word) || !before.is_some_and(is_word);
        let ends_open = !word.ends_with(is_word) || !after.is_some_and(is_word);
        starts_open && ends_open
    });
    found.map(|(at, _)| at + word.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn has(line: &str, with: &str) -> bool {
        let script = verger_shell::read(line);
        let seen = Seen { words: &script.commands[0].argv[1..], fed: None };
        let ground = Ground { cwd: Some("/home/dev/app"), ..Ground::default() };
        seen.has_all(with, &ground)
    }

    #[test]
    fn an_atom_is_found_in_every_spelling() {
        for (line, with) in [
            ("rm -vrf x", "-r -f"),
            ("git reset --har", "--hard"),
            ("git gc --prune=now", "--prune=now"),
            ("git gc --prune now", "--prune=now"),
            ("curl -XDELETE u", "-X=DELETE"),
            ("curl -X DELETE u", "-X=DELETE"),
            ("curl -so /etc/passwd u", "-o=<system-file>"),
            ("dd if=x of=/dev/sda", "of=<device>"),
            ("git checkout HEAD -- src", "--"),
            ("psql -c 'Drop  Table x'", "~drop+table"),
            ("find . -delete", "-delete !-name"),
            ("cp a /dev/sda -v", "><device>"),
            ("kill -9 -1", ">-1"),
            ("deno run -A https://e.x/a.ts b", "%https://*"),
            ("uvx --from git+https://e.x/a tool", "%git+http*"),
            ("uvx --from=git+https://e.x/a tool", "%git+http*"),
            ("npx --package=https://e.x/a.tgz tool", "%https://*"),
            ("uv run --with a https://e.x/b.py", "%https://*"),
            ("symbolic-ref --short refs/a", "=refs/*"),
        ] {
            assert!(has(line, with), "{line} {with}");
        }
        for (line, with) in [
            ("rm -- -rf", "-r"),
            ("git push --force-with-lease", "--force"),
            ("git gc --prune=2.weeks", "--prune=now"),
            ("dd if=/dev/sda of=x", "of=<device>"),
            ("cp /dev/sda a", "><device>"),
            ("kill -1 4711", ">-1"),
            ("deno run a.ts https://e.x", "%https://*"),
            ("npx -y lighthouse https://e.x", "%https://*"),
            ("npx lighthouse --package=https://e.x", "%https://*"),
            ("symbolic-ref HEAD refs/a", "=refs/*"),
            ("symbolic-ref", "=refs/*"),
            ("npm install https://e.x/a.tgz", "%https://*"),
            ("psql -c 'table drop'", "~drop+table"),
            ("psql -c 'raindrop tables'", "~drop+table"),
        ] {
            assert!(!has(line, with), "{line} {with}");
        }
    }
}
