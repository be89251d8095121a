//! Rules about changing the permissions, owners and attributes of files.

use crate::permission::rule::Rule;

pub(super) const RULES: &[Rule<'static>] = &[
    Rule::deny(
        "permissions-of-all",
        "chmod|gchmod|chown|gchown|chgrp|setfacl|chflags|xattr",
        "-R|--recursive|-r <root>|<home>|<git>",
        "it changes the permissions of the system or a home directory",
    )
    .instead("name the files of the project that need it")
    .examples(
        &[
            "chmod -R 777 /",
            "chown -R nobody:nogroup /home",
            "chmod --recurs 000 /home/dev",
            "sudo chown -R me ~",
        ],
        &["chmod -R u+w src", "chmod +x run.sh"],
    ),
    Rule::deny(
        "permissions-taken",
        "chmod|gchmod",
        "0|00|000|0000|a-rwx|a=|ugo-rwx|u-rwx",
        "it removes the permission to read and write a file",
    )
    .examples(&["chmod 000 src/main.rs", "chmod -R 000 ."], &["chmod 600 key", "chmod a-x x"]),
    Rule::deny(
        "permissions-of-system-file",
        "chmod|gchmod|chown|gchown|chattr",
        "<system-file>",
        "it changes the permissions of a file that the system needs",
    )
    .instead("ask the person to do it")
    .examples(
        &["chmod 777 /etc/passwd", "sudo chown dev /etc/sudoers", "chmod u+s /bin/bash"],
        &["chmod +x run.sh"],
    ),
    Rule::risky(
        "permissions-of-project",
        "chmod|gchmod|chown|gchown|chgrp",
        "-R|--recursive <project>|<everything>|<outside>|<anywhere>",
        "it changes the permissions of many files",
    )
    .examples(&["chmod -R 777 .", "chown -R me:me /opt/app"], &["chmod +x run.sh"]),
    Rule::risky(
        "set-user-id",
        "chmod|gchmod",
        "u+s|g+s|+s|a+s|47*|67*|27*|65*",
        "it lets a program run as another user",
    )
    .examples(&["chmod u+s ./x"], &["chmod 644 x"]),
    Rule::risky(
        "attributes",
        "chattr|chflags",
        "",
        "it changes file attributes, such as immutable",
    )
    .examples(&["chattr -i x"], &["lsattr x"]),
];
