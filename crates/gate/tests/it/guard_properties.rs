//! Tests properties of all command lines that rules approve.

use verger_gate::permission::{Ground, Rules, Triage, built_in, judge};
use verger_testkit::{Label, Part, labelled_commands};

const GROUND: Ground<'static> = Ground {
    cwd: Some("/home/dev/app"),
    home: Some("/home/dev"),
    root: Some("/home/dev/app"),
    own: &[],
    links: &[],
};

/// Commands that no rule approves.
const OTHERS: [&str; 6] = ["./x", "rm a", "curl example.com", "\"$X\"", "cat .env", "uniq a b"];

fn is_approved(line: &str) -> bool {
    judge(&verger_shell::read(line), &GROUND, &Rules::default()).triage == Triage::Allow
}

/// Command lines that are approved: from the labelled commands, and from the examples of the rules.
fn approved() -> Vec<String> {
    let labelled = labelled_commands(Part::Tune).into_iter();
    let labelled = labelled.filter(|one| one.label == Label::Safe).map(|one| one.command);
    let rules = built_in().filter(|rule| rule.ruling.approves());
    let examples = rules.flat_map(|rule| rule.matches.iter().map(|line| (*line).to_owned()));
    let lines: Vec<String> = labelled.chain(examples).filter(|line| is_approved(line)).collect();
    assert!(lines.len() > 500, "{}", lines.len());
    lines
}

/// Whether more commands can be added to the end of the command line. A comment or a here-document
/// at its end would include them.
fn is_open(line: &str) -> bool {
    !line.contains(['#', '\n']) && !line.contains("<<")
}

fn assert_none_approved(lines: impl Iterator<Item = String>) {
    let wrong: Vec<String> = lines.filter(|line| is_approved(line)).collect();
    assert!(wrong.is_empty(), "{} approved:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn no_approval_outlives_a_command_beside_it_that_no_rule_approves() {
    let approved = approved();
    // Each command line is combined with only one of `OTHERS`, because all combinations would take
    // minutes.
    let pairs = approved.iter().zip(OTHERS.iter().cycle()).step_by(5);
    let joined = pairs.flat_map(|(line, other)| {
        let before = [
            format!("{other}; {line}"),
            format!("{other}\n{line}"),
            format!("echo \"$({other})\"; {line}"),
            format!("x=`{other}`; {line}"),
        ];
        let after = [
            format!("{line}; {other}"),
            format!("{line} && {other}"),
            format!("{line} || {other}"),
            format!("{line} | {other}"),
            format!("{line} & {other}"),
            format!("({line}; {other})"),
            format!("if {line}; then {other}; fi"),
            format!("{line} $({other})"),
        ];
        let after = after.into_iter().filter(|_| is_open(line));
        before.into_iter().chain(after).chain([format!("{line}\n{other}")])
    });
    let is_read = |line: &String| !line.contains("<<");
    assert_none_approved(joined.filter(is_read));
}

#[test]
fn no_approval_outlives_a_redirect_to_a_file() {
    let approved = approved();
    let open = approved.iter().filter(|line| is_open(line));
    assert_none_approved(open.flat_map(|line| {
        [
            format!("{line} > out.txt"),
            format!("{line} >> ~/.bashrc"),
            format!("{line} 2> err.txt"),
            format!("({line}) &> out.txt"),
            format!("> out.txt {line}"),
            format!("{{ {line}; }} >| \"$X\""),
        ]
    }));
}

#[test]
fn no_approval_outlives_an_option_that_is_not_known() {
    let rules = built_in().filter(|rule| rule.ruling.approves() && rule.options != "*");
    let examples = rules.flat_map(|rule| rule.matches.iter().map(|line| (*line).to_owned()));
    let plain = examples.filter(|line| {
        let script = verger_shell::read(line);
        // In these command lines, an added option would be printed text or a part of a condition.
        let is_said =
            line.starts_with("printf") || line.starts_with('[') || line.starts_with("basename");
        script.commands.len() == 1 && is_open(line) && !is_said && !line.contains(" -- ")
    });
    assert_none_approved(plain.map(|line| format!("{line} --never-heard-of")));
}

#[test]
fn no_approval_outlives_a_variable_that_changes_what_runs() {
    let approved = approved();
    let plain = approved.iter().filter(|line| verger_shell::read(line).commands.len() == 1);
    assert_none_approved(plain.flat_map(|line| {
        ["PATH=.", "LD_PRELOAD=./x", "GIT_PAGER=x", "BASH_ENV=x", "A[0]=x", "NODE_OPTIONS=x"]
            .map(|set| format!("{set} {line}"))
    }));
}
