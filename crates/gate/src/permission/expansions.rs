//! Decides whether a command line may print a word with expansions. The word must not reveal
//! secrets.

use verger_shell::{Script, Word};

/// Environment variables whose values aren't secret.
const HARMLESS: &[&str] = &[
    "HOME",
    "PATH",
    "PWD",
    "OLDPWD",
    "USER",
    "LOGNAME",
    "SHELL",
    "HOSTNAME",
    "LANG",
    "TERM",
    "EDITOR",
    "RANDOM",
    "SECONDS",
    "LINENO",
    "UID",
    "EUID",
    "PPID",
    "OSTYPE",
    "HOSTTYPE",
    "MACHTYPE",
    "SHLVL",
    "BASH_VERSION",
    "PIPESTATUS",
    "COLUMNS",
    "LINES",
    "TMPDIR",
    "GOPATH",
    "GOROOT",
    "JAVA_HOME",
    "VIRTUAL_ENV",
    "CARGO_HOME",
    "RUSTUP_HOME",
    "NVM_DIR",
    "NODE_ENV",
    "CI",
    "VISUAL",
    "PAGER",
    "EPOCHSECONDS",
    "FUNCNAME",
    "REPLY",
];

/// The maximum number of steps in which variables that refer to other variables are resolved.
const MAX_STEPS: usize = 4;

/// Whether the command line may print the word. The values of its variables must not be secret, or
/// the command line itself must set them. Substituted commands are judged separately.
pub(super) fn is_harmless(word: &Word, script: &Script) -> bool {
    word.literal().is_some() || are_harmless(word.text(), script)
}

/// Whether all expansions in the text are harmless, at any depth.
pub(super) fn are_harmless(text: &str, script: &Script) -> bool {
    Variables { script, steps: MAX_STEPS, own: "" }.are_harmless(text)
}

/// Looks up the variables that the command line sets, to a limited depth.
#[derive(Clone, Copy)]
struct Variables<'a> {
    script: &'a Script,
    steps: usize,
    /// The variable whose values are being checked. A value may contain the variable itself,
    /// because all of its values are checked anyway.
    own: &'a str,
}

impl Variables<'_> {
    fn are_harmless(&self, text: &str) -> bool {
        let mut rest = text;
        while let Some(at) = rest.find('$') {
            let after = &rest[at + 1..];
            let Some(length) = self.expansion(after) else { return false };
            rest = &after[length..];
        }
        true
    }

    /// The length of the expansion whose text after the `$` is `after`. `None` if the expansion
    /// isn't harmless.
    fn expansion(&self, after: &str) -> Option<usize> {
        let name = name_length(after);
        if name > 0 {
            return self.is_printable(&after[..name]).then_some(name);
        }
        match after.as_bytes().first() {
            Some(b'{') => self.parameter(&after[1..]).map(|length| length + 1),
            Some(b'(') if after.starts_with("((") => arithmetic(after),
            Some(b'[') => None,
            // The caller checks the text after this character next, such as the commands in a
            // substitution.
            Some(b'(' | b'?' | b'#' | b'$' | b'!' | b'-' | b'@' | b'*' | b'0'..=b'9') => Some(1),
            _ => Some(0),
        }
    }

    /// The length of a harmless parameter: `NAME}`, `#NAME}`, `NAME%...}`. Indirect expansions,
    /// evaluated subscripts and prompt expansions aren't harmless.
    fn parameter(&self, inner: &str) -> Option<usize> {
        let start = usize::from(inner.starts_with('#'));
        let name = name_length(&inner[start..]);
        let end = start + name;
        let is_position = name == 0 && inner[start..].starts_with(|c: char| c.is_ascii_digit());
        if name == 0 && !is_position {
            return None;
        }
        let rest = &inner[end..];
        let is_plain = rest.starts_with('}')
            || rest.starts_with("[@]}")
            || rest.starts_with("[*]}")
            || rest.starts_with("[0]}")
            || rest.starts_with(['%', '#', '/', '^', ','])
            || rest.starts_with(":-")
            || rest.starts_with(":+")
            || is_position;
        (is_plain && (is_position || self.is_printable(&inner[start..end]))).then_some(end)
    }

    fn is_printable(&self, name: &str) -> bool {
        HARMLESS.contains(&name) || name == self.own || self.is_set(name)
    }

    /// Whether the command line sets the variable, and only to values that it may print.
    fn is_set(&self, name: &str) -> bool {
        let Some(steps) = self.steps.checked_sub(1) else { return false };
        let next = Variables { steps, own: name, script: self.script };
        let is_assigned = self.script.commands.iter().any(|command| {
            let assigns = command.argv.is_empty()
                && command.assignments.iter().any(|assignment| assignment.name == name);
            let reads = command.program() == Some("read")
                && command.argv.iter().skip(1).any(|word| word.literal() == Some(name));
            assigns || reads
        });
        let assignments = self.script.commands.iter().flat_map(|command| &command.assignments);
        let mut values = assignments.filter(|set| set.name == name).map(|set| &set.value);
        let mut looped = self.script.looped(name).peekable();
        let is_looped = looped.peek().is_some();
        let is_fine = |word: &Word| {
            word.literal().is_some()
                || is_substitution(word.text())
                || next.are_harmless(word.text())
        };
        (is_assigned || is_looped) && values.all(is_fine) && looped.all(is_fine)
    }
}

/// Whether the text is a single `$(...)`. The commands in it are judged separately.
fn is_substitution(text: &str) -> bool {
    let (mut depth, mut in_quotes) = (0_usize, false);
    let Some(inner) = text.strip_prefix("$(") else { return false };
    let end = inner.bytes().position(|byte| {
        match byte {
            b'\'' => in_quotes = !in_quotes,
            b'(' if !in_quotes => depth += 1,
            b')' if !in_quotes && depth == 0 => return true,
            b')' if !in_quotes => depth -= 1,
            _ => {}
        }
        false
    });
    end.is_some_and(|end| end + 1 == inner.len())
}

/// The length of arithmetic that has only numbers. `None` if it has a name, which the shell would
/// evaluate.
fn arithmetic(text: &str) -> Option<usize> {
    let end = text.find("))")? + 2;
    let is_plain = |c: char| c.is_ascii_digit() || " +-*/%()<>=".contains(c);
    text[..end].chars().all(is_plain).then_some(end)
}

fn name_length(text: &str) -> usize {
    if text.starts_with(|c: char| c.is_ascii_digit()) {
        return 0;
    }
    text.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(text.len())
}

#[cfg(test)]
mod tests {
    use verger_shell::Place;

    use super::*;

    #[test]
    fn a_variable_of_the_line_is_printable_if_its_values_are() {
        for line in [
            "x=1; echo $x",
            "x=$(awk '{print $NF}' a); echo $x",
            "i=0; i=$((i+1)); echo $i",
            "x=; for f in a b; do x=\"$x $f\"; done; echo $x",
            "x=$HOME/a; y=($x); echo ${y[0]}",
        ] {
            assert!(is_last_harmless(line), "{line}");
        }
        for line in [
            "echo $TOKEN",
            "a=($TOKEN); echo ${a[0]}",
            "y=$TOKEN; x=($y); echo ${x[@]}",
            "x=$(a)$TOKEN$(b); echo $x",
            "x=\"$(echo '(')$TOKEN)\"; echo $x",
            "for x in $TOKEN; do :; done; echo $x",
            "x=$y; y=$x; echo $x",
        ] {
            assert!(!is_last_harmless(line), "{line}");
        }
    }

    fn is_last_harmless(line: &str) -> bool {
        let script = verger_shell::read(line);
        let said = script
            .commands
            .iter()
            .filter(|command| command.place == Place::Line && command.program() == Some("echo"));
        let words = said.flat_map(|command| &command.argv);
        words.into_iter().all(|word| is_harmless(word, &script))
    }
}
