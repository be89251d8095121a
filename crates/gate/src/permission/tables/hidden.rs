//! Rules against destructive arguments of a program whose name is known only when the command line
//! runs.

use crate::permission::rule::Rule;

pub(super) const RULES: &[Rule<'static>] = &[
    Rule::deny(
        "hidden-remove",
        "$",
        "-r|-R|--recursive -f|--force <root>|<home>|<git>|<project>|<outside>|<source>|\
         <anywhere>",
        "a program whose name is not on the command line removes a directory",
    )
    .instead("write the program's name on the line")
    .examples(
        &["$(echo rm) -rf ~", "$CMD -rf src"],
        &["$CMD --all", "\"$1\" build", "${EDITOR} README.md"],
    ),
    Rule::deny(
        "hidden-reset",
        "$ reset",
        "--hard",
        "a program whose name is not on the command line throws changes away",
    )
    .instead("write the program's name on the line")
    .examples(&["$G reset --hard"], &["$G reset"]),
    Rule::deny(
        "hidden-clean",
        "$ clean",
        "-f -d|-x",
        "a program whose name is not on the command line removes files",
    )
    .instead("write the program's name on the line")
    .examples(&["$G clean -fdx"], &["$G clean -n"]),
    Rule::deny(
        "hidden-push",
        "$ push",
        "-f|--force|--mirror|--delete",
        "a program whose name is not on the command line replaces what others have pushed",
    )
    .instead("write the program's name on the line")
    .examples(&["$G push --force"], &["$G push"]),
    Rule::deny(
        "hidden-disk",
        "$",
        "of=<device>|<device>",
        "a program whose name is not on the command line works on a disk",
    )
    .instead("write the program's name on the line")
    .examples(&["$X if=/dev/zero of=/dev/sda", "$(echo mkfs) /dev/sda1"], &["$X if=a of=b"]),
];
