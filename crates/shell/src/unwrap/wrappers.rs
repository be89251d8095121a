//! Programs that run the rest of their command line: a table.

use super::options::{Given, Options};
use super::shells::from_stdin;
use super::{Call, Inner};
use crate::script::Word;

#[derive(Debug)]
struct Wrapper {
    program: &'static str,
    /// The words after the program that make it one: `run` in `uv run`.
    after: &'static str,
    options: Options,
    /// Words between the options and the command.
    operands: usize,
}

const fn wrapper(program: &'static str, letters: &'static str) -> Wrapper {
    named(program, letters, &[])
}

const fn named(
    program: &'static str,
    letters: &'static str,
    names: &'static [&'static str],
) -> Wrapper {
    Wrapper { program, after: "", options: Options { letters, names }, operands: 0 }
}

impl Wrapper {
    const fn operands(self, operands: usize) -> Self {
        Self { operands, ..self }
    }

    const fn after(self, after: &'static str) -> Self {
        Self { after, ..self }
    }
}

pub(super) fn wrapped(call: &Call<'_>) -> Vec<Inner> {
    let mut wrappers = WRAPPERS.iter().filter(|wrapper| wrapper.program == call.program);
    match wrappers.find_map(|wrapper| wrapper.rest(call.words)) {
        None => Vec::new(),
        Some(argv) if argv.is_empty() && opens_a_shell(call) => from_stdin(call),
        Some(argv) if argv.is_empty() || is_lookup(call) => Vec::new(),
        Some(argv) => vec![Inner::Argv { argv, stdin: call.command.stdin.clone() }],
    }
}

/// `sudo -s` without a command.
fn opens_a_shell(call: &Call<'_>) -> bool {
    matches!(call.program, "sudo" | "doas") && has_letter(call.words, ['s', 'i'])
}

/// `command -v gh` only tells where it is.
fn is_lookup(call: &Call<'_>) -> bool {
    call.program == "command" && has_letter(call.words, ['v', 'V'])
}

fn has_letter(words: &[Word], letters: [char; 2]) -> bool {
    let (given, _) = Options::NONE.given(words);
    letters.into_iter().any(|letter| given.contains(&Given::Letter(letter, None)))
}

impl Wrapper {
    /// The command line that is run, if this is a call of the wrapper.
    fn rest(&self, words: &[Word]) -> Option<Vec<Word>> {
        let words = match self.after {
            "" => words,
            after => {
                let at = words.iter().position(|word| !word.text().starts_with('-'))?;
                (words[at].literal() == Some(after)).then_some(&words[at + 1..])?
            }
        };
        let (given, first) = self.options.given(words);
        let mut rest = words.get(first..).unwrap_or_default();
        if matches!(self.program, "env" | "sudo" | "doas") {
            let is_assignment = |word: &Word| word.text().contains('=');
            let assignments = rest.iter().take_while(|word| is_assignment(word)).count();
            rest = &rest[assignments..];
        }
        let mut rest = rest.get(self.operands..).unwrap_or_default();
        // A tool's name may come first: `mise exec node -- npm`.
        if let Some(end) = rest.iter().position(|word| word.literal() == Some("--"))
            && !self.after.is_empty()
        {
            rest = &rest[end + 1..];
        }
        Some(split_by_env(&given).into_iter().chain(rest.iter().cloned()).collect())
    }
}

/// `env -S` splits a text, which is a command line of `env` itself.
fn split_by_env(given: &[Given<'_>]) -> Vec<Word> {
    let text = given.iter().find_map(|option| match option {
        Given::Letter('S', Some(value)) | Given::Name("split-string", Some(value)) => {
            Some(value.word().text().to_owned())
        }
        _ => None,
    });
    let Some(text) = text else { return Vec::new() };
    let split = text.split_whitespace().map(|word| word.replace(['\'', '"'], ""));
    std::iter::once("env".to_owned()).chain(split).map(Word::Literal).collect()
}

const WRAPPERS: &[Wrapper] = &[
    named("env", "uCSPa", &["unset", "chdir", "split-string", "argv0"]),
    named(
        "sudo",
        "ugpCrtTURDha",
        &[
            "user",
            "group",
            "prompt",
            "close-from",
            "role",
            "type",
            "command-timeout",
            "other-user",
            "chroot",
            "chdir",
            "host",
            "auth-type",
        ],
    ),
    wrapper("doas", "uCa"),
    wrapper("command", ""),
    wrapper("builtin", ""),
    wrapper("exec", "a"),
    wrapper("coproc", ""),
    wrapper("-", ""),
    wrapper("repeat", "").operands(1),
    wrapper("nocorrect", ""),
    wrapper("noglob", ""),
    wrapper("nohup", ""),
    wrapper("setsid", ""),
    wrapper("unbuffer", ""),
    wrapper("busybox", ""),
    wrapper("toybox", ""),
    named("time", "fo", &["format", "output"]),
    named("timeout", "ks", &["kill-after", "signal"]).operands(1),
    named("gtimeout", "ks", &["kill-after", "signal"]).operands(1),
    named("nice", "n", &["adjustment"]),
    named("ionice", "cnpPu", &["class", "classdata", "pid", "pgid", "uid"]),
    named("chrt", "TPDp", &["sched-runtime", "sched-period", "sched-deadline"]).operands(1),
    wrapper("taskset", "").operands(1),
    named("stdbuf", "ioe", &["input", "output", "error"]),
    named("chroot", "", &["userspec", "groups"]).operands(1),
    wrapper("setarch", "").operands(1),
    wrapper("linux32", ""),
    wrapper("linux64", ""),
    wrapper("arch", "e"),
    named(
        "setpriv",
        "",
        &[
            "ruid",
            "euid",
            "rgid",
            "egid",
            "reuid",
            "regid",
            "groups",
            "inh-caps",
            "ambient-caps",
            "bounding-set",
            "securebits",
            "selinux-label",
            "apparmor-profile",
        ],
    ),
    named(
        "unshare",
        "SGR",
        &["setuid", "setgid", "root", "wd", "propagation", "map-user", "map-group"],
    ),
    named("nsenter", "tSG", &["target", "setuid", "setgid"]),
    named(
        "numactl",
        "NmpiClCw",
        &["cpunodebind", "membind", "preferred", "interleave", "physcpubind", "localalloc"],
    ),
    named("prlimit", "po", &["pid", "output"]),
    wrapper("strace", "abeEIoOpPsSuUX"),
    wrapper("ltrace", "aAbDeFlnopsuwx"),
    wrapper("valgrind", ""),
    wrapper("rlwrap", "abBCdDfFghHilmMOpPqsStTvwz"),
    wrapper("caffeinate", "tw"),
    wrapper("catchsegv", ""),
    wrapper("faketime", "fp").operands(1),
    wrapper("fakeroot", "lisfbud"),
    wrapper("proxychains", "f"),
    wrapper("proxychains4", "f"),
    wrapper("torsocks", "uP"),
    named(
        "systemd-run",
        "HMptuE",
        &[
            "host",
            "machine",
            "property",
            "unit",
            "slice",
            "description",
            "service-type",
            "uid",
            "gid",
            "nice",
            "working-directory",
            "setenv",
        ],
    ),
    named("systemd-inhibit", "", &["what", "who", "why", "mode"]),
    named("dbus-run-session", "", &["config-file", "dbus-daemon"]),
    named(
        "xvfb-run",
        "efnpsw",
        &["error-file", "auth-file", "server-num", "xauth-protocol", "server-args", "wait"],
    ),
    wrapper("firejail", ""),
    wrapper("direnv", "").after("exec").operands(1),
    wrapper("uv", "p").after("run"),
    wrapper("poetry", "CP").after("run"),
    wrapper("pipenv", "").after("run"),
    wrapper("pdm", "p").after("run"),
    wrapper("rye", "").after("run"),
    wrapper("hatch", "").after("run"),
    named("conda", "np", &["name", "prefix"]).after("run"),
    wrapper("bundle", "").after("exec"),
    wrapper("rbenv", "").after("exec"),
    wrapper("pyenv", "").after("exec"),
    wrapper("asdf", "").after("exec"),
    wrapper("mise", "cC").after("exec"),
    wrapper("mise", "cC").after("x"),
    wrapper("pnpm", "C").after("exec"),
    wrapper("yarn", "").after("exec"),
    wrapper("npm", "pc").after("exec"),
    wrapper("npx", "pc"),
    wrapper("op", "").after("run"),
    wrapper("doppler", "pc").after("run"),
];
