//! Rules that approve the shell's own commands, and wrappers such as `env` or `timeout`.

use crate::permission::operands::Operands;
use crate::permission::rule::Rule;

pub(super) const RULES: &[Rule<'static>] = &[
    Rule::allow("change-directory", "cd", "-P -L", Operands::Directory)
        .examples(&["cd src", "cd", "cd \"$HOME/app\"", "cd .."], &["cd $X", "cd a b", "cd ~/.ssh && ls"]),
    Rule::allow("directory-stack", "pushd|popd|dirs", "", Operands::Directory).examples(&["pushd src && ls"], &["pushd $x"]),
    Rule::allow("condition", "[|test|[[", "", Operands::Condition).examples(
        &["[ -f Cargo.lock ]", "test -d src && echo yes", "[ \"$x\" = 'rm -rf /' ] && echo same", "[[ $? -eq 0 ]]", "[[ -f a && -f b ]]", "n=$(ls | wc -l); [ \"$n\" -gt 5 ]"],
        &["test -v 'a[$(id)]'", "[[ $x -eq $y ]]", "[[ a[0] -eq 1 ]]", "[[ x -eq 1 ]]", "[ $x = y ]", "[[ -v x ]]"],
    ),
    Rule::allow("switches", "set", "", Operands::Switches)
        .examples(&["set -e; ls", "set -euo pipefail", "set +e"], &["set", "set -x", "set -o", "set -a", "set -k", "set $x"]),
    Rule::allow("read-lines", "read", "-r -d= -n= -t= -s", Operands::OwnVariables)
        .examples(&["git ls-files | while read -r f; do echo \"$f\"; done", "git ls-files | while IFS= read -r f; do wc -l \"$f\"; done"], &["read -a 'a[$(id)]'", "read -u 3 x", "IFS=/ read -r a b", "read 'a[0]'", "while read -r l; do echo \"$l\"; done < .env"]),
    Rule::allow("leave", "exit|return|break|continue|wait|shift", "", Operands::AtMost(1))
        .examples(&["exit 1", "for f in a; do break; done"], &["exit $x"]),
    Rule::allow("export", "export", "", Operands::Variables).examples(&["export CI=1; ls"], &["export", "export -p", "export PATH=x", "export CI=$x"]),
    Rule::allow("time", "time", "-p", Operands::None).examples(&["time (ls)"], &["time -o x"]),
    Rule::allow("measure", "time", "-p", Operands::Command(0)).examples(&["time ls", "time -p ls"], &["time ./x", "time -o x ls", "time rm a"]),
    Rule::allow("limit", "timeout|gtimeout", "-k= -s= --kill-after= --signal= --preserve-status --foreground -v --verbose", Operands::Command(1))
        .examples(&["timeout 60s ls", "timeout -k 5 60 cat a"], &["timeout 5 bash", "timeout 5 ./x", "timeout $x ls", "timeout --unknown 5 ls"]),
    Rule::allow("nice", "nice|ionice|stdbuf|command|builtin", "-n= -c= -# -p -oL -o0 -eL -e0 -i0 -o= -e= -i= --adjustment=", Operands::Command(0))
        .examples(&["nice -n 10 ls", "command ls", "stdbuf -oL cat a"], &["nice ./x", "command ./x", "nice --unknown ls", "nice -n 10 rm a"]),
    Rule::allow("environment", "env", "-i -u= -0 --ignore-environment --unset=", Operands::Command(0))
        .examples(&["env ls", "env CI=1 ls", "/usr/bin/env ls"], &["env", "env PATH=x ls", "env -S 'ls'", "env ./x", "env -C / ls", "env CI=1"]),
    Rule::allow("each", "xargs|gxargs", "-0 -r -t -n= -P= -L= -I= -d= -E= -x -s= --null --no-run-if-empty --max-args= --max-procs= --delimiter=", Operands::Command(0))
        .examples(
            &["git ls-files '*.rs' | xargs wc -l", "find crates -name Cargo.toml -print0 | xargs -0 grep -l tokio", "rg -l foo | xargs -I{} head -1 {}"],
            &[
                "find . -name .env | xargs cat",
                "ls | xargs rm",
                "xargs -a list.txt cat",
                "ls | xargs -I{} ./handle {}",
                "ls | xargs sh -c 'x'",
                "cat names | xargs cat",
                "echo .env | xargs cat",
                "ls | xargs",
                "git ls-files | xargs sort",
            ],
        ),
    Rule::allow("shell", "bash|sh|dash", "-c -l -e -u -lc -ec -euc -o=pipefail", Operands::ShellText).examples(
        &["bash -c 'ls -la src | head'", "bash -lc 'cargo --version'", "sh -c 'cat a'"],
        &["bash", "bash x.sh", "bash -c 'rm a'", "bash -c 'ls' a b", "bash -c \"$x\"", "bash -ic ls", "bash -c ''", "timeout 5 bash"],
    ),
];
