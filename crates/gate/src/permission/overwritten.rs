//! Finds the files that an ordinary line removes or overwrites: `rm a`, `mv a b`, `echo > a`.
//!
//! The guard judges most of these lines as unknown, because the files are few and named. The
//! working tree is saved before such a line runs, if one of the files exists.

use verger_shell::{Command, Inside, Mode, Script, Word};

use super::atoms::{attached, like, operands};
use super::directories::Moves;
use super::named::{MAX_NAMED, NamedPath};
use super::own_writes::option_text;
use super::paths::{Ground, begins_temporary, is_hidden};

/// The paths that a line removes or overwrites, if they exist.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Overwritten {
    /// Paths of files. A directory with such a path stays as it is.
    pub files: Vec<NamedPath>,
    /// Paths of files, and of directories with everything in them.
    pub trees: Vec<NamedPath>,
    /// Operands whose values are known only when the line runs.
    pub hidden: Vec<String>,
}

impl Overwritten {
    /// Whether the line removes and overwrites nothing.
    pub fn is_empty(&self) -> bool {
        self.files.is_empty() && self.trees.is_empty() && self.hidden.is_empty()
    }
}

/// The paths that the commands of a line remove or overwrite, in order and without repetition. The
/// caller has to check which of them exist. Most lines have no such command, and cost only a look
/// at the names of their programs.
pub fn overwritten(script: &Script, ground: &Ground<'_>) -> Overwritten {
    let mut found = Overwritten::default();
    let concerned = script.commands.iter().enumerate().filter(|(_, command)| writes(command));
    let mut moves = None;
    for (index, command) in concerned {
        if script.runs_elsewhere(index) {
            continue;
        }
        let moves = moves.get_or_insert_with(|| Moves::of(script, ground));
        for place in moves.seen_by(script, index) {
            let ground = Ground { cwd: Some(place), ..*ground };
            Collector { found: &mut found, ground }.command(command);
        }
    }
    found
}

/// The ways in which programs remove or overwrite files.
#[derive(Debug, Clone, Copy)]
enum Act {
    /// It removes its operands.
    Remove,
    /// It overwrites its operands, unless it has one of these options.
    Overwrite {
        unless: &'static [&'static str],
    },
    /// It overwrites its last operand, or files in it, with its other operands.
    Copy {
        unless: &'static [&'static str],
    },
    /// Like `Copy`, and its other operands are gone.
    Move,
    /// Like `Copy`, if it has the option `-f`.
    Link,
    /// It overwrites the file in `of=`.
    Convert,
    /// It overwrites its operands, if it has the option `-i`.
    Edit,
    Git,
}

fn act(program: &str) -> Option<Act> {
    Some(match program {
        "rm" | "grm" | "unlink" | "gunlink" | "shred" | "gshred" | "srm" | "wipe" | "rimraf"
        | "del-cli" => Act::Remove,
        "truncate" | "gtruncate" => Act::Overwrite { unless: &[] },
        "tee" | "gtee" => Act::Overwrite { unless: &["-a", "--append"] },
        "sponge" => Act::Overwrite { unless: &["-a"] },
        "cp" | "gcp" => Act::Copy { unless: &["-n", "--no-clobber"] },
        "install" | "ginstall" => Act::Copy { unless: &["-d", "--directory"] },
        "scp" => Act::Copy { unless: &[] },
        "rsync" => Act::Copy { unless: &["-n", "--dry-run", "--ignore-existing"] },
        "mv" | "gmv" => Act::Move,
        "ln" | "gln" => Act::Link,
        "dd" | "gdd" => Act::Convert,
        "sed" | "gsed" | "perl" => Act::Edit,
        "git" => Act::Git,
        _ => return None,
    })
}

/// Whether the command may remove or overwrite files. A command whose variables the line sets is
/// read again with their values, so it doesn't count itself.
fn writes(command: &Command) -> bool {
    let is_written = || command.redirects.iter().any(|redirect| redirect.mode == Mode::Write);
    command.inside != Inside::Readings
        && (command.program().and_then(act).is_some() || is_written())
}

/// Collects the paths of one command that runs in the ground's working directory.
struct Collector<'a, 'g> {
    found: &'a mut Overwritten,
    ground: Ground<'g>,
}

impl Collector<'_, '_> {
    fn command(&mut self, command: &Command) {
        let written = command.redirects.iter().filter(|redirect| redirect.mode == Mode::Write);
        for redirect in written {
            self.file(&redirect.target);
        }
        let Some((program, words)) = command.program().zip(command.argv.get(1..)) else { return };
        let has = |names: &[&str]| has_any(words, names);
        match act(program) {
            Some(Act::Remove) => operands(words).for_each(|word| self.tree(word)),
            Some(Act::Overwrite { unless }) if !has(unless) => {
                operands(words).for_each(|word| self.file(word));
            }
            Some(Act::Copy { unless }) if !has(unless) => self.copy(program, words),
            Some(Act::Move) if !has(&["-n", "--no-clobber"]) => self.relocate(words),
            Some(Act::Link) if has(&["-f", "--force"]) => self.copy(program, words),
            Some(Act::Convert) => {
                let files = words.iter().filter_map(|word| Some((word, of_file(word)?)));
                files.for_each(|(word, file)| self.file(&like(word, file)));
            }
            Some(Act::Edit) if words.iter().any(|word| edits_in_place(program, word.text())) => {
                operands(words).for_each(|word| self.file(word));
            }
            Some(Act::Git) => self.git(words),
            Some(_) | None => {}
        }
    }

    /// A copy to the last operand, or to the directory in `-t`.
    fn copy(&mut self, program: &str, words: &[Word]) {
        let takes_directory = !matches!(program, "rsync" | "scp");
        let directory = option_text(words, 't', "--target-directory");
        let directory = directory.filter(|_| takes_directory);
        let mut sources: Vec<_> = operands(words).collect();
        let target = match directory {
            Some(directory) => Word::Literal(directory.to_owned()),
            // `ln a/b` makes a link in the working directory.
            None if sources.len() == 1 && program.ends_with("ln") => Word::Literal(".".to_owned()),
            None => match sources.pop() {
                Some(target) => target.clone(),
                None => return,
            },
        };
        let is_recursive =
            program == "rsync" || has_any(words, &["-r", "-R", "-a", "--recursive", "--archive"]);
        self.file(&target);
        for source in sources {
            let is_literal = source.literal().is_some() && target.literal().is_some();
            let source = source.text();
            let name = source.trim_end_matches('/').rsplit('/').next().unwrap_or_default();
            if is_recursive && (source.ends_with('/') || matches!(name, "" | "." | "..")) {
                self.tree(&target);
                continue;
            }
            let inside = format!("{}/{name}", target.text().trim_end_matches('/'));
            let inside = if is_literal { Word::Literal(inside) } else { Word::Spread(inside) };
            if is_recursive { self.tree(&inside) } else { self.file(&inside) }
        }
    }

    /// A move to the last operand. The moved files are lost only for the project, and only if the
    /// target is outside of it.
    fn relocate(&mut self, words: &[Word]) {
        self.copy("mv", words);
        let told = option_text(words, 't', "--target-directory");
        let Some(target) = told.or_else(|| operands(words).last().map(Word::text)) else { return };
        if !self.ground.is_in_project(&self.ground.absolute(target)) {
            operands(words).for_each(|word| self.tree(word));
        }
    }

    fn git(&mut self, words: &[Word]) {
        let mut at = 0;
        let mut directory = None;
        while let Some(text) = words.get(at).map(Word::text).filter(|text| text.starts_with('-')) {
            if text == "-C" {
                directory = words.get(at + 1).map(Word::text);
            }
            at += if matches!(text, "-C" | "-c") { 2 } else { 1 };
        }
        let Some((subcommand, rest)) = words.get(at..).and_then(<[Word]>::split_first) else {
            return;
        };
        let directory = directory.map(|directory| self.ground.absolute(directory));
        let ground = Ground { cwd: directory.as_deref().or(self.ground.cwd), ..self.ground };
        let mut inside = Collector { found: self.found, ground };
        let has = |names: &[&str]| has_any(rest, names);
        match subcommand.text() {
            "checkout" if !has(&["-b", "-B", "--orphan"]) => {
                operands(rest).for_each(|word| inside.tree(word));
            }
            "restore" if !has(&["--staged", "-S"]) || has(&["--worktree", "-W"]) => {
                operands(rest).for_each(|word| inside.tree(word));
            }
            "mv" if has(&["-f", "--force"]) => inside.copy("mv", rest),
            _ => {}
        }
    }

    fn file(&mut self, word: &Word) {
        if let Some(path) = self.path(word) {
            add(&mut self.found.files, path);
        }
    }

    fn tree(&mut self, word: &Word) {
        if let Some(path) = self.path(word) {
            add(&mut self.found.trees, path);
        }
    }

    /// The path or pattern of a word. A word whose value is not known is added to the hidden ones
    /// instead.
    fn path(&mut self, word: &Word) -> Option<NamedPath> {
        let text = word.text();
        if text.is_empty() || text.starts_with("/dev/") || text.starts_with(['>', '<']) {
            return None;
        }
        if is_hidden(word) || word.has_braces() {
            let is_elsewhere = is_elsewhere(text, &self.ground);
            let hidden = &mut self.found.hidden;
            if !is_elsewhere
                && hidden.len() < MAX_NAMED
                && !hidden.iter().any(|known| known == text)
            {
                hidden.push(text.to_owned());
            }
            return None;
        }
        let path = self.ground.absolute(text);
        let is_pattern = word.literal().is_none() && text.contains(['*', '?', '[']);
        Some(if is_pattern { NamedPath::Pattern(path) } else { NamedPath::Path(path) })
    }
}

fn add(paths: &mut Vec<NamedPath>, path: NamedPath) {
    if paths.len() < MAX_NAMED && !paths.contains(&path) {
        paths.push(path);
    }
}

fn has_any(words: &[Word], names: &[&str]) -> bool {
    words.iter().any(|word| names.iter().any(|name| attached(name, word.text()).is_some()))
}

fn of_file(word: &Word) -> Option<&str> {
    word.text().strip_prefix("of=")
}

/// Whether the word makes `sed` or `perl` change files in place: `-i`, `-i.bak`, `-pi`. A letter
/// after an option with a value belongs to the value: `-MList::Util`.
fn edits_in_place(program: &str, text: &str) -> bool {
    let with_value: &[char] = if program == "perl" {
        &['e', 'E', 'C', 'D', 'F', 'I', 'm', 'M', 'V', 'x']
    } else {
        &['e', 'f', 'l']
    };
    let letters = text.strip_prefix('-').filter(|letters| !letters.starts_with('-'));
    let letters = letters.and_then(|letters| letters.split(with_value).next());
    letters.is_some_and(|letters| letters.contains('i')) || text.starts_with("--in-place")
}

/// Whether a word with an unknown value surely names a file outside of the project.
fn is_elsewhere(text: &str, ground: &Ground<'_>) -> bool {
    let start = text.split(['$', '`']).next().unwrap_or_default();
    let directory = start.rsplit_once('/').map(|(directory, _)| directory);
    let is_outside = |directory: &str| {
        let project = ground.root.or(ground.cwd).unwrap_or_default();
        !text.contains("..")
            && !ground.is_in_project(directory)
            && !Ground { root: Some(directory), ..*ground }.is_in_project(project)
    };
    text.contains("$(mktemp")
        || begins_temporary(text, ground)
        || directory.is_some_and(|directory| directory.starts_with('/') && is_outside(directory))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The paths that a line removes or overwrites: trees end with a slash, hidden operands begin
    /// with a question mark.
    #[track_caller]
    fn check(line: &str, expected: &[&str]) {
        let ground = Ground {
            cwd: Some("/p"),
            home: Some("/home/dev"),
            root: Some("/p"),
            ..Ground::default()
        };
        let Overwritten { files, trees, hidden } = overwritten(&verger_shell::read(line), &ground);
        let files = files.iter().map(|path| path.text().to_owned());
        let trees = trees.iter().map(|path| format!("{}/", path.text()));
        let hidden = hidden.iter().map(|word| format!("?{word}"));
        let found: Vec<_> = files.chain(trees).chain(hidden).collect();
        assert_eq!(found, expected, "{line}");
    }

    #[test]
    fn removed_and_overwritten_paths_are_found() {
        for (line, expected) in [
            ("rm -f a ~/b", &["/p/a/", "/home/dev/b/"][..]),
            ("rm -- -a *.md", &["/p/-a/", "/p/*.md/"]),
            ("/bin/rm a", &["/p/a/"]),
            ("sudo unlink a", &["/p/a/"]),
            ("bash -c 'rm a'", &["/p/a/"]),
            ("echo > a", &["/p/a"]),
            ("make &> a 2>/dev/null", &["/p/a"]),
            (": >| a", &["/p/a"]),
            ("> a", &["/p/a"]),
            ("cat <<E > a\nx\nE", &["/p/a"]),
            ("cp a b", &["/p/b", "/p/b/a"]),
            ("cp x/*.md b/", &["/p/b", "/p/b/*.md"]),
            ("cp -t b x/a", &["/p/b", "/p/b/b", "/p/b/a"]),
            ("cp -r x/. b", &["/p/b", "/p/b/"]),
            ("cp -r x b", &["/p/b", "/p/b/x/"]),
            ("mv a b", &["/p/b", "/p/b/a"]),
            ("mv a /tmp/b", &["/tmp/b", "/tmp/b/a", "/p/a/", "/tmp/b/"]),
            ("install -m 644 a b", &["/p/b", "/p/b/644", "/p/b/a"]),
            ("ln -sf a b", &["/p/b", "/p/b/a"]),
            ("ln -sf x/a", &["/p", "/p/a"]),
            ("rsync -a x/ b", &["/p/b", "/p/b/"]),
            ("truncate -s0 a", &["/p/a"]),
            ("echo x | tee a b", &["/p/a", "/p/b"]),
            ("dd if=x of=a", &["/p/a"]),
            ("shred a", &["/p/a/"]),
            ("sed -i s/x/y/ a", &["/p/s/x/y", "/p/a"]),
            ("sed -Ei.bak -e s/x/y/ a", &["/p/s/x/y", "/p/a"]),
            ("perl -pi -e s/x/y/ a", &["/p/s/x/y", "/p/a"]),
            ("git checkout HEAD a", &["/p/HEAD/", "/p/a/"]),
            ("git -C b restore a", &["/p/b/a/"]),
            ("git mv -f a b", &["/p/b", "/p/b/a"]),
        ] {
            check(line, expected);
        }
    }

    #[test]
    fn paths_are_resolved_from_every_directory_of_the_line() {
        check("cd b && rm a", &["/p/a/", "/p/b/a/"]);
        check("(cd /tmp && ls); rm a", &["/p/a/", "/tmp/a/"]);
    }

    #[test]
    fn operands_that_only_running_tells_are_hidden() {
        for (line, expected) in [
            ("date > \"$a\"", &["?$a"][..]),
            ("a=b; date > $a", &["/p/b"]),
            ("rm {a,$b}", &["/p/a/", "?{a,$b}", "?$b"]),
            ("find . -exec sed -i s/x/y/ {} +", &["/p/s/x/y", "?$_"]),
            ("ls | xargs sed -i s/x/y/", &["/p/s/x/y", "?$_"]),
            ("date > $(mktemp)", &[]),
            ("date > /tmp/$a", &[]),
            ("date > /tmp/a-$$", &[]),
            ("date > /home/$USER/a", &[]),
            ("date > /p/$a", &["?/p/$a"]),
        ] {
            check(line, expected);
        }
    }

    #[test]
    fn other_lines_overwrite_nothing() {
        for line in [
            "ls -la",
            "cargo test 2>&1 | tail -3",
            "cat a 2>/dev/null",
            "echo x >> a",
            "echo x | tee -a a",
            "echo 'rm a > b'",
            "cp -n a b",
            "mv --no-clobber a b",
            "rsync -an a b",
            "ln -s a b",
            "install -d a",
            "sed s/x/y/ a",
            "sed -n -e 1p a",
            "perl -MList::Util -e 1 a",
            "git checkout -b a",
            "git restore --staged a",
            "git mv a b",
            "git commit -m 'rm a'",
            "git stash",
            "ssh host rm a",
            "diff <(sort a) b",
        ] {
            check(line, &[]);
        }
    }
}
