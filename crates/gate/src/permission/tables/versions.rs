//! Questions for a version or for help.

use crate::permission::operands::Operands;
use crate::permission::rule::Rule;

macro_rules! programs {
    () => {
        "cargo|rustc|rustup|rustfmt|node|nodejs|npm|npx|pnpm|yarn|bun|deno|tsc|python|python2|python3|pip|pip3|pipx|poetry|uv|\
         ruff|black|mypy|pytest|tox|nox|go|gofmt|java|javac|mvn|gradle|kotlin|kotlinc|scala|sbt|ruby|gem|bundle|bundler|rake|rails|php|\
         composer|perl|lua|luajit|gcc|g++|cc|c++|clang|clang++|cmake|make|gmake|ninja|meson|bazel|dotnet|swift|zig|mix|elixir|erl|\
         ghc|cabal|stack|julia|R|Rscript|dart|flutter|git|gh|glab|docker|docker-compose|podman|kubectl|helm|terraform|tofu|\
         aws|gcloud|az|ansible|ansible-playbook|psql|mysql|sqlite3|redis-cli|redis-server|mongosh|curl|wget|ssh|rsync|tar|\
         zip|unzip|gzip|jq|yq|rg|fd|bat|fzf|tmux|vim|nvim|emacs|code|less|man|bash|sh|zsh|fish|awk|sed|grep|find|xargs|sort|\
         rm|mv|cp|ln|mkdir|rmdir|touch|chmod|chown|dd|ls|cat|head|tail|wc|ps|kill|pkill|top|df|du|mount|umount|systemctl|\
         shellcheck|markdownlint|eslint|prettier|jest|vitest|just|task|protoc|buf|ffmpeg|convert|magick|pandoc|openssl|gpg|\
         brew|apt|apt-get|dpkg|nix|direnv|mise|asdf|nvm|pyenv|rbenv|hyperfine|strace|gdb|lldb|valgrind|nextest|pre-commit|\
         tokei|cloc|hugo|wrangler|vercel|netlify|fly|flyctl|heroku|playwright|cypress|env|\
         date|uniq|tr|cut|tee|diff|timeout|nice|stat|file|id|hostname|whoami|uname|which|sudo|su|shred|mkfs|fdisk|crontab"
    };
}

pub(super) const RULES: &[Rule<'static>] = &[
    Rule::allow("version", concat!(programs!(), " --version|--help"), "", Operands::None).examples(
        &["node --version", "rg --version", "rm --help", "cargo --version", "python3 --version"],
        &["./node --version", "node --version -r ./x.js", "javac -version -processor x", "shutdown -h", "unknown-tool --version"],
    ),
    Rule::allow("short-version", "cargo|rustc|python|python3|rustfmt|ssh|pip|pip3|tmux|mypy|deno|uv|ruff|jq -V", "", Operands::None)
        .examples(&["cargo -V", "python3 -V"], &["python3 -V x.py"]),
    Rule::allow("letter-version", "node|npm|pnpm|yarn|bun|tsc|ruby|php|perl|java|gcc|clang|lua|nvim|nginx|docker|terraform|composer|gem|bundle|rustup|mvn|gradle|kubectl -v", "", Operands::None)
        .examples(&["node -v", "npm -v"], &["node -v x.js", "ruby -v x.rb"]),
    Rule::allow("word-version", "go|docker|docker-compose|kubectl|helm|terraform|tofu|zig|bazel|hugo|buf|openssl version", "", Operands::None)
        .examples(&["go version"], &["go version -m x y", "docker version x"]),
    Rule::allow("java-version", "java|javac|scala|kotlinc|groovy -version", "", Operands::None).examples(&["java -version"], &["javac -version -processor x", "java -version -cp x"]),
    Rule::allow("help-of-subcommand", "git|docker|kubectl|gh|go|terraform|helm|npm|pip|rustup|brew|dotnet * --help", "", Operands::None)
        .examples(&["git reset --help"], &["git reset --help x", "git --exec-path=x --help", "cargo xtask --help"]),
    Rule::allow("help-of-cargo", "cargo build|check|test|run|clippy|fmt|doc|bench|tree|metadata|add|install|publish|update|new|init|nextest --help", "", Operands::None)
        .examples(&["cargo test --help"], &["cargo xtask --help"]),
    Rule::allow("toolchains", "rustup show|which", "-v", Operands::AtMost(1)).examples(&["rustup show"], &["rustup update", "rustup toolchain install x", "rustup default x"]),
    Rule::allow("toolchain-list", "rustup toolchain|target|component list", "--installed -v --toolchain=", Operands::None).examples(&["rustup target list --installed"], &["rustup target add x"]),
    Rule::allow("compiler-facts", "rustc --print", "--target=", Operands::AtMost(1)).examples(&["rustc --print sysroot"], &["rustc --print sysroot x.rs y", "rustc -C linker=x --print cfg"]),
    Rule::allow("verbose-version", "rustc|cargo -vV|-Vv|--version", "--verbose", Operands::None).examples(&["rustc -vV", "rustc --version --verbose"], &["rustc -vV x.rs"]),
];
