//! Rules against dropping and emptying databases.

use crate::permission::rule::Rule;

pub(super) const RULES: &[Rule<'static>] = &[
    Rule::deny(
        "sql-loss",
        "psql|mysql|mariadb|sqlite3|sqlite|sqlite-utils|cqlsh|clickhouse*|duckdb|sqlcmd|isql|\
         bq|cockroach|pgcli|mycli|litecli|usql|snowsql|snow|trino|presto|sqlplus|beeline|hive|\
         impala-shell|spark-sql|tsql|vsql|osql|turso|wrangler|supabase|tidb|ysqlsh|databricks|\
         athena|dolt|surreal|questdb|monetdb|mclient|db2|dbt",
        "<sql>",
        "it drops or empties something in the database, or changes every row",
    )
    .instead("choose the rows with WHERE, or ask the person to do it")
    .examples(
        &[
            "psql -c 'DROP TABLE users'",
            "psql -d app -c \"drop database app;\"",
            "mysql -u root app -e \"TRUNCATE TABLE sessions\"",
            "psql -c 'DELETE FROM users'",
            "psql --command='drop table a'",
            "sqlite3 app.db 'DROP TABLE users;'",
            "echo 'DROP TABLE users;' | psql app",
        ],
        &[
            "psql -c 'SELECT count(*) FROM users'",
            "psql -c \"select 'drop table users'\"",
            "psql app -c \"DELETE FROM users WHERE id = 4\"",
        ],
    ),
    Rule::deny(
        "mongo-loss",
        "mongo|mongosh",
        "~.dropdatabase(|~.drop(|~.dropcollection(|~.dropindexes(|~deletemany({})|\
         ~deletemany()|~.remove({})|~dropuser(",
        "it drops or empties something in the database",
    )
    .instead("ask the person to do it")
    .examples(
        &[
            "mongosh app --eval 'db.dropDatabase()'",
            "mongo app --eval 'db.users.drop()'",
            "mongosh --eval 'db.users.deleteMany({})'",
        ],
        &["mongosh --eval 'db.users.find()'", "mongosh --eval 'db.drops.find()'"],
    ),
    Rule::deny(
        "redis-loss",
        "redis-cli|valkey-cli|keydb-cli|dragonfly",
        "~flushall|~flushdb|~shutdown|~debug+segfault !get|GET|set|SET|exists|EXISTS|ttl|TTL|\
         type|TYPE|hget|HGET|hset|HSET|publish|PUBLISH",
        "it empties or stops the database",
    )
    .instead("delete the keys by their names")
    .examples(
        &["redis-cli FLUSHALL", "redis-cli -n 2 flushdb", "echo flushall | redis-cli"],
        &["redis-cli GET session:1", "redis-cli get flushall"],
    ),
    Rule::deny(
        "redis-delete-many",
        "redis-cli|valkey-cli|keydb-cli del|DEL|unlink|UNLINK",
        "<anywhere>",
        "it deletes keys whose names are not on the line",
    )
    .examples(
        &["redis-cli --scan --pattern 'x:*' | xargs redis-cli del"],
        &["redis-cli del session:1"],
    ),
    Rule::deny(
        "drop-database",
        "dropdb|dropuser|pg_dropcluster|pg_resetwal|mongorestore",
        "!--help|-l|-n",
        "it drops a database or a user of it",
    )
    .instead("ask the person to do it")
    .examples(&["dropdb app_production", "dropuser app"], &["createdb app"]),
    Rule::deny(
        "mysqladmin",
        "mysqladmin|mariadb-admin drop|shutdown|flush-all",
        "",
        "it drops or stops the database",
    )
    .instead("ask the person to do it")
    .examples(&["mysqladmin drop app -f", "mysqladmin -u root shutdown"], &["mysqladmin status"]),
    Rule::deny(
        "restore-over",
        "pg_restore",
        "-c|--clean|-C|--create",
        "it drops the existing data before it restores",
    )
    .instead("restore into a new database")
    .examples(&["pg_restore --clean -d app dump"], &["pg_restore -l dump"]),
    Rule::risky(
        "database-server",
        "pg_ctl|pg_ctlcluster|redis-server|mongod|etcd|initdb stop|restart|promote|--shutdown|-D",
        "",
        "it stops or starts a database",
    )
    .examples(&["pg_ctl stop"], &["pg_ctl status"]),
    Rule::deny(
        "key-value-loss",
        "etcdctl|consul|vault|zkcli.sh|zookeeper-shell ... del|delete|destroy|deleteall|rmr|rm|\
         disable|seal|revoke",
        "",
        "it removes stored keys or secrets",
    )
    .instead("ask the person to do it")
    .examples(
        &[
            "etcdctl del \"\" --prefix",
            "consul kv delete -recurse app",
            "vault kv delete secret/app",
            "vault operator seal",
        ],
        &["etcdctl get a", "vault kv get secret/app"],
    ),
    Rule::deny(
        "queue-loss",
        "kafka-topics|kafka-topics.sh|kafka-delete-records|kafka-delete-records.sh|\
         kafka-consumer-groups",
        "--delete|--offset-json-file|--reset-offsets",
        "it deletes messages",
    )
    .examples(&["kafka-topics --delete --topic x"], &["kafka-topics --list"]),
    Rule::deny(
        "queue-purge",
        "rabbitmqctl|rabbitmqadmin|nats|pulsar-admin|rpk ... reset|force_reset|delete|\
         delete_queue|delete_vhost|delete_user|purge_queue|purge|rm|stop_app",
        "",
        "it deletes messages or queues",
    )
    .examples(&["rabbitmqctl purge_queue x", "nats stream rm x"], &["rabbitmqctl list_queues"]),
    Rule::deny(
        "search-index-loss",
        "curl|http|https|xh|wget|httpie",
        "-X=DELETE|--request=DELETE|DELETE|--method=DELETE|*_delete_by_query* *:9200*|*/_all*|\
         *_delete_by_query*|*:5984*|*:8086*",
        "it deletes the database's data",
    )
    .instead("ask the person to do it")
    .examples(
        &["curl -X DELETE http://localhost:9200/_all", "curl -XDELETE localhost:9200/users"],
        &["curl http://localhost:9200/_cat/indices"],
    ),
    Rule::risky(
        "delete-by-request",
        "curl|http|https|xh|wget",
        "-X=DELETE|--request=DELETE|DELETE|--method=DELETE|-X=delete|-X=PUT|-X=PATCH",
        "it deletes or changes data on a server",
    )
    .examples(&["curl -X DELETE https://api.example.com/items/4"], &["curl https://example.com"]),
    Rule::deny(
        "influx-loss",
        "influx|influxd bucket|org|user delete",
        "",
        "it deletes stored data",
    )
    .examples(&["influx bucket delete -n x"], &["influx query x"]),
    Rule::deny("influx-delete", "influx delete", "", "it deletes stored data")
        .examples(&["influx delete --bucket b"], &["influx query x"]),
    Rule::deny(
        "neo4j-loss",
        "cypher-shell",
        "~detach+delete|~drop+database",
        "it deletes stored data",
    )
    .examples(
        &["cypher-shell 'MATCH (n) DETACH DELETE n'"],
        &["cypher-shell 'MATCH (n) RETURN n'"],
    ),
    Rule::deny("neo4j-delete", "neo4j-admin database|dbms delete", "", "it deletes stored data")
        .examples(&["neo4j-admin database delete neo4j"], &["neo4j-admin database info"]),
];
