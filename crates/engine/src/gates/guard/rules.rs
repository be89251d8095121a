//! Loads the guard rules of the user and of the project from disk.
//!
//! The rules' examples are parsed but not checked, because that takes too long for a hook call.
//! `verger guard rules --check` checks them.

use std::collections::HashSet;
use std::path::Path;
use std::sync::Arc;

use crate::Home;
use verger_config::{
    MAX_PROBLEMS, MAX_RULE_FILE_BYTES, Place, Problem, ProblemKind, RuleKey, RuleTable, Source,
    near, read_rules,
};
use verger_gate::permission::{Operands, Part, Rule, Ruling, built_in};
use verger_worktree::Surroundings;

use crate::bounded_file::read_beyond;

/// The loaded rules, and the problems in their files.
#[derive(Debug, Default)]
pub struct LoadedRules {
    /// The user's rules.
    pub user: Vec<GuardRule>,
    /// The project's rules. They can't approve a call.
    pub project: Vec<GuardRule>,
    /// Problems with ignored rules and unreadable files.
    pub problems: Vec<Problem>,
}

/// A rule from a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GuardRule {
    /// The table, as it is in the file.
    pub table: RuleTable,
    ruling: Ruling,
    operands: Operands,
}

impl GuardRule {
    /// The rule, without its examples.
    pub fn rule(&self) -> Rule<'_> {
        rule_of(&self.table, self.ruling, self.operands)
    }
}

impl LoadedRules {
    /// The user's rules, for [`verger_gate::permission::Rules`].
    pub fn user(&self) -> Vec<Rule<'_>> {
        self.user.iter().map(GuardRule::rule).collect()
    }

    /// The project's rules, for [`verger_gate::permission::Rules`].
    pub fn project(&self) -> Vec<Rule<'_>> {
        self.project.iter().map(GuardRule::rule).collect()
    }
}

/// The owner of a file of rules.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Owner {
    User,
    Project,
}

/// Reads the user's rules and those of the project.
pub(crate) fn load_guard_rules(home: &Home, surroundings: &Surroundings) -> LoadedRules {
    let mut problems = Vec::new();
    let user = rules_of(&home.guard_file(), Owner::User, &mut problems);
    let project = match surroundings.project_file("guard.toml") {
        Ok(path) => {
            path.map(|path| rules_of(&path, Owner::Project, &mut problems)).unwrap_or_default()
        }
        Err(refused) => {
            problems.push(unreadable("the project's guard.toml", refused.to_string()));
            Vec::new()
        }
    };
    LoadedRules { user, project, problems }
}

fn unreadable(file: &str, reason: String) -> Problem {
    Problem { place: Place::File { file: file.into() }, kind: ProblemKind::Unreadable { reason } }
}

fn rules_of(path: &Path, owner: Owner, problems: &mut Vec<Problem>) -> Vec<GuardRule> {
    let file: Arc<str> = path.display().to_string().into();
    let bytes = match read_beyond(MAX_RULE_FILE_BYTES, path) {
        Ok(Some(bytes)) => bytes,
        Ok(None) => return Vec::new(),
        Err(error) => {
            problems.push(unreadable(&file, error.to_string()));
            return Vec::new();
        }
    };
    let (tables, found) = read_rules(Source { file: &file, bytes: &bytes });
    problems.extend(found);
    let taken: HashSet<_> = built_in().map(|rule| rule.name).collect();
    let mut rules = Vec::with_capacity(tables.len());
    for table in tables {
        match meaning(&table, owner, &taken) {
            Ok((ruling, operands)) => rules.push(GuardRule { table, ruling, operands }),
            Err((key, fault)) => problems.push(table.problem(&file, key, fault)),
        }
    }
    if problems.len() > MAX_PROBLEMS {
        let rest = problems.split_off(MAX_PROBLEMS);
        let kind = ProblemKind::NotListed { count: rest.len() };
        problems.extend(rest.into_iter().next().map(|first| Problem { kind, ..first }));
    }
    rules
}

type Misplaced = (Option<RuleKey>, ProblemKind);

/// Parses a table's texts. The error names the fault and its location.
fn meaning(
    table: &RuleTable,
    owner: Owner,
    taken: &HashSet<&str>,
) -> Result<(Ruling, Operands), Misplaced> {
    let ruling = Ruling::parse(table.text(RuleKey::Verdict))
        .ok_or_else(|| bad_word(table, RuleKey::Verdict, &Ruling::words().collect::<Vec<_>>()))?;
    let operands = match table.text(RuleKey::Operands) {
        "" => Operands::None,
        word => Operands::parse(word).ok_or_else(|| {
            bad_word(table, RuleKey::Operands, &Operands::words().collect::<Vec<_>>())
        })?,
    };
    if owner == Owner::Project && ruling.approves() {
        return Err((Some(RuleKey::Verdict), ProblemKind::ApprovesInProject));
    }
    if taken.contains(table.name.as_str()) {
        return Err((None, ProblemKind::BuiltInName));
    }
    match rule_of(table, ruling, operands).fault() {
        None => Ok((ruling, operands)),
        Some(fault) => {
            let (key, reason) = (key_of(fault.part()), fault.to_string());
            Err((Some(key), ProblemKind::BadRuleText { key: key.name(), reason }))
        }
    }
}

fn bad_word(table: &RuleTable, key: RuleKey, expected: &[&'static str]) -> Misplaced {
    let nearest = near(table.text(key), expected.iter().copied(), |word| word).first().copied();
    let (found, expected) = ("another text".to_owned(), expected.join(", "));
    let key_name = key.name().to_owned();
    (Some(key), ProblemKind::BadValue { key: key_name, expected, found, nearest })
}

fn rule_of(table: &RuleTable, ruling: Ruling, operands: Operands) -> Rule<'_> {
    let text = |key| table.text(key);
    let why = match text(RuleKey::Why) {
        "" if ruling.approves() => "a rule of the user approves it",
        "" => "a rule of the user or the project rejects it",
        why => why,
    };
    Rule {
        name: &table.name,
        ruling,
        command: text(RuleKey::Command),
        with: text(RuleKey::With),
        options: text(RuleKey::Options),
        operands,
        defined_in: text(RuleKey::DefinedIn),
        why,
        instead: text(RuleKey::Instead),
        matches: &[],
        not_matches: &[],
    }
}

fn key_of(part: Part) -> RuleKey {
    match part {
        Part::Command => RuleKey::Command,
        Part::With => RuleKey::With,
        Part::Options => RuleKey::Options,
        Part::Operands => RuleKey::Operands,
        Part::DefinedIn => RuleKey::DefinedIn,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, owner: Owner) -> (Vec<String>, Vec<String>) {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("guard.toml");
        std::fs::write(&path, text).unwrap();
        let mut problems = Vec::new();
        let rules = rules_of(&path, owner, &mut problems);
        let name = |rule: &GuardRule| format!("{} {}", rule.rule().name, rule.ruling.word());
        let folder = directory.path().display().to_string() + "/";
        let text = |problem: &Problem| problem.to_string().replace(&folder, "");
        (rules.iter().map(name).collect(), problems.iter().map(text).collect())
    }

    fn rule(name: &str, verdict: &str, more: &str) -> String {
        format!(
            "[[rule]]\nname = \"{name}\"\nverdict = \"{verdict}\"\ncommand = \"x\"\nmatch = [\"x\"]\n{more}\n"
        )
    }

    #[test]
    fn a_users_rule_that_means_nothing_is_left_out_and_named() {
        let text = [
            rule("a", "allow", "operands = \"at-most-2\""),
            rule("b", "alow", ""),
            rule("c", "build", "operands = \"file\""),
            rule("d", "deny", "with = \"-f <hom>\""),
            rule("git-reset-hard", "deny", ""),
            rule("e", "risky", ""),
            rule("f", "floor", ""),
        ]
        .concat();
        let (rules, problems) = read(&text, Owner::User);
        assert_eq!(rules, ["a allow", "e risky"]);
        insta::assert_snapshot!(problems.join("\n"), @r#"
        guard.toml:9:1: rule "b" is ignored: bad value for "verdict": expected allow, build, risky, deny, found another text; did you mean "allow"?
        guard.toml:18:1: rule "c" is ignored: bad value for "operands": expected none, words, files, one-file, names, inside, pattern-then-files, revisions, command, sed-script, awk-program, at-most-1, found another text; did you mean "files"?
        guard.toml:24:1: rule "d" is ignored: "with": unknown class of paths <hom>; known classes: root, home, git, project, outside, outside-tree, output, output-name, temporary, source, tree, everything, sources, system-file, startup, file, device, secret, own, own-folder, own-tree, git-runs, hidden, anywhere, url, pattern, sql
        guard.toml:25:1: rule "git-reset-hard" is ignored: a built-in rule has the same name
        guard.toml:39:1: rule "f" is ignored: bad value for "verdict": expected allow, build, risky, deny, found another text
        "#);
    }

    #[test]
    fn a_projects_rule_can_only_tighten() {
        let text = ["allow", "build", "risky", "deny"].map(|word| rule(word, word, "")).concat();
        let (rules, problems) = read(&text, Owner::Project);
        assert_eq!(rules, ["risky risky", "deny deny"]);
        insta::assert_snapshot!(problems.join("\n"), @r#"
        guard.toml:3:1: rule "allow" is ignored: a project's rules can only be risky or deny; put it into your own guard.toml
        guard.toml:9:1: rule "build" is ignored: a project's rules can only be risky or deny; put it into your own guard.toml
        "#);
    }

    #[test]
    fn many_rules_without_meaning_give_few_problems() {
        let text: String = (0..1000).map(|n| rule(&format!("r{n}"), "no", "")).collect();
        let (rules, problems) = read(&text, Owner::User);
        assert_eq!(rules, [""; 0]);
        assert_eq!(problems.len(), MAX_PROBLEMS + 1);
        assert_eq!(problems[MAX_PROBLEMS], "guard.toml:387:1: 936 more problems are not listed");
    }
}
