//! Files that hold credentials.

/// Whether the path names credentials.
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
        "/etc/gshadow",
        "/etc/sudoers",
        ".config/gh/hosts.yml",
        "application_default_credentials.json",
        "credentials.tfrc.json",
        ".s3cfg",
        ".boto",
        ".config/gcloud",
        ".env",
    ];
    const ENDINGS: &[&str] =
        &[".pem", ".key", ".p12", ".pfx", ".keystore", ".jks", ".kdbx", ".ppk"];
    const HARMLESS: &[&str] =
        &[".env.example", ".env.sample", ".env.template", ".env.dist", ".env.test.example"];
    let path = path.to_ascii_lowercase();
    let name = path.rsplit('/').next().unwrap_or(&path);
    if HARMLESS.contains(&name) || name.strip_suffix(".pub").is_some() || name == "known_hosts" {
        return false;
    }
    path.split('/').any(|part| FOLDERS.contains(&part))
        || name.starts_with(".env.")
        || name == ".env*"
        || name == ".envrc"
        || FILES.iter().any(|file| {
            path.strip_suffix(file).is_some_and(|rest| rest.is_empty() || rest.ends_with('/'))
        })
        || ENDINGS.iter().any(|ending| name.ends_with(ending))
        || (path.starts_with("/proc/") && matches!(name, "environ" | "mem"))
}

/// Whether a variable of this name holds a credential.
pub(in crate::permission) fn is_secret_variable(name: &str) -> bool {
    const PARTS: &[&str] =
        &["TOKEN", "SECRET", "PASSWORD", "PASSWD", "PASSPHRASE", "APIKEY", "CREDENTIAL", "_PAT"];
    const ENDINGS: &[&str] = &["_KEY", "_PASS", "_PWD", "_AUTH", "_DSN"];
    let name = name.to_ascii_uppercase();
    PARTS.iter().any(|part| name.contains(part))
        || ENDINGS.iter().any(|ending| name.ends_with(ending))
        || matches!(name.as_str(), "DATABASE_URL" | "KUBECONFIG_DATA")
}
