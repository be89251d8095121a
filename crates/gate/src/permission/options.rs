//! Parses a command's words with the options of a rule. An option that the rule doesn't list makes
//! the parse fail.
//!
//! | in the rule | meaning |
//! |---|---|
//! | `-v`, `--oneline` | an option without a value |
//! | `-n=`, `--format=` | an option with a value: attached or the next word |
//! | `--color[=]` | an option that may have an attached value |
//! | `-e=TEXT` | an option with a value that may look like an option |
//! | `-n=NUMBER`, `-t=NAME`, `-e=TARGET`, `-t=BUILDS`, `-F=SCOPE` | the value has this form |
//! | `--file=FILE`, `-C=DIR`, `-p=INSIDE`, `-o=OUTPUT`, `-g=GLOB` | the value has this form |
//! | `-L=RANGE`, `-o=SHOWN`, `-q=JQ`, `-H=ACCEPT` | the value has this form |
//! | `--color=auto\|never` | the value is one of these words |
//! | `-#` | a number: `-20` |
//! | `-*` | a glob may expand to any option, because none of them does harm |
//! | `--` | the options after `--` are options for the words after `--` on the line |
//! | `*` alone | every option, without values |
//!
//! Words must be spelled exactly. An option that is known only when the line runs makes the parse
//! fail.

use verger_shell::Word;

use super::files::PLACES;
use super::option_values::{self as values, ValueKind};
use super::scene::Scene;

/// The words of a command, split into options and operands by a rule.
#[derive(Debug, Default)]
pub(super) struct Reading<'w> {
    /// The words that are neither options nor their values.
    pub(super) operands: Vec<&'w Word>,
    pub(super) given: Vec<Given<'w>>,
}

/// An option that a command has.
#[derive(Debug)]
pub(super) struct Given<'w> {
    /// The option's name without dashes.
    pub(super) name: &'w str,
    pub(super) value: Option<&'w str>,
    /// The kind of the option's value.
    kind: ValueKind,
}

impl<'w> Reading<'w> {
    /// The values of an option that may have any of these names.
    pub(super) fn values(&self, names: &'w [&'w str]) -> impl Iterator<Item = &'w str> {
        self.given
            .iter()
            .filter(move |given| names.contains(&given.name))
            .filter_map(|given| given.value)
    }

    pub(super) fn has(&self, names: &[&str]) -> bool {
        self.given.iter().any(|given| names.contains(&given.name))
    }

    /// The directories in which the program works according to its options.
    pub(super) fn directories(&self) -> impl Iterator<Item = &'w str> {
        self.given.iter().filter(|given| given.kind == ValueKind::Dir).filter_map(|g| g.value)
    }
}

/// Splits the words of a command into options and operands. `None` if the command has an option
/// that the rule doesn't list.
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

/// The options before the first operand, and the words from this operand on.
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

/// Whether the text looks like an option: `-x` and `--x`, but neither `-` nor `->`.
fn looks_like_option(text: &str) -> bool {
    let name = text.strip_prefix('-');
    name.is_some_and(|name| name.starts_with(|c: char| c.is_alphabetic() || c == '-'))
}

struct Known<'a> {
    options: &'a str,
    scene: &'a Scene<'a>,
}

/// Whether an option takes the next word as its value, and the form that this value must have.
enum Takes<'a> {
    Nothing,
    Next(&'a str),
}

enum Form<'a> {
    Alone,
    /// The option needs a value of this form.
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

    /// Parses the first word, and the next word too if it is the value of the option. Returns the
    /// number of parsed words.
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
        // Some programs parse a value that looks like an option as another option.
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

    /// Adds the options in one word. `None` if the rule doesn't list one of them.
    fn option<'w>(&self, text: &'w str, reading: &mut Reading<'w>) -> Option<Takes<'a>> {
        let bare = text.trim_start_matches('-');
        let mut add = |name: &'w str, value: Option<&'w str>, kind| {
            reading.given.push(Given { name, value, kind });
        };
        // In `-x=y`, the value is `=y`.
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

    /// Parses short options in one word: `-la`, `-n5`.
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

/// The text of a word with an option, if it is known well enough. A glob in the value may expand,
/// but each result still begins with the same option. `nproc` prints a number.
fn known_text(word: &Word) -> Option<&str> {
    let text = word.text();
    let is_value_open = text.split_once('=').is_some_and(|(name, value)| {
        !name.contains(['*', '?', '[', '{', '$', '`']) && !value.contains(['{', '$', '`', '(', '<'])
    });
    let is_count = matches!(text, "-j$(nproc)" | "--jobs=$(nproc)" | "--parallel=$(nproc)");
    word.literal().or_else(|| (is_value_open || is_count).then_some(text))
}

/// Characters that look like the dash of an option.
const DASHES: [char; 13] = ['‐', '‑', '‒', '–', '—', '―', '−', '－', '﹘', '﹣', '⁃', '⸺', '⸻'];

/// Whether a word that isn't literal may become an option when the command line runs.
fn may_become_option(text: &str) -> bool {
    text.starts_with(['*', '?', '[', '{', '$', '`', '@', '+', '!'])
        && !text.starts_with("$(git merge-base ")
        && !PLACES.iter().any(|place| text.starts_with(place))
}
