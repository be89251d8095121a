//! What a line for a shell does to a project, as far as its words say.
//!
//! This is no guard: a line that hides what it does is passed over, and the working tree shows later what changed.

mod effect;
mod programs;
mod substituting;

use serde::{Deserialize, Serialize};

use crate::paths::{lies_in, within};
pub use effect::{Committed, Effect, Paths, Source};

/// So many commands of one line.
const MAX_COMMANDS: usize = 16;
/// So many words of one command.
const MAX_WORDS: usize = 64;

/// One command of a line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Command {
    /// What it does.
    pub kind: CommandKind,
    /// Its words.
    pub words: Vec<String>,
    /// The files that it changes, where they can be read from it.
    pub changes: Vec<String>,
    /// What it does to what was changed before.
    #[serde(default, skip_serializing_if = "Effect::is_none")]
    pub effect: Effect,
}

impl Command {
    fn is_removal(&self) -> bool {
        let mut words = self.words.iter().map(String::as_str);
        match words.next() {
            Some("git") => words.next() == Some("rm"),
            program => matches!(program, Some("rm" | "rmdir")),
        }
    }

    /// Whether it has a generator make files: `rails g migration`, `artisan make:model`, `alembic revision`.
    pub(crate) fn generates(&self) -> bool {
        let parts = self.words.iter().skip(1).flat_map(|word| word.split(':'));
        let makes = ["g", "generate", "make", "makemigrations", "create", "scaffold", "revision"];
        parts.into_iter().any(|part| makes.contains(&part))
    }

    /// Whether it removes a file, itself or with its folder.
    pub(crate) fn removes(&self, file: &str) -> bool {
        self.is_removal() && self.changes.iter().any(|path| lies_in(file, path))
    }
}

/// What a command does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CommandKind {
    /// Tests: its success says that the work is right.
    Tests,
    /// Builds or checks: its success says that the work holds together.
    Checks,
    /// Adds something that others wrote to the project.
    AddsDependency,
    /// Raises the version of what it already has.
    Upgrades,
    /// Installs what the project already asks for.
    Installs,
    /// Installs a tool on the machine.
    InstallsTool,
    /// Records the work: commit, tag, merge.
    Commits,
    /// Sends it away.
    Pushes,
    /// Takes changes back.
    Reverts,
    /// Takes out of the project what others wrote.
    RemovesDependency,
    /// Changes, moves or removes files.
    Changes,
    /// Rewrites many files at once: formatters, fixers.
    Reformats,
    /// Says which files there are, or which were changed.
    Lists,
    /// Looks, or does what we do not know.
    Other,
}

/// The commands of a line.
pub(super) fn read(line: &str, root: Option<&str>) -> Vec<Command> {
    let mut place = Place { root, folder: String::new() };
    let mut commands: Vec<Command> = vec![];
    for Part { words, reads } in split(line).into_iter().filter(|part| !part.words.is_empty()) {
        if commands.len() >= MAX_COMMANDS {
            break;
        }
        let fed = commands.last().filter(|_| reads == Reads::Pipe).map(|fed| &fed.words[..]);
        let next = command(words, fed, &mut place);
        commands.push(next);
    }
    commands
}

/// Where a command runs.
struct Place<'a> {
    root: Option<&'a str>,
    /// Within the project; empty at its root.
    folder: String,
}

impl Place<'_> {
    /// A path of a command, as it is within the project.
    fn within(&self, path: &str) -> String {
        let path = within(path, self.root);
        if self.folder.is_empty() || path.starts_with(['/', '~', '$']) {
            return path;
        }
        let mut parts: Vec<&str> = self.folder.split('/').collect();
        for part in path.split('/') {
            match part {
                "" | "." => {}
                ".." => drop(parts.pop()),
                part => parts.push(part),
            }
        }
        parts.join("/")
    }

    /// The same in another folder.
    fn enter(&self, folder: &str) -> Self {
        let folder = self.within(folder.trim_end_matches('/'));
        Self { root: self.root, folder: if folder == "." { String::new() } else { folder } }
    }
}

/// Whether all that they change of files is that some are gone or as they were.
pub(super) fn only_removes(commands: &[Command]) -> bool {
    let mut changing = commands.iter().filter(|one| !one.changes.is_empty()).peekable();
    changing.peek().is_some() && changing.all(Command::is_removal)
}

fn command(mut words: Vec<String>, fed: Option<&[String]>, place: &mut Place<'_>) -> Command {
    words.truncate(MAX_WORDS);
    let is_setting = |word: &String| {
        word.split_once('=').is_some_and(|(name, _)| {
            !name.is_empty()
                && name.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_')
        })
    };
    while words.first().is_some_and(|word| {
        is_setting(word) || matches!(word.as_str(), "sudo" | "time" | "env" | "then" | "do" | "!")
    }) {
        words.remove(0);
    }
    if let [program, folder] = &words[..]
        && program == "cd"
    {
        *place = place.enter(folder);
    }
    let elsewhere = match &words[..] {
        [git, option, folder, ..] if git == "git" && option == "-C" => Some(place.enter(folder)),
        _ => None,
    };
    if elsewhere.is_some() {
        words.drain(1..3);
    }
    drop_options_of_git(&mut words);
    let place = elsewhere.as_ref().unwrap_or(place);
    let kind = programs::kind(&words.iter().map(String::as_str).collect::<Vec<_>>());
    let effect = effect::effect(&words, fed, |path| place.within(path));
    let mut changes: Vec<String> = match &effect {
        Effect::Moves(moves) => {
            moves.iter().flat_map(|(from, to)| [from.clone(), to.clone()]).collect()
        }
        _ => changed(&words, kind).into_iter().map(|path| place.within(&path)).collect(),
    };
    changes.retain(|path| {
        !path.is_empty()
            && !path.starts_with('/')
            && !path.starts_with('~')
            && !path.starts_with('$')
            && path != "."
    });
    Command { kind, words, changes, effect }
}

/// What stands between `git` and what it does says nothing of that.
fn drop_options_of_git(words: &mut Vec<String>) {
    while words.first().is_some_and(|program| program == "git") {
        match words.get(1).map(String::as_str) {
            Some("-c") if words.len() > 2 => drop(words.drain(1..3)),
            Some("--no-pager" | "-P" | "--no-optional-locks") => drop(words.remove(1)),
            _ => return,
        }
    }
}

/// One command of a line that is cut into them.
#[derive(Default)]
struct Part {
    words: Vec<String>,
    reads: Reads,
}

/// What a command reads.
#[derive(Default, PartialEq, Eq)]
enum Reads {
    #[default]
    Nothing,
    /// What the command before it prints.
    Pipe,
}

/// Words between separators; quotes keep words together, and a redirection is a word of its own.
fn split(line: &str) -> Vec<Part> {
    let mut commands = vec![Part::default()];
    let mut word = String::new();
    let mut quote: Option<char> = None;
    let end = |word: &mut String, commands: &mut Vec<Part>| {
        if !word.is_empty()
            && let Some(last) = commands.last_mut()
        {
            last.words.push(std::mem::take(word));
        }
    };
    let mut chars = line.chars().peekable();
    while let Some(c) = chars.next() {
        match quote {
            Some(open) if c == open => quote = None,
            Some(_) => word.push(c),
            None => match c {
                '\'' | '"' => quote = Some(c),
                '\\' => word.extend(chars.next()),
                ';' | '\n' | '|' | '&' => {
                    if c == '&' && word.ends_with('>') {
                        word.push(c);
                        continue;
                    }
                    end(&mut word, &mut commands);
                    let is_fed = c == '|'
                        && chars.peek() != Some(&'|')
                        && commands.last().is_some_and(|last| !last.words.is_empty());
                    let reads = if is_fed { Reads::Pipe } else { Reads::Nothing };
                    commands.push(Part { words: vec![], reads });
                }
                '>' => {
                    if word.chars().all(|c| c.is_ascii_digit()) {
                        word.clear();
                    }
                    end(&mut word, &mut commands);
                    word.push('>');
                    if chars.peek().is_some_and(|next| *next != '&' && *next != '>') {
                        end(&mut word, &mut commands);
                    }
                }
                c if c.is_whitespace() => end(&mut word, &mut commands),
                c => word.push(c),
            },
        }
    }
    end(&mut word, &mut commands);
    commands
}

fn changed(words: &[String], kind: CommandKind) -> Vec<String> {
    let mut files = Vec::new();
    for pair in words.windows(2) {
        if matches!(pair[0].as_str(), ">" | ">>") && !pair[1].starts_with('&') {
            files.push(pair[1].clone());
        }
    }
    if kind != CommandKind::Changes {
        return files;
    }
    let program = words.first().map(String::as_str).unwrap_or_default();
    let plain: Vec<&String> =
        words.iter().skip(1).filter(|word| !word.starts_with(['-', '>'])).collect();
    match program {
        // Which files a patch has, its name does not say.
        "git" if plain.first().is_some_and(|first| *first == "apply") => {}
        "git" => files.extend(plain.into_iter().skip(1).cloned()),
        "sed" | "perl" => {
            files.extend(substituting::files(words).into_iter().map(str::to_owned));
        }
        "cp" => files.extend(plain.last().map(|last| (*last).clone())),
        "rm" | "mv" | "tee" | "truncate" => files.extend(plain.into_iter().cloned()),
        _ => {}
    }
    files.retain(|file| !file.contains([' ', '(', '|', '^', '=']));
    files
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_what_its_commands_do() {
        use CommandKind::{
            AddsDependency, Changes, Checks, Commits, Installs, InstallsTool, Lists, Other, Pushes,
            Reformats, RemovesDependency, Reverts, Tests, Upgrades,
        };
        let cases: &[(&str, &[CommandKind], &str)] = &[
            ("cargo add figment --features env", &[AddsDependency], ""),
            ("cd web && echo x > a.ts; rm ../b.ts", &[Other, Changes, Changes], "web/a.ts b.ts"),
            ("cd /tmp && echo x > a.ts", &[Other, Changes], ""),
            ("git -C web rm a.ts", &[Changes], "web/a.ts"),
            ("git -C web commit -m x", &[Commits], ""),
            ("cargo remove figment", &[RemovesDependency], ""),
            ("npm uninstall eslint", &[RemovesDependency], ""),
            ("pip uninstall -y rich", &[RemovesDependency], ""),
            ("poetry remove rich", &[RemovesDependency], ""),
            ("git add a && git commit -m 'x; y'", &[Other, Commits], ""),
            ("git tag v1", &[Commits], ""),
            ("git push origin main", &[Pushes], ""),
            ("npm i", &[Installs], ""),
            ("npm i -D eslint@9", &[AddsDependency], ""),
            ("flutter pub add image", &[AddsDependency], ""),
            ("dart pub remove image", &[RemovesDependency], ""),
            ("dart pub upgrade --major-versions", &[Upgrades], ""),
            ("flutter pub get", &[Installs], ""),
            ("flutter test test/upload_test.dart", &[Tests], ""),
            ("flutter analyze", &[Checks], ""),
            ("deno add jsr:@std/csv", &[AddsDependency], ""),
            ("swift package add-dependency https://x.test/a.git", &[AddsDependency], ""),
            ("mix deps.get", &[Installs], ""),
            ("mix deps.update --all", &[Upgrades], ""),
            ("pnpm --filter web add zod", &[AddsDependency], ""),
            ("pipx install ruff", &[InstallsTool], ""),
            ("opam install yojson", &[AddsDependency], ""),
            ("pod install", &[Installs], ""),
            ("npx vitest run test/a 2>&1 | tail", &[Tests, Other], ""),
            ("bundle exec rspec spec/a.rb", &[Tests], ""),
            ("cmake -B build && cmake --build build", &[Checks, Checks], ""),
            ("sed -i 's/a/b/' src/a.rs src/b.rs", &[Changes], "src/a.rs src/b.rs"),
            ("echo hi > notes.md", &[Changes], "notes.md"),
            ("make 2>&1 | grep -c warning", &[Checks, Other], ""),
            ("git checkout src/a.rs", &[Reverts], ""),
            ("php artisan test --filter=Cart", &[Tests], ""),
            ("docker compose run web bin/rspec", &[Tests], ""),
            ("mkdir -p test", &[Other], ""),
            ("timeout -k 5 30 cargo build", &[Checks], ""),
            ("valgrind --leak-check=full ./build/tests/resize", &[Tests], ""),
            ("php artisan migrate", &[Other], ""),
            ("git mv a.go b.go", &[Changes], "a.go b.go"),
            ("cargo fmt --all", &[Reformats], ""),
            ("pnpm --filter web e2e login", &[Tests], ""),
            ("yarn workspace api build", &[Checks], ""),
            ("go test ./gateway -update", &[Other], ""),
            ("git status --short && ls src", &[Lists, Lists], ""),
            ("grep -rl x src | xargs sed -i s/x/y/", &[Other, Changes], ""),
            ("helm lint charts/api", &[Tests], ""),
            ("helm upgrade api charts/api", &[Other], ""),
            ("kubectl apply -f a.yaml --dry-run=server", &[Tests], ""),
            ("pulumi preview", &[Tests], ""),
            ("ansible-playbook site.yml --check", &[Tests], ""),
            ("nginx -t -c deploy/nginx.conf", &[Tests], ""),
        ];
        for &(line, kinds, files) in cases {
            let commands = read(line, None);
            assert_eq!(commands.iter().map(|one| one.kind).collect::<Vec<_>>(), kinds, "{line}");
            let changed: Vec<String> = commands.into_iter().flat_map(|one| one.changes).collect();
            assert_eq!(changed.join(" "), files, "{line}");
        }
    }
}
