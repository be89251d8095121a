//! The habit of a subagent to build or test the whole project, although it works on a part of it.

use verger_shell::Word;

use super::about::Habit;
use super::arguments::{Arguments, Options, Reach};
use super::line::{Call, Caller, Line};
use super::look::Found;

const CARGO_GLOBAL: Options = Options::whole(
    "q|quiet v|verbose color= offline locked frozen C= Z= config= list V|version h|help",
);

const CARGO: Options = Options::whole(
    "p|package= workspace all exclude= lib bins bin= examples example= tests test= benches bench= \
     all-targets manifest-path= target= target-dir= F|features= all-features profile= \
     j|jobs= r|release message-format= color= config= Z= E|filterset= filter-expr= no-run q|quiet \
     v|verbose ignore-rust-version locked offline frozen keep-going no-default-features doc \
     document-private-items no-deps open no-fail-fast fix allow-dirty allow-staged P= \
     test-threads= retries= partition= nocapture no-capture status-level= final-status-level= h|help",
);

const NODE: Options = Options::whole(
    "w|workspace= ws|workspaces prefix= C|dir= F|filter= r|recursive if-present s|silent \
     workspace-root loglevel= cwd= h|help parallel stream",
);

const MAKE: Options = Options::whole(
    "C|directory= f|file= j|jobs[=] k|keep-going n|dry-run|just-print q|question s|silent B|always-make \
     i|ignore-errors l|load-average[=] o|old-file= W|what-if= I|include-dir= h|help v|version O[=] e w",
);

const PYTEST: Options = Options {
    known: "k= m= n|numprocesses= p= c= o|override-ini= rootdir= ignore= deselect= maxfail= tb= cov[=] \
            durations= x|exitfirst v|verbose q|quiet s lf|last-failed ff|failed-first sw|stepwise \
            co|collect-only h|help V|version W= r= cov-report= junitxml= timeout= dist= import-mode=",
    names: super::arguments::Names::Whole,
};

/// Make targets and package scripts that build or test the whole project.
const WHOLE: &[&str] =
    &["all", "build", "test", "tests", "check", "ci", "verify", "lint", "typecheck", "compile"];

pub(super) fn find(line: &Line<'_>) -> Option<Found> {
    if line.scene.caller != Caller::Subagent {
        return None;
    }
    let is_whole = |call: Call<'_>, whole: fn(&Build<'_>) -> bool| {
        let directory = line.directory(call.index);
        whole(&Build { words: &call.argv[1..], directory, line })
    };
    let found = line.calls(&["cargo"]).any(|call| is_whole(call, cargo))
        || line.calls(&["npm", "pnpm", "yarn", "bun"]).any(|call| is_whole(call, node))
        || line.calls(&["make", "gmake", "just", "ninja"]).any(|call| is_whole(call, make))
        || line.calls(&["go"]).any(|call| is_whole(call, go))
        || line.calls(&["pytest", "py.test"]).any(|call| is_whole(call, pytest))
        || line.calls(&["python", "python3"]).any(|call| is_whole(call, python))
        || line.calls(&["tox", "nox"]).any(|call| is_whole(call, whole_but_help))
        || line.calls(&["mvn", "mvnw", "gradle", "gradlew"]).any(|call| is_whole(call, jvm))
        || line.calls(&["bazel", "bazelisk"]).any(|call| is_whole(call, bazel))
        || line.calls(&["turbo"]).any(|call| is_whole(call, turbo));
    found.then(|| Found::new(Habit::SubagentBuilds))
}

/// A command that runs a build program.
struct Build<'a> {
    words: &'a [Word],
    directory: String,
    line: &'a Line<'a>,
}

impl<'a> Build<'a> {
    /// Whether the build covers the whole project. `named` are the directories in the command's
    /// options.
    fn is_at_root<'d>(&self, named: impl IntoIterator<Item = &'d str>) -> bool {
        let last = named.into_iter().last();
        let path = self.line.path(&self.directory, last.unwrap_or("."));
        self.line.is_whole_project(&path)
    }

    fn read(&self, options: &Options) -> Arguments<'a> {
        options.read(self.words, Reach::All)
    }
}

fn cargo(build: &Build<'_>) -> bool {
    let words = build.words;
    let words = match words.first() {
        Some(word) if word.text().starts_with('+') => &words[1..],
        _ => words,
    };
    let Some(at) = CARGO_GLOBAL.read(words, Reach::Leading).first_operand() else { return false };
    let is_build = matches!(
        words[at].text(),
        "build" | "b" | "check" | "c" | "test" | "t" | "clippy" | "bench" | "doc" | "d" | "nextest"
    );
    if !is_build {
        return false;
    }
    // The words after `--` are arguments for the tests: `cargo test -- name`.
    let arguments = CARGO.read(&words[at + 1..], Reach::All);
    if arguments.has("help") {
        return false;
    }
    if arguments.has_any(&["workspace", "all"]) {
        return true;
    }
    let is_limited = arguments.has_any(&[
        "package",
        "bin",
        "example",
        "test",
        "bench",
        "filterset",
        "filter-expr",
    ]);
    let is_narrowed = match words[at].text() {
        "test" | "t" | "bench" => arguments.operands().any(|word| !word.text().starts_with('-')),
        "nextest" => {
            let mut operands = arguments.operands();
            let is_run = operands.next().is_some_and(|word| matches!(word.text(), "run" | "r"));
            !is_run || operands.next().is_some()
        }
        _ => false,
    };
    let manifests = arguments.values("manifest-path");
    let directories = manifests.map(|path| path.strip_suffix("Cargo.toml").unwrap_or(path));
    let directories = directories.map(|path| if path.is_empty() { "." } else { path });
    !is_limited && !is_narrowed && build.is_at_root(directories)
}

fn node(build: &Build<'_>) -> bool {
    let arguments = build.read(&NODE);
    if arguments.has_any(&["workspace", "filter", "help"]) {
        return false;
    }
    let mut operands = arguments.operands().map(Word::text);
    let script = match operands.next() {
        Some("run" | "run-script") => operands.next(),
        Some("t") => Some("test"),
        other => other,
    };
    let names_one = operands.next().is_some();
    let is_whole =
        script.is_some_and(|script| WHOLE.contains(&script.split(':').next().unwrap_or_default()));
    let prefixes = ["prefix", "dir", "cwd"].into_iter().flat_map(|name| arguments.values(name));
    is_whole && !names_one && build.is_at_root(prefixes)
}

fn make(build: &Build<'_>) -> bool {
    let arguments = build.read(&MAKE);
    if arguments.has_any(&["just-print", "dry-run", "question", "help", "version"]) {
        return false;
    }
    let targets: Vec<_> =
        arguments.operands().map(Word::text).filter(|text| !text.contains('=')).collect();
    let is_whole = targets.is_empty() || targets.iter().any(|target| WHOLE.contains(target));
    is_whole && build.is_at_root(arguments.values("directory"))
}

fn go(build: &Build<'_>) -> bool {
    let mut words = build.words.iter().map(Word::text);
    let mut directory = None;
    let subcommand = loop {
        match words.next() {
            Some("-C") => directory = words.next(),
            other => break other,
        }
    };
    matches!(subcommand, Some("build" | "test" | "vet" | "install"))
        && words.any(|word| word == "all" || (word == "./..." && build.is_at_root(directory)))
}

fn pytest(build: &Build<'_>) -> bool {
    let arguments = build.read(&PYTEST);
    let is_limited = arguments.has_any(&[
        "k",
        "m",
        "last-failed",
        "stepwise",
        "collect-only",
        "help",
        "version",
    ]);
    let is_whole = |word: &Word| matches!(word.text(), "." | "./" | "tests" | "tests/" | "test");
    !is_limited
        && arguments.operands().all(is_whole)
        && build.is_at_root(arguments.values("rootdir"))
}

fn python(build: &Build<'_>) -> bool {
    match build.words {
        [module, name, rest @ ..] if module.text() == "-m" && name.text() == "pytest" => {
            pytest(&Build { words: rest, directory: build.directory.clone(), line: build.line })
        }
        _ => false,
    }
}

fn whole_but_help(build: &Build<'_>) -> bool {
    let is_other =
        |word: &Word| matches!(word.text(), "-h" | "--help" | "--version" | "-l" | "--list");
    !build.words.iter().any(is_other) && build.is_at_root(None)
}

fn jvm(build: &Build<'_>) -> bool {
    let texts = || build.words.iter().map(Word::text);
    let is_limited = texts().any(|text| {
        text.starts_with("-pl")
            || text.starts_with("--projects")
            || text.starts_with("-Dtest=")
            || text == "--tests"
            || text == "-p"
            || (text.contains(':') && !text.starts_with('-'))
    });
    let is_whole = |text: &str| {
        matches!(text, "build" | "test" | "check" | "package" | "verify" | "install" | "assemble")
    };
    !is_limited && texts().any(is_whole) && build.is_at_root(None)
}

fn bazel(build: &Build<'_>) -> bool {
    let mut texts = build.words.iter().map(Word::text).filter(|text| !text.starts_with('-'));
    matches!(texts.next(), Some("build" | "test"))
        && texts.any(|text| matches!(text, "//..." | "//...:all" | "..."))
}

fn turbo(build: &Build<'_>) -> bool {
    let texts = || build.words.iter().map(Word::text);
    let is_limited = texts().any(|text| text.starts_with("--filter") || text.starts_with("-F"));
    !is_limited && texts().any(|text| WHOLE.contains(&text))
}
