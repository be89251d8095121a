//! Which kind of place a path names, as far as its text tells.
//!
//! | class | a path of |
//! |---|---|
//! | `root` | the file system itself, or a directory of the system |
//! | `home` | the home directory, or a directory in it that holds more than one project |
//! | `git` | a repository's own `.git` |
//! | `project` | the working directory or the project as a whole |
//! | `outside` | anything that is not in the project and not temporary |
//! | `output` | what a build makes anew |
//! | `temporary` | a directory for temporary files |
//! | `source` | anything in the project that is not `output` |
//! | `device` | a disk or another device |
//! | `secret` | credentials |
//! | `own` | verger's own files, and the settings and hooks of agents |
//! | `hidden` | a word that is known only when it runs |

use verger_shell::Word;

/// The classes of the table above.
pub(super) const CLASSES: &[&str] = &[
    "root",
    "home",
    "git",
    "project",
    "outside",
    "output",
    "temporary",
    "source",
    "device",
    "secret",
    "own",
    "hidden",
];

/// Where the agent works, and what is not its ground.
#[derive(Debug, Clone, Copy, Default)]
pub struct Ground<'a> {
    /// The working directory.
    pub cwd: Option<&'a str>,
    /// The user's home.
    pub home: Option<&'a str>,
    /// The project's root.
    pub root: Option<&'a str>,
    /// Files and directories of verger and of agents' settings, absolute.
    pub own: &'a [String],
}

/// What a tool does with a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// Only reads it.
    Read,
    /// Makes, changes or removes it.
    Write,
}

/// Why a path is not like any other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Protection {
    /// Verger's own files, and the settings and hooks of agents: never written by an agent.
    Own,
    /// What git runs by itself: a person looks at a write.
    GitRuns,
    /// Credentials: a person looks, at a read too.
    Secret,
}

impl Protection {
    /// What is special about the path, for this access.
    pub fn of(path: &str, access: Access, ground: &Ground<'_>) -> Option<Self> {
        let path = ground.absolute(path);
        if access == Access::Write && is_own(&path, ground) {
            return Some(Self::Own);
        }
        if access == Access::Write && is_run_by_git(&path) {
            return Some(Self::GitRuns);
        }
        is_secret(&path).then_some(Self::Secret)
    }
}

impl Ground<'_> {
    /// The path from the root on, without `.` and `..`. Where the working directory or the home is not
    /// known it stays relative, or begins with `~`.
    pub(super) fn absolute(&self, path: &str) -> String {
        let home = self.home.unwrap_or("~");
        let joined = if let Some(rest) = in_home(path) {
            format!("{home}/{rest}")
        } else if let Some(rest) = after(path, &["$PWD", "${PWD}"]) {
            format!("{}/{rest}", self.cwd.unwrap_or("."))
        } else if path.starts_with('/') {
            path.to_owned()
        } else {
            format!("{}/{path}", self.cwd.unwrap_or("."))
        };
        normal(&joined)
    }

    pub(super) fn is_in_project(&self, path: &str) -> bool {
        match self.root.or(self.cwd) {
            Some(root) => is_below(path, &normal(root)),
            None => !path.starts_with(['/', '~']) && path != ".." && !path.starts_with("../"),
        }
    }
}

/// What follows the home directory, when the path begins with it.
fn in_home(path: &str) -> Option<&str> {
    after(path, &["~", "$HOME", "${HOME}"])
}

fn after<'a>(path: &'a str, starts: &[&str]) -> Option<&'a str> {
    starts.iter().find_map(|start| match path.strip_prefix(start)? {
        "" => Some(""),
        rest => rest.strip_prefix('/'),
    })
}

fn normal(path: &str) -> String {
    let is_absolute = path.starts_with('/');
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." if parts.last().is_some_and(|last| *last != "..") => {
                parts.pop();
            }
            ".." if is_absolute => {}
            _ => parts.push(part),
        }
    }
    let joined = parts.join("/");
    if is_absolute {
        format!("/{joined}")
    } else if joined.is_empty() {
        ".".to_owned()
    } else {
        joined
    }
}

pub(super) fn is_below(path: &str, directory: &str) -> bool {
    path.strip_prefix(directory)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with('/') || directory == "/")
}

/// Whether the word is a path of this class.
pub(super) fn is_of_class(class: &str, word: &Word, ground: &Ground<'_>) -> bool {
    let text = word.text();
    if class == "hidden" {
        return is_hidden(word);
    }
    if class == "device" {
        return is_device(text);
    }
    // All that is in a directory is the directory.
    let whole = text.trim_end_matches(['*', '.']).trim_end_matches('/');
    let is_all = whole.len() < text.len() && text.ends_with('*');
    let named = if is_all && whole.is_empty() && text.starts_with('/') {
        "/"
    } else if is_all && whole.is_empty() {
        "."
    } else if is_all {
        whole
    } else {
        text
    };
    let path = ground.absolute(named);
    match class {
        "root" => is_system(&path, ground),
        "home" => is_home(&path, ground),
        "git" => path.split('/').any(|part| part == ".git"),
        "project" => is_whole_project(&path, ground),
        "temporary" => is_temporary(&path),
        "outside" => !is_hidden(word) && !ground.is_in_project(&path) && !is_temporary(&path),
        "output" => ground.is_in_project(&path) && is_output(&path, ground),
        "source" => !is_hidden(word) && ground.is_in_project(&path) && !is_output(&path, ground),
        "secret" => is_secret(&path) || is_secret(text),
        "own" => is_own(&path, ground),
        _ => false,
    }
}

/// Whether what the word stands for is known only when it runs; a glob is not.
fn is_hidden(word: &Word) -> bool {
    let text = word.text();
    let known = in_home(text).or_else(|| after(text, &["$PWD", "${PWD}"])).unwrap_or(text);
    word.literal().is_none() && known.contains(['$', '`', '<', '>'])
}

const SYSTEM: &[&str] = &[
    "/bin",
    "/boot",
    "/dev",
    "/etc",
    "/lib",
    "/lib32",
    "/lib64",
    "/opt",
    "/proc",
    "/root",
    "/run",
    "/sbin",
    "/srv",
    "/sys",
    "/usr",
    "/var",
    "/Applications",
    "/Library",
    "/System",
    "/Volumes",
    "/private",
    "/mnt",
    "/media",
    "/snap",
    "/nix",
];

fn is_system(path: &str, ground: &Ground<'_>) -> bool {
    if path == "/" || matches!(path, "/home" | "/Users") {
        return true;
    }
    let is_ours = ground.root.is_some() && ground.is_in_project(path);
    !is_ours && !is_temporary(path) && SYSTEM.iter().any(|directory| is_below(path, directory))
}

fn is_home(path: &str, ground: &Ground<'_>) -> bool {
    let of_somebody = ["/home/", "/Users/"]
        .iter()
        .find_map(|start| path.strip_prefix(start))
        .is_some_and(|name| !name.is_empty() && !name.contains('/'));
    let home = ground.home.map_or_else(|| "~".to_owned(), normal);
    let in_home = path.strip_prefix(&home).and_then(|rest| rest.strip_prefix('/'));
    let is_shallow = in_home.is_some_and(|rest| !rest.contains('/'));
    let is_ours = ground.root.is_some_and(|root| normal(root) == path);
    path == home
        || path == "~"
        || of_somebody
        || (is_shallow && !is_ours)
        || (path.starts_with('~') && !path.contains('/'))
}

fn is_whole_project(path: &str, ground: &Ground<'_>) -> bool {
    let root = ground.root.map(normal);
    let cwd = ground.cwd.map_or_else(|| ".".to_owned(), normal);
    path == cwd
        || root.as_deref().is_some_and(|root| is_below(root, path))
        || is_below(&cwd, path)
        || path.split('/').next() == Some("..")
}

fn is_temporary(path: &str) -> bool {
    ["/tmp/", "/var/tmp/", "/private/tmp/", "/dev/shm/", "/var/folders/"].iter().any(|directory| {
        path.strip_prefix(directory).is_some_and(|rest| !rest.is_empty() && rest != "*")
    })
}

/// Directories that a build makes anew.
const OUTPUT: &[&str] = &[
    "target",
    "node_modules",
    "dist",
    "build",
    "out",
    "__pycache__",
    ".pytest_cache",
    ".mypy_cache",
    ".ruff_cache",
    ".tox",
    ".nox",
    ".next",
    ".nuxt",
    ".turbo",
    ".parcel-cache",
    ".svelte-kit",
    "coverage",
    "htmlcov",
    ".nyc_output",
    ".gradle",
    ".eggs",
    "cmake-build-debug",
    "cmake-build-release",
    "_build",
    ".cache",
    "storybook-static",
    "tmp",
    ".tmp",
    ".output",
];

fn is_output(path: &str, ground: &Ground<'_>) -> bool {
    let base = ground.root.or(ground.cwd).map_or_else(|| ".".to_owned(), normal);
    let inside = path.strip_prefix(&base).unwrap_or(path);
    inside.split('/').any(|part| OUTPUT.contains(&part) || part.ends_with(".egg-info"))
}

/// Disks and their like, which lose what they hold when something else is written to them.
fn is_device(path: &str) -> bool {
    const DISKS: &[&str] = &[
        "sd", "hd", "vd", "xvd", "nvme", "mmcblk", "disk", "rdisk", "mapper/", "dm-", "md", "loop",
        "sr", "mem", "kmem", "port", "zvol",
    ];
    path.strip_prefix("/dev/").is_some_and(|name| DISKS.iter().any(|disk| name.starts_with(disk)))
        || matches!(path, "/proc/sysrq-trigger")
}

fn is_own(path: &str, ground: &Ground<'_>) -> bool {
    let is_listed = ground.own.iter().any(|own| {
        let start = path.get(..own.len());
        start.is_some_and(|start| {
            start.eq_ignore_ascii_case(own) && is_below(&path[own.len()..], "")
        })
    });
    is_listed || is_own_name(path)
}

/// Names that are verger's or an agent's in any project.
fn is_own_name(path: &str) -> bool {
    const NAMES: &[&str] = &[
        ".verger/config.toml",
        ".verger/guard.toml",
        ".claude/settings.json",
        ".claude/settings.local.json",
        ".codex/config.toml",
        ".codex/hooks.json",
        ".gemini/settings.json",
        ".claude.json",
    ];
    const FOLDERS: &[&str] = &[
        ".verger/work/stages",
        ".verger/work/runs",
        ".verger/work/signals",
        ".claude/hooks",
        ".github/hooks",
        ".copilot/hooks",
        ".gemini/hooks",
        ".codex/hooks",
        ".claude/plugins",
    ];
    let path = path.to_ascii_lowercase();
    let ends = |name: &&&str| {
        path.strip_suffix(**name).is_some_and(|rest| rest.is_empty() || rest.ends_with('/'))
    };
    NAMES.iter().any(|name| ends(&name))
        || FOLDERS.iter().any(|folder| {
            ends(&folder)
                || path.contains(&format!("/{folder}/"))
                || path.starts_with(&format!("{folder}/"))
        })
}

fn is_run_by_git(path: &str) -> bool {
    let mut inside = path.split('/').skip_while(|part| *part != ".git").skip(1);
    matches!(
        (inside.next(), inside.next()),
        (Some("hooks" | "config" | "config.worktree"), _) | (Some("info"), Some("attributes"))
    )
}

/// Whether the path names credentials.
pub(super) fn is_secret(path: &str) -> bool {
    const FOLDERS: &[&str] = &[".ssh", ".aws", ".gnupg", ".kube", ".azure", ".password-store"];
    const FILES: &[&str] = &[
        ".netrc",
        "_netrc",
        ".npmrc",
        ".pypirc",
        ".pgpass",
        ".my.cnf",
        ".git-credentials",
        ".docker/config.json",
        ".cargo/credentials",
        ".cargo/credentials.toml",
        ".vault-token",
        "credentials.json",
        "service-account.json",
        "secrets.yml",
        "secrets.yaml",
        "secrets.json",
        "id_rsa",
        "id_dsa",
        "id_ecdsa",
        "id_ed25519",
        ".htpasswd",
        "kubeconfig",
        ".terraformrc",
        "/etc/shadow",
        "/etc/gshadow",
        "/etc/sudoers",
        ".config/gh/hosts.yml",
        "application_default_credentials.json",
        "credentials.tfrc.json",
        ".s3cfg",
        ".boto",
        ".config/gcloud",
        ".env",
    ];
    const ENDINGS: &[&str] =
        &[".pem", ".key", ".p12", ".pfx", ".keystore", ".jks", ".kdbx", ".ppk"];
    const HARMLESS: &[&str] =
        &[".env.example", ".env.sample", ".env.template", ".env.dist", ".env.test.example"];
    let path = path.to_ascii_lowercase();
    let name = path.rsplit('/').next().unwrap_or(&path);
    if HARMLESS.contains(&name) || name.strip_suffix(".pub").is_some() || name == "known_hosts" {
        return false;
    }
    path.split('/').any(|part| FOLDERS.contains(&part))
        || name.starts_with(".env.")
        || name == ".env*"
        || name == ".envrc"
        || FILES.iter().any(|file| {
            path.strip_suffix(file).is_some_and(|rest| rest.is_empty() || rest.ends_with('/'))
        })
        || ENDINGS.iter().any(|ending| name.ends_with(ending))
        || (path.starts_with("/proc/") && matches!(name, "environ" | "mem"))
}
