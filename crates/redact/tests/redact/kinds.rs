//! Tables of texts for each kind of secret, with the expected result. `‹kind›` marks a finding.

use verger_redact::{find, redact};

#[track_caller]
pub(crate) fn check(cases: &[(&str, &str)]) {
    let found: Vec<(&str, String)> = cases.iter().map(|(text, _)| (*text, marked(text))).collect();
    let expected: Vec<(&str, String)> =
        cases.iter().map(|(text, marked)| (*text, (*marked).to_owned())).collect();
    assert_eq!(found, expected);
}

/// Asserts that nothing is found in these texts.
#[track_caller]
pub(crate) fn check_untouched(texts: &[&str]) {
    let touched: Vec<String> =
        texts.iter().filter(|text| !find(text, &[]).is_empty()).map(|text| marked(text)).collect();
    assert_eq!(touched, Vec::<String>::new());
}

fn marked(text: &str) -> String {
    let mut out = String::new();
    let mut copied = 0;
    for finding in find(text, &["door_code".to_owned()]) {
        out.push_str(&text[copied..finding.range.start]);
        out.push('‹');
        out.push_str(finding.kind.slug());
        out.push('›');
        copied = finding.range.end;
    }
    out.push_str(&text[copied..]);
    out
}

#[test]
fn provider_keys_are_found_anywhere() {
    check(&[
        ("a sk-ant-api03-Zk3vQ81mXc0pLw92aa b", "a ‹anthropic-key› b"),
        ("a sk-proj-Zk3vQ81m_Xc0pLw92-aa b", "a ‹openai-key› b"),
        ("a sk-Zk3vQ81mXc0pLw92aaBB b", "a ‹openai-key› b"),
        ("\"ghp_Zk3vQ81mXc0pLw92aaBB\"", "\"‹github-token›\""),
        ("\\nghs_Zk3vQ81mXc0pLw92aaBB\\n", "\\n‹github-token›\\n"),
        ("\\\\ngithub_pat_Zk3vQ81mXc0pLw92aaBB_x", "\\\\n‹github-token›"),
        ("q%3Dglpat-Zk3vQ81mXc0pLw92aaBB%26", "q%3D‹gitlab-token›%26"),
        ("AKIAZK3VQ81MXC0PLW92,", "‹aws-access-key-id›,"),
        ("xoxb-123456789012-Zk3vQ81m", "‹slack-token›"),
        ("(AIzaZk3vQ81mXc0pLw92aaBBZk3vQ81mXc0pLw9)", "(‹google-api-key›)"),
        ("npm_Zk3vQ81mXc0pLw92aaBBZk3vQ81mXc0pLw92", "‹npm-token›"),
        ("pypi-AgEIcHlwaS5vcmcZk3vQ81mXc0pLw92aaBBZk3vQ81mXc0pLw92", "‹pypi-token›"),
        (
            "\u{1b}[31mhf_Zk3vQ81mXc0pLw92aaBBZk3vQ81mXc\u{1b}[0m",
            "\u{1b}[31m‹hugging-face-token›\u{1b}[0m",
        ),
        ("token = ghp_Zk3vQ81mXc0pLw92aaBB", "token = ‹github-token›"),
        ("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", "‹hugging-face-token›"),
        ("glpat-ZkavQXdmXcFpLwSgaaBB", "‹gitlab-token›"),
        ("a glrt-Zk3vQ81mXc0pLw92aaBB b", "a ‹gitlab-token› b"),
        ("a sk_live_Zk3vQ81mXc0pLw92aaBB b", "a ‹key› b"),
        ("a sk_test_Zk3vQ81mXc0pLw92aaBB b", "a ‹key› b"),
        ("a rk_live_Zk3vQ81mXc0pLw92aaBB b", "a ‹key› b"),
        ("a hvs.CAESIZk3vQ81mXc0pLw92aaBB b", "a hvs.‹token› b"),
        ("sk-ant-ZkavQXdm_XcFpLwSgaaBB", "‹anthropic-key›"),
        ("/keys/xapp-1-A03QWCD6ZOR-2828521313864-28631bef800d2558f5 x", "/keys/‹slack-token› x"),
    ]);
    check_untouched(&[
        "sk-learn-pipeline-with-a-long-name",
        ".sk-spinner-container-animated",
        "npm_config_registry_and_more_of_the_same",
        "AKIA",
        "AKIAZK3VQ81MXC0PLW92TOOLONG",
        "glpat-short",
        "hf_hub_download_with_a_long_function_name",
        "hf_AutoModelForSequenceClassificationWithHeads",
        "sk-AbstractSingletonProxyFactoryBean",
        "glpat-XXXXXXXXXXXXXXXXXXXX",
        "xapp-level-tokens-begin-so",
        "glrt-runner-token-prefix-of-gitlab",
        "sk_live_mode_is_enabled_here",
        "sk_test_short1",
        "risk_live_dashboard_of_2024",
        "hvs.is_a_prefix_of_service_tokens",
        "hvs.short1",
    ]);
}

#[test]
fn json_web_tokens_are_found_whole() {
    check(&[
        ("eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.Zk3vQ81m-_x", "‹jwt›"),
        ("\"eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.Zk3v\",", "\"‹jwt›\","),
    ]);
    check_untouched(&[
        "eyJ2ZXJzaW9uIjozLCJzb3VyY2VzIjpbXX0=",
        "eyJ.eyJ.eyJ",
        "eyJhbGciOiJIUzI1NiJ9.",
    ]);
}

#[test]
fn private_keys_lose_their_lines_and_keep_what_is_between() {
    const LINE: &str = "MIIEpAIBAAKCAQEA7x9Zk3vQ81m";
    let cases = [
        "-----BEGIN RSA PRIVATE KEY-----\n@\n@\nabcd\n-----END RSA PRIVATE KEY-----\nafter",
        "\"-----BEGIN PRIVATE KEY-----\\n@\\n@\\n-----END PRIVATE KEY-----\\n\"",
        "-----BEGIN PRIVATE KEY-----\\\\n@\\\\n-----END PRIVATE KEY-----",
        "[\"-----BEGIN EC PRIVATE KEY-----\",\"@\",\"@\"]",
        "+-----BEGIN OPENSSH PRIVATE KEY-----\n+@\n+@\n",
        "  7→-----BEGIN PRIVATE KEY-----\n  8→@\n  9→@\n",
        "-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES,00FF\n\n@\n",
        "[\"-----BEGIN PRIVATE KEY-----\",\"@\",12345678901234567890,\"private_key_id\"]",
        "key-----BEGIN RSA PRIVATE KEY-----\n@\n@\nabcd\n-----END RSA PRIVATE KEY-----",
        "1-----BEGIN EC PRIVATE KEY-----\n@\n",
        "key_-----BEGIN PRIVATE KEY-----@-----END PRIVATE KEY-----",
        "{\"a\":\"x-----BEGIN PRIVATE KEY-----\\n@\\n-----END PRIVATE KEY-----\\n\"}",
        "11-x\n12------BEGIN RSA PRIVATE KEY-----\n13-@\n14-@\n15-abcd\n16------END RSA PRIVATE KEY-----",
        "12:-----BEGIN RSA PRIVATE KEY-----\n13-@\n14:@\n15-abcd\n16------END RSA PRIVATE KEY-----",
        "etc/tls/a-1.pem-12------BEGIN PRIVATE KEY-----\netc/tls/a-1.pem-13-@\netc/tls/a-1.pem-14-@\n\
         etc/tls/a-1.pem-15-abcd\netc/tls/a-1.pem-16------END PRIVATE KEY-----",
        "x\\nid_deploy:-----BEGIN PRIVATE KEY-----\\nid_deploy-@\\nid_deploy-@\\n",
        "2024-03-16T05:52:47.420Z -----BEGIN PRIVATE KEY-----\n2024-03-16T05:52:47.420Z @\n\
         2024-03-16T05:52:47.420Z @\n2024-03-16T05:52:47.420Z -----END PRIVATE KEY-----\n",
    ];
    for case in cases {
        let text = case.replace('@', LINE);
        let expected = case.replace('@', "‹private-key›").replace("abcd", "‹private-key›");
        assert_eq!(marked(&text), expected);
    }
    check_untouched(&[
        "key-----BEGIN CERTIFICATE-----\nMIIEpAIBAAKCAQEA7x9Zk3vQ81m\n",
        "12------BEGIN PUBLIC KEY-----\n13-MIIEpAIBAAKCAQEA7x9Zk3vQ81m\n",
        "key----BEGIN PRIVATE KEY-----\nMIIEpAIBAAKCAQEA7x9Zk3vQ81m\n",
        "key-----BEGIN the list",
        "-----BEGIN CERTIFICATE-----\nMIIEpAIBAAKCAQEA7x9Zk3vQ81m\n",
        "const HEADER: &str = \"-----BEGIN PRIVATE KEY-----\";\nfn read_private_key_from(path: &Path)",
    ]);
}

#[test]
fn the_password_of_a_url_is_found_and_its_user_kept() {
    check(&[
        ("https://bot:Zk3vQ81m@host/x", "https://bot:‹url-password›@host/x"),
        ("redis://:Zk3vQ81m@host", "redis://:‹url-password›@host"),
        ("https:\\/\\/bot:Zk3vQ81m@host", "https:\\/\\/bot:‹url-password›@host"),
        ("https%3A%2F%2Fbot%3AZk3vQ81m%40host", "https%3A%2F%2Fbot%3A‹url-password›%40host"),
        ("db://bot:a%40b@host", "db://bot:‹url-password›@host"),
        ("db://bot:p@ss@host", "db://bot:‹url-password›@host"),
        ("https://Zk3vQ81mXc0pLw92aaBB@host", "https://‹url-password›@host"),
        (
            "https://ghp_Zk3vQ81mXc0pLw92aaBB:x-oauth@host",
            "https://‹github-token›:‹url-password›@host",
        ),
    ]);
    check_untouched(&[
        "https://host:8080/a@b",
        "https://user@host/",
        "https://<user>:<token>@host",
        "postgres://app:$PASSWORD@host",
        "postgres://app:${PASSWORD}@host",
        "git@host:team/app.git",
    ]);
}

#[test]
fn the_reviewers_token_is_found_whatever_surrounds_it() {
    let cases = [
        "@",
        "a @ b",
        "--token=@",
        "--token @ --message x",
        "--token='@'",
        "TOKEN=@;",
        "{\"context\":\"token: @.\"}",
        "{\"a\":\"{\\\"token\\\":\\\"@\\\"}\"}",
        "\\n@\\n",
        "\\\\@",
        "%20@%20",
        "https://bot:@@host",
        "/tmp/@.txt",
        "é@é",
        "@ and @",
        "@@",
        "x@x7",
        "name_@_name",
        "-@-",
        "Authorization: Bearer @",
        "password: 'abc@def'",
        "ghp_Zk3vQ81mXc0pLw92aaBB@",
    ];
    let token = "vrt_q3abcdefghijklmnopqrstuvwxyz2345";
    for case in cases {
        let redacted = redact(&case.replace('@', token), &[], &[7; 32]).into_owned();
        assert!(!redacted.contains("q3abc") && !redacted.contains("2345"), "{redacted}");
        assert!(redacted.contains("[redacted:reviewer-token:"), "{redacted}");
    }
    check(&[
        (
            "verger decide complete \"x\" --token vrt_q3abcdefghijklmnopqrstuvwxyz2345",
            "verger decide complete \"x\" --token ‹reviewer-token›",
        ),
        ("xvrt_q3abcdefghijklmnopqrstuvwxyz2345y", "x‹reviewer-token›y"),
    ]);
    check_untouched(&[
        "vrt_",
        "vrt_q3abcdefghijklmnopqrstuvwxyz234",
        "vrt_Q3ABCDEFGHIJKLMNOPQRSTUVWXYZ2345",
        "vrt_q3abcdefghijklmnopqrstuvwxyz1890",
        "the tokens begin with `vrt_` and have 32 letters",
        // The log stores the SHA-256 of the reviewer's token. This hash must not be redacted.
        "{\"proof\":{\"token_sha256\":\"9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08\"}}",
    ]);
}

#[test]
fn headers_lose_their_credentials() {
    check(&[
        ("Authorization: Bearer Zk3vQ81mXc0p", "Authorization: Bearer ‹authorization›"),
        ("-H 'Authorization: Basic dXNlcjpwYXNz=='", "-H 'Authorization: Basic ‹authorization›'"),
        (
            "{\"authorization\":\"Bearer Zk3vQ81mXc0p\"}",
            "{\"authorization\":\"Bearer ‹authorization›\"}",
        ),
        (
            "\\\"Authorization\\\": \\\"token Zk3vQ81mXc0p\\\"",
            "\\\"Authorization\\\": \\\"token ‹authorization›\\\"",
        ),
        (
            ".header(\"Authorization\", \"Bearer Zk3vQ81mXc0p\")",
            ".header(\"Authorization\", \"Bearer ‹authorization›\")",
        ),
        ("x-api-key: Zk3vQ81mXc0p", "x-api-key: ‹key›"),
        ("auth with Bearer Zk3vQ81mXc0pLw92", "auth with Bearer ‹authorization›"),
        ("Cookie: theme=dark; sid=Zk3vQ81mXc0p", "Cookie: theme=‹cookie›; sid=‹cookie›"),
        (
            "Set-Cookie: sid=Zk3vQ81mXc0p; Path=/; HttpOnly",
            "Set-Cookie: sid=‹cookie›; Path=/; HttpOnly",
        ),
        ("{\"set-cookie\":[\"sid=Zk3vQ81mXc0p\"]}", "{\"set-cookie\":[\"sid=‹cookie›\"]}"),
        (
            ".header(header::AUTHORIZATION, \"Basic dXNlcjpwYXNzOndvcmQ\")",
            ".header(header::AUTHORIZATION, \"Basic ‹authorization›\")",
        ),
        (".header(COOKIE, \"sid=Zk3vQ81mXc0p\")", ".header(COOKIE, \"sid=‹cookie›\")"),
        ("curl -b 'sid=Zk3vQ81mXc0p' x", "curl -b 'sid=‹cookie›' x"),
        ("curl -u bot:Zk3vQ81mXc0p x", "curl -u bot:‹password› x"),
    ]);
    check_untouched(&[
        "Authorization: Bearer $TOKEN",
        "Authorization: Bearer <token>",
        "`Bearer ${token}`",
        "Authorization: the caller must hold the role",
        "Cookie: what the browser sends",
        "docker run -u 1000:1000 x",
        "git checkout -b feature/token",
    ]);
}

#[test]
fn a_certain_authorization_header_loses_any_credential() {
    check(&[
        ("Authorization: Basic dXNlcjpwYXNz", "Authorization: Basic ‹authorization›"),
        ("authorization: token abc123def4\r\n", "authorization: token ‹authorization›\r\n"),
        ("Proxy-Authorization: ApiKey hunter2xyz", "Proxy-Authorization: ApiKey ‹authorization›"),
        ("Authorization: Bearer abc", "Authorization: Bearer ‹authorization›"),
        (
            "curl -H 'Authorization: Bearer abc' x",
            "curl -H 'Authorization: Bearer ‹authorization›' x",
        ),
        (
            "{\"Authorization\":\"Basic dXNlcjpwYXNz\"}",
            "{\"Authorization\":\"Basic ‹authorization›\"}",
        ),
        (
            "{\\\"proxy-authorization\\\": \\\"Bearer abc\\\"}",
            "{\\\"proxy-authorization\\\": \\\"Bearer ‹authorization›\\\"}",
        ),
        (
            "headers[\"Authorization\"] = \"token abc123def4\"",
            "headers[\"Authorization\"] = \"token ‹authorization›\"",
        ),
        (
            "send Authorization: Basic dXNlcjpwYXNz with it",
            "send Authorization: Basic ‹authorization› with it",
        ),
        ("Authorization: Zk3vQ81mXc", "Authorization: ‹authorization›"),
    ]);
    check_untouched(&[
        "Authorization: <token>",
        "Authorization: $TOKEN",
        "Authorization: {{x}}",
        "Authorization: Bearer {{ token }}",
        "Authorization: Bearer ${TOKEN}",
        "Authorization: Bearer YOUR_TOKEN",
        "Authorization: Bearer MY_PAT",
        "Authorization: Bearer %s",
        "Authorization: Bearer xxx",
        "Authorization: Bearer ...",
        "Authorization: required",
        "Authorization: Bearer token is needed",
        "Authorization: Bearer <token>",
        "Authorization: Bearer authentication",
        "Authorization: Basic base64(user:pass)",
        "Authorization: Basic authentication over plain text is refused",
        "authorization: token rejected",
        "authorization: key mismatch",
        "authorization: string",
        "Authorization: None",
        "authorization: bool",
        "authorization: Option<String>",
        "{\"authorization\":null,\"proxy-authorization\":true}",
        "req.Header.Set(\"Authorization\", \"Bearer \"+accessKey)",
        "Authorization: Digest username=\"bob\"",
        "the_authorization: Bearer abc",
    ]);
}

#[test]
fn a_certain_cookie_header_loses_any_value() {
    check(&[
        ("Cookie: sid=abc123def456; theme=dark", "Cookie: sid=‹cookie›; theme=‹cookie›"),
        (
            "Set-Cookie: s=hunter2Abc99; Path=/; HttpOnly",
            "Set-Cookie: s=‹cookie›; Path=/; HttpOnly",
        ),
        (
            "set-cookie: s=abc; Domain=a.test; Max-Age=3600; Expires=Wed, 01 Jan 2025 00:00:00 GMT; \
             SameSite=Lax; Secure",
            "set-cookie: s=‹cookie›; Domain=a.test; Max-Age=3600; Expires=Wed, 01 Jan 2025 00:00:00 \
             GMT; SameSite=Lax; Secure",
        ),
        ("{\"cookie\":\"sid=abc; lang=en\"}", "{\"cookie\":\"sid=‹cookie›; lang=‹cookie›\"}"),
        ("curl -H 'Cookie: sid=hunter2' x", "curl -H 'Cookie: sid=‹cookie›' x"),
        ("Cookie: sid=abc|def&g=1; b=cd", "Cookie: sid=‹cookie›; b=‹cookie›"),
    ]);
    check_untouched(&[
        "Cookie: a small file",
        "cookie: bool",
        "Cookie: name=value; name2=value2",
        "Cookie: sid=<sid>; theme=$THEME",
        "Cookie: sid=${SID}",
        "Cookie: consent=true",
        "Set-Cookie: SameSite=Lax is the default",
        "{\"cookie\":null,\"set-cookie\":1234}",
        "\"Cookie: sid=\" + session",
        "cookie = theme=dark",
    ]);
}

#[test]
fn a_number_that_is_a_password_becomes_a_string() {
    let cases = [
        ("{\"password\":83920174}", "{\"password\":\"@\"}"),
        ("{\"dbPassword\" : 8392, \"a\":1}", "{\"dbPassword\" : \"@\", \"a\":1}"),
        ("{\"a\":\"{\\\"pwd\\\":83920174}\"}", "{\"a\":\"{\\\"pwd\\\":\\\"@\\\"}\"}"),
    ];
    for (text, expected) in cases {
        let redacted = redact(text, &[], &[7; 32]);
        let marker = redacted.find("[redacted:password:").expect("a replacement");
        let end = marker + "[redacted:password:01234567]".len();
        assert_eq!(redacted.replace(&redacted[marker..end], "@"), expected);
        assert!(serde_json::from_str::<serde_json::Value>(&redacted).is_ok(), "{redacted}");
    }
    check_untouched(&[
        "{\"password\":839}",
        "{\"password\":-83920174}",
        "{\"password\":8392.5}",
        "{\"token\":83920174}",
        "{\"password_length\":83920174}",
        "[\"password\",83920174]",
        "password: 83920174",
    ]);
}

#[test]
fn the_name_of_a_key_gives_its_value_away() {
    check(&[
        ("DB_PASSWORD=hunter22", "DB_PASSWORD=‹password›"),
        ("export AWS_SECRET_ACCESS_KEY=Zk3v/Q81m+Xc0p", "export AWS_SECRET_ACCESS_KEY=‹key›"),
        ("clientSecret: 'Zk3vQ81mXc0p',", "clientSecret: '‹secret›',"),
        ("{\"password\":\"letmein\"}", "{\"password\":\"‹password›\"}"),
        (
            "{\"password\":\"a\\\"b1\\\\c\\u0041d\"}",
            "{\"password\":\"‹password›\\\"‹password›\\\\‹password›\\u0041‹password›\"}",
        ),
        ("\\\"token\\\":\\\"Zk3vQ81mXc0p\\\"", "\\\"token\\\":\\\"‹token›\\\""),
        (
            "\\u0022token\\u0022:\\u0022Zk3vQ81mXc0p\\u0022",
            "\\u0022token\\u0022:\\u0022‹token›\\u0022",
        ),
        ("TOKEN\\u003dZk3vQ81mXc0p \\u0026", "TOKEN\\u003d‹token› \\u0026"),
        ("?api_key=Zk3vQ81mXc0p&x=1", "?api_key=‹key›&x=1"),
        ("api_key%3DZk3vQ81mXc0p%26x", "api_key%3D‹key›%26x"),
        ("--token Zk3vQ81mXc0p -v", "--token ‹token› -v"),
        ("<password>Zk3vQ81m</password>", "<password>‹password›</password>"),
        ("const TOKEN: &str = \"Zk3vQ81mXc0p\";", "const TOKEN: &str = \"‹token›\";"),
        ("name: API_TOKEN\n  value: Zk3vQ81mXc0p", "name: API_TOKEN\n  value: ‹token›"),
        ("the password is Zk3vQ81mXc0p, keep it", "the password is ‹password›, keep it"),
        ("door-code: 12 steps", "door-code: ‹named› steps"),
        ("{\"doorCode\":\"left\"}", "{\"doorCode\":\"‹named›\"}"),
        ("pässword: x, password: 'Zk3vé81'", "pässword: x, password: '‹password›'"),
    ]);
}

#[test]
fn code_and_talk_about_secrets_is_left_alone() {
    check_untouched(&[
        "password: String",
        "token = parse_token()",
        "secret: None",
        "PASSWORD=$DB_PASSWORD",
        "\"token\": null",
        "{\"password\":123,\"token\":1e99}",
        "tokens: 1234",
        "max_tokens=4096",
        "token_count = 12",
        "key: value",
        "token: process.env.TOKEN",
        "<your-token>",
        "api_key=<your-key>",
        "password: ********",
        "token=xxxxxxxxxxxxxxxx",
        "token == expected_token_2",
        "Token::Ident2(name)",
        "secret = os.environ[\"SECRET_V2\"]",
        "password=[redacted:password:01ab23cd]",
        "\"password\": \"string\"",
        "credentials: 'same-origin'",
        "nextPageToken: 'Zk3vQ81mXc0p'",
        "public_key = \"Zk3vQ81mXc0pLw92aaBB\"",
    ]);
}

/// The log must keep a gate's changes unaltered, because the gate's state is derived from them.
#[test]
fn changes_of_the_gates_are_untouched() {
    let changes = include_str!("../../../gate/fixtures/review-changes.jsonl");
    check_untouched(&changes.lines().collect::<Vec<_>>());
}
