//! A finding: a range of the text, and the kind of secret in it.

use std::ops::Range;

/// A secret in a text. The range lies on character boundaries.
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
    /// The value of a key that the caller listed.
    Named,
    /// The token by which verger's own reviewer proves that a decision is its own.
    ReviewerToken,
}

impl SecretKind {
    /// The name in the replacement. It never changes, because stored text contains it.
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
