//! The type of a finding: a range of the text, and the kind of secret in the range.

use std::ops::Range;

/// A secret in a text. The range starts and ends at character boundaries.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    pub range: Range<usize>,
    pub kind: SecretKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SecretKind {
    AnthropicKey,
    OpenAiKey,
    GitHubToken,
    GitLabToken,
    AwsAccessKeyId,
    SlackToken,
    GoogleApiKey,
    NpmToken,
    PyPiToken,
    HuggingFaceToken,
    PrivateKey,
    Jwt,
    UrlPassword,
    Authorization,
    Cookie,
    Password,
    Secret,
    Token,
    Key,
    Credential,
    /// The value of a key whose name the caller listed as secret.
    Named,
    /// The token with which verger's reviewer proves its identity.
    ReviewerToken,
}

impl SecretKind {
    /// The name of the kind in the text that replaces a secret. It must never change, because
    /// stored text contains it.
    pub fn slug(self) -> &'static str {
        match self {
            Self::AnthropicKey => "anthropic-key",
            Self::OpenAiKey => "openai-key",
            Self::GitHubToken => "github-token",
            Self::GitLabToken => "gitlab-token",
            Self::AwsAccessKeyId => "aws-access-key-id",
            Self::SlackToken => "slack-token",
            Self::GoogleApiKey => "google-api-key",
            Self::NpmToken => "npm-token",
            Self::PyPiToken => "pypi-token",
            Self::HuggingFaceToken => "hugging-face-token",
            Self::PrivateKey => "private-key",
            Self::Jwt => "jwt",
            Self::UrlPassword => "url-password",
            Self::Authorization => "authorization",
            Self::Cookie => "cookie",
            Self::Password => "password",
            Self::Secret => "secret",
            Self::Token => "token",
            Self::Key => "key",
            Self::Credential => "credential",
            Self::Named => "named",
            Self::ReviewerToken => "reviewer-token",
        }
    }
}
