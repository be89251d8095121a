//! Rules about git commands that delete or rewrite commits, branches and tags.

use crate::permission::rule::Rule;

pub(super) const RULES: &[Rule<'static>] = &[
    Rule::deny(
        "git-push-force",
        "git push|send-pack",
        "-f|--force|+*|--mirror !--dry-run|-n",
        "it replaces commits that others have pushed",
    )
    .instead("push without force; when that is refused, fetch and integrate first")
    .examples(
        &[
            "git push -f",
            "git push origin +main",
            "git push -uf origin main",
            "git push --mirror backup",
        ],
        &["git push", "git push --force-with-lease", "git push -u origin feature/force"],
    ),
    Rule::deny(
        "git-push-delete",
        "git push",
        "--delete|-d|--prune|:*",
        "it deletes branches or tags in the shared repository",
    )
    .instead("ask the person to delete it")
    .examples(
        &[
            "git push origin --delete x",
            "git push --del origin x",
            "git push origin :old",
            "git push --prune origin",
        ],
        &["git push origin HEAD:main"],
    ),
    Rule::deny(
        "git-branch-delete",
        "git branch",
        "-D",
        "it deletes a branch that may not be merged",
    )
    .instead("`git branch -d` deletes only merged branches")
    .examples(
        &["git branch -D old", "git branch -rD origin/x"],
        &["git branch -d merged", "git branch topic"],
    ),
    Rule::deny(
        "git-branch-delete-force",
        "git branch",
        "-d|--delete -f|--force",
        "it deletes a branch that may not be merged",
    )
    .instead("`git branch -d` deletes only merged branches")
    .examples(&["git branch --delete --force old", "git branch -df old"], &["git branch -d old"]),
    Rule::risky(
        "git-branch-force",
        "git branch",
        "-f|--force|-M|-C",
        "it moves or replaces a branch",
    )
    .examples(&["git branch -f main HEAD~3"], &["git branch topic"]),
    Rule::deny("git-tag-delete-all", "git tag", "-d|--delete <anywhere>", "it deletes many tags")
        .examples(
            &["git tag -d $(git tag)", "git tag | xargs git tag -d"],
            &["git tag -d v1", "git tag v2"],
        ),
    Rule::risky("git-tag-change", "git tag", "-d|--delete|-f|--force", "it deletes or moves a tag")
        .examples(&["git tag -d v1"], &["git tag v2"]),
    Rule::deny(
        "git-reflog-expire",
        "git reflog expire|delete",
        "!--dry-run|-n",
        "it removes reflog entries, which could restore lost commits",
    )
    .examples(
        &["git reflog expire --expire=now --all", "git reflog delete HEAD@{1}"],
        &["git reflog", "git reflog show"],
    ),
    Rule::deny(
        "git-prune",
        "git gc",
        "--prune=now|--prune=all",
        "it removes commits that could still be brought back",
    )
    .instead("`git gc` without options keeps unreachable commits for a while")
    .examples(&["git gc --prune=now", "git gc --aggressive --prune=now"], &["git gc"]),
    Rule::deny(
        "git-prune-objects",
        "git prune|prune-packed",
        "!-n|--dry-run",
        "it removes commits that could still be brought back",
    )
    .instead("`git prune -n` lists the objects")
    .examples(&["git prune --expire=now"], &["git prune -n", "git remote prune origin"]),
    Rule::deny(
        "git-rewrite",
        "git filter-branch|filter-repo|fast-import",
        "",
        "it rewrites history",
    )
    .instead("make a new commit that undoes the change")
    .examples(
        &["git filter-branch --tree-filter x HEAD", "git filter-repo --path x --invert-paths"],
        &["git log --filter=x"],
    ),
    Rule::deny(
        "git-rewrite-tool",
        "git-filter-repo|git-filter-branch|bfg",
        "",
        "it rewrites history",
    )
    .examples(&["bfg --delete-files x", "git-filter-repo --path x"], &["git-lfs ls-files"]),
    Rule::deny("git-update-ref", "git update-ref", "-d|--stdin", "it deletes a branch or tag")
        .examples(&["git update-ref -d refs/heads/main"], &["git update-ref refs/heads/x HEAD"]),
    Rule::risky(
        "git-update-ref-any",
        "git update-ref|replace",
        "-d|--delete|-f|refs/*",
        "it moves or deletes a branch",
    )
    .examples(
        &[
            "git update-ref refs/heads/x HEAD~3",
            "git update-ref refs/heads/main refs/remotes/origin/HEAD",
        ],
        &["git show-ref refs/heads/x"],
    ),
    Rule::risky(
        "git-symbolic-ref-delete",
        "git symbolic-ref",
        "-d|--delete",
        "it deletes a symbolic reference, such as HEAD",
    )
    .examples(
        &["git symbolic-ref -d refs/remotes/origin/HEAD", "git symbolic-ref --delete HEAD"],
        &["git symbolic-ref HEAD"],
    ),
    Rule::risky(
        "git-symbolic-ref-set",
        "git symbolic-ref",
        "refs/* !=refs/remotes/*/HEAD",
        "it moves a branch",
    )
    .examples(
        &[
            "git symbolic-ref HEAD refs/heads/x",
            "git symbolic-ref HEAD refs/remotes/origin/HEAD",
            "git symbolic-ref refs/remotes/origin/HEAD refs/heads/x",
        ],
        &["git symbolic-ref HEAD", "git symbolic-ref --short refs/remotes/origin/HEAD"],
    ),
    Rule::risky(
        "git-lfs-prune",
        "git lfs prune|migrate",
        "!--dry-run|-d",
        "it removes or rewrites large files",
    )
    .examples(&["git lfs prune", "git lfs migrate import"], &["git lfs ls-files"]),
    Rule::deny(
        "git-annex-drop",
        "git annex drop|dropunused|unannex|uninit",
        "--force",
        "it removes content that may not exist anywhere else",
    )
    .examples(&["git annex drop --force x"], &["git annex list"]),
];
