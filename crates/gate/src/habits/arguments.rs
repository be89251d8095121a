//! Parses a command's arguments with the options of its program, and stores the positions of the
//! options.

use verger_shell::Word;

/// The options of a program.
#[derive(Debug, Clone, Copy)]
pub(super) struct Options {
    /// The names of the options, separated by spaces. `a|all` is `-a` and `--all`, `m|message=` has
    /// a value, and `S|gpg-sign[=]` may have an attached value. The last name of each option is its
    /// canonical name.
    pub(super) known: &'static str,
    pub(super) names: Names,
}

/// Whether the program accepts abbreviations of long option names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Names {
    Whole,
    /// The program accepts every unambiguous abbreviation.
    Shortened,
}

/// The arguments in which options are searched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reach {
    /// All arguments, also those after the first operand.
    All,
    /// Only the arguments before the first operand.
    Leading,
}

/// The parsed arguments of a command.
#[derive(Debug)]
pub(super) struct Arguments<'w> {
    words: &'w [Word],
    given: Vec<Given>,
    /// The indices of the arguments that are neither options nor their values.
    operands: Vec<usize>,
}

/// An option that a command has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Given {
    pub(super) name: &'static str,
    /// The index of the argument with the option.
    pub(super) at: usize,
    pub(super) value: Option<Place>,
}

/// The position of an option's value in the arguments.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) word: usize,
    /// The offset in the argument's text at which the value begins.
    pub(super) from: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Takes {
    Nothing,
    Value,
    /// The option may have an attached value.
    MayHaveValue,
}

impl Options {
    pub(super) const fn of_git(known: &'static str) -> Self {
        Self { known, names: Names::Shortened }
    }

    pub(super) const fn whole(known: &'static str) -> Self {
        Self { known, names: Names::Whole }
    }

    /// Parses the arguments after a program's name or its subcommand.
    pub(super) fn read<'w>(&self, words: &'w [Word], reach: Reach) -> Arguments<'w> {
        let mut arguments = Arguments { words, given: Vec::new(), operands: Vec::new() };
        let mut at = 0;
        while let Some(word) = words.get(at) {
            let text = word.text();
            if text == "--" {
                arguments.operands.extend(at + 1..words.len());
                break;
            }
            if !text.starts_with('-') || text == "-" {
                if reach == Reach::Leading {
                    arguments.operands.extend(at..words.len());
                    break;
                }
                arguments.operands.push(at);
                at += 1;
                continue;
            }
            let takes_next = match text.strip_prefix("--") {
                Some(name) => self.long(name, at, &mut arguments),
                None => self.letters(text, at, &mut arguments),
            };
            at += 1 + usize::from(takes_next);
        }
        arguments
    }

    fn long(&self, text: &str, at: usize, arguments: &mut Arguments<'_>) -> bool {
        let (name, attached) = match text.split_once('=') {
            Some((name, _)) => (name, Some(Place { word: at, from: 2 + name.len() + 1 })),
            None => (text, None),
        };
        let Some((name, takes)) = self.named(name) else { return false };
        let takes_next = takes == Takes::Value && attached.is_none();
        let next = takes_next.then_some(Place { word: at + 1, from: 0 });
        arguments.give(Given { name, at, value: attached.or(next) });
        takes_next
    }

    fn letters(&self, text: &str, at: usize, arguments: &mut Arguments<'_>) -> bool {
        for (from, letter) in text.char_indices().skip(1) {
            let Some((name, takes)) = self.lettered(letter) else { continue };
            let after = from + letter.len_utf8();
            let is_last = after == text.len();
            let value = match takes {
                Takes::Nothing => None,
                Takes::MayHaveValue if is_last => None,
                Takes::Value if is_last => Some(Place { word: at + 1, from: 0 }),
                Takes::Value | Takes::MayHaveValue => Some(Place { word: at, from: after }),
            };
            arguments.give(Given { name, at, value });
            if takes != Takes::Nothing {
                return takes == Takes::Value && is_last;
            }
        }
        false
    }

    fn entries(&self) -> impl Iterator<Item = (&'static str, Takes)> {
        self.known.split_whitespace().map(|entry| {
            if let Some(names) = entry.strip_suffix("[=]") {
                (names, Takes::MayHaveValue)
            } else if let Some(names) = entry.strip_suffix('=') {
                (names, Takes::Value)
            } else {
                (entry, Takes::Nothing)
            }
        })
    }

    fn lettered(&self, letter: char) -> Option<(&'static str, Takes)> {
        let mut entries = self.entries();
        entries.find_map(|(names, takes)| {
            let is_it = |name: &str| name.chars().eq([letter]);
            names.split('|').any(is_it).then(|| (last(names), takes))
        })
    }

    fn named(&self, name: &str) -> Option<(&'static str, Takes)> {
        let has = |fits: &dyn Fn(&str) -> bool, names: &'static str| {
            names.split('|').any(|known| known.len() > 1 && fits(known))
        };
        let exact = self.entries().find(|(names, _)| has(&|known| known == name, names));
        let found = exact.or_else(|| {
            let begins = |known: &str| self.names == Names::Shortened && known.starts_with(name);
            let mut fitting = self.entries().filter(|(names, _)| has(&begins, names));
            // An ambiguous abbreviation doesn't count as an option.
            fitting.next().filter(|_| fitting.next().is_none())
        });
        found.map(|(names, takes)| (last(names), takes))
    }
}

fn last(names: &'static str) -> &'static str {
    names.rsplit('|').next().unwrap_or(names)
}

impl<'w> Arguments<'w> {
    fn give(&mut self, given: Given) {
        let is_there = |place: &Place| place.word < self.words.len();
        self.given.push(Given { value: given.value.filter(is_there), ..given });
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.given.iter().any(|given| given.name == name)
    }

    pub(super) fn has_any(&self, names: &[&str]) -> bool {
        names.iter().any(|name| self.has(name))
    }

    /// The options with this canonical name, in order.
    pub(super) fn all(&self, name: &'static str) -> impl Iterator<Item = Given> {
        self.given.iter().copied().filter(move |given| given.name == name)
    }

    /// The values of the option with this canonical name, in order.
    pub(super) fn values(&self, name: &'static str) -> impl Iterator<Item = &'w str> {
        self.all(name).filter_map(|given| Some(self.text(given.value?)))
    }

    pub(super) fn text(&self, place: Place) -> &'w str {
        self.words[place.word].text().get(place.from..).unwrap_or_default()
    }

    pub(super) fn operands(&self) -> impl Iterator<Item = &'w Word> {
        self.operands.iter().map(|at| &self.words[*at])
    }

    pub(super) fn operand_count(&self) -> usize {
        self.operands.len()
    }

    /// The index of the first operand among the arguments.
    pub(super) fn first_operand(&self) -> Option<usize> {
        self.operands.first().copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_read_in_every_spelling() {
        const COMMIT: Options =
            Options::of_git("a|all m|message= S|gpg-sign[=] amend allow-empty trailer=");
        let read = |line: &str| {
            let script = verger_shell::read(&format!("x {line}"));
            let arguments = COMMIT.read(&script.commands[0].argv[1..], Reach::All);
            let given = arguments.given.iter().map(|given| {
                let value = given.value.map(|place| format!("={}", arguments.text(place)));
                format!("{}{}", given.name, value.unwrap_or_default())
            });
            let operands = arguments.operands().map(|word| format!("[{}]", word.text()));
            given.chain(operands).collect::<Vec<_>>().join(" ")
        };
        for (line, expected) in [
            ("-a -m x", "all message=x"),
            ("-am x y", "all message=x [y]"),
            ("-amx", "all message=x"),
            ("-m 'feat: add' file", "message=feat: add [file]"),
            ("-mfeat", "message=feat"),
            ("-m -a", "message=-a"),
            ("-Skey -S file", "gpg-sign=key gpg-sign [file]"),
            ("--message=x --mess y", "message=x message=y"),
            ("--trailer=a=b", "trailer=a=b"),
            ("--am", "amend"),
            ("--al", ""),
            ("--all", "all"),
            ("-- -a", "[-a]"),
            ("--unknown -q x", "[x]"),
            ("-m", "message"),
            ("-m \"$x\" $y", "message=$x [$y]"),
            ("-m\"$x\"", "message=$x"),
            ("- -a", "all [-]"),
        ] {
            assert_eq!(read(line), expected, "{line}");
        }
    }
}
