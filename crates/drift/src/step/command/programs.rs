//! What programs do, by their names and first words.

use super::CommandKind;

/// What a command does. What writes down anew what tests expect says nothing of the work.
pub(super) fn kind(words: &[&str]) -> CommandKind {
    let updates = |word: &&str| {
        matches!(*word, "-update" | "--update" | "-u" | "--update-snapshots" | "--snapshot-update")
    };
    match kind_of(words) {
        CommandKind::Tests if words.iter().any(updates) => CommandKind::Other,
        kind => kind,
    }
}

fn kind_of(words: &[&str]) -> CommandKind {
    let Some((path, rest)) = words.split_first() else { return CommandKind::Other };
    let program = path.rsplit('/').next().unwrap_or(path);
    let called = Called { program, rest };
    match program {
        "git" => called.git(),
        "gh" if called.is("pr") || called.is("release") => {
            if called.has("create") || called.has("merge") {
                CommandKind::Pushes
            } else {
                CommandKind::Other
            }
        }
        "npm" | "pnpm" | "yarn" | "bun" => {
            Called { program, rest: &without_places(rest) }.node_packages()
        }
        "cargo" => called.cargo(),
        "go" => called.go(),
        "pip" | "pip3" | "uv" | "poetry" | "pipenv" | "conda" => called.python_packages(),
        "python" | "python3" | "ruby" | "node" | "php" => called.interpreter(),
        "npx" | "bunx" | "pnpx" | "xargs" => kind(called.since_first_plain()),
        "timeout" | "valgrind" | "nice" | "nohup" | "strace" | "xvfb-run" | "stdbuf" => {
            kind(called.since_program())
        }
        "bundle" => called.bundle(),
        "gem" | "brew" | "apt" | "apt-get" | "apk" if called.is("install") => {
            CommandKind::InstallsTool
        }
        "pipx" if called.is("install") => CommandKind::InstallsTool,
        "composer" if called.is("require") => CommandKind::AddsDependency,
        "opam" | "luarocks" if called.is("install") => CommandKind::AddsDependency,
        "composer" | "opam" | "luarocks" if called.is("remove") => CommandKind::RemovesDependency,
        "composer" if called.is("update") => CommandKind::Upgrades,
        "composer" | "pod" if called.is("install") => CommandKind::Installs,
        "pod" if called.is("update") => CommandKind::Upgrades,
        "dotnet" | "swift" | "mix" | "deno" | "flutter" | "dart" => called.language(),
        "terraform" | "tofu" => called.terraform(),
        "helm" if called.is("lint") || called.is("template") => CommandKind::Tests,
        "kubectl" if called.is("diff") || rest.iter().any(|word| word.starts_with("--dry-run")) => {
            CommandKind::Tests
        }
        "pulumi" if called.is("preview") => CommandKind::Tests,
        "ansible-playbook" if called.has("--check") || called.has("--syntax-check") => {
            CommandKind::Tests
        }
        "nginx" if called.has("-t") => CommandKind::Tests,
        "docker" if called.is("build") => CommandKind::Checks,
        "docker" if called.is("push") => CommandKind::Pushes,
        _ if RUNNERS.contains(&program) => called.runner(),
        _ if TESTERS.contains(&program) => CommandKind::Tests,
        _ if CHECKERS.contains(&program) => CommandKind::Checks,
        _ if FORMATTERS.contains(&program) => called.formatter(),
        _ if SCRIPTED.contains(&program) => script(called.first()),
        "xcodebuild" if called.has("test") => CommandKind::Tests,
        "xcodebuild" => CommandKind::Checks,
        "sed" | "perl" => {
            let in_place =
                rest.iter().any(|word| word.starts_with("-i") || word.starts_with("-pi"));
            if in_place { CommandKind::Changes } else { CommandKind::Other }
        }
        "ls" | "find" | "tree" | "fd" if !called.has(">") && !called.has(">>") => {
            CommandKind::Lists
        }
        "rm" | "mv" | "cp" | "tee" | "patch" | "rmdir" | "truncate" | "touch" => {
            CommandKind::Changes
        }
        _ if path.contains("test") || called.names_tests() => CommandKind::Tests,
        _ if called.has(">") || called.has(">>") => CommandKind::Changes,
        _ => CommandKind::Other,
    }
}

/// Programs that run what a project defines: a target with "test" in it tests.
const RUNNERS: &[&str] = &[
    "make", "just", "rake", "gradle", "gradlew", "mvn", "mvnw", "ninja", "cmake", "rails", "task",
    "nx", "turbo",
];
const TESTERS: &[&str] = &[
    "pytest",
    "jest",
    "vitest",
    "rspec",
    "ctest",
    "phpunit",
    "tox",
    "nox",
    "mocha",
    "ava",
    "playwright",
    "cypress",
    "unittest",
    "busted",
    "bats",
];
const CHECKERS: &[&str] = &[
    "tsc",
    "mypy",
    "pyright",
    "javac",
    "gcc",
    "clang",
    "shellcheck",
    "actionlint",
    "hadolint",
    "mkdocs",
    "sphinx-build",
];
const FORMATTERS: &[&str] = &[
    "eslint",
    "prettier",
    "ruff",
    "black",
    "isort",
    "swiftlint",
    "rubocop",
    "gofmt",
    "goimports",
    "swiftformat",
    "clang-format",
    "stylelint",
    "ktlint",
    "biome",
];
/// Programs whose first word says what they do.
const SCRIPTED: &[&str] = &["zig", "stack", "cabal", "sbt", "bazel"];

/// The words without those that say in which part of a project something is run.
fn without_places<'a>(words: &[&'a str]) -> Vec<&'a str> {
    let mut words = words.iter().copied();
    let mut kept = Vec::new();
    while let Some(word) = words.next() {
        match word {
            "--filter" | "-F" | "--dir" | "-C" | "--prefix" | "--cwd" | "-w" | "--workspace"
            | "workspace" => drop(words.next()),
            word => kept.push(word),
        }
    }
    kept
}

/// A program and its words.
struct Called<'a> {
    program: &'a str,
    rest: &'a [&'a str],
}

impl<'a> Called<'a> {
    fn plain(&self) -> impl Iterator<Item = &'a str> + Clone {
        self.rest.iter().copied().filter(|word| !word.starts_with(['-', '>']))
    }

    fn first(&self) -> &'a str {
        self.plain().next().unwrap_or_default()
    }

    fn is(&self, first: &str) -> bool {
        self.first() == first
    }

    fn has(&self, word: &str) -> bool {
        self.rest.contains(&word)
    }

    /// Whether something is named behind the first word.
    fn names(&self) -> bool {
        self.plain().nth(1).is_some()
    }

    fn since_first_plain(&self) -> &'a [&'a str] {
        let at =
            self.rest.iter().position(|word| !word.starts_with('-')).unwrap_or(self.rest.len());
        &self.rest[at..]
    }

    /// What it runs in its own way: what stands behind its options and numbers.
    fn since_program(&self) -> &'a [&'a str] {
        let is_own = |word: &&str| word.starts_with(|c: char| c == '-' || c.is_ascii_digit());
        let at = self.rest.iter().position(|word| !is_own(word)).unwrap_or(self.rest.len());
        &self.rest[at..]
    }

    fn after(&self, word: &str) -> &'a [&'a str] {
        let at = self.rest.iter().position(|one| *one == word).map_or(self.rest.len(), |at| at + 1);
        &self.rest[at..]
    }

    /// Whether one of its words tells some other program to test, as `docker compose run web pytest`.
    fn names_tests(&self) -> bool {
        let tests = |word: &str| {
            let name = word.rsplit('/').next().unwrap_or(word);
            name == "test" || TESTERS.contains(&name)
        };
        !matches!(self.program, "cat" | "ls" | "grep" | "rg" | "find" | "mkdir" | "cd" | "echo")
            && self.plain().any(tests)
    }

    fn git(&self) -> CommandKind {
        match self.first() {
            "tag" if !self.names() && !self.has("-a") => CommandKind::Other,
            "commit" if self.has("--dry-run") => CommandKind::Other,
            "commit" | "tag" | "merge" | "rebase" | "cherry-pick" | "am" => CommandKind::Commits,
            "push" => CommandKind::Pushes,
            "checkout" | "restore" | "revert" | "stash" | "reset" => CommandKind::Reverts,
            "rm" | "mv" | "apply" => CommandKind::Changes,
            "status" | "diff" | "ls-files" => CommandKind::Lists,
            _ => CommandKind::Other,
        }
    }

    fn node_packages(&self) -> CommandKind {
        match self.first() {
            "i" | "install" | "add" if self.names() => CommandKind::AddsDependency,
            "i" | "install" | "ci" => CommandKind::Installs,
            "uninstall" | "remove" | "rm" | "un" => CommandKind::RemovesDependency,
            "update" | "upgrade" | "up" => CommandKind::Upgrades,
            "publish" => CommandKind::Pushes,
            "test" | "t" => CommandKind::Tests,
            "run" | "exec" | "dlx" => script(self.plain().nth(1).unwrap_or_default()),
            other => script(other),
        }
    }

    fn cargo(&self) -> CommandKind {
        match self.first() {
            "add" => CommandKind::AddsDependency,
            "remove" | "rm" => CommandKind::RemovesDependency,
            "update" | "upgrade" => CommandKind::Upgrades,
            "install" => CommandKind::InstallsTool,
            "test" | "nextest" | "bench" => CommandKind::Tests,
            "build" | "check" | "clippy" | "run" | "doc" => CommandKind::Checks,
            "fmt" if self.has("--check") => CommandKind::Checks,
            "fmt" | "fix" => CommandKind::Reformats,
            "publish" => CommandKind::Pushes,
            _ => CommandKind::Other,
        }
    }

    fn go(&self) -> CommandKind {
        match self.first() {
            "get" => CommandKind::AddsDependency,
            "install" => CommandKind::InstallsTool,
            "test" => CommandKind::Tests,
            "build" | "vet" | "run" => CommandKind::Checks,
            "fmt" => CommandKind::Reformats,
            _ => CommandKind::Other,
        }
    }

    fn python_packages(&self) -> CommandKind {
        let is_of_project = self.has("-r") || self.has("-e") || self.has(".") || !self.names();
        match self.first() {
            "update" | "upgrade" => CommandKind::Upgrades,
            "install" if self.has("-U") || self.has("--upgrade") => CommandKind::Upgrades,
            "install" if is_of_project => CommandKind::Installs,
            "remove" | "uninstall" => CommandKind::RemovesDependency,
            "pip" => kind(self.since_first_plain()),
            "add" | "install" => CommandKind::AddsDependency,
            "run" => kind(self.after("run")),
            _ => CommandKind::Other,
        }
    }

    fn interpreter(&self) -> CommandKind {
        if self.has("-m") {
            return kind(self.after("-m"));
        }
        let tests = self.rest.iter().any(|word| word.contains("test"));
        if tests { CommandKind::Tests } else { CommandKind::Other }
    }

    fn bundle(&self) -> CommandKind {
        match self.first() {
            "add" => CommandKind::AddsDependency,
            "remove" => CommandKind::RemovesDependency,
            "update" => CommandKind::Upgrades,
            "install" => CommandKind::Installs,
            "exec" => kind(self.after("exec")),
            _ => CommandKind::Other,
        }
    }

    /// Programs of a language that also look after what a project needs: `flutter pub add`, `swift package
    /// add-dependency`, `mix deps.get`.
    fn language(&self) -> CommandKind {
        let mut words = self.plain().filter(|word| !matches!(*word, "pub" | "package"));
        match words.next().unwrap_or_default() {
            "add" | "add-dependency" if words.next().is_some() => CommandKind::AddsDependency,
            "remove" if words.next().is_some() => CommandKind::RemovesDependency,
            // The language itself.
            "upgrade" if self.is("upgrade") => CommandKind::InstallsTool,
            "upgrade" | "update" | "deps.update" => CommandKind::Upgrades,
            "get" | "install" | "resolve" | "restore" | "deps.get" => CommandKind::Installs,
            "analyze" => CommandKind::Checks,
            other => script(other),
        }
    }

    /// Infrastructure has no other tests than its plan.
    fn terraform(&self) -> CommandKind {
        match self.first() {
            "validate" | "plan" => CommandKind::Tests,
            "apply" | "destroy" => CommandKind::Pushes,
            _ => CommandKind::Other,
        }
    }

    fn runner(&self) -> CommandKind {
        let tests = |word: &str| {
            let word = word.to_ascii_lowercase();
            ["test", "check", "verify", "spec"].iter().any(|test| word.contains(test))
        };
        if self.plain().any(tests) {
            return CommandKind::Tests;
        }
        let target = self.plain().find(|word| !word.starts_with(':')).unwrap_or("build");
        script(target)
    }

    fn formatter(&self) -> CommandKind {
        let flags = ["--fix", "--write", "-w", "-i", "-a", "-A", "--autocorrect"];
        let always =
            matches!(self.program, "black" | "isort" | "swiftformat") && !self.has("--check");
        let rewrites = always || self.is("format") || flags.iter().any(|flag| self.has(flag));
        if rewrites { CommandKind::Reformats } else { CommandKind::Checks }
    }
}

fn script(name: &str) -> CommandKind {
    let lower = name.to_ascii_lowercase();
    let has = |parts: &[&str]| parts.iter().any(|part| lower.contains(part));
    if has(&["test", "spec", "e2e"]) {
        CommandKind::Tests
    } else if has(&["build", "check", "lint", "compile", "validate", "all"]) {
        CommandKind::Checks
    } else if has(&["fmt", "format"]) {
        CommandKind::Reformats
    } else {
        CommandKind::Other
    }
}
