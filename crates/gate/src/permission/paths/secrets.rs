//! Recognises files and variables with credentials.

/// Whether the path is that of a file with credentials.
pub(in crate::permission) fn is_secret(path: &str) -> bool {
    const FOLDERS: &[&str] = &[".ssh", ".aws", ".gnupg", ".kube", ".azure", ".password-store"];
    const FILES: &[&str] = &[
        ".netrc",
        "_netrc",
        ".npmrc",
        ".pypirc",
        ".pgpass",
        ".my.cnf",
        ".git-credentials",
        ".docker/config.json",
        ".cargo/credentials",
        ".cargo/credentials.toml",
        ".vault-token",
        "credentials.json",
        "service-account.json",
        "secrets.yml",
        "secrets.yaml",
        "secrets.json",
        "id_rsa",
        "id_dsa",
        "id_ecdsa",
        "id_ed25519",
        ".htpasswd",
        "kubeconfig",
        ".terraformrc",
        "/etc/shadow",
        "/etc/shadow-",
        "/etc/gshadow",
        "/etc/gshadow-",
        "/etc/sudoers",
        ".config/gh/hosts.yml",
        "application_default_credentials.json",
        "credentials.tfrc.json",
        ".s3cfg",
        ".boto",
        ".config/gcloud",
        ".env",
        "auth.json",
        ".dev.vars",
        ".vault_pass",
        ".vault-pass",
        ".flaskenv",
        ".yarnrc.yml",
        "pip.conf",
        "local.settings.json",
        "vault.yml",
        "vault.yaml",
    ];
    const ENDINGS: &[&str] =
        &[".pem", ".key", ".p12", ".pfx", ".keystore", ".jks", ".kdbx", ".ppk", ".env", "_key"];
    /// Parts of the names of JSON files with credentials of service accounts.
    const ACCOUNTS: &[&str] =
        &["adminsdk", "serviceaccount", "service-account", "service_account", "gha-creds"];
    const EXAMPLES: &[&str] = &["example", "sample", "template", "dist"];
    let path = path.to_ascii_lowercase();
    let name = path.rsplit('/').next().unwrap_or(&path);
    let is_example = name.contains("env")
        && EXAMPLES.iter().any(|word| name.ends_with(word) || name.starts_with(word));
    if is_example || name.strip_suffix(".pub").is_some() || name == "known_hosts" {
        return false;
    }
    let is_account = name.rsplit_once('.').is_some_and(|(_, ending)| ending == "json")
        && ACCOUNTS.iter().any(|word| name.contains(word));
    path.split('/').any(|part| FOLDERS.contains(&part))
        || [".env.", ".env-", ".env_", ".env~", ".env*", ".envrc"]
            .iter()
            .any(|s| name.starts_with(s))
        || is_account
        || FILES.iter().any(|file| {
            path.strip_suffix(file).is_some_and(|rest| rest.is_empty() || rest.ends_with('/'))
        })
        || ENDINGS.iter().any(|ending| name.ends_with(ending))
        || (path.starts_with("/proc/") && matches!(name, "environ" | "mem"))
}

/// Whether the value of a variable with this name is a credential.
pub(in crate::permission) fn is_secret_variable(name: &str) -> bool {
    const PARTS: &[&str] =
        &["TOKEN", "SECRET", "PASSWORD", "PASSWD", "PASSPHRASE", "APIKEY", "CREDENTIAL", "_PAT"];
    const ENDINGS: &[&str] = &["_KEY", "_PASS", "_PWD", "_AUTH", "_DSN"];
    let name = name.to_ascii_uppercase();
    PARTS.iter().any(|part| name.contains(part))
        || ENDINGS.iter().any(|ending| name.ends_with(ending))
        || matches!(name.as_str(), "DATABASE_URL" | "KUBECONFIG_DATA")
}
