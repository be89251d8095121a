//! Collects the values that a command line gives to variables.

use std::borrow::Cow;
use std::collections::BTreeMap;

use crate::script::{Command, Form, Loop, Script, Stdin, Word};

/// Builtins that set the variables that their arguments name.
const SETTERS: &[&str] = &[
    "read",
    "mapfile",
    "readarray",
    "export",
    "declare",
    "typeset",
    "local",
    "readonly",
    "let",
    "unset",
    "getopts",
    "wait",
    "coproc",
    "vared",
];

/// The [`SETTERS`] whose arguments may include values: `export a=b`.
const DECLARING: &[&str] = &["export", "declare", "typeset", "local", "readonly"];

/// The values that a command line gives to one variable.
#[derive(Debug, Default)]
pub(crate) struct Setting<'a> {
    pub(crate) values: Vec<Cow<'a, Word>>,
    /// The number of settings of the variable that are neither plain assignments nor loops.
    others: usize,
    /// The number of settings of the variable that are plain assignments or loops.
    plain: usize,
    /// The number of times that the variable's name is on the command line without a `$`.
    bare: usize,
}

impl Setting<'_> {
    /// Whether, once the variable is set, its value is one of `values`.
    pub(crate) fn is_sure(&self) -> bool {
        self.others == 0 && !self.values.is_empty()
    }
}

#[derive(Debug, Default)]
pub(crate) struct Settings<'a> {
    by_name: BTreeMap<&'a str, Setting<'a>>,
    /// Whether the command line sets a variable whose name is unknown.
    sets_any: bool,
}

impl Script {
    /// The values that the command line gives to a variable. `None` if one of the values is known
    /// only when the command line runs. A value that is not literal is a glob or has braces.
    pub fn values_of(&self, name: &str) -> Option<Vec<Word>> {
        let settings = Settings::of(&self.commands, &self.loops, &self.line);
        let values = settings.sure(name)?;
        Some(values.iter().map(|value| value.clone().into_owned()).collect())
    }

    /// The alias definitions on the command line, as written.
    pub fn aliases(&self) -> Vec<&str> {
        let aliases = self.commands.iter().filter(|command| command.program() == Some("alias"));
        let words = aliases.flat_map(|command| command.argv.iter().skip(1).map(Word::text));
        words.filter_map(|word| word.split_once('=')).map(|(name, _)| name).collect()
    }
}

impl<'a> Settings<'a> {
    pub(crate) fn of(commands: &'a [Command], loops: &'a [Loop], line: &'a str) -> Self {
        let mut settings = Self::default();
        for command in commands {
            for assignment in &command.assignments {
                let setting = settings.by_name.entry(&assignment.name).or_default();
                setting.set(assignment.form, std::slice::from_ref(&assignment.value));
            }
        }
        for found in loops {
            settings.by_name.entry(&found.name).or_default().set(Form::Set, &found.words);
        }
        for command in commands {
            settings.set_by(command);
        }
        settings.set_in(line);
        settings
    }

    pub(crate) fn get(&self, name: &str) -> Option<&Setting<'a>> {
        self.by_name.get(name)
    }

    pub(crate) fn sure(&self, name: &str) -> Option<&[Cow<'a, Word>]> {
        let setting = self.get(name).filter(|setting| !self.sets_any && setting.is_sure())?;
        Some(&setting.values)
    }

    /// The number of settings seen so far. If it grows, variables may have further values.
    pub(crate) fn count(&self) -> usize {
        let settings = self.by_name.values().map(|setting| setting.plain + setting.others);
        settings.sum::<usize>() + usize::from(self.sets_any)
    }

    fn set_by(&mut self, command: &'a Command) {
        let Some(program) = command.program() else { return };
        let words = command.argv.get(1..).unwrap_or_default();
        let is_printf = program == "printf"
            && words.first().is_some_and(|word| word.text().starts_with(['-', '$', '`']));
        if !is_printf && !SETTERS.contains(&program) {
            return;
        }
        for word in words {
            let text = word.text();
            let names_it = text.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_');
            self.sets_any |= word.literal().is_none() && !names_it;
            for (_, name, _) in occurrences(text) {
                if let Some(setting) = self.by_name.get_mut(name) {
                    setting.others += 1;
                }
            }
            let value = match (program, &command.stdin) {
                ("read", Stdin::Text(input)) => Some((text, input.text().trim_end())),
                _ if DECLARING.contains(&program) => text.split_once('='),
                _ => None,
            };
            if let Some((name, value)) = value {
                let setting = self.by_name.entry(name).or_default();
                setting.others += 1;
                setting.values.push(Cow::Owned(Word::Literal(value.to_owned())));
            }
        }
    }

    /// Collects variables that the command line sets without a command: by arithmetic, and by
    /// `${a:=b}`.
    fn set_in(&mut self, line: &'a str) {
        let has_arithmetic = line.contains("((") || line.contains("$[");
        if !has_arithmetic && !line.contains("${") {
            return;
        }
        for (before, name, after) in occurrences(line) {
            let Some(setting) = self.by_name.get_mut(name) else { continue };
            let is_parameter = before.ends_with("${");
            if is_parameter && (after.starts_with('=') || after.starts_with(":=")) {
                setting.others += 1;
            }
            if !is_parameter && !before.ends_with('$') {
                setting.bare += 1;
            }
        }
        for setting in self.by_name.values_mut().filter(|_| has_arithmetic) {
            if setting.bare > setting.plain {
                setting.others += 1;
            }
        }
    }
}

impl<'a> Setting<'a> {
    fn set(&mut self, form: Form, values: &'a [Word]) {
        self.plain += 1;
        let is_open =
            |word: &Word| word.literal().is_none() && word.text().contains(['$', '`', '(']);
        if form != Form::Set || values.iter().any(is_open) {
            self.others += 1;
        }
        if form != Form::Element {
            self.values.extend(values.iter().map(Cow::Borrowed));
        }
    }
}

/// Every variable name in a text, with the text before and after it.
fn occurrences(text: &str) -> impl Iterator<Item = (&str, &str, &str)> {
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    let mut at = 0;
    std::iter::from_fn(move || {
        let bytes = text.as_bytes();
        let start = at + bytes.get(at..)?.iter().position(|byte| is_part(*byte))?;
        let rest = &bytes[start..];
        at = start + rest.iter().position(|byte| !is_part(*byte)).unwrap_or(rest.len());
        Some((&text[..start], &text[start..at], &text[at..]))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read;

    #[test]
    fn values_that_a_line_sets_are_known() {
        let cases: &[(&str, Option<&[&str]>)] = &[
            ("x=a; b $x", Some(&["a"])),
            ("x=a; x='b c'; d $x", Some(&["a", "b c"])),
            ("for x in a b; do c $x; done", Some(&["a", "b"])),
            ("for x in *.rs; do c $x; done", Some(&["*.rs"])),
            ("x=a b; echo $((1 + 2)) ${x}", Some(&["a"])),
            ("sh -c 'x=a; b $x'", Some(&["a"])),
            ("b $x", None),
            ("for x in $(a); do b; done", None),
            ("for x; do b; done", None),
            ("x=a; x=$(b)", None),
            ("x=a; x+=b", None),
            ("x=a; x[0]=b", None),
            ("x=a; read x", None),
            ("x=a; read \"$y\"", None),
            ("x=a; printf -v x b", None),
            ("x=a; printf '%s' \"$x\"", Some(&["a"])),
            ("x=a; export x=b", None),
            ("x=a; (( x = 1 ))", None),
            ("x=a; echo $((x++))", None),
            ("x=a; echo ${x:=b}", None),
            ("x=a; unset x", None),
            ("x=(a b)", None),
        ];
        for (line, expected) in cases {
            let values = read(line).values_of("x");
            let values: Option<Vec<_>> =
                values.as_ref().map(|values| values.iter().map(Word::text).collect());
            assert_eq!(values.as_deref(), *expected, "{line}");
        }
    }

    #[test]
    fn functions_and_aliases_are_named() {
        let script = read("f() { a; }; function g { b; }; alias ls='rm -r' c=d; (h () { f; })");
        assert_eq!(script.functions, ["f", "g", "h"]);
        assert_eq!(script.aliases(), ["ls", "c"]);
    }
}
