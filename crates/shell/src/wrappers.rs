//! Programs that run the rest of their command line: a table.

use crate::options::Options;

#[derive(Debug)]
pub(crate) struct Wrapper {
    pub(crate) program: &'static str,
    /// The words after the program that make it one: `run` in `uv run`.
    pub(crate) after: &'static str,
    pub(crate) options: Options,
    /// Words between the options and the command.
    pub(crate) operands: usize,
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

pub(crate) const WRAPPERS: &[Wrapper] = &[
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
