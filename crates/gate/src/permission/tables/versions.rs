//! Rules that approve commands that only print a version or help.

use crate::permission::operands::Operands;
use crate::permission::rule::Rule;

macro_rules! programs {
    () => {
        "rustup|node|nodejs|npm|npx|bun|deno|tsc|python|python2|python3|pip|pip3|pipx|uv|\
         ruff|black|mypy|pytest|tox|nox|go|gofmt|java|javac|gradle|kotlin|kotlinc|scala|ruby|gem|bundle|bundler|rake|php|\
         perl|lua|luajit|gcc|g++|cc|c++|clang|clang++|cmake|make|gmake|ninja|meson|dotnet|swift|zig|mix|elixir|erl|\
         ghc|cabal|stack|julia|R|Rscript|dart|flutter|git|gh|glab|docker|docker-compose|podman|kubectl|helm|terraform|tofu|\
         aws|gcloud|az|ansible|ansible-playbook|psql|mysql|sqlite3|redis-cli|redis-server|mongosh|curl|wget|ssh|rsync|tar|\
         zip|unzip|gzip|jq|yq|rg|fd|bat|fzf|tmux|vim|nvim|emacs|code|less|man|bash|sh|zsh|fish|awk|sed|grep|find|xargs|sort|\
         rm|mv|cp|ln|mkdir|rmdir|touch|chmod|chown|dd|ls|cat|head|tail|wc|ps|kill|pkill|top|df|du|mount|umount|systemctl|\
         shellcheck|markdownlint|eslint|prettier|just|task|protoc|buf|ffmpeg|convert|magick|pandoc|openssl|gpg|\
         brew|apt|apt-get|dpkg|nix|direnv|mise|asdf|nvm|pyenv|rbenv|hyperfine|strace|gdb|lldb|valgrind|nextest|pre-commit|\
         vp|uvx|openspec|pkl|hk|golangci-lint|ty|biome|shfmt|hadolint|actionlint|jj|bats|zizmor|taplo|\
         tokei|cloc|hugo|wrangler|vercel|netlify|fly|flyctl|heroku|playwright|cypress|env|\
         date|uniq|tr|cut|tee|diff|timeout|nice|stat|file|id|hostname|whoami|uname|which|sudo|su|shred|mkfs|fdisk|crontab"
    };
}

const TOOLCHAIN: &str = "**/rust-toolchain.toml **/rust-toolchain";

pub(super) const RULES: &[Rule<'static>] = &[
    Rule::allow("version", concat!(programs!(), " --version|--help"), "", Operands::None).examples(
        &["node --version", "rg --version", "rm --help", "python3 --version"],
        &["./node --version", "node --version -r ./x.js", "javac -version -processor x", "shutdown -h", "unknown-tool --version"],
    ),
    // These programs run a version, or code, that files of the project select.
    Rule::build("version-by-project", "cargo|rustc|rustfmt|yarn|pnpm|poetry|mvn|sbt|rails|composer|bazel|jest|vitest --version|--help|-V|-v|version", "", Operands::None)
        .defined_in("**/rust-toolchain.toml **/rust-toolchain **/.yarnrc **/.yarnrc.yml **/.mvn/** **/.sbtopts **/.jvmopts **/bin/rails **/tools/bazel **/package.json **/composer.json **/pyproject.toml")
        .examples(&["cargo --version", "yarn -v", "cargo -V", "mvn --version"], &["./cargo --version", "mvn --version -f x", "cargo"]),
    Rule::allow("short-version", "python|python3|ssh|pip|pip3|tmux|mypy|deno|uv|ruff|jq -V", "", Operands::None)
        .examples(&["python3 -V"], &["python3 -V x.py"]),
    Rule::allow("letter-version", "node|npm|bun|tsc|ruby|php|perl|java|gcc|clang|lua|nvim|nginx|docker|terraform|gem|bundle|rustup|gradle|kubectl -v", "", Operands::None)
        .examples(&["node -v", "npm -v"], &["node -v x.js", "ruby -v x.rb"]),
    Rule::allow("word-version", "go|docker|docker-compose|kubectl|helm|terraform|tofu|zig|hugo|buf|openssl version", "", Operands::None)
        .examples(&["go version"], &["go version -m x y", "docker version x"]),
    Rule::allow("java-version", "java|javac|scala|kotlinc|groovy -version", "", Operands::None).examples(&["java -version"], &["javac -version -processor x", "java -version -cp x"]),
    Rule::allow("help-of-subcommand", "git|docker|kubectl|gh|go|terraform|helm|npm|pip|rustup|brew|dotnet * --help", "", Operands::None)
        .examples(&["git reset --help"], &["git reset --help x", "git --exec-path=x --help", "cargo xtask --help"]),
    Rule::build("help-of-cargo", "cargo build|check|test|run|clippy|fmt|doc|bench|tree|metadata|add|install|publish|update|new|init|nextest --help", "", Operands::None)
        .defined_in(TOOLCHAIN)
        .examples(&["cargo test --help"], &["cargo xtask --help"]),
    Rule::allow("toolchains", "rustup show|which", "-v", Operands::AtMost(1)).examples(&["rustup show"], &["rustup update", "rustup toolchain install x", "rustup default x"]),
    Rule::allow("toolchain-list", "rustup toolchain|target|component list", "--installed -v --toolchain=", Operands::None).examples(&["rustup target list --installed"], &["rustup target add x"]),
    Rule::build("compiler-facts", "rustc --print", "--target=NAME", Operands::AtMost(1)).defined_in(TOOLCHAIN).examples(&["rustc --print sysroot"], &["rustc --print sysroot x.rs y", "rustc -C linker=x --print cfg"]),
    Rule::build("verbose-version", "rustc|cargo -vV|-Vv|--version", "--verbose", Operands::None).defined_in(TOOLCHAIN).examples(&["rustc -vV", "rustc --version --verbose"], &["rustc -vV x.rs"]),
];
