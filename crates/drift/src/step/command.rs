//! What a line for a shell does to a project, as far as its words say.
//!
//! This is no guard: a line that hides what it does is passed over, and the working tree shows later what changed.

mod effect;
mod programs;
mod substituting;

use serde::{Deserialize, Serialize};

use verger_shell::{Inside, Mode, Script, Stdin, When, Word};

use crate::bounded::is_default;
use crate::paths::{lies_in, within};
pub use effect::{Committed, Effect, Paths, Source};

/// So many commands of one line.
const MAX_COMMANDS: usize = 16;
/// So many words of one command.
const MAX_WORDS: usize = 64;
/// Shells in shells.
const MAX_DEPTH: usize = 4;

/// One command of a line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Command {
    /// What it does.
    pub kind: CommandKind,
    /// Its words.
    pub words: Vec<String>,
    /// The files that it changes, where they can be read from it.
    pub changes: Vec<String>,
    /// Those of them that it makes, unless they were there.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub makes: Vec<String>,
    /// What it does to what was changed before.
    #[serde(default, skip_serializing_if = "Effect::is_none")]
    pub effect: Effect,
    /// Whether its output goes into another command: then nobody sees whether it succeeded.
    #[serde(default, skip_serializing_if = "is_default")]
    pub is_piped: bool,
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

    /// Whether it only shows what is there.
    pub(crate) fn looks(&self) -> bool {
        let program = self.words.first().map_or("", String::as_str);
        matches!(
            program,
            "cat"
                | "head"
                | "tail"
                | "less"
                | "grep"
                | "rg"
                | "sed"
                | "awk"
                | "echo"
                | "git"
                | "gh"
                | "cd"
        )
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

/// The commands of a line that run whenever it does, as far as it shows. What may not have run is neither something that was done nor
/// something that was taken back.
///
/// Kept apart: edits, which are most steps that are scored, run nothing of it.
#[inline(never)]
pub(super) fn read(line: &str, place: Place<'_>) -> Vec<Command> {
    let script = verger_shell::read(line);
    let mut reading = Reading { script: &script, place, folders: vec![], commands: vec![] };
    for index in 0..script.commands.len() {
        if script.commands[index].place == verger_shell::Place::Line {
            reading.take(index, 0);
        }
    }
    reading.commands.into_iter().map(|(_, command)| command).collect()
}

/// A line while its commands are taken from it.
struct Reading<'a> {
    script: &'a Script,
    place: Place<'a>,
    /// Where the shells of it are that went elsewhere.
    folders: Vec<(usize, String)>,
    /// With the index that each of them has on the line.
    commands: Vec<(usize, Command)>,
}

impl<'a> Reading<'a> {
    fn take(&mut self, index: usize, depth: usize) {
        let command = &self.script.commands[index];
        if self.commands.len() >= MAX_COMMANDS || command.run.when == When::Perhaps {
            return;
        }
        if stands_for_others(command) && depth < MAX_DEPTH {
            for inner in index + 1..self.script.commands.len() {
                if self.script.commands[inner].place == verger_shell::Place::Within(index) {
                    self.take(inner, depth + 1);
                }
            }
            return;
        }
        if command.argv.is_empty() && command.redirects.is_empty() {
            return;
        }
        let shell = command.run.shell;
        let mut place = self.place_of(shell);
        let fed = match command.stdin {
            Stdin::Pipe(from) => from,
            Stdin::Inherited | Stdin::Text(_) | Stdin::File => None,
        };
        let mut fed = self.commands.iter_mut().find(|(at, _)| Some(*at) == fed);
        if let Some((_, fed)) = &mut fed {
            fed.is_piped = true;
        }
        let next = one(command, fed.map(|(_, fed)| &fed.words[..]), &mut place);
        if next.words.first().is_some_and(|program| program == "cd") {
            self.folders.retain(|(other, _)| *other != shell);
            self.folders.push((shell, place.folder));
        }
        self.commands.push((index, next));
    }

    fn place_of(&self, shell: usize) -> Place<'a> {
        let mut next = Some(shell);
        while let Some(shell) = next {
            if let Some((_, folder)) = self.folders.iter().find(|(other, _)| *other == shell) {
                return Place { root: self.place.root, folder: folder.clone() };
            }
            next = self.script.outer_shell(shell);
        }
        self.place.clone()
    }
}

/// Whether a command is what it runs: a text for a shell, or itself with the values of its variables.
fn stands_for_others(command: &verger_shell::Command) -> bool {
    let is_shell = ["sh", "bash", "zsh", "dash", "eval"].into_iter().any(|it| command.runs(it));
    match command.inside {
        Inside::Readings => true,
        Inside::Found | Inside::Guessed => is_shell,
        Inside::Nothing => false,
    }
}

/// Where a command runs.
#[derive(Clone)]
pub(super) struct Place<'a> {
    root: Option<&'a str>,
    /// Empty where it is not known.
    folder: String,
}

impl<'a> Place<'a> {
    /// In this folder, or at the root of the project.
    pub(super) fn new(root: Option<&'a str>, cwd: Option<&str>) -> Self {
        Self { root, folder: cwd.or(root).unwrap_or_default().to_owned() }
    }

    /// A path of a command, as it is within the project.
    fn within(&self, path: &str) -> String {
        let path = path.trim();
        // Such a one is told from the root by git, or known only when it runs.
        if path.starts_with([':', '~', '$']) {
            return within(path, self.root);
        }
        let is_whole = path.starts_with('/') || self.folder.is_empty();
        let folder = if is_whole { "" } else { &self.folder };
        let mut parts: Vec<&str> = vec![];
        for part in folder.split('/').chain(path.split('/')) {
            match part {
                "" | "." => {}
                ".." if parts.last().is_some_and(|last| *last != "..") => drop(parts.pop()),
                part => parts.push(part),
            }
        }
        let begins = if path.starts_with('/') || folder.starts_with('/') { "/" } else { "" };
        let ends = if path.ends_with('/') && !parts.is_empty() { "/" } else { "" };
        within(&format!("{begins}{}{ends}", parts.join("/")), self.root)
    }

    /// The same in another folder.
    fn enter(&self, folder: &str) -> Self {
        let is_unknown = folder.starts_with(['~', '$']);
        let is_whole = folder.starts_with('/') || is_unknown || self.folder.is_empty();
        let folder = folder.trim_end_matches('/');
        let folder = if is_whole { folder.to_owned() } else { format!("{}/{folder}", self.folder) };
        Self { root: self.root, folder }
    }
}

/// Whether all that they change of files is that some are gone or as they were.
pub(super) fn only_removes(commands: &[Command]) -> bool {
    let mut changing = commands.iter().filter(|one| !one.changes.is_empty()).peekable();
    changing.peek().is_some() && changing.all(Command::is_removal)
}

fn one(command: &verger_shell::Command, fed: Option<&[String]>, place: &mut Place<'_>) -> Command {
    // A sign of redirection that is only said redirects nothing.
    let is_said = |word: &&Word| !word.text().starts_with('>');
    let words = command.argv.iter().filter(is_said).take(MAX_WORDS);
    let mut words: Vec<String> = words.map(|word| word.text().to_owned()).collect();
    let is_setting = |word: &String| {
        word.split_once('=').is_some_and(|(name, _)| {
            !name.is_empty()
                && name.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_')
        })
    };
    while words
        .first()
        .is_some_and(|word| is_setting(word) || matches!(word.as_str(), "sudo" | "time" | "env"))
    {
        words.remove(0);
    }
    match &words[..] {
        [program] if program == "cd" => *place = place.enter("~"),
        [program, folder] if program == "cd" && folder == "-" => *place = place.enter("$OLDPWD"),
        [program, folder] if program == "cd" => *place = place.enter(folder),
        _ => {}
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
    let written = written(command, place);
    let signs = written.iter().map(|(sign, _)| *sign);
    let kind = programs::kind(&words.iter().map(String::as_str).chain(signs).collect::<Vec<_>>());
    let named = changed(&words, kind);
    let mut makes: Vec<String> = vec![];
    if makes_files(&words) {
        makes.extend(named.iter().map(|path| place.within(path)));
    }
    let anew = written.iter().filter(|(sign, _)| *sign == ">");
    makes.extend(anew.map(|(_, path)| place.within(path)));
    makes.retain(|path| is_of_project(path) && !path.ends_with('/'));
    let paths = written.iter().map(|(_, path)| path).chain(&named);
    let mut changes: Vec<String> = paths.map(|path| place.within(path)).collect();
    words.extend(written.into_iter().flat_map(|(sign, path)| [sign.to_owned(), path]));
    let effect = effect::effect(&words, fed, |path| place.within(path));
    if let Effect::Moves(moves) = &effect {
        changes = moves.iter().flat_map(|(from, to)| [from.clone(), to.clone()]).collect();
    }
    changes.retain(|path| is_of_project(path));
    Command { kind, words, changes, makes, effect, is_piped: false }
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

/// The files of the project that a command's output goes to, as it names them.
fn written(command: &verger_shell::Command, place: &Place<'_>) -> Vec<(&'static str, String)> {
    let redirects = command.redirects.iter().filter_map(|redirect| {
        let sign = match redirect.mode {
            Mode::Write => ">",
            Mode::Append => ">>",
            Mode::Read | Mode::ReadWrite | Mode::Duplicate => return None,
        };
        Some((sign, redirect.target.literal()?.to_owned()))
    });
    redirects.filter(|(_, path)| is_of_project(&place.within(path))).collect()
}

/// Whether a path is one within the project, and not the project itself.
fn is_of_project(path: &str) -> bool {
    !path.is_empty()
        && path != "."
        && path != ".."
        && !path.starts_with("../")
        && !path.starts_with(['/', '~', '$'])
}

/// Whether what a command changes is there after it, whatever was there before.
fn makes_files(words: &[String]) -> bool {
    let has = |flags: &[&str]| words.iter().any(|word| flags.contains(&word.as_str()));
    match words.first().map(String::as_str) {
        Some("touch") => !has(&["-c", "--no-create"]),
        Some("tee") => !has(&["-a", "--append"]),
        Some("cp") => true,
        _ => false,
    }
}

/// The files that a command names and changes.
fn changed(words: &[String], kind: CommandKind) -> Vec<String> {
    if kind != CommandKind::Changes {
        return vec![];
    }
    let mut files = Vec::new();
    let program = words.first().map(String::as_str).unwrap_or_default();
    let plain: Vec<&String> = words.iter().skip(1).filter(|word| !word.starts_with('-')).collect();
    match program {
        // Which files a patch has, its name does not say.
        "git" if plain.first().is_some_and(|first| *first == "apply") => {}
        "git" => files.extend(plain.into_iter().skip(1).cloned()),
        "sed" | "perl" => {
            files.extend(substituting::files(words).into_iter().map(str::to_owned));
        }
        "cp" => files.extend(plain.last().map(|last| (*last).clone())),
        "rm" | "mv" | "tee" | "truncate" | "touch" => files.extend(plain.into_iter().cloned()),
        _ => {}
    }
    files.retain(|file| !file.contains([' ', '(', '|', '^', '=']));
    files
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A line, what its commands are, and the files that they change.
    type Case = (&'static str, &'static [CommandKind], &'static str);

    #[track_caller]
    fn check(cases: &[Case]) {
        for &(line, kinds, files) in cases {
            let commands = read(line, Place::new(None, None));
            assert_eq!(commands.iter().map(|one| one.kind).collect::<Vec<_>>(), kinds, "{line}");
            let changed: Vec<String> = commands.into_iter().flat_map(|one| one.changes).collect();
            assert_eq!(changed.join(" "), files, "{line}");
        }
    }

    #[test]
    fn a_line_is_what_its_commands_do() {
        use CommandKind::{
            AddsDependency, Changes, Checks, Commits, Installs, InstallsTool, Lists, Other, Pushes,
            Reformats, RemovesDependency, Reverts, Tests, Upgrades,
        };
        let cases: &[Case] = &[
            ("cargo add figment --features env", &[AddsDependency], ""),
            ("cd web && echo x > a.ts; rm ../b.ts", &[Other, Changes, Changes], "web/a.ts b.ts"),
            ("cd /tmp && echo x > a.ts", &[Other, Other], ""),
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
        check(cases);
    }

    #[test]
    fn a_line_is_read_as_a_shell_reads_it() {
        use CommandKind::{Changes, Commits, Installs, Lists, Other, Tests};
        let cases: &[Case] = &[
            ("echo '// redirect' >> src/login.rs", &[Changes], "src/login.rs"),
            ("echo x>>a.rs", &[Changes], "a.rs"),
            ("ls 2>>/dev/null", &[Lists], ""),
            ("ls src > /dev/null 2>&1", &[Lists], ""),
            ("cargo test >> /tmp/log.txt", &[Tests], ""),
            ("cargo test &> out.log", &[Tests], "out.log"),
            ("npm install > install.log", &[Installs], "install.log"),
            ("echo x > ../other/a.rs", &[Other], ""),
            ("echo x > ./src/../a.rs", &[Changes], "a.rs"),
            ("echo a->b", &[Changes], "b"),
            ("echo 'a->b' a-\\>b", &[Other], ""),
            ("test 3 \\> 2", &[Tests], ""),
            ("[[ 3 > 2 ]] && rm a.rs", &[Other, Changes], "a.rs"),
            ("grep -c 'x > y' a.rs", &[Other], ""),
            (
                "cat > /tmp/notes.md <<'EOF'\nThen run:\ngit push origin main\nEOF\nls",
                &[Other, Lists],
                "",
            ),
            ("cat > doc.md <<EOF\nrm src/billing.rs\nEOF", &[Changes], "doc.md"),
            ("git commit -m \"$(cat <<'EOF'\nIt's; rm a\nEOF\n)\"", &[Commits, Other], ""),
            ("bash <<'EOF'\nrm a.rs\nEOF", &[Changes], "a.rs"),
            ("bash -c 'cd web && rm a.ts'; rm b.ts", &[Other, Changes, Changes], "web/a.ts b.ts"),
            ("(cd web && rm a.ts); rm b.ts", &[Other, Changes, Changes], "web/a.ts b.ts"),
            (
                "cd web; (rm a.ts); cd ..; rm b.ts",
                &[Other, Changes, Other, Changes],
                "web/a.ts b.ts",
            ),
            ("for f in a.rs b.rs; do rm $f; done", &[Changes, Changes], "a.rs b.rs"),
            ("F=a.rs; rm $F", &[Changes], "a.rs"),
            ("true || git checkout -- src/billing.rs", &[Other], ""),
            ("cargo test || git push; ls", &[Tests, Lists], ""),
            ("if cargo test; then git push; fi", &[Tests], ""),
            ("ls # rm a.rs", &[Lists], ""),
            ("touch web/{a,b}.css", &[Changes], "web/a.css web/b.css"),
        ];
        check(cases);
    }

    #[test]
    fn paths_are_told_from_where_a_command_runs() {
        let cases = [
            ("/home/dev/app", "rm billing.rs", "billing.rs"),
            ("/home/dev/app/src", "sed -i 's/20/10/' billing.rs", "src/billing.rs"),
            ("/home/dev/app/src", "echo x >> ../a.rs", "a.rs"),
            ("/home/dev/app/src", "cd .. && rm src/a.rs ./b.rs", "src/a.rs b.rs"),
            ("/home/dev/app/src", "rm /home/dev/app/web/a.ts", "web/a.ts"),
            ("/home/dev/app/src", "cd /home/dev/app; rm a.ts", "a.ts"),
            ("/home/dev/app/src", "git -C .. rm a.ts; rm b.rs", "a.ts src/b.rs"),
            ("/home/dev/app/src", "rm ../../other/a.ts; touch ../../app/b.ts", "b.ts"),
            ("/tmp", "echo x > a.ts", ""),
            ("/home/dev/app", "cd ~/other && rm a.ts", ""),
            ("/home/dev/app", "cd \"$DIR\" && rm a.ts", ""),
            ("/home/dev/app", "cd && rm a.ts; cd - && rm b.ts", ""),
            ("/home/dev/app", "cd src > /dev/null && rm a.ts", "src/a.ts"),
        ];
        for (cwd, line, files) in cases {
            let commands = read(line, Place::new(Some("/home/dev/app"), Some(cwd)));
            let changed: Vec<String> = commands.into_iter().flat_map(|one| one.changes).collect();
            assert_eq!(changed.join(" "), files, "{cwd} {line}");
        }
    }

    #[test]
    fn some_commands_make_files() {
        let cases = [
            ("cat > web/new.css <<EOF\na {}\nEOF", "web/new.css"),
            ("echo > web/new.css", "web/new.css"),
            ("echo x >> web/new.css", ""),
            ("touch web/new.css", "web/new.css"),
            ("touch -c web/new.css", ""),
            ("cp a.css web/new.css", "web/new.css"),
            ("cp a.css web/", ""),
            ("cat a.css | tee web/new.css", "web/new.css"),
            ("cat a.css | tee -a web/new.css", ""),
            ("sed -i s/a/b/ web/new.css", ""),
            ("echo > /tmp/new.css", ""),
        ];
        for (line, files) in cases {
            let commands = read(line, Place::new(None, None));
            let made: Vec<String> = commands.into_iter().flat_map(|one| one.makes).collect();
            assert_eq!(made.join(" "), files, "{line}");
        }
    }
}
