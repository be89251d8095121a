//! Tests of every habit with its own examples, and of rewritten command lines.

use proptest::prelude::*;
use verger_shell::{Command, Script, Word, read};

use super::*;
use crate::permission::Ground;

/// The directories of the examples: a project in a home directory. Another checkout is beside it.
pub(super) const GROUND: Ground<'static> = Ground {
    cwd: Some("/home/dev/app"),
    home: Some("/home/dev"),
    root: Some("/home/dev/app"),
    own: &[],
    links: &[],
};

const SIGNATURES: Signatures<'static> = Signatures {
    products: &["aider", "claude code", "claude opus", "copilot"],
    names: &["claude", "codex"],
    addresses: &["noreply@anthropic.com", "*@aider.chat"],
    links: &["claude.ai/code"],
};

struct Fixed;

impl Surroundings for Fixed {
    fn branch(&self, directory: &str) -> Option<String> {
        Some(if directory.starts_with("/home/dev/stable") { "main" } else { "topic" }.to_owned())
    }

    fn is_top(&self, directory: &str) -> bool {
        matches!(directory, "/home/dev/app" | "/home/dev/stable")
    }

    fn is_installed(&self, _: &str) -> bool {
        true
    }
}

fn scene(script: &Script) -> Scene<'_> {
    Scene {
        script,
        ground: &GROUND,
        caller: Caller::Subagent,
        signatures: &SIGNATURES,
        surroundings: &Fixed,
    }
}

fn only(habit: Habit, mode: Mode) -> Policy {
    let mut policy = Policy::default();
    policy.modes[habit as usize] = mode;
    policy
}

fn found(habit: Habit, line: &str) -> Option<Found> {
    let script = read(line);
    let mut found = look(&scene(&script), &only(habit, Mode::Advise));
    assert!(found.len() < 2, "{line}: {found:?}");
    found.pop()
}

fn shows(habit: Habit, line: &str) -> bool {
    if habit == Habit::StagedSecrets {
        return !commits(&scene(&read(line))).is_empty();
    }
    found(habit, line).is_some()
}

#[test]
fn every_habit_is_in_its_examples_and_in_nothing_else() {
    let mut wrong = vec![];
    for habit in Habit::ALL {
        let About { matches, not_matches, .. } = *habit.about();
        assert!(!matches.is_empty() && !not_matches.is_empty(), "{habit}");
        wrong.extend(matches.iter().filter(|line| !shows(habit, line)).map(|l| (habit, true, *l)));
        let others = not_matches.iter().filter(|line| shows(habit, line));
        wrong.extend(others.map(|line| (habit, false, *line)));
    }
    assert_eq!(wrong, [], "habit, whether it should be there, line");
}

#[test]
fn a_habit_has_the_place_of_its_name() {
    for (at, habit) in Habit::ALL.into_iter().enumerate() {
        assert_eq!(habit as usize, at);
        assert_eq!(format!("habits.{}", habit.about().name.replace('-', "_")), habit.about().key);
    }
}

#[test]
fn a_habit_that_is_off_is_not_searched() {
    let script = read("git add -A && git push -f origin main");
    assert_eq!(look(&scene(&script), &Policy::default()), []);
    assert!(Policy::default().is_off());
}

#[test]
fn only_subagents_are_kept_from_building_everything() {
    let script = read("cargo test --workspace");
    let policy = only(Habit::SubagentBuilds, Mode::Deny);
    let main = Scene { caller: Caller::Main, ..scene(&script) };
    assert_eq!(look(&main, &policy), []);
    assert_eq!(look(&scene(&script), &policy).len(), 1);
}

#[test]
fn the_line_shows_the_content_of_a_commit() {
    let scope = |paths: &[&str], untracked| Scope {
        paths: paths.iter().map(ToString::to_string).collect(),
        untracked,
    };
    for (line, directory, taken) in [
        ("git commit -m x", "/home/dev/app", vec![]),
        ("git commit -am x", "/home/dev/app", vec![scope(&[], false)]),
        ("git commit -m x a b", "/home/dev/app", vec![scope(&["a", "b"], false)]),
        ("git add a *.rs && git commit", "/home/dev/app", vec![scope(&["a", "*.rs"], true)]),
        ("git add -u && git commit", "/home/dev/app", vec![scope(&[], false)]),
        ("git add . && git commit", "/home/dev/app", vec![scope(&[], true)]),
        ("git add $x && git commit", "/home/dev/app", vec![scope(&[], true)]),
        ("cd src && git add . && git commit", "/home/dev/app/src", vec![scope(&["."], true)]),
        ("git commit && git add a", "/home/dev/app", vec![]),
        ("git add a && git -C ../stable commit", "/home/dev/stable", vec![]),
        ("git add -n a && git commit", "/home/dev/app", vec![]),
    ] {
        let commit = Commit { directory: directory.to_owned(), taken };
        assert_eq!(commits(&scene(&read(line))), [commit], "{line}");
    }
}

#[track_caller]
fn rewrite(habit: Habit, line: &str) -> Option<String> {
    let found = found(habit, line).unwrap_or_else(|| panic!("not found: {line}"));
    match found.remedy {
        Remedy::Edits(edits) => Some(rewritten(&read(line), &edits).expect(line)),
        Remedy::None | Remedy::Unsure => None,
    }
}

#[test]
fn the_outcome_depends_on_the_mode_and_the_remedy() {
    let edits = Remedy::Edits(vec![]);
    for (mode, remedy, can_rewrite, expected) in [
        (Mode::Off, &edits, true, None),
        (Mode::Advise, &edits, true, Some(Outcome::Advised)),
        (Mode::Rewrite, &edits, true, Some(Outcome::Rewritten)),
        (Mode::Rewrite, &edits, false, Some(Outcome::Denied)),
        (Mode::Rewrite, &Remedy::Unsure, true, Some(Outcome::NotRewritten)),
        (Mode::Rewrite, &Remedy::None, true, Some(Outcome::Denied)),
        (Mode::Deny, &edits, true, Some(Outcome::Denied)),
    ] {
        let policy = only(Habit::DraftPr, mode);
        assert_eq!(policy.outcome(Habit::DraftPr, remedy, can_rewrite), expected, "{mode:?}");
    }
}

#[test]
fn a_signed_message_is_unsigned_and_nothing_else_changes() {
    for (line, expected) in [
        ("git commit -m 'Fix\n\nCo-Authored-By: aider'", Some("git commit -m 'Fix'")),
        (
            "git commit -m \"Fix \\\"it\\\"\n\nWhy\n\nCo-Authored-By: aider\n\"",
            Some("git commit -m \"Fix \\\"it\\\"\n\nWhy\n\""),
        ),
        (
            "git commit -m \"Bump $V\n\nCo-Authored-By: aider\" # why",
            Some("git commit -m \"Bump $V\" # why"),
        ),
        ("git commit -m $'Fix\\n\\nCo-Authored-By: aider' -q", Some("git commit -m $'Fix' -q")),
        ("git commit -m'修正\n\nCo-Authored-By: aider'  && ls", Some("git commit -m'修正'  && ls")),
        (
            "git commit --message=\"a\nGenerated with aider\nb\"",
            Some("git commit --message=\"a\nb\""),
        ),
        ("git commit -m Fix -m 'Co-Authored-By: aider' -q", Some("git commit -m Fix -q")),
        ("git commit -m Fix \\\n  -m 'Co-Authored-By: aider'", Some("git commit -m Fix \\\n  ")),
        ("git commit --trailer 'Co-Authored-By: aider' -m Fix", Some("git commit -m Fix")),
        ("git commit --trailer='Co-Authored-By: aider' -m Fix", Some("git commit -m Fix")),
        (
            "git add a && sudo git commit -F - <<'E' && ls\nFix\n\nCo-Authored-By: aider\nE\n",
            Some("git add a && sudo git commit -F - <<'E' && ls\nFix\nE\n"),
        ),
        (
            "git commit -F - <<-E\n\tFix\n\n\tCo-Authored-By: aider\n\tE\n",
            Some("git commit -F - <<-E\n\tFix\n\tE\n"),
        ),
        (
            "git commit -m \"$(cat <<'EOF'\nFix `it`\n\n🤖 Generated with aider\n\nCo-Authored-By: aider\nEOF\n)\" && git status",
            Some("git commit -m \"$(cat <<'EOF'\nFix `it`\nEOF\n)\" && git status"),
        ),
        (
            "cat <<'E' | git commit -F -\nFix\n\nCo-Authored-By: aider\nE\n",
            Some("cat <<'E' | git commit -F -\nFix\nE\n"),
        ),
        (
            "echo 'Fix\n\nCo-Authored-By: aider' | git commit -F -",
            Some("echo 'Fix' | git commit -F -"),
        ),
        (
            "cat > m <<'E'\nFix\nCo-Authored-By: aider\nE\ngit commit -F m",
            Some("cat > m <<'E'\nFix\nE\ngit commit -F m"),
        ),
        (
            "gh pr create --body 'Generated with aider' --fill",
            Some("gh pr create --body '' --fill"),
        ),
        (
            "gh pr create --body=\"$(cat <<'E'\nWhat\n\nCo-Authored-By: aider\nE\n)\"",
            Some("gh pr create --body=\"$(cat <<'E'\nWhat\nE\n)\""),
        ),
        // `None` means that the message isn't rewritten, because a correct rewrite isn't certain.
        ("git commit -m 'Co-Authored-By: aider'", None),
        ("git commit -am Fix -m\"Co-Authored-By: aider\n\"", Some("git commit -am Fix")),
        ("git commit -qm 'Co-Authored-By: aider' -m Fix", None),
        ("git commit -m \"Fix $(date)\n\nCo-Authored-By: aider\"", None),
        ("git commit -m \"$(cat <<E\nFix $x\n\nCo-Authored-By: aider\nE\n)\"", None),
        ("git commit -m \"$(cat x - <<'E'\nFix\n\nCo-Authored-By: aider\nE\n)\"", None),
        ("git commit -m \"$(sed s/a/b/ <<'E'\nFix\n\nCo-Authored-By: aider\nE\n)\"", None),
        ("git commit -m $(cat <<'E'\nFix\n\nCo-Authored-By: aider\nE\n)", None),
        ("git commit -m 'Fix\n\nCo-Auth'\"ored-By: aider\"", None),
        ("git commit -m $'Fix \\xe9\\n\\nCo-Authored-By: aider'", None),
        ("m='Fix\n\nCo-Authored-By: aider'; git commit -m \"$m\"", None),
        ("bash -c 'git commit -m \"Fix\n\nCo-Authored-By: aider\"'", None),
        ("printf 'Fix\\n\\nCo-Authored-By: aider' | git commit -F -", None),
        ("git commit -F - <<< 'Fix\n\nCo-Authored-By: aider'", None),
        ("git commit -m `echo Fix` -m 'Co-Authored-By: aider'", None),
        ("v=1; git commit -m \"Bump $v\n\nCo-Authored-By: aider\"", None),
    ] {
        assert_eq!(rewrite(Habit::Attribution, line).as_deref(), expected, "{line}");
    }
}

#[test]
fn a_pull_request_becomes_a_draft() {
    for (line, expected) in [
        ("gh pr create --fill", Some("gh pr create --draft --fill")),
        ("gh -R a/b pr new -t 'a b' # x", Some("gh -R a/b pr new --draft -t 'a b' # x")),
        ("env A=1 gh pr create", Some("env A=1 gh pr create --draft")),
        (
            "gh pr create --fill; gh pr create -B x",
            Some("gh pr create --draft --fill; gh pr create --draft -B x"),
        ),
        ("gh pr create --draft=false", None),
        ("sh -c 'gh pr create'", None),
        ("gh pr ready 5", None),
    ] {
        assert_eq!(rewrite(Habit::DraftPr, line).as_deref(), expected, "{line}");
    }
}

#[test]
fn two_changes_of_one_line_go_together() {
    let line = "gh pr create --fill --body 'What\n\nCo-Authored-By: aider'";
    let script = read(line);
    let mut policy = only(Habit::DraftPr, Mode::Rewrite);
    policy.modes[Habit::Attribution as usize] = Mode::Rewrite;
    let found = look(&scene(&script), &policy);
    let edits: Vec<_> = found
        .into_iter()
        .flat_map(|found| match found.remedy {
            Remedy::Edits(edits) => edits,
            Remedy::None | Remedy::Unsure => panic!("{found:?}"),
        })
        .collect();
    let expected = "gh pr create --draft --fill --body 'What'";
    assert_eq!(rewritten(&script, &edits).as_deref(), Some(expected));
}

#[test]
fn changes_that_would_make_another_line_are_refused() {
    let line = "echo 'a b' c; ls";
    let edit = |range, insert| Edit { range, insert };
    for (edits, expected) in [
        (vec![edit(6..8, "")], Some("echo 'b' c; ls")),
        (vec![edit(5..6, "")], None),
        (vec![edit(5..8, ""), edit(7..9, "")], None),
        (vec![edit(12..13, "")], None),
        (vec![edit(0..0, "x=1 ")], None),
        (vec![edit(11..12, " | sh")], None),
        (vec![edit(99..100, "")], None),
    ] {
        assert_eq!(rewritten(&read(line), &edits).as_deref(), expected, "{edits:?}");
    }
}

#[test]
fn signatures_are_found_by_name_and_address() {
    for (line, expected) in [
        ("Co-Authored-By: Claude <noreply@anthropic.com>", true),
        ("co-authored-by: claude <NOREPLY@anthropic.com>", true),
        ("Co-Authored-By: Claude Opus 4.8 (1M context) <noreply@anthropic.com>", true),
        ("Co-authored-by: Copilot <198982749+Copilot@users.noreply.github.com>", true),
        ("Signed-off-by: Claude Code", true),
        ("Assisted-by: Claude", true),
        ("Claude-Session: https://claude.ai/code/session_01", true),
        ("🤖 Generated with [Claude Code](https://claude.com/claude-code)", true),
        ("> _Generated by Claude Code_", true),
        ("Generated with Claude.", true),
        ("* Written by **Codex**", true),
        ("Co-Authored-By: Claude Monet <claude@example.invalid>", false),
        ("Co-Authored-By: Claude <claude.dupont@example.invalid>", false),
        ("Co-Authored-By: Jane Doe <jane@anthropic.com>", false),
        ("Generated with Claude Dupont", false),
        ("Generated with protoc", false),
        ("This was generated with Claude Code and then changed", false),
        ("Fix the parser of Claude Code sessions", false),
        ("https://claude.ai/code/session_01", true),
        ("See https://claude.ai/code/session_01", false),
        ("https://claude.ai/code/session_01 has the reasons", false),
        ("Co-Authored-By:", false),
        ("", false),
    ] {
        assert_eq!(SIGNATURES.is_signed(line), expected, "{line}");
    }
}

#[test]
fn a_text_reads_as_if_it_had_never_been_signed() {
    let signed = "Co-Authored-By: aider";
    for (text, expected) in [
        ("a\n\nS", "a"),
        ("a\n\nS\n", "a\n"),
        ("a\n\nS\n\n", "a\n"),
        ("a\n\nS\nS\n\nS\n", "a\n"),
        ("a\n\nS\n\nb\n", "a\n\nb\n"),
        ("a\nS\nb", "a\nb"),
        ("a\nS\n\nb", "a\n\nb"),
        ("a\n\n\nS\n\n\nb", "a\n\n\nb"),
        ("S\n\na", "a"),
        ("S", ""),
        ("\nS\n", ""),
        ("a\r\n\r\nS\r\n", "a\r\n"),
        ("a\n\nReviewed-by: Ada\nS\n", "a\n\nReviewed-by: Ada\n"),
        ("a", "a"),
        ("", ""),
    ] {
        let text = text.replace('S', signed);
        let mut left = text.clone();
        for cut in SIGNATURES.cuts(&text).into_iter().rev() {
            left.replace_range(cut, "");
        }
        assert_eq!(left, expected, "{text:?}");
    }
}

#[test]
fn agents_are_told_what_to_do_and_never_how_to_lift_it() {
    let add = found(Habit::AddAll, "git add -A").unwrap();
    insta::assert_snapshot!(message::told(&add, Outcome::Advised), @"verger: it stages every change in the working tree (rule add-all). From now on: name the files of the change, as in `git add PATH`, and commit without `-a`. You are told this once.");
    insta::assert_snapshot!(message::told(&add, Outcome::Denied), @"verger: this did not run: it stages every change in the working tree (rule add-all). Instead: name the files of the change, as in `git add PATH`, and commit without `-a`. Do not try another spelling of the same thing; this is recorded. If exactly this call is needed, tell the person.");
    let push = found(Habit::ForcePush, "git push -f origin main").unwrap();
    insta::assert_snapshot!(message::told(&push, Outcome::Denied), @"verger: this did not run: it overwrites the branch main, which is protected (rule force-push). Instead: push to a branch of your own, without force; when that is refused, fetch and integrate first. Do not try another spelling of the same thing; this is recorded. If exactly this call is needed, tell the person.");
    insta::assert_snapshot!(message::denied_notice(&push), @"verger denied a call of the agent: it overwrites the branch main, which is protected (rule force-push). `verger why --last` explains it and names the setting.");
    let draft = found(Habit::DraftPr, "gh pr create").unwrap();
    insta::assert_snapshot!(message::told(&draft, Outcome::Rewritten), @"verger: agents open pull requests as drafts here, and a person marks them as ready (rule draft-pr), so the call was changed (added --draft). From now on: open it with `gh pr create --draft`. You are told this once.");
    let signed = found(Habit::Attribution, "git commit -m 'a\n\nCo-Authored-By: aider'").unwrap();
    insta::assert_snapshot!(message::told(&signed, Outcome::Rewritten), @"verger: it names a coding agent as an author (rule attribution), so the call was changed (removed: Co-Authored-By: aider). From now on: leave out lines such as `Co-Authored-By: AGENT` and `Generated with AGENT`, and say only what changed and why. You are told this once.");
    insta::assert_snapshot!(message::told(&signed, Outcome::NotRewritten), @r#"verger: this did not run: it names a coding agent as an author (rule attribution), and verger could not change the line safely. Instead: leave out lines such as `Co-Authored-By: AGENT` and `Generated with AGENT`, and say only what changed and why. Write the text out on the line, without variables and substitutions except `"$(cat <<'EOF' ...)"`."#);
    for habit in Habit::ALL {
        for outcome in
            [Outcome::Advised, Outcome::Rewritten, Outcome::Denied, Outcome::NotRewritten]
        {
            let text = message::told(&Found::new(habit), outcome);
            for word in ["habits.", "config set", "verger guard", "{{"] {
                assert!(!text.contains(word), "{text}");
            }
        }
    }
}

/// The command line without the habits that a rewrite can remove. `None` if it can't be rewritten.
fn all_rewritten(line: &str) -> Option<String> {
    let script = read(line);
    let mut policy = only(Habit::DraftPr, Mode::Rewrite);
    policy.modes[Habit::Attribution as usize] = Mode::Rewrite;
    let mut edits = vec![];
    for found in look(&scene(&script), &policy) {
        let Remedy::Edits(own) = found.remedy else { return None };
        edits.extend(own);
    }
    rewritten(&script, &edits)
}

fn words(command: &Command) -> Vec<&str> {
    command.argv.iter().map(Word::text).collect()
}

/// A commit message in one of several forms of quoting, and its signature, if it has one.
fn message() -> impl Strategy<Value = (Vec<&'static str>, &'static str)> {
    let lines = prop::collection::vec(
        prop::sample::select(
            &["Fix it", "", "日本語", "it's \"so\"", "a `b` $c \\n", "- x", "S: T", "#1"][..],
        ),
        1..6,
    );
    let signed = prop::sample::select(
        &[
            "",
            "Co-Authored-By: aider <noreply@aider.chat>",
            "🤖 Generated with [Claude Code](https://claude.com/claude-code)",
        ][..],
    );
    (lines, signed)
}

fn quoted(text: &str, style: u8) -> String {
    match style {
        0 => format!("'{}'", text.replace('\'', "'\\''")),
        1 => {
            let escape =
                |c: char| if "$`\"\\".contains(c) { format!("\\{c}") } else { c.to_string() };
            format!("\"{}\"", text.chars().map(escape).collect::<String>())
        }
        2 => {
            let text = text.replace('\\', "\\\\").replace('\'', "\\'").replace('\n', "\\n");
            format!("$'{text}'")
        }
        _ => format!("\"$(cat <<'EOF'\n{text}\nEOF\n)\""),
    }
}

proptest! {
    /// A parse of the rewritten command line has the same commands, and all words except the
    /// message are the same.
    #[test]
    fn a_changed_line_runs_the_same_but_for_what_was_changed(
        (lines, signed) in message(),
        at in any::<prop::sample::Index>(),
        style in 0..4_u8,
        before in prop::sample::select(&["", "git add 'a b' && ", "cd x; A=1 ", "(true) || env "][..]),
        after in prop::sample::select(&["", " && git log -1", " # c", "; echo \"$x\" | cat", " >o 2>&1"][..]),
        more in prop::sample::select(&["", " -q", " -m 'and more'", " --trailer 'A: b'"][..]),
    ) {
        let mut all = lines.clone();
        let place = at.index(all.len() + 1);
        all.insert(place, signed);
        let line = format!("{before}git commit -m {}{more}{after}", quoted(&all.join("\n"), style));
        let Some(changed) = all_rewritten(&line) else {
            // A command line isn't rewritten in two cases: several quoted strings form one word of
            // the message, or the message or here-document would become empty.
            let is_cut = style == 0 && line.contains("'\\''");
            let is_left = more.contains("-m") && style != 3;
            let is_all = lines.iter().all(|line| line.is_empty()) && !is_left;
            prop_assert!(!signed.is_empty() && (is_cut || is_all), "{}", line);
            return Ok(());
        };
        let (old, new) = (read(&line), read(&changed));
        if signed.is_empty() {
            prop_assert_eq!(&changed, &line);
        }
        prop_assert_eq!(all_rewritten(&changed), Some(changed.clone()), "nothing is left to change");
        prop_assert_eq!(old.commands.len(), new.commands.len());
        for (one, other) in old.commands.iter().zip(&new.commands) {
            prop_assert_eq!(&one.assignments, &other.assignments);
            prop_assert_eq!(&one.redirects, &other.redirects);
            let (one, other) = (words(one), words(other));
            let is_commit = one.get(1) == Some(&"commit") || one.contains(&"commit");
            if is_commit {
                // A paragraph that becomes empty is removed together with its option `-m`.
                let gone = one.len() - other.len();
                prop_assert!(gone == 0 || gone == 2, "{:?} {:?}", one, other);
                let is_signed = |word: &&str| !signed.is_empty() && word.contains(signed);
                let at = one.iter().position(is_signed);
                let is_kept = |place: usize| at.is_none_or(|at| place != at && (gone == 0 || place + 1 != at));
                let kept = one.iter().enumerate().filter(|(place, _)| is_kept(*place));
                let mut rest = other.iter();
                prop_assert!(kept.into_iter().all(|(_, word)| rest.any(|o| o == word)), "{:?} {:?}", one, other);
            } else if one.first() != Some(&"cat") || style != 3 {
                prop_assert_eq!(one, other);
            }
        }
        prop_assert!(!changed.contains("aider") && !changed.contains("Claude"), "{}", changed);
    }
}
