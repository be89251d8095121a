//! Finds the effects of a command line, as far as they follow from its words.
//!
//! This isn't a security check: it doesn't find effects that a command line hides.

use verger_shell::{Command, Inside, Mode, Script, When, Word};

use super::{Effect, Place, git, programs};
use crate::paths::{is_in_project, within};

/// The maximum number of commands of one command line that are read.
const MAX_COMMANDS: usize = 48;
/// The maximum number of words of one command that are read.
const MAX_WORDS: usize = 64;
/// The maximum depth of shells that start shells.
const MAX_DEPTH: usize = 4;

/// The effects of the commands that always run. Commands after `||` and in branches are left out,
/// because they may not have run.
pub(super) fn effects(script: &Script, output: &str, place: Place<'_>) -> Vec<Effect> {
    let mut reading = Reading { script, output, place, folders: vec![], effects: vec![], count: 0 };
    for (index, command) in script.commands.iter().enumerate() {
        if command.place == verger_shell::Place::Line {
            reading.take(index, 0);
        }
    }
    reading.effects
}

/// The state of reading a command line.
struct Reading<'a> {
    script: &'a Script,
    output: &'a str,
    place: Place<'a>,
    /// The folders of those shells that changed their folder, for example with `cd`.
    folders: Vec<ShellFolder>,
    effects: Vec<Effect>,
    count: usize,
}

struct ShellFolder {
    shell: usize,
    folder: Folder,
}

impl Reading<'_> {
    fn take(&mut self, index: usize, depth: usize) {
        let Some(command) = self.script.commands.get(index) else { return };
        if self.count >= MAX_COMMANDS || command.run.when == When::Perhaps {
            return;
        }
        self.count += 1;
        if command.inside != Inside::Readings {
            self.take_one(command);
        }
        if command.inside != Inside::Nothing && depth < MAX_DEPTH {
            for inner in index + 1..self.script.commands.len() {
                if self.script.commands[inner].place == verger_shell::Place::Within(index) {
                    self.take(inner, depth + 1);
                }
            }
        }
    }

    fn take_one(&mut self, command: &Command) {
        let mut folder = self.folder_of(command.run.shell);
        let words: Vec<&str> = command.argv.iter().take(MAX_WORDS).map(Word::text).collect();
        if let ["cd" | "pushd", rest @ ..] = &words[..] {
            folder = folder.enter(rest.first().copied().unwrap_or("~"));
            self.folders.retain(|other| other.shell != command.run.shell);
            self.folders.push(ShellFolder { shell: command.run.shell, folder });
            return;
        }
        for redirect in &command.redirects {
            if matches!(redirect.mode, Mode::Write | Mode::Append)
                && let Some(path) = redirect.target.literal().and_then(|path| folder.file(path))
            {
                self.effects.push(Effect::Changed(path));
            }
        }
        let Some(program) = command.program() else { return };
        self.effects.push(Effect::Ran(words.iter().map(|word| (*word).to_owned()).collect()));
        let rest = &words[1..];
        if program == "git" {
            self.effects.extend(git::effects(rest, self.output, &folder));
        } else {
            self.effects.extend(programs::effects(program, rest, &folder));
        }
    }

    /// The current folder of a shell. If the shell never changed it, this is the folder of the
    /// shell that started it.
    fn folder_of(&self, shell: usize) -> Folder {
        let mut next = Some(shell);
        while let Some(shell) = next {
            if let Some(found) = self.folders.iter().find(|other| other.shell == shell) {
                return found.folder.clone();
            }
            next = self.script.outer_shell(shell);
        }
        let root = self.place.root.unwrap_or_default().to_owned();
        Folder { at: self.place.cwd.unwrap_or(&root).to_owned(), root }
    }
}

/// The folder in which a command runs.
#[derive(Debug, Clone)]
pub(super) struct Folder {
    root: String,
    /// The path of the folder. Empty if the folder is unknown. Begins with `~` or `$` if the folder
    /// is known only when the command line runs.
    at: String,
}

impl Folder {
    /// The path of the project's file that a command in this folder names. `None` if the file isn't
    /// in the project.
    pub(super) fn file(&self, path: &str) -> Option<String> {
        let path = self.within(path)?;
        is_in_project(&path).then_some(path)
    }

    /// Whether the folder is in the project or is the project itself.
    pub(super) fn is_in_project(&self) -> bool {
        self.within(".").is_some_and(|path| path.is_empty() || is_in_project(&path))
    }

    /// The folder after `cd` with this argument.
    pub(super) fn enter(&self, folder: &str) -> Self {
        let folder = if folder == "-" { "$OLDPWD" } else { folder.trim_end_matches('/') };
        let is_whole = folder.is_empty() || folder.starts_with(['/', '~', '$']);
        let at = match folder {
            "" => "/".to_owned(),
            _ if is_whole || self.at.is_empty() => folder.to_owned(),
            _ => format!("{}/{folder}", self.at),
        };
        Self { root: self.root.clone(), at }
    }

    /// A normalized path, relative to the project if it is in the project. `None` if the path is
    /// known only when the command line runs.
    fn within(&self, path: &str) -> Option<String> {
        let path = path.trim();
        if path.is_empty() || path.starts_with(['~', ':']) || path.contains(['$', '`', '\n']) {
            return None;
        }
        let at = if path.starts_with('/') { "" } else { self.at.as_str() };
        if at.starts_with(['~', '$']) || at.contains('$') {
            return None;
        }
        let mut parts: Vec<&str> = vec![];
        for part in at.split('/').chain(path.split('/')) {
            match part {
                "" | "." => {}
                ".." if parts.last().is_some_and(|last| *last != "..") => drop(parts.pop()),
                part => parts.push(part),
            }
        }
        let begins = if path.starts_with('/') || at.starts_with('/') { "/" } else { "" };
        let root = Some(self.root.as_str()).filter(|root| !root.is_empty());
        Some(within(&format!("{begins}{}", parts.join("/")), root))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(effects: &[Effect]) -> String {
        let effects = effects.iter().filter_map(|effect| match effect {
            Effect::Changed(path) => Some(format!("+{path}")),
            Effect::Deleted(path) => Some(format!("-{path}")),
            Effect::Committed(branch) => {
                Some(format!("commit {}", branch.as_deref().unwrap_or("?")))
            }
            Effect::Pushed(branches) => Some(format!("push {}", branches.join(","))),
            Effect::Stashed => Some("stash".to_owned()),
            Effect::OpenedPullRequest(base) => {
                Some(format!("pr {}", base.as_deref().unwrap_or("?")))
            }
            Effect::AddedDependency => Some("dependency".to_owned()),
            Effect::Ran(_) => None,
        });
        effects.collect::<Vec<_>>().join(" ")
    }

    #[track_caller]
    fn check(cwd: &str, line: &str, output: &str, expected: &str) {
        let place = Place { root: Some("/home/dev/app"), cwd: Some(cwd) };
        let found = effects(&verger_shell::read(line), output, place);
        assert_eq!(written(&found), expected, "{cwd} {line}");
    }

    #[test]
    fn files_are_changed_and_deleted() {
        let cases = [
            ("sed -i 's/a/b/' src/a.rs src/b.rs", "+src/a.rs +src/b.rs"),
            ("sed -i.bak -e s/a/b/ a.rs", "+a.rs"),
            ("sed -i '' 's/a/b/' a.rs", "+a.rs"),
            ("sed -n 1,5p a.rs", ""),
            ("echo hi > notes.md; echo x >> web/a.ts", "+notes.md +web/a.ts"),
            ("cat > doc.md <<EOF\nrm src/billing.rs\nEOF", "+doc.md"),
            ("ls 2>/dev/null > /tmp/x; cargo test 2>&1 | tee /tmp/log", ""),
            ("cat a | tee -a b.txt", "+b.txt"),
            ("rm -rf src/old a.rs /tmp/x ~/y", "-src/old -a.rs"),
            ("git rm --cached a.rs; git rm b.rs", "-b.rs"),
            ("mv a.rs src/", "+a.rs +src/a.rs"),
            ("git mv a.rs b.rs", "+a.rs +b.rs"),
            ("cp a.rs b.rs; touch c.rs", "+b.rs +c.rs"),
            ("cp /tmp/a b c src", "+src/a +src/b +src/c"),
            ("git clean -fd; git clean -n", "-."),
            ("[[ 3 > 2 ]] && rm a.rs", "-a.rs"),
            ("F=a.rs; rm $F", "-a.rs"),
            ("rm \"$DIR/a.rs\" $(ls)", ""),
            ("grep -rl x src | xargs sed -i s/x/y/", ""),
            ("find . -name x -exec rm {} \\;", ""),
            ("for f in a.rs b.rs; do rm $f; done", "-a.rs -b.rs"),
        ];
        for (line, expected) in cases {
            check("/home/dev/app", line, "", expected);
        }
    }

    #[test]
    fn paths_are_told_from_where_a_command_runs() {
        let cases = [
            ("/home/dev/app", "cd web && echo x > a.ts; rm ../b.ts", "+web/a.ts -b.ts"),
            ("/home/dev/app/src", "rm a.rs", "-src/a.rs"),
            ("/home/dev/app/src", "rm /home/dev/app/web/a.ts", "-web/a.ts"),
            ("/home/dev/app/src", "rm ../../other/a.ts; touch ../../app/b.ts", "+b.ts"),
            ("/home/dev/app", "(cd web && rm a.ts); rm b.ts", "-web/a.ts -b.ts"),
            ("/home/dev/app", "bash -c 'cd web && rm a.ts'; rm b.ts", "-web/a.ts -b.ts"),
            ("/home/dev/app", "sudo rm a.ts; timeout 5 rm b.ts", "-a.ts -b.ts"),
            ("/home/dev/app", "cd /tmp && rm a.ts && git commit -m x", ""),
            ("/home/dev/app", "cd \"$DIR\" && rm a.ts; cd - && git push", ""),
            ("/home/dev/app", "git -C web rm a.ts; git -C /tmp/x commit -m x", "-web/a.ts"),
            ("/tmp", "echo x > a.ts; git push", ""),
        ];
        for (cwd, line, expected) in cases {
            check(cwd, line, "", expected);
        }
    }

    #[test]
    fn commands_that_may_not_have_run_have_no_effects() {
        let cases = [
            ("true || git checkout -- src/billing.rs", ""),
            ("cargo test || git push; ls", ""),
            ("if cargo test; then git push; fi", ""),
            ("ls # rm a.rs", ""),
            ("echo 'git push'", ""),
        ];
        for (line, expected) in cases {
            check("/home/dev/app", line, "", expected);
        }
    }

    #[test]
    fn git_and_the_forge_are_read() {
        let committed = "[main 1a2b3c4] x\n 1 file changed";
        let pushed = "To x\n   1a2b3c4..5d6e7f8  HEAD -> main";
        let cases = [
            ("git add -A && git commit -m 'x; y'", committed, "commit main"),
            ("git -c a.b=c --no-pager commit -qm x", "", "commit ?"),
            ("git commit --amend --no-edit", "[fix/a 1a2b3c4] x", "commit fix/a"),
            ("git commit --dry-run", "", ""),
            ("git commit -m x | tail -1", "nothing to commit, working tree clean", ""),
            ("git push", pushed, "push main"),
            ("git push -u origin fix/a", "", "push fix/a"),
            ("git push origin HEAD:main +dev:refs/heads/dev", "", "push main,dev"),
            ("git push --dry-run; git push -n", "", ""),
            ("git push 2>&1 | tail", " ! [rejected]        main -> main (fetch first)", ""),
            ("git stash; git stash push -m x; git stash -u", "", "stash stash stash"),
            ("git stash pop; git stash list; git stash show", "", ""),
            ("git checkout -- src/a.rs; git restore b.rs; git reset --hard", "", ""),
            ("gh pr create --base release --fill", "", "pr release"),
            ("gh pr create -B main; gh pr view; gh pr new", "", "pr main pr ?"),
            ("gh pr create --dry-run", "", ""),
        ];
        for (line, output, expected) in cases {
            check("/home/dev/app", line, output, expected);
        }
    }

    #[test]
    fn dependencies_are_added() {
        let added = [
            "cargo add figment --features env",
            "npm i -D eslint@9",
            "npm install zod",
            "pnpm --filter web add zod",
            "yarn add zod",
            "yarn workspace api add zod",
            "bun add zod",
            "pip install rich",
            "python3 -m pip install rich",
            "uv add rich",
            "uv pip install rich",
            "poetry add rich",
            "go get example.com/x",
            "bundle add rails",
            "composer require a/b",
            "dotnet add package X",
        ];
        for line in added {
            check("/home/dev/app", line, "", "dependency");
        }
        let not_added = [
            "npm i",
            "npm ci",
            "npm install -g zod",
            "pip install -r requirements.txt",
            "pip install -e .",
            "pip install --dry-run rich",
            "uv sync",
            "go get",
            "bundle install",
            "cargo build",
            "npm run add x",
            "yarn install",
            "dotnet add reference X",
        ];
        for line in not_added {
            check("/home/dev/app", line, "", "");
        }
    }
}
