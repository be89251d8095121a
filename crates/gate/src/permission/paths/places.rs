//! Decides whether a path is in the system, a home, a project or build output.

use super::{Ground, is_below, normal};

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

pub(super) fn is_system(path: &str, ground: &Ground<'_>) -> bool {
    if path == "/" || matches!(path, "/home" | "/Users") {
        return true;
    }
    let is_ours = ground.root.is_some() && ground.is_in_project(path);
    !is_ours
        && !is_temporary(path, ground)
        && SYSTEM.iter().any(|directory| is_below(path, directory))
}

pub(super) fn is_home(path: &str, ground: &Ground<'_>) -> bool {
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

pub(super) fn is_whole_project(path: &str, ground: &Ground<'_>) -> bool {
    let root = ground.root.map(normal);
    let cwd = ground.cwd.map_or_else(|| ".".to_owned(), normal);
    path == cwd
        || root.as_deref().is_some_and(|root| is_below(root, path))
        || is_below(&cwd, path)
        || path.split('/').next() == Some("..")
}

/// Whether the path is a temporary file or a cache.
pub(super) fn is_temporary(path: &str, ground: &Ground<'_>) -> bool {
    const DIRECTORIES: &[&str] =
        &["/tmp/", "/var/tmp/", "/private/tmp/", "/dev/shm/", "/var/folders/"];
    const CACHES: &[&str] = &[
        ".cache/",
        ".npm/_cacache",
        ".cargo/registry/",
        ".gradle/caches",
        ".m2/repository/",
        "Library/Caches/",
        ".pnpm-store/",
        "go/pkg/mod/",
    ];
    // The pattern `*` matches all files of a directory, `*.log` doesn't.
    let is_all = |rest: &str| {
        let first = rest.split('/').next().unwrap_or_default();
        first.starts_with('*') && first.chars().all(|c| "*.?".contains(c))
    };
    let inside = |directories: &[&str], path: &str| {
        directories.iter().any(|directory| {
            path.strip_prefix(directory).is_some_and(|rest| !is_all(rest))
                && (path.len() > directory.len() || !directory.ends_with('/'))
        })
    };
    // A project or home below a temporary directory isn't temporary itself.
    let kept = [ground.root.or(ground.cwd), ground.home].into_iter().flatten().map(normal);
    let mut kept = kept.filter(|kept| inside(DIRECTORIES, kept));
    let in_home = ground.home.map_or_else(|| "~".to_owned(), normal);
    let in_home = path.strip_prefix(&in_home).and_then(|rest| rest.strip_prefix('/'));
    (inside(DIRECTORIES, path) && !kept.any(|kept| is_below(path, &kept)))
        || in_home.is_some_and(|path| inside(CACHES, path))
}

/// Names of directories with build output.
const OUTPUT: &[&str] = &[
    "target",
    "node_modules",
    "dist",
    "build",
    "out",
    "__pycache__",
    ".tox",
    ".nox",
    ".next",
    ".nuxt",
    ".turbo",
    ".svelte-kit",
    "coverage",
    "htmlcov",
    ".nyc_output",
    ".gradle",
    ".eggs",
    "cmake-build-debug",
    "cmake-build-release",
    "_build",
    "storybook-static",
    "tmp",
    ".tmp",
    ".output",
    ".venv",
    "venv",
    ".terraform",
    "bazel-bin",
    "bazel-out",
    "DerivedData",
    ".angular",
    ".vite",
    ".expo",
    ".serverless",
    ".hypothesis",
    ".ipynb_checkpoints",
    "obj",
    "Pods",
    "vendor",
    "_site",
    "generated",
    "test-results",
    "playwright-report",
    ".coverage",
    ".DS_Store",
    "zig-out",
    ".dart_tool",
    ".stack-work",
    "dist-newstyle",
    "elm-stuff",
    ".docusaurus",
    "lcov.info",
    "bin",
    ".wrangler",
    ".pnpm-store",
    ".build",
    ".kotlin",
    ".cxx",
    ".nitro",
    ".vinxi",
    ".astro",
    ".swc",
    ".aws-sam",
    ".stryker-tmp",
    "bazel-testlogs",
    "TestResults",
];

/// Extensions of files that programs can create again.
const OUTPUT_ENDINGS: &[&str] = &[
    ".pyc",
    ".pyo",
    ".o",
    ".obj",
    ".class",
    ".log",
    ".tmp",
    ".temp",
    ".bak",
    ".orig",
    ".rej",
    ".swp",
    ".swo",
    "~",
    ".egg-info",
    ".gcda",
    ".gcno",
    ".profraw",
    ".tsbuildinfo",
    ".cache",
    ".pid",
    ".snap.new",
    ".pending-snap",
    ".d",
    ".rlib",
    ".rmeta",
    ".out",
    ".lcov",
    ".hprof",
    ".dmp",
    ".core",
];

/// Whether the name, or the pattern, is one of build output.
pub(super) fn is_output_name(name: &str) -> bool {
    // A hidden cache, such as `.gocache` or `.ruff_cache`, can be created again.
    let is_cache = name.starts_with('.') && name.ends_with("cache");
    OUTPUT.contains(&name.trim_end_matches('*'))
        || is_cache
        || name == "*.py[co]"
        || OUTPUT_ENDINGS.iter().any(|ending| name.len() > ending.len() && name.ends_with(ending))
}

pub(super) fn is_output(path: &str, ground: &Ground<'_>) -> bool {
    let base = ground.root.or(ground.cwd).map_or_else(|| ".".to_owned(), normal);
    let inside = path.strip_prefix(&base).unwrap_or(path);
    // A directory `src/bin` has source code, while other directories named `bin` have build output.
    let is_source = |part: &str| part == "bin" && inside.contains("src/");
    inside.split('/').any(|part| is_output_name(part) && !is_source(part))
}

/// Whether the path is a disk or another device whose data is lost if something is written to it.
pub(super) fn is_device(path: &str) -> bool {
    const DISKS: &[&str] = &[
        "sd", "hd", "vd", "xvd", "nvme", "mmcblk", "disk", "rdisk", "mapper/", "dm-", "md", "loop",
        "sr", "mem", "kmem", "port", "zvol",
    ];
    path.strip_prefix("/dev/").is_some_and(|name| DISKS.iter().any(|disk| name.starts_with(disk)))
        || matches!(path, "/proc/sysrq-trigger")
}

/// Whether the path is a file that the system needs to start, to log users in, or to know its
/// users.
pub(super) fn is_system_file(path: &str) -> bool {
    const FILES: &[&str] = &[
        "/etc/passwd",
        "/etc/shadow",
        "/etc/group",
        "/etc/gshadow",
        "/etc/sudoers",
        "/etc/fstab",
        "/etc/crypttab",
        "/etc/hosts",
        "/etc/resolv.conf",
        "/etc/nsswitch.conf",
        "/etc/ld.so.preload",
        "/etc/crontab",
        "/etc/profile",
        "/etc/environment",
        "/etc/ssh/sshd_config",
        "/etc/inittab",
        "/etc/machine-id",
        "/proc/sysrq-trigger",
    ];
    const FOLDERS: &[&str] = &[
        "/etc/sudoers.d",
        "/etc/pam.d",
        "/etc/cron.d",
        "/etc/init.d",
        "/etc/profile.d",
        "/boot",
        "/bin",
        "/sbin",
        "/lib",
        "/lib64",
        "/usr/bin",
        "/usr/sbin",
        "/usr/lib",
        "/System",
    ];
    FILES.contains(&path)
        || path.ends_with("/.ssh/authorized_keys")
        || FOLDERS.iter().any(|folder| is_below(path, folder))
}

/// Whether the path is a file that every new shell runs, or that allows a user to log in.
pub(super) fn is_startup(path: &str) -> bool {
    const NAMES: &[&str] = &[
        ".bashrc",
        ".bash_profile",
        ".bash_login",
        ".bash_logout",
        ".profile",
        ".zshrc",
        ".zshenv",
        ".zprofile",
        ".zlogin",
        ".config/fish/config.fish",
        ".xinitrc",
        ".xprofile",
        ".ssh/authorized_keys",
        ".ssh/rc",
        "/etc/profile",
        "/etc/bash.bashrc",
        "/etc/zshrc",
    ];
    let ends = |name: &str| {
        path.strip_suffix(name).is_some_and(|rest| rest.is_empty() || rest.ends_with('/'))
    };
    NAMES.iter().any(|name| ends(name)) || path.contains("/.config/autostart/")
}
