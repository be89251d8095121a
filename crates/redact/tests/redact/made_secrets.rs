//! Generates secrets: random strings in the forms that providers and people use.

use crate::corpus::{HalfName, Secret};
use crate::rng::{ALNUM, BASE32, BASE64, BASE64_URL, HEX, LOWER, Rng, UPPER};

const PER_SHAPE: usize = 7;

/// The text that is placed in a context, and the parts of it that are secret.
struct Placed {
    text: String,
    secret: Vec<String>,
}

impl Placed {
    fn whole(text: String) -> Self {
        Self { secret: vec![text.clone()], text }
    }

    fn after(prefix: &str, secret: String) -> Self {
        Self { text: format!("{prefix}{secret}"), secret: vec![secret] }
    }
}

struct Shape {
    kind: &'static str,
    class: &'static str,
    dev_names: &'static [&'static str],
    second_names: &'static [&'static str],
    make: fn(&mut Rng) -> Placed,
}

/// The secrets of a half of the corpus, several of each form.
pub(crate) fn secrets(half: HalfName, rng: &mut Rng) -> Vec<Secret> {
    let mut secrets = vec![];
    for shape in SHAPES {
        let names = match half {
            HalfName::Dev => shape.dev_names,
            HalfName::Second => shape.second_names,
        };
        for name in names.iter().cycle().take(PER_SHAPE) {
            let Placed { text, secret } = (shape.make)(rng);
            let Shape { kind, class, .. } = shape;
            secrets.push(Secret { kind, class, name, text, parts: secret });
        }
    }
    secrets
}

const SHAPES: &[Shape] = &[
    Shape {
        kind: "anthropic-key",
        class: "token",
        dev_names: &["anthropic api key", "claude key"],
        second_names: &["llm api key", "assistant key"],
        make: |rng| Placed::whole(format!("sk-ant-api03-{}AA", rng.string(BASE64_URL, 93))),
    },
    Shape {
        kind: "openai-key",
        class: "token",
        dev_names: &["openai api key", "model key"],
        second_names: &["completion api key", "embedding key"],
        make: |rng| Placed::whole(format!("sk-{}", rng.string(ALNUM, 48))),
    },
    Shape {
        kind: "openai-project-key",
        class: "token",
        dev_names: &["openai api key"],
        second_names: &["openai project key", "inference key"],
        make: |rng| Placed::whole(format!("sk-proj-{}", rng.string(BASE64_URL, 120))),
    },
    Shape {
        kind: "github-token",
        class: "token",
        dev_names: &["github token", "gh token"],
        second_names: &["git token", "release token"],
        make: |rng| {
            let prefix = rng.pick(&["ghp_", "gho_", "ghu_", "ghs_", "ghr_"]);
            Placed::whole(format!("{prefix}{}", rng.string(ALNUM, 36)))
        },
    },
    Shape {
        kind: "github-fine-grained-token",
        class: "token",
        dev_names: &["github token"],
        second_names: &["repo token"],
        make: |rng| {
            Placed::whole(format!("github_pat_{}_{}", rng.string(ALNUM, 22), rng.string(ALNUM, 59)))
        },
    },
    Shape {
        kind: "gitlab-token",
        class: "token",
        dev_names: &["gitlab token", "ci job token"],
        second_names: &["deploy token", "mirror token"],
        make: |rng| Placed::whole(format!("glpat-{}", rng.string(BASE64_URL, 20))),
    },
    Shape {
        kind: "aws-access-key-id",
        class: "token",
        dev_names: &["aws access key id"],
        second_names: &["backup access key id"],
        make: |rng| {
            let prefix = rng.pick(&["AKIA", "ASIA"]);
            Placed::whole(format!("{prefix}{}", rng.string(BASE32, 16)))
        },
    },
    Shape {
        kind: "slack-token",
        class: "token",
        dev_names: &["slack bot token"],
        second_names: &["chat token", "slack token"],
        make: |rng| {
            let prefix = rng.pick(&["xoxb-", "xoxp-", "xoxa-", "xoxs-"]);
            let (first, second) = (rng.string("123456789", 12), rng.string("123456789", 12));
            Placed::whole(format!("{prefix}{first}-{second}-{}", rng.string(ALNUM, 24)))
        },
    },
    Shape {
        kind: "google-api-key",
        class: "token",
        dev_names: &["google api key"],
        second_names: &["maps api key"],
        make: |rng| Placed::whole(format!("AIza{}", rng.string(BASE64_URL, 35))),
    },
    Shape {
        kind: "npm-token",
        class: "token",
        dev_names: &["npm token"],
        second_names: &["node auth token"],
        make: |rng| Placed::whole(format!("npm_{}", rng.string(ALNUM, 36))),
    },
    Shape {
        kind: "pypi-token",
        class: "token",
        dev_names: &["twine password"],
        second_names: &["pypi token"],
        make: |rng| Placed::whole(format!("pypi-AgEIcHlwaS5vcmc{}", rng.string(BASE64_URL, 140))),
    },
    Shape {
        kind: "hugging-face-token",
        class: "token",
        dev_names: &["hf token"],
        second_names: &["hub token"],
        make: |rng| Placed::whole(format!("hf_{}", rng.string(ALNUM, 34))),
    },
    Shape {
        kind: "jwt",
        class: "token",
        dev_names: &["id token", "session token"],
        second_names: &["service account token", "refresh token"],
        make: |rng| {
            let header = rng.pick(&[
                "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9",
                "eyJhbGciOiJSUzI1NiIsImtpZCI6IjEifQ",
            ]);
            let body = rng.between(60, 180);
            let body = rng.string(BASE64_URL, body);
            Placed::whole(format!("{header}.eyJ{body}.{}", rng.string(BASE64_URL, 43)))
        },
    },
    Shape {
        kind: "pem-private-key",
        class: "pem",
        dev_names: &["private key", "tls key"],
        second_names: &["signing key", "ssh private key"],
        make: |rng| pem(rng, Tail::Closed),
    },
    Shape {
        kind: "pem-private-key-cut-short",
        class: "pem",
        dev_names: &["private key"],
        second_names: &["signing key"],
        make: |rng| pem(rng, Tail::CutShort),
    },
    Shape {
        kind: "url-password",
        class: "url",
        dev_names: &["database url"],
        second_names: &["broker url", "redis url"],
        make: |rng| {
            let length = rng.between(10, 28);
            Placed::whole(rng.string(ALNUM, length))
        },
    },
    Shape {
        kind: "url-password-with-symbols",
        class: "url",
        dev_names: &["database url"],
        second_names: &["amqp url"],
        make: |rng| {
            let (left, right) = (rng.string(ALNUM, 8), rng.string(ALNUM, 7));
            let middle = rng.pick(&["%40", "%23", "!", "~", "%2F", "-", "."]);
            Placed::whole(format!("{left}{middle}{right}"))
        },
    },
    Shape {
        kind: "authorization-bearer",
        class: "authorization",
        dev_names: &["authorization"],
        second_names: &["authorization"],
        make: |rng| {
            let length = rng.between(24, 64);
            Placed::after("Bearer ", rng.string(BASE64_URL, length))
        },
    },
    Shape {
        kind: "authorization-basic",
        class: "authorization",
        dev_names: &["authorization"],
        second_names: &["authorization"],
        make: |rng| Placed::after("Basic ", format!("{}==", rng.string(BASE64, 34))),
    },
    Shape {
        kind: "authorization-token",
        class: "authorization",
        dev_names: &["authorization"],
        second_names: &["authorization"],
        make: |rng| Placed::after("token ", rng.string(HEX, 40)),
    },
    Shape {
        kind: "cookie",
        class: "cookie",
        dev_names: &["cookie"],
        second_names: &["cookie"],
        make: |rng| {
            let name = rng.pick(&["sessionid", "sid", "connect.sid", "_app_session", "auth"]);
            let (first, second) = (rng.string(ALNUM, 32), rng.string(HEX, 24));
            Placed {
                text: format!("{name}={first}; remember={second}"),
                secret: vec![first, second],
            }
        },
    },
    Shape {
        kind: "api-key-header",
        class: "api-key-header",
        dev_names: &["x api key"],
        second_names: &["x api key", "x auth token"],
        make: |rng| {
            let length = rng.between(20, 48);
            Placed::whole(rng.string(ALNUM, length))
        },
    },
    Shape {
        kind: "named-password",
        class: "named",
        dev_names: &["db password", "password", "smtp passwd", "root password"],
        second_names: &["redis password", "password", "ldap bind password", "admin pwd"],
        make: |rng| {
            let (left, right) = (rng.between(4, 9), rng.between(4, 9));
            let (left, right) = (rng.string(ALNUM, left), rng.string(ALNUM, right));
            let symbol = rng.pick(&["!", "-", "_", ".", "*", "^", "!!", "+"]);
            Placed::whole(format!("{left}{symbol}{right}7"))
        },
    },
    Shape {
        kind: "named-word-password",
        class: "named",
        dev_names: &["mysql password", "db password"],
        second_names: &["postgres password", "wifi password"],
        make: |rng| {
            let (onset, rest) = (rng.string(UPPER, 1), rng.string(LOWER, 7));
            Placed::whole(format!("{onset}{rest}{}!", rng.between(10, 9999)))
        },
    },
    Shape {
        kind: "named-hex-secret",
        class: "named",
        dev_names: &["session secret", "jwt secret", "webhook secret"],
        second_names: &["cookie secret", "encryption key", "signing secret"],
        make: |rng| {
            let length = *rng.pick(&[&32_usize, &40, &64]);
            Placed::whole(rng.string(HEX, length))
        },
    },
    Shape {
        kind: "named-cloud-secret",
        class: "named",
        dev_names: &["aws secret access key"],
        second_names: &["s3 secret key", "storage account key"],
        make: |rng| Placed::whole(rng.string(BASE64, 40)),
    },
    Shape {
        kind: "named-api-key",
        class: "named",
        dev_names: &["api key", "stripe secret key", "sendgrid api key"],
        second_names: &["datadog api key", "apikey", "payment secret key"],
        make: |rng| {
            let prefix = rng.pick(&["", "key-", "sk_test_", "live_"]);
            Placed::whole(format!("{prefix}{}", rng.string(ALNUM, 32)))
        },
    },
    Shape {
        kind: "named-client-secret",
        class: "named",
        dev_names: &["client secret", "oauth client secret"],
        second_names: &["azure client secret", "app secret"],
        make: |rng| {
            Placed::whole(format!("{}~{}", rng.string(ALNUM, 5), rng.string(BASE64_URL, 33)))
        },
    },
    Shape {
        kind: "named-token",
        class: "named",
        dev_names: &["access token", "auth token", "vault token"],
        second_names: &["bot token", "refresh token", "deploy token"],
        make: |rng| {
            let length = rng.between(18, 44);
            Placed::whole(rng.string(ALNUM, length))
        },
    },
    Shape {
        kind: "named-uuid-secret",
        class: "named",
        dev_names: &["api token", "secret"],
        second_names: &["tenant secret", "access token"],
        make: |rng| {
            let parts = [8, 4, 4, 4, 12].map(|length| rng.string(HEX, length));
            Placed::whole(parts.join("-"))
        },
    },
];

#[derive(Clone, Copy)]
enum Tail {
    Closed,
    CutShort,
}

fn pem(rng: &mut Rng, tail: Tail) -> Placed {
    let label = rng.pick(&[
        "RSA PRIVATE KEY",
        "PRIVATE KEY",
        "EC PRIVATE KEY",
        "OPENSSH PRIVATE KEY",
        "DSA PRIVATE KEY",
    ]);
    let count = rng.between(3, 9);
    let mut body: Vec<String> = (0..count).map(|_| rng.string(BASE64, 64)).collect();
    body[0].replace_range(..4, "MIIE");
    let mut lines = vec![format!("-----BEGIN {label}-----")];
    match tail {
        Tail::Closed => {
            let length = rng.between(10, 60);
            body.push(format!("{}==", rng.string(BASE64, length)));
            lines.extend(body.iter().cloned());
            lines.push(format!("-----END {label}-----"));
        }
        Tail::CutShort => lines.extend(body.iter().cloned()),
    }
    Placed { text: lines.join("\n"), secret: body }
}
