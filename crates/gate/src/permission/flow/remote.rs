//! Finds code that a command line runs and that comes from the network, a decoder or a pipe.

use verger_shell::{Command, Place, Script, Stdin, Word};

use super::Flow;
use super::reach::{before, operands, substituted, writes_files};
use crate::permission::judgement::Triage;
use crate::permission::paths::Ground;

const SHELLS: &[&str] = &[
    "sh", "bash", "zsh", "dash", "ksh", "mksh", "ash", "fish", "csh", "tcsh", "rbash", "yash",
    "nu", "xonsh", "elvish",
];
const INTERPRETERS: &[&str] = &[
    "python",
    "pypy",
    "perl",
    "ruby",
    "node",
    "nodejs",
    "bun",
    "deno",
    "php",
    "lua",
    "luajit",
    "tclsh",
    "osascript",
    "pwsh",
    "powershell",
    "Rscript",
    "julia",
    "elixir",
    "groovy",
    "jshell",
    "ts-node",
    "tsx",
    "ipython",
    "expect",
    "irb",
    "scala",
    "swift",
    "m4",
];
/// Programs that download from another machine.
const FETCHERS: &[&str] = &[
    "curl",
    "wget",
    "fetch",
    "aria2c",
    "http",
    "https",
    "xh",
    "httpie",
    "nc",
    "ncat",
    "netcat",
    "socat",
    "ssh",
    "scp",
    "sftp",
    "ftp",
    "tftp",
    "telnet",
    "dig",
    "nslookup",
    "host",
    "lynx",
    "w3m",
    "links",
    "aws",
    "gsutil",
    "gcloud",
    "az",
    "rclone",
    "ipfs",
    "iwr",
    "irm",
    "invoke-webrequest",
    "openssl",
    "gh",
    "git",
    "svn",
    "rsync",
    "docker",
    "kubectl",
];
/// Programs whose output can't be predicted from the command line.
const DECODERS: &[&str] = &[
    "base64", "base32", "basenc", "xxd", "uudecode", "gunzip", "zcat", "gzip", "bunzip2", "bzcat",
    "xzcat", "unxz", "zstd", "zstdcat", "gpg", "openssl", "rev", "tr", "hexdump", "od", "iconv",
    "unzip", "7z", "brotli", "lz4", "ascii85", "qrencode",
];

pub(super) fn flows(script: &Script, ground: &Ground<'_>) -> Vec<Flow> {
    let brought = brought(script, ground);
    let mut flows = Vec::new();
    for (index, command) in script.commands.iter().enumerate() {
        let remote = |why| Flow {
            triage: Triage::Deny,
            rule: "remote-code",
            why,
            instead: "download it, read it, and let the person decide whether to run it",
            command: index,
        };
        match runs_from_elsewhere(script, index) {
            Some(Source::Afar) => flows.push(remote("it runs downloaded code")),
            Some(Source::Pipe) => flows.push(Flow {
                triage: Triage::Deny,
                rule: "pipe-to-shell",
                why: "it runs the output of a pipe",
                instead: "run the commands themselves",
                command: index,
            }),
            Some(Source::Unclear) => flows.push(Flow {
                triage: Triage::Risky,
                rule: "runs-output",
                why: "it runs the output of another command",
                instead: "",
                command: index,
            }),
            None => {}
        }
        if executed(command).is_some_and(|path| {
            let path = ground.absolute(path);
            brought.iter().any(|(at, target)| *at < index && is_at(&path, target))
        }) {
            flows.push(remote("it runs code that the same line downloads"));
        }
        if is_reverse_shell(command) {
            flows.push(remote("it gives another machine a shell on this one"));
        }
    }
    flows
}

enum Source {
    /// The code comes from the network or from a decoder.
    Afar,
    /// The code comes from a pipe into a shell.
    Pipe,
    /// The code comes from the output of another command in a form that is usual, such as `eval
    /// "$(x)"`.
    Unclear,
}

fn runs_from_elsewhere(script: &Script, index: usize) -> Option<Source> {
    let command = &script.commands[index];
    let program = command.program()?;
    let is_shell = SHELLS.contains(&program);
    let bare = program.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
    let is_interpreter = INTERPRETERS.contains(&bare) || INTERPRETERS.contains(&program);
    let runs_text =
        is_shell || matches!(program, "eval" | "source" | "." | "iex" | "invoke-expression");
    if !runs_text && !is_interpreter {
        return None;
    }
    if has_letter(command, 'n') && is_shell {
        return None;
    }
    let is_afar = |script: &Script| script.commands.iter().any(is_from_afar);
    let scripts = if is_given_as_written(script, command) { vec![] } else { substituted(command) };
    if scripts.iter().any(is_afar) {
        return Some(Source::Afar);
    }
    if matches!(command.stdin, Stdin::Pipe(_)) && reads_code(command, is_shell) {
        let sources = before(script, command);
        if sources.iter().any(|source| is_from_afar(source)) {
            return Some(Source::Afar);
        }
        if script.fed(index).is_none() {
            return Some(if is_shell { Source::Pipe } else { Source::Unclear });
        }
    }
    if is_given_input(script, index) {
        return Some(Source::Afar);
    }
    (runs_text && !scripts.is_empty()).then_some(Source::Unclear)
}

/// Whether `xargs` runs the command, and all words of this `xargs` are literal. A substitution in
/// them is text for the started shell, and this shell's text is judged separately.
fn is_given_as_written(script: &Script, command: &Command) -> bool {
    let Place::Within(outer) = command.place else { return false };
    let outer = &script.commands[outer];
    matches!(outer.program(), Some("xargs" | "gxargs" | "parallel"))
        && outer.argv.iter().all(|word| word.literal().is_some())
}

/// Whether `xargs` runs each line of its input as a command: `xargs sh -c`, `xargs -I{} sh -c
/// '{}'`.
fn is_given_input(script: &Script, index: usize) -> bool {
    let command = &script.commands[index];
    let Place::Within(outer) = command.place else { return false };
    let is_xargs =
        matches!(script.commands[outer].program(), Some("xargs" | "gxargs" | "parallel"));
    let code = command.argv.iter().skip_while(|word| !word.text().ends_with('c')).nth(1);
    is_xargs && has_letter(command, 'c') && code.is_some_and(|word| word.text().trim() == "$_")
}

fn is_from_afar(command: &Command) -> bool {
    let Some(program) = command.program() else { return false };
    match program {
        // These programs count only with an argument that makes them download or decode something.
        "git" | "gh" | "docker" | "kubectl" | "aws" | "gcloud" | "az" | "openssl" | "tr"
        | "gzip" | "gpg" | "zstd" => {
            let says = |word: &str| command.argv.iter().any(|own| own.text() == word);
            says("-d")
                || says("--decrypt")
                || says("-dc")
                || says("-cd")
                || says("enc")
                || says("s_client")
                || says("cp")
                || says("cat")
                || says("api")
                || says("archive")
                || says("gist")
                || (program == "tr" && !command.argv.is_empty())
        }
        _ => FETCHERS.contains(&program) || DECODERS.contains(&program),
    }
}

/// Whether the command runs its standard input as code, because it has neither a script nor code as
/// an argument.
fn reads_code(command: &Command, is_shell: bool) -> bool {
    let mut words = command.argv.iter().skip(1).map(Word::text);
    if is_shell && has_letter(command, 's') {
        return true;
    }
    let first = words.find(|text| !text.starts_with('-') || *text == "-");
    let names_code =
        has_letter(command, 'c') || has_letter(command, 'e') || has_letter(command, 'm');
    match first {
        Some("-" | "/dev/stdin" | "/dev/fd/0" | "/proc/self/fd/0") => true,
        Some(_) => false,
        None => !names_code || (is_shell && !has_letter(command, 'c')),
    }
}

fn has_letter(command: &Command, letter: char) -> bool {
    command
        .argv
        .iter()
        .skip(1)
        .map(Word::text)
        .any(|text| text.starts_with('-') && !text.starts_with("--") && text[1..].contains(letter))
}

/// The files that the command line downloads, each with the index of the downloading command.
fn brought(script: &Script, ground: &Ground<'_>) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    for (index, command) in script.commands.iter().enumerate() {
        let Some(
            program @ ("curl" | "wget" | "git" | "scp" | "aria2c" | "svn" | "rsync" | "http" | "xh"
            | "aws" | "gsutil" | "gh"),
        ) = command.program()
        else {
            continue;
        };
        let mut paths: Vec<String> =
            writes_files(command).map(|word| word.text().to_owned()).collect();
        // Another command may write the downloaded data to a file.
        let later = script.commands.iter().filter(|other| other.stdin == Stdin::Pipe(Some(index)));
        for other in later {
            paths.extend(writes_files(other).map(|word| word.text().to_owned()));
            paths.extend(
                operands(other)
                    .filter(|_| other.program() == Some("tee"))
                    .map(|word| word.text().to_owned()),
            );
        }
        let is_git = matches!(program, "git" | "svn" | "gh");
        if is_git
            && !command
                .argv
                .iter()
                .any(|word| matches!(word.text(), "clone" | "checkout" | "co" | "export"))
        {
            continue;
        }
        paths.extend(named_by(command, is_git));
        found.extend(paths.into_iter().map(|path| (index, ground.absolute(&path))));
    }
    found
}

fn named_by(command: &Command, is_git: bool) -> Vec<String> {
    let words: Vec<&str> = command.argv.iter().skip(1).map(Word::text).collect();
    let mut paths = Vec::new();
    let is_wget = matches!(command.program(), Some("wget" | "aria2c"));
    for (at, text) in words.iter().enumerate() {
        let is_option = text.starts_with('-') && !text.starts_with("--");
        if (is_option && (text.ends_with('o') || text.ends_with('O')))
            || matches!(*text, "--output" | "--output-document")
        {
            paths.extend(words.get(at + 1).map(|path| (*path).to_owned()));
        } else if let Some((_, path)) =
            text.split_once('=').filter(|(name, _)| name.starts_with("--output"))
        {
            paths.push(path.to_owned());
        } else if text.contains("://") || text.contains('@') || (is_wget && !text.starts_with('-'))
        {
            let last = text.trim_end_matches('/').rsplit('/').next().unwrap_or_default();
            let last = last.split(['?', '#']).next().unwrap_or_default();
            paths.push(if is_git {
                last.trim_end_matches(".git").to_owned()
            } else {
                last.to_owned()
            });
        }
    }
    let target = words.last().filter(|text| !text.starts_with('-') && !text.contains("://"));
    paths.extend(target.filter(|_| words.len() > 1).map(|path| (*path).to_owned()));
    paths.retain(|path| !path.is_empty());
    paths
}

/// The file that the command executes as a program or script.
fn executed(command: &Command) -> Option<&str> {
    let name = command.argv.first()?.text();
    let program = command.program()?;
    let bare = program.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
    let runs_file = SHELLS.contains(&program)
        || INTERPRETERS.contains(&bare)
        || matches!(program, "source" | "." | "make" | "chmod");
    if runs_file && program != "chmod" {
        return operands(command).map(Word::text).find(|text| *text != "run");
    }
    name.contains('/').then_some(name)
}

fn is_at(path: &str, target: &str) -> bool {
    path.strip_prefix(target).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// Whether the command is a shell whose input or output is a network connection.
fn is_reverse_shell(command: &Command) -> bool {
    let is_connection = |word: &Word| {
        let text = word.text();
        text.starts_with("/dev/tcp/") || text.starts_with("/dev/udp/")
    };
    let is_connected = command.redirects.iter().any(|redirect| is_connection(&redirect.target));
    is_connected
        && command.program().is_some_and(|program| SHELLS.contains(&program) || program == "exec")
}
