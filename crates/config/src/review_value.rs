//! Types of values for the review gate: template ids, the choice of a template, and weights.

use std::collections::BTreeMap;

use serde_json::Value as Json;
use toml::de::DeValue;

use crate::MAX_LIST_ENTRIES;
use crate::value::{Found, Given, Value, entries_of_variable, kind_of};

/// The id of a template for blocks. The template's file is `templates/block-<id>.md`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TemplateId(String);

impl TemplateId {
    /// Parses an id: 1 to 32 ASCII letters, digits, `_` and `-`.
    pub fn parse(text: &str) -> Option<Self> {
        let is_allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"_-".contains(&byte);
        ((1..=32).contains(&text.len()) && text.bytes().all(is_allowed))
            .then(|| Self(text.to_owned()))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// The way in which the template of a block is chosen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TemplateChoice {
    /// The template is chosen at random, according to the weights.
    Random,
    Pinned(TemplateId),
}

const RANDOM: &str = "random";

impl TemplateChoice {
    /// Pins the built-in template, which always exists.
    pub(crate) fn built_in() -> Self {
        Self::Pinned(TemplateId("default".to_owned()))
    }
}

impl Value for TemplateChoice {
    type Bounds = ();

    fn read(given: Given<'_>, (): &()) -> Result<Option<Self>, Found> {
        let text = match given {
            Given::Toml(DeValue::String(text)) => text.as_ref(),
            Given::Toml(other) => return Err(kind_of(other).into()),
            Given::Variable("") => return Ok(None),
            Given::Variable(text) => text,
        };
        if text == RANDOM {
            return Ok(Some(Self::Random));
        }
        Ok(Some(Self::Pinned(TemplateId::parse(text).ok_or("other text")?)))
    }

    fn expected((): &()) -> String {
        format!("{RANDOM:?}, or the id of a template: 1 to 32 letters, digits, \"_\" and \"-\"")
    }

    fn to_json(&self) -> Json {
        match self {
            Self::Random => RANDOM.into(),
            Self::Pinned(id) => id.as_str().into(),
        }
    }
}

/// The weights with which templates are chosen at random. A template that isn't listed has the
/// weight 1. A template with the weight 0 is never chosen.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TemplateWeights(pub BTreeMap<TemplateId, u64>);

const MAX_WEIGHT: u64 = 1000;

impl Value for TemplateWeights {
    type Bounds = ();

    fn read(given: Given<'_>, (): &()) -> Result<Option<Self>, Found> {
        let mut weights = BTreeMap::new();
        let mut add = |id: &str, weight: Given<'_>| -> Result<(), Found> {
            let id = TemplateId::parse(id).ok_or("an invalid id")?;
            let weight = u64::read(weight, &(0..=MAX_WEIGHT))?.ok_or("an id without a weight")?;
            weights.insert(id, weight);
            Ok(())
        };
        match given {
            Given::Toml(DeValue::Table(table)) => {
                for (id, weight) in table {
                    add(id.get_ref(), Given::Toml(weight.get_ref()))?;
                }
            }
            Given::Toml(other) => return Err(kind_of(other).into()),
            Given::Variable("") => return Ok(None),
            Given::Variable(text) => {
                for entry in entries_of_variable(text) {
                    let (id, weight) = entry.split_once('=').ok_or("an id without a weight")?;
                    add(id.trim(), Given::Variable(weight.trim()))?;
                }
            }
        }
        if weights.len() > MAX_LIST_ENTRIES {
            return Err("more entries".into());
        }
        Ok(Some(Self(weights)))
    }

    fn expected((): &()) -> String {
        format!(
            "{{ id = weight }} with at most {MAX_LIST_ENTRIES} ids of templates and whole numbers \
             from 0 to {MAX_WEIGHT}"
        )
    }

    fn to_json(&self) -> Json {
        self.0.iter().map(|(id, weight)| (id.as_str().to_owned(), Json::from(*weight))).collect()
    }
}
