//! Ids. Each kind of id has its own type, so that the compiler rejects a session id in place of a
//! prompt id.
//!
//! Ids from agents may contain any text. They are compared and stored, but never used as a path
//! (see [`SessionKey::file_stem`]).

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use ulid::Ulid;

macro_rules! text_id {
    ($($(#[$doc:meta])* $name:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(transparent)]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
        pub struct $name(String);

        impl $name {
            /// An id with this text, unchecked.
            pub fn new(text: impl Into<String>) -> Self {
                Self(text.into())
            }

            /// The text.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }
    )*};
}

text_id! {
    /// An agent's session, as the agent names it.
    SessionId;
    /// A subagent inside a session, as the agent names it.
    SubagentId;
    /// One tool call, as the agent names it.
    ToolUseId;
    /// One prompt, as the agent names it.
    PromptId;
    /// A project: shared by its clones and worktrees.
    ProjectId;
    /// Stands for path and content of every file that a task changed.
    ContentHash;
}

impl SessionId {
    /// The session id as one word of a shell command, quoted if necessary.
    pub fn word(&self) -> Cow<'_, str> {
        let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_.:/@".contains(c);
        if !self.0.is_empty() && self.0.chars().all(is_plain) {
            return Cow::Borrowed(&self.0);
        }
        Cow::Owned(format!("'{}'", self.0.replace('\'', r"'\''")))
    }
}

impl ContentHash {
    /// The content hash of a task that changed nothing.
    pub fn of_nothing() -> Self {
        Self::new("nothing")
    }

    /// The first characters of the hash, enough for people to distinguish hashes.
    pub fn short(&self) -> &str {
        &self.0[..self.0.floor_char_boundary(12)]
    }
}

macro_rules! text_mut {
    ($($name:ident)*) => {$(
        impl $name {
            pub(crate) fn text_mut(&mut self) -> &mut String {
                &mut self.0
            }
        }
    )*};
}

text_mut! { SessionId SubagentId PromptId }

/// Which program is the agent: a short lower-case word such as the one on the hook's command line.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(with = "String"))]
pub struct AgentName(String);

/// The error for a text that is not a valid agent name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("an agent's name is 1 to 16 lower-case letters, not {0:?}")]
pub struct BadAgentName(String);

impl AgentName {
    /// The agent's name as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for AgentName {
    type Err = BadAgentName;

    fn from_str(text: &str) -> Result<Self, BadAgentName> {
        let is_word =
            (1..=16).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_lowercase());
        if is_word { Ok(Self(text.to_owned())) } else { Err(BadAgentName(text.to_owned())) }
    }
}

impl TryFrom<String> for AgentName {
    type Error = BadAgentName;

    fn try_from(text: String) -> Result<Self, BadAgentName> {
        text.parse()
    }
}

impl From<AgentName> for String {
    fn from(name: AgentName) -> Self {
        name.0
    }
}

impl fmt::Display for AgentName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A gate or guard: a short word. A name from outside is checked, a name in the program is taken as it is.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(with = "String"))]
pub struct GateName(Cow<'static, str>);

/// The error for a text that is not a valid gate name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("a gate's name is 1 to 32 lower-case letters, digits, `-` or `_`, not {0:?}")]
pub struct BadGateName(String);

impl GateName {
    /// The gate's name as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl From<&'static str> for GateName {
    fn from(name: &'static str) -> Self {
        Self(name.into())
    }
}

impl TryFrom<String> for GateName {
    type Error = BadGateName;

    fn try_from(text: String) -> Result<Self, BadGateName> {
        let is_of_name = |b: u8| matches!(b, b'a'..=b'z' | b'0'..=b'9' | b'-' | b'_');
        let is_name = (1..=32).contains(&text.len()) && text.bytes().all(is_of_name);
        if is_name { Ok(Self(text.into())) } else { Err(BadGateName(text)) }
    }
}

impl From<GateName> for String {
    fn from(name: GateName) -> Self {
        name.0.into_owned()
    }
}

impl PartialEq<str> for GateName {
    fn eq(&self, other: &str) -> bool {
        self.0 == other
    }
}

impl PartialEq<&str> for GateName {
    fn eq(&self, other: &&str) -> bool {
        self.0 == *other
    }
}

impl fmt::Display for GateName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The permanent id of one record of the log. It is a ULID, so that ids sort roughly by time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EventId(Ulid);

impl EventId {
    /// Creates an id from a time and 80 random bits. Higher bits of `random` are dropped.
    pub fn new(at: crate::Timestamp, random: u128) -> Self {
        Self(Ulid::from_parts(at.as_millis(), random))
    }

    /// The id of the `number`th record that is derived from this record. The same number always
    /// gives the same id.
    #[must_use]
    pub fn derived(self, number: u64) -> Self {
        // Ids that are generated in sequence differ in their lowest bits, so `number` changes
        // higher bits.
        Self::new(self.made_at(), self.0.random().wrapping_add(u128::from(number) << 64))
    }

    /// The wall-clock time that the id contains.
    pub fn made_at(self) -> crate::Timestamp {
        crate::Timestamp::from_millis(self.0.timestamp_ms())
    }
}

impl fmt::Display for EventId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for EventId {
    type Err = ulid::DecodeError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Ulid::from_string(text).map(Self)
    }
}

impl Serialize for EventId {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for EventId {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = Cow::<str>::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for EventId {
    fn schema_name() -> Cow<'static, str> {
        "EventId".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": "string", "pattern": "^[0-7][0-9A-HJKMNP-TV-Z]{25}$" })
    }
}

/// A task: named by the prompt that started it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TaskId(pub EventId);

/// The key of a session: an agent and its session id. Each session owns one log segment.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct SessionKey {
    /// The name of the agent's program.
    pub agent: AgentName,
    /// The agent's id for the session.
    pub session: SessionId,
}

impl SessionKey {
    /// The session's file name without an ending. It is valid in any file system, and different
    /// keys have different names.
    ///
    /// A session id that doesn't look like a UUID is hashed, because an agent may send any text.
    pub fn file_stem(&self) -> String {
        format!("{}-{}", self.agent, plain_or_hashed(self.session.as_str()))
    }

    /// The key of the session with this file stem, for code that has only the stem. If the
    /// session's id was hashed, the key contains the hash instead.
    pub fn of_file_stem(stem: &str) -> Option<Self> {
        let (agent, session) = stem.split_once('-')?;
        Some(Self { agent: agent.parse().ok()?, session: SessionId::new(session) })
    }
}

impl ProjectId {
    /// The project's file name without an ending. It is valid in any file system, and different
    /// projects have different names.
    pub fn file_stem(&self) -> String {
        plain_or_hashed(&self.0)
    }
}

/// Returns an id that looks like a UUID unchanged, and the hash of any other id. Other ids may be
/// paths or secrets, or may differ only in case. A hash is returned unchanged too, so that a file
/// name can be used as an id.
fn plain_or_hashed(id: &str) -> String {
    let digits = id.strip_prefix("h-").filter(|hash| hash.len() == 32).unwrap_or(id);
    let is_plain = (1..=64).contains(&digits.len())
        && digits.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f' | b'-'));
    if is_plain { id.to_owned() } else { format!("h-{}", hex(&Sha256::digest(id)[..16])) }
}

/// A key by which duplicate reports of an event are recognized: a hash of the event's kind and the
/// agent's id for the event.
///
/// An agent whose hooks are registered twice reports every event twice, and the second report is
/// dropped. Only kinds of events that happen once per id have such a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Occurrence(u64);

impl Occurrence {
    pub(crate) fn new(kind: &str, id: &str) -> Self {
        let mut hash = Sha256::new();
        hash.update(kind);
        hash.update([0]);
        hash.update(id);
        let digest = hash.finalize();
        let mut first = [0; 8];
        first.copy_from_slice(&digest[..8]);
        Self(u64::from_be_bytes(first))
    }
}

/// Serializes occurrences as one string with sixteen hexadecimal digits each. Such a string parses
/// much faster than a list of numbers.
pub(crate) mod occurrences {
    use std::collections::VecDeque;

    use serde::de::Error as _;
    use serde::{Deserialize, Deserializer, Serializer};

    use super::{Occurrence, hex};

    const DIGITS: usize = 16;

    pub(crate) fn serialize<S: Serializer>(
        occurrences: &VecDeque<Occurrence>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        let bytes: Vec<u8> = occurrences.iter().flat_map(|one| one.0.to_be_bytes()).collect();
        serializer.serialize_str(&hex(&bytes))
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<VecDeque<Occurrence>, D::Error> {
        let text = String::deserialize(deserializer)?;
        let numbers = text.as_bytes().chunks(DIGITS).map(number);
        numbers
            .collect::<Option<_>>()
            .ok_or_else(|| D::Error::custom("the text is not a list of occurrences"))
    }

    fn number(digits: &[u8]) -> Option<Occurrence> {
        if digits.len() != DIGITS {
            return None;
        }
        // Every hook call parses all of these digits, so invalid ones are checked only once, at the
        // end.
        let (mut number, mut met) = (0, 0);
        for digit in digits {
            let value = VALUES[usize::from(*digit)];
            met |= value;
            number = number << 4 | u64::from(value & 0xf);
        }
        (met <= 0xf).then_some(Occurrence(number))
    }

    /// The value of each byte as a hexadecimal digit. For other bytes, the value is larger than 15.
    const VALUES: [u8; 256] = {
        let mut values = [0x10; 256];
        let mut value = 0;
        while value < 16 {
            values[b"0123456789abcdef"[value as usize] as usize] = value;
            value += 1;
        }
        values
    };

    #[cfg(test)]
    mod tests {
        use super::*;

        #[derive(Debug, PartialEq, serde::Serialize, serde::Deserialize)]
        #[serde(transparent)]
        struct Kept(#[serde(with = "super")] VecDeque<Occurrence>);

        #[test]
        fn occurrences_are_read_back_as_written() {
            for numbers in [vec![], vec![0], vec![1, u64::MAX, 0x0123_4567_89ab_cdef]] {
                let kept = Kept(numbers.into_iter().map(Occurrence).collect());
                let text = serde_json::to_string(&kept).unwrap();
                assert_eq!(serde_json::from_str::<Kept>(&text).unwrap(), kept, "{text}");
            }
        }

        #[test]
        fn invalid_occurrences_are_rejected() {
            for text in [r#""0""#, r#""000000000000000g""#, r#""+000000000000001""#, "[1]"] {
                assert!(serde_json::from_str::<Kept>(text).is_err(), "{text}");
            }
        }
    }
}

/// Formats bytes as lower-case hexadecimal digits.
pub fn hex(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let mut text = String::with_capacity(2 * bytes.len());
    for b in bytes {
        text.push(char::from(DIGITS[usize::from(b >> 4)]));
        text.push(char::from(DIGITS[usize::from(b & 15)]));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn stem(session: &str) -> String {
        SessionKey { agent: "claude".parse().unwrap(), session: SessionId::new(session) }
            .file_stem()
    }

    #[test]
    fn an_odd_session_is_one_word_of_a_command() {
        for (id, word) in [
            ("0199-aB_c.d", "0199-aB_c.d"),
            ("", "''"),
            ("a b", "'a b'"),
            ("$(x); it's", r"'$(x); it'\''s'"),
        ] {
            assert_eq!(SessionId::new(id).word(), word);
        }
    }

    #[test]
    fn a_plain_session_id_is_its_own_file_stem() {
        assert_eq!(
            stem("f0357e9b-fb48-41a1-afb7-88e26c9c25cd"),
            "claude-f0357e9b-fb48-41a1-afb7-88e26c9c25cd"
        );
    }

    #[test]
    fn a_hostile_session_id_is_hashed() {
        let hostile = [
            "",
            "../../etc/passwd",
            "a/b",
            "A",
            "nul\0",
            "h-0123",
            "é",
            ".",
            "..",
            "a.b",
            "ghp_secret",
            &"0".repeat(65),
        ];
        let stems: Vec<_> = hostile.iter().map(|id| stem(id)).collect();
        for stem in &stems {
            assert_eq!((stem.len(), &stem[..9]), (41, "claude-h-"), "{stem}");
        }
        let mut distinct = stems.clone();
        distinct.sort();
        distinct.dedup();
        assert_eq!(distinct.len(), stems.len());
    }

    #[test]
    fn an_agent_name_is_a_short_lower_case_word() {
        for bad in ["", "Claude", "a-b", "a/b", "abcdefghijklmnopq"] {
            assert_eq!(bad.parse::<AgentName>(), Err(BadAgentName(bad.to_owned())));
        }
        assert_eq!("claude".parse::<AgentName>().map(String::from), Ok("claude".to_owned()));
    }

    #[test]
    fn an_event_id_is_read_back_from_its_text() {
        let id = EventId::new(crate::Timestamp::from_millis(1_794_767_961_556), 7);
        assert_eq!(id.to_string().parse(), Ok(id));
        assert_eq!(id.to_string(), "01M7G83FEM0000000000000007");
        assert_eq!(id.made_at(), crate::Timestamp::from_millis(1_794_767_961_556));
    }
}
