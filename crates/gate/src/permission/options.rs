//! Reads a command's words by the options that a rule knows, and by no others.

use verger_shell::Word;

/// The words that are no options and no values of options; nothing when an option is not known.
///
/// Options stand in the rule as `-n= --oneline -v`: with `=` they take a value, which may be attached
/// or the next word; `--color[=]` may have an attached one; `-#` is a number. Words must be spelled
/// exactly, and an option that only becomes known when it runs is no known one. `*` knows every option.
pub(super) fn operands<'w>(options: &str, words: &'w [Word]) -> Option<Vec<&'w Word>> {
    let known = Known { options };
    if options == "*" {
        return Some(words.iter().filter(|word| !word.text().starts_with('-')).collect());
    }
    let mut operands = Vec::new();
    let mut at = 0;
    while let Some(word) = words.get(at) {
        at += 1;
        let text = word.text();
        if text == "--" {
            operands.extend(&words[at..]);
            break;
        }
        if !text.starts_with('-') || text == "-" {
            operands.push(word);
            continue;
        }
        let text = word.literal()?;
        if known.takes_next(text)? {
            // The value: it may be anything that one word can be.
            if !matches!(words.get(at)?, Word::Literal(_) | Word::Dynamic(_)) {
                return None;
            }
            at += 1;
        }
    }
    Some(operands)
}

struct Known<'a> {
    options: &'a str,
}

impl Known<'_> {
    fn form(&self, name: &str) -> Option<Form> {
        self.options.split_whitespace().find_map(|option| {
            let rest = option.strip_prefix(name)?;
            match rest {
                "" => Some(Form::Alone),
                "=" => Some(Form::WithValue),
                "[=]" => Some(Form::MayHaveValue),
                _ => None,
            }
        })
    }

    /// Whether the option takes the next word; nothing when it is not known.
    fn takes_next(&self, text: &str) -> Option<bool> {
        if let Some((name, _)) = text.split_once('=')
            && let Some(form) = self.form(name)
        {
            return (form != Form::Alone).then_some(false);
        }
        if let Some(form) = self.form(text) {
            return Some(form == Form::WithValue);
        }
        let letters = text.strip_prefix('-').filter(|rest| !rest.starts_with('-'))?;
        if !letters.is_empty() && letters.bytes().all(|byte| byte.is_ascii_digit()) {
            return self.form("-#").map(|_| false);
        }
        self.cluster(letters)
    }

    /// `-la`, and `-n5`.
    fn cluster(&self, letters: &str) -> Option<bool> {
        for (at, letter) in letters.char_indices() {
            let mut buffer = [b'-', 0, 0, 0, 0];
            let length = letter.encode_utf8(&mut buffer[1..]).len();
            let name = std::str::from_utf8(&buffer[..=length]).ok()?;
            match self.form(name)? {
                Form::Alone => {}
                Form::WithValue => return Some(at + length == letters.len()),
                Form::MayHaveValue => return Some(false),
            }
        }
        Some(false)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    Alone,
    WithValue,
    MayHaveValue,
}
