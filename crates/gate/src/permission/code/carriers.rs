//! Lists programs and variables that pass a text to a shell.

use verger_shell::{Command, Word};

use crate::permission::program::is_listed;

/// The words of some programs' commands that may contain texts for a shell.
pub(super) struct Carrier {
    programs: &'static str,
    /// The options whose values may be texts for a shell. If empty, every word of the command may
    /// be one.
    after: &'static [&'static str],
    /// The marks before a command in such a text, such as `!`. If empty, the text itself may be a
    /// command.
    pub(super) marks: &'static [&'static str],
}

const fn carrier(
    programs: &'static str,
    after: &'static [&'static str],
    marks: &'static [&'static str],
) -> Carrier {
    Carrier { programs, after, marks }
}

const CARRIERS: &[Carrier] = &[
    carrier("psql pgcli mysql mariadb mycli", &[], &["\\!"]),
    carrier("sqlite3 sqlite litecli", &[], &[".shell", ".system"]),
    carrier("less more man most", &[], &["!"]),
    carrier("vim nvim vi view ex gvim", &[], &["!", "system("]),
    carrier("gdb lldb", &[], &["shell ", "!", "system(", "platform shell "]),
    carrier("ftp lftp mutt", &[], &["!"]),
    carrier(
        "expect m4 jshell erl tclsh wish osascript at batch ansible salt salt-ssh pdsh pssh \
         parallel-ssh clush dsh gnuplot octave ghci sbcl guile racket",
        &[],
        &[],
    ),
    carrier("make gmake", &["--eval", "-E"], &[]),
    carrier("cargo", &["--config"], &[]),
    carrier("nmap", &["--script", "--script-args"], &[]),
    carrier("fly flyctl heroku gcloud", &["-C", "--command"], &[]),
    carrier("emacs", &["--eval", "-eval", "--execute"], &[]),
    carrier("sort split rg", &["--compress-program", "--filter", "--pre"], &[]),
];

/// Programs whose arguments form one command.
const STARTERS: &str = "cmd pwsh powershell start-stop-daemon daemonize dtach abduco cpulimit proot \
    bwrap sandbox-exec pkexec gosu su-exec s6-setuidgid chpst softlimit dumb-init tini runcon sem ts \
    pueue nq cgexec perf heaptrack";

/// The entries of the table for this program.
pub(super) fn carriers(program: &str) -> impl Iterator<Item = &'static Carrier> {
    CARRIERS.iter().filter(move |carrier| is_listed(carrier.programs, b' ', program))
}

pub(super) fn starts_words(program: &str) -> bool {
    is_listed(STARTERS, b' ', program)
}

impl Carrier {
    /// The words of the command that may be texts for a shell.
    pub(super) fn words<'c>(&self, command: &'c Command) -> Vec<&'c str> {
        let words: Vec<&str> = command.argv.iter().skip(1).map(Word::text).collect();
        if self.after.is_empty() {
            return words;
        }
        let mut found = Vec::new();
        for (at, word) in words.iter().enumerate() {
            let (name, value) = word.split_once('=').unwrap_or((word, ""));
            if self.after.contains(&name) {
                found.push(if value.is_empty() {
                    words.get(at + 1).copied().unwrap_or_default()
                } else {
                    value
                });
            }
        }
        found
    }
}

/// Whether some program runs the value of an environment variable with this name.
pub(super) fn names_command(name: &str) -> bool {
    const PARTS: &[&str] = &[
        "PAGER",
        "EDITOR",
        "VISUAL",
        "BROWSER",
        "COMMAND",
        "WRAPPER",
        "RUNNER",
        "ASKPASS",
        "LESSOPEN",
        "LESSCLOSE",
        "MAKEFLAGS",
        "GIT_",
        "PROMPT",
        "SHELL",
    ];
    const NAMES: &[&str] = &[
        "PS0",
        "PS1",
        "PS2",
        "PS4",
        "ENV",
        "BASH_ENV",
        "CC",
        "CXX",
        "LD",
        "AR",
        "RUSTC",
        "CMD",
        "NODE_OPTIONS",
        "PERL5OPT",
        "RUBYOPT",
        "RSYNC_RSH",
        "CVS_RSH",
        "TAR_OPTIONS",
        "FCEDIT",
        "PYTHONSTARTUP",
        "EXEC",
    ];
    let name = name.to_ascii_uppercase();
    NAMES.contains(&name.as_str()) || PARTS.iter().any(|part| name.contains(part))
}
