//! Tests of secrets next to their names, as in settings, source code and sentences.

use crate::kinds::{check, check_untouched};

#[test]
fn a_password_of_words_is_found_where_a_literal_stands() {
    check(&[
        ("DB_PASSWORD=violet-pickle-wagon-walnut", "DB_PASSWORD=‹password›"),
        ("export PASSWORD=letmein", "export PASSWORD=‹password›"),
        ("PASSWORD=fzrYBaxtgmzDLmoD", "PASSWORD=‹password›"),
        ("Server=a;Password=violet-pickle-wagon;x=1", "Server=a;Password=‹password›;x=1"),
        ("a:6380,password=saddle_breeze_velvet!,ssl=True", "a:6380,password=‹password›,ssl=True"),
        ("{\"dbPwd\": \"violet_pickle_wagon\"}", "{\"dbPwd\": \"‹password›\"}"),
        ("  password: violet-pickle-wagon", "  password: ‹password›"),
        ("let keystore_pass = \"amber-lion-door\";", "let keystore_pass = \"‹password›\";"),
        ("psk=\"violet-pickle-wagon\"", "psk=\"‹password›\""),
        ("JWT_SECRET=violet-pickle-wagon-walnut", "JWT_SECRET=‹secret›"),
        ("--password violet-pickle-wagon", "--password ‹password›"),
        ("--password=kettledrum -u x", "--password=‹password› -u x"),
        ("      DB_PASSWORD: kettledrum", "      DB_PASSWORD: ‹password›"),
        ("define('DB_PASSWORD', 'kettledrum');", "define('DB_PASSWORD', '‹password›');"),
    ]);
    check_untouched(&[
        "PASSWORD=$1",
        "PASSWORD=${DB_PASSWORD:-}",
        "PASSWORD={{ vault_password }}",
        "PASSWORD=<password>",
        "PASSWORD=changeme",
        "PASSWORD=your-password-here",
        "PASSWORD=xxxx-xxxx-xxxx",
        "PASSWORD=None",
        "PASSWORD=required",
        "PASSWORD=undefined",
        "PASSWORD = config.password",
        "PASSWORD = get_password()",
        "PASSWORD = default_value",
        "PASSWORD_FILE=/run/secrets/db",
        "SECRET_NAME=my-app-secret",
        "TOKEN_LIMIT=4096",
        "--token-budget 4000",
        "tokenizer: gpt2",
        "password: string-or-none",
        "--password prompt",
        "--password=required",
        "PASSWORD: kettledrum,",
        "DB_PASSWORD: string;",
        "DB_PASSWORD = kettledrum",
        "names = ['DB_PASSWORD', 'DB_USERNAME']",
        "names = ['password', 'kettledrum']",
        "pass --token to the command",
        "autocomplete=\"current-password\"",
        "{\"password\": \"current-password\"}",
        "\"secret\": \"violet-pickle-wagon\"",
        "\"token\": \"identifier\"",
    ]);
}

#[test]
fn labels_types_and_schemas_are_left_alone() {
    check_untouched(&[
        "passwordField: \"Password\"",
        "\"token\": \"Token\"",
        "\"password\": \"Passwort\"",
        "\"password\": \"wachtwoord\"",
        "\"password\": \"Mot de passe\"",
        "\"password\": \"Enter your password\"",
        "\"password\": \"string\"",
        "\"password\": { \"type\": \"string\", \"default\": \"\" }",
        "token: TokenKind::Ident",
        "token = lexer.next()",
        "secret: &str",
        "secret: &'static str",
        "private_key: ed25519.Ed25519PrivateKey",
        "fields = ['username', 'password', 'repository']",
        "password = password.encode(\"latin1\")",
        "user_pass = '%s:%s' % (user, password)",
        "CHALLENGE_PASSWORD = ObjectIdentifier(\"1.2.840.113549.1.9.7\")",
        "(\"md_password\", '\\u{f07f5}')",
        "(&oid::BINDING_KEY, \"uddiv3BindingKey\")",
        "readFile('/etc/passwd', 'utf8', callback)",
        " * @APSK_16:\t16-APSK modulation",
        "sed 's/password=.*/password=/' x",
        "re.sub(r\"token=[^&]+\", \"token=\", url)",
    ]);
}

#[test]
fn a_value_may_hold_signs_that_mean_something_elsewhere() {
    check(&[
        ("SECRET_KEY='e7%%#_fj#-ipm6%zoe4#dnm6'", "SECRET_KEY='‹key›'"),
        ("-e \"jwt_secret=S2Y3a3REaFBnSEJnenN0TW10bHU=\" x", "-e \"jwt_secret=‹secret›\" x"),
        ("\"x-app-secret: S2Y3a3REaFBnSEJnenN0TW10bHU=\" x", "\"x-app-secret: ‹secret›\" x"),
        ("password: @nch0r574!xYLw", "password: ‹password›"),
        ("- **password**: `@nch0r574!xYLw`", "- **password**: `‹password›`"),
    ]);
    check_untouched(&[
        "PASSWORD=%PASSWORD%",
        "password='%(password)s'",
        "password: @password",
        "password: *anchor",
        "password: !vault",
    ]);
}

#[test]
fn every_way_to_assign_is_read() {
    check(&[
        ("API_TOKEN ?= Zk3vQ81mXc0p", "API_TOKEN ?= ‹token›"),
        ("ENV['DB_PASS'] ||= 'Zk3vQ81m'", "ENV['DB_PASS'] ||= '‹password›'"),
        ("token ??= 'Zk3vQ81mXc0p'", "token ??= '‹token›'"),
        ("TOKEN += \"Zk3vQ81mXc0p\"", "TOKEN += \"‹token›\""),
        ("var dbPassword string = \"Zk3vQ81m\"", "var dbPassword string = \"‹password›\""),
        ("TOKEN: &'static str = \"Zk3vQ81mXc0p\"", "TOKEN: &'static str = \"‹token›\""),
        (
            "token: String = String::from(\"Zk3vQ81mXc0p\")",
            "token: String = String::from(\"‹token›\")",
        ),
        (
            "string ApiToken { get; set; } = \"Zk3vQ81mXc0p\";",
            "string ApiToken { get; set; } = \"‹token›\";",
        ),
        ("process.env.API_TOKEN || 'Zk3vQ81mXc0p'", "process.env.API_TOKEN || '‹token›'"),
        ("token: Some(\n        \"Zk3vQ81mXc0p\",", "token: Some(\n        \"‹token›\","),
        ("[client_secret] => Zk3vQ81mXc0p", "[client_secret] => ‹secret›"),
        ("config.setClientSecret(\"Zk3vQ81mXc0p\")", "config.setClientSecret(\"‹secret›\")"),
        (".api_key(\\\"Zk3vQ81mXc0p\\\")", ".api_key(\\\"‹key›\\\")"),
        ("| DB_PASSWORD | Qhwtzrbk482! |", "| DB_PASSWORD | ‹password› |"),
        ("storePassword \"Br33z3901!xv8E\"", "storePassword \"‹password›\""),
        ("set -gx DB_PASSWORD glacier2606", "set -gx DB_PASSWORD ‹password›"),
        ("setx DB_PWD \"Copper74\" /M", "setx DB_PWD \"‹password›\" /M"),
        ("Env:API_KEY -Value 'Zk3vQ81mXc0p'", "Env:API_KEY -Value '‹key›'"),
        ("secret put API_SECRET <<< 'Zk3vQ81mXc0p'", "secret put API_SECRET <<< '‹secret›'"),
    ]);
    check_untouched(&[
        "token ? first : second2",
        "token || next_token2",
        "password || \"Password is required\"",
        "get_token(\"session_v2_name\")",
        "validate_token(\"Zk3vQ81mXc0p\", 12)",
        "user.password(\"required\")",
        "public string Password { get; set; }",
        "[password] => string",
        "| password | The password of the user |",
    ]);
}

#[test]
fn markup_and_blocks_tie_a_name_to_its_value() {
    check(&[
        (
            "<key>ApiToken</key>\n\t<string>Zk3vQ81mXc0p</string>",
            "<key>ApiToken</key>\n\t<string>‹token›</string>",
        ),
        (
            "<key>DbPassword</key>\\n\\t<string>Zk3vQ81m</string>",
            "<key>DbPassword</key>\\n\\t<string>‹password›</string>",
        ),
        (
            "<string name=\"api_key\">Zk3vQ81mXc0p</string>",
            "<string name=\"api_key\">‹key›</string>",
        ),
        (
            "<entry key=\"db_password\">Zk3vQ81m</entry>",
            "<entry key=\"db_password\">‹password›</entry>",
        ),
        (
            "variable \"db_password\" {\n  type = string\n  default = \"Zk3vQ81m\"\n}",
            "variable \"db_password\" {\n  type = string\n  default = \"‹password›\"\n}",
        ),
    ]);
    check_untouched(&[
        "<key>Password</key>\n<true/>",
        "<string name=\"password\">Password</string>",
        "<string name=\"password_hint\">Zk3vQ81m</string>",
        "<label for=\"password\">Password2</label>",
        "variable \"db_password\" {\n  type = string\n}\nx { default = \"Zk3vQ81m\" }",
    ]);
}

#[test]
fn a_sentence_may_hand_over_a_secret() {
    check(&[
        ("Here's the API key: Zk3vQ81mXc0pLw92", "Here's the API key: ‹key›"),
        ("my secret access key is Zk3vQ81mXc0pLw92 ok", "my secret access key is ‹key› ok"),
        (
            "The password for staging is \"Zk3vQ81m\".",
            "The password for staging is \"‹password›\".",
        ),
        (
            "The secret access key for staging is \"Zk3vQ81mXc0pLw92\".",
            "The secret access key for staging is \"‹key›\".",
        ),
    ]);
    check_untouched(&[
        "The API key is required for all requests",
        "the password for staging is in the vault",
        "press any key: Zk3vQ81mXc0pLw92",
        "The password is \"required\"",
        "API key: see the console",
    ]);
}
