//! Types of values of settings: ordered and unordered lists of words, and shares.

use serde_json::Value as Json;
use toml::de::DeValue;

use crate::choice::Choice;
use crate::rule::Tightening;
use crate::value::{Found, Given, Value, entries_of_variable, kind_of};

/// The order in which words are tried. Words that are not listed come after the others, in their
/// default order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Order<T>(Vec<T>);

impl<T> Order<T> {
    /// The default order of the words.
    pub(crate) const fn of_words() -> Self {
        Self(Vec::new())
    }
}

#[expect(private_bounds, reason = "only this crate implements `Choice`")]
impl<T: Choice> Order<T> {
    /// All words: the listed ones in their order, and then the others.
    pub fn iter(&self) -> impl Iterator<Item = T> + '_ {
        let named = self.0.iter().copied();
        let others = T::ALL.iter().copied();
        named.chain(others.filter(|other| !self.0.contains(other)))
    }
}

impl<T: Choice> Value for Order<T> {
    type Bounds = ();

    fn read(given: Given<'_>, (): &()) -> Result<Option<Self>, Found> {
        Ok(words_once(given)?.map(Self))
    }

    fn expected((): &()) -> String {
        some_of_the_words::<T>()
    }

    fn to_json(&self) -> Json {
        self.iter().map(|choice| Json::from(choice.word())).collect()
    }
}

/// A set of words. The order of the words has no meaning.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Several<T>(Vec<T>);

impl<T: Copy> Several<T> {
    pub(crate) fn of(words: &[T]) -> Self {
        Self(words.to_vec())
    }

    /// All words of the set, in the order of the setting.
    pub fn iter(&self) -> impl Iterator<Item = T> + '_ {
        self.0.iter().copied()
    }
}

/// The rule for keys whose value is a list of words, to which other layers can only add words.
pub(crate) const fn more_words_are_stricter<T: Choice>() -> Tightening<Several<T>> {
    Tightening {
        stricter: "the lists of all files are joined",
        is_as_strict: |offered, current| current.iter().all(|word| offered.0.contains(&word)),
        join: Some(|current, offered| {
            let new: Vec<T> = offered.iter().filter(|word| !current.0.contains(word)).collect();
            current.0.extend(new);
        }),
    }
}

impl<T: Choice> Value for Several<T> {
    type Bounds = ();

    fn read(given: Given<'_>, (): &()) -> Result<Option<Self>, Found> {
        Ok(words_once(given)?.map(Self))
    }

    fn expected((): &()) -> String {
        some_of_the_words::<T>()
    }

    fn to_json(&self) -> Json {
        self.iter().map(|choice| Json::from(choice.word())).collect()
    }
}

fn words_once<T: Choice>(given: Given<'_>) -> Result<Option<Vec<T>>, Found> {
    let mut words = Vec::new();
    let mut add = |given: Given<'_>| -> Result<(), Found> {
        let choice = T::read(given, &())?.ok_or("an empty string")?;
        if words.contains(&choice) {
            return Err("a word twice".into());
        }
        words.push(choice);
        Ok(())
    };
    match given {
        Given::Toml(DeValue::Array(words)) => {
            words.iter().try_for_each(|word| add(Given::Toml(word.get_ref())))?;
        }
        Given::Toml(other) => return Err(kind_of(other).into()),
        Given::Variable("") => return Ok(None),
        Given::Variable(text) => {
            entries_of_variable(text).try_for_each(|word| add(Given::Variable(word)))?;
        }
    }
    Ok(Some(words))
}

fn some_of_the_words<T: Choice>() -> String {
    let words: Vec<String> = T::words().map(|word| format!("{word:?}")).collect();
    format!("some of [{}], each once", words.join(", "))
}

const WHOLE: u16 = 1000;

/// A share of a whole, in thousandths.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Share(u16);

impl Share {
    pub(crate) const fn thousandths(number: u16) -> Self {
        Self(number)
    }

    /// The share as a number from 0 to 1.
    pub fn as_f64(self) -> f64 {
        f64::from(self.0) / f64::from(WHOLE)
    }
}

impl Value for Share {
    type Bounds = ();

    fn read(given: Given<'_>, (): &()) -> Result<Option<Self>, Found> {
        let text = match given {
            Given::Toml(DeValue::Float(float)) => float.as_str(),
            Given::Toml(DeValue::Integer(integer)) => integer.as_str(),
            Given::Toml(other) => return Err(kind_of(other).into()),
            Given::Variable("") => return Ok(None),
            Given::Variable(text) => text,
        };
        let number: f64 = text.parse().map_err(|_| "other text")?;
        let share = (0..=WHOLE).map(Self).find(|share| (share.as_f64() - number).abs() < 0.0005);
        share.map(Some).ok_or_else(|| "another number".into())
    }

    fn expected((): &()) -> String {
        "a number from 0 to 1".to_owned()
    }

    fn to_json(&self) -> Json {
        self.as_f64().into()
    }
}
