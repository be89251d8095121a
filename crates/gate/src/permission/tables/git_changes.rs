//! Rules about git commands that discard changes.

use crate::permission::rule::Rule;

pub(super) const RULES: &[Rule<'static>] = &[
    Rule::deny(
        "git-reset-hard",
        "git reset",
        "--hard",
        "it throws away changes that are not committed",
    )
    .instead("`git stash` keeps the changes; `git restore --staged` only unstages files")
    .examples(
        &["git reset --hard", "git -C . reset --hard HEAD~1", "git reset --har"],
        &["git reset --soft HEAD~1", "git commit -m 'git reset --hard'"],
    ),
    Rule::risky("git-reset-merge", "git reset", "--merge|--keep", "it may throw away changes")
        .examples(&["git reset --merge"], &["git reset HEAD~1"]),
    Rule::deny("git-clean", "git clean", "-f|--force !-n|--dry-run", "it removes untracked files")
        .instead("`git clean -n` lists the files; name the ones to remove")
        .examples(
            &["git clean -fdx", "git clean --forc -dx", "git clean -d -f -q"],
            &["git clean -n", "git clean -fdn"],
        ),
    Rule::deny(
        "git-clean-forced",
        "git clean.requireForce=false clean",
        "!-n|--dry-run",
        "it removes untracked files",
    )
    .instead("`git clean -n` lists the files; name the ones to remove")
    .examples(&["git -c clean.requireForce=false clean -d"], &["git -c a.b=c clean"]),
    Rule::risky("git-clean-asked", "git clean", "!-n|--dry-run", "it removes untracked files")
        .examples(&["git clean -i"], &["git clean -n"]),
    Rule::deny(
        "git-checkout-files",
        "git checkout",
        "--|-f|--force|<file>|--pathspec-from-file !-b|-B|--orphan !--ours|--theirs",
        "it throws away changes of files",
    )
    .instead("`git stash` keeps the changes")
    .examples(
        &[
            "git checkout -- .",
            "git checkout HEAD -- src",
            "git checkout .",
            "git checkout src/main.rs",
            "git checkout --forc main",
            "git checkout HEAD~2 Cargo.toml",
        ],
        &[
            "git checkout main",
            "git checkout -b feature/x",
            "git checkout v1.2",
            "git checkout feature/login",
            "git checkout --ours src/main.rs",
            "git checkout --theirs -- Cargo.lock",
        ],
    ),
    Rule::risky(
        "git-merge-side",
        "git checkout|restore",
        "--ours|--theirs",
        "it keeps one side of a merge and discards the other",
    )
    .examples(
        &[
            "git checkout --ours src/main.rs",
            "git checkout --theirs -- Cargo.lock",
            "git restore --theirs docs/guide.md",
        ],
        &["git checkout main", "git restore --staged x"],
    ),
    Rule::deny(
        "git-checkout-force",
        "git checkout",
        "-f|--force",
        "it throws away changes that are not committed",
    )
    .instead("`git stash` keeps the changes")
    .examples(
        &["git checkout -f -B main origin/main", "git checkout -f"],
        &["git checkout -B main"],
    ),
    Rule::risky(
        "git-branch-reset",
        "git checkout|switch",
        "-B|-C|--force-create",
        "it moves a branch to another commit",
    )
    .examples(&["git checkout -B main"], &["git checkout main"]),
    Rule::deny(
        "git-restore",
        "git restore",
        "!--staged|-S !--ours|--theirs",
        "it throws away changes of files",
    )
    .instead("`git stash` keeps the changes")
    .examples(
        &["git restore src/lib.rs", "git restore .", "git restore --source=HEAD~1 ."],
        &["git restore --staged x", "git restore --ours src/lib.rs"],
    ),
    Rule::deny(
        "git-restore-worktree",
        "git restore",
        "--worktree|-W",
        "it throws away changes of files",
    )
    .instead("`git restore --staged` only unstages files")
    .examples(
        &["git restore --staged --worktree .", "git restore -SW x"],
        &["git restore --staged x"],
    ),
    Rule::deny(
        "git-switch-discard",
        "git switch",
        "-f|--force|--discard-changes",
        "it throws away changes that are not committed",
    )
    .instead("`git stash` keeps the changes")
    .examples(
        &["git switch -f main", "git switch --discard main"],
        &["git switch main", "git switch -c topic"],
    ),
    Rule::deny("git-stash-drop", "git stash drop|clear", "", "it throws away stashed changes")
        .instead("`git stash apply` keeps the stash")
        .examples(
            &["git stash drop", "git stash clear", "git stash drop stash@{2}"],
            &["git stash", "git stash pop", "git stash list"],
        ),
    Rule::deny(
        "git-worktree-remove",
        "git worktree remove",
        "-f|--force !<temporary>",
        "it removes a worktree with its changes",
    )
    .instead("without force, git removes only a clean worktree")
    .examples(
        &["git worktree remove --force ../app-fix", "git worktree remove -f x"],
        &[
            "git worktree remove ../app-fix",
            "git worktree list",
            "git worktree remove --force /tmp/app-fix",
        ],
    ),
    Rule::risky(
        "git-worktree-remove-temporary",
        "git worktree remove",
        "-f|--force",
        "it removes a worktree with its changes",
    )
    .examples(
        &["git worktree remove --force /tmp/app-fix"],
        &["git worktree remove ../app-fix", "git worktree list"],
    ),
    Rule::deny(
        "git-submodule-deinit",
        "git submodule deinit",
        "-f|--force",
        "it removes submodules with their changes",
    )
    .instead("without force, git removes only clean submodules")
    .examples(&["git submodule deinit -f --all"], &["git submodule deinit lib"]),
    Rule::deny(
        "git-rm",
        "git rm",
        "-r|-f|--force !--cached|-n|--dry-run",
        "it removes files with their uncommitted changes",
    )
    .instead(
        "`git rm --cached` keeps the files; without options it removes only what is \
              committed",
    )
    .examples(
        &["git rm -rf src", "git rm -r docs"],
        &["git rm --cached notes.txt", "git rm old.rs"],
    ),
    Rule::deny(
        "git-checkout-index",
        "git checkout-index|read-tree",
        "-f|--force|--reset",
        "it overwrites changed files",
    )
    .examples(
        &["git checkout-index -a -f", "git read-tree --reset -u HEAD"],
        &["git read-tree -m x"],
    ),
    Rule::deny(
        "git-grep-pager",
        "git grep",
        "-O=rm*|--open-files-in-pager=rm*|-O=sh*|--open-files-in-pager=sh*|-O=bash*|\
         --open-files-in-pager=bash*",
        "it passes every file that it finds to a program that removes or runs it",
    )
    .instead("`git grep -l` lists the files")
    .examples(
        &["git grep --open-files-in-pager=\"rm -f\" TODO"],
        &["git grep -Ovim foo", "git grep TODO"],
    ),
];
