//! Rules about hosting platforms that run or publish programs.

use crate::permission::rule::Rule;

pub(super) const RULES: &[Rule<'static>] = &[
    Rule::deny(
        "heroku-destroy",
        "heroku",
        "apps:destroy|destroy|pg:reset|addons:destroy|pipelines:destroy|domains:clear|\
         pg:credentials:destroy|spaces:destroy|redis:reset|certs:remove|drains:remove|\
         apps:delete|pg:backups:delete|container:rm",
        "it destroys running resources",
    )
    .instead("ask the person to do it")
    .examples(
        &["heroku apps:destroy --app web --confirm web", "heroku pg:reset DATABASE"],
        &["heroku logs"],
    ),
    Rule::deny(
        "fly-destroy",
        "fly|flyctl ... destroy|delete|remove|revoke",
        "",
        "it destroys running resources",
    )
    .instead("ask the person to do it")
    .examples(
        &["fly apps destroy web", "flyctl volumes destroy vol_1", "fly destroy web"],
        &["fly status"],
    ),
    Rule::deny(
        "platform-remove",
        "vercel|vc|netlify|railway|render|surge|now|koyeb|northflank|dokku|cf|caprover|\
         gigalixir|platform|upsun|clever|scalingo|convox|porter ... remove|rm|delete|teardown|\
         destroy|apps:destroy|sites:delete|postgres:destroy|delete-*|down|rmi|service:destroy|\
         env:rm|environment:delete",
        "",
        "it destroys running resources",
    )
    .instead("ask the person to do it")
    .examples(
        &[
            "vercel remove web --yes",
            "netlify sites:delete x",
            "railway down",
            "cf delete web",
            "dokku apps:destroy web",
        ],
        &["vercel ls", "netlify status"],
    ),
    Rule::deny(
        "firebase-delete",
        "firebase",
        "firestore:delete|database:remove|functions:delete|hosting:disable|apps:delete|\
         projects:delete|auth:delete|hosting:sites:delete|storage:delete",
        "it deletes stored data or running resources",
    )
    .instead("ask the person to do it")
    .examples(&["firebase firestore:delete --all-collections"], &["firebase projects:list"]),
    Rule::deny(
        "wrangler-delete",
        "wrangler ... delete|remove|purge|bulk-delete",
        "",
        "it deletes stored data or running resources",
    )
    .instead("ask the person to do it")
    .examples(
        &["wrangler delete", "wrangler d1 delete app", "wrangler r2 bucket delete b"],
        &["wrangler tail"],
    ),
    Rule::deny(
        "unpublish",
        "npm|pnpm|yarn|jsr unpublish",
        "!--dry-run",
        "it removes something that others depend on",
    )
    .instead("publish a fixed version")
    .examples(&["npm unpublish app --force"], &["npm publish"]),
    Rule::deny(
        "npm-owner",
        "npm owner|team|token|access|org rm|revoke|destroy|remove|delete",
        "",
        "it removes something that others depend on",
    )
    .examples(&["npm owner rm a app", "npm token revoke x"], &["npm owner ls"]),
    Rule::deny(
        "yank",
        "cargo|gem|hex yank|retire",
        "!--undo",
        "it removes something that others depend on",
    )
    .instead("publish a fixed version")
    .examples(
        &["cargo yank --version 1.0.0", "gem yank app -v 1"],
        &["cargo publish", "cargo yank --undo --version 1.0.0"],
    ),
    Rule::risky(
        "publish",
        "npm|pnpm|yarn|cargo|gem|twine|poetry|uv|flit|hatch|lerna|changeset|goreleaser|\
         semantic-release publish|push|upload|deprecate|owner|release",
        "!--dry-run",
        "it publishes something for others",
    )
    .examples(&["npm publish", "cargo publish"], &["npm run build"]),
    Rule::deny(
        "ansible-remove",
        "ansible",
        "~state=absent",
        "it removes something on other machines",
    )
    .examples(&["ansible all -m file -a 'path=/srv state=absent'"], &["ansible all -m ping"]),
    Rule::deny(
        "ansible-stop",
        "ansible",
        "~reboot|~shutdown|~poweroff|~halt",
        "it stops other machines",
    )
    .examples(&["ansible all -b -m command -a reboot"], &["ansible all -m ping"]),
    Rule::deny(
        "config-management-delete",
        "knife|chef|puppet|salt-key|rancher|octo|spacectl ... delete|destroy|clean|-D|-d|\
         remove|bulk",
        "",
        "it removes machines from the list of managed machines",
    )
    .examples(&["knife node delete web", "salt-key -D"], &["knife node list"]),
    Rule::deny(
        "ci-delete",
        "circleci|travis|buildkite-agent|jenkins-cli|drone|teamcity|tkn|semaphore|sem ... \
         delete|delete-job|rm|purge|remove|disable",
        "",
        "it removes a part of the project's CI",
    )
    .examples(&["drone secret rm x", "tkn pipeline delete x"], &["circleci config validate"]),
    Rule::deny(
        "monitoring-delete",
        "sentry-cli|datadog-ci|grafana-cli|grafana|newrelic|pd|honeycomb ... delete|remove|\
         uninstall",
        "",
        "it removes the system's monitoring",
    )
    .examples(&["sentry-cli releases delete x"], &["sentry-cli releases list"]),
    Rule::deny(
        "stripe-delete",
        "stripe|twilio|shopify|sfdx|sf ... delete|remove|cancel|org:delete",
        "",
        "it deletes data of an online service",
    )
    .examples(&["stripe products delete x", "sf org delete scratch"], &["stripe products list"]),
];
