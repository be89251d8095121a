//! Programs that only read.

use crate::permission::operands::Operands;
use crate::permission::rule::Rule;

pub(super) const RULES: &[Rule<'static>] = &[
    Rule::allow("say", "echo|printf|true|false|:", "*", Operands::Words)
        .examples(&["echo hello", "printf '%s\\n' a"], &["echo $SECRET"]),
    Rule::allow("change-directory", "cd|pwd", "*", Operands::Words)
        .examples(&["cd src", "pwd"], &["cd $X"]),
    Rule::allow("list-files", "ls", "*", Operands::Files)
        .examples(&["ls -la src", "/usr/bin/ls"], &["./ls", "ls ~/.ssh"]),
    Rule::allow("show-files", "cat|head|tail|wc", "*", Operands::Files).examples(
        &["cat src/main.rs", "head -20 README.md", "wc -l *.rs"],
        &["cat .env", "cat ~/.ssh/id_rsa"],
    ),
];
