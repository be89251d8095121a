//! Rules about git commands that only read.

use crate::permission::operands::Operands;
use crate::permission::rule::Rule;

/// Options that `git diff`, `git log` and `git show` share. Options that write (`--output`) or run
/// a program (`--ext-diff`, `--textconv`, `--show-signature`) are left out.
macro_rules! diffs {
    () => {
        "-p -u -s -b -w -z -a -B -M[=] -C[=] -D -R -U=NUMBER -S=TEXT -G=TEXT -l=NUMBER -W --patch --no-patch --raw \
    --stat[=] --numstat --shortstat --dirstat[=] --summary --compact-summary --name-only --name-status \
    --color[=] --no-color --color-words[=] --word-diff[=] --word-diff-regex= --color-moved[=] \
    --no-renames --find-renames[=] --find-copies[=] --find-copies-harder --unified=NUMBER --minimal --patience \
    --histogram --diff-algorithm= --diff-filter= --ignore-all-space --ignore-space-change \
    --ignore-space-at-eol --ignore-blank-lines --ignore-submodules[=] --submodule[=] --relative[=] \
    --full-index --binary --abbrev[=] --function-context --inter-hunk-context=NUMBER --exit-code --quiet --check \
    --no-ext-diff --no-textconv --no-prefix --src-prefix= --dst-prefix= --pickaxe-regex --pickaxe-all \
    --text --line-prefix= --ita-invisible-in-index --stat-width= --stat-count="
    };
}

macro_rules! logs {
    () => {
        "-# -n= -L=RANGE -g -i -E -F -P -c -m -t -r -q --oneline --graph --all --decorate[=] --no-decorate \
    --format= --pretty[=] --since= --until= --after= --before= --author= --committer= --grep=TEXT --all-match \
    --invert-grep --follow --merges --no-merges --first-parent --reverse --max-count= --skip= --date= \
    --date-order --topo-order --author-date-order --abbrev-commit --no-abbrev-commit --branches[=] --tags[=] \
    --remotes[=] --glob= --exclude= --left-right --cherry --cherry-pick --cherry-mark --left-only \
    --right-only --boundary --simplify-by-decoration --full-history --ancestry-path --walk-reflogs \
    --relative-date --parents --children --source --no-walk --mailmap --no-mailmap --regexp-ignore-case \
    --extended-regexp --fixed-strings --perl-regexp --notes[=] --no-notes --expand-tabs --encoding= \
    --min-parents= --max-parents= --cc --show-pulls --log-size --no-expand-tabs --count --diff-merges= --not"
    };
}

pub(super) const RULES: &[Rule<'static>] = &[
    Rule::allow(
        "git-status",
        "git status",
        "-s -b -sb -v -vv -z -u[=] -uno -uall --short --branch --porcelain[=] --long --verbose --ignored[=] --show-stash \
         --untracked-files[=] --ignore-submodules[=] --renames --no-renames --ahead-behind --column[=]",
        Operands::Revisions,
    )
    .examples(
        &["git status", "git status --short src", "git --no-pager status -sb", "git -C . status", "/usr/bin/git status"],
        &[
            "git status --foo",
            "git -c core.fsmonitor=./hook status",
            "git --git-dir=/tmp/evil/.git status",
            "git --exec-path=/tmp/x status",
            "git -p status",
            "./git status",
            "git -C /tmp/evil status",
            "cd /tmp/evil && git status",
            "git status\r",
            "git status $x",
            "PATH=x git status",
        ],
    ),
    Rule::allow("git-diff", "git diff", concat!(diffs!(), " --cached --staged --merge-base --no-index --stat-name-width= -# -0"), Operands::Revisions)
        .examples(
            &["git diff", "git diff --cached", "git diff main...HEAD -- crates/gate", "git diff HEAD~2 --stat", "git diff --name-only @{u}"],
            &["git diff --output=src/main.rs", "git diff --outp=x.txt", "git diff --ext-diff", "git diff --textconv", "git diff -O x", "git diff -- .env", "git diff *", "git diff -U --output=x", "git diff --unified --output=x"],
        ),
    Rule::allow("git-log", "git log|shortlog|rev-list|whatchanged|show-branch", concat!(diffs!(), " ", logs!(), " -sn -sne -ne --summary --numbered --email --objects --no-commit-header --disk-usage"), Operands::Revisions)
        .examples(
            &[
                "git log --oneline -20",
                "git log --since='2 weeks ago' --author=dev --format='%h %s'",
                "git log -S'parse_config' --oneline -- src",
                "git log --oneline \"$(git merge-base main HEAD)\"..HEAD",
                "git shortlog -sn",
                "git log -L 1,5:src/lib.rs",
                "git -C /home/dev/app log --oneline -5",
            ],
            &["git log --output=x", "git log --ext-diff -p", "git log -p .env", "git log --show-signature", "git log $x", "GIT_PAGER=./x git log", "PAGER=less git log", "git log -p -- .env.production", "git log -L 1,5:.env", "git log -p --all -- '*.env'"],
        ),
    Rule::allow("git-show", "git show|diff-tree|diff-index|diff-files", concat!(diffs!(), " ", logs!(), " --cached --root --no-commit-id"), Operands::Revisions)
        .examples(
            &["git show HEAD:src/lib.rs", "git show --stat HEAD", "git show abc123"],
            &["git show --textconv HEAD", "git show HEAD:.env", "git show HEAD:config/.env.production", "git show --output=x"],
        ),
    Rule::allow("git-blame", "git blame|annotate", "-# -L= -w -M[=] -C[=] -e -l -s -t -f -n -p -c -b --line-porcelain --porcelain --show-email --since= --date= --root --incremental --abbrev[=] --show-name --show-number", Operands::Revisions)
        .examples(&["git blame -L 40,60 src/parser.rs"], &["git blame --contents x a", "git blame --abbrev --contents=.env a", "git blame .env", "git blame --textconv a"]),
    Rule::allow("git-branch-list", "git branch", "-a -r -v -vv -av -avv -rv --all --remotes --show-current --list --verbose --contains= --no-contains= --merged[=] --no-merged[=] --points-at= --sort= --format= --column[=] --color[=] --no-color -i", Operands::None)
        .examples(&["git branch", "git branch --show-current", "git branch -a"], &["git branch topic", "git branch -d x", "git branch -D x", "git branch -m a b", "git branch --edit-description"]),
    Rule::allow("git-branch-pattern", "git branch --list|-l|--contains|--merged|--no-merged", "-a -r -v -vv --sort= --format=", Operands::AtMost(1))
        .examples(&["git branch --list 'feature/*'", "git branch --merged main"], &["git branch --list a -d x"]),
    Rule::allow("git-tag-list", "git tag", "-l --list -n[=] --sort= --contains= --points-at= --merged= --format= --column[=]", Operands::None)
        .examples(&["git tag", "git tag -l"], &["git tag v1", "git tag -d v1", "git tag -a v1 -m x"]),
    Rule::allow("git-tag-pattern", "git tag -l|--list", "-n[=] --sort= --contains= --points-at= --merged= --format=", Operands::AtMost(2))
        .examples(&["git tag -l 'v1.*'"], &["git tag -l -d v1", "git tag -l -f v1"]),
    Rule::allow("git-remote", "git remote", "-v --verbose", Operands::None)
        .examples(&["git remote -v"], &["git remote add fork https://example.com/fork.git", "git remote update", "git remote show origin"]),
    Rule {
        why: "it only fetches commits that others pushed",
        ..Rule::allow(
            "git-fetch",
            "git fetch",
            "-q -v -t -n -4 -6 --quiet --verbose --all --tags --no-tags --unshallow --dry-run --progress --no-progress \
             --no-recurse-submodules --no-auto-gc --no-auto-maintenance",
            Operands::Remote,
        )
    }
    .examples(
        &["git fetch", "git fetch -q origin main", "git fetch --tags origin", "git fetch origin pull/7/head", "GIT_SSL_CAINFO=/etc/ssl/ca.pem git fetch origin"],
        &[
            "git fetch --upload-pack=./x origin",
            "git fetch --prune",
            "git fetch -p origin",
            "git fetch --force origin main",
            "git fetch -fq origin",
            "git fetch origin main:main",
            "git fetch origin +main",
            "git fetch origin 'refs/*:refs/*'",
            "git fetch https://example.com/x.git",
            "git fetch git@example.com:x.git",
            "git fetch 'ext::sh -c x'",
            "git fetch ./x",
            "git fetch ../x main",
            "git fetch ~/x",
            "git fetch $X",
            "git fetch origin \"$X\"",
            "git fetch --recurse-submodules",
            "git fetch --output=x origin",
            "git -c core.sshCommand=./x fetch",
            "git -c protocol.ext.allow=always fetch",
            "git -C /tmp/x fetch",
            "GIT_SSH_COMMAND=./x git fetch",
            "GIT_SSH=./x git fetch",
            "GIT_SSL_NO_VERIFY=1 git fetch",
            "git fetch; ./x",
            "git fetch --stdin < x",
            "git fetch --set-upstream origin main",
            "git fetch -u origin main",
            "git fetch --depth=1 origin main",
            "git fetch --deepen=1",
            "git fetch --filter=blob:none origin",
        ],
    ),
    Rule::allow("git-ls-remote", "git ls-remote", "-q -h -t -b --heads --tags --branches --refs --quiet --exit-code --symref --sort= --get-url", Operands::Remote)
        .examples(
            &["git ls-remote", "git ls-remote --heads origin main", "git ls-remote --tags origin 'refs/tags/v1.*'"],
            &["git ls-remote https://example.com/x.git", "git ls-remote --upload-pack=./x origin", "git ls-remote 'ext::sh -c x'", "git ls-remote ../x", "git ls-remote $X", "git ls-remote -o x origin"],
        ),
    Rule::allow("git-remote-url", "git remote get-url", "--push --all", Operands::AtMost(1)).examples(&["git remote get-url origin"], &["git remote set-url origin x"]),
    Rule::allow("git-config-get", "git config", "--get --get-all --local --global --system --type= --bool --int --show-origin --show-scope --default=", Operands::Setting)
        .examples(&["git config --get user.email", "git config user.name"], &["git config core.hooksPath .hooks", "git config --list", "git config --get http.extraheader", "git config -f .env --get a", "git config -e", "git config --unset a"]),
    Rule::allow("git-stash-shown", "git stash list|show", concat!(diffs!(), " ", logs!(), " --include-untracked --only-untracked"), Operands::AtMost(2))
        .examples(&["git stash list", "git stash show -p stash@{0}"], &["git stash", "git stash pop", "git stash drop", "git stash show --output=x"]),
    Rule::allow("git-reflog", "git reflog", "-# -n= --oneline --date= --all --format= --pretty[=] --since=", Operands::None)
        .examples(&["git reflog", "git reflog -10"], &["git reflog expire --all", "git reflog delete x"]),
    Rule::allow("git-reflog-show", "git reflog show|list", "-# -n= --oneline --date= --all --format=", Operands::AtMost(1))
        .examples(&["git reflog show HEAD"], &["git reflog show --output=x"]),
    Rule::allow(
        "git-plumbing",
        "git rev-parse|ls-files|ls-tree|describe|merge-base|name-rev|for-each-ref|count-objects|show-ref|cherry|check-ref-format|range-diff|diff-pairs",
        "-# -a -c -d -h -m -o -r -s -t -u -v -z -vH -l --cached --deleted --modified --others --ignored --stage --unmerged --killed \
         --exclude-standard --exclude= --error-unmatch --full-name --recurse-submodules --abbrev[=] --eol --directory \
         --name-only --name-status --full-tree --object-only --format= --sort= --count= --points-at= --merged[=] \
         --no-merged[=] --contains= --tags --all --always --long --dirty[=] --exact-match --first-parent --match= --candidates= \
         --is-ancestor --fork-point --octopus --independent --refs= --verify --short[=] --abbrev-ref[=] --symbolic \
         --symbolic-full-name --show-toplevel --show-prefix --show-cdup --git-dir --absolute-git-dir --git-common-dir \
         --is-inside-work-tree --is-inside-git-dir --is-bare-repository --is-shallow-repository --show-superproject-working-tree \
         --show-object-format --local-env-vars --remotes[=] --branches[=] --heads --head --hash[=] --dereference -q --quiet --revs-only --flags --no-flags --not --git-path= --shell --perl --python --ignore-case --no-color --creation-factor= --stat",
        Operands::Revisions,
    )
    .examples(
        &["git rev-parse HEAD", "git ls-files '*.rs'", "git merge-base main HEAD", "git describe --tags", "git ls-files -o --exclude-standard"],
        &["git rev-parse --unknown", "git ls-files --unknown", "git ls-tree $x", "git ls-files -X .env"],
    ),
    Rule::allow("git-objects", "git cat-file", "-p -t -s -e", Operands::Revisions)
        .examples(&["git cat-file -p HEAD"], &["git cat-file -p HEAD:.env", "git cat-file --textconv HEAD:a", "git cat-file --filters HEAD:a"]),
    Rule::allow(
        "git-grep",
        "git grep",
        "-# -n -i -l -L -c -w -v -E -F -G -P -h -H -o -q -z -I -a -p -W -e=TEXT -A= -B= -C= --cached --count \
         --line-number --ignore-case --word-regexp --name-only --files-with-matches --files-without-match --and --or --not \
         --all-match --heading --break --color[=] --no-color --column --only-matching --max-depth= --show-function \
         --function-context --extended-regexp --fixed-strings --perl-regexp --invert-match --threads=",
        Operands::Revisions,
    )
    .examples(&["git grep -n 'unsafe' -- '*.rs'"], &["git grep -Ovim foo", "git grep --open-files-in-pager TODO", "git grep --textconv x", "git grep -f .env", "git grep x -- .env", "git grep --no-index KEY", "git grep --untracked KEY"]),
    Rule::allow("git-ignored", "git check-ignore|check-attr|check-mailmap", "-v -n -q -a -z --verbose --non-matching --no-index --all", Operands::Names)
        .examples(&["git check-ignore .env", "git check-ignore -v target"], &["git check-ignore --stdin < .env", "git check-attr --unknown a"]),
    Rule::allow("git-lists", "git worktree|submodule|notes|bisect|lfs|sparse-checkout list|status|log|summary|ls-files|show", "--porcelain -v --recursive --cached", Operands::AtMost(1))
        .examples(&["git worktree list", "git submodule status", "git notes list"], &["git worktree add x", "git submodule update --init", "git notes add -m reviewed", "git bisect reset"]),
    Rule::allow("git-clean-shown", "git clean -n|--dry-run|-nd|-ndx|-nx|-dn|-xdn|-dnx|-nxd|-ndX", "-d -x -X -n -q -e=", Operands::Names)
        .examples(&["git clean -n", "git clean -nd"], &["git clean -n -f", "git clean -nfd", "git clean -fd", "git clean -n --force"]),
    Rule::allow("git-patch-checked", "git apply --check|--stat|--numstat|--summary", "-p=NUMBER -R -v --reverse --verbose --check --stat --numstat --summary --cached --index", Operands::Files)
        .examples(&["git apply --check fix.patch", "git apply --stat fix.patch"], &["git apply fix.patch", "git apply --check --apply fix.patch", "git apply --check .env", "git apply --check -3 fix.patch"]),
    Rule::allow("git-merge-shown", "git merge-tree", "--write-tree --name-only --messages --no-messages --quiet -z", Operands::Revisions)
        .examples(&["git merge-tree --name-only main HEAD"], &["git merge main", "git merge-tree --stdin", "git merge-tree $X"]),
    Rule::allow("git-symbolic-ref", "git symbolic-ref", "--short -q", Operands::AtMost(1)).examples(&["git symbolic-ref --short HEAD"], &["git symbolic-ref HEAD refs/heads/x", "git symbolic-ref -d HEAD"]),
    Rule::allow("git-check", "git fsck", "--full --strict --unreachable --dangling --no-dangling --no-reflogs --connectivity-only --progress --no-progress -v --verbose", Operands::None)
        .examples(&["git fsck", "git fsck --full"], &["git fsck --lost-found"]),
    Rule::allow("git-version", "git --version|version", "--build-options", Operands::None).examples(&["git --version"], &["git --version --x"]),
];
