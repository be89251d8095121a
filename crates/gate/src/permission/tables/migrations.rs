//! Rules about tools that migrate or reset a database.

use crate::permission::rule::Rule;

pub(super) const RULES: &[Rule<'static>] = &[
    Rule::deny("prisma-reset", "prisma migrate reset", "", "it drops the whole database")
        .instead("`prisma migrate dev` only runs new migrations")
        .examples(
            &["npx prisma migrate reset --force", "prisma migrate reset"],
            &["npx prisma migrate dev --name add_users"],
        ),
    Rule::deny(
        "prisma-push",
        "prisma db push|execute",
        "--force-reset|--accept-data-loss",
        "it drops data of the database",
    )
    .examples(&["npx prisma db push --force-reset"], &["npx prisma db push"]),
    Rule::deny(
        "rails-loss",
        "rails|rake",
        "db:drop*|db:reset*|db:purge*|db:migrate:reset*|db:truncate_all*|db:schema:load*|\
         db:structure:load*|db:setup*|db:seed:replant*",
        "it drops or empties the database",
    )
    .instead("`rails db:migrate` only runs new migrations")
    .examples(
        &["bundle exec rails db:drop", "rails db:reset", "bin/rails db:purge", "rake db:drop:all"],
        &["rails db:migrate", "rails test"],
    ),
    Rule::risky(
        "rails-rollback",
        "rails|rake",
        "db:rollback*|db:migrate:down*|db:migrate:redo*|destroy",
        "it rolls back migrations of the database",
    )
    .examples(&["rails db:rollback"], &["rails db:migrate"]),
    Rule::deny(
        "artisan-loss",
        "php|sail|artisan ... migrate:fresh|migrate:reset|migrate:refresh|db:wipe|\
         doctrine:database:drop|doctrine:schema:drop|d:d:d",
        "",
        "it drops the whole database",
    )
    .instead("`php artisan migrate` only runs new migrations")
    .examples(
        &[
            "php artisan migrate:fresh --seed",
            "php artisan db:wipe",
            "php bin/console doctrine:database:drop --force",
        ],
        &["php artisan migrate", "php artisan test"],
    ),
    Rule::deny(
        "console-loss",
        "console|symfony ... doctrine:database:drop|doctrine:schema:drop|d:d:d",
        "",
        "it drops the whole database",
    )
    .examples(&["bin/console doctrine:database:drop --force"], &["bin/console cache:clear"]),
    Rule::deny(
        "django-loss",
        "python*|uv|manage.py|django-admin ... flush|reset_db|sqlflush",
        "!sqlflush",
        "it empties the database",
    )
    .instead("`manage.py migrate` only runs new migrations")
    .examples(
        &["python manage.py flush --noinput", "./manage.py reset_db", "django-admin flush"],
        &["python manage.py migrate", "python manage.py test"],
    ),
    Rule::deny(
        "django-zero",
        "python*|manage.py|django-admin ... migrate",
        "zero",
        "it rolls back every migration of the database",
    )
    .examples(&["python manage.py migrate app zero"], &["python manage.py migrate app"]),
    Rule::deny(
        "downgrade-base",
        "alembic|flask|superset ... downgrade",
        "base",
        "it rolls back every migration of the database",
    )
    .examples(
        &["alembic downgrade base", "flask db downgrade base"],
        &["alembic downgrade -1", "alembic upgrade head"],
    ),
    Rule::risky(
        "downgrade",
        "alembic|flask|superset ... downgrade",
        "",
        "it rolls back migrations of the database",
    )
    .examples(&["alembic downgrade -1"], &["alembic upgrade head"]),
    Rule::deny(
        "sequelize-loss",
        "sequelize|sequelize-cli db:drop|db:migrate:undo:all|db:seed:undo:all",
        "",
        "it drops or empties the database",
    )
    .examples(
        &["npx sequelize-cli db:drop", "npx sequelize db:migrate:undo:all"],
        &["npx sequelize-cli db:migrate"],
    ),
    Rule::deny(
        "knex-loss",
        "knex migrate:rollback|migrate:down",
        "--all",
        "it rolls back every migration of the database",
    )
    .examples(&["npx knex migrate:rollback --all"], &["npx knex migrate:latest"]),
];
