//! What a file is, by its path alone.

use serde::{Deserialize, Serialize};

use super::name;

/// What part a file has in a project.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum FileKind {
    /// A test, or what tests need.
    Test,
    /// It says what is built, and of which dependencies.
    Build,
    /// For people to read.
    Document,
    /// How people work on the project: editors, linters, continuous integration.
    Tooling,
    /// Anything else.
    Source,
}

impl FileKind {
    /// The kind of a file.
    pub(crate) fn of(path: &str) -> Self {
        let lower = path.to_ascii_lowercase();
        let (folder, name) = lower.rsplit_once('/').unwrap_or(("", &lower));
        if lower.starts_with(".github/") {
            // `test.yml` there runs tests and is none.
            Self::Tooling
        } else if is_test(path, folder, name) {
            Self::Test
        } else if BUILD.contains(&name) || is_build_by_form(name) {
            Self::Build
        } else if is_tooling(&lower, name) {
            Self::Tooling
        } else if is_document(folder, name) {
            Self::Document
        } else {
            Self::Source
        }
    }
}

/// Whether it lists what changed: `news.md` does, `newsletter.c` and `history.ts` do not.
pub(crate) fn is_changelog(path: &str) -> bool {
    path.starts_with(".changeset/") || is_changelog_by_name(&name(path).to_ascii_lowercase())
}

/// Whether it is a text that says what is to be done, wherever it lies.
pub(crate) fn is_prose(path: &str) -> bool {
    let lower = name(path).to_lowercase();
    let is_text = match lower.rsplit_once('.') {
        Some((_, ending)) => matches!(ending, "md" | "mdx" | "rst" | "adoc" | "org" | "txt"),
        None => matches!(&*lower, "readme" | "todo" | "plan" | "spec" | "tasks" | "roadmap"),
    };
    is_text && FileKind::of(path) != FileKind::Build
}

fn is_changelog_by_name(name: &str) -> bool {
    let (bare, ending) = name.split_once('.').unwrap_or((name, ""));
    let is_text = matches!(ending, "" | "md" | "rst" | "txt" | "adoc" | "mdx");
    bare.starts_with("changelog")
        || (is_text && matches!(bare, "changes" | "history" | "news" | "releases"))
}

fn is_test(path: &str, folder: &str, name: &str) -> bool {
    let in_tests =
        folder.split('/').any(|part| TEST_FOLDERS.contains(&part) || part.ends_with("tests"));
    let (bare, endings) = name.split_once('.').unwrap_or((name, ""));
    let inner = endings
        .split('.')
        .any(|part| matches!(part, "test" | "tests" | "spec" | "specs" | "cy" | "e2e"));
    let cased = super::bare_name(path);
    in_tests
        || inner
        || matches!(bare, "test" | "tests")
        || bare.starts_with("test_")
        || bare.ends_with("_test")
        || bare.ends_with("_tests")
        || bare.ends_with("_spec")
        || bare.ends_with("-test")
        || cased.ends_with("Test")
        || cased.ends_with("Tests")
        || cased.ends_with("Spec")
        || name == "conftest.py"
}

const TEST_FOLDERS: &[&str] = &[
    "test",
    "tests",
    "testing",
    "spec",
    "specs",
    "__tests__",
    "testdata",
    "fixtures",
    "e2e",
    "mocks",
    "mock",
    "__mocks__",
    "__snapshots__",
    "cypress",
];

const BUILD: &[&str] = &[
    "cargo.toml",
    "cargo.lock",
    "package.json",
    "package-lock.json",
    "pnpm-lock.yaml",
    "yarn.lock",
    "go.mod",
    "go.sum",
    "pyproject.toml",
    "poetry.lock",
    "uv.lock",
    "pipfile",
    "pipfile.lock",
    "setup.py",
    "pom.xml",
    "build.gradle",
    "build.gradle.kts",
    "settings.gradle",
    "settings.gradle.kts",
    "libs.versions.toml",
    "gemfile",
    "gemfile.lock",
    "cmakelists.txt",
    "makefile",
    "package.swift",
    "package.resolved",
    "podfile",
    "build.rs",
    "mix.exs",
    "composer.json",
    "composer.lock",
    "versions.tf",
    "build.sbt",
    "bun.lockb",
    "deno.json",
    "pubspec.yaml",
    "pubspec.lock",
    "flake.nix",
    "flake.lock",
    "meson.build",
    "conanfile.txt",
    "conanfile.py",
    "vcpkg.json",
    "cartfile",
    "mix.lock",
    "rebar.config",
    "deps.edn",
    "project.clj",
    "stack.yaml",
    "gradle.lockfile",
    "pnpm-workspace.yaml",
    "directory.packages.props",
    "workspace",
];

fn is_build_by_form(name: &str) -> bool {
    (name.starts_with("requirements") && name.contains(".txt"))
        || [".csproj", ".gemspec", ".cabal", ".podspec", ".sln", ".bazel", ".gradle", ".gradle.kts"]
            .iter()
            .any(|end| name.ends_with(end))
}

fn is_document(folder: &str, name: &str) -> bool {
    let in_documents =
        folder.split('/').any(|part| matches!(part, "doc" | "docs" | "documentation"));
    let is_text = [".md", ".rst", ".adoc", ".mdx"].iter().any(|end| name.ends_with(end));
    let is_program = name.rsplit_once('.').is_some_and(|(_, end)| PROGRAMS.contains(&end));
    (in_documents && !is_program)
        || is_text
        || is_changelog_by_name(name)
        || name.starts_with("readme")
}

/// What is no document, wherever it lies.
const PROGRAMS: &[&str] = &[
    "js", "mjs", "cjs", "ts", "tsx", "jsx", "py", "rb", "rs", "go", "sh", "java", "kt", "c", "cpp",
];

fn is_tooling(lower: &str, name: &str) -> bool {
    let first = lower.split('/').next().unwrap_or_default();
    let letter = name.bytes().next();
    matches!(
        first,
        ".github"
            | ".vscode"
            | ".idea"
            | ".circleci"
            | ".gitlab"
            | ".husky"
            | ".devcontainer"
            | ".githooks"
            | ".cargo"
            | "build-logic"
    ) || (name.starts_with('.') && !name.starts_with(".env"))
        || TOOLING.iter().any(|start| start.bytes().next() == letter && name.starts_with(start))
}

const TOOLING: &[&str] = &[
    "eslint",
    "prettier",
    "tsconfig",
    "vite.config",
    "vitest.config",
    "webpack",
    "rollup",
    "babel.config",
    "jest.config",
    "playwright.config",
    "docker-compose",
    "dockerfile",
    "rustfmt",
    "clippy",
    "gradle.properties",
    "tox.ini",
    "setup.cfg",
    "renovate",
    "dependabot",
    "jenkinsfile",
    "azure-pipelines",
    "rakefile",
    "justfile",
    "nx.json",
    "turbo.json",
    "mypy",
    "ruff",
    "pytest.ini",
    "biome",
    "lefthook",
    "rust-toolchain",
];

/// Whether it ends like a file that projects hold.
pub(super) fn has_known_ending(path: &str) -> bool {
    let name = name(path);
    let Some((before, ending)) = name.rsplit_once('.') else { return false };
    let is = |known: &&str| known.eq_ignore_ascii_case(ending);
    (!before.is_empty() || path.contains('/')) && ENDINGS.iter().chain(LONG_ENDINGS).any(is)
}

/// Whether it is the name of a file that has no ending.
pub(super) fn is_known_name(path: &str) -> bool {
    matches!(
        path,
        "README"
            | "CHANGELOG"
            | "CONTRIBUTING"
            | "LICENSE"
            | "Makefile"
            | "Dockerfile"
            | "Gemfile"
            | "Rakefile"
            | "Procfile"
            | "Jenkinsfile"
            | "Podfile"
            | "Vagrantfile"
            | ".gitignore"
            | ".env"
            | ".npmrc"
            | ".editorconfig"
            | ".dockerignore"
            | ".gitattributes"
            | ".gitmodules"
    )
}

const ENDINGS: &[&str] = &[
    "rs", "py", "pyi", "ts", "tsx", "js", "jsx", "mjs", "cjs", "mts", "go", "java", "kt", "kts",
    "rb", "erb", "c", "h", "cc", "cpp", "hpp", "cxx", "swift", "m", "mm", "cs", "fs", "php", "ex",
    "exs", "erl", "hs", "ml", "scala", "clj", "lua", "pl", "sh", "bash", "zsh", "ps1", "sql", "tf",
    "hcl", "md", "mdx", "rst", "adoc", "txt", "json", "jsonl", "toml", "yaml", "yml", "xml",
    "html", "htm", "css", "scss", "sass", "less", "vue", "svelte", "astro", "proto", "graphql",
    "gql", "prisma", "lock", "ini", "cfg", "conf", "env", "svg", "png", "jpg", "gif", "ico", "csv",
    "tsv", "ipynb", "r", "jl", "dart", "zig", "nim", "sol", "tmpl", "hbs", "ejs", "haml", "slim",
    "strings", "plist", "gradle", "bat", "cmake", "mod", "sum", "log", "snap", "j2", "jinja",
    "mustache", "po", "pot",
];
const LONG_ENDINGS: &[&str] = &["properties", "webmanifest"];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_what_its_path_says() {
        let cases = [
            ("src/auth/LoginForm.test.tsx", FileKind::Test),
            ("tests/common/test_clock.py", FileKind::Test),
            ("AppTests/SettingsSnapshotTests.swift", FileKind::Test),
            ("src/watch/tests.rs", FileKind::Test),
            ("src/contest.rs", FileKind::Source),
            ("Cargo.toml", FileKind::Build),
            ("requirements-dev.txt", FileKind::Build),
            ("docs/api.md", FileKind::Document),
            ("CHANGELOG", FileKind::Document),
            ("NEWS.md", FileKind::Document),
            ("src/newsletter.c", FileKind::Source),
            ("web/history.ts", FileKind::Source),
            (".github/workflows/ci.yml", FileKind::Tooling),
            (".github/workflows/test.yml", FileKind::Tooling),
            (".githooks/pre-commit", FileKind::Tooling),
            ("buildSrc/src/main/kotlin/test-conventions.gradle.kts", FileKind::Build),
            ("docs/scripts/check-links.mjs", FileKind::Source),
            ("vite.config.ts", FileKind::Tooling),
            ("src/config.rs", FileKind::Source),
        ];
        for (path, expected) in cases {
            assert_eq!(FileKind::of(path), expected, "{path}");
        }
    }
}
