//! Optional fields of payloads. Programs change such fields between versions. A record without
//! its working directory, for example, is better than no record.

use std::fmt;
use std::marker::PhantomData;

use serde::Deserialize;
use serde::de::{DeserializeOwned, Deserializer, Visitor};
use serde_json::value::RawValue;

/// A `T` that may be missing. A value that is not a `T` counts as missing.
///
/// It can be deserialized only from JSON text, which every payload is. The value's text is read
/// as a whole before it is parsed, so that the rest of the payload stays readable if parsing
/// fails.
pub(crate) struct Lenient<T>(pub(crate) Option<T>);

impl<'de, T: DeserializeOwned> Deserialize<'de> for Lenient<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Tried<T>(PhantomData<T>);

        impl<'de, T: DeserializeOwned> Visitor<'de> for Tried<T> {
            type Value = Option<T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("any value")
            }

            fn visit_none<E>(self) -> Result<Option<T>, E> {
                Ok(None)
            }

            fn visit_some<D: Deserializer<'de>>(self, value: D) -> Result<Option<T>, D::Error> {
                let text = <&RawValue>::deserialize(value)?.get();
                // The error is ignored: the value counts as missing.
                Ok(serde_json::from_str(text).ok())
            }
        }

        // This must be `deserialize_option`: a derived struct accepts a missing field only for
        // options.
        deserializer.deserialize_option(Tried(PhantomData)).map(Self)
    }
}

/// A list that may be missing. Entries that are not a `T` are dropped.
#[derive(Deserialize)]
#[serde(transparent, bound = "T: DeserializeOwned")]
pub(crate) struct Entries<T>(Lenient<Vec<Lenient<T>>>);

impl<T> Entries<T> {
    pub(crate) fn into_fitting(self) -> impl Iterator<Item = T> {
        self.0.0.into_iter().flatten().filter_map(|Lenient(entry)| entry)
    }
}

/// A duration, rounded to milliseconds.
#[derive(Deserialize)]
#[serde(try_from = "serde_json::Number")]
pub(crate) struct Millis(pub(crate) u64);

/// The number is not a duration that fits into 64 bits.
#[derive(Debug, thiserror::Error)]
#[error("a number that isn't a duration")]
pub(crate) struct NoDuration;

impl TryFrom<serde_json::Number> for Millis {
    type Error = NoDuration;

    fn try_from(number: serde_json::Number) -> Result<Self, NoDuration> {
        let rounded = || format!("{:.0}", number.as_f64()?).parse().ok();
        number.as_u64().or_else(rounded).map(Self).ok_or(NoDuration)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Deserialize)]
    struct Form {
        before: String,
        word: Lenient<String>,
        words: Entries<String>,
        took: Lenient<Millis>,
        after: String,
    }

    #[track_caller]
    fn check(middle: &str, word: Option<&str>, words: &[&str], took: Option<u64>) {
        let text = format!(r#"{{"before":"b",{middle}"after":"a"}}"#);
        let form: Form = serde_json::from_str(&text).unwrap();
        assert_eq!((form.before.as_str(), form.after.as_str()), ("b", "a"));
        assert_eq!(form.word.0.as_deref(), word);
        assert_eq!(form.words.into_fitting().collect::<Vec<_>>(), words);
        assert_eq!(form.took.0.map(|it| it.0), took);
    }

    #[test]
    fn a_value_of_another_type_is_as_if_it_were_missing() {
        check("", None, &[], None);
        check(r#""word":null,"words":null,"took":null,"#, None, &[], None);
        check(r#""word":"é\n","words":["x","y"],"took":7,"#, Some("é\n"), &["x", "y"], Some(7));
        check(r#""word":7,"words":"x","took":"7","#, None, &[], None);
        check(r#""word":{"a":[1e400]},"words":{"0":"x"},"took":[7],"#, None, &[], None);
        let deep = format!(r#""word":{}{},"#, "[".repeat(100_000), "]".repeat(100_000));
        check(&deep, None, &[], None);
    }

    #[test]
    fn an_entry_of_another_type_is_left_out_alone() {
        check(r#""words":["x",7,null,["y"],1e400,"z"],"#, None, &["x", "z"], None);
    }

    #[test]
    fn a_duration_is_rounded_and_one_that_cannot_be_is_missing() {
        check(r#""took":12.5,"#, None, &[], Some(12));
        check(r#""took":12.6,"#, None, &[], Some(13));
        check(r#""took":1e3,"#, None, &[], Some(1000));
        check(r#""took":18446744073709551615,"#, None, &[], Some(u64::MAX));
        for none in ["-1", "-0.2", "1e20", "1e400", "18446744073709551616"] {
            check(&format!(r#""took":{none},"#), None, &[], None);
        }
    }
}
