//! The list of habits: their names, the words for agents, and examples of each habit.

use std::fmt;

/// An action of agents that a project may not want.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Habit {
    /// Staging everything in the working tree.
    AddAll,
    /// Naming a coding agent as an author of a commit or a pull request.
    Attribution,
    /// Committing a file that probably contains a secret.
    StagedSecrets,
    /// Replacing or deleting a protected branch.
    ForcePush,
    /// Opening a pull request that is not a draft.
    DraftPr,
    /// Merging into a protected branch.
    Merge,
    /// Searching with `grep` or `find` although `rg` or `fd` is installed.
    SearchTools,
    /// Building or testing the whole project as a subagent.
    SubagentBuilds,
}

/// The description of a habit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct About {
    /// The name of the habit in messages.
    pub name: &'static str,
    /// The key of the habit's setting.
    pub key: &'static str,
    /// The reason why the habit isn't wanted, as a sentence without a full stop.
    pub why: &'static str,
    /// The recommended alternative to the habit.
    pub instead: &'static str,
    /// Examples of command lines with the habit. The tests run them in a project on the branch
    /// `topic`. The checkout `../stable` is on the branch `main`.
    pub matches: &'static [&'static str],
    /// Examples of command lines without the habit.
    pub not_matches: &'static [&'static str],
}

impl Habit {
    /// The number of habits.
    pub const COUNT: usize = 8;

    /// All habits.
    pub const ALL: [Self; Self::COUNT] = [
        Self::AddAll,
        Self::Attribution,
        Self::StagedSecrets,
        Self::ForcePush,
        Self::DraftPr,
        Self::Merge,
        Self::SearchTools,
        Self::SubagentBuilds,
    ];

    /// The description of the habit.
    pub fn about(self) -> &'static About {
        match self {
            Self::AddAll => &ADD_ALL,
            Self::Attribution => &ATTRIBUTION,
            Self::StagedSecrets => &STAGED_SECRETS,
            Self::ForcePush => &FORCE_PUSH,
            Self::DraftPr => &DRAFT_PR,
            Self::Merge => &MERGE,
            Self::SearchTools => &SEARCH_TOOLS,
            Self::SubagentBuilds => &SUBAGENT_BUILDS,
        }
    }
}

impl fmt::Display for Habit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.about().name)
    }
}

const ADD_ALL: About = About {
    name: "add-all",
    key: "habits.add_all",
    why: "it stages every change in the working tree",
    instead: "name the files of the change, as in `git add PATH`, and commit without `-a`",
    matches: &[
        "git add -A",
        "git add --all",
        "git add .",
        "git add -u",
        "git add ./",
        "git add :/",
        "git add *",
        "git add ?*",
        "git add ./**",
        "git add \"$PWD\"",
        "git add $(pwd)/",
        "git add -v -A",
        "git stage --al",
        "cd src && git add ..",
        "git -C ../stable add .",
        "bash -c 'git add -A && git commit -m x'",
        "FOO=1 git add . && git status",
        "env -u X nice git add -A",
        "what=-A; git add $what",
        "git commit -am x",
        "git commit --all --message=x",
        "git commit -qam 'feat: add it'",
        "git commit -m x .",
        "if true; then git add .; fi",
        "find . -name '*.rs' | xargs git add .",
        "git ls-files -m | xargs git add -A",
        "xargs git add -u < /tmp/none",
        "find . | xargs git add",
        "find . -type f -not -path './.git/*' -print0 | xargs -0 git add --",
        "find -type f | xargs -I{} git add {}",
        "find . -type f -exec git add {} +",
        "ls -A | xargs git add",
        "git ls-files -mo --exclude-standard | xargs git add",
        "git status --porcelain | awk '{print $2}' | xargs git add",
        "git status -s | cut -c4- | sort | xargs git add -f",
        "git diff --name-only | xargs git add",
    ],
    not_matches: &[
        "git add src/lib.rs",
        "git add -A src",
        "git add -u src/main.rs",
        "cd src && git add .",
        "git -C src add .",
        "git add -n .",
        "git add -p",
        "git add .gitignore .github",
        "git add src/?",
        "git add \"$PWD/src\"",
        "git commit -m 'git add -A'",
        "git commit -m -a",
        "git commit -mfeat-a",
        "git commit --amend",
        "git commit -m 'add all'",
        "echo git add .",
        "git log --all",
        "git branch -a",
        "ssh host git add -A",
        "git stash push --all",
        "find . -name '*.rs' | xargs git add",
        "find src | xargs git add",
        "cd src && find . -type f | xargs git add",
        "find . -name '*.rs' -exec git add {} +",
        "ls src | xargs git add",
        "git ls-files -m src | xargs git add",
        "git ls-files -m | grep '\\.rs$' | xargs git add",
        "git diff --name-only -- src | xargs git add",
        "git diff --name-only main | xargs git add",
        "git log --all | xargs git add src",
        "xargs git add < /tmp/mine",
        "cat /tmp/mine | xargs git add",
    ],
};

const ATTRIBUTION: About = About {
    name: "attribution",
    key: "habits.attribution",
    why: "it names a coding agent as an author",
    instead: "leave out lines such as `Co-Authored-By: AGENT` and `Generated with AGENT`, and say \
              only what changed and why",
    matches: &[
        "git commit -m 'Fix\n\nCo-Authored-By: aider (gpt) <noreply@aider.chat>'",
        "git commit -m Fix -m 'co-authored-by: Aider <aider@aider.chat>'",
        "git commit -m Fix --trailer 'Co-Authored-By: aider <noreply@aider.chat>'",
        "git commit -m Fix --trailer='Assisted-By=aider'",
        "git commit -F - <<'E'\nFix\n\nGenerated with [aider](https://aider.chat)\nE\n",
        "git commit -m \"$(cat <<'E'\nFix\n\n🤖 Generated with aider\nE\n)\"",
        "git commit --amend -am $'Fix\\n\\nCo-Authored-By: aider'",
        "printf 'Fix\\n\\nCo-authored-by: aider\\n' | git commit -F -",
        "cat > /tmp/m <<'E'\nFix\n\nSigned-off-by: aider\nE\ngit commit -F /tmp/m",
        "git -C ../stable merge topic -m 'Merge\n\nCo-Authored-By: aider'",
        "bash -c \"git commit -m 'Fix\n\nCo-Authored-By: aider'\"",
        "gh pr create --draft --title x --body 'What\n\nWritten by aider'",
        "gh pr edit 5 -b 'Created using aider'",
    ],
    not_matches: &[
        "git commit -m 'Fix\n\nCo-Authored-By: Ada Example <ada@example.invalid>'",
        "git commit -m 'Fix the reader of aider files'",
        "git commit -m 'Generated with protoc 3.2'",
        "git commit -m 'Fix' --trailer 'Reviewed-by: Ada'",
        "git commit --author 'aider <noreply@aider.chat>' -m x",
        "git log --grep 'Co-Authored-By: aider'",
        "echo 'Co-Authored-By: aider'",
        "gh pr create --title 'Generated with aider' --body x",
        "gh pr comment 5 --body 'Generated with aider'",
    ],
};

const STAGED_SECRETS: About = About {
    name: "staged-secrets",
    key: "habits.staged_secrets",
    why: "the commit would contain a possible secret",
    instead: "remove it, and read it from the environment or from a file that git ignores. If it \
              is a real secret, tell the person: it has to be replaced",
    matches: &[
        "git commit -m x",
        "git add a.txt && git commit -m x",
        "git -C ../stable commit -am x",
        "cd src && git commit -m x lib.rs",
        "bash -c 'git commit'",
    ],
    not_matches: &[
        "git commit --dry-run",
        "git add a.txt",
        "git log",
        "git --git-dir=/elsewhere commit -m x",
        "echo git commit",
    ],
};

const FORCE_PUSH: About = About {
    name: "force-push",
    key: "habits.force_push",
    why: "it replaces or deletes a branch that is protected",
    instead: "push to a branch of your own, without force; when that is refused, fetch and integrate \
              first",
    matches: &[
        "git push --force origin main",
        "git push -f origin master",
        "git push origin --force-w main",
        "git push -uf origin main",
        "git push --force-with-lease origin release/1.2",
        "git push --force-with-lease=main origin main",
        "git push origin +main",
        "git push origin +topic:main",
        "git push origin +refs/heads/topic:refs/heads/main",
        "git push -f origin heads/main",
        "git push -f origin HEAD:main",
        "git push --mirror backup",
        "git push --all -f origin",
        "git push -f origin :",
        "git push origin --delete main",
        "git push origin :main",
        "git push origin -d topic main",
        "git -C ../stable push -f",
        "git -C ../stable push --force-with-lease origin HEAD",
        "cd ../stable && git push -f origin",
        "git checkout main && git push -f",
        "branch=main; git push -f origin $branch",
        "git push -f origin $UNKNOWN",
        "sh -c 'git push -f origin main'",
        "git push -f origin 'refs/heads/*:refs/heads/*'",
    ],
    not_matches: &[
        "git push",
        "git push origin main",
        "git push -f",
        "git push -f origin topic",
        "git push --force-with-lease origin HEAD",
        "git push -f origin \"$(git branch --show-current)\"",
        "git push origin +topic",
        "git push origin :old",
        "git push origin --delete old",
        "git push --dry-run -f origin main",
        "git push -f origin refs/tags/main",
        "git push -f origin tag main",
        "git push --tags -f",
        "git push -u origin main-menu",
        "git -C ../stable push",
        "git -C ../stable checkout -b topic && git -C ../stable push -f",
        "git commit -m 'git push -f origin main'",
        "git push origin main:backup -o ci.skip",
    ],
};

const DRAFT_PR: About = About {
    name: "draft-pr",
    key: "habits.draft_pr",
    why: "agents open pull requests as drafts here, and a person marks them as ready",
    instead: "open it with `gh pr create --draft`",
    matches: &[
        "gh pr create --title x --body y",
        "gh pr create --fill",
        "gh -R a/b pr create -f",
        "gh pr new --fill --draft=false",
        "git push && gh pr create --fill",
        "bash -c 'gh pr create --fill'",
        "gh pr create --title '--draft' --body x",
        "gh pr ready 5",
    ],
    not_matches: &[
        "gh pr create --draft --fill",
        "gh pr create -d --title x --body y",
        "gh pr create -fd",
        "gh pr create --web",
        "gh pr create --dry-run --fill",
        "gh pr view 5",
        "gh pr ready 5 --undo",
        "gh issue create --title x",
        "echo gh pr create",
    ],
};

const MERGE: About = About {
    name: "merge",
    key: "habits.merge",
    why: "only a person merges pull requests here",
    instead: "push your branch and open a pull request; a person merges it",
    matches: &[
        "gh pr merge 5 --squash",
        "gh pr merge --auto",
        "gh -R a/b pr merge 5",
        "glab mr merge 5",
        "gh api -X PUT repos/a/b/pulls/5/merge",
        "git checkout main && git merge topic",
        "git switch main && git merge --no-ff topic",
        "git -C ../stable merge topic",
        "cd ../stable && git merge --squash topic",
        "git -C ../stable pull origin topic",
        "git push origin topic:main",
        "git push origin HEAD:main",
        "git push origin HEAD:refs/heads/release/1.2",
        "git push origin +topic:main",
    ],
    not_matches: &[
        "gh pr merge 5 --disable-auto",
        "gh pr view 5",
        "gh api repos/a/b/pulls/5/merge",
        "git merge main",
        "git merge origin/main",
        "git -C ../stable merge --abort",
        "git -C ../stable merge origin/main",
        "git -C ../stable merge --ff-only @{u}",
        "git -C ../stable pull",
        "git -C ../stable pull origin main",
        "git -C ../stable checkout -b topic && git -C ../stable merge other",
        "git push origin main",
        "git push origin main:main",
        "git -C ../stable push origin HEAD:main",
        "git push origin topic:topic",
        "git push origin :main",
        "git merge-base main topic",
        "git log --merges",
    ],
};

const SEARCH_TOOLS: About = About {
    name: "search-tools",
    key: "habits.search_tools",
    why: "there is a better program for it",
    instead: "use `rg PATTERN [PATH]` and `fd PATTERN [PATH]`",
    matches: &[
        "grep -r main src",
        "grep -rn 'fn main' .",
        "grep --recursive main",
        "grep -R main . | head",
        "egrep -ir 'a|b' src",
        "grep -d recurse main .",
        "find . -name '*.rs'",
        "find src -type f -iname '*.RS' | wc -l",
        "bash -c 'grep -rn main src'",
    ],
    not_matches: &[
        "grep main src/lib.rs",
        "grep -e -r src/lib.rs",
        "ls | grep -v r",
        "git grep -r main",
        "rg main",
        "fd main",
        "find . -newer Cargo.toml",
        "find . -name '*.o' -delete",
        "find . -name '*.rs' -exec wc -l {} +",
        "echo grep -r main",
    ],
};

const SUBAGENT_BUILDS: About = About {
    name: "subagent-builds",
    key: "habits.subagent_builds",
    why: "it builds or tests the whole project, and other agents work in it at the same time",
    instead: "build and test only what you changed, such as `cargo test -p PACKAGE NAME`; the main \
              agent does the rest",
    matches: &[
        "cargo build --workspace",
        "cargo test",
        "cargo +nightly test --all",
        "cargo test --doc",
        "cargo clippy --all-targets",
        "cargo nextest run",
        "cargo test 2>&1 | tail -50",
        "cd src && cd .. && cargo build",
        "cargo test --manifest-path Cargo.toml",
        "RUST_LOG=debug cargo check > out.log",
        "(cargo test; true)",
        "for i in 1 2; do cargo test; done",
        "npm run build",
        "npm test",
        "pnpm -r build",
        "yarn test",
        "make",
        "make -j8 test",
        "go build ./...",
        "go test -race ./...",
        "pytest",
        "python -m pytest -x",
        "pytest tests/",
        "mvn -q verify",
        "./gradlew build",
        "bazel test //...",
    ],
    not_matches: &[
        "cargo test -p verger-shell",
        "cargo test signals::",
        "cargo test --test it hooks_",
        "cargo build --bin verger",
        "cd crates/shell && cargo test",
        "cargo test --manifest-path crates/shell/Cargo.toml",
        "cargo nextest run -p verger-shell",
        "cargo nextest run parser",
        "cargo nextest list",
        "cargo fmt",
        "cargo --version",
        "npm run build -w web",
        "npm --prefix web test",
        "npm test -- src/a.test.ts",
        "npm install",
        "make -C docs",
        "make clean",
        "make -n test",
        "go test ./pkg/...",
        "go test ./pkg/a",
        "pytest tests/test_foo.py",
        "pytest -k foo",
        "./gradlew :app:test",
        "mvn -pl app test",
        "bazel test //app:all",
        "rg 'cargo test'",
        "echo make test",
        "git commit -m 'cargo test'",
    ],
};
