//! The shapes of limits in English.
//!
//! A clause must begin with one of them, and every word up to its end must be understood.

use super::object::{ECOSYSTEMS, EXCEPT, PACKAGES, Reader};
use super::text::{Token, sentences};
use super::verb::Verb;
use super::{Limit, SaidLimit};
use crate::phrases::is_listed;

/// Words that may stand before an imperative.
const LEAD_INS: &str = "\
    please|pls|also|just|ok|okay|and|but|so|then|however|again|yes|yeah|hey|for now|\
    right now|now|additionally|important|btw|instead|still";

/// Words that make a sentence a condition or give a reason, in whose reach the negation may be.
const CONDITIONS: &str = "\
    if|when|whenever|unless|until|till|because|in case|so that|otherwise|once|before|after|\
    while|except|besides|excluding|apart from|as long as|without";

/// Words after which a clause without a comma before it goes on with what someone else does.
const SUBJECTS: &str = "that|which|who|where|they|we|i|he|she|users|people";

/// Words with which a clause begins that states something.
const STATED: &str = "\
    it|it's|its|they|they're|we|we'll|we're|i|i'll|i'm|i've|i'd|that's|this|the|another|other|\
    someone|just tell|just explain";

/// Verbs behind which the words of someone else stand.
const SAYING: &str = "said|says|say|saying|told|tells|wrote|reads";

/// Words before a colon behind which the person states limits.
const ANNOUNCING: &str =
    "note|important|rule|rules|remember|reminder|constraint|constraints|limits|warning|nb";

const NEGATIONS: &str = "not|don't|dont|never|doesn't|didn't|won't|can't";

/// Nouns of a task for which nothing is changed.
const TASKS: &str = "review|audit|analysis|investigation|task|mode|pass|check|session";

/// The limits in a block of English text.
pub(super) fn limits_in(block: &str, root: Option<&str>) -> Vec<SaidLimit> {
    sentences(block).iter().flat_map(|tokens| in_sentence(tokens, root)).collect()
}

fn in_sentence(tokens: &[Token], root: Option<&str>) -> Vec<SaidLimit> {
    let mut found = vec![];
    let mut read = 0;
    if starts_with_any(tokens, CONDITIONS) {
        return found;
    }
    for at in 0..tokens.len() {
        if at < read || !may_begin(tokens, at, read) {
            continue;
        }
        let mut reader = Reader { tokens, at, root };
        reader.eat_all(LEAD_INS);
        let Some(limits) = clause(&mut reader, at == 0) else { continue };
        if !goes_on_with_condition(reader.rest()) {
            found.extend(limits);
        }
        read = reader.at.max(at + 1);
    }
    found
}

/// Whether a clause behind a limit is a condition. One that states something, such as `it is frozen until May`, is not.
fn goes_on_with_condition(rest: &[Token]) -> bool {
    let end = rest.iter().position(|token| *token == Token::Mark(';')).unwrap_or(rest.len());
    rest[..end].split(Token::is_mark).any(|clause| {
        let mut reader = Reader { tokens: clause, at: 0, root: None };
        reader.eat_all(LEAD_INS);
        let clause = reader.rest();
        let has = (0..clause.len()).any(|at| starts_with_any(&clause[at..], CONDITIONS));
        has && !starts_with_any(clause, STATED)
    })
}

/// Whether a clause may begin here: at the start of a sentence, behind a mark, or behind a conjunction that does not go
/// on with a description.
fn may_begin(tokens: &[Token], at: usize, read: usize) -> bool {
    let Some(last) = at.checked_sub(1).map(|last| &tokens[last]) else { return true };
    let before = &tokens[read.min(at)..at];
    let has_subject = || before.iter().any(|token| is_listed(token.lower(), SUBJECTS));
    // "the hooks don't run, don't push": only an imperative begins with its negation.
    let is_inside = |at: usize| is_listed(tokens[at].lower(), NEGATIONS) && !is_first(tokens, at);
    let is_described = || (read.min(at)..at).any(is_inside);
    let start = tokens.first().map_or("", Token::lower);
    let is_said = || before.iter().any(|token| is_listed(token.lower(), SAYING));
    match last {
        // "He said, don't push", "In tests, don't run docker".
        Token::Mark(',') => !is_described() && !is_said() && !is_listed(start, "in|for|on|during"),
        // Behind a colon or a bracket stands a text of someone else, unless it is announced as a rule.
        Token::Mark(':' | '(') => match tokens[..at - 1] {
            [ref word] => is_listed(word.lower(), ANNOUNCING),
            _ => false,
        },
        Token::Mark(_) => true,
        _ => match last.lower() {
            "but" => !has_subject(),
            "and" | "so" | "then" | "or" | "please" => !is_described() && !has_subject(),
            _ => false,
        },
    }
}

/// Whether only marks, lead-ins and `do` stand between the start of a clause and this word.
fn is_first(tokens: &[Token], at: usize) -> bool {
    let before = tokens[..at].iter().rev().find(|token| token.lower() != "do");
    before.is_none_or(|token| token.is_mark() || is_listed(token.lower(), LEAD_INS))
}

fn starts_with_any(tokens: &[Token], phrases: &str) -> bool {
    Reader { tokens, at: 0, root: None }.eat_any(phrases)
}

/// The limits of a clause that begins here, if it has one of the shapes.
fn clause(reader: &mut Reader<'_>, is_first: bool) -> Option<Vec<SaidLimit>> {
    if reader.eat_any("never|do not ever|don't ever") {
        return Some(reader.forbidden()?.into_iter().map(SaidLimit::never).collect());
    }
    let limits = if reader.eat_any("do not|don't|dont") {
        reader.forbidden()?
    } else if reader.eat("no") {
        no_nouns(reader)?
    } else if reader.eat("leave") {
        not_paths(reader, "alone|untouched|unchanged|as is|as-is|as it is|as they are")?
    } else if is_first && is_read_only(reader) {
        vec![Limit::NoChanges]
    } else {
        vec![only(reader)?]
    };
    Some(limits.into_iter().map(SaidLimit::plain).collect())
}

/// Paths that must not change, and one of the phrases that have to stand behind them.
fn not_paths(reader: &mut Reader<'_>, behind: &str) -> Option<Vec<Limit>> {
    let paths = reader.paths()?;
    let is_over = (behind.is_empty() || reader.eat_any(behind)) && reader.ends();
    is_over.then(|| paths.into_iter().map(Limit::NotPath).collect())
}

/// `Read-only.`, `Read-only, ...`, `Read-only review of ...`.
fn is_read_only(reader: &mut Reader<'_>) -> bool {
    let is_joined = reader.eat("read-only");
    let is_task =
        |reader: &mut Reader<'_>| reader.eat_any(TASKS) && (reader.is_at_end() || reader.eat("of"));
    (is_joined || reader.eat("read only")) && (reader.is_at_end() || (is_joined && is_task(reader)))
}

/// `only edit X`, `edit only X`, `edit X only`, `change nothing but X`.
fn only(reader: &mut Reader<'_>) -> Option<Limit> {
    let mut is_said = reader.eat("only");
    reader.verb().filter(|verb| *verb == Verb::Change)?;
    reader.at += 1;
    if !is_said && reader.eat("nothing") {
        // "Fix X. Change nothing else." says nothing about X.
        let is_else = reader.eat("else");
        is_said = reader.eat_any(EXCEPT);
        if !is_said {
            return (!is_else && reader.ends()).then_some(Limit::NoChanges);
        }
    }
    is_said |= reader.eat("only");
    let paths = reader.paths()?;
    is_said |= reader.eat("only");
    (is_said && reader.ends()).then_some(Limit::OnlyPaths(paths))
}

/// Nouns behind `no`.
const NOUNS: &[(&str, Verb)] = &[
    ("prs|pull requests|merge requests", Verb::Open),
    ("commits|committing", Verb::Commit),
    ("pushes|pushing", Verb::Push),
    ("stashing", Verb::Stash),
    ("edits|file edits|file changes", Verb::Change),
];

/// `no commits`, `no pushes or pull requests`, `no new dependencies`, `no changes in src/`.
fn no_nouns(reader: &mut Reader<'_>) -> Option<Vec<Limit>> {
    if reader.eat_any("changes to|changes in|edits to|edits in") {
        return not_paths(reader, "");
    }
    let mut limits = vec![noun(reader)?];
    loop {
        let end = reader.at;
        let is_joined = reader.eat_comma() | reader.eat_any("and|or|nor") | reader.eat("no");
        let Some(limit) = noun(reader).filter(|_| is_joined) else {
            reader.at = end;
            return Some(limits);
        };
        limits.push(limit);
    }
}

fn noun(reader: &mut Reader<'_>) -> Option<Limit> {
    let is_new = reader.eat_any("new|additional|extra");
    reader.eat_any(ECOSYSTEMS);
    let verb = if is_new && reader.eat_any(PACKAGES) {
        Verb::Add
    } else {
        NOUNS.iter().find(|(nouns, _)| reader.eat_any(nouns))?.1
    };
    // Without trailing words: "no commits yet" describes the repository.
    let is_over = reader.is_at_end() || is_listed(reader.lower(), "and|or|nor|but|please");
    is_over.then(|| verb.on_anything())
}
