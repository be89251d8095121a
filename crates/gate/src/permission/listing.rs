//! Decides which files a word stands for if another command of the command line lists them, as in
//! `git ls-files | xargs wc`.

use verger_shell::{Command, Place, Script, Stdin, Word};

use super::name_pattern::is_specific;
use super::scene::Scene;

/// The parser's placeholder for the arguments that `xargs` or `find -exec` adds at run time.
const INPUT: &str = "$_";
/// The maximum number of commands in a pipeline that are followed.
const MAX_PIPES: usize = 8;

/// The breadth of a list of files: whether it includes hidden files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Breadth {
    /// Files that are named on the command line, or files that aren't hidden.
    Narrow,
    /// All files, including hidden files.
    Broad,
}

/// Programs that print the whole content of a file.
const TELLS_ALL: &[&str] = &[
    "cat", "head", "tail", "tac", "nl", "rev", "xxd", "od", "hexdump", "strings", "base64", "bat",
    "sed", "awk", "jq", "yq", "sort", "cut", "tr", "paste", "column", "diff", "comm",
];

/// Whether the word stands for files that another command lists, and reading these files can't show
/// credentials.
pub(super) fn is_listed(word: &Word, scene: &Scene<'_>) -> bool {
    if word.literal().is_some() {
        return false;
    }
    let breadth = breadth(word, scene);
    let tells_all = scene.command().program().is_none_or(|name| TELLS_ALL.contains(&name));
    match breadth {
        Some(Breadth::Narrow) => true,
        Some(Breadth::Broad) => !tells_all,
        None => false,
    }
}

/// Whether the word stands for all files, including hidden files, that another command lists.
pub(super) fn is_broad(word: &Word, scene: &Scene<'_>) -> bool {
    word.literal().is_none() && breadth(word, scene) == Some(Breadth::Broad)
}

fn breadth(word: &Word, scene: &Scene<'_>) -> Option<Breadth> {
    match word.text() {
        INPUT => put_in(scene),
        text => match variable(text) {
            Some(name) => variable_breadth(name, scene),
            None => substituted(text, scene),
        },
    }
}

/// The breadth of the list of files that `xargs` or `find` adds to the command.
fn put_in(scene: &Scene<'_>) -> Option<Breadth> {
    let Place::Within(outer) = scene.command().place else { return None };
    let outer = scene.at(outer);
    match outer.command().program()? {
        "xargs" => piped(&outer),
        "find" => lists(outer.command(), &outer),
        _ => None,
    }
}

/// The variable name in `$f` or `${f}`.
fn variable(text: &str) -> Option<&str> {
    let name = text.strip_prefix('$')?;
    let name = name.strip_prefix('{').and_then(|name| name.strip_suffix('}')).unwrap_or(name);
    let is_name = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    (is_name && name.starts_with(|c: char| c.is_ascii_alphabetic())).then_some(name)
}

/// The breadth of the files that a variable stands for. `None` unless all its values come from
/// `read` with a pipe, or from loops over listed files.
fn variable_breadth(name: &str, scene: &Scene<'_>) -> Option<Breadth> {
    let commands = &scene.script.commands;
    let is_assigned = |command: &Command| command.assignments.iter().any(|a| a.name == name);
    if commands.iter().any(is_assigned) {
        return None;
    }
    let reads = commands.iter().enumerate().filter(|(_, command)| {
        command.program() == Some("read")
            && command.argv.iter().skip(1).any(|word| word.literal() == Some(name))
    });
    let read = reads.map(|(index, _)| piped(&scene.at(index)));
    let looped = scene.script.looped(name).map(|word| match word {
        Word::Literal(_) => scene.is_harmless_file(word).then_some(Breadth::Narrow),
        Word::Dynamic(text) | Word::Spread(text) if text.starts_with("$(") => {
            substituted(text, scene)
        }
        Word::Dynamic(_) | Word::Spread(_) => (super::files::is_known(word)
            && scene.is_harmless_file(word))
        .then_some(Breadth::Narrow),
    });
    read.chain(looped).reduce(|one, other| Some(one?.max(other?)))?
}

/// The breadth of the files that a substitution `$(...)` lists. `None` if it doesn't only list
/// files.
fn substituted(text: &str, scene: &Scene<'_>) -> Option<Breadth> {
    let inner = text.strip_prefix("$(")?.strip_suffix(')')?;
    let script = verger_shell::read(inner);
    script_breadth(&script, scene)
}

fn script_breadth<'a>(script: &'a Script, scene: &Scene<'a>) -> Option<Breadth> {
    let is_chain = script.commands.iter().skip(1).all(|command| {
        matches!(command.stdin, Stdin::Pipe(Some(_))) && command.place == Place::Line
    });
    if !script.unread.is_empty() || !is_chain {
        return None;
    }
    chain(&scene.at_end_of(script)?)
}

fn piped(scene: &Scene<'_>) -> Option<Breadth> {
    let Stdin::Pipe(Some(from)) = scene.command().stdin else { return None };
    chain(&scene.at(from))
}

/// The breadth of the files that the pipeline ending with this command lists.
fn chain(scene: &Scene<'_>) -> Option<Breadth> {
    let mut at = *scene;
    for _ in 0..MAX_PIPES {
        let command = at.command();
        match command.stdin {
            Stdin::Inherited => return lists(command, &at),
            Stdin::Pipe(Some(from)) if hands_on(command) => at = at.at(from),
            _ => return None,
        }
    }
    None
}

/// The breadth of the files that the command lists. `None` if it does anything but list files of
/// the project.
fn lists(command: &Command, scene: &Scene<'_>) -> Option<Breadth> {
    let words = plain_words(command)?;
    let has = |wanted: &[&str]| words.iter().any(|word| wanted.contains(word));
    let has_letter = |letter| {
        let is_short = |word: &&&str| word.starts_with('-') && !word.starts_with("--");
        words.iter().filter(is_short).any(|word| word.contains(letter))
    };
    // The letter must be one of several short options in the word. In `-tlua`, `lua` is the value
    // of `-t`.
    let lists_names = |letters: &str| {
        let is_it = |word: &&str| {
            let given = word.strip_prefix('-').filter(|given| !given.starts_with('-'));
            given.is_some_and(|given| {
                given.contains('l') && given.chars().all(|c| letters.contains(c))
            })
        };
        words.iter().any(is_it) || has(&["--files-with-matches"])
    };
    let is_outside = |word: &&str| !word.starts_with('-') && !scene.is_inside(word);
    if words.iter().any(is_outside) {
        return None;
    }
    let broad = |is_broad| Some(if is_broad { Breadth::Broad } else { Breadth::Narrow });
    match command.argv.first()?.literal()? {
        "git" => {
            git_lists(&words).then_some(())?;
            broad(has(&["--others", "-o"]))
        }
        "find" => broad(!is_narrow_search(&words)),
        "fd" => {
            let mut endings =
                words.windows(2).filter(|pair| matches!(pair[0], "-e" | "--extension"));
            let is_secret = endings.any(|pair| !is_specific(&format!("*.{}", pair[1])));
            (!is_secret).then_some(())?;
            broad(has_letter('H') || has_letter('u') || has(&["--hidden", "--no-ignore"]))
        }
        "rg" => {
            (has(&["--files"]) || lists_names("acFHhiIlLnNoPpqsSuUvwx0")).then_some(())?;
            broad(has_letter('u') || has(&["--hidden", "--no-ignore"]))
        }
        "grep" => lists_names("abcEFGHhiIlLnoPqrRsvwxzZ").then_some(Breadth::Broad),
        "ls" => broad(has_letter('a') || has_letter('A') || has(&["--all", "--almost-all"])),
        _ => None,
    }
}

/// Whether git prints only names of files, and no text that other people may have written.
fn git_lists(words: &[&str]) -> bool {
    let has = |wanted: &[&str]| words.iter().any(|word| wanted.contains(word));
    let start = words.iter().take_while(|word| **word == "--no-pager" || **word == "-P").count();
    match words.get(start) {
        Some(&"ls-files") => true,
        Some(&("diff" | "diff-index" | "diff-files" | "ls-tree")) => has(&["--name-only"]),
        // Without `--no-commit-id`, `git diff-tree` prints text of the commit before the names.
        Some(&"diff-tree") => has(&["--name-only"]) && has(&["--no-commit-id"]),
        Some(&("show" | "log")) => {
            has(&["--name-only"]) && has(&["--format=", "--pretty=", "--pretty=format:"])
        }
        Some(&"grep") => has(&["-l", "--name-only", "--files-with-matches"]),
        _ => false,
    }
}

/// Whether the `find` expression restricts the name of every file that it finds.
fn is_narrow_search(words: &[&str]) -> bool {
    let is_action = |word: &&str| {
        ["-exec", "-print", "-ls", "-quit"].iter().any(|action| word.starts_with(action))
    };
    let is_not = |word: &str| matches!(word, "!" | "-not");
    if words.windows(2).any(|pair| is_not(pair[0]) && pair[1] == "(") {
        return false;
    }
    let mut alternatives = words.split(|word| matches!(*word, "-o" | "-or" | ","));
    alternatives.all(|alternative| {
        let is_left_out = alternative.contains(&"-prune") && !alternative.iter().any(is_action);
        let is_named = |at: usize| {
            let is_other = at > 0 && is_not(alternative[at - 1]);
            let is_name = matches!(alternative[at], "-name" | "-iname" | "-path" | "-ipath");
            is_name && !is_other && alternative.get(at + 1).is_some_and(|name| is_specific(name))
        };
        is_left_out || (0..alternative.len()).any(is_named)
    })
}

/// Whether the command is a filter that passes on file names unchanged.
fn hands_on(command: &Command) -> bool {
    let Some(words) = plain_words(command) else { return false };
    match command.argv.first().and_then(Word::literal) {
        Some("grep" | "egrep" | "sort" | "uniq" | "head" | "tail") => true,
        Some("awk") => matches!(&*words, [program] if is_field(program)),
        _ => false,
    }
}

/// Whether an awk program prints one field: `{print $2}`.
fn is_field(program: &str) -> bool {
    let inner = program.trim().strip_prefix('{').and_then(|rest| rest.strip_suffix('}'));
    let field = inner.and_then(|inner| inner.trim().strip_prefix("print $"));
    field.is_some_and(|field| field == "NF" || field.bytes().all(|byte| byte.is_ascii_digit()))
}

/// The words after the program's name. `None` if a word is unknown or names credentials.
fn plain_words(command: &Command) -> Option<Vec<&str>> {
    let words = command.argv.get(1..)?.iter().map(|word| {
        let pattern = Word::Spread(word.text().to_owned());
        let is_plain = super::files::is_known(word)
            && !super::files::may_be_secret(&pattern)
            && !speaks_of_secrets(word.text());
        is_plain.then_some(word.text())
    });
    words.collect()
}

fn speaks_of_secrets(text: &str) -> bool {
    const SIGNS: &[&str] = &[
        ".env",
        "secret",
        "credential",
        ".ssh",
        "id_rsa",
        "id_ed",
        "id_ec",
        "id_dsa",
        ".pem",
        ".key",
        "passw",
        "token",
        ".aws",
        ".npmrc",
        ".netrc",
        "environ",
        ".gnupg",
        ".kube",
        "shadow",
    ];
    let text = text.to_ascii_lowercase();
    SIGNS.iter().any(|sign| text.contains(sign))
}
