//! Rules about tools that migrate or reset a database, continued from the module `migrations`.

use crate::permission::rule::Rule;

pub(super) const RULES: &[Rule<'static>] = &[
    Rule::deny(
        "typeorm-loss",
        "typeorm|typeorm-ts-node-commonjs|mikro-orm|drizzle-kit schema:drop|schema:fresh|\
         migration:fresh|database:drop|drop",
        "",
        "it drops the whole database",
    )
    .examples(
        &["npx typeorm schema:drop", "npx mikro-orm schema:drop -r"],
        &["npx typeorm migration:run"],
    ),
    Rule::deny("ecto-loss", "mix", "ecto.drop|ecto.reset", "it drops the whole database")
        .examples(&["mix ecto.drop", "mix ecto.reset"], &["mix ecto.migrate", "mix test"]),
    Rule::deny("ef-loss", "dotnet ef database drop", "", "it drops the whole database")
        .examples(&["dotnet ef database drop -f"], &["dotnet ef database update"]),
    Rule::deny("flyway-clean", "flyway", "clean", "it drops the whole database")
        .examples(&["flyway clean", "flyway -url=x clean"], &["flyway migrate"]),
    Rule::deny(
        "liquibase-drop",
        "liquibase dropAll|drop-all|rollback|rollback-count|rollbackCount",
        "",
        "it drops the database or rolls it back",
    )
    .examples(&["liquibase dropAll"], &["liquibase update"]),
    Rule::deny(
        "build-clean-database",
        "mvn|gradle|gradlew|mvnw",
        "flyway:clean|flywayClean|liquibase:dropAll|dropAll",
        "it drops the whole database",
    )
    .examples(&["mvn flyway:clean", "./gradlew flywayClean"], &["mvn clean", "./gradlew clean"]),
    Rule::deny(
        "supabase-loss",
        "supabase db|projects|branches|storage reset|delete|rm",
        "",
        "it drops or deletes stored data",
    )
    .examples(&["supabase db reset --linked", "supabase projects delete x"], &["supabase db diff"]),
    Rule::deny(
        "diesel-loss",
        "diesel|sqlx|sea-orm-cli|dbmate|migrate|goose|atlas ... reset|drop|fresh|clean|down-to",
        "",
        "it drops the whole database",
    )
    .examples(
        &[
            "diesel database reset",
            "sqlx database drop",
            "sea-orm-cli migrate fresh",
            "dbmate drop",
            "goose postgres x reset",
        ],
        &["diesel migration run", "sqlx migrate run"],
    ),
    Rule::deny("wordpress-loss", "wp db reset|drop|clean", "", "it empties the database")
        .examples(&["wp db reset --yes"], &["wp db export"]),
    Rule::deny(
        "drush-loss",
        "drush sql-drop|sql:drop|site-install|si",
        "",
        "it empties the database",
    )
    .examples(&["drush sql-drop -y"], &["drush status"]),
    Rule::deny(
        "hasura-loss",
        "hasura|convex|dbt|meteor reset|down|clear|drop",
        "!--dry-run",
        "it empties the database",
    )
    .examples(&["meteor reset"], &["dbt run"]),
];
