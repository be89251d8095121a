//! The rules of keys: which layers may set a key, and the meaning of "stricter" for a tighten-only
//! key.

use std::fmt;

use crate::layers::{Origin, Setting};
use crate::problem::ProblemKind;
use crate::value::{Given, Value};

/// The class of a key: which layers may set it. The documentation and problems name the class.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Class {
    /// Any layer may set the key.
    Free,
    /// A project file or the environment may make the value stricter, but not less strict.
    TightenOnly,
    /// Only the user's file or a trusted project file may set the key. The environment may not.
    NeedsTrust,
    /// Only the user's file may set the key. Even a trusted project may not.
    UserOnly,
}

impl fmt::Display for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Free => "free",
            Self::TightenOnly => "tighten-only",
            Self::NeedsTrust => "needs trust",
            Self::UserOnly => "user only",
        })
    }
}

/// The class of a key with values of type `T`. For a tighten-only key, also the meaning of
/// "stricter".
pub(crate) enum Rule<T> {
    Free,
    TightenOnly(Tightening<T>),
    NeedsTrust,
    UserOnly,
}

/// The meaning of "stricter" for one key.
pub(crate) struct Tightening<T> {
    /// The meaning as a phrase, which follows "can only be made stricter here".
    pub(crate) stricter: &'static str,
    /// Whether the value `offered` is at least as strict as `current`. It must be true for equal
    /// values.
    pub(crate) is_as_strict: fn(offered: &T, current: &T) -> bool,
    /// Only for keys whose layers are joined: adds a value from the project file or the environment
    /// to the value of the lower layers. The result must be as strict as both.
    pub(crate) join: Option<fn(current: &mut T, offered: T)>,
}

pub(crate) const TRUE_IS_STRICTER: Tightening<bool> = Tightening {
    stricter: "true is stricter",
    is_as_strict: |offered, current| *offered || !*current,
    join: None,
};

pub(crate) const FALSE_IS_STRICTER: Tightening<bool> = Tightening {
    stricter: "false is stricter",
    is_as_strict: |offered, current| !*offered || *current,
    join: None,
};

pub(crate) const FEWER_IS_STRICTER: Tightening<Vec<String>> = Tightening {
    stricter: "entries can be removed, not added",
    is_as_strict: |offered, current| offered.iter().all(|entry| current.contains(entry)),
    join: None,
};

pub(crate) const LAYERS_ADD_UP: Tightening<Vec<String>> = Tightening {
    stricter: "the lists of all files are joined",
    is_as_strict: |offered, current| current.iter().all(|entry| offered.contains(entry)),
    join: Some(|current, offered| {
        for entry in offered {
            if !current.contains(&entry) {
                current.push(entry);
            }
        }
    }),
};

/// The rule for values of which a greater one is stricter: numbers, and choices whose words are
/// ordered from the least to the most strict.
pub(crate) const fn more_is_stricter<T: Ord>(stricter: &'static str) -> Tightening<T> {
    Tightening { stricter, is_as_strict: T::ge, join: None }
}

pub(crate) const fn less_is_stricter<T: Ord>(stricter: &'static str) -> Tightening<T> {
    Tightening { stricter, is_as_strict: T::le, join: None }
}

pub(crate) const SHORTER_IS_STRICTER_THAN_NO_LIMIT: Tightening<Option<u64>> = Tightening {
    stricter: "shorter is stricter, and any limit stricter than none",
    is_as_strict: |offered, current| match (offered, current) {
        (_, None) => true,
        (None, Some(_)) => false,
        (Some(offered), Some(current)) => offered <= current,
    },
    join: None,
};

/// The rule for values that a layer may set only if no layer before it has set them.
pub(crate) const fn first_stands<T: PartialEq>() -> Tightening<Option<T>> {
    Tightening {
        stricter: "it can be set if no other file sets it, but not changed",
        is_as_strict: |offered, current| current.is_none() || offered == current,
        join: None,
    }
}

/// The layer that offers a value, by how far it is trusted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Standing {
    User,
    TrustedProject,
    UntrustedProject,
    Environment,
}

/// A value that a layer offers for a key, with the layer's origin and trust.
pub(crate) struct Offer<'a> {
    pub(crate) given: Given<'a>,
    pub(crate) origin: Origin,
    pub(crate) standing: Standing,
}

impl<T: Value> Rule<T> {
    pub(crate) const fn class(&self) -> Class {
        match self {
            Self::Free => Class::Free,
            Self::TightenOnly(_) => Class::TightenOnly,
            Self::NeedsTrust => Class::NeedsTrust,
            Self::UserOnly => Class::UserOnly,
        }
    }

    pub(crate) const fn stricter(&self) -> Option<&'static str> {
        match self {
            Self::TightenOnly(tightening) => Some(tightening.stricter),
            Self::Free | Self::NeedsTrust | Self::UserOnly => None,
        }
    }

    /// Whether `value` is at least as strict as `than`. For a key that needs trust or the user,
    /// only an equal value counts as strict.
    #[cfg(test)]
    pub(crate) fn is_as_strict(&self, value: &T, than: &T) -> bool {
        match self {
            Self::Free => true,
            Self::TightenOnly(tightening) => (tightening.is_as_strict)(value, than),
            Self::NeedsTrust | Self::UserOnly => value == than,
        }
    }

    /// Applies the offer to the setting. If the offer is rejected, the setting stays unchanged
    /// and the reason is returned.
    pub(crate) fn take(
        &self,
        setting: &mut Setting<T>,
        offer: Offer<'_>,
        key: &str,
        bounds: &T::Bounds,
    ) -> Result<(), ProblemKind> {
        self.check_standing(offer.standing, key)?;
        let value = T::read(offer.given, bounds).map_err(|found| ProblemKind::BadValue {
            key: key.to_owned(),
            expected: T::expected(bounds),
            found: found.what,
            nearest: found.nearest,
        })?;
        // An empty variable counts as not set.
        let Some(value) = value else { return Ok(()) };
        match self {
            Self::TightenOnly(Tightening { join: Some(join), .. })
                if offer.standing != Standing::User =>
            {
                let before = setting.value.clone();
                join(&mut setting.value, value.clone());
                if setting.value != before {
                    let lower = std::mem::replace(&mut setting.origin, offer.origin);
                    if lower != Origin::Default || setting.value != value {
                        setting.joined.push(lower);
                    }
                }
                return Ok(());
            }
            Self::TightenOnly(tightening)
                if offer.standing != Standing::User
                    && !(tightening.is_as_strict)(&value, &setting.value) =>
            {
                return Err(ProblemKind::Loosening {
                    key: key.to_owned(),
                    stricter: tightening.stricter,
                });
            }
            Self::Free | Self::TightenOnly(_) | Self::NeedsTrust | Self::UserOnly => {}
        }
        *setting = Setting { value, origin: offer.origin, joined: Vec::new() };
        Ok(())
    }

    fn check_standing(&self, standing: Standing, key: &str) -> Result<(), ProblemKind> {
        match (self, standing) {
            (Self::NeedsTrust, Standing::UntrustedProject) => {
                Err(ProblemKind::Untrusted { key: key.to_owned() })
            }
            (Self::UserOnly, Standing::TrustedProject | Standing::UntrustedProject) => {
                Err(ProblemKind::NotFromProject { key: key.to_owned() })
            }
            (Self::NeedsTrust | Self::UserOnly, Standing::Environment) => {
                Err(ProblemKind::NotFromEnvironment { key: key.to_owned() })
            }
            _ => Ok(()),
        }
    }
}
