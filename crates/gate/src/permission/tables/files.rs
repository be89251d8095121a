//! Removing and overwriting files.

use crate::permission::rule::Rule;

pub(super) const RULES: &[Rule<'static>] = &[
    Rule::floor(
        "remove-root-or-home",
        "rm",
        "-r|-R|--recursive <root>|<home>|<git>",
        "it removes the system, a home directory or a repository with its history",
    )
    .examples(
        &[
            "rm -rf /",
            "rm -rf ~",
            "rm --recurs --forc /etc",
            "rm -r $HOME",
            "rm -fr .git",
            "sudo rm -rf /*",
        ],
        &["rm -rf target/debug", "rm notes.txt", "echo rm -rf /"],
    ),
    Rule::deny(
        "remove-tree",
        "rm",
        "-r|-R|--recursive <project>|<outside>|<source>|<hidden>",
        "it removes a whole directory for good",
    )
    .instead("name the single files that have to go, or ask the person to remove the directory")
    .examples(
        &["rm -rf ./src", "rm -r ../other", "rm -rf *", "rm -rf \"$DIR\"", "ls | xargs rm -rf"],
        &["rm -rf node_modules", "rm -rf /tmp/scratch", "rm a.txt"],
    ),
];
