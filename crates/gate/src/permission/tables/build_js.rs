//! Rules that approve builds and tests with JavaScript's package managers and tools.

use crate::permission::operands::Operands;
use crate::permission::rule::Rule;

/// Options of test runners and linters. Options that change files (`--fix`, `-u`) or name other
/// configuration or code (`--config`, `--require`) are left out.
macro_rules! runner {
    () => {
        "-t= -i -b -s -q --run --watch=false --watchAll=false --watch-all=false --ci --coverage[=] --silent[=] --verbose[=] --bail[=] \
         --runInBand --testNamePattern= --testPathPattern= --test-name-pattern= --testPathPatterns= --grep= -g= --project=NAME --workers= \
         --maxWorkers= --max-workers= --maxConcurrency= --shard= --retries= --reporter=dot|verbose|line|list|default|basic|min|spec|tap|json|github \
         --passWithNoTests --no-coverage --no-cache --no-color --color[=] --colors --onlyChanged -o --changedSince= --changed[=] --findRelatedTests --listTests \
         --detectOpenHandles --forceExit --logHeapUsage --expand --errorOnDeprecated --quiet --max-warnings= --ext= --cache --headed --debug \
         --timeout= --testTimeout= --browser= --pool= --no-file-parallelism --threads= --dom --typecheck --noEmit --pretty[=] --strict --check \
         --list-different --no-error-on-unmatched-pattern --format=stylish|json|compact|unix --type-check --max-failures= --last-failed \
         --hideSkippedTests --exclude= --dir=INSIDE --root=INSIDE --if-present --version --help -h"
    };
}

const FILES: &str = "**/package.json **/.npmrc **/.yarnrc **/.yarnrc.yml **/pnpm-workspace.yaml **/.pnpmfile.cjs **/jest.config.* **/jest.setup.* \
    **/vitest.config.* **/vitest.workspace.* **/vite.config.* **/eslint.config.* **/.eslintrc* **/.prettierrc* **/prettier.config.* \
    **/webpack.config.* **/rollup.config.* **/next.config.* **/nuxt.config.* **/babel.config.* **/.babelrc* **/tsconfig*.json \
    **/playwright.config.* **/cypress.config.* **/karma.conf.* **/.mocharc* **/turbo.json **/nx.json **/gulpfile.* **/Gruntfile.* \
    **/svelte.config.* **/astro.config.* **/tailwind.config.* **/postcss.config.* **/deno.json **/deno.jsonc **/bunfig.toml **/scripts/**";

pub(super) const RULES: &[Rule<'static>] = &[
    Rule::build("npm-test", "npm test|t|tst", concat!("-s --silent -w= --workspace= --workspaces -ws --if-present --prefix=DIR --loglevel= -- ", runner!()), Operands::Inside)
        .defined_in(FILES)
        .examples(
            &["npm test", "CI=1 npm test", "npm test -- --watchAll=false src/components/Button.test.tsx", "npm test --silent"],
            &["npm --prefix /tmp/x test", "npm test -- -u", "npm test -- --config /tmp/x.js", "npm test --script-shell=./x", "NODE_OPTIONS='--require ./x.js' npm test", "cd .. && npm test"],
        ),
    Rule::build("npm-run", "npm run|run-script", concat!("-s --silent -w= --workspace= --workspaces -ws --if-present --prefix=DIR --loglevel= -- ", runner!()), Operands::Script)
        .defined_in(FILES)
        .examples(&["npm run build", "npm run typecheck", "npm run lint -- --quiet", "npm run test:unit"], &["npm run dev", "npm run deploy", "npm run", "npm run lint:fix", "npm run build -- --config x", "npm run lint -- --fix", "npm run unheard-of"]),
    Rule::build("script", "pnpm|yarn|bun", concat!(runner!(), " -- ", runner!()), Operands::Script)
        .defined_in(FILES)
        .examples(&["pnpm lint && pnpm typecheck", "yarn lint --quiet", "CI=true pnpm test -- --run", "bun test"], &["yarn", "pnpm add zod", "yarn dev", "pnpm dlx x", "yarn lint --fix", "bun x", "bun index.ts", "pnpm --filter web deploy"]),
    Rule::build("script-filtered", "pnpm|yarn|bun test|t|build|lint|typecheck|check|format|compile|coverage", concat!(runner!(), " -- ", runner!()), Operands::Inside)
        .defined_in(FILES)
        .examples(&["pnpm -r test", "pnpm --filter web build"], &["pnpm --filter web test -u", "pnpm -C /tmp/x test"]),
    Rule::build("run-script", "pnpm|yarn|bun run", concat!(runner!(), " -- ", runner!()), Operands::Script)
        .defined_in(FILES)
        .examples(&["pnpm run test -- --run", "yarn run build", "bun run test"], &["pnpm run dev", "bun run index.ts", "bun run ./x.ts"]),
    Rule::build("workspace-script", "yarn workspace *", concat!(runner!(), " -- ", runner!()), Operands::Script)
        .defined_in(FILES)
        .examples(&["yarn workspace api build"], &["yarn workspace api add x", "yarn workspace api dev"]),
    Rule::build("workspace-run", "yarn workspace * run", concat!(runner!(), " -- ", runner!()), Operands::Script)
        .defined_in(FILES)
        .examples(&["yarn workspace api run build"], &["yarn workspace api run dev"]),
    Rule::build("test-runner", "jest|vitest|mocha|ava|tap|jasmine", runner!(), Operands::Inside)
        .defined_in(FILES)
        .examples(&["jest --coverage", "jest src/auth/login.test.ts -t 'rejects expired tokens'", "vitest run", "jest -t 'drop table'"], &["jest -u", "jest --config /tmp/jest.config.js", "jest --updateSnapshot", "vitest --ui", "jest --outputFile=x", "mocha -r ./x", "jest /tmp/x.test.js", "jest -t --config=x.js", "vitest --browser --config x.ts"]),
    Rule::build("browser-tests", "playwright|cypress test|run", concat!(runner!(), " --spec=INSIDE --e2e --component -b="), Operands::Inside)
        .defined_in(FILES)
        .examples(&["playwright test --grep @smoke"], &["playwright install", "playwright test --update-snapshots", "playwright test --config /tmp/x", "cypress open", "cypress run --project /tmp/x", "cypress run --spec /tmp/x.cy.js"]),
    Rule::build("type-check", "tsc|vue-tsc|tsgo", "-p=INSIDE -b --build --noEmit --pretty[=] --skipLibCheck --incremental[=] --project=INSIDE --strict --listFiles --traceResolution --showConfig --emitDeclarationOnly --watch=false --noErrorTruncation --diagnostics --extendedDiagnostics -v --version --explainFiles --target= --module= --jsx= --lib= --moduleResolution= --esModuleInterop --allowJs --checkJs", Operands::Inside)
        .defined_in(FILES)
        .examples(&["tsc --noEmit", "tsc", "tsc --noEmit -p tsconfig.json"], &["tsc --outDir ../x", "tsc -p /tmp/x", "tsc --init", "tsc --outFile x"]),
    Rule::build(
        "js-lint",
        "eslint|stylelint|oxlint|knip|depcheck|madge|htmlhint|jshint|standard|xo|tslint|svelte-check|publint|attw|markdownlint|markdownlint-cli2|cspell|commitlint|size-limit|ls-lint",
        "-f=stylish|json|compact|unix --format=stylish|json|compact|unix|junit|html --ext= --max-warnings= --quiet --cache --no-cache --no-color --color --ignore-pattern= --no-error-on-unmatched-pattern \
         --report-unused-disable-directives --debug --stats --no-inline-config --pass-on-no-patterns --allow-empty-input --ignore= --fail-on-warnings --no-progress --circular --extensions= \
         --tsconfig=INSIDE --output=human --threshold= --version -v --help -h --no-summary --no-must-find-files",
        Operands::Inside,
    )
    .defined_in(FILES)
    .examples(
        &["eslint . --max-warnings 0", "eslint src", "markdownlint README.md"],
        &["eslint --fix .", "eslint -c /tmp/x.js .", "eslint --rulesdir x .", "eslint -o x .", "eslint --plugin x .", "eslint /tmp/x", "eslint --resolve-plugins-relative-to x ."],
    ),
    Rule::build("biome", "biome check|lint|format|ci", "--max-diagnostics= --diagnostic-level= --reporter=summary|github --colors= --verbose --changed --staged", Operands::Inside)
        .defined_in(FILES)
        .examples(&["biome check src"], &["biome check --write src", "biome check --apply .", "biome migrate"]),
    Rule::build("format", "prettier", "-c -l -w -u --check --write --list-different --ignore-unknown --log-level= --loglevel= --no-error-on-unmatched-pattern --cache --no-color --version", Operands::Inside)
        .defined_in(FILES)
        .examples(&["prettier --check .", "prettier --write src"], &["prettier --plugin=./x .", "prettier --config /tmp/x .", "prettier --write /tmp/x"]),
    Rule::build("bundle", "next|vite|webpack|rollup|esbuild|turbo|nx|lerna|tsup|nuxt|astro|remix|gatsby|ng|vue-cli-service|parcel|swc build|test|lint|typecheck|check", "--filter= --mode=production|development --verbose --quiet --force --no-cache --no-color --concurrency= --configuration= --prod --watch=false", Operands::Inside)
        .defined_in(FILES)
        .examples(&["next build", "turbo build", "vite build"], &["next dev", "vite build --outDir /tmp/x", "vite build --config x", "ng serve"]),
    Rule::build("webpack", "webpack|tsup", "--mode=production|development|none --progress --profile", Operands::None)
        .defined_in(FILES)
        .examples(&["webpack --mode production"], &["webpack serve", "webpack --config x", "webpack -o /tmp/x"]),
    Rule::build("nx-many", "nx run-many|affected", "-t=BUILDS --target=BUILDS --targets=BUILDS -p= --projects= --all --parallel[=] --skip-nx-cache --exclude= --base= --head= --verbose", Operands::None)
        .defined_in(FILES)
        .examples(&["nx run-many -t test", "nx affected -t lint,test"], &["nx run-many -t deploy", "nx run-many -t test,deploy"]),
    Rule::build("bundle-run", "turbo|nx|lerna run", "--filter= --verbose --no-cache --concurrency= --scope= --parallel[=]", Operands::Targets)
        .defined_in(FILES)
        .examples(&["turbo run test"], &["turbo run dev", "turbo run deploy", "turbo run build deploy"]),
    Rule::build("node-test", "node --test", "--test-name-pattern= --test-reporter=spec|tap|dot --test-only --experimental-test-coverage --test-concurrency= --test-timeout=", Operands::Inside)
        .defined_in(FILES)
        .examples(&["node --test", "node --test test/"], &["node --test -r ./x", "node x.js", "node --test --import ./x", "node --test /tmp/x.js"]),
    Rule::build("deno", "deno test|check|lint|fmt|bench", "-q --quiet --check --no-check --coverage --filter= --fail-fast --parallel --ignore= --doc --no-run", Operands::Inside)
        .defined_in(FILES)
        .examples(&["deno test", "deno lint"], &["deno run x.ts", "deno test -A", "deno test --allow-all", "deno test --config /tmp/x", "deno test https://example.com/x.ts"]),
    Rule::build("deno-task", "deno task", "-q --quiet", Operands::Script)
        .defined_in(FILES)
        .examples(&["deno task test"], &["deno task dev", "deno task", "deno task --cwd /tmp/x test", "deno task --eval x"]),
    Rule::build("package-tool", "npx|bunx", "--no-install --no", Operands::Tool).defined_in(FILES)
        .examples(&["npx jest", "npx --no-install tsc --noEmit"], &["npx cowsay hello", "npx -y jest", "npx -p x jest", "npx ls", "npx jest@1", "npx ./x", "npx prisma migrate dev --name add_users"]),
    Rule::build("package-tool-exec", "pnpm|yarn|npm exec", "", Operands::Tool).defined_in(FILES)
        .examples(&["pnpm exec jest", "npm exec -- tsc --noEmit"], &["npm exec -- some-tool", "pnpm exec ls", "pnpm dlx jest", "npm exec -c 'x'"]),
    Rule::allow("npm-look", "npm ls|list|ll|view|info|show|outdated|why|explain|root|prefix|bin|query", "-g -a -l -p --depth= --all --json --global --long --omit= --prod --production --dev --parseable --link -w= --workspaces --audit-level=", Operands::AtMost(4))
        .examples(&["npm ls --depth=0", "npm ls eslint", "npm view react version", "npm outdated"], &["npm config list", "npm ls --prefix /tmp/x --userconfig x", "npm install", "npm token list", "npm run", "npm fund lodash"]),
    Rule::allow("npm-scripts", "npm run", "--json", Operands::None).examples(&["npm run"], &["npm run dev"]),
    Rule::build("npm-audit", "npm|pnpm|yarn audit", "--json --audit-level= --omit= --prod --production --dev --level=", Operands::None)
        .defined_in(FILES)
        .examples(&["npm audit"], &["npm audit fix", "npm audit fix --force", "npm audit --fix"]),
    Rule::build("yarn-look", "yarn|pnpm why|list|ls|info|outdated|licenses", "-r --depth= --json --pattern= --recursive --long --prod --dev --all -A", Operands::AtMost(4))
        .defined_in(FILES)
        .examples(&["yarn why lodash", "pnpm list"], &["yarn add react", "pnpm outdated --config.x=y"]),
    Rule::allow("bun-look", "bun pm ls", "--all", Operands::None).examples(&["bun pm ls"], &["bun pm trust x", "bun add x"]),
    Rule::allow("deno-look", "deno info|--version", "--json", Operands::Inside).examples(&["deno info"], &["deno info https://example.com/x.ts /x", "deno install x"]),
];
