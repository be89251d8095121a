//! Reads only the outline of a line, for readers that don't need the payload.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, Visitor};

use super::carried::Changes;
use super::{Interest, VERSION, v2};
use crate::Outline;

/// The kind of events that readers also select by the gate's name.
const GATE_CHANGED: &str = "gate.changed";

/// Reads the outline and the carried fields of an intact line; the outline's `cwd` is empty.
/// Returns `None` if the reader wants the whole event, if the line has another version, or if a
/// field is missing before the kind.
///
/// The payload is the longest and last part of a line. Only the name of a gate is read from the
/// payload.
pub(super) fn read_outline<'a>(
    line: &'a [u8],
    Interest { kinds, gates }: Interest<'_>,
) -> Option<(Outline<'a>, Changes)> {
    let kinds = kinds?;
    if kind_at_a_glance(line).is_some_and(|kind| {
        kind != GATE_CHANGED.as_bytes() && kinds.iter().any(|wanted| wanted.as_bytes() == kind)
    }) {
        return None;
    }
    let mut found = Found { asks_for_gate: gates.is_some(), ..Found::default() };
    let mut json = serde_json::Deserializer::from_str(str::from_utf8(line).ok()?);
    // Parsing stops in the middle of the line. serde reports that as an error, which is ignored.
    drop(json.deserialize_map(&mut found));
    let Found { version, seq, actor, changes, kind, gate: Gate(gate), .. } = found;
    let kind = kind.filter(|_| version == Some(VERSION))?;
    let is_other_gate = || gate.zip(gates).is_some_and(|(gate, gates)| !gates.contains(&gate));
    if kinds.contains(&kind) && !is_other_gate() {
        return None;
    }
    Some((Outline { seq: seq?, kind, actor: actor.into(), cwd: None }, changes))
}

/// Finds the probable kind of the line's event without parsing. If the reader wants the whole line,
/// this avoids parsing its beginning twice.
fn kind_at_a_glance(line: &[u8]) -> Option<&[u8]> {
    let at = memchr::memchr_iter(b':', line).find(|at| line[..*at].ends_with(br#","kind""#))?;
    let text = line[at + 1..].strip_prefix(b"\"")?;
    Some(&text[..memchr::memchr(b'"', text)?])
}

#[derive(Default)]
struct Found<'a> {
    version: Option<u32>,
    seq: Option<u64>,
    actor: v2::Actor,
    changes: Changes,
    kind: Option<&'a str>,
    asks_for_gate: bool,
    gate: Gate<'a>,
}

/// The name of the gate whose state changed. It is found only if it is the payload's first field.
#[derive(Default)]
struct Gate<'a>(Option<&'a str>);

impl<'de> Visitor<'de> for &mut Found<'de> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a line of the log")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(field) = map.next_key::<&str>()? {
            match field {
                "v" => self.version = Some(map.next_value()?),
                "seq" => self.seq = Some(map.next_value()?),
                "actor" => self.actor = map.next_value()?,
                "kind" => {
                    let kind: &str = map.next_value()?;
                    let is_known = !self.asks_for_gate || kind != GATE_CHANGED;
                    self.kind = Some(kind);
                    if is_known {
                        return Ok(());
                    }
                }
                "payload" => return map.next_value_seed(&mut self.gate),
                other => {
                    if !self.changes.read(other, &mut map)? {
                        map.next_value::<IgnoredAny>()?;
                    }
                }
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
