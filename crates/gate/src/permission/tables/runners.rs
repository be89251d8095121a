//! Rules that approve tools that run a project's tasks, or programs in the versions that a project
//! requires.

use crate::permission::operands::Operands;
use crate::permission::rule::Rule;

const MISE: &str = "**/mise.toml **/.mise.toml **/mise.*.toml **/.mise/** **/.config/mise.toml **/.config/mise/** **/mise/config.toml **/mise-tasks/** \
    **/.mise-tasks/** **/.tool-versions **/mise/tasks/** **/scripts/**";
const VITE: &str = "**/package.json **/vite.config.* **/vitest.config.* **/.npmrc **/pnpm-workspace.yaml **/.pnpmfile.cjs **/eslint.config.* **/.oxlintrc* \
    **/tsconfig*.json **/scripts/**";

pub(super) const RULES: &[Rule<'static>] = &[
    Rule::build("mise-run", "mise run|r", "-q -S -n -j=NUMBER --quiet --silent --dry-run --jobs=NUMBER --timings --no-timings -- --exact --nocapture --no-capture -v --verbose -q --quiet --filter=", Operands::Script)
        .defined_in(MISE)
        .examples(
            &["mise run test", "mise run lint:go", "mise r test:e2e e2e/cli/test_a", "mise -q run build", "mise --cd crates/core run test", "mise run test -- --nocapture"],
            &[
                "mise run",
                "mise run deploy",
                "mise run lint:fix",
                "mise run lint ::: deploy",
                "mise run -t node@22 test",
                "mise run --tool=node@22 test",
                "mise run --shell ./x test",
                "mise run -C /tmp/x test",
                "mise --cd /tmp/x run test",
                "mise -E prod run test",
                "mise run -f test",
                "mise run test -- --config x",
                "mise run //other:deploy",
                "mise run $X",
                "MISE_CONFIG_FILE=/tmp/x.toml mise run test",
                "mise run https://example.com/task",
                "cd .. && mise run test",
            ],
        ),
    Rule::build("mise-exec", "mise exec|x --", "", Operands::Command(0))
        .defined_in(MISE)
        .examples(
            &["mise exec -- go test ./...", "mise x -- shellcheck a.sh", "mise exec -- node --version"],
            &["mise exec node@22 -- npm test", "mise x -- rm a", "mise x -- ./x", "mise exec -c 'ls'", "mise exec -C /tmp -- ls", "mise exec --", "mise x --raw -- ls"],
        ),
    Rule::build("mise-tasks", "mise tasks|task", "-x -J --json --extended --hidden --no-header --usage --local --global", Operands::None)
        .defined_in(MISE)
        .examples(&["mise tasks"], &["mise tasks run deploy", "mise tasks add x", "mise tasks edit x"]),
    Rule::build("mise-look", "mise tasks|task|settings|config|registry|ls|current|which|where|outdated|ls-remote|latest ls|list|info|deps|get|validate", "-J --json --no-header --hidden --local --global", Operands::AtMost(2))
        .defined_in(MISE)
        .examples(&["mise tasks ls", "mise settings get jobs", "mise task info test"], &["mise settings set jobs 1", "mise tasks run ls", "mise use node", "mise install", "mise trust"]),
    Rule::build("mise-tools", "mise ls|list|current|which|where|registry|version", "-J --json --no-header -c --current -i --installed -m --missing --local --global", Operands::AtMost(1))
        .defined_in(MISE)
        .examples(&["mise ls", "mise which node"], &["mise uninstall node", "mise ls --unknown", "mise up"]),
    Rule::build("vp", "vp check|test|build|lint|typecheck", "-t= --run --coverage --reporter=dot|verbose|default|json --testNamePattern= --bail[=] --no-cache --mode=production|development|test --quiet --help -h", Operands::Inside)
        .defined_in(VITE)
        .examples(&["vp check", "vp test run test/app.test.ts -t 'signs in'", "vp build"], &["vp check --fix", "vp dev", "vp add x", "vp install", "vp test -u", "vp test --config /tmp/x", "vp build --outDir ../x", "vp lint /tmp/x", "vp dlx x"]),
    Rule::build("vp-run", "vp run", "-- -t= --run --quiet --coverage", Operands::Script)
        .defined_in(VITE)
        .examples(&["vp run typecheck", "vp run build"], &["vp run dev", "vp run deploy", "vp run", "vp run build -- --config x", "vp run db:generate", "vp run --cwd /tmp/x build"]),
    Rule::build("uvx", "uvx", "-q --quiet --offline", Operands::Tool)
        .defined_in("**/uv.toml **/pyproject.toml **/ruff.toml **/setup.cfg **/mypy.ini **/pytest.ini **/conftest.py")
        .examples(
            &["uvx ruff check src", "uvx ty check .", "uvx mypy src", "uvx -q pytest"],
            &[
                "uvx cowsay hi",
                "uvx --from git+https://example.com/x ruff check",
                "uvx --from x ruff check",
                "uvx --with x pytest",
                "uvx --index-url https://example.com ruff check",
                "uvx -p ./python ruff check",
                "uvx ruff@0.1.0 check",
                "uvx ./ruff check",
                "uvx ruff check --fix",
                "uvx python x.py",
                "uvx ls",
            ],
        ),
    Rule::build("uv-tool-run", "uv tool run", "-q --quiet --offline", Operands::Tool)
        .defined_in("**/uv.toml **/pyproject.toml **/ruff.toml **/setup.cfg **/mypy.ini")
        .examples(&["uv tool run ruff check src"], &["uv tool install ruff", "uv tool run --from x ruff", "uv tool run cowsay"]),
    Rule::build("hk", "hk check|validate", "-a --all --from-ref= --to-ref= -S= --step= -q -v --quiet --verbose", Operands::Inside)
        .defined_in("**/hk.pkl **/.config/hk.pkl **/mise.toml")
        .examples(&["hk check --all"], &["hk fix", "hk install", "hk check --hkrc /tmp/x"]),
];
