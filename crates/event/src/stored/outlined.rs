//! What a line says before its payload, for whoever needs no more.

use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer as _, IgnoredAny, MapAccess, Visitor};

use super::{VERSION, v1};
use crate::Outline;

/// The outline of an intact line, unless its kind is one of `kinds`. Nothing where the line is not of this
/// version or has not what an outline needs before its kind.
///
/// Most of a line is its payload, which stands last, and is not looked at.
pub(super) fn outline(line: &[u8], kinds: &[&str]) -> Option<Outline> {
    let mut found = Found::default();
    let mut json = serde_json::Deserializer::from_str(str::from_utf8(line).ok()?);
    // It stops in the middle, which is an error to whoever gave it the line.
    drop(json.deserialize_map(&mut found));
    let Found { version, seq, actor, cwd, kind } = found;
    let kind = kind.filter(|kind| version == Some(VERSION) && !kinds.contains(&kind.as_str()))?;
    Some(Outline { seq: seq?, kind, actor: actor?.into(), cwd })
}

#[derive(Default)]
struct Found {
    version: Option<u32>,
    seq: Option<u64>,
    actor: Option<v1::Actor>,
    cwd: Option<String>,
    kind: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum Field {
    V,
    Seq,
    Actor,
    Cwd,
    Kind,
    #[serde(other)]
    Other,
}

impl<'de> Visitor<'de> for &mut Found {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a line of the log")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(field) = map.next_key()? {
            match field {
                Field::V => self.version = Some(map.next_value()?),
                Field::Seq => self.seq = Some(map.next_value()?),
                Field::Actor => self.actor = Some(map.next_value()?),
                Field::Cwd => self.cwd = map.next_value()?,
                Field::Kind => {
                    self.kind = Some(map.next_value()?);
                    return Ok(());
                }
                Field::Other => drop(map.next_value::<IgnoredAny>()?),
            }
        }
        Ok(())
    }
}
