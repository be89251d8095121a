//! Tests that fail now and did not in the last green verification.

use super::verified::FailingTests;

/// What became of the tests of the last green verification, where some fail now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Regressed {
    /// None that passed then fails now.
    Nothing,
    /// These do.
    Tests(Vec<String>),
    /// Nobody can tell.
    Unknown {
        /// Why.
        why: String,
    },
}

impl Regressed {
    /// Of tests that failed now, compared with those of the last green verification that ran them.
    /// Without one every failing test is new.
    pub fn of(failing: &FailingTests, before: Option<&FailingTests>) -> Self {
        let names = match failing {
            FailingTests::Unknown { why } => return Self::Unknown { why: why.clone() },
            FailingTests::Named { names } if names.is_empty() => {
                return Self::Unknown { why: "the runner named none of them".to_owned() };
            }
            FailingTests::Named { names } => names,
        };
        let known = match before {
            None => &[][..],
            Some(FailingTests::Named { names }) => names,
            Some(FailingTests::Unknown { why }) => {
                let why = format!("of the last green verification it is not known: {why}");
                return Self::Unknown { why };
            }
        };
        let new: Vec<_> = names.iter().filter(|name| !known.contains(name)).cloned().collect();
        if new.is_empty() { Self::Nothing } else { Self::Tests(new) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_did_not_fail_before_is_new() {
        let named = |names: &[&str]| FailingTests::Named {
            names: names.iter().map(|&name| name.to_owned()).collect(),
        };
        let unknown = || FailingTests::Unknown { why: "make names none".to_owned() };
        let why = |why: &str| Regressed::Unknown { why: why.to_owned() };
        let new = |name: &str| Regressed::Tests(vec![name.to_owned()]);
        for (failing, before, expected) in [
            (named(&["a"]), Some(named(&["a", "b"])), Regressed::Nothing),
            (named(&["a", "c"]), Some(named(&["a", "b"])), new("c")),
            (named(&["a"]), Some(named(&[])), new("a")),
            (named(&["a"]), None, new("a")),
            (
                named(&["a"]),
                Some(unknown()),
                why("of the last green verification it is not known: make names none"),
            ),
            (unknown(), None, why("make names none")),
            (named(&[]), None, why("the runner named none of them")),
        ] {
            assert_eq!(Regressed::of(&failing, before.as_ref()), expected, "{failing:?}");
        }
    }
}
