//! Rules about version control programs other than git, and about forges that host repositories.

use crate::permission::rule::Rule;

pub(super) const RULES: &[Rule<'static>] = &[
    Rule::deny(
        "hg-loss",
        "hg update|up|checkout|co|revert|purge|strip|clean|backout|histedit",
        "-C|--clean|--all|-a|--no-backup|purge",
        "it throws away changes or history",
    )
    .examples(&["hg update -C", "hg revert --all"], &["hg status"]),
    Rule::deny("hg-strip", "hg purge|strip|prune", "", "it throws away files or history")
        .examples(&["hg purge", "hg strip tip"], &["hg log"]),
    Rule::deny(
        "svn-loss",
        "svn revert|delete|rm|cleanup",
        "-R|--recursive|<url>|--force|--remove-unversioned",
        "it throws away changes or stored data",
    )
    .examples(&["svn revert -R .", "svn delete https://example.com/svn/trunk"], &["svn status"]),
    Rule::deny(
        "gh-delete",
        "gh repo|release|secret|variable|issue|gist|codespace|ssh-key|gpg-key|ruleset|project \
         delete|archive",
        "",
        "it deletes something that others use",
    )
    .instead("ask the person to do it")
    .examples(
        &["gh repo delete someone/app --yes", "gh release delete v1", "gh secret delete X"],
        &["gh repo view", "gh release list"],
    ),
    Rule::deny(
        "gh-api-delete",
        "gh|glab api",
        "-X=DELETE|--method=DELETE|-X=delete",
        "it deletes something that others use",
    )
    .instead("ask the person to do it")
    .examples(
        &["gh api -X DELETE repos/a/b", "gh api --method DELETE /repos/a/b"],
        &["gh api repos/a/b"],
    ),
    Rule::deny(
        "glab-delete",
        "glab repo|release|variable|issue|mr|ci delete",
        "",
        "it deletes something that others use",
    )
    .instead("ask the person to do it")
    .examples(&["glab repo delete a/b"], &["glab repo view"]),
    Rule::risky(
        "gh-change",
        "gh run|cache|label|workflow|auth|repo|secret|variable|ssh-key|pr|api delete|disable|\
         logout|edit|rename|set|add|close|merge",
        "",
        "it changes something that others use",
    )
    .examples(&["gh repo edit --visibility public", "gh secret set X"], &["gh pr view 4"]),
];
