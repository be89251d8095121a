//! Parses operators, brackets and keywords, which decide where commands begin and end.
//!
//! The grammar accepts more than a shell does: only the words in command position matter.
//! Mismatched brackets and keywords are noted as a syntax fault.

use crate::dialect::Dialect;
use crate::parser::level::{Expect, GroupKind};
use crate::parser::word::WordBuilder;
use crate::parser::{Bracket, Parser};
use crate::script::{Loop, Shape, Why, Word};

impl Parser<'_> {
    /// Processes one character outside quotes and expansions.
    pub(super) fn command_step(&mut self, c: char) {
        let in_condition = matches!(self.level.expect, Expect::Condition(_));
        match c {
            ' ' | '\t' => {
                self.end_word();
                self.at += 1;
            }
            '\\' => self.escape(),
            '#' if self.level.word.is_none() => self.skip_comment(),
            '\'' => self.single_quoted(),
            '"' => self.open_double(true),
            '$' => self.dollar(false, true),
            '`' => self.backticks(false),
            '<' | '>' if self.after_next().starts_with('(') => self.open_process(2),
            '\n' | '<' | '>' | '&' | '|' | ';' | '(' | ')' if in_condition => {
                self.end_word();
                // After `]]`, the character has its usual meaning again.
                if let Expect::Condition(_) = self.level.expect {
                    self.at += 1;
                }
            }
            '\n' => self.newline(),
            '<' | '>' => self.redirection(),
            '&' if self.rest().starts_with("&>") => self.redirection(),
            '&' | '|' | ';' => self.operator(),
            '[' if self.begins_subscript() => self.open_bracket(Bracket::Subscript, 1),
            '(' => self.open_parenthesis(),
            ')' => self.close_parenthesis(),
            '}' if self.level.word.is_none() && self.level.expect == Expect::Start => {
                self.close_brace();
            }
            _ => self.bare(c),
        }
    }

    fn bare(&mut self, c: char) {
        self.word().push_bare(c);
        self.at += c.len_utf8();
    }

    fn escape(&mut self) {
        let escaped = self.rest().chars().nth(1);
        match escaped {
            Some('\n') => {}
            Some(c) => self.word().push_quoted(c.encode_utf8(&mut [0; 4])),
            None => self.word().push_quoted("\\"),
        }
        self.at += 1 + escaped.map_or(0, char::len_utf8);
    }

    fn single_quoted(&mut self) {
        let body = &self.after_next();
        let Some(end) = body.find('\'') else { return self.stop(Why::Syntax) };
        self.word().push_quoted(&body[..end]);
        self.at += end + 2;
    }

    fn newline(&mut self) {
        self.end_word();
        self.at += 1;
        self.end_redirect();
        match self.level.expect {
            // A line may end after `|`: the command that reads the pipe comes on the next line.
            Expect::Start | Expect::CaseIn | Expect::CasePattern | Expect::FunctionName => {}
            _ => self.end_command(),
        }
        self.read_here_documents();
    }

    fn operator(&mut self) {
        self.end_word();
        self.end_redirect();
        let rest = self.rest();
        let known = ["&&", "||", "|&", ";;&", ";;", ";&", "&", "|", ";"];
        let operator = known.into_iter().find(|known| rest.starts_with(known)).unwrap_or("&");
        self.at += operator.len();
        if operator != "|" {
            self.found.shape = Shape::Compound;
        }
        match (operator, self.level.expect) {
            ("|", Expect::CasePattern) => {}
            ("|" | "|&", Expect::Arguments(index)) => self.pipe(Some(index)),
            ("|" | "|&", Expect::Closed(_)) => self.pipe(None),
            (";;" | ";&" | ";;&", _) => {
                self.inside(GroupKind::Case);
                self.level.expect = Expect::CasePattern;
            }
            ("||", Expect::Arguments(_) | Expect::Closed(_)) => {
                self.end_command();
                self.perhaps();
            }
            (_, Expect::Arguments(_) | Expect::Closed(_))
            | (";", Expect::ForIn(_) | Expect::ForWords(_)) => self.end_command(),
            _ => {
                self.trouble(Why::Syntax);
                self.end_command();
            }
        }
    }

    fn open_parenthesis(&mut self) {
        if let Some(word) = &mut self.level.word {
            match word.text() {
                "!" => {}
                // In zsh, `=(...)` writes the output to a file, and becomes the name of that file.
                "=" => return self.open_process(1),
                text if text.ends_with(['=', '?', '*', '@', '+', '!']) => {
                    let is_array = text.ends_with('=');
                    let kind = if is_array { Bracket::Array } else { Bracket::Pattern };
                    word.spread();
                    return self.open_bracket(kind, 1);
                }
                _ => {}
            }
        }
        self.end_word();
        self.end_redirect();
        let mut arithmetic = self.arithmetic_end(self.at);
        if arithmetic.is_some() && self.dialect == Dialect::Any {
            // Shells other than bash may read `((` as a subshell in a subshell.
            self.trouble(Why::Syntax);
            arithmetic = None;
        }
        let is_empty = self.after_next().trim_start_matches([' ', '\t']).starts_with(')');
        match (self.level.expect, arithmetic) {
            (Expect::CasePattern, _) => self.at += 1,
            (Expect::ForName, Some(end)) => {
                self.open_arithmetic(end);
                self.level.expect = Expect::ForIn(usize::MAX);
            }
            (Expect::Start, Some(end)) => {
                self.found.shape = Shape::Compound;
                self.open_arithmetic(end);
                self.level.expect = Expect::Closed(self.found.commands.len());
            }
            (Expect::Start, _) if is_empty => self.end_function_head(),
            (Expect::Arguments(index), _) if is_empty && self.is_function_name(index) => {
                let head = self.found.commands.pop();
                let name = head.as_ref().and_then(|command| command.argv.first());
                self.found.functions.extend(name.map(|name| name.text().to_owned()));
                self.end_function_head();
            }
            (Expect::Start, _) => self.open_subshell(),
            (Expect::Arguments(index), _) if self.is_prefix(index) => self.open_subshell(),
            _ => {
                self.trouble(Why::Syntax);
                self.open_subshell();
            }
        }
    }

    /// Reads `()` after a function's name.
    fn end_function_head(&mut self) {
        self.found.shape = Shape::Compound;
        self.at += self.rest().find(')').map_or(1, |end| end + 1);
        self.end_command();
        self.perhaps();
    }

    fn open_subshell(&mut self) {
        self.at += 1;
        self.open(GroupKind::Parenthesis);
    }

    fn close_parenthesis(&mut self) {
        self.end_word();
        self.end_redirect();
        self.at += 1;
        if self.level.expect == Expect::CasePattern {
            self.end_command();
        } else if self.has_open(GroupKind::Parenthesis) {
            self.close(GroupKind::Parenthesis);
        } else if !self.close_commands(')') {
            self.trouble(Why::Syntax);
        }
    }

    /// Reads a closing brace in command position: the end of `${ ...; }`, or a keyword.
    fn close_brace(&mut self) {
        self.at += 1;
        if self.has_open(GroupKind::Brace) || !self.close_commands('}') {
            self.at -= 1;
            self.bare('}');
        }
    }

    pub(super) fn plain_word(&mut self, word: WordBuilder) {
        let bare = word.bare();
        match self.level.expect {
            Expect::Start => self.first_word(word),
            Expect::Arguments(index) => {
                if self.is_prefix(index) && bare.is_some_and(opens_a_group) {
                    self.first_word(word);
                } else {
                    self.add(index, word);
                }
            }
            Expect::Closed(_) => {
                if !bare.is_some_and(continues_a_group) {
                    self.trouble(Why::Syntax);
                }
                self.first_word(word);
            }
            Expect::Condition(index) => {
                if bare == Some("]]") {
                    self.level.expect = Expect::Closed(self.found.commands.len());
                }
                self.add(index, word);
            }
            Expect::CaseWord => self.level.expect = Expect::CaseIn,
            Expect::CaseIn => self.expect_in(bare == Some("in"), Expect::CasePattern),
            Expect::CasePattern => {
                if bare == Some("esac") {
                    self.close(GroupKind::Case);
                }
            }
            Expect::ForName => {
                self.level.expect = Expect::ForIn(self.found.loops.len());
                // A `for` loop without `in` iterates over the arguments of the script or function.
                let words = vec![Word::Spread("$@".to_owned())];
                self.found.loops.push(Loop { name: word.text().to_owned(), words });
            }
            Expect::ForIn(_) if bare == Some("do") => self.inside(GroupKind::Loop),
            Expect::ForIn(_) if bare == Some("{") => {
                self.level.groups.pop();
                self.open(GroupKind::Brace);
            }
            Expect::ForIn(index) => {
                if let Some(found) = self.found.loops.get_mut(index) {
                    found.words.clear();
                }
                self.expect_in(bare == Some("in"), Expect::ForWords(index));
            }
            Expect::ForWords(index) => {
                if let Some(found) = self.found.loops.get_mut(index) {
                    found.words.push(word.finish());
                }
            }
            Expect::FunctionName => {
                self.found.functions.push(word.text().to_owned());
                self.end_command();
                self.perhaps();
            }
        }
    }

    fn expect_in(&mut self, is_in: bool, then: Expect) {
        if !is_in {
            self.trouble(Why::Syntax);
        }
        self.level.expect = then;
    }

    /// Reads a word in command position: a keyword, or the beginning of a command.
    fn first_word(&mut self, word: WordBuilder) {
        let is_condition = word.bare() == Some("[[");
        if is_condition && self.dialect == Dialect::Any {
            // Shells other than bash may read `[[` as a program.
            self.trouble(Why::Syntax);
            let index = self.begin();
            self.add(index, word);
        } else if is_condition {
            let index = self.begin();
            self.add(index, word);
            self.level.expect = Expect::Condition(index);
            self.found.shape = Shape::Compound;
        } else if !word.bare().is_some_and(|bare| self.keyword(bare)) {
            let index = self.begin();
            self.add(index, word);
        }
    }

    fn keyword(&mut self, word: &str) -> bool {
        match word {
            "if" => self.open(GroupKind::If),
            "then" | "elif" | "else" => self.inside(GroupKind::If),
            "fi" => self.close(GroupKind::If),
            "while" | "until" => self.open(GroupKind::Loop),
            "for" | "select" => {
                self.open(GroupKind::Loop);
                self.runs_for_words();
                self.level.expect = Expect::ForName;
            }
            "do" => self.inside(GroupKind::Loop),
            "done" => self.close(GroupKind::Loop),
            "case" => {
                self.open(GroupKind::Case);
                self.level.expect = Expect::CaseWord;
            }
            "esac" => self.close(GroupKind::Case),
            "{" => self.open(GroupKind::Brace),
            "}" => self.close(GroupKind::Brace),
            "!" => {}
            "function" => self.level.expect = Expect::FunctionName,
            _ => return false,
        }
        self.found.shape = Shape::Compound;
        true
    }
}

fn opens_a_group(word: &str) -> bool {
    matches!(word, "{" | "if" | "while" | "until" | "for" | "select" | "case" | "[[" | "!")
}

fn continues_a_group(word: &str) -> bool {
    matches!(word, "then" | "elif" | "else" | "fi" | "do" | "done" | "esac" | "}" | "{")
}
