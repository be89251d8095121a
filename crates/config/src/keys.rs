//! The one table of keys. A new key is one entry here (and one row in the table test).

use crate::layers::{Origin, Setting};
use crate::problem::ProblemKind;
use crate::rule::{Class, FEWER_IS_STRICTER, LAYERS_ADD_UP, Offer, Rule, TRUE_IS_STRICTER};
use crate::value::Value;

/// A key with its type taken away, so that all keys fit one table.
pub(crate) struct Key {
    pub(crate) section: &'static str,
    pub(crate) name: &'static str,
    /// The documentation line, with the space that follows `///`.
    pub(crate) doc: &'static str,
    pub(crate) class: Class,
    pub(crate) stricter: Option<&'static str>,
    pub(crate) expected: fn() -> String,
    pub(crate) take: fn(&mut Settings, Offer<'_>, &str) -> Result<(), ProblemKind>,
    pub(crate) render: fn(&Settings) -> String,
    pub(crate) origins: fn(&Settings) -> (&Origin, &[Origin]),
    /// Whether the first settings are as strict as the second in this key.
    #[cfg(test)]
    pub(crate) is_as_strict: fn(&Settings, &Settings) -> bool,
}

impl Key {
    pub(crate) fn path(&self) -> String {
        format!("{}.{}", self.section, self.name)
    }

    pub(crate) fn variable(&self) -> String {
        format!("VERGER_{}_{}", self.section, self.name).to_ascii_uppercase()
    }
}

/// Per section: field, struct, and per key: documentation, name, type, default, rule, bounds.
macro_rules! keys {
    ($(
        $(#[doc = $section_doc:literal])*
        $section:ident: $Section:ident {
            $(
                #[doc = $doc:literal]
                $name:ident: $type:ty = $default:expr, $rule:expr, $bounds:expr;
            )*
        }
    )*) => {
        /// Every setting, resolved.
        #[derive(Debug, Clone, PartialEq, Eq)]
        pub struct Settings {
            $( $(#[doc = $section_doc])* pub $section: $Section, )*
        }

        $(
            $(#[doc = $section_doc])*
            #[derive(Debug, Clone, PartialEq, Eq)]
            pub struct $Section {
                $( #[doc = $doc] pub $name: Setting<$type>, )*
            }
        )*

        impl Default for Settings {
            fn default() -> Self {
                Self {
                    $( $section: $Section { $( $name: Setting::by_default($default), )* }, )*
                }
            }
        }

        pub(crate) const SECTIONS: &[&str] = &[$(stringify!($section)),*];

        pub(crate) static KEYS: &[Key] = &[$($({
            static RULE: Rule<$type> = $rule;
            static BOUNDS: <$type as Value>::Bounds = $bounds;
            const CLASS: (Class, Option<&'static str>) = {
                let rule: Rule<$type> = $rule;
                (rule.class(), rule.stricter())
            };
            Key {
                section: stringify!($section),
                name: stringify!($name),
                doc: $doc,
                class: CLASS.0,
                stricter: CLASS.1,
                expected: || <$type as Value>::expected(&BOUNDS),
                take: |settings, offer, key| {
                    RULE.take(&mut settings.$section.$name, offer, key, &BOUNDS)
                },
                render: |settings| settings.$section.$name.value.render(),
                origins: |settings| {
                    let setting = &settings.$section.$name;
                    (&setting.origin, &setting.joined)
                },
                #[cfg(test)]
                is_as_strict: |settings, than| {
                    let (one, other) = (&settings.$section.$name, &than.$section.$name);
                    RULE.is_as_strict(&one.value, &other.value)
                },
            }
        },)*)*];
    };
}

keys! {
    /// What is recorded, and for whom.
    record: RecordSettings {
        /// Record what agents do.
        enabled: bool = true, Rule::TightenOnly(TRUE_IS_STRICTER), ();
        /// The role written into every record, for example "reviewer".
        role: Option<String> = None, Rule::Free, ();
        /// Who else may read the records; when empty, their owner alone.
        readers: Vec<String> = Vec::new(), Rule::TightenOnly(FEWER_IS_STRICTER), ();
    }
    /// Who the user is.
    user: UserSettings {
        /// The name written into every record; when absent, git's identity.
        name: Option<String> = None, Rule::NeedsTrust, ();
    }
    /// What never reaches the disk.
    redact: RedactSettings {
        /// Further key names whose values are secret.
        key_names: Vec<String> = Vec::new(), Rule::TightenOnly(LAYERS_ADD_UP), ();
    }
    /// How records are kept.
    store: StoreSettings {
        /// How long a hook waits for a session's lock, in milliseconds.
        lock_wait_ms: u64 = 200, Rule::Free, 0..=2000;
    }
}
