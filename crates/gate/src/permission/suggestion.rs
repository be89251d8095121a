//! Suggests rules for commands that a person often approved. The rules are as narrow as possible.

use std::collections::{BTreeMap, BTreeSet};

use verger_shell::{Command, Inside, Place, Word, read};

use super::examples::{GROUND, failed_examples};
use super::judge::{Rules, judge};
use super::judgement::Triage;
use super::operands::Operands;
use super::rule::Rule;
use super::tables::built_in;

/// The minimum number of approvals for which a rule is suggested.
const LEAST_TIMES: usize = 3;

const MAX_EXAMPLES: usize = 4;

/// Programs whose operands are programs, directories or machines. No rule for them is suggested,
/// because it would not be narrow enough.
const NEVER: &[&str] = &[
    "ansible",
    "aws",
    "az",
    "bash",
    "bun",
    "curl",
    "deno",
    "docker",
    "expect",
    "gcloud",
    "helm",
    "http",
    "kubectl",
    "lua",
    "nc",
    "node",
    "perl",
    "php",
    "podman",
    "psql",
    "python",
    "python3",
    "rsync",
    "ruby",
    "scp",
    "sh",
    "socat",
    "source",
    "sqlite3",
    "ssh",
    "sudo",
    "telnet",
    "terraform",
    "verger",
    "wget",
    "zsh",
];

/// A rule that is suggested to the person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Suggestion {
    name: String,
    command: String,
    options: String,
    operands: Operands,
    /// Examples of commands that a person approved and the rule matches.
    pub matches: Vec<String>,
    /// Examples of commands that the rule doesn't match.
    pub not_matches: Vec<String>,
    /// The number of times that a person approved such a command.
    pub times: usize,
}

impl Suggestion {
    /// The suggested rule, without its examples.
    pub fn rule(&self) -> Rule<'_> {
        let why = "you approved it several times";
        Rule { why, ..Rule::allow(&self.name, &self.command, &self.options, self.operands) }
    }
}

/// Rules that match these approved command lines. The rule with the most approvals comes first.
pub fn suggestions<'a>(
    approved: impl IntoIterator<Item = &'a str>,
    rules: &Rules<'_>,
) -> Vec<Suggestion> {
    let mut kinds: BTreeMap<Vec<String>, Kind> = BTreeMap::new();
    for line in approved {
        for command in unknown_commands(line, rules) {
            if let Some(start) = start_of(&command) {
                kinds.entry(start.clone()).or_default().add(&command[start.len()..], &command);
            }
        }
    }
    let often = kinds.into_iter().filter(|(_, kind)| kind.times >= LEAST_TIMES);
    let mut suggested: Vec<_> = often.map(|(start, kind)| kind.suggestion(&start, rules)).collect();
    suggested.retain(|suggestion| is_sound(suggestion, rules));
    suggested.sort_by_key(|suggestion| std::cmp::Reverse(suggestion.times));
    suggested
}

/// The commands of a command line that no rule matches. Empty if another finding is against the
/// command line.
fn unknown_commands(line: &str, rules: &Rules<'_>) -> Vec<Vec<String>> {
    let script = read(line);
    let judgement = judge(&script, &GROUND, rules);
    let mut unknown = Vec::new();
    for finding in judgement.findings {
        match (finding.triage, finding.command) {
            (Triage::Allow, _) => {}
            (Triage::Unknown, Some(index)) if finding.rule == "no-rule" => {
                match script.commands.get(index).and_then(plain_words) {
                    Some(words) => unknown.push(words),
                    None => return Vec::new(),
                }
            }
            _ => return Vec::new(),
        }
    }
    unknown
}

fn plain_words(command: &Command) -> Option<Vec<String>> {
    let is_plain = command.place == Place::Line
        && command.inside == Inside::Nothing
        && command.assignments.is_empty()
        && command.redirects.is_empty();
    let words = command.argv.iter().map(|word| match word {
        Word::Literal(text) => Some(text.clone()),
        Word::Dynamic(_) | Word::Spread(_) => None,
    });
    words.collect::<Option<Vec<_>>>().filter(|_| is_plain)
}

/// The words for the program and its subcommand. `None` if no rule for the program would be narrow.
fn start_of(words: &[String]) -> Option<Vec<String>> {
    let program = words.first()?;
    let is_word = |word: &str| {
        word.starts_with(|first: char| first.is_ascii_lowercase())
            && word.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-')
    };
    let second = words.get(1).filter(|word| is_word(word));
    let is_warned_of = built_in().filter(|rule| !rule.ruling.approves()).any(|rule| {
        let mut parts = rule.command.split_whitespace();
        let has = |part: Option<&str>, word: Option<&String>| match (part, word) {
            (Some(part), Some(word)) => part.split('|').any(|part| part == word),
            _ => true,
        };
        has(parts.next(), Some(program)) && has(parts.next(), second)
    });
    if !is_word(program) || NEVER.contains(&program.as_str()) || is_warned_of {
        return None;
    }
    Some([program].into_iter().chain(second).cloned().collect())
}

/// The approved commands with the same program and subcommand.
#[derive(Default)]
struct Kind {
    times: usize,
    options: BTreeSet<String>,
    operands: usize,
    examples: BTreeSet<String>,
}

impl Kind {
    fn add(&mut self, rest: &[String], whole: &[String]) {
        self.times += 1;
        for word in rest {
            match word.split_once('=') {
                Some((name, _)) if word.starts_with("--") => {
                    self.options.insert(format!("{name}="));
                }
                _ if word.starts_with('-') && word.len() > 1 => {
                    self.options.insert(word.clone());
                }
                _ => self.operands += 1,
            }
        }
        if self.examples.len() < MAX_EXAMPLES {
            let words: Vec<_> = whole.iter().map(|word| quoted(word)).collect();
            self.examples.insert(words.join(" "));
        }
    }

    fn suggestion(self, start: &[String], rules: &Rules<'_>) -> Suggestion {
        let command = start.join(" ");
        let operands = if self.operands == 0 { Operands::None } else { Operands::Files };
        let secret_or_other = match operands {
            Operands::None => format!("{command} something-else"),
            _ => format!("{command} ~/.ssh/id_ed25519"),
        };
        let mut name = start.join("-");
        let taken = |name: &str| {
            let of_files = rules.user.iter().chain(rules.project).copied();
            built_in().chain(of_files).any(|rule| rule.name == name)
        };
        while taken(&name) {
            name.push_str("-too");
        }
        Suggestion {
            name,
            options: self.options.into_iter().collect::<Vec<_>>().join(" "),
            operands,
            matches: self.examples.into_iter().collect(),
            not_matches: vec![format!("{command} --never-seen"), secret_or_other],
            times: self.times,
            command,
        }
    }
}

/// Whether the rule matches all its examples and none of its counterexamples.
fn is_sound(suggestion: &Suggestion, rules: &Rules<'_>) -> bool {
    let rule = suggestion.rule();
    let user: Vec<_> = rules.user.iter().copied().chain([rule]).collect();
    let rules = Rules { user: &user, ..*rules };
    let matches = suggestion.matches.iter().map(String::as_str);
    let not_matches = suggestion.not_matches.iter().map(String::as_str);
    rule.fault().is_none() && failed_examples(&rule, &rules, matches, not_matches).is_empty()
}

fn quoted(word: &str) -> String {
    let is_plain =
        !word.is_empty() && word.chars().all(|c| c.is_alphanumeric() || "-_./=:,@+%".contains(c));
    if is_plain { word.to_owned() } else { format!("'{}'", word.replace('\'', "'\\''")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn suggested(lines: &[&str]) -> Vec<String> {
        let shown = |suggestion: &Suggestion| {
            let Suggestion { command, options, operands, matches, not_matches, times, .. } =
                suggestion;
            format!(
                "{times}x {}: {command} [{options}] {operands}; {}; not {}",
                suggestion.rule().name,
                matches.join(", "),
                not_matches.join(", ")
            )
        };
        suggestions(lines.iter().copied(), &Rules::default()).iter().map(shown).collect()
    }

    #[test]
    fn three_approvals_suggest_a_narrow_rule() {
        let lines =
            ["frobnit ./a", "frobnit --sort=code ./a", "cd app && frobnit './a b'", "frobnit ./a"];
        assert_eq!(
            suggested(&lines),
            [
                "4x frobnit: frobnit [--sort=] files; frobnit './a b', frobnit --sort=code ./a, frobnit ./a; \
              not frobnit --never-seen, frobnit ~/.ssh/id_ed25519"
            ]
        );
        assert_eq!(
            suggested(&["frob fmt", "frob fmt", "frob fmt", "frob lint"]),
            [
                "3x frob-fmt: frob fmt [] none; frob fmt; not frob fmt --never-seen, frob fmt something-else"
            ]
        );
    }

    #[test]
    fn commands_without_a_narrow_rule_are_not_suggested() {
        for line in [
            "python3 x.py",
            "sudo frobnit",
            "./frobnit src",
            "frobnit $X",
            "frobnit > out",
            "A=b frobnit",
            "git reset --keep",
            "rm -rf src",
            "rm notes.txt",
            "ls",
            "cat .env",
            "frobnit; $X",
            "frobnit 'open",
            "",
        ] {
            assert_eq!(suggested(&[line; 5]), [""; 0], "{line}");
        }
    }
}
