//! Reads a command's words by the options that a rule knows. Any other option fails.
//!
//! | in the rule | stands for |
//! |---|---|
//! | `-v`, `--oneline` | an option without a value |
//! | `-n=`, `--format=` | one with a value: attached or the next word |
//! | `--color[=]` | one that may have an attached value |
//! | `-e=TEXT` | one that takes the next word whatever it looks like |
//! | `-n=NUMBER`, `-t=NAME`, `-e=TARGET`, `-t=BUILDS`, `-F=SCOPE`, `--file=FILE`, `-C=DIR`, `-p=INSIDE`, `-o=OUTPUT`, `-g=GLOB`, `-L=RANGE`, `-o=SHOWN`, `-q=JQ`, `-H=ACCEPT`, `--color=auto\|never` | what the value must be |
//! | `-#` | a number: `-20` |
//! | `-*` | no option of the program does harm: what a glob finds may look like one |
//! | `--` | what follows is known after a `--` on the line |
//! | `*` alone | every option, without values |
//!
//! Words must be spelled exactly, and an option that is known only when it runs is no known one.

use verger_shell::Word;

use super::files::PLACES;
use super::option_values::{self as values, ValueKind};
use super::scene::Scene;

/// A command's words, divided into options and operands.
#[derive(Debug, Default)]
pub(super) struct Reading<'w> {
    /// The words that are neither options nor their values.
    pub(super) operands: Vec<&'w Word>,
    pub(super) given: Vec<Given<'w>>,
}

/// An option on the line.
#[derive(Debug)]
pub(super) struct Given<'w> {
    /// Without dashes.
    pub(super) name: &'w str,
    pub(super) value: Option<&'w str>,
    /// The kind of value that the rule asks for.
    kind: ValueKind,
}

impl<'w> Reading<'w> {
    /// The values of an option, by any of its names.
    pub(super) fn values(&self, names: &'w [&'w str]) -> impl Iterator<Item = &'w str> {
        self.given
            .iter()
            .filter(move |given| names.contains(&given.name))
            .filter_map(|given| given.value)
    }

    pub(super) fn has(&self, names: &[&str]) -> bool {
        self.given.iter().any(|given| names.contains(&given.name))
    }

    /// Directories that options tell the program to work in.
    pub(super) fn directories(&self) -> impl Iterator<Item = &'w str> {
        self.given.iter().filter(|given| given.kind == ValueKind::Dir).filter_map(|g| g.value)
    }
}

/// The words read by a rule's options; `None` if the rule does not know one of them.
pub(super) fn read<'w>(options: &str, words: &'w [Word], scene: &Scene<'_>) -> Option<Reading<'w>> {
    if options == "*" {
        let operands = words.iter().filter(|word| !word.text().starts_with('-')).collect();
        return Some(Reading { operands, given: Vec::new() });
    }
    let (options, tail) = match options.split_once(" -- ") {
        Some((options, tail)) => (options, Some(tail)),
        None => (options, None),
    };
    let mut reading = Reading::default();
    let known = Known { options, scene };
    let mut at = 0;
    while let Some(word) = words.get(at) {
        let text = word.text();
        if text == "--" {
            let after = &words[at + 1..];
            match tail {
                Some(tail) => Known { options: tail, scene }.all(after, &mut reading)?,
                None => reading.operands.extend(after),
            }
            return Some(reading);
        }
        at += known.next(&words[at..], &mut reading)?;
    }
    Some(reading)
}

/// The options before the first operand, and the rest of the words from it on.
pub(super) fn read_leading<'w>(
    options: &str,
    words: &'w [Word],
    scene: &Scene<'_>,
) -> Option<(Reading<'w>, &'w [Word])> {
    let known = Known { options, scene };
    let mut reading = Reading::default();
    let mut rest = words;
    while let Some(word) = rest.first() {
        let text = word.text();
        if !is_option(text) || text == "--" || (text.starts_with('+') && known.form(text).is_none())
        {
            break;
        }
        let taken = known.next(rest, &mut reading)?;
        rest = &rest[taken..];
    }
    Some((reading, rest))
}

fn is_option(text: &str) -> bool {
    (text.starts_with('-') && text != "-") || (text.starts_with('+') && text.len() > 1)
}

/// `-x` and `--x`, but neither `-` nor `->`.
fn looks_like_option(text: &str) -> bool {
    let name = text.strip_prefix('-');
    name.is_some_and(|name| name.starts_with(|c: char| c.is_alphabetic() || c == '-'))
}

struct Known<'a> {
    options: &'a str,
    scene: &'a Scene<'a>,
}

/// Whether an option takes the next word, and the form of that value.
enum Takes<'a> {
    Nothing,
    Next(&'a str),
}

enum Form<'a> {
    Alone,
    /// With the form that the value must have.
    WithValue(&'a str),
    MayHaveValue(&'a str),
}

impl<'a> Known<'a> {
    fn all<'w>(&self, words: &'w [Word], reading: &mut Reading<'w>) -> Option<()> {
        let mut at = 0;
        while at < words.len() {
            at += self.next(&words[at..], reading)?;
        }
        Some(())
    }

    /// Reads the first word, and its value if it takes the next one. Returns the number of words
    /// read.
    fn next<'w>(&self, words: &'w [Word], reading: &mut Reading<'w>) -> Option<usize> {
        let (word, after) = words.split_first()?;
        let text = word.text();
        let is_plus = text.starts_with('+') && self.form(text).is_none();
        if text.starts_with(DASHES) {
            return None;
        }
        if !is_option(text) || is_plus {
            let is_sure = word.literal().is_some() && !self.scene.is_reading();
            if !is_sure && may_become_option(text) && !self.takes_anything() {
                return None;
            }
            reading.operands.push(word);
            return Some(1);
        }
        let text = known_text(word)?;
        let Takes::Next(open) = self.option(text, reading)? else { return Some(1) };
        let value = after.first()?;
        // Not every program accepts a value that looks like an option.
        if open != "TEXT" && looks_like_option(value.text()) {
            return None;
        }
        let is_glob = open == "GLOB" && super::files::is_known(value) && value.text().contains('.');
        let value = value.literal().or_else(|| is_glob.then_some(value.text()))?;
        let kind = values::checked(self.scene, open, value)?;
        let last = reading.given.last_mut()?;
        (last.value, last.kind) = (Some(value), kind);
        Some(2)
    }

    fn takes_anything(&self) -> bool {
        self.options.split_ascii_whitespace().any(|option| option == "-*")
    }

    fn form(&self, name: &str) -> Option<Form<'a>> {
        self.options.split_ascii_whitespace().find_map(|option| {
            let rest = option.strip_prefix(name)?;
            if rest.is_empty() {
                return Some(Form::Alone);
            }
            match rest.strip_prefix("[=").and_then(|rest| rest.strip_suffix(']')) {
                Some(value) => Some(Form::MayHaveValue(value)),
                None => rest.strip_prefix('=').map(Form::WithValue),
            }
        })
    }

    /// Adds the options that one word gives; `None` if one of them is unknown.
    fn option<'w>(&self, text: &'w str, reading: &mut Reading<'w>) -> Option<Takes<'a>> {
        let bare = text.trim_start_matches('-');
        let mut add = |name: &'w str, value: Option<&'w str>, kind| {
            reading.given.push(Given { name, value, kind });
        };
        // After a single letter the sign is a part of the value.
        if let Some((name, value)) = text.split_once('=').filter(|(name, _)| name.len() > 2)
            && let Some(form) = self.form(name)
        {
            let (Form::WithValue(wanted) | Form::MayHaveValue(wanted)) = form else { return None };
            let kind = values::checked(self.scene, wanted, value)?;
            add(name.trim_start_matches('-'), Some(value), kind);
            return Some(Takes::Nothing);
        }
        if let Some(form) = self.form(text) {
            add(bare, None, ValueKind::Any);
            return Some(match form {
                Form::WithValue(wanted) => Takes::Next(wanted),
                Form::Alone | Form::MayHaveValue(_) => Takes::Nothing,
            });
        }
        let letters = text.strip_prefix('-').filter(|rest| !rest.starts_with('-'))?;
        if !letters.is_empty() && letters.bytes().all(|byte| byte.is_ascii_digit()) {
            self.form("-#")?;
            add("#", Some(letters), ValueKind::Any);
            return Some(Takes::Nothing);
        }
        self.cluster(letters, reading)
    }

    /// `-la`, and `-n5`.
    fn cluster<'w>(&self, letters: &'w str, reading: &mut Reading<'w>) -> Option<Takes<'a>> {
        for (at, letter) in letters.char_indices() {
            let mut buffer = [b'-', 0, 0, 0, 0];
            let length = letter.encode_utf8(&mut buffer[1..]).len();
            let form = self.form(std::str::from_utf8(&buffer[..=length]).ok()?)?;
            let (name, attached) = (&letters[at..at + length], &letters[at + length..]);
            let value = (!attached.is_empty()).then_some(attached);
            let mut add = |value, kind| reading.given.push(Given { name, value, kind });
            match form {
                Form::Alone => add(None, ValueKind::Any),
                Form::WithValue(wanted) => {
                    let Some(value) = value else {
                        add(None, ValueKind::Any);
                        return Some(Takes::Next(wanted));
                    };
                    let kind = values::checked(self.scene, wanted, value)?;
                    add(Some(value), kind);
                    return Some(Takes::Nothing);
                }
                Form::MayHaveValue(wanted) => {
                    let kind = value
                        .map_or(Some(ValueKind::Any), |v| values::checked(self.scene, wanted, v))?;
                    add(value, kind);
                    return Some(Takes::Nothing);
                }
            }
        }
        Some(Takes::Nothing)
    }
}

/// The text of an option: whatever a glob in its value finds begins as the option does, and `nproc`
/// tells a number.
fn known_text(word: &Word) -> Option<&str> {
    let text = word.text();
    let is_value_open = text.split_once('=').is_some_and(|(name, value)| {
        !name.contains(['*', '?', '[', '{', '$', '`']) && !value.contains(['{', '$', '`', '(', '<'])
    });
    let is_count = matches!(text, "-j$(nproc)" | "--jobs=$(nproc)" | "--parallel=$(nproc)");
    word.literal().or_else(|| (is_value_open || is_count).then_some(text))
}

/// Signs that look like the dash of an option, and are none.
const DASHES: [char; 13] = ['‐', '‑', '‒', '–', '—', '―', '−', '－', '﹘', '﹣', '⁃', '⸺', '⸻'];

/// Whether a word that is not literal may begin with a dash once it runs.
fn may_become_option(text: &str) -> bool {
    text.starts_with(['*', '?', '[', '{', '$', '`', '@', '+', '!'])
        && !text.starts_with("$(git merge-base ")
        && !PLACES.iter().any(|place| text.starts_with(place))
}
