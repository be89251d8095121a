//! Judges the arithmetic and the expansions on a command line. Arithmetic resolves variable names,
//! evaluates their values again, and runs commands in subscripts.

use verger_shell::{Script, Word};

use super::prefix::is_own;

/// Programs that set variables to values that are known only when the command line runs.
const SETTERS: &[&str] = &["read", "mapfile", "readarray", "printf", "getopts", "export", "wait"];

/// Whether the command line evaluates only numbers, and its own variables whose values are numbers.
pub(super) fn are_harmless(script: &Script) -> bool {
    script.evaluated.iter().all(|text| is_plain(text, script))
}

fn is_plain(text: &str, script: &Script) -> bool {
    let is_sign = |c: char| " +-*/%()<>=!&|,;?:".contains(c);
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    text.chars().all(|c| is_sign(c) || is_name(c))
        && text.split(is_sign).all(|name| {
            let is_digits = name.bytes().all(|byte| byte.is_ascii_digit());
            is_digits || (is_own(name) && holds_numbers(name, script))
        })
}

fn holds_numbers(name: &str, script: &Script) -> bool {
    let is_number = |word: &Word| {
        let text = word.text();
        let is_digits = text.bytes().all(|byte| byte.is_ascii_digit());
        is_digits || (text.starts_with("$((") && text.ends_with("))"))
    };
    let mut values = script.commands.iter().flat_map(|command| &command.assignments);
    let is_set_otherwise = script.commands.iter().any(|command| {
        SETTERS.iter().any(|setter| command.runs(setter))
            && command.argv.iter().any(|word| word.text().starts_with(name))
    });
    values.all(|assignment| assignment.name != name || is_number(&assignment.value))
        && script.looped(name).all(is_number)
        && !is_set_otherwise
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_numbers_are_evaluated_without_asking() {
        for line in [
            "echo $((1 + 2))",
            "for ((i = 0; i < 3; i++)); do ls; done",
            "i=0; while [ $i -lt 3 ]; do i=$((i+1)); done",
            "(( 3 > 2 )) && ls",
            "echo ${a:0:3} ${a[@]} ${#a[@]} ${a:-b} ${a[0]}",
        ] {
            assert!(are_harmless(&verger_shell::read(line)), "{line}");
        }
        for line in [
            "x='a[$(id)]'; y=$((x))",
            "x='a[$(id)]'; ((x))",
            "x='a[$(id)]'; for ((i = x; i < 3; i++)); do ls; done",
            "x='a[$(id)]'; a[x]=1",
            "x='a[$(id)]'; b=([x]=1)",
            "x='a[$(id)]'; y=$[x]",
            "x='a[$(id)]'; case $((x)) in 1) ls;; esac",
            "x='a[$(id)]'; y=${HOME:x}",
            "x='a[$(id)]'; y=${b[x]}",
            "x='a[$(id)]'; y=${!x}",
            "x='$(id)'; y=\"${x@P}\"",
            "read -r x; y=$((x))",
            "for x in $(id); do y=$((x)); done",
            "(( PATH = 1 ))",
            "bash -c 'y=$((x[0]))'",
        ] {
            assert!(!are_harmless(&verger_shell::read(line)), "{line}");
        }
    }
}
