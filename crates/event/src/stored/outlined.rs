//! What a line says before its payload, for whoever needs no more.

use std::borrow::Cow;
use std::fmt;

use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, Visitor};

use super::{Interest, VERSION, v1};
use crate::Outline;

/// The kind of the one event that is also known by the gate that it is about.
const GATE_CHANGED: &str = "gate.changed";

/// The outline of an intact line, unless somebody is interested in more of it. Nothing where the line is not of
/// this version or has not what an outline needs before its kind.
///
/// Most of a line is its payload, which stands last, and of which nothing but the name of a gate is looked at.
pub(super) fn outline<'a>(
    line: &'a [u8],
    Interest { kinds, gates }: Interest<'_>,
) -> Option<Outline<'a>> {
    let kinds = kinds?;
    if kind_at_a_glance(line).is_some_and(|kind| {
        kind != GATE_CHANGED.as_bytes() && kinds.iter().any(|wanted| wanted.as_bytes() == kind)
    }) {
        return None;
    }
    let mut found = Found { asks_for_gate: gates.is_some(), ..Found::default() };
    let mut json = serde_json::Deserializer::from_str(str::from_utf8(line).ok()?);
    // It stops in the middle, which is an error to whoever gave it the line.
    drop(json.deserialize_map(&mut found));
    let Found { version, seq, actor, cwd, kind, gate: Gate(gate), .. } = found;
    let kind = kind.filter(|_| version == Some(VERSION))?;
    let is_other_gate = || gate.zip(gates).is_some_and(|(gate, gates)| !gates.contains(&gate));
    if kinds.contains(&kind) && !is_other_gate() {
        return None;
    }
    let cwd = cwd.map(|Borrowed(cwd)| cwd);
    Some(Outline { seq: seq?, kind, actor: actor?.into(), cwd })
}

/// What most likely is the kind: it spares whoever reads all of the line to read its beginning twice.
fn kind_at_a_glance(line: &[u8]) -> Option<&[u8]> {
    let at = memchr::memchr_iter(b':', line).find(|at| line[..*at].ends_with(br#","kind""#))?;
    let text = line[at + 1..].strip_prefix(b"\"")?;
    Some(&text[..memchr::memchr(b'"', text)?])
}

#[derive(Default)]
struct Found<'a> {
    version: Option<u32>,
    seq: Option<u64>,
    actor: Option<v1::Actor>,
    cwd: Option<Borrowed<'a>>,
    kind: Option<&'a str>,
    asks_for_gate: bool,
    gate: Gate<'a>,
}

/// A text that stands in the line as it is, unless something in it is escaped.
#[derive(Deserialize)]
struct Borrowed<'a>(#[serde(borrow)] Cow<'a, str>);

/// The gate that changed, where a payload says so first of all.
#[derive(Default)]
struct Gate<'a>(Option<&'a str>);

#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum Field {
    V,
    Seq,
    Actor,
    Cwd,
    Kind,
    Payload,
    #[serde(other)]
    Other,
}

impl<'de> Visitor<'de> for &mut Found<'de> {
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
                    let kind: &str = map.next_value()?;
                    let is_known = !self.asks_for_gate || kind != GATE_CHANGED;
                    self.kind = Some(kind);
                    if is_known {
                        return Ok(());
                    }
                }
                Field::Payload => return map.next_value_seed(&mut self.gate),
                Field::Other => drop(map.next_value::<IgnoredAny>()?),
            }
        }
        Ok(())
    }
}

impl<'de> DeserializeSeed<'de> for &mut Gate<'de> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, payload: D) -> Result<(), D::Error> {
        payload.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for &mut Gate<'de> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the change of a gate")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        if map.next_key::<&str>()? == Some("gate") {
            self.0 = Some(map.next_value()?);
        }
        Ok(())
    }
}
