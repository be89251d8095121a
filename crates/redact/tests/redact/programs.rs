//! Tests of passwords that programs take as options, arguments or directives.

use crate::kinds::{check, check_untouched};

#[test]
fn an_option_counts_after_its_program() {
    check(&[
        ("sshpass -p 'candle42' ssh a@b", "sshpass -p '‹password›' ssh a@b"),
        ("SSHPASS=violet-pickle sshpass -e x", "SSHPASS=‹password› sshpass -e x"),
        ("mysql -phunter2Abc99 x", "mysql -p‹password› x"),
        ("mysql -u root -pcandle42 -h a", "mysql -u root -p‹password› -h a"),
        (
            "redis-cli -h a -p 6379 -a violet-pickle ping",
            "redis-cli -h a -p 6379 -a ‹password› ping",
        ),
        ("docker login a.b -u robot -p tLjOtpla", "docker login a.b -u robot -p ‹password›"),
        ("twine upload -u ci -p candle42 dist/*", "twine upload -u ci -p ‹password› dist/*"),
        ("keytool -storepass candle-violet-orbit x", "keytool -storepass ‹password› x"),
        ("openssl rsa -passin pass:tLjOtpla -out x", "openssl rsa -passin pass:‹password› -out x"),
        ("openssl x -passout pass:'tLjOtpla' -y", "openssl x -passout pass:'‹password›' -y"),
        ("ldapsearch -x -D 'cn=a' -w candle -b c", "ldapsearch -x -D 'cn=a' -w ‹password› -b c"),
        ("sqlcmd -S a -U sa -P candle42 -Q 'x'", "sqlcmd -S a -U sa -P ‹password› -Q 'x'"),
        (
            "smbclient //a/b -U 'deploy%candle42' -c ls",
            "smbclient //a/b -U 'deploy%‹password›' -c ls",
        ),
        ("curl --user 'admin:violet-pickle' x", "curl --user 'admin:‹password›' x"),
        ("curl -u deploy:cometcandle6910 x", "curl -u deploy:‹password› x"),
        ("gh secret set DEPLOY --body \"tLjOtpla\"", "gh secret set DEPLOY --body \"‹password›\""),
        (
            "nmcli dev wifi connect office password candle",
            "nmcli dev wifi connect office password ‹password›",
        ),
        (
            "htpasswd -bc .htpasswd deploy \"candle\"",
            "htpasswd -bc .htpasswd deploy \"‹password›\"",
        ),
        (
            "echo candle | docker login a -u b --password-stdin",
            "echo ‹password› | docker login a -u b --password-stdin",
        ),
        ("echo 'deploy:candle' | chpasswd", "echo 'deploy:‹password›' | chpasswd"),
    ]);
    check_untouched(&[
        "mkdir -p candle42/orbit",
        "docker run -p 8080:80 nginx",
        "ssh -p 2222 deploy@host",
        "mysql -u root -p -h host",
        "mysql -u root -p\"$PASSWORD\"",
        "mysql -u root -ppassword",
        "mysql --version | grep -pattern",
        "sshpass -p $PASS ssh a",
        "sshpass -p '<password>' ssh a",
        "redis-cli -h a -p 6379 ping",
        "ls -a candle42",
        "curl --user admin x",
        "docker run --user 1000:1000 x",
        "gh pr create --body \"candle42\"",
        "echo candle | docker build -",
        "echo \"$TOKEN\" | docker login --password-stdin",
        "grep -w candle42 x",
        "git log -P candle42",
    ]);
}

#[test]
fn a_directive_counts_where_its_file_has_it() {
    check(&[
        ("requirepass violet-pickle", "requirepass ‹password›"),
        ("a\\nbindpw candle42\\n", "a\\nbindpw ‹password›\\n"),
        ("127.0.0.1:6379> AUTH candle42", "127.0.0.1:6379> AUTH ‹password›"),
        ("machine a login b password candle-42", "machine a login b password ‹password›"),
        ("machine a\n  login b\n  password candle", "machine a\n  login b\n  password ‹password›"),
        ("'a'@'%' IDENTIFIED BY 'Bamboo!pepper'", "'a'@'%' IDENTIFIED BY '‹password›'"),
        (
            "WITH mysql_native_password BY 'Bamboo!pepper'",
            "WITH mysql_native_password BY '‹password›'",
        ),
        ("a.example:5432:db:app:candle42", "a.example:5432:db:app:‹password›"),
    ]);
    check_untouched(&[
        "set the requirepass directive",
        "the data identified by `content_id`",
        "the program identified by 'sequence'",
        "IDENTIFIED BY PASSWORD",
        "login page password reset",
        "the AUTH command",
        "localhost:5432:5432",
    ]);
}
