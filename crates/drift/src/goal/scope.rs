//! Where the work is expected.

use serde::{Deserialize, Serialize};

use super::constraint::Constraint;
use super::phrases;
use crate::bounded::fit_latest;
use crate::paths::{FileKind, PathPattern, named_in};

/// So many paths and symbols.
const MAX_PATHS: usize = 64;
const MAX_SYMBOLS: usize = 64;
/// An instruction of so many clauses is long.
const MANY_CLAUSES: usize = 7;
/// A clause of fewer letters is none.
const MIN_CLAUSE: usize = 8;
/// So many bytes of either.
const MAX_BYTES: usize = 3 * 1024;

/// What an instruction names, and what it implies.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Scope {
    /// Files, folders and globs that are named.
    pub paths: Vec<PathPattern>,
    /// Names of functions, types and the like.
    pub symbols: Vec<String>,
    /// Words of what is to stand there, as they are spelled, where that is all that is wanted.
    pub result: Vec<String>,
    /// What comes with it.
    pub wishes: Wishes,
    /// How far it reaches.
    pub breadth: Breadth,
}

/// What else an instruction wants.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a wish of its own, and any of them may be there"
)]
pub struct Wishes {
    /// Tests are to be written or repaired.
    pub tests: bool,
    /// Documentation is to be written.
    pub documents: bool,
    /// A dependency is to be added or raised.
    pub dependencies: bool,
    /// How it is built, checked or deployed is to be changed.
    pub tooling: bool,
    /// It is to be committed or released.
    pub commits: bool,
    /// Something is broken and the cause is not known.
    pub cause: bool,
    /// A question is to be answered.
    pub answer: bool,
}

/// How far an instruction reaches.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Breadth {
    /// One thing in one place.
    #[default]
    Narrow,
    /// A new part of something, which grows over several files.
    Growing,
    /// So much that tests succeed between its steps and say nothing of its end: something new as a whole, one thing in place of
    /// another, a cause that nobody knows.
    Long,
    /// Many files, as a refactoring has them.
    Broad,
}

impl Breadth {
    /// Reads it from what an instruction is about, in small letters and a clause a line.
    fn of(lower: &str) -> Self {
        let lines = || lower.lines().map(str::trim_start);
        let is_long = |line: &str| {
            phrases::begins(line, LONG) || phrases::has(line, LONG_ANYWHERE) || is_measured(line)
        };
        if phrases::has(lower, BROAD) || lines().any(reaches_all) || lines().any(exchanges) {
            Self::Broad
        } else if lines().any(is_long) || is_told_at_length(lower) {
            Self::Long
        } else {
            lines().map(Self::of_making).max().unwrap_or_default()
        }
    }

    /// Something new is a part of what is there, or a whole.
    fn of_making(line: &str) -> Self {
        let is_part = || line.contains('`') || phrases::has(line, PARTS);
        let is_whole = || phrases::begins(line, MAKING) || phrases::has(line, MAKING_ANYWHERE);
        if phrases::begins(line, ADDING_ONE) {
            Self::Growing
        } else if is_whole() {
            if is_part() { Self::Growing } else { Self::Long }
        } else if phrases::has(line, ADDING_ANYWHERE) {
            if phrases::has(line, WHOLES) { Self::Long } else { Self::Growing }
        } else {
            Self::Narrow
        }
    }
}

/// "Move the service from Express to Fastify": one thing for another.
fn exchanges(line: &str) -> bool {
    phrases::begins(line.trim_start(), &["move", "swap", "switch"])
        && phrases::has(line, &["from"])
        && phrases::has(line, &["to"])
}

/// "Every caller", "each of the three services", "the whole module": what there is several of, or much of, are places. "On every
/// rollout" says when, and "every carrier gets its own pool" what.
fn reaches_all(line: &str) -> bool {
    let is_place = |word: &str| {
        let one = word.strip_suffix('s').unwrap_or(word);
        PLACES.contains(&one) || PLACES.contains(&word)
    };
    let is_path = |word: &str| word.contains('/');
    ALL_OF.iter().any(|phrase| {
        let mut rest = line;
        while let Some((at, len)) = phrases::find(rest, &[phrase]) {
            rest = &rest[at + len..];
            let of_word = |c: char| !(c.is_alphanumeric() || c == '/');
            let words = || rest.split(of_word).filter(|word| !word.is_empty());
            if words().take(4).any(is_place) || words().take(2).any(is_path) {
                return true;
            }
        }
        false
    })
}

/// "The search takes 3 seconds"
fn is_measured(line: &str) -> bool {
    phrases::has(line, &["take", "takes"]) && phrases::has(line, &["seconds", "minutes", "hours"])
}

/// Who says much wants much, unless it is what failed that they tell of.
fn is_told_at_length(lower: &str) -> bool {
    let is_mended = phrases::has(lower, CAUSE) || phrases::has(lower, &["fix", "修正"]);
    // "Hi" and "thanks" say nothing.
    let says = |line: &&str| line.chars().count() >= MIN_CLAUSE;
    lower.lines().filter(says).count() >= MANY_CLAUSES && !is_mended
}

impl Scope {
    /// Reads it from what an instruction is about; paths count wherever they stand.
    pub(super) fn of(about: &str, text: &str, root: Option<&str>) -> Self {
        let lower = about.to_lowercase();
        let dotted = about
            .split(|c: char| !(c.is_ascii_alphanumeric() || "_.".contains(c)))
            .filter_map(dotted_path);
        let paths =
            named_in(text, root).into_iter().chain(dotted).map(|path| PathPattern::new(&path));
        let breadth = Breadth::of(&lower);
        let wishes = Wishes {
            tests: phrases::has(&lower, TESTS),
            documents: phrases::has(&lower, DOCUMENTS),
            dependencies: phrases::has(&lower, DEPENDENCIES),
            tooling: phrases::has(&lower, TOOLING),
            commits: phrases::has(&lower, COMMITS),
            cause: phrases::has(&lower, CAUSE),
            answer: about.contains(['?', '？']) || phrases::has(&lower, ANSWER),
        };
        let paths = paths.take(MAX_PATHS).collect();
        let mut scope =
            Self { paths, symbols: symbols(about), result: Vec::new(), wishes, breadth };
        scope.bound();
        scope
    }

    /// Names that begin with a capital, in one word.
    pub(super) fn proper_names(&self) -> impl Iterator<Item = &str> {
        let is_one = |name: &&str| {
            name.starts_with(|c: char| c.is_ascii_uppercase())
                && name.bytes().all(|b| b.is_ascii_alphanumeric())
        };
        self.symbols.iter().map(String::as_str).filter(is_one)
    }

    /// Forgets places that were named only because they are forbidden.
    pub(super) fn leave_out(&mut self, forbidden: &[Constraint]) {
        let is_forbidden = |path: &PathPattern| {
            forbidden.iter().any(|one| matches!(one, Constraint::NotPath(not) if not == path))
        };
        self.paths.retain(|path| !is_forbidden(path));
    }

    /// Forgets places that are only to be looked at, where the work has a place.
    pub(super) fn leave_out_shown(&mut self, shown: &[String]) {
        let is_shown = |path: &PathPattern| shown.iter().any(|one| PathPattern::new(one) == *path);
        if !self.paths.iter().all(is_shown) {
            self.paths.retain(|path| !is_shown(path));
        }
    }

    /// Whether all that it names are texts, and no text is to be written.
    pub(super) fn is_a_text_to_follow(&self) -> bool {
        let is_text = |path: &PathPattern| FileKind::of(path.as_str()) == FileKind::Document;
        !self.paths.is_empty() && self.paths.iter().all(is_text)
    }

    /// Forgets what was named first where too much was named.
    pub(super) fn bound(&mut self) {
        let extra = self.paths.len().saturating_sub(MAX_PATHS);
        self.paths.drain(..extra);
        fit_latest(&mut self.paths, MAX_BYTES, |path| path.as_str().len());
        let extra = self.symbols.len().saturating_sub(MAX_SYMBOLS);
        self.symbols.drain(..extra);
        fit_latest(&mut self.symbols, MAX_BYTES, String::len);
    }

    /// Takes in what a further instruction adds.
    pub(super) fn widen(&mut self, other: Self) {
        for path in other.paths {
            if !self.paths.contains(&path) {
                self.paths.push(path);
            }
        }
        for symbol in other.symbols {
            if !self.symbols.contains(&symbol) {
                self.symbols.push(symbol);
            }
        }
        self.bound();
        self.result = other.result;
        self.breadth = self.breadth.max(other.breadth);
        let Wishes { tests, documents, dependencies, tooling, commits, cause, answer } =
            other.wishes;
        self.wishes.tests |= tests;
        self.wishes.documents |= documents;
        self.wishes.dependencies |= dependencies;
        self.wishes.tooling |= tooling;
        self.wishes.commits |= commits;
        self.wishes.cause |= cause;
        self.wishes.answer |= answer;
    }
}

/// What is in backticks, or is written as only code is: `loadUser`, `load_user`, `a::b`, `load()`.
fn symbols(text: &str) -> Vec<String> {
    let mut found: Vec<String> = phrases::quoted(text).map(str::to_owned).collect();
    let names = text.split(|c: char| !(c.is_ascii_alphanumeric() || "_:.()".contains(c)));
    found.extend(names.filter(|name| is_a_symbol(name)).map(str::to_owned));
    let mut kept: Vec<String> = Vec::new();
    for symbol in found {
        let symbol = symbol.trim_matches(['.', ':', '(', ')', ' ']).to_owned();
        if !symbol.is_empty() && !kept.contains(&symbol) {
            kept.push(symbol);
        }
        if kept.len() >= MAX_SYMBOLS {
            break;
        }
    }
    kept
}

/// The path of a qualified name: `com.acme.geo.Projection`.
fn dotted_path(name: &str) -> Option<String> {
    let name = name.trim_matches('.');
    let parts: Vec<&str> = name.split('.').collect();
    let is_name = |part: &&str| part.starts_with(|c: char| c.is_ascii_alphabetic());
    let last_is_type =
        parts.last().is_some_and(|last| last.starts_with(|c: char| c.is_ascii_uppercase()));
    (parts.len() >= 3 && last_is_type && parts.iter().all(is_name)).then(|| parts.join("/"))
}

fn is_a_symbol(name: &str) -> bool {
    let name = name.trim_matches(['.', ':', '(']);
    let has_hump = name
        .as_bytes()
        .windows(2)
        .any(|pair| pair[0].is_ascii_lowercase() && pair[1].is_ascii_uppercase());
    let is_joined = name.contains('_') || name.contains("::") || name.ends_with("()");
    name.len() >= 3
        && name.len() < 80
        && name.starts_with(|c: char| c.is_ascii_alphabetic())
        && (has_hump || is_joined)
}

/// An instruction that begins so wants something new.
const MAKING: &[&str] = &[
    "add",
    "please add",
    "implement",
    "write",
    "build",
    "create",
    "introduce",
    "develop",
    "make a",
    "make an",
    "please implement",
    "please write",
    "please build",
    "please create",
];
/// One that says so anywhere does, too.
const MAKING_ANYWHERE: &[&str] = &[
    "i want a",
    "i want an",
    "we want a",
    "i need a",
    "i need an",
    "we need a",
    "we need an",
    "i'd like a",
];
/// Whoever adds one of something adds a part.
const ADDING_ONE: &[&str] =
    &["add a", "add an", "add one", "add the", "please add a", "please add an"];
const ADDING_ANYWHERE: &[&str] = &["実装", "を作", "追加", "作成"];
/// What is new and is only a part of something.
const PARTS: &[&str] = &[
    "argument",
    "badge",
    "button",
    "check",
    "checkbox",
    "column",
    "comment",
    "constraint",
    "endpoint",
    "field",
    "filter",
    "flag",
    "header",
    "icon",
    "index",
    "key",
    "label",
    "line",
    "link",
    "log",
    "message",
    "option",
    "param",
    "parameter",
    "property",
    "route",
    "subcommand",
    "test",
    "tests",
    "toggle",
    "tooltip",
    "validation",
    "variable",
    "warning",
    "ボタン",
    "リンク",
    "項目",
    "カラム",
    "フィールド",
    "欄",
    "フラグ",
    "オプション",
    "パラメータ",
    "エンドポイント",
    "フィルタ",
    "アイコン",
    "チェックボックス",
    "メッセージ",
];

/// What is more than a part.
const WHOLES: &[&str] = &["機能", "画面を", "ページを", "アプリ", "システム"];

/// Who begins so wants one thing in place of another, or beside it.
const LONG: &[&str] = &[
    "replace",
    "switch",
    "swap",
    "pull",
    "support",
    "integrate",
    "dockerize",
    "dockerise",
    "containerize",
    "containerise",
];
/// Who says so does not know how far the cause reaches.
const LONG_ANYWHERE: &[&str] = &[
    "find out",
    "figure out",
    "figure it out",
    "figure this out",
    "investigate",
    "some users",
    "some people",
    "sometimes",
    "randomly",
    "occasionally",
    "intermittently",
    "speed up",
    "faster",
    "performance",
    "out of memory",
    "oom",
    "takes too long",
    "latency",
    "optimize",
    "optimise",
    "たまに",
    "時々",
    "一部の",
    "高速化",
    "遅い",
    "遅すぎ",
    "原因を調",
];

const BROAD: &[&str] = &[
    "refactor",
    "refactoring",
    "rename",
    "everywhere",
    "across",
    "throughout",
    "clean up",
    "cleanup",
    "tidy up",
    "migrate",
    "split",
    "reorganise",
    "reorganize",
    "restructure",
    "convert",
    "get rid of",
    "extract",
    "all files",
    "all uses",
    "all usages",
    "all callers",
    "all occurrences",
    "everything that",
    "everything which",
    "wherever",
    "move all",
    "modernise",
    "modernize",
    "consistent",
    "consistently",
    "upgrade",
    "port the",
    "rewrite",
    "redesign",
    "translate",
    "localize",
    "localise",
    "リファクタ",
    "翻訳",
    "全て",
    "すべて",
    "全部",
    "一括",
    "置き換え",
    "移行",
    "分割",
    "整理",
    "リネーム",
    "改名",
    "移して",
    "移動",
    "共通化",
    "統一",
    "各",
    "全体",
    "名前を変",
];
/// What follows says of what.
const ALL_OF: &[&str] =
    &["every", "each", "the whole", "whole of", "entire", "all", "in all", "all our", "all the"];
/// What code has several of.
const PLACES: &[&str] = &[
    "app",
    "call",
    "caller",
    "class",
    "classes",
    "codebase",
    "code",
    "command",
    "component",
    "config",
    "consumer",
    "controller",
    "crate",
    "endpoint",
    "file",
    "folder",
    "function",
    "handler",
    "import",
    "kernel",
    "layer",
    "library",
    "libraries",
    "log",
    "method",
    "migration",
    "model",
    "module",
    "occurrence",
    "package",
    "page",
    "place",
    "print",
    "program",
    "project",
    "query",
    "queries",
    "repo",
    "repository",
    "route",
    "screen",
    "script",
    "service",
    "site",
    "string",
    "suite",
    "template",
    "test",
    "thing",
    "usage",
    "use",
    "view",
    "workflow",
];
const TESTS: &[&str] = &[
    "test",
    "tests",
    "coverage",
    "spec",
    "specs",
    "e2e",
    "end to end test",
    "unit test",
    "テスト",
    "カバレッジ",
];
const DOCUMENTS: &[&str] = &[
    "document",
    "documentation",
    "docs",
    "readme",
    "changelog",
    "release notes",
    "javadoc",
    "docstring",
    "docstrings",
    "jsdoc",
    "rustdoc",
    "write what you find",
    "write up",
    "adr",
    "ドキュメント",
    "文書",
    "説明を書",
    "リリースノート",
];
const DEPENDENCIES: &[&str] = &[
    "migrate",
    "移行",
    "dependency",
    "dependencies",
    "upgrade",
    "update to",
    "switch to",
    "install",
    "bump",
    "を使って",
    "アップグレード",
    "バージョンを上げ",
    "導入",
];
const TOOLING: &[&str] = &[
    "migrate",
    "upgrade",
    "移行",
    "the build",
    "build fails",
    "build is",
    "build error",
    "ci",
    "lint",
    "linter",
    "eslint",
    "prettier",
    "docker",
    "dockerfile",
    "dockerize",
    "dockerise",
    "containerize",
    "containerise",
    "workflow",
    "workflows",
    "pipeline",
    "deploy",
    "webpack",
    "vite",
    "cmake",
    "gradle",
    "terraform",
    "makefile",
    "tsconfig",
    "ビルド",
    "デプロイ",
];
const COMMITS: &[&str] = &[
    "commit",
    "push",
    "release",
    "tag",
    "open a pr",
    "pull request",
    "コミット",
    "プッシュ",
    "リリース",
];
const CAUSE: &[&str] = &[
    "fails",
    "failing",
    "failed",
    "fail",
    "broken",
    "breaks",
    "bug",
    "crash",
    "crashes",
    "segfault",
    "hang",
    "hangs",
    "oom",
    "killed",
    "flaky",
    "error",
    "exception",
    "traceback",
    "wrong",
    "sometimes",
    "leak",
    "find out",
    "investigate",
    "why",
    "500",
    "502",
    "doesn't work",
    "not working",
    "does not work",
    "red",
    "stuck",
    "slow",
    "deadlock",
    "race",
    "off by",
    "regression",
    "原因",
    "失敗",
    "落ち",
    "エラー",
    "おかしい",
    "直して",
    "バグ",
    "動かない",
    "壊れ",
    "クラッシュ",
    "不具合",
    "遅い",
    "調べ",
];
const ANSWER: &[&str] = &[
    "why",
    "how",
    "what",
    "where",
    "explain",
    "which",
    "investigate",
    "analyse",
    "analyze",
    "look into",
    "compare",
    "tell me",
    "summarise",
    "summarize",
    "is it feasible",
    "estimate",
    "list the",
    "教えて",
    "なぜ",
    "どこ",
    "調べ",
    "説明",
    "調査",
    "どう",
];
