//! Finds the parts of a commit message, and their positions on the command line.

use std::ops::Range;

use verger_shell::{Mode, Script, Stdin, Word, Written};

use super::super::arguments::{Arguments, Given};
use super::super::line::{Call, Line};

/// A part of a commit message.
pub(super) struct Part {
    pub(super) text: String,
    pub(super) place: Place,
}

/// The position of a part's text on the command line.
pub(super) enum Place {
    /// The text is in an argument of the command line, from an offset of the argument's text.
    Word { written: Written, from: usize, start: usize },
    /// The text is a here-document.
    Lines { start: usize },
    /// The text has no position: it is not on the command line, or in a form that verger can't
    /// edit.
    Hidden,
}

impl Place {
    /// The range of the command line that contains exactly this range of the part's text. `None` if
    /// there is no such range.
    pub(super) fn source_of(&self, text: Range<usize>) -> Option<Range<usize>> {
        match self {
            Self::Word { written, from, start } => {
                let range = written.source_of(from + text.start..from + text.end)?;
                Some(start + range.start..start + range.end)
            }
            Self::Lines { start } => Some(start + text.start..start + text.end),
            Self::Hidden => None,
        }
    }
}

/// Finds the parts of the message of one command.
pub(super) struct Parts<'a> {
    script: &'a Script,
    call: Call<'a>,
    /// The index of the first word of the command that is an argument. Indices of arguments count
    /// from there.
    first: usize,
}

impl<'a> Parts<'a> {
    pub(super) fn new(line: &Line<'a>, call: Call<'a>, first: usize) -> Self {
        Self { script: line.script(), call, first }
    }

    /// The message part in the value of an option.
    pub(super) fn value(&self, arguments: &Arguments<'_>, given: Given) -> Part {
        let Some(place) = given.value else {
            return Part { text: String::new(), place: Place::Hidden };
        };
        self.word(self.call.index, self.first + place.word, place.from).unwrap_or_else(|| Part {
            text: arguments.text(place).to_owned(),
            place: Place::Hidden,
        })
    }

    /// The message part in a word of a command, from an offset of the word's text.
    fn word(&self, command: usize, word: usize, from: usize) -> Option<Part> {
        let span = self.script.span(command, word)?;
        let source = self.script.line().get(span.clone())?;
        let known = self.script.commands[command].argv.get(word)?;
        if let Some(written) = Written::read(source) {
            let is_same = known.literal().is_none_or(|literal| literal == written.text());
            let text = written.text().get(from..).filter(|_| is_same)?.to_owned();
            return Some(Part { text, place: Place::Word { written, from, start: span.start } });
        }
        let prefix = known.text().get(..from)?;
        self.substituted(span, source.strip_prefix(prefix)?)
    }

    /// The message part in a word of exactly the form `"$(cat <<'EOF' ... EOF)"`.
    fn substituted(&self, span: Range<usize>, source: &str) -> Option<Part> {
        if !source.starts_with("\"$(") || !source.ends_with(")\"") {
            return None;
        }
        let is_inside = |index: &usize| {
            let first = self.script.span(*index, 0);
            first.is_some_and(|first| first.start > span.start && first.end <= span.end)
        };
        let mut inside = (0..self.script.commands.len()).filter(is_inside);
        let (cat, others) = (inside.next().filter(|cat| self.hands_on(*cat))?, inside.next());
        let body = self.script.body(cat).filter(|body| body.end < span.end)?;
        // Text after the here-document in the substitution would belong to the last line of the
        // message.
        let opening = self.script.line().get(span.start..body.start)?;
        let is_plain = others.is_none() && opening.matches('$').count() == 1;
        let closing = self.script.line().get(body.end..span.end)?;
        let is_closed = closing.matches(')').count() == 1;
        self.lines(cat).filter(|_| is_plain && is_closed)
    }

    /// The message part in the here-document that the command at `index` reads.
    fn lines(&self, index: usize) -> Option<Part> {
        let command = &self.script.commands[index];
        let body = self.script.body(index)?;
        let source = self.script.line().get(body.clone())?;
        let Stdin::Text(text) = &command.stdin else { return None };
        // With `<<-`, the shell removes leading tabs from the lines of the here-document.
        let without_tabs: String =
            source.split_inclusive('\n').map(|line| line.trim_start_matches('\t')).collect();
        let literal = text.literal()?;
        let is_same = literal == source || literal == without_tabs;
        let place = Place::Lines { start: body.start };
        is_same.then(|| Part { text: source.to_owned(), place })
    }

    /// The message parts in the file `file`, if the command line shows the content of this file.
    pub(super) fn file(&self, file: &str) -> Vec<Part> {
        if matches!(file, "-" | "/dev/stdin") {
            return self.fed();
        }
        let is_writer = |index: &usize| {
            let mut redirects = self.script.commands[*index].redirects.iter();
            redirects.any(|redirect| {
                matches!(redirect.mode, Mode::Write | Mode::Append)
                    && redirect.target.literal() == Some(file)
            })
        };
        let writers = (0..self.script.commands.len()).filter(is_writer);
        writers.flat_map(|writer| self.written_by(writer)).collect()
    }

    fn fed(&self) -> Vec<Part> {
        match self.script.commands[self.call.index].stdin {
            Stdin::Text(_) => self.lines(self.call.index).into_iter().collect(),
            Stdin::Pipe(Some(writer)) => self.written_by(writer),
            Stdin::Pipe(None) | Stdin::Inherited | Stdin::File => vec![],
        }
    }

    /// The whole standard input, if `file` is the standard input and its text is known. This text
    /// may contain more than the other parts, such as the result of `printf` escapes.
    pub(super) fn whole_file(&self, file: &str) -> Option<Part> {
        let is_fed = matches!(file, "-" | "/dev/stdin");
        is_fed.then(|| self.script.fed(self.call.index))?.map(hidden)
    }

    /// Whether the command is a `cat` that only copies its standard input.
    fn hands_on(&self, index: usize) -> bool {
        let command = &self.script.commands[index];
        command.program() == Some("cat") && command.argv[1..].iter().all(|word| word.text() == "-")
    }

    /// The message parts that a command prints: those in a here-document, or in its own words.
    fn written_by(&self, writer: usize) -> Vec<Part> {
        let command = &self.script.commands[writer];
        match command.program() {
            Some("cat") if !self.hands_on(writer) => vec![],
            Some("cat" | "tee") => self.lines(writer).into_iter().collect(),
            Some("echo" | "printf") => {
                let words = 1..command.argv.len();
                let part = |word| self.word(writer, word, 0);
                let known = |word: usize| hidden(command.argv[word].text().to_owned());
                words.map(|word| part(word).unwrap_or_else(|| known(word))).collect()
            }
            _ => vec![],
        }
    }

    /// The range of an option with its value and the blanks before it. `None` if the option shares
    /// its word with other options.
    pub(super) fn option(&self, given: Given) -> Option<Range<usize>> {
        let value = given.value?;
        let word: &Word = self.call.argv.get(self.first + given.at)?;
        let is_own = if value.word == given.at {
            let written = word.text();
            written.starts_with("--") || value.from == 2
        } else {
            word.text().starts_with("--") || word.text().len() == 2
        };
        let is_known = self.call.argv[self.first + value.word].literal().is_some();
        let start = self.script.span(self.call.index, self.first + given.at)?.start;
        let end = self.script.span(self.call.index, self.first + value.word)?.end;
        let before = &self.script.line()[..start];
        let blanks = before.len() - before.trim_end_matches([' ', '\t']).len();
        // A blank after a backslash is part of a word, so it must stay.
        let is_free = !before.trim_end_matches([' ', '\t']).ends_with(['\\', '\n']);
        let start = if is_free { start - blanks } else { start };
        (is_own && is_known).then_some(start..end)
    }
}

fn hidden(text: String) -> Part {
    Part { text, place: Place::Hidden }
}
