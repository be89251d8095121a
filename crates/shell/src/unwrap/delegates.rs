//! Finds commands in the values of options and variables. Programs that are not wrappers run such
//! values: `tar --to-command`, `PAGER=`.

use super::{Call, Inner, sed};
use crate::script::{Command, Word};

struct Delegate {
    programs: &'static [&'static str],
    letters: &'static str,
    names: &'static [&'static str],
    /// The part of an option's value before the text that is run: `exec=`.
    prefix: &'static str,
}

const DELEGATES: &[Delegate] = &[
    Delegate {
        programs: &["tar", "gtar", "bsdtar"],
        letters: "IF",
        names: &[
            "to-command",
            "use-compress-program",
            "info-script",
            "new-volume-script",
            "rsh-command",
        ],
        prefix: "",
    },
    Delegate {
        programs: &["tar", "gtar"],
        letters: "",
        names: &["checkpoint-action"],
        prefix: "exec=",
    },
    Delegate { programs: &["rsync"], letters: "e", names: &["rsh", "rsync-path"], prefix: "" },
    Delegate { programs: &["man"], letters: "PH", names: &["pager", "html"], prefix: "" },
    Delegate {
        programs: &["ssh", "scp", "sftp", "autossh"],
        letters: "o",
        names: &[],
        prefix: "ProxyCommand=",
    },
    Delegate {
        programs: &["ssh", "scp", "sftp", "autossh"],
        letters: "o",
        names: &[],
        prefix: "LocalCommand=",
    },
    Delegate { programs: &["scp", "sftp"], letters: "S", names: &[], prefix: "" },
    Delegate { programs: &["sort"], letters: "", names: &["compress-program"], prefix: "" },
    Delegate { programs: &["rg"], letters: "", names: &["pre", "hostname-bin"], prefix: "" },
    Delegate { programs: &["split"], letters: "", names: &["filter"], prefix: "" },
    Delegate { programs: &["zip"], letters: "", names: &["unzip-command"], prefix: "" },
    Delegate {
        programs: &["npx", "npm", "pnpm", "bunx"],
        letters: "c",
        names: &["call"],
        prefix: "",
    },
    Delegate {
        programs: &["vim", "nvim", "vi", "view", "ex", "gvim"],
        letters: "c",
        names: &["cmd"],
        prefix: "!",
    },
    Delegate {
        programs: &["vim", "nvim", "vi", "view", "ex", "gvim"],
        letters: "c",
        names: &["cmd"],
        prefix: ":!",
    },
    Delegate { programs: &["make", "gmake"], letters: "", names: &["SHELL"], prefix: "" },
    Delegate {
        programs: &["go"],
        letters: "",
        names: &["exec", "toolexec", "vettool"],
        prefix: "",
    },
];

/// Environment variables whose value some program runs.
const VARIABLES: &[&str] = &[
    "BROWSER",
    "EDITOR",
    "GIT_ASKPASS",
    "GIT_EDITOR",
    "GIT_EXTERNAL_DIFF",
    "GIT_PAGER",
    "GIT_PROXY_COMMAND",
    "GIT_SEQUENCE_EDITOR",
    "GIT_SSH",
    "GIT_SSH_COMMAND",
    "LESSCLOSE",
    "LESSOPEN",
    "MANPAGER",
    "PAGER",
    "PROMPT_COMMAND",
    "RUSTC_WRAPPER",
    "SHELL",
    "SUDO_ASKPASS",
    "SYSTEMD_EDITOR",
    "VISUAL",
];

pub(super) fn run(call: &Call<'_>) -> Vec<Inner> {
    let mut found: Vec<Inner> = variables(call.command);
    if matches!(call.program, "sed" | "gsed") {
        found.extend(sed::runs(call.words).into_iter().map(Inner::Text));
    }
    for delegate in DELEGATES.iter().filter(|delegate| delegate.programs.contains(&call.program)) {
        found.extend(delegate.values(call.words));
    }
    found
}

fn variables(command: &Command) -> Vec<Inner> {
    let run = command.assignments.iter().filter(|set| VARIABLES.contains(&&*set.name));
    let texts = run.map(|set| set.value.text().trim_start_matches('|').to_owned());
    texts.filter(|text| !text.is_empty()).map(Inner::Text).collect()
}

impl Delegate {
    fn values(&self, words: &[Word]) -> Vec<Inner> {
        let mut texts = Vec::new();
        for (at, word) in words.iter().enumerate() {
            let next = || words.get(at + 1).map(Word::text);
            let text = word.text();
            let value = match (text.strip_prefix("--"), text.strip_prefix('-')) {
                (Some(name), _) => self.named(name, next),
                (None, Some(letters)) => {
                    self.lettered(letters, next).or_else(|| self.named(letters, next))
                }
                // Words that are not options: `vim +'!ls'`, `make SHELL=x`.
                (None, None) if self.letters == "c" => text.strip_prefix('+'),
                (None, None) => text.contains('=').then(|| self.named(text, next)).flatten(),
            };
            let value = value.and_then(|value| value.strip_prefix(self.prefix));
            texts.extend(value.map(|value| Inner::Text(value.to_owned())));
        }
        texts
    }

    fn named<'a>(&self, name: &'a str, next: impl Fn() -> Option<&'a str>) -> Option<&'a str> {
        let (name, value) = match name.split_once('=') {
            Some((name, value)) => (name, Some(value)),
            None => (name, None),
        };
        // Long options may be abbreviated.
        let is_it = self.names.iter().any(|known| known.starts_with(name) && name.len() > 2);
        if is_it { value.or_else(next) } else { None }
    }

    /// The value of an option letter, which is the rest of the word or the next word.
    fn lettered<'a>(
        &self,
        letters: &'a str,
        next: impl Fn() -> Option<&'a str>,
    ) -> Option<&'a str> {
        let at = letters.find(|c| self.letters.contains(c))?;
        let value = &letters[at + 1..];
        if value.is_empty() { next() } else { Some(value) }
    }
}
